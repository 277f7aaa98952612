"""Colours, piece types and `Piece`."""

from __future__ import annotations

from abdiel.core.position import (
    ANGEL,
    ARCHBISHOP,
    BISHOP,
    BLACK_PIECE,
    CHANCELLOR,
    DEVIL,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
)
from abdiel.frozen import Frozen
from abdiel.variants import ANGELS_AND_DEVILS, VARIANTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from abdiel.variants import Variant

Color: TypeAlias = bool
PieceType: TypeAlias = int

WHITE: Color = True
BLACK: Color = False
COLOR_NAMES = ["black", "white"]

PIECE_TYPES = [
    PAWN,
    KNIGHT,
    BISHOP,
    ROOK,
    QUEEN,
    KING,
    ARCHBISHOP,
    CHANCELLOR,
    ANGEL,
    DEVIL,
]
PIECE_NAMES = {
    PAWN: "pawn",
    KNIGHT: "Knight",
    BISHOP: "Bishop",
    ROOK: "Rook",
    QUEEN: "Queen",
    KING: "King",
    ARCHBISHOP: "Archbishop",
    CHANCELLOR: "Chancellor",
    ANGEL: "Angel",
    DEVIL: "Devil",
}

# White and black. No terminal font is sure to have symbols for the four last, so they borrow from
# sets that come in outline and filled: a star for the Angel, the point of the tail for the Devil.
UNICODE_SYMBOLS = {
    PAWN: "♙♟",
    KNIGHT: "♘♞",
    BISHOP: "♗♝",
    ROOK: "♖♜",
    QUEEN: "♕♛",
    KING: "♔♚",
    ARCHBISHOP: "◇◆",
    CHANCELLOR: "□■",
    ANGEL: "☆★",
    DEVIL: "♤♠",
}

# The core's piece code is the type, and BLACK_PIECE added for a black one.
EMPTY = 0

# Every letter of every variant by type; where the variants differ, the first that has it decides.
ANY_LETTER = {
    piece_type: letter
    for variant in reversed(VARIANTS.values())
    for piece_type, letter in variant.letters.items()
}


def piece_name(piece_type: PieceType) -> str:
    """Return the English name of a piece type, such as `Angel`."""
    return PIECE_NAMES[piece_type]


class Piece(Frozen):
    """A piece: its type and its colour. It cannot be changed."""

    __slots__ = ("_letter", "color", "piece_type")

    piece_type: PieceType
    color: Color
    _letter: str

    def __init__(self, piece_type: PieceType, color: Color, letter: str | None = None) -> None:
        """Make a piece. `letter` is its variant's letter where that is not the usual one."""
        if piece_type not in PIECE_NAMES:
            raise ValueError(f"piece type {piece_type!r}: expected {PAWN} to {DEVIL}")
        self._set("piece_type", piece_type)
        self._set("color", bool(color))
        self._set("_letter", letter or ANY_LETTER[piece_type])

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.piece_type, self.color, self._letter)

    @classmethod
    def from_symbol(cls, symbol: str, variant: Variant = ANGELS_AND_DEVILS) -> Piece:
        """Return the piece of a FEN letter; `A` is the Angel or the Archbishop by `variant`.

        Raises `ValueError` for a letter that the variant does not have.
        """
        piece_type = variant.types.get(symbol.upper()) if len(symbol) == 1 else None
        if piece_type is None:
            raise ValueError(
                f"piece {symbol!r}: {variant.name} has {' '.join(variant.types)}, "
                "lower case for Black"
            )
        return cls(piece_type, symbol.isupper(), symbol.upper())

    def symbol(self) -> str:
        """Return the FEN letter, upper case for White.

        The Archbishop's is `J` where the piece comes from a `janus` board, `A` elsewhere.
        """
        return self._letter if self.color else self._letter.lower()

    def unicode_symbol(self, *, invert_color: bool = False) -> str:
        """Return a symbol for terminals: outlined for White, filled for Black."""
        white = self.color != invert_color
        return UNICODE_SYMBOLS[self.piece_type][not white]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Piece):
            return self.piece_type == other.piece_type and self.color == other.color
        return NotImplemented

    def __hash__(self) -> int:
        return self.piece_type + (not self.color) * BLACK_PIECE

    def __repr__(self) -> str:
        color = COLOR_NAMES[self.color].upper()
        return f"Piece({PIECE_NAMES[self.piece_type].upper()}, {color})"

    def __str__(self) -> str:
        return self.symbol()
