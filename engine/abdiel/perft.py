"""Counting the ways to play on, move by move: how move generators are compared and checked."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from abdiel.board import Board
    from abdiel.moves import Move


def divide(board: Board, depth: int, on_move: Callable[[Move, int], bool]) -> int:
    """Count the ways to play `depth` half-moves, telling `on_move` each first move's share.

    Ends early, with the count so far, when `on_move` returns False.
    """
    if depth == 0:
        return 1
    total = 0
    board = board.copy()
    for move in list(board.legal_moves):
        board.push(move)
        count = board.perft(depth - 1)
        board.pop()
        total += count
        if not on_move(move, count):
            break
    return total
