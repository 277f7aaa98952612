"""abdiel perft."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from abdiel.commands.arguments import DEFAULT_VARIANT, Fen, Variant, make_board
from abdiel.perft import divide as count_by_move

if TYPE_CHECKING:
    from abdiel.moves import Move


def perft(
    depth: Annotated[int, typer.Argument(min=0, help="Half-moves.")],
    variant: Variant = DEFAULT_VARIANT,
    fen: Fen = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show each first move's share.")] = False,
) -> None:
    """Count the ways to play DEPTH half-moves, and how fast."""

    def on_move(move: Move, count: int) -> None:
        print(f"{move.uci()}: {count}", flush=True)

    board = make_board(variant, fen)
    start = time.perf_counter()
    nodes = count_by_move(board, depth, on_move) if divide else board.perft(depth)
    seconds = time.perf_counter() - start
    print(f"{nodes} nodes, {seconds:.3f} s, {round(nodes / max(seconds, 1e-9))} nodes/s")
