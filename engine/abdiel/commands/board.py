"""abdiel board."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abdiel.commands.arguments import DEFAULT_VARIANT, Fen, Variant, make_board
from abdiel.terminal import draw, picture


def board(
    variant: Variant = DEFAULT_VARIANT,
    fen: Fen = None,
    moves: Annotated[
        str, typer.Option(help="Moves to play first, in UCI or SAN, between blanks.")
    ] = "",
    svg: Annotated[
        Path | None, typer.Option(help="Write a picture to this file instead of drawing here.")
    ] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw with letters.")] = False,
) -> None:
    """Show a position."""
    shown = make_board(variant, fen)
    for number, text in enumerate(moves.split(), 1):
        try:
            shown.push_san(text)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
    if svg is not None:
        svg.write_text(picture(shown), encoding="utf-8")
        return
    draw(shown, ascii=ascii)
    print(shown.fen())
