"""Squares of the board of 10 files and 8 ranks, and sets of them.

A square is an int: rank * 10 + file, so a1 is 0, j1 is 9 and j8 is 79.
"""

from __future__ import annotations

from abdiel.core.position import FILES, RANKS
from abdiel.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

Square: TypeAlias = int

FILE_NAMES = "abcdefghij"
RANK_NAMES = "12345678"
SQUARE_NAMES = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]

# fmt: off
A1, B1, C1, D1, E1, F1, G1, H1, I1, J1 = range(10)
A2, B2, C2, D2, E2, F2, G2, H2, I2, J2 = range(10, 20)
A3, B3, C3, D3, E3, F3, G3, H3, I3, J3 = range(20, 30)
A4, B4, C4, D4, E4, F4, G4, H4, I4, J4 = range(30, 40)
A5, B5, C5, D5, E5, F5, G5, H5, I5, J5 = range(40, 50)
A6, B6, C6, D6, E6, F6, G6, H6, I6, J6 = range(50, 60)
A7, B7, C7, D7, E7, F7, G7, H7, I7, J7 = range(60, 70)
A8, B8, C8, D8, E8, F8, G8, H8, I8, J8 = range(70, 80)
# fmt: on

SQUARES = range(RANKS * FILES)  # all of them, from a1 to j8
_SQUARE_OF_NAME = {name: square for square, name in enumerate(SQUARE_NAMES)}
_ALL = (1 << len(SQUARES)) - 1


def check_square(square: Square, name: str = "square") -> None:
    """Raise `ValueError` for a number that is no square, `TypeError` for what is no number.

    `name` begins the message where `square` would not say enough.
    """
    check_number(square, name, 0, J8)


def check_number(number: int, name: str, least: int, most: int) -> None:
    """Raise `ValueError` for a number out of its range, `TypeError` for what is no number."""
    if not hasattr(number, "__index__"):
        raise TypeError(f"{name} {number!r}: expected a number {least} to {most}")
    if not least <= number <= most:
        raise ValueError(f"{name} {number!r}: expected {least} to {most}")


def square(file: int, rank: int) -> Square:
    """Return the square of a file 0-9 and a rank 0-7. Raises `ValueError` for others."""
    check_number(file, "file", 0, FILES - 1)
    check_number(rank, "rank", 0, RANKS - 1)
    return rank * FILES + file


def square_file(square: Square) -> int:
    """Return the file 0-9 of a square. Raises `ValueError` for what is none."""
    check_square(square)
    return square % FILES


def square_rank(square: Square) -> int:
    """Return the rank 0-7 of a square. Raises `ValueError` for what is none."""
    check_square(square)
    return square // FILES


def square_name(square: Square) -> str:
    """Return the name of a square, such as `j8`. Raises `ValueError` for what is none."""
    check_square(square)
    return SQUARE_NAMES[square]


def square_mirror(square: Square) -> Square:
    """Return the square on the same file as seen from the other side of the board.

    Raises `ValueError` for what is none.
    """
    check_square(square)
    return (RANKS - 1 - square // FILES) * FILES + square % FILES


def parse_square(name: str) -> Square:
    """Return the square of a name `a1` to `j8`; raise `ValueError` for any other text."""
    try:
        return _SQUARE_OF_NAME[name]
    except KeyError:
        raise ValueError(f"square {name!r}: expected a file a-j and a rank 1-8") from None


class SquareSet(Frozen):
    """An immutable set of squares, over a bitboard of 80 bits.

    Iterates from a1 to j8, and works with `len`, `in`, `==`, `|`, `&`, `^`, `-`, `~` and `int`.
    """

    __slots__ = ("mask",)

    mask: int

    def __init__(self, squares: int | Iterable[Square] = 0) -> None:
        """Make a set from a bitboard, of which 80 bits count, or from squares.

        Raises `ValueError` for a square that is not on the board.
        """
        if isinstance(squares, int):
            mask = squares & _ALL
        else:
            mask = 0
            for one in squares:
                check_square(one)
                mask |= 1 << one
        self._set("mask", mask)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.mask,)

    def __iter__(self) -> Iterator[Square]:
        mask = self.mask
        while mask:
            lowest = mask & -mask
            yield lowest.bit_length() - 1
            mask ^= lowest

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __contains__(self, square: object) -> bool:
        return isinstance(square, int) and square >= 0 and bool(self.mask >> square & 1)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SquareSet):
            return self.mask == other.mask
        if isinstance(other, set | frozenset):
            return set(self) == other
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.mask)

    def __or__(self, other: SquareSet) -> SquareSet:
        return SquareSet(self.mask | other.mask)

    def __and__(self, other: SquareSet) -> SquareSet:
        return SquareSet(self.mask & other.mask)

    def __xor__(self, other: SquareSet) -> SquareSet:
        return SquareSet(self.mask ^ other.mask)

    def __sub__(self, other: SquareSet) -> SquareSet:
        return SquareSet(self.mask & ~other.mask)

    def __invert__(self) -> SquareSet:
        return SquareSet(~self.mask)

    def __int__(self) -> int:
        return self.mask

    __index__ = __int__

    def __repr__(self) -> str:
        return f"SquareSet([{', '.join(SQUARE_NAMES[square].upper() for square in self)}])"

    def __str__(self) -> str:
        """Draw the set with `1` on its squares and `.` elsewhere, rank 8 first."""
        return "\n".join(
            " ".join("1" if rank * FILES + file in self else "." for file in range(FILES))
            for rank in reversed(range(RANKS))
        )
