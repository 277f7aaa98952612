"""abdiel openings."""

from __future__ import annotations

import contextlib
import sys
import time
from itertools import islice
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from abdiel.board import find_variant
from abdiel.commands.arguments import WholeNumber
from abdiel.engine import Limits
from abdiel.match.book import (
    DEFAULT_NODES,
    DEFAULT_PLIES,
    DEFAULT_WINDOW,
    balanced_positions,
)

MOST = 10**6


@click.command("openings", short_help="Make balanced openings for matches.")
@click.argument("variant")
@click.option(
    "--count", type=WholeNumber(1, MOST), default=500, show_default=True, help="How many positions."
)
@click.option(
    "--plies",
    metavar="LO-HI",
    default="{}-{}".format(*DEFAULT_PLIES),
    show_default=True,
    help="Random half-moves from the start.",
)
@click.option(
    "--window",
    type=WholeNumber(0, MOST),
    metavar="CP",
    default=DEFAULT_WINDOW,
    show_default=True,
    help="Most centipawns by which White may stand better or worse than at the start.",
)
@click.option(
    "--nodes",
    type=WholeNumber(1, 10**12),
    help=f"Nodes of each search.  [default: {DEFAULT_NODES}]",
)
@click.option("--depth", type=WholeNumber(1, 64), help="Depth of each search instead of nodes.")
@click.option(
    "--seed",
    type=WholeNumber(-(10**18), 10**18),
    default=1,
    show_default=True,
    help="The same seed makes the same set.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write here instead of standard output.",
)
def command(
    variant: str,
    count: int,
    plies: str,
    window: int,
    nodes: int | None,
    depth: int | None,
    seed: int,
    out: Path | None,
) -> None:
    """Make a set of balanced openings, as EPD, for matches of one VARIANT.

    VARIANT is a game's name as UCI_Variant has it, such as capablanca.
    """
    if nodes is not None and depth is not None:
        raise ValueError("--nodes and --depth exclude one another: give one of them")
    board_class = find_variant(variant)
    limits = Limits(depth=depth) if depth is not None else Limits(nodes=nodes or DEFAULT_NODES)
    positions = balanced_positions(
        board_class, plies=_parse_plies(plies), window=window, limits=limits, seed=seed
    )
    console = Console(stderr=True)
    start = time.perf_counter()
    with contextlib.ExitStack() as stack:
        file = sys.stdout if out is None else stack.enter_context(out.open("w", encoding="utf-8"))
        progress = stack.enter_context(
            Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("of {task.fields[tried]} tried"),
                TimeRemainingColumn(),
                console=console,
                # Lines that go to the same terminal would run into the bar.
                disable=not console.is_terminal or (out is None and sys.stdout.isatty()),
            )
        )
        task = progress.add_task(board_class.variant.title, total=count, tried=0)
        for position in islice(positions, count):
            print(position.epd, file=file, flush=True)
            progress.update(task, advance=1, tried=position.tried)
    seconds = time.perf_counter() - start
    print(f"{count} positions of {position.tried} tried, {seconds:.1f} s", file=sys.stderr)


def _parse_plies(text: str) -> tuple[int, int]:
    low, dash, high = text.partition("-")
    if not low.isdecimal() or (dash and not high.isdecimal()):
        raise ValueError(f"--plies takes two numbers such as 6-10, or one, found {text!r}")
    return int(low), int(high or low)
