"""What several commands take in the same form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from abdiel.board import find_variant
from abdiel.variants import VARIANTS

if TYPE_CHECKING:
    from abdiel.board import Board

Variant = Annotated[str, typer.Option(help=f"One of {', '.join(VARIANTS)}.")]
Fen = Annotated[str | None, typer.Option(help="The position; the variant's start if not given.")]

DEFAULT_VARIANT = next(iter(VARIANTS))


def make_board(variant: str, fen: str | None) -> Board:
    """The board that the two options name. ValueError if there is none."""
    return find_variant(variant)(fen)
