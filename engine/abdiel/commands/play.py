"""abdiel play."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from abdiel.commands.arguments import DEFAULT_VARIANT, Fen, Variant, make_board
from abdiel.engine import Limits
from abdiel.terminal import Game

_UNITS_MS = {"ms": 1, "s": 1000, "m": 60_000}
_DEFAULT_MOVETIME_MS = 1000


class Side(StrEnum):
    """The colours by name."""

    WHITE = "white"
    BLACK = "black"


def play(
    variant: Variant = DEFAULT_VARIANT,
    side: Annotated[Side, typer.Option(help="Your side.")] = Side.WHITE,
    movetime: Annotated[
        str | None, typer.Option(help="Abdiel's time for a move, such as 1s or 500ms.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, max=64, help="Abdiel's depth instead of a time.")
    ] = None,
    fen: Fen = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw with letters.")] = False,
) -> None:
    """Play against Abdiel in the terminal; type help there for what can be typed."""
    if movetime is not None and depth is not None:
        raise ValueError("--movetime and --depth exclude one another: give one of them")
    limits = Limits(depth=depth) if depth is not None else Limits(movetime=_parse_ms(movetime))
    Game(make_board(variant, fen), side=side is Side.WHITE, limits=limits, ascii=ascii).play()


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
        raise ValueError(f"--movetime takes a time such as 1s, 500ms or 2m, found {text!r}")
    return milliseconds
