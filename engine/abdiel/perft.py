"""Counting the ways to play on, move by move: how move generators are compared and checked."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from abdiel.board import Board
    from abdiel.core.position import Position
    from abdiel.moves import Move

MAX_DEPTH = 99

# The core counts so many half-moves in one go, mostly within milliseconds.
_AT_ONCE = 4


def divide(
    board: Board,
    depth: int,
    on_move: Callable[[Move, int], None],
    should_stop: Callable[[], bool] = lambda: False,
) -> int:
    """Count the ways to play `depth` half-moves, telling `on_move` each first move's share.

    Soon after `should_stop` says yes, which it is asked often, it ends with the count so far; the
    move that was being counted is not told. Raises ValueError for a depth beyond 0 to MAX_DEPTH.
    """
    if not 0 <= depth <= MAX_DEPTH:
        raise ValueError(f"depth must be from 0 to {MAX_DEPTH}, not {depth}")
    if depth == 0:
        return 1
    total = 0
    position = board._position.copy()
    for move in position.legal_moves():
        position.make(move)
        count, complete = _count(position, depth - 1, should_stop)
        position.unmake()
        total += count
        if not complete:
            break
        on_move(board._from_core(move), count)
    return total


def _count(position: Position, depth: int, should_stop: Callable[[], bool]) -> tuple[int, bool]:
    """The ways, and whether they are all of them."""
    if should_stop():
        return 0, False
    if depth <= _AT_ONCE:
        try:
            return position.perft(depth, should_stop), True
        except InterruptedError:
            return 0, False
    total = 0
    for move in position.legal_moves():
        position.make(move)
        count, complete = _count(position, depth - 1, should_stop)
        position.unmake()
        total += count
        if not complete:
            return total, False
    return total, True
