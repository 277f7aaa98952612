"""The five games in one table: start position, letters, castling and promotions.

Everything in which one game differs from another is here; board and core read it.
"""

from __future__ import annotations

from abdiel.core.position import (
    ANGEL,
    ARCHBISHOP,
    BISHOP,
    CHANCELLOR,
    DEVIL,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# The names of the sides in a castling field, in the order of the core's bits 1, 2, 4, 8.
CASTLING_LETTERS = "KQkq"


class Variant:
    """One game.

    - `name`: as UCI and Fairy-Stockfish spell it; `title`: as people do.
    - `start_fen`: the FEN of its start.
    - `letters`: piece type to upper-case letter; `types`: the other way round.
    - `castling`: king_from, king_to, rook_from, rook_to for each of K, Q, k, q.
    - `promotions`: the piece types a pawn may become, White's and Black's.
    """

    __slots__ = ("castling", "letters", "name", "promotions", "start_fen", "title", "types")

    def __init__(
        self,
        name: str,
        title: str,
        start_fen: str,
        letters: Mapping[int, str],
        castling: tuple[tuple[int, int, int, int], ...],
        promotions: tuple[tuple[int, ...], tuple[int, ...]],
    ) -> None:
        self.name = name
        self.title = title
        self.start_fen = start_fen
        self.letters = letters
        self.types = {letter: piece_type for piece_type, letter in letters.items()}
        self.castling = castling
        self.promotions = promotions

    @property
    def all_promotions(self) -> list[int]:
        """The piece types that a pawn of either side may become."""
        white, black = self.promotions
        return [*white, *(piece_type for piece_type in black if piece_type not in white)]

    def __repr__(self) -> str:
        return f"<Variant {self.name}>"


_LETTERS = {PAWN: "P", KNIGHT: "N", BISHOP: "B", ROOK: "R", QUEEN: "Q", KING: "K"}


def _start(black: str, white: str) -> str:
    return f"{black}/pppppppppp/10/10/10/10/PPPPPPPPPP/{white} w KQkq - 0 1"


def _castling(king: int, short: int, long: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return the four castlings of a King from file `king` to `short` or `long`.

    The Rooks start in the corners and land beside the King on its inner side.
    """
    return tuple(
        (rank + king, rank + to, rank + rook, rank + to + inner)
        for rank in (0, 70)
        for to, rook, inner in ((short, 9, -1), (long, 0, 1))
    )


def _angels_and_devils() -> Variant:
    common: tuple[int, ...] = (QUEEN, ROOK, BISHOP, KNIGHT)
    return Variant(
        "angelsanddevils",
        "Angels and Devils",
        _start("rdnbqkbndr", "RANBQKBNAR"),
        {**_LETTERS, ANGEL: "A", DEVIL: "D"},
        _castling(king=5, short=8, long=2),
        ((*common, ANGEL), (*common, DEVIL)),
    )


def _with_compounds(
    name: str,
    title: str,
    array: str,
    compounds: Mapping[int, str],
    castling: tuple[tuple[int, int, int, int], ...],
) -> Variant:
    """Return a game of the Capablanca family, whose two armies are the same."""
    promotions = (QUEEN, *reversed(list(compounds)), ROOK, BISHOP, KNIGHT)
    return Variant(
        name,
        title,
        _start(array, array.upper()),
        {**_LETTERS, **compounds},
        castling,
        (promotions, promotions),
    )


_COMPOUNDS = {ARCHBISHOP: "A", CHANCELLOR: "C"}
_CAPABLANCA_CASTLING = _castling(king=5, short=8, long=2)

ANGELS_AND_DEVILS = _angels_and_devils()

STARTING_FEN = ANGELS_AND_DEVILS.start_fen

VARIANTS = {
    variant.name: variant
    for variant in (
        ANGELS_AND_DEVILS,
        _with_compounds(
            "capablanca", "Capablanca Chess", "rnabqkbcnr", _COMPOUNDS, _CAPABLANCA_CASTLING
        ),
        _with_compounds("gothic", "Gothic Chess", "rnbqckabnr", _COMPOUNDS, _CAPABLANCA_CASTLING),
        _with_compounds(
            "embassy",
            "Embassy Chess",
            "rnbqkcabnr",
            _COMPOUNDS,
            _castling(king=4, short=7, long=1),
        ),
        _with_compounds(
            "janus",
            "Janus Chess",
            "rjnbkqbnjr",
            {ARCHBISHOP: "J"},
            _castling(king=4, short=8, long=1),
        ),
    )
}
