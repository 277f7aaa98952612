"""Making sets of openings: random moves from the start, kept where a search finds a balance.

Balance means: about as good for White as the start itself. The armies of Angels and Devils
differ, so that 0 is not the measure; in the other games the start is near 0 anyway.

The shipped sets, data/*.epd, were made with the default arguments and seed 1, 500 lines each.
Cute Chess reads them: it takes EPD's four fields and passes over the operations.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from abdiel.engine import EXACT, Engine, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abdiel.board import Board
    from abdiel.engine import Info

DEFAULT_PLIES = (6, 10)
DEFAULT_WINDOW = 40
DEFAULT_NODES = 50_000
MAX_PLIES = 100

# So many lines in a row, and so many of them searched, may bring nothing before it gives up.
_PATIENCE = 10_000
_SEARCHED_PATIENCE = 2_000
_HASH_MB = 2


class BookPosition(NamedTuple):
    """A position of a set.

    - `epd`: its EPD with `ce` (centipawns as the side to move sees them), `fmvn` and `hmvc`.
    - `balance`: centipawns by which White stands better than at the start.
    - `tried`: how many random lines were played until it was found, from the first.
    """

    epd: str
    balance: int
    tried: int


def balanced_positions(
    board_class: type[Board],
    *,
    plies: tuple[int, int] = DEFAULT_PLIES,
    window: int = DEFAULT_WINDOW,
    limits: Limits | None = None,
    seed: int = 0,
) -> Iterator[BookPosition]:
    """Yield different positions without end; the same arguments yield the same ones.

    Each comes from `plies` (fewest, most) random moves and is at most `window` centipawns
    better or worse for White than the start, as searches with `limits` (depth or nodes) see
    them. Positions in check are left out. A position that two orders of moves reach comes once.

    Raises `ValueError` for bad arguments, and when too long nothing new is found.
    """
    fewest, most = plies
    if not 0 <= fewest <= most <= MAX_PLIES:
        raise ValueError(
            f"plies: found {fewest} to {most}, expected two rising numbers 0 to {MAX_PLIES}"
        )
    if window < 0:
        raise ValueError(f"window: found {window}, expected 0 or more centipawns")
    limits = limits or Limits(nodes=DEFAULT_NODES)
    return _balanced_positions(board_class, fewest, most, window, limits, random.Random(seed))


def _balanced_positions(
    board_class: type[Board],
    fewest: int,
    most: int,
    window: int,
    limits: Limits,
    rng: random.Random,
) -> Iterator[BookPosition]:
    seen: set[str] = set()
    tried = found = searched = fruitless = 0
    with Engine(_HASH_MB) as engine:
        start = _score(engine, board_class(), limits)
        if start is None:
            raise ValueError("limits: the search of the start ends without a score, expected more")
        while fruitless < _PATIENCE and searched < _SEARCHED_PATIENCE:
            tried += 1
            fruitless += 1
            board = _random_line(board_class, rng.randint(fewest, most), rng)
            # EPD's four fields are what makes two positions the same by the rules.
            fields = board.epd()
            if fields in seen:
                continue
            seen.add(fields)
            if board.is_game_over() or board.is_check():
                continue
            searched += 1
            score = _score(engine, board, limits)
            if score is None:
                continue
            balance = (score if board.turn else -score) - start
            if abs(balance) > window:
                continue
            found += 1
            searched = fruitless = 0
            epd = board.epd(ce=score, fmvn=board.fullmove_number, hmvc=board.halfmove_clock)
            yield BookPosition(epd, balance, tried)
    raise ValueError(
        f"found {found} positions, then none that is new and balanced in {fruitless} tries:"
        " expected a wider window or more plies"
    )


def _random_line(board_class: type[Board], plies: int, rng: random.Random) -> Board:
    board = board_class()
    for _ in range(plies):
        # Sorted, so that a set does not depend on the order in which the core makes moves.
        moves = sorted(board.legal_moves, key=board.uci)
        if not moves:
            break
        board.push(rng.choice(moves))
    return board


def _score(engine: Engine, board: Board, limits: Limits) -> int | None:
    """Centipawns as the side to move sees them, None for a mate or no score at all."""
    reports: list[Info] = []
    engine.new_game()
    engine.start(board, limits, on_info=reports.append)
    engine.wait()
    exact = [info for info in reports if info.bound == EXACT]
    return exact[-1].score if exact else None
