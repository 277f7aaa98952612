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
    "SQUARE_NAMES",
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
        SquareSet,
        parse_square,
        square,
        square_file,
        square_name,
        square_rank,
    )
    from abdiel.variants import VARIANTS, Variant

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
    return __all__
