"""Boards as text: with letters, and with symbols for terminals."""

from __future__ import annotations

from abdiel.core.position import FILES, RANKS
from abdiel.pieces import WHITE
from abdiel.squares import FILE_NAMES, RANK_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from abdiel.baseboard import BaseBoard
    from abdiel.pieces import Color, Piece
    from abdiel.squares import Square


def _ranks(orientation: Color) -> Iterator[tuple[str, list[Square]]]:
    """Yield the ranks from the top down: a name, and squares from the left."""
    for rank in reversed(range(RANKS)) if orientation else range(RANKS):
        squares = [rank * FILES + file for file in range(FILES)]
        yield RANK_NAMES[rank], squares if orientation else squares[::-1]


def plain(board: BaseBoard) -> str:
    """Return the board in FEN's letters with `.` for empty squares, rank 8 first."""
    pieces = board.piece_map()
    return "\n".join(
        " ".join(pieces[square].symbol() if square in pieces else "." for square in squares)
        for _, squares in _ranks(WHITE)
    )


def unicode(
    board: BaseBoard,
    *,
    invert_color: bool = False,
    borders: bool = False,
    empty_square: str = "·",
    orientation: Color = WHITE,
) -> str:
    """Return the board in symbols: White outlined and Black filled, or with `invert_color` not.

    `borders` draws a grid with the names of ranks and files.
    """

    def symbol(piece: Piece) -> str:
        return piece.unicode_symbol(invert_color=invert_color)

    if borders:
        return diagram(board, symbol=symbol, orientation=orientation)
    pieces = board.piece_map()
    return "\n".join(
        " ".join(symbol(pieces[square]) if square in pieces else empty_square for square in squares)
        for _, squares in _ranks(orientation)
    )


def diagram(
    board: BaseBoard,
    *,
    symbol: Callable[[Piece], str] | None = None,
    orientation: Color = WHITE,
    lastmove: Container[Square] = (),
    removed: Container[Square] = (),
) -> str:
    """Return the board in a grid with the names of ranks and files.

    `symbol` draws a piece in one column, by its letter if not given. The squares of `lastmove` are
    marked `[ ]`, those of `removed` `* *`.
    """
    pieces = board.piece_map()
    line = "  +" + "---+" * FILES
    rows = [line]
    for name, squares in _ranks(orientation):
        cells = []
        for square in squares:
            piece = pieces.get(square)
            text = " " if piece is None else symbol(piece) if symbol else piece.symbol()
            if square in removed:
                text = f"*{text}*"
            elif square in lastmove:
                text = f"[{text}]"
            else:
                text = f" {text} "
            cells.append(text)
        rows += [f"{name} |{'|'.join(cells)}|", line]
    files = FILE_NAMES if orientation else FILE_NAMES[::-1]
    return "\n".join([*rows, "    " + "   ".join(files)])
