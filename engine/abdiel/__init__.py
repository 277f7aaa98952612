"""Abdiel: an engine and a library for Angels and Devils and the Capablanca family.

`Board` has python-chess's names and habits:

>>> import abdiel
>>> board = abdiel.Board()
>>> board.push_san("Ab5")
Move.from_uci('b1b5')
>>> board.legal_moves.count()
27

The Devil from b8 lands on b6 and burns the Angel beside it:

>>> move = board.parse_san("Db6")
>>> board.removed(move)
SquareSet([B5])
>>> board.san(move)
'Dxb6'
>>> board.push(move)
>>> board.fen()
'r1nbqkbndr/pppppppppp/1d8/10/10/10/PPPPPPPPPP/R1NBQKBNAR w KQkq - 0 2'

The other games are found by their names:

>>> board = abdiel.find_variant("capablanca")()
>>> board.piece_at(abdiel.parse_square("c1"))
Piece(ARCHBISHOP, WHITE)
"""

from abdiel.version import VERSION as _VERSION

__version__ = _VERSION
__all__ = [
    "ANGEL",
    "ARCHBISHOP",
    "BISHOP",
    "BLACK",
    "CHANCELLOR",
    "DEVIL",
    "KING",
    "KNIGHT",
    "PAWN",
    "PIECE_TYPES",
    "QUEEN",
    "ROOK",
    "SQUARES",
    "SQUARE_NAMES",
    "STARTING_FEN",
    "VARIANTS",
    "WHITE",
    "Board",
    "BoardError",
    "CapablancaBoard",
    "EmbassyBoard",
    "EpdError",
    "FenError",
    "GothicBoard",
    "JanusBoard",
    "LegalMoves",
    "Move",
    "MoveError",
    "PgnError",
    "Piece",
    "SanError",
    "SquareSet",
    "Variant",
    "find_variant",
    "parse_square",
    "pgn",
    "piece_name",
    "square",
    "square_file",
    "square_name",
    "square_rank",
    "svg",
    "text",
]
# fmt: off
__all__ += [  # noqa: RUF022  # in the order of the board
    "A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1", "I1", "J1",
    "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "I2", "J2",
    "A3", "B3", "C3", "D3", "E3", "F3", "G3", "H3", "I3", "J3",
    "A4", "B4", "C4", "D4", "E4", "F4", "G4", "H4", "I4", "J4",
    "A5", "B5", "C5", "D5", "E5", "F5", "G5", "H5", "I5", "J5",
    "A6", "B6", "C6", "D6", "E6", "F6", "G6", "H6", "I6", "J6",
    "A7", "B7", "C7", "D7", "E7", "F7", "G7", "H7", "I7", "J7",
    "A8", "B8", "C8", "D8", "E8", "F8", "G8", "H8", "I8", "J8",
]
# fmt: on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from abdiel import svg, text
    from abdiel.board import (
        Board,
        CapablancaBoard,
        EmbassyBoard,
        GothicBoard,
        JanusBoard,
        LegalMoves,
        find_variant,
    )
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
    from abdiel.errors import BoardError, EpdError, FenError, MoveError, PgnError, SanError
    from abdiel.moves import Move
    from abdiel.notation import pgn
    from abdiel.pieces import BLACK, PIECE_TYPES, WHITE, Piece, piece_name
    from abdiel.squares import (
        SQUARE_NAMES,
        SQUARES,
        SquareSet,
        parse_square,
        square,
        square_file,
        square_name,
        square_rank,
    )
    from abdiel.variants import STARTING_FEN, VARIANTS, Variant

    # isort: off
    # fmt: off
    from abdiel.squares import (
        A1, B1, C1, D1, E1, F1, G1, H1, I1, J1,
        A2, B2, C2, D2, E2, F2, G2, H2, I2, J2,
        A3, B3, C3, D3, E3, F3, G3, H3, I3, J3,
        A4, B4, C4, D4, E4, F4, G4, H4, I4, J4,
        A5, B5, C5, D5, E5, F5, G5, H5, I5, J5,
        A6, B6, C6, D6, E6, F6, G6, H6, I6, J6,
        A7, B7, C7, D7, E7, F7, G7, H7, I7, J7,
        A8, B8, C8, D8, E8, F8, G8, H8, I8, J8,
    )
    # fmt: on
    # isort: on

# Where the names are, in the order in which they are looked for. Nothing is imported before it is
# asked for: an engine that starts must not wait for a library.
_HOMES = ("errors", "variants", "squares", "pieces", "moves", "board")
_MODULES = {"pgn": "abdiel.notation.pgn", "svg": "abdiel.svg", "text": "abdiel.text"}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        return import_module(_MODULES[name])
    if name in __all__:
        for home in _HOMES:
            module = import_module(f"abdiel.{home}")
            if hasattr(module, name):
                globals()[name] = found = getattr(module, name)
                return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
