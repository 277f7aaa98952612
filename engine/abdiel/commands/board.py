"""abdiel board."""

from __future__ import annotations

from pathlib import Path

import click

from abdiel.commands.arguments import ascii_option, fen_option, make_board, variant_option
from abdiel.notation.san import split_moves
from abdiel.terminal import draw, picture


@click.command("board", short_help="Show a position.")
@variant_option
@fen_option
@click.option(
    "--moves",
    default="",
    metavar="MOVES",
    help="Moves to play first, in UCI or SAN, between blanks; with move numbers or without.",
)
@click.option(
    "--svg",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a picture to this file instead of drawing here.",
)
@ascii_option
def command(variant: str, fen: str | None, moves: str, svg: Path | None, ascii: bool) -> None:
    """Show a position."""
    if svg is not None and ascii:
        raise ValueError("--svg and --ascii exclude one another: give one of them")
    board = make_board(variant, fen)
    for number, text in enumerate(split_moves(moves), 1):
        try:
            board.push_san(text)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
    if svg is not None:
        svg.write_text(picture(board), encoding="utf-8")
        return
    draw(board, ascii=ascii)
    print(board.fen())
