"""abdiel bench."""

from __future__ import annotations

from typing import Annotated

import typer

from abdiel.bench import DEFAULT_DEPTH, MAX_DEPTH, run_bench


def bench(
    depth: Annotated[
        int, typer.Option(min=1, max=MAX_DEPTH, help="Half-moves to which each is searched.")
    ] = DEFAULT_DEPTH,
) -> None:
    """Search a fixed set of positions; the node count is the same on every run and machine."""

    def on_position(variant: str, fen: str, nodes: int) -> None:
        print(f"{nodes:>10}  {variant:<16} {fen}", flush=True)

    nodes, seconds = run_bench(depth, on_position)
    print(f"{nodes} nodes, {seconds:.3f} s, {round(nodes / max(seconds, 1e-9))} nodes/s")
