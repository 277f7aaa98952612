"""Auf Teufel komm raus: each sentence of its rules in a hand-made position."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from card_games import legal_texts, play

from abdiel.cards import ActionError, RecordError
from abdiel.cards.auf_teufel import ANGELS, DEVILS, AufTeufel, Turn
from abdiel.cards.presenters import make_presenter


def game(angels: list[int], *hands: list[int]) -> AufTeufel:
    """A game that begins with these Angels, the others in order after them."""
    state = AufTeufel(len(hands))
    left = list(ANGELS)
    for angel in angels:
        left.remove(angel)
    state.deal_record({"angels": angels + left, "hands": [list(hand) for hand in hands]})
    return state


def accept_all(state: AufTeufel) -> AufTeufel:
    while not state.is_terminal():
        play(state, f"{state.current_player()} accept")
    return state


def test_the_deck() -> None:
    assert Counter(ANGELS) == dict.fromkeys(range(1, 11), 3)
    assert Counter(DEVILS) == dict.fromkeys(range(1, 6), 4)


@pytest.mark.parametrize("players", range(2, 7))
def test_everyone_is_dealt_three_devils_and_the_others_stay_aside(players: int) -> None:
    seen: set[tuple[int, ...]] = set()
    for seed in range(50):
        state = AufTeufel(players)
        state.deal(Random(seed))
        deal = state.snapshot()["deal"]
        assert isinstance(deal, dict)
        assert sorted(deal["angels"]) == list(ANGELS)
        assert list(map(len, deal["hands"])) == [3] * players
        assert not Counter(d for hand in deal["hands"] for d in hand) - Counter(DEVILS)
        seen.add(tuple(deal["angels"]))
    assert len(seen) == 50


def test_the_drawer_looks_at_the_card_alone() -> None:
    state = game([7], [1, 1, 1], [2, 2, 2], [3, 3, 3])
    assert state.observation(0).turns == (Turn(0, 7, (), None),)
    assert "see 7" in state.information_state_string(0)
    for other in (1, 2):
        assert state.observation(other).turns == (Turn(0, None, (), None),)
        assert "7" not in state.information_state_string(other)


def test_the_holder_accepts_or_passes_with_one_devil_and_the_next_has_the_same_choice() -> None:
    state = game([7], [1, 4, 4], [2, 3, 5], [3, 3, 3])
    assert legal_texts(state) == ["accept", "pass 1", "pass 4"]
    play(state, "0 pass 4")
    assert state.current_player() == 1
    assert legal_texts(state) == ["accept", "pass 2", "pass 3", "pass 5"]
    play(state, "1 pass 2")
    assert state.current_player() == 2
    assert legal_texts(state) == ["accept", "pass 3"]
    assert [state.observation(seat).hand for seat in range(3)] == [(1, 4), (3, 5), (3, 3, 3)]


def test_who_accepts_takes_the_card_and_every_devil_on_it() -> None:
    state = play(game([7], [1, 4, 4], [2, 3, 5], [3, 3, 3]), "0 pass 4", "1 pass 2", "2 accept")
    assert state.round_scores() == [0, 0, 7 - 4 - 2]
    assert state.observation(2).pile_sizes == (0, 0, 3)
    assert state.observation(2).total == 1


def test_a_holder_without_devils_must_accept() -> None:
    state = game([1, 2, 3, 4, 5], [1, 1, 2], [3, 3, 3])
    play(state, "0 pass 1", "1 accept", "1 accept", "0 pass 1", "1 accept", "1 accept")
    play(state, "0 pass 2", "1 accept")
    assert state.observation(0).hand == ()
    play(state, "1 pass 3")
    assert legal_texts(state) == ["accept"]
    with pytest.raises(ActionError, match="no Devil is left in the hand; legal: accept"):
        play(state, "0 pass 1")
    play(state, "0 accept")
    assert legal_texts(state) == ["accept"]


def test_a_devil_that_is_not_in_hand_cannot_be_passed() -> None:
    state = game([7], [1, 4, 4], [2, 3, 5])
    with pytest.raises(ActionError, match="no Devil 5 is in the hand; legal: accept, pass 1, pass"):
        play(state, "0 pass 5")


@pytest.mark.parametrize("players", range(2, 7))
def test_the_drawer_must_accept_the_card_that_comes_back(players: int) -> None:
    state = game([7], *[[1, 2, 3]] * min(players, 4), *[[4, 4, 5]] * max(0, players - 4))
    for seat in range(players):
        play(state, f"{seat} pass {3 if seat < 4 else 4}")
    assert state.current_player() == 0
    assert legal_texts(state) == ["accept"]
    with pytest.raises(ActionError, match="the card has come back to the one who drew it"):
        play(state, "0 pass 1")
    play(state, "0 accept")
    assert state.current_player() == 1
    devils = 3 * min(players, 4) + 4 * max(0, players - 4)
    assert state.round_scores() == [7 - devils] + [0] * (players - 1)


def test_the_holder_sees_all_devils_and_the_others_how_many() -> None:
    state = game([7], [1, 4, 4], [2, 3, 5], [3, 3, 3], [1, 1, 1])
    play(state, "0 pass 4", "1 pass 5")
    views = [state.observation(seat).turns[0] for seat in range(4)]
    assert views == [
        Turn(0, 7, (4, None), None),
        Turn(0, 7, (4, 5), None),
        Turn(0, 7, (4, 5), None),
        Turn(0, None, (None, None), None),
    ]
    assert state.information_state_string(2).endswith("0 pass ?; 1 pass ?; see 7-4-5;")
    assert state.information_state_string(3).endswith("0 pass ?; 1 pass ?;")
    play(state, "2 pass 3", "3 pass 1")
    assert state.observation(0).turns[0] == Turn(0, 7, (4, 5, 3, 1), None)


def test_accepted_cards_lie_face_down_and_are_remembered_by_who_held_them() -> None:
    state = game([7, 9], [1, 4, 4], [2, 3, 5], [3, 3, 3])
    play(state, "0 pass 4", "1 pass 2", "2 accept", "1 accept", "2 accept")
    turns = [state.observation(seat).turns[:2] for seat in range(3)]
    assert turns == [
        (Turn(0, 7, (4, None), 2), Turn(1, None, (), 1)),
        (Turn(0, 7, (4, 2), 2), Turn(1, 9, (), 1)),
        (Turn(0, 7, (4, 2), 2), Turn(1, None, (), 1)),
    ]
    assert [state.observation(seat).total for seat in range(3)] == [0, 9, 2]


def test_the_next_turn_is_that_of_the_player_after_the_drawer_whoever_accepted() -> None:
    state = game([7], [1, 4, 4], [2, 3, 5], [3, 3, 3])
    assert state.current_player() == 0
    play(state, "0 pass 4", "1 accept")
    assert state.current_player() == 1
    play(state, "1 pass 2", "2 pass 3", "0 accept")
    assert state.current_player() == 2
    play(state, "2 accept")
    assert state.current_player() == 0


@pytest.mark.parametrize("players", range(2, 7))
def test_with_four_players_the_first_two_draw_one_more(players: int) -> None:
    state = accept_all(game([], *[[1, 2, 3]] * min(players, 4), *[[4, 4, 5]] * (players - 4)))
    drawn = Counter(turn.drawer for turn in state.observation(0).turns)
    expected = [8, 8, 7, 7] if players == 4 else [30 // players] * players
    assert [drawn[seat] for seat in range(players)] == expected


def test_the_game_ends_when_the_last_angel_is_accepted() -> None:
    state = game([], [1, 2, 3], [1, 2, 3])
    for _ in range(29):
        play(state, f"{state.current_player()} accept")
    assert not state.is_terminal()
    assert state.observation(0).angels_left == 0
    play(state, "1 pass 3", "0 pass 3")
    assert not state.is_terminal()
    play(state, "1 accept")
    assert state.is_terminal()


def test_angels_count_less_their_devils_below_zero_too() -> None:
    state = game([1, 10], [5, 5, 1], [4, 1, 1], [4, 4, 5])
    play(state, "0 pass 5", "1 pass 4", "2 accept", "1 accept")
    assert state.round_scores() == [0, 10, 1 - 5 - 4]


def test_devils_left_in_the_hand_cost_nothing_and_the_highest_total_wins() -> None:
    state = accept_all(game([1, 1, 1, 2, 2, 2], [1, 2, 3], [1, 2, 3]))
    angels = [1, 1, 1, 2, 2, 2, *(value for value in range(3, 11) for _ in range(3))]
    assert state.scores() == [sum(angels[0::2]), sum(angels[1::2])] == [80, 85]
    assert state.winners() == [1]
    assert state.returns() == [-1.0, 1.0]
    assert make_presenter(state, ["greedy"] * 2, ascii=False).tell_tie(state) == ""


def tie(hands: list[tuple[int, ...]], piles: list[int]) -> AufTeufel:
    """A game that ends 50 to 50, with these Devils in hand and so many in the piles."""
    state = game([10], *[[1, 2, 3]] * len(hands))
    play(state, "0 accept")
    while state.turn < 29:
        play(state, f"{state.current_player()} accept")
    last = state.snapshot()["deal"]["angels"][-1]
    state.piles = [50] * len(hands)
    state.piles[state.current_player()] -= last
    state.hands = [sum(1 << 2 * devil - 2 for devil in hand) for hand in hands]
    state.devils = piles
    accept_all(state)
    assert state.scores() == [50] * len(hands)
    return state


@pytest.mark.parametrize(
    ("hands", "piles", "winners"),
    [
        ([(1, 2), (1, 2)], [2, 3], [0]),
        ([(1, 2), (5,)], [2, 2], [1]),
        ([(1, 2, 3), ()], [1, 3], [1]),  # in pile and hand together, not in the pile alone
        ([(1, 2, 3), ()], [0, 4], [0]),
        ([(5,), (1, 2)], [2, 1], [0, 1]),
        ([(), (), ()], [4, 4, 5], [0, 1]),
        ([(1,), (1,), (1,)], [3, 3, 3], [0, 1, 2]),
    ],
    ids=str,
)
def test_of_equals_the_fewest_devil_cards_win_or_they_share(
    hands: list[tuple[int, ...]], piles: list[int], winners: list[int]
) -> None:
    state = tie(hands, piles)
    assert state.winners() == winners
    share = (len(hands) / len(winners) - 1) / (len(hands) - 1)
    for seat, value in enumerate(state.returns()):
        assert value == pytest.approx(share if seat in winners else -1 / (len(hands) - 1))
    devils = [len(hand) + pile for hand, pile in zip(hands, piles, strict=True)]
    assert state.devil_cards() == devils
    told = ", ".join(f"seat {seat} {cards}" for seat, cards in enumerate(devils))
    tie_told = make_presenter(state, ["greedy"] * len(hands), ascii=False).tell_tie(state)
    assert tie_told == f"Of equal totals the fewest Devils, in pile and hand, win: {told}."


def test_sizes_are_public_and_totals_are_not_before_the_end() -> None:
    state = game([7, 9], [1, 4, 4], [2, 3, 5], [3, 3, 3])
    play(state, "0 pass 4", "1 accept", "1 accept")
    for seat in range(3):
        seen = state.observation(seat)
        assert seen.hand_sizes == (2, 3, 3)
        assert seen.pile_sizes == (0, 3, 0)
        assert seen.scores is None
        assert seen.angels_left == 27
    accept_all(state)
    assert state.observation(0).scores == tuple(state.scores())
    assert "scores" in state.information_state_string(0)


def test_worlds_keep_the_devils_that_a_player_saw() -> None:
    state = play(game([7, 8], [1, 4, 4], [2, 3, 5], [3, 3, 3]), "0 pass 4", "1 pass 5")
    rng = Random(1)
    passed: Counter[int] = Counter()
    for _ in range(300):
        by_second = state.resample_from_infostate(2, rng)
        assert by_second.attached == [4, 5]
        assert by_second.snapshot()["deal"]["angels"][0] == 7
        assert by_second.observation(2).hand == (3, 3, 3)
        by_first = state.resample_from_infostate(0, rng)
        assert by_first.attached[0] == 4
        assert by_first.observation(0).hand == (1, 4)
        passed[by_first.attached[1]] += 1
    # Of the Devils that seat 0 has not seen there are 3, 4, 4, 2 and 4.
    assert set(passed) == {1, 2, 3, 4, 5}
    assert passed[4] < min(passed[2], passed[3], passed[5])


def test_worlds_are_as_likely_as_the_cards() -> None:
    """Seat 0 has seen one Angel; the next is any of the 29 others, the hands any of 17 Devils."""
    state = play(game([7, 8], [1, 4, 4], [2, 3, 5]), "0 accept")
    rng = Random(2)
    worlds = [state.resample_from_infostate(0, rng) for _ in range(5800)]
    angels = Counter(world.snapshot()["deal"]["angels"][1] for world in worlds)
    for value in range(1, 11):
        expected = 5800 * (2 if value == 7 else 3) / 29
        assert abs(angels[value] - expected) < 5 * expected**0.5
    devils = Counter(devil for world in worlds for devil in world.observation(1).hand)
    for value, left in ((1, 3), (2, 4), (3, 4), (4, 2), (5, 4)):
        expected = 3 * 5800 * left / 17
        assert abs(devils[value] - expected) < 5 * expected**0.5


@pytest.mark.parametrize(
    ("angels", "hands", "told"),
    [
        ([*ANGELS[:-1], 9], [[1, 2, 3], [1, 2, 3]], "deal, angels: expected each of 1 to 10 three"),
        (ANGELS[:-1], [[1, 2, 3], [1, 2, 3]], "deal, angels: expected 30 entries, found 29"),
        (ANGELS, [[1, 2, 3]], "deal, hands: expected 2 entries, found 1"),
        (ANGELS, [[1, 2, 3], [1, 2]], "deal, hand 1: expected 3 entries, found 2"),
        (ANGELS, [[1, 2, 3], [1, 2, 6]], "deal, hands: Devils are 1 to 5, found 6"),
        (ANGELS, [[1, 1, 1], [1, 1, 2]], "deal, hands: there are only four Devils of 1"),
        (ANGELS, [[1, 2, 3], [1, 2, True]], "deal, hand 1: expected a whole number, found true"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_deals_that_are_none(angels: list[int], hands: list[list[int]], told: str) -> None:
    with pytest.raises(RecordError, match=told):
        AufTeufel(2).deal_record({"angels": list(angels), "hands": hands})
