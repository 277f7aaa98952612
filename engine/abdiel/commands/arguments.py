"""What several commands take in the same form."""

from __future__ import annotations

from typing import Any

import click

from abdiel.board import Board, find_variant
from abdiel.errors import shown
from abdiel.variants import VARIANTS

variant_option = click.option(
    "--variant",
    default=next(iter(VARIANTS)),
    metavar="NAME",
    show_default=True,
    help=f"One of {', '.join(VARIANTS)}.",
)
fen_option = click.option(
    "--fen", metavar="FEN", help="The position; the variant's start if not given."
)
ascii_option = click.option("--ascii", is_flag=True, help="Draw with letters.")


class WholeNumber(click.IntRange):
    """A whole number from `min` to `max`, both included."""

    name = "number"

    def __init__(self, min: int, max: int) -> None:
        super().__init__(min, max)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Tell in one form what is right, whatever is wrong."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            expected = f"a whole number from {self.min} to {self.max}"
            self.fail(f"expected {expected}, found {shown(str(value))}", param, ctx)


def make_board(variant: str, fen: str | None) -> Board:
    """The board that the two options name. ValueError if there is none."""
    return find_variant(variant)(fen)
