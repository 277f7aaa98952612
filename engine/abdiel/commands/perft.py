"""abdiel perft."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from abdiel.commands.arguments import WholeNumber, fen_option, make_board, variant_option
from abdiel.perft import MAX_DEPTH, divide

if TYPE_CHECKING:
    from abdiel.moves import Move


@click.command("perft", short_help="Count the ways to play so many half-moves.")
@click.argument("depth", type=WholeNumber(0, MAX_DEPTH))
@variant_option
@fen_option
@click.option("--divide", "divided", is_flag=True, help="Show each first move's share.")
def command(depth: int, variant: str, fen: str | None, divided: bool) -> None:
    """Count the ways to play DEPTH half-moves, and how fast."""

    def on_move(move: Move, count: int) -> None:
        print(f"{move.uci()}: {count}", flush=True)

    board = make_board(variant, fen)
    start = time.perf_counter()
    nodes = divide(board, depth, on_move) if divided else board.perft(depth)
    seconds = time.perf_counter() - start
    print(f"{nodes} nodes, {seconds:.3f} s, {round(nodes / max(seconds, 1e-9))} nodes/s")
