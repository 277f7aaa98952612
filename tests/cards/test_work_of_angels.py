"""The Work of Angels: each sentence of its rules in a hand-made position."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from card_games import legal_texts, play

from abdiel.cards import ActionError, RecordError
from abdiel.cards.masks import cards_of, mask_of
from abdiel.cards.work_of_angels import CARD_NAMES, CARDS, SUITS, WorkOfAngels

ALL = list(CARD_NAMES)


def mask(names: str) -> int:
    return mask_of(CARDS[name] for name in names.split())


def names(cards: tuple[int, ...]) -> str:
    return " ".join(CARD_NAMES[card] for card in cards)


def deal(
    hands: list[str], table: str = "", deck: str = "", jacks: str = "CDHS", **options: object
) -> WorkOfAngels:
    """The first round, with these cards dealt and others where they do not suffice.

    The seat after the dealer, 1, begins.
    """
    state = WorkOfAngels(len(hands), **options)
    given = " ".join((*hands, table, deck)).split()
    left = [name for name in ALL if name not in given]
    assert len(set(given)) == len(given)

    def fill(cards: str, size: int) -> list[str]:
        dealt = cards.split()
        while len(dealt) < size:
            dealt.append(left.pop())
        return dealt

    full = [fill(hand, 6) for hand in hands]
    state.deal_record(
        {
            "dealer": 0,
            "jacks": list(jacks[: len(hands)]),
            "hands": full,
            "table": fill(table, 3),
            "deck": fill(deck, 45 - 6 * len(hands)),
        }
    )
    return state


def position(
    hands: list[str], table: str = "", deck: str = "", jacks: str = "CDHS", **options: object
) -> WorkOfAngels:
    """Seat 1 begins its turn with just these cards in hands, on the table and in the deck."""
    state = WorkOfAngels(len(hands), **options)
    state.deal(Random(1))
    state.hands = [mask(hand) for hand in hands]
    state.table = mask(table)
    cards = tuple(CARDS[name] for name in deck.split())
    suits = tuple(SUITS.index(jack) for jack in jacks[: len(hands)])
    state._deal = state._deal._replace(deck=cards, jacks=suits)
    return state


def laid(state: WorkOfAngels, seat: int) -> list[str]:
    return [names(cards) for cards in state.observation(0).sets[seat]]


def sets_of(hand: str, **options: Any) -> set[str]:
    """The sets that can be laid from a hand of seven, the last of which is drawn."""
    *rest, last = hand.split()
    state = position(["", " ".join(rest)], table=last, deck="KS", **options)
    play(state, f"1 draw {last}")
    return {text[4:] for text in legal_texts(state) if text.startswith("set ")}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal(players: int) -> None:
    secrets: Counter[tuple[str, ...]] = Counter()
    for seed in range(100):
        state = WorkOfAngels(players)
        state.deal(Random(seed))
        (dealt,) = state.snapshot()["rounds"]
        assert len(set(dealt["jacks"])) == len(dealt["jacks"]) == players
        secrets[tuple(dealt["jacks"])] += 1
        assert list(map(len, dealt["hands"])) == [6] * players
        assert len(dealt["table"]) == 3
        cards = [*dealt["table"], *dealt["deck"], *(c for hand in dealt["hands"] for c in hand)]
        assert sorted(cards) == sorted(ALL)
    assert len(ALL) == 48 and not [name for name in ALL if name[0] == "J"]
    assert len(secrets) > 8


def test_the_jack_is_secret() -> None:
    state = deal(["", "", ""], jacks="HSC")
    assert [state.observation(seat).jack for seat in range(3)] == [2, 3, 0]
    for seat, jack in enumerate("HSC"):
        assert f"jack {jack}" in state.information_state_string(seat)
        assert "jacks" not in state.information_state_string(seat)
    rng = Random(1)
    worlds = [state.resample_from_infostate(1, rng).observation(0).jack for _ in range(200)]
    assert set(worlds) == {0, 1, 2}


def test_draw_one_card_at_a_time_from_the_deck_or_the_table_until_the_hand_holds_7() -> None:
    state = position(["2C", "3C 4C 5C 6C 7C"], table="9H TH QH", deck="AS 2S 3S")
    assert legal_texts(state) == ["draw deck", "draw 9H", "draw TH", "draw QH"]
    play(state, "1 draw deck")
    assert names(state.observation(1).hand) == "AS 3C 4C 5C 6C 7C"
    assert legal_texts(state) == ["draw deck", "draw 9H", "draw TH", "draw QH"]
    play(state, "1 draw TH")
    assert len(state.observation(1).hand) == 7
    assert names(state.observation(1).table) == "9H QH"
    assert state.observation(1).deck_left == 2
    assert not [text for text in legal_texts(state) if text.startswith("draw")]
    with pytest.raises(ActionError, match="drawing is done"):
        play(state, "1 draw deck")


def test_no_set_is_laid_and_no_turn_ended_before_drawing_is_done() -> None:
    state = position(["2C", "7C 7D 7H 7S 2D 3D"], table="9H", deck="AS 2S")
    for text in ("set 7C 7D 7H", "discard 2D", "end", "add 7S"):
        with pytest.raises(ActionError, match="draw first, until the hand holds 7"):
            play(state, f"1 {text}")


def test_drawing_ends_when_nothing_is_left() -> None:
    state = position(["2C", "3C"], table="9H", deck="AS")
    play(state, "1 draw deck", "1 draw 9H")
    assert legal_texts(state) == ["end"]
    state = position(["2C", "3C"], table="", deck="AS 2S")
    assert legal_texts(state) == ["draw deck"]
    state = position(["2C", "3C"], table="9H 8H", deck="")
    assert legal_texts(state) == ["draw 8H", "draw 9H"]
    with pytest.raises(ActionError, match="the deck is empty; legal: draw 8H, draw 9H"):
        play(state, "1 draw deck")
    with pytest.raises(ActionError, match="8C is not on the table"):
        play(state, "1 draw 8C")


def test_any_number_of_sets_or_none_is_laid() -> None:
    state = position(["2C", "7C 7D 7H 9C 9D 9H"], table="2H 3H", deck="AS 2S")
    play(state, "1 draw deck")
    assert {"set 7C 7D 7H", "set 9C 9D 9H", "discard AS"} <= set(legal_texts(state))
    both = play(state.clone(), "1 set 7D 7C 7H", "1 set 9C 9D 9H")
    assert laid(both, 1) == ["7C 7D 7H", "9C 9D 9H"]
    assert legal_texts(both) == ["end"]
    none = play(state.clone(), "1 discard AS")
    assert laid(none, 1) == []
    assert none.current_player() == 0


def test_one_card_is_discarded_while_the_hand_holds_7() -> None:
    state = position(["2C", "3C 4C 5D 6D 7H 8H"], table="9H", deck="AS 2S")
    play(state, "1 draw deck")
    assert legal_texts(state) == [
        f"discard {name}" for name in ("AS", "3C", "4C", "5D", "6D", "7H", "8H")
    ]
    with pytest.raises(ActionError, match="the hand holds 7, discard one"):
        play(state, "1 end")
    play(state, "1 discard 7H")
    assert state.current_player() == 0
    assert names(state.observation(0).table) == "7H 9H"
    # What has been discarded can be drawn.
    assert "draw 7H" in legal_texts(state)


def test_a_card_just_drawn_from_the_table_may_be_discarded() -> None:
    state = position(["2C", "3C 4C 5D 6D 7H 8H"], table="9H", deck="AS 2S")
    play(state, "1 draw 9H", "1 discard 9H")
    assert names(state.observation(0).table) == "9H"


def test_with_6_or_fewer_nothing_is_discarded() -> None:
    state = position(["2C", "7C 7D 7H 9C 9D TH"], table="2H", deck="AS 2S")
    play(state, "1 draw deck", "1 set 7C 7D 7H")
    assert legal_texts(state) == ["end"]
    with pytest.raises(ActionError, match="nothing is discarded with 6 or fewer in hand"):
        play(state, "1 discard TH")
    play(state, "1 end")
    assert state.current_player() == 0


def test_an_addition_that_leaves_6_spares_the_discard() -> None:
    state = position(["2C", "7S 2D 3D 9C 9D TH"], table="2H", deck="AS 2S")
    state.sets[1] = (mask("7C 7D 7H"),)
    state.laid[1] = mask("7C 7D 7H")
    state.addable[1] = mask("7S")
    play(state, "1 draw deck", "1 add 7S")
    assert legal_texts(state) == ["end"]


def test_an_empty_hand_does_not_end_the_round() -> None:
    state = position(["2C", "7C 7D 7H 9C 9D 9H"], table="9S", deck="AS 2S 3S 4S 5S 6S 7S 8S KC")
    play(state, "1 draw 9S", "1 set 7C 7D 7H", "1 set 9C 9D 9H 9S")
    assert state.observation(1).hand == ()
    assert legal_texts(state) == ["end"]
    play(state, "1 end")
    assert state.current_player() == 0
    state.hands[0] = mask("2C 3C 4C 5C 6C 8C")
    play(state, "0 draw deck", "0 discard AS")
    assert state.current_player() == 1
    for _ in range(7):
        play(state, "1 draw deck")
    assert len(state.observation(1).hand) == 7


def test_sets_of_a_number_are_three_or_four_cards() -> None:
    assert sets_of("7C 7D 2H 3S 4C 9D TD") == set()
    assert sets_of("7C 7D 7H 3S 4C 9D TD") == {"7C 7D 7H"}
    four = {"7C 7D 7H", "7C 7D 7S", "7C 7H 7S", "7D 7H 7S", "7C 7D 7H 7S"}
    assert sets_of("7C 7D 7H 7S 4C 9D TD") == four
    assert sets_of("7C 7D 7H 7S KC KD KH") == four | {"KC KD KH"}
    assert sets_of("AC AD AS QH QS QC 4D") == {"AC AD AS", "QC QH QS"}


def test_runs_are_exactly_five_cards_of_a_suit() -> None:
    assert sets_of("3H 4H 5H 6H 8H 9H TH") == set()
    assert sets_of("3H 4H 5H 6H 7D 9H TH") == set()
    assert sets_of("3H 4H 5H 6H 7H 9H KC") == {"3H 4H 5H 6H 7H"}
    assert sets_of("3H 4H 5H 6H 7H 8H 9H") == {
        "3H 4H 5H 6H 7H",
        "4H 5H 6H 7H 8H",
        "5H 6H 7H 8H 9H",
    }
    state = position(["", "3H 4H 5H 6H 7H 8H"], table="9H", deck="KS")
    play(state, "1 draw 9H")
    for text in ("set 3H 4H 5H 6H 7H 8H", "set 3H 4H 5H 6H", "set 3H 4H 5H", "set 3H 3H 3H"):
        with pytest.raises(ActionError, match="a set is 3 or 4 cards of a number, or 5 of a suit"):
            play(state, f"1 {text}")
    with pytest.raises(ActionError, match="2H is not in the hand"):
        play(state, "1 set 2H 3H 4H 5H 6H")
    with pytest.raises(ActionError, match="7C 7D are not in the hand"):
        play(state, "1 set 7C 7D 7H")


def test_ace_is_low() -> None:
    assert sets_of("AS 2S 3S 4S 5S 9D KD") == {"AS 2S 3S 4S 5S"}
    assert sets_of("9S TS QS KS AS 3D KD", gap="closed") == set()
    assert sets_of("TS QS KS AS 2S 3S 4D", gap="closed") == set()


def test_10_and_queen_are_neighbours_unless_the_gap_is_open() -> None:
    assert sets_of("8S 9S TS QS KS 2D 3D") == {"8S 9S TS QS KS"}
    assert sets_of("7S 8S 9S TS QS 2D 3D") == {"7S 8S 9S TS QS"}
    assert sets_of("8S 9S TS QS KS 2D 3D", gap="open") == set()
    assert sets_of("7S 8S 9S TS QS 2D 3D", gap="open") == set()
    assert sets_of("6S 7S 8S 9S TS QS KS") == {
        "6S 7S 8S 9S TS",
        "7S 8S 9S TS QS",
        "8S 9S TS QS KS",
    }
    assert sets_of("6S 7S 8S 9S TS QS KS", gap="open") == {"6S 7S 8S 9S TS"}
    state = position(["", "8S 9S TS QS 2D 3D"], table="KS", deck="KD", gap="open")
    play(state, "1 draw KS")
    with pytest.raises(ActionError, match="10 and Queen are no neighbours with gap=open"):
        play(state, "1 set 8S 9S TS QS KS")


def test_the_owner_adds_the_fourth_card_to_a_three() -> None:
    state = position(["2C 3C 4C 5D 6D 8D", "7C 7D 7H 7S 2D 3D"], table="9H", deck="AS 2S 3S KS KH")
    play(state, "1 draw deck", "1 set 7C 7H 7D")
    # In the same turn too, and the fourth card counts in the set.
    same = play(state.clone(), "1 add 7S")
    assert laid(same, 1) == ["7C 7D 7H 7S"]
    assert legal_texts(same) == ["end"]
    play(state, "1 end")
    play(state, "0 draw deck", "0 discard 2C", "1 draw deck", "1 draw 9H", "1 draw 2C")
    assert "add 7S" in legal_texts(state)
    play(state, "1 add 7S")
    assert laid(state, 1) == ["7C 7D 7H 7S"]


def test_nobody_plays_on_anothers_sets() -> None:
    state = position(["7S 3C 4C 5D 6D 8D", "7C 7D 7H 9S 2D 3D"], table="9H", deck="AS 2S 3S KS")
    play(state, "1 draw deck", "1 set 7C 7H 7D", "1 end", "0 draw deck")
    assert "add 7S" not in legal_texts(state)
    with pytest.raises(ActionError, match="you have laid no three of that number"):
        play(state, "0 add 7S")


def test_runs_and_fours_are_never_extended() -> None:
    state = position(["2C", "3H 4H 5H 6H 7H 8H"], table="2H", deck="AS 2S")
    play(state, "1 draw 2H", "1 set 3H 4H 5H 6H 7H")
    assert legal_texts(state) == ["end"]
    for text in ("add 8H", "add 2H"):
        with pytest.raises(ActionError, match="you have laid no three of that number"):
            play(state, f"1 {text}")


def test_sets_are_never_rearranged() -> None:
    state = position(["2C", "7C 7D 7H 8H 9H TH"], table="6H", deck="AS 2S")
    play(state, "1 draw 6H", "1 set 7C 7D 7H")
    with pytest.raises(ActionError, match="7H is not in the hand"):
        play(state, "1 set 6H 7H 8H 9H TH")


def test_the_round_ends_with_the_turn_in_which_the_last_card_was_drawn() -> None:
    state = position(["2C", "3C 4C 5D 6D 7H 8H"], table="", deck="AS", rounds=1)
    play(state, "1 draw deck")
    # With 7 in hand there is no discard in that turn.
    assert state.observation(1).last_turn
    assert legal_texts(state) == ["end"]
    with pytest.raises(ActionError, match="nothing is discarded on the last turn"):
        play(state, "1 discard AS")
    play(state, "1 end")
    assert state.is_terminal()
    assert state.scores() == [-10, -70]


def test_sets_are_laid_on_the_last_turn_too() -> None:
    state = position(["2C", "7C 7D 7H 6D 8H"], table="7S", deck="", rounds=1, jacks="SH")
    play(state, "1 draw 7S")
    assert legal_texts(state)[0] == "end"
    play(state, "1 set 7C 7D 7H", "1 add 7S", "1 end")
    assert state.scores() == [-10, 40 + 10 - 20]


def test_the_table_must_be_empty_too() -> None:
    state = position(["2C", "3C 4C 5D 6D 7H 8H"], table="9H", deck="AS", rounds=1)
    play(state, "1 draw deck")
    assert not state.observation(1).last_turn
    assert "end" not in legal_texts(state)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_2n_quiet_turns_running_end_the_round(players: int) -> None:
    hands = ["2C 3C 4C 5D 6D 8D", "AC AD 9C 5H 6H 8H", "2S 4H 9D TC TD QS", "3D 5S 6S KC QC QD"]
    state = position(hands[:players], table="9H TH", deck="AS 2H 3S", rounds=1)
    play(state, "1 draw deck", "1 discard AS")
    turn = 2 % players
    for quiet in range(2 * players):
        assert not state.is_terminal()
        assert state.observation(0).quiet_turns == quiet
        play(state, f"{turn} draw 9H", f"{turn} discard 9H")
        turn = (turn + 1) % players
    assert state.is_terminal()


def quiet_but_last() -> WorkOfAngels:
    """Three quiet turns of two players have gone, the fourth is seat 0's."""
    hands = ["7C 7D 7H 5D 6D 8D", "AC AD 9C 5H 6H 8H"]
    state = position(hands, table="9H TH", deck="AS 2H 3S 4S 5S", rounds=1)
    play(state, "1 draw 9H", "1 discard 9H")
    play(state, "0 draw 9H", "0 discard 9H", "1 draw 9H", "1 discard 9H")
    assert state.observation(0).quiet_turns == 3
    return state


def test_a_draw_from_the_deck_a_set_or_an_addition_breaks_the_quiet() -> None:
    assert play(quiet_but_last(), "0 draw TH", "0 discard TH").is_terminal()
    drawn = play(quiet_but_last(), "0 draw deck", "0 discard AS")
    assert drawn.observation(0).quiet_turns == 0
    with_set = play(quiet_but_last(), "0 draw 9H", "0 set 7C 7D 7H", "0 end")
    assert with_set.observation(0).quiet_turns == 0
    adding = quiet_but_last()
    adding.addable[0], adding.sets[0] = mask("8D"), (mask("8C 8H 8S"),)
    play(adding, "0 draw 9H", "0 add 8D", "0 end")
    assert adding.observation(0).quiet_turns == 0
    assert not adding.is_terminal()


def test_the_quiet_turns_of_a_round_do_not_count_in_the_next() -> None:
    state = play(quiet_but_last(), "0 draw TH", "0 discard TH")
    assert state.observation(0).quiet_turns == 4
    longer = WorkOfAngels(2, rounds=2)
    longer.deal(Random(1))
    longer.quiet = 3
    longer._finish()
    longer.deal(Random(2))
    assert longer.observation(0).quiet_turns == 0


def scored(sets: list[str], hand: str, jack: str) -> int:
    state = position(["2C", hand], table="", deck="", jacks="C" + jack)
    state.laid[1] = mask(" ".join(sets))
    return state.round_scores()[1]


def test_score() -> None:
    assert scored([], "", "H") == 0
    # 10 for ace to 10, 20 for queen and king.
    assert scored(["AC AD AS"], "", "H") == 30
    assert scored(["TC TD TS"], "", "H") == 30
    assert scored(["QC QD QS"], "", "H") == 60
    assert scored(["KC KD KS"], "", "H") == 60
    # Doubled for the suit of the Jack.
    assert scored(["AC AD AH"], "", "H") == 40
    assert scored(["QC QD QH"], "", "H") == 80
    assert scored(["9H TH QH KH 8H"], "", "H") == 140
    assert scored(["9H TH QH KH 8H"], "", "S") == 70
    assert scored(["7C 7D 7H 7S", "KC KD KH"], "", "D") == 50 + 80
    # Less what is left in the hand, which is never doubled.
    assert scored([], "AH 9H TC", "H") == -30
    assert scored([], "QH KH", "H") == -40
    assert scored(["AC AD AH"], "KH 2C", "H") == 40 - 30


class Scored(WorkOfAngels):
    """Rounds with given scores."""

    given: list[list[int]]

    def round_scores(self) -> list[int]:
        return self.given[len(self.past)]


def ended(*given: list[int], **options: object) -> WorkOfAngels:
    """A game after rounds with these scores."""
    state = Scored(len(given[0]), **options)
    state.given = list(given)
    for number in range(len(given)):
        assert state.is_chance_node()
        state.deal(Random(number))
        state._finish()
    return state


def test_the_highest_total_wins_once_somebody_has_the_target() -> None:
    assert ended([490, 100]).is_chance_node()
    assert ended([250, 100], [240, 0]).is_chance_node()
    state = ended([250, 100], [250, 400])
    assert state.scores() == [500, 500]
    assert state.is_chance_node()
    state = ended([250, 100], [250, 410])
    assert state.is_terminal()
    assert state.winners() == [1]
    assert ended([500, 100, 20]).winners() == [0]
    # The target is reached at a round's end, not before it.
    assert ended([510, 20], target=520).is_chance_node()
    assert ended([510, 20], target=510).winners() == [0]


def test_equal_at_the_top_another_round_is_played() -> None:
    tied = ([300, 300, 0], [250, 250, 100])
    assert ended(*tied).is_chance_node()
    state = ended(*tied, [-60, -70, 10])
    assert state.scores() == [490, 480, 110]
    # Nobody has 500 any more, so the game goes on.
    assert state.is_chance_node()
    assert ended(*tied, [-10, -20, 0]).winners() == [0]
    # Equals below the top do not matter.
    assert ended([200, 200, 500]).winners() == [2]


def test_after_20_rounds_the_highest_total_wins_in_any_case_and_equals_share() -> None:
    assert WorkOfAngels(2).options["rounds"] == 20
    assert ended(*[[1, 2]] * 19).is_chance_node()
    assert ended(*[[1, 2]] * 20).winners() == [1]
    shared = ended(*[[2, 1, 2]] * 20)
    assert shared.winners() == [0, 2]
    assert shared.returns() == [0.25, -0.5, 0.25]
    assert ended([500, 500], rounds=1).winners() == [0, 1]
    assert ended([-10, -20], [0, 0], rounds=2).winners() == [0]


def test_jacks_are_dealt_anew_each_round_and_shown_at_its_end() -> None:
    state = ended([10, 20, 0], [0, 5, 10])
    first, second = (past.deal.jacks for past in state.past)
    assert first != second
    for seat in range(3):
        seen = state.observation(seat)
        assert [result.jacks for result in seen.results] == [first, second]
        assert [result.scores for result in seen.results] == [(10, 20, 0), (0, 5, 10)]
        string = state.information_state_string(seat)
        for jacks in (first, second):
            assert "jacks " + " ".join(SUITS[jack] for jack in jacks) in string


def test_the_dealer_moves_one_seat_a_round_and_the_seat_after_begins() -> None:
    state = WorkOfAngels(3)
    for number in range(7):
        state.deal(Random(number))
        assert state.observation(0).dealer == number % 3
        assert state.current_player() == (number + 1) % 3
        state._finish()
        rounds = state.snapshot()["rounds"]
        assert rounds[number]["dealer"] == number % 3


def test_what_is_drawn_from_the_deck_is_hidden_and_from_the_table_known() -> None:
    state = deal(
        ["2C 3C 4C 5D 6D 8D", "AC AD 9C 5H 6H 8H", "2S 4H 9D TC TD QS"], "9H TH KH", "AS 2H 3S"
    )
    play(state, "1 draw deck", "1 discard AC", "2 draw AC", "2 discard TC")
    assert "1 draw deck AS" in state.information_state_string(1)
    for other in (0, 2):
        assert "AS" not in state.information_state_string(other)
    assert [names(cards) for cards in state.observation(0).known] == ["", "", "AC"]
    rng = Random(1)
    drawn: Counter[str] = Counter()
    for _ in range(200):
        world = state.resample_from_infostate(0, rng)
        assert world.hands[2] & mask("AC")
        assert world.hands[0] == state.hands[0]
        assert not world.hands[1] & mask("AC TC 9H TH KH")
        # The card that seat 1 gave up was dealt to it, or it was the one that it drew.
        (dealt,) = world.snapshot()["rounds"]
        assert "AC" in dealt["hands"][1] or dealt["deck"][0] == "AC"
        drawn[dealt["deck"][0]] += 1
    assert len(drawn) > 15
    mine = state.resample_from_infostate(1, rng)
    assert names(mine.observation(1).hand) == names(state.observation(1).hand)
    assert mine.snapshot()["rounds"][0]["deck"][0] == "AS"
    # The card is no longer known once it is laid or discarded.
    play(state, "0 draw 9H", "0 discard 9H", "1 draw TC", "1 discard TC", "2 draw 9H")
    assert names(state.observation(0).known[2]) == "AC 9H"
    play(state, "2 discard AC")
    assert [names(cards) for cards in state.observation(0).known] == ["", "", "9H"]


def test_worlds_are_as_likely_as_the_cards() -> None:
    """Each unseen card is as often in another's hand as any other."""
    state = deal(["2C 3C 4C 5D 6D 8D", "AC AD 9C 5H 6H 8H"], "9H TH KH", "AS 2H 3S")
    play(state, "1 draw deck", "1 discard AC", "0 draw deck", "0 discard 2C")
    rng = Random(3)
    count: Counter[int] = Counter()
    for _ in range(4000):
        count.update(cards_of(state.resample_from_infostate(0, rng).hands[1]))
    seen = state.hands[0] | state.table
    unseen = [card for card in range(48) if not seen >> card & 1]
    assert set(count) == set(unseen)
    expected = 4000 * 6 / len(unseen)
    assert all(abs(count[card] - expected) < 5 * expected**0.5 for card in unseen)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"dealer": 1}, "round 1, dealer: expected 0, found 1"),
        ({"jacks": ["H", "H"]}, "round 1, jacks: two seats have the same"),
        ({"jacks": ["H", "J"]}, 'round 1, jacks: expected a card such as C, found "J"'),
        ({"table": ["AC", "AD"]}, "round 1, table: expected 3 entries, found 2"),
        ({"table": ["AC", "AD", "JH"]}, 'round 1, table: expected a card such as AC, found "JH"'),
        ({"table": ["2C", "2C", "3C"]}, "round 1: .. is there twice"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_deals_that_are_none(change: dict[str, object], told: str) -> None:
    state = WorkOfAngels(2)
    state.deal(Random(1))
    (dealt,) = state.snapshot()["rounds"]
    with pytest.raises(RecordError, match=told):
        WorkOfAngels(2).deal_record(dealt | change, "round 1")
