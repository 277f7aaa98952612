"""A position in plain fields, which need not be one that can be played.

It is what a FEN reads into and what the edits of a board change, before the core has it.
"""

from __future__ import annotations

from abdiel.core.position import BLACK_PIECE, FILES, KING, PAWN, ROOK, SQUARES
from abdiel.pieces import EMPTY
from abdiel.squares import SQUARE_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from abdiel.core.position import Position
    from abdiel.variants import Variant

NO_SQUARE = -1
SIDES = ("White", "Black")

# Far beyond any game, and far below what the core's counters hold.
MAX_HALFMOVE_CLOCK = 9_999
MAX_FULLMOVE_NUMBER = 99_999


class Draft:
    """The fields of a position as the core counts them: colours 0 and 1, castling as 4 bits."""

    __slots__ = ("castling", "ep_square", "fullmove_number", "halfmove_clock", "pieces", "turn")

    def __init__(
        self,
        pieces: list[int],
        turn: int = 0,
        castling: int = 0,
        ep_square: int = NO_SQUARE,
        halfmove_clock: int = 0,
        fullmove_number: int = 1,
    ) -> None:
        self.pieces = pieces
        self.turn = turn
        self.castling = castling
        self.ep_square = ep_square
        self.halfmove_clock = halfmove_clock
        self.fullmove_number = fullmove_number

    def __reduce__(self) -> tuple[object, ...]:
        fields = (self.ep_square, self.halfmove_clock, self.fullmove_number)
        return Draft, (self.pieces, self.turn, self.castling, *fields)

    @classmethod
    def empty(cls) -> Draft:
        """Return an empty board with White to move."""
        return cls([EMPTY] * SQUARES)

    @classmethod
    def of(cls, position: Position) -> Draft:
        """Return the fields of the core's position."""
        return cls(
            position.pieces(),
            position.turn,
            position.castling,
            position.ep_square,
            position.halfmove_clock,
            position.fullmove_number,
        )

    def copy(self) -> Draft:
        """Return a draft that can be changed alone."""
        return Draft(
            self.pieces[:],
            self.turn,
            self.castling,
            self.ep_square,
            self.halfmove_clock,
            self.fullmove_number,
        )

    def set_on(self, position: Position) -> None:
        """Give the fields to the core; they must be without `faults`."""
        position.set(
            self.pieces,
            self.turn,
            self.castling,
            self.ep_square,
            self.halfmove_clock,
            self.fullmove_number,
        )

    def clean(self, variant: Variant) -> None:
        """Drop castling rights and an en passant square that the pieces do not bear out."""
        if self.castling:
            for side, (king_from, _, rook_from, _) in enumerate(variant.castling):
                color = BLACK_PIECE if side >= 2 else 0
                if self.pieces[king_from] != KING | color or self.pieces[rook_from] != ROOK | color:
                    self.castling &= ~(1 << side)
        if self.ep_square != NO_SQUARE and not self._is_ep_borne_out():
            self.ep_square = NO_SQUARE

    def _is_ep_borne_out(self) -> bool:
        """Tell whether a pawn of the side not to move may have passed over the ep square."""
        pawn, forward, rank = (
            (PAWN | BLACK_PIECE, -FILES, 5) if self.turn == 0 else (PAWN, FILES, 2)
        )
        square = self.ep_square
        return (
            square // FILES == rank
            and self.pieces[square + forward] == pawn
            and self.pieces[square] == EMPTY
            and self.pieces[square - forward] == EMPTY
        )

    def has_pseudo_legal_ep(self) -> bool:
        """Tell whether a pawn stands ready to capture en passant, its King's safety aside."""
        if self.ep_square == NO_SQUARE:
            return False
        pawn, behind = (PAWN, -FILES) if self.turn == 0 else (PAWN | BLACK_PIECE, FILES)
        file = self.ep_square % FILES
        beside = [side for side in (-1, 1) if 0 <= file + side < FILES]
        return any(self.pieces[self.ep_square + behind + side] == pawn for side in beside)

    def kings(self, color: int) -> list[int]:
        """Return the squares of a colour's Kings."""
        king = KING | BLACK_PIECE if color else KING
        return [square for square, code in enumerate(self.pieces) if code == king]

    def faults(self) -> Iterator[tuple[str, str, str]]:
        """Yield what keeps the core from playing here, checks aside.

        Each as the name of python-chess's status flag, the field, and what is wrong with it.
        """
        if not any(self.pieces):
            yield "EMPTY", "placement", "the board is empty, expected one King a side"
        for color, side in enumerate(SIDES):
            kings = self.kings(color)
            if not kings:
                yield f"NO_{side.upper()}_KING", "placement", f"{side} has no King, expected one"
            elif len(kings) > 1:
                names = " ".join(SQUARE_NAMES[square] for square in kings)
                yield (
                    "TOO_MANY_KINGS",
                    "placement",
                    f"{side} has {len(kings)} Kings ({names}), expected one",
                )
        for square in (*range(FILES), *range(SQUARES - FILES, SQUARES)):
            if self.pieces[square] & ~BLACK_PIECE == PAWN:
                yield (
                    "PAWNS_ON_BACKRANK",
                    "placement",
                    f"a pawn on {SQUARE_NAMES[square]}, expected none on the ranks 1 and 8",
                )
                break

    def opposite_check(self, position: Position) -> tuple[str, str, str] | None:
        """Return the fault of a King that could be captured at once, asking `position`.

        The core must have been given these fields.
        """
        (king,) = self.kings(1 - self.turn)
        attackers = position.attackers(self.turn, king)
        if not attackers:
            return None
        attacker = SQUARE_NAMES[(attackers & -attackers).bit_length() - 1]
        mover, waiting = SIDES[self.turn], SIDES[1 - self.turn]
        fault = (
            f"{mover} to move attacks the King on {SQUARE_NAMES[king]} from {attacker}, "
            f"expected {waiting} to move or not to be in check"
        )
        return "OPPOSITE_CHECK", "side to move", fault
