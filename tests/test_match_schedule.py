"""Who plays whom, with which opening and colours."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abdiel.match.schedule import GAUNTLET, ROUND_ROBIN, Schedule, pairings


@given(st.integers(2, 12))
def test_round_robin_is_each_against_each_once(engines: int) -> None:
    found = pairings(engines, ROUND_ROBIN)
    assert sorted(found) == list(combinations(range(engines), 2))


def test_a_gauntlet_is_some_against_the_rest() -> None:
    assert pairings(4, GAUNTLET) == [(0, 1), (0, 2), (0, 3)]
    assert pairings(4, GAUNTLET, 2) == [(0, 2), (0, 3), (1, 2), (1, 3)]


@pytest.mark.parametrize(("engines", "seeds"), [(1, 1), (0, 1), (3, 3)])
def test_what_is_no_tournament(engines: int, seeds: int) -> None:
    with pytest.raises(ValueError, match="engines"):
        pairings(engines, GAUNTLET, seeds)


def test_two_engines_play_each_opening_with_both_colours() -> None:
    slots = list(Schedule([(0, 1)], rounds=3))
    assert [slot.number for slot in slots] == list(range(6))
    assert [(slot.white, slot.black) for slot in slots] == [(0, 1), (1, 0)] * 3
    assert [slot.opening for slot in slots] == [0, 0, 1, 1, 2, 2]
    assert [slot.pair for slot in slots] == [0, 0, 1, 1, 2, 2]
    assert [slot.round for slot in slots] == [1, 1, 2, 2, 3, 3]


@given(
    st.integers(2, 6),
    st.integers(1, 4),
    st.integers(1, 9),
    st.integers(1, 9),
)
def test_laws(engines: int, rounds: int, games: int, repeat: int) -> None:
    encounters = pairings(engines, ROUND_ROBIN)
    schedule = Schedule(encounters, rounds, games, repeat)
    slots = list(schedule)
    assert len(slots) == len(schedule) == len(encounters) * rounds * games
    assert [schedule.slot(slot.number) for slot in slots] == slots
    # A longer match begins with the same games.
    assert list(Schedule(encounters, rounds + 1, games, repeat))[: len(slots)] == slots
    # Openings come in order, none is left out.
    openings = [slot.opening for slot in slots]
    assert openings == sorted(openings)
    assert set(openings) == set(range(openings[-1] + 1))
    assert max(Counter(openings).values()) <= repeat
    # A pair is two games of the same engines and opening with both colours.
    pairs: dict[int, list[int]] = {}
    for slot in slots:
        assert slot.first == min(slot.white, slot.black)
        if slot.pair is not None:
            pairs.setdefault(slot.pair, []).append(slot.number)
    assert list(pairs) == list(range(len(pairs)))
    for numbers in pairs.values():
        one, other = (slots[number] for number in numbers)
        assert (one.white, one.black) == (other.black, other.white)
        assert one.opening == other.opening
    # No game is left out of the pairs that could be in one.
    by_opening = Counter(openings)
    assert sum(count // 2 for count in by_opening.values()) == len(pairs)
