"""abdiel play."""

from __future__ import annotations

import click

from abdiel.commands.arguments import (
    WholeNumber,
    ascii_option,
    fen_option,
    make_board,
    variant_option,
)
from abdiel.engine import Limits
from abdiel.errors import shown
from abdiel.terminal import Game

_UNITS_MS = {"ms": 1, "s": 1000, "m": 60_000}
_DEFAULT_MOVETIME_MS = 1000


@click.command("play", short_help="Play against Abdiel in the terminal.")
@variant_option
@click.option(
    "--side",
    type=click.Choice(["white", "black"], case_sensitive=False),
    default="white",
    show_default=True,
    help="Your side.",
)
@click.option(
    "--movetime", metavar="TIME", help="Abdiel's time for a move, such as 1s, 500ms or 2m."
)
@click.option("--depth", type=WholeNumber(1, 64), help="Abdiel's depth instead of a time.")
@fen_option
@ascii_option
def command(
    variant: str, side: str, movetime: str | None, depth: int | None, fen: str | None, ascii: bool
) -> None:
    """Play against Abdiel in the terminal; type help there for what can be typed."""
    if movetime is not None and depth is not None:
        raise ValueError("--movetime and --depth exclude one another: give one of them")
    limits = Limits(depth=depth) if depth is not None else Limits(movetime=_parse_ms(movetime))
    Game(make_board(variant, fen), side=side == "white", limits=limits, ascii=ascii).play()


def _parse_ms(text: str | None) -> int:
    if text is None:
        return _DEFAULT_MOVETIME_MS
    number = text.rstrip("abcdefghijklmnopqrstuvwxyz")
    factor = _UNITS_MS.get(text[len(number) :] or "s")
    try:
        milliseconds = round(float(number) * factor) if factor else 0
    except (ValueError, OverflowError):
        milliseconds = 0
    if not 1 <= milliseconds <= 86_400_000:
        raise ValueError(f"--movetime takes a time such as 1s, 500ms or 2m, found {shown(text)}")
    return milliseconds
