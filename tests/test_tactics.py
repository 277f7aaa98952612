"""The tactical suite: its records are true, and the engine solves as many as it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from tactics import (
    HASH_MB,
    LONGEST,
    MARGIN,
    NODES,
    NOT_WINNING,
    THEMES,
    WINNING,
    Tactic,
    features,
    is_solved,
    mates_within,
    plain_mates_within,
    read_known_mates,
    read_suite,
)

from abdiel import BLACK, WHITE
from abdiel.engine import Engine

KNOWN_MATES = read_known_mates()
SUITE = read_suite()

# Solved at the last count; whoever makes the engine better raises them.
KNOWN_MATES_FLOOR = 39
SUITE_FLOOR = 63

LEAST_OF_A_THEME = 8
PLAIN_MOVES = 2  # a plain solver takes long for more

by_name = pytest.mark.parametrize("tactic", SUITE, ids=lambda tactic: tactic.name)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(HASH_MB) as engine:
        yield engine


def test_the_suite_is_large_and_balanced() -> None:
    assert len(KNOWN_MATES) == 40
    assert len(SUITE) >= 60
    assert len({tactic.name for tactic in SUITE}) == len(SUITE)
    known = {tactic.board.epd() for tactic in KNOWN_MATES}
    assert len(known | {tactic.board.epd() for tactic in SUITE}) == 40 + len(SUITE)
    themes = Counter(tactic.theme for tactic in SUITE)
    assert set(themes) == set(THEMES)
    assert min(themes.values()) >= LEAST_OF_A_THEME
    sides = Counter((tactic.theme, tactic.board.turn) for tactic in SUITE)
    for theme in THEMES:
        for turn in (WHITE, BLACK):
            # Only White promotes to an Angel, only Black to a Devil.
            if (theme, turn) not in (("angel", BLACK), ("devil", WHITE)):
                assert sides[theme, turn] >= themes[theme] // 3, (theme, turn)


@by_name
def test_the_record_is_true(tactic: Tactic) -> None:
    board = tactic.board
    assert not board.is_game_over()
    assert tactic.key in board.legal_moves
    true = features(board, tactic.key) | ({"mate"} if tactic.mate else set())
    assert tactic.themes == true
    assert tactic.theme in true
    assert tactic.line[0] == tactic.key
    end = board.copy()
    for move in tactic.line:
        assert not end.is_game_over()
        end.push(move)
    if tactic.mate:
        assert 2 <= tactic.mate <= LONGEST
        assert len(tactic.line) == 2 * tactic.mate - 1
        assert end.is_checkmate()
    else:
        best, rival = tactic.operations["ce"], tactic.operations["rival"]
        assert best >= WINNING
        assert rival <= NOT_WINNING
        assert best - rival >= MARGIN
        assert len(tactic.line) > 1


@pytest.mark.parametrize(
    "tactic", [tactic for tactic in SUITE if tactic.mate], ids=lambda tactic: tactic.name
)
def test_the_mate_is_proven_again(tactic: Tactic, engine: Engine) -> None:
    """Only the key mates at that length, and nothing does sooner; `go mate` prunes nothing."""
    assert tactic.mate
    if tactic.mate > 3:  # the uniqueness of longer ones is for `make_tactics.py prove`
        assert mates_within(engine, tactic.board, tactic.mate, (tactic.key,)) == tactic.mate
        return
    others = tuple(move for move in tactic.board.legal_moves if move != tactic.key)
    assert mates_within(engine, tactic.board, tactic.mate, (tactic.key,)) == tactic.mate
    assert mates_within(engine, tactic.board, tactic.mate, others) is None
    if tactic.mate <= PLAIN_MOVES:
        assert plain_mates_within(tactic.board, tactic.mate, (tactic.key,))
        assert not plain_mates_within(tactic.board, tactic.mate - 1, (tactic.key,))
        assert not plain_mates_within(tactic.board, tactic.mate, others)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tactics", "floor"),
    [
        pytest.param(KNOWN_MATES, KNOWN_MATES_FLOOR, id="known mates"),
        pytest.param(SUITE, SUITE_FLOOR, id="suite"),
    ],
)
def test_as_many_are_solved_as_before(tactics: list[Tactic], floor: int, engine: Engine) -> None:
    """A guard: at 200,000 nodes each, mates at their exact length. Prints what is missed."""
    missed = [tactic for tactic in tactics if not is_solved(engine, tactic, NODES)]
    solved = len(tactics) - len(missed)
    table = "\n".join(
        f"{tactic.name:10} {tactic.board.san(tactic.key):8} {tactic.board.epd()}"
        for tactic in missed
    )
    assert solved >= floor, f"{solved} of {len(tactics)} solved, expected {floor}:\n{table}"
