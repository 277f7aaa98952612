"""Nakayoshi Friends Renewal: each sentence of its rules in a hand-made position."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from card_games import legal_texts, play

from abdiel.cards import ActionError, RecordError
from abdiel.cards.masks import cards_of, mask_of
from abdiel.cards.nakayoshi import CARD_NAMES, CARDS, Nakayoshi, Play, points_of


def mask(names: str) -> int:
    return mask_of(CARDS[name] for name in names.split())


def names(cards: tuple[int, ...]) -> str:
    return " ".join(CARD_NAMES[card] for card in cards)


def position(*hands: str, leader: int = 0, specials: bool = True) -> Nakayoshi:
    """A trick is to be led with just these cards in hands, in round 1."""
    state = Nakayoshi(len(hands), specials=specials)
    state.deal(Random(1))
    state.hands = [mask(hand) for hand in hands]
    state.given = [0] * len(hands)
    state.giving = False
    state.leader = state._player = leader
    return state


def trick(state: Nakayoshi, *texts: str) -> Nakayoshi:
    """Play a text for each seat from the one to move on."""
    for text in texts:
        play(state, f"{state.current_player()} play {text}")
    return state


def plays(state: Nakayoshi) -> set[str]:
    return {text.removeprefix("play ") for text in legal_texts(state)}


def dealt(state: Nakayoshi) -> Any:
    return state.snapshot()["rounds"][-1]


def give_all(state: Nakayoshi) -> Nakayoshi:
    """Everyone gives the three lowest cards."""
    for seat in range(state.num_players):
        assert state.current_player() == seat
        state.apply_action(state.legal_actions()[0])
    return state


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_deal_without_specials(players: int) -> None:
    state = Nakayoshi(players, specials=False)
    state.deal(Random(players))
    cards = [card for hand in dealt(state)["hands"] for card in hand]
    suits = "BDRHC"[:players]
    assert sorted(cards) == sorted(f"{suit}{v}" for suit in suits for v in range(1, 13))
    assert list(map(len, dealt(state)["hands"])) == [12] * players
    assert dealt(state)["removed"] == []


@pytest.mark.parametrize("players", [3, 4, 5])
def test_two_number_cards_make_way_for_tenshi_and_akuma(players: int) -> None:
    assert Nakayoshi(players).options == {"specials": True}
    gone: Counter[str] = Counter()
    for seed in range(200):
        state = Nakayoshi(players)
        state.deal(Random(seed))
        cards = [card for hand in dealt(state)["hands"] for card in hand]
        removed = dealt(state)["removed"]
        assert list(map(len, dealt(state)["hands"])) == [12] * players
        assert len(removed) == 2
        suits = "BDRHC"[:players]
        deck = [f"{suit}{value}" for suit in suits for value in range(1, 13)]
        assert sorted(cards + removed) == sorted([*deck, "T", "A"])
        gone.update(removed)
        for seat in range(players):
            for card in removed:
                assert card not in state.information_state_string(seat).split()
    assert not {"T", "A"} & set(gone)
    assert len(gone) > 10 * players


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_game_has_as_many_rounds_as_players_and_the_leader_moves(players: int) -> None:
    state = Nakayoshi(players)
    for number in range(players):
        assert state.is_chance_node()
        state.deal(Random(number))
        assert dealt(state)["leader"] == number
        assert state.current_player() == 0
        give_all(state)
        assert state.current_player() == number
        while state.current_player() >= 0:
            state.apply_action(state.legal_actions()[-1])
    assert state.is_terminal()


def test_three_cards_go_to_the_left_neighbour_and_none_is_seen_before_all_have_chosen() -> None:
    state = Nakayoshi(3)
    state.deal(Random(5))
    hands = [hand[:] for hand in dealt(state)["hands"]]
    gifts = [hand[seat : seat + 3] for seat, hand in enumerate(hands)]
    assert len(state.legal_actions()) == 220
    for seat, gift in enumerate(gifts):
        before = [state.information_state_string(other) for other in range(3)]
        assert all("get" not in string for string in before)
        assert set(names(state.observation(seat).hand).split()) == set(hands[seat])
        assert state.observation(seat).received == ()
        play(state, f"{seat} give {' '.join(reversed(gift))}")
        for other in range(3):
            if seat < 2 and other != seat:
                added = state.information_state_string(other).removeprefix(before[other])
                assert added == f" {seat} give ?;"
    for seat in range(3):
        seen = state.observation(seat)
        expected = {*hands[seat], *gifts[seat - 1]} - set(gifts[seat])
        assert set(names(seen.hand).split()) == expected
        assert set(names(seen.given).split()) == set(gifts[seat])
        assert set(names(seen.received).split()) == set(gifts[seat - 1])
        assert f"get {names(seen.received)}" in state.information_state_string(seat)


def test_three_different_cards_of_the_hand_are_given() -> None:
    state = Nakayoshi(3)
    state.deal(Random(5))
    one, two, three, *_ = dealt(state)["hands"][0]
    other = dealt(state)["hands"][1][0]
    for text in (f"{one} {two}", f"{one} {two} {two}", f"{one} {two} {three} {three}"):
        with pytest.raises(ActionError, match="three different cards are given"):
            play(state, f"0 give {text}")
    with pytest.raises(ActionError, match=f"{other} is not in the hand"):
        play(state, f"0 give {one} {two} {other}")
    with pytest.raises(ActionError, match="three cards are to be given first"):
        play(state, f"0 play {one}")
    play(state, f"0 give {one} {two} {three}")
    assert state.current_player() == 1


def test_any_card_may_be_led() -> None:
    state = position("B1 D2 R4 T A", "B2 D3 R5 B4 B5", "B7 D4 R6 D5 R1")
    assert plays(state) == {"B1", "D2", "R4", "T", "A"}


def test_the_suit_led_is_followed_by_the_main_card_if_possible() -> None:
    state = trick(position("D5 B1", "D2 D9 R1 T B2", "R4 A B4"), "D5")
    assert plays(state) == {"D2", "D9", "D9+R1", "D9+B2"}
    for card in ("R1", "T"):
        with pytest.raises(ActionError, match="the suit led, Dog, must be followed; legal: "):
            trick(state, card)
    trick(state, "D2")
    # Whoever cannot follow plays anything, Akuma included.
    assert plays(state) == {"R4", "A", "B4"}


@pytest.mark.parametrize("special", ["T", "A"])
def test_with_tenshi_or_akuma_led_there_is_no_suit_to_follow(special: str) -> None:
    state = trick(position(f"{special} B1", "B2 D3 R5", "B4 D4 R7"), special)
    assert plays(state) == {"B2", "D3", "R5", "D3+B2"}
    trick(state, "D3")
    assert plays(state) == {"B4", "D4", "R7"}


def test_akuma_led_brings_all_number_cards_to_the_leader() -> None:
    state = trick(position("A B1", "B2 D3 R5", "B4 D4 R7"), "A", "D3+B2", "R7")
    assert state.current_player() == 0
    assert state.observation(1).penalties == (3 + 2 + 7, 0, 0)
    assert (state.akuma, state.tenshi) == (0, -1)


def test_tenshi_led_brings_nothing_to_the_leader_but_tenshi() -> None:
    state = trick(position("T B1", "B2 D3 R5", "B4 D4 R7"), "T", "D3+B2", "R7")
    assert state.current_player() == 0
    assert state.observation(1).penalties == (0, 0, 0)
    assert state.tenshi == 0


def test_a_nakayoshi_card_brings_an_extra_of_another_suit_and_smaller_value() -> None:
    state = position("B3 B6 B9 B12 B8 D2 D3 D6 R8 R9 R12 T A D11", "B1", "B2")
    assert plays(state) == {
        *("B3", "B6", "B9", "B12", "B8", "D2", "D3", "D6", "R8", "R9", "R12", "T", "A", "D11"),
        "B3+D2",
        *("B6+D2", "B6+D3"),
        *("B9+D2", "B9+D3", "B9+D6", "B9+R8"),
        *("B12+D2", "B12+D3", "B12+D6", "B12+R8", "B12+R9", "B12+D11"),
        *("D6+B3",),
        *("R9+B3", "R9+B6", "R9+B8", "R9+D2", "R9+D3", "R9+D6"),
        *("R12+B3", "R12+B6", "R12+B8", "R12+B9", "R12+D2", "R12+D3", "R12+D6", "R12+D11"),
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("B8+D2", "only 3, 6, 9 and 12 bring an extra, not B8"),
        ("T+D2", "only 3, 6, 9 and 12 bring an extra, not T"),
        ("B9+B8", "an extra is of another suit"),
        ("B9+R9", "an extra is of a smaller value"),
        ("B9+R12", "an extra is of a smaller value"),
        ("B9+T", "Tenshi and Akuma are never an extra"),
        ("B9+R2", "R2 is not in the hand"),
        ("B9+D6+D2", 'expected "give B3 D12 T"'),
        ("B9 D2", 'expected "give B3 D12 T"'),
        ("B9+X1", "'X1' is no card"),
    ],
)
def test_extras_that_may_not_be(text: str, told: str) -> None:
    state = position("B9 B8 D2 D6 R9 R12 T", "B1", "B2")
    with pytest.raises(ActionError) as raised:
        trick(state, text)
    assert told in str(raised.value)


def test_an_extra_brings_no_further_extra_and_does_not_compete() -> None:
    state = trick(position("B6 D3 R1 B1", "B4 D1", "B5 D2"), "B6+D3", "B4", "B5")
    # The extra is a Nakayoshi card; R1 could not follow it, and D3 wins nothing.
    assert state.hands[0] == mask("R1 B1")
    assert state.current_player() == 0
    state = trick(position("D1 B1", "B9 R1 R2", "D5 B5"), "D1", "B9+R2", "D5")
    assert state.current_player() == 2


def test_only_the_main_card_has_to_follow() -> None:
    state = trick(position("B5 D5", "B9 B6 R7 D8", "B1 R1"), "B5")
    assert plays(state) == {"B9", "B6", "B9+R7", "B9+D8"}


def test_the_last_card_in_hand_may_be_the_extra() -> None:
    state = trick(position("B9 D3", "B4 D1 D2", "B5 D2 R1"), "B9+D3", "B4", "B5")
    assert state.observation(0).hand == ()
    assert state.past


def test_the_highest_main_card_of_the_suit_led_wins() -> None:
    state = trick(position("B5 D1", "D12 R1", "B8 R2"), "B5", "D12", "B8")
    assert state.current_player() == 2
    state = trick(position("B5 D1", "B11 R1", "B8 R2", leader=2), "B8", "B5", "B11")
    assert state.current_player() == 1


def test_with_akuma_in_the_trick_the_lowest_wins() -> None:
    state = trick(position("B5 D1", "B11 R1", "A R2"), "B5", "B11", "A")
    assert state.current_player() == 0
    assert state.akuma == 0
    state = trick(position("B5 D1", "A R1", "B2 R2"), "B5", "A", "B2")
    assert state.current_player() == 2
    assert state.akuma == 2


def test_a_suit_has_no_equal_cards() -> None:
    """So that equal values would go to the later player can never be seen."""
    assert len(set(CARD_NAMES)) == 62
    for players in (3, 4, 5):
        cards = cards_of(Nakayoshi(players)._cards_in_play())
        assert len({CARD_NAMES[card] for card in cards}) == 12 * players + 2


def test_cards_of_the_suit_led_are_discarded_and_others_are_the_winners_penalty() -> None:
    state = trick(position("B9 D3 B1", "B12 R11 R2", "D10 R1 H1", "H4 R3 R4"), "B9+D3", "B12+R11")
    trick(state, "D10", "H4")
    assert state.current_player() == 1
    assert state.observation(0).penalties == (0, 3 + 11 + 10 + 4, 0, 0)
    assert state.observation(3).last_trick == (
        Play(0, CARDS["B9"], CARDS["D3"]),
        Play(1, CARDS["B12"], CARDS["R11"]),
        Play(2, CARDS["D10"], None),
        Play(3, CARDS["H4"], None),
    )


def test_with_tenshi_in_the_trick_they_are_discarded_instead() -> None:
    state = trick(position("B9 D3 B1", "B12 R11 R2", "T R1 H1", "H4 R3 R4"), "B9+D3", "B12+R11")
    trick(state, "T", "H4")
    assert state.observation(0).penalties == (0, 0, 0, 0)
    assert state.tenshi == 1


def test_tenshi_and_akuma_together_in_a_trick() -> None:
    """Akuma turns it, Tenshi purifies it, and the winner takes both."""
    state = trick(position("B9 D3 B1", "B12 R11 R2", "T R1 H1", "A R3 R4"), "B9", "B12", "T", "A")
    assert state.current_player() == 0
    assert (state.tenshi, state.akuma) == (0, 0)
    assert state.observation(0).penalties == (0, 0, 0, 0)
    assert state.round_scores()[0] == -(3 + 1)
    state = trick(position("A D3 B1", "T R11 R2", "D9 R1 H1", "H4 R3 R4"), "A", "T", "D9", "H4")
    assert (state.tenshi, state.akuma) == (0, 0)
    assert state.observation(0).penalties == (0, 0, 0, 0)
    state = trick(position("T D3 B1", "A R11 R2", "D9 R1 H1", "H4 R3 R4"), "T", "A", "D9+R1", "H4")
    assert (state.tenshi, state.akuma) == (0, 0)
    assert state.observation(0).penalties == (0, 0, 0, 0)


FIVE = ("B1 D1 D2", "B2 D3 T", "B12 D4 D5", "B4 A D7", "B5 D8 D9")


def test_five_players_with_main_cards_of_one_suit_drop_a_card_each() -> None:
    state = trick(position(*FIVE), "B1", "B2", "B12", "B4", "B5")
    # The winner first, then clockwise, any card, Tenshi and Akuma too.
    assert state.observation(0).phase == "drop"
    assert state.current_player() == 2
    assert legal_texts(state) == ["drop D4", "drop D5"]
    with pytest.raises(ActionError, match="a card is to be dropped; legal: drop D4, drop D5"):
        play(state, "2 play D4")
    play(state, "2 drop D5", "3 drop A", "4 drop D9")
    with pytest.raises(ActionError, match="D9 is not in the hand"):
        play(state, "0 drop D9")
    play(state, "0 drop D1", "1 drop T")
    assert state.current_player() == 2
    assert plays(state) == {"D4"}
    # What is dropped lies open and counts nothing.
    assert names(state.observation(0).shown[3]) == "B4 A"
    assert (state.tenshi, state.akuma) == (-1, -1)
    assert state.observation(0).penalties == (0,) * 5
    with pytest.raises(ActionError, match="no card is to be dropped"):
        play(state, "2 drop D4")


def test_extras_do_not_hinder_the_drop() -> None:
    state = position("B1 D1 D2", "B3 D3 R1 R2", "B12 D4 D5", "B4 A D7", "B5 D8 D9")
    trick(state, "B1", "B3+R1", "B12", "B4", "B5")
    assert state.observation(0).phase == "drop"
    assert state.observation(0).penalties == (0, 0, 1, 0, 0)


def test_one_other_suit_prevents_the_drop() -> None:
    state = position("B1 D1 D2", "R2 D3 T", "B12 D4 D5", "B4 A D7", "B5 D8 D9")
    trick(state, "B1", "R2", "B12", "B4", "B5")
    assert state.observation(0).phase == "play"
    state = position("B1 D1 D2", "T D3 R2", "B12 D4 D5", "B4 A D7", "B5 D8 D9")
    trick(state, "B1", "T", "B12", "B4", "B5")
    assert state.observation(0).phase == "play"
    state = position("T D1 D2", "B2 D3 R2", "B12 D4 D5", "B4 A D7", "B5 D8 D9")
    trick(state, "T", "B2", "B12", "B4", "B5")
    assert state.observation(0).phase == "play"


def test_fewer_players_never_drop() -> None:
    state = trick(position(*FIVE[:4]), "B1", "B2", "B12", "B4")
    assert state.observation(0).phase == "play"


def test_players_with_an_empty_hand_are_passed_over_and_the_round_ends_after_the_drop() -> None:
    state = trick(position("B1", "B2 D3 T", "B12 D4 D5", "B9 D7", "B5 D8"), "B1", "B2", "B12")
    trick(state, "B9+D7", "B5")
    assert state.current_player() == 2
    play(state, "2 drop D5")
    assert state.current_player() == 4
    play(state, "4 drop D8")
    assert not state.past
    play(state, "1 drop T")
    assert state.is_chance_node()
    # 7 taken and 4 left; 3 left.
    assert state.past[-1].scores == (0, -3, -11, 0, 0)


def test_a_round_ends_by_the_drop() -> None:
    state = trick(position("B1 D1", "B2 D3", "B12 D4 D5", "B4 A D7", "B5 D8 D9"), "B1", "B2", "B12")
    trick(state, "B4", "B5")
    play(state, "2 drop D5", "3 drop D7", "4 drop D9", "0 drop D1")
    assert not state.past
    play(state, "1 drop D3")
    assert state.past[-1].scores == (0, 0, -4, -20, -8)


def test_no_drop_when_all_hands_are_empty() -> None:
    state = trick(position("B1", "B2", "B12", "B4", "B5"), "B1", "B2", "B12", "B4", "B5")
    assert state.past[-1].scores == (0,) * 5


def test_the_round_ends_after_a_trick_once_any_player_has_no_cards() -> None:
    state = trick(position("B9 D3 D4", "B6 R2", "B1 R1 R3"), "B9", "B6+R2")
    assert not state.past
    trick(state, "B1")
    assert state.is_chance_node()
    assert state.past[-1].scores == (-2 - 3 - 4, 0, -1 - 3)


def scored(penalty: int, hand: str, tenshi: bool = False, akuma: bool = False) -> int:
    state = position(hand, "B1", "B2")
    state.penalties[0] = penalty
    state.tenshi, state.akuma = tenshi - 1, akuma - 1
    return state.round_scores()[0]


def test_score() -> None:
    assert scored(0, "") == 0
    assert scored(17, "") == -17
    assert scored(17, "B12 D3") == -17 - 15
    assert scored(0, "T") == -20
    assert scored(0, "A") == -20
    assert scored(5, "T A R7") == -5 - 40 - 7
    assert scored(0, "", akuma=True) == -40
    assert scored(3, "B2", akuma=True) == -45
    assert scored(50, "", tenshi=True) == -10
    assert scored(60, "D10", tenshi=True, akuma=True) == -70
    # The cap at zero.
    assert scored(30, "", tenshi=True) == 0
    assert scored(40, "", tenshi=True) == 0
    assert scored(41, "", tenshi=True) == -1
    assert scored(0, "", tenshi=True) == 0
    assert scored(0, "", tenshi=True, akuma=True) == 0
    assert points_of(mask("B1 D12 T A")) == 13


class Scored(Nakayoshi):
    """Rounds with given scores."""

    given_scores: list[list[int]]

    def round_scores(self) -> list[int]:
        return self.given_scores[len(self.past)]


def ended(*given: list[int]) -> Nakayoshi:
    state = Scored(len(given[0]))
    state.given_scores = list(given)
    for number in range(len(given)):
        assert state.is_chance_node()
        state.deal(Random(number))
        state._finish()
    return state


def test_after_n_rounds_the_highest_total_wins_and_equals_share() -> None:
    state = ended([-10, -20, -30], [0, -5, -1])
    assert state.is_chance_node()
    assert state.scores() == [-10, -25, -31]
    state = ended([-10, -20, -30], [-5, -5, -1], [-60, 0, 0])
    assert state.is_terminal()
    assert state.scores() == [-75, -25, -31]
    assert state.winners() == [1]
    assert ended([-10, -20, -10], [-5, -5, -5], [0, 0, 0]).winners() == [0, 2]
    assert ended([0, 0, 0], [0, 0, 0], [0, 0, 0]).winners() == [0, 1, 2]
    assert ended([0, 0, 0], [0, 0, 0], [0, 0, 0]).returns() == [0, 0, 0]


def worlds(state: Nakayoshi, player: int, count: int = 300) -> list[Nakayoshi]:
    rng = Random(1)
    return [state.resample_from_infostate(player, rng) for _ in range(count)]


def test_worlds_keep_the_cards_that_a_player_gave_and_got() -> None:
    state = Nakayoshi(4)
    state.deal(Random(5))
    hands = [hand[:] for hand in dealt(state)["hands"]]
    play(state, f"0 give {' '.join(hands[0][:3])}")
    for world in worlds(state, 0, 50):
        assert set(hands[0][:3]) == set(names(world.observation(0).given).split())
        assert dealt(world)["hands"][0] == hands[0]
    others = Counter(card for world in worlds(state, 1) for card in cards_of(world.given[0]))
    assert len(others) == 38
    for seat in (1, 2, 3):
        play(state, f"{seat} give {' '.join(hands[seat][:3])}")
    for world in worlds(state, 0):
        assert set(hands[0][:3]) <= set(names(world.observation(1).hand).split())
        assert set(hands[3][:3]) <= set(dealt(world)["hands"][3])
        assert set(hands[3][:3]) == set(names(world.observation(3).given).split())
        assert world.hands[0] == state.hands[0]
    gifts = Counter(card for world in worlds(state, 0) for card in cards_of(world.given[1]))
    assert len(gifts) > 20


def test_worlds_know_suits_that_were_not_followed() -> None:
    state = position("B1 D1 R1 B2", "D5 D6 R6 A", "R9 R8 R7 T")
    # All other cards have gone.
    everything = mask("B1 D1 R1 B2 D5 D6 R6 A R9 R8 R7 T")
    state.shown = [state._cards_in_play() & ~everything & ~mask("R11 R12"), 0, 0]
    trick(state, "B1", "A")
    assert state.observation(2).void == ((), (0,), ())
    seen = {names(tuple(cards_of(world.hands[1]))) for world in sampled(state, 0)}
    # Seat 1 has no Bear, seat 0 the last one; of the others any three are in seat 1's hand.
    assert all("B" not in hand for hand in seen)
    trick(state, "R9")
    assert state.observation(0).void == ((), (0,), (0,))


def sampled(state: Nakayoshi, player: int, count: int = 200) -> list[Nakayoshi]:
    """Worlds of a position that no game has led to, whose gifts are left as they are."""
    rng = Random(1)
    found = []
    for _ in range(count):
        world = state.clone()
        unseen = state._cards_in_play() & ~state.hands[player]
        for shown in state.shown:
            unseen &= ~shown
        others = [seat for seat in range(state.num_players) if seat != player]
        needs = {seat: state.hands[seat].bit_count() for seat in others}
        voids = {seat: void for seat, void in enumerate(state.voids) if void}
        for seat, hand in state._deal_to(rng, unseen, needs, voids).items():
            world.hands[seat] = hand
        found.append(world)
    return found


def test_worlds_of_a_whole_round_break_no_void() -> None:
    rng = Random(4)
    checked = 0
    for seed in range(6):
        state = give_all(dealt_game(seed))
        while state.current_player() >= 0 and not state.past:
            for seat, void in enumerate(state.voids):
                for player in range(4):
                    if player != seat and void:
                        world = state.resample_from_infostate(player, rng)
                        for suit in cards_of(void):
                            assert not world.hands[seat] >> 12 * suit & 0xFFF
                            checked += 1
            state.apply_action(rng.choice(state.legal_actions()))
    assert checked > 100


def dealt_game(seed: int) -> Nakayoshi:
    state = Nakayoshi(4)
    state.deal(Random(seed))
    return state


def test_removed_cards_are_never_tenshi_or_akuma_in_any_world() -> None:
    state = give_all(dealt_game(3))
    gone: Counter[str] = Counter()
    for world in worlds(state, 2):
        assert len(dealt(world)["removed"]) == 2
        gone.update(dealt(world)["removed"])
    assert not {"T", "A"} & set(gone)
    assert len(gone) > 25


def test_worlds_are_as_likely_as_the_cards() -> None:
    """Without voids each unseen number card is as often in another's hand as any other."""
    state = give_all(dealt_game(8))
    count: Counter[int] = Counter()
    for world in worlds(state, 1, 3000):
        count.update(cards_of(world.hands[3]))
    known = mask_of(card for card in state.observation(1).given if state.hands[2] >> card & 1)
    unseen = cards_of(state._cards_in_play() & ~state.hands[1] & ~known & ~mask("T A"))
    assert set(unseen) <= set(count)
    expected = sum(count[card] for card in unseen) / len(unseen)
    assert all(abs(count[card] - expected) < 5 * expected**0.5 for card in unseen)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"leader": 1}, "round 1, leader: expected 0, found 1"),
        ({"removed": []}, "round 1, removed: expected 2 entries, found 0"),
        ({"removed": ["T", "B1"]}, "round 1, removed: Tenshi and Akuma cannot be removed"),
        ({"removed": ["C1", "C2"]}, "round 1: C1 is not in this game"),
        ({"removed": ["B1", "B1"]}, "round 1: B1 is there twice"),
        ({"hands": []}, "round 1, hands: expected 3 entries, found 0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_deals_that_are_none(change: dict[str, object], told: str) -> None:
    state = Nakayoshi(3)
    state.deal(Random(1))
    with pytest.raises(RecordError, match=told):
        Nakayoshi(3).deal_record(dealt(state) | change, "round 1")
