"""Tells people what came of a simulation: tables that fit 80 columns."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from abdiel.cards.tally import Line, Tally

_COLUMNS = ("games", "mean score", "wins", "share", "95 % interval")


def _row(line: Line) -> tuple[str, ...]:
    error = "" if isnan(line.score_error) else f" ± {line.score_error:.1f}"
    return (
        str(line.games),
        f"{line.score:.1f}{error}",
        f"{line.wins:.1f}".removesuffix(".0"),
        f"{line.share:.1%}",
        f"{line.low:.1%} to {line.high:.1%}",
    )


def _table(first: str, rows: Sequence[tuple[str, Line]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(first, overflow="fold")
    for column in _COLUMNS:
        table.add_column(column, justify="right", no_wrap=True)
    for name, line in rows:
        table.add_row(name, *_row(line))
    return table


def _span(values: Sequence[int]) -> str:
    mean = sum(values) / len(values)
    return f"{mean:.1f} ({min(values)} to {max(values)})"


def print_tally(console: Console, tally: Tally) -> None:
    """Print what players and seats have made, and how long the games were."""
    if not tally.games:
        console.print("no game was finished", highlight=False)
        return
    console.print(_table("player", list(tally.by_player().items())), highlight=False)
    console.print()
    seats = [(str(seat), line) for seat, line in enumerate(tally.by_seat())]
    console.print(_table("seat", seats), highlight=False)
    console.print()
    length = f"{_span(tally.moves)} moves"
    if max(tally.rounds) > 1:
        length += f", {_span(tally.rounds)} rounds"
    console.print(f"a game: {length}", highlight=False, soft_wrap=True)
    console.print(f"a fair share of the wins: {1 / len(tally.players):.1%}", highlight=False)
