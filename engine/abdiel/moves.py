"""`Move`: from a square to a square, and what a pawn becomes."""

from __future__ import annotations

from abdiel.core.position import SQUARES
from abdiel.errors import MoveError, shown
from abdiel.frozen import Frozen
from abdiel.pieces import ANY_LETTER
from abdiel.squares import SQUARE_NAMES, check_square, parse_square
from abdiel.variants import ANGELS_AND_DEVILS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from abdiel.pieces import PieceType
    from abdiel.squares import Square
    from abdiel.variants import Variant

NULL_UCI = "0000"


def check_move(move: object) -> None:
    """Raise `TypeError` for what is no `Move`.

    python-chess's moves are none: they count the squares of another board.
    """
    if not isinstance(move, Move):
        kind = type(move)
        home = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
        raise TypeError(
            f"move {move!r}: found a {home}{kind.__qualname__}, expected an abdiel.Move"
        )


class Move(Frozen):
    """A move, which names no board. It cannot be changed: boards share their moves.

    Castling is the King's own move, `f1i1`. The null move, which passes, is false.
    """

    __slots__ = ("_letter", "from_square", "promotion", "to_square")

    from_square: Square
    to_square: Square
    promotion: PieceType | None
    _letter: str

    def __init__(
        self,
        from_square: Square,
        to_square: Square,
        promotion: PieceType | None = None,
        letter: str | None = None,
    ) -> None:
        """Make a move. `letter` is the promotion's in its variant where that is not the usual.

        Raises `MoveError` for a promotion that is no piece type. Whether the squares are on the
        board shows when the move is used.
        """
        if promotion and promotion not in ANY_LETTER:
            raise MoveError(
                f"promotion {promotion!r}: expected a piece type {min(ANY_LETTER)} to "
                f"{max(ANY_LETTER)}"
            )
        self._set("from_square", from_square)
        self._set("to_square", to_square)
        self._set("promotion", promotion)
        self._set("_letter", letter or (ANY_LETTER[promotion].lower() if promotion else ""))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.from_square, self.to_square, self.promotion, self._letter)

    @classmethod
    def null(cls) -> Move:
        """Return the move that passes."""
        return cls(0, 0)

    @classmethod
    def from_uci(cls, uci: str, variant: Variant = ANGELS_AND_DEVILS) -> Move:
        """Return the move of UCI text such as `b1b5`, `c7c8a` or `0000`.

        The letter of a promotion is read by `variant`, in lower case. Raises `MoveError`.
        """
        if uci == NULL_UCI:
            return cls.null()
        if not 4 <= len(uci) <= 5:
            raise MoveError(
                f"move {shown(uci)}: expected two squares and perhaps a promotion letter, "
                "like b1b5 or c7c8q"
            )
        try:
            from_square, to_square = parse_square(uci[:2]), parse_square(uci[2:4])
        except ValueError as error:
            raise MoveError(f"move {shown(uci)}: {error}") from None
        if from_square == to_square:
            raise MoveError(f"move {shown(uci)}: from and to are the same square")
        letter = uci[4:]
        if not letter:
            return cls(from_square, to_square)
        promotion = variant.types.get(letter.upper()) if letter.islower() else None
        if promotion is None:
            letters = " ".join(variant.letters[kind].lower() for kind in variant.all_promotions)
            raise MoveError(
                f"move {shown(uci)}: promotion {letter!r}, expected one of {letters} "
                f"in {variant.name}"
            )
        return cls(from_square, to_square, promotion, letter)

    def uci(self) -> str:
        """Return the UCI text, `0000` for the null move.

        Raises `ValueError` for squares that are not on the board.
        """
        if self.from_square == self.to_square:
            return NULL_UCI
        check_square(self.from_square)
        check_square(self.to_square)
        return SQUARE_NAMES[self.from_square] + SQUARE_NAMES[self.to_square] + self._letter

    def xboard(self) -> str:
        """Return the text for the XBoard protocol, `@@@@` for the null move."""
        return self.uci() if self else "@@@@"

    def __bool__(self) -> bool:
        return self.from_square != self.to_square

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Move):
            return (
                self.from_square == other.from_square
                and self.to_square == other.to_square
                and self.promotion == other.promotion
            )
        return NotImplemented

    def __hash__(self) -> int:
        return self.from_square | self.to_square << 7 | (self.promotion or 0) << 14

    def __repr__(self) -> str:
        if not (0 <= self.from_square < SQUARES and 0 <= self.to_square < SQUARES):
            return f"Move({self.from_square!r}, {self.to_square!r}, {self.promotion!r})"
        return f"Move.from_uci({self.uci()!r})"

    def __str__(self) -> str:
        return self.uci()
