"""abdiel bench."""

from __future__ import annotations

import click

from abdiel.bench import DEFAULT_DEPTH, MAX_DEPTH, run_bench
from abdiel.commands.arguments import WholeNumber


@click.command("bench", short_help="Search a fixed set of positions and count the nodes.")
@click.option(
    "--depth",
    type=WholeNumber(1, MAX_DEPTH),
    default=DEFAULT_DEPTH,
    show_default=True,
    help="Half-moves to which each is searched.",
)
def command(depth: int) -> None:
    """Search a fixed set of positions; the node count is the same on every run and machine."""

    def on_position(variant: str, fen: str, nodes: int) -> None:
        print(f"{nodes:>10}  {variant:<16} {fen}", flush=True)

    nodes, seconds = run_bench(depth, on_position)
    print(f"{nodes} nodes, {seconds:.3f} s, {round(nodes / max(seconds, 1e-9))} nodes/s")
