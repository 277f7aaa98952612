"""Boards and pieces as SVG, with this project's own drawings.

For example, `svg.board(Board(), size=600)` is the start position, to be written to a file.
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from abdiel.core.position import FILES, RANKS
from abdiel.drawings import BOX, DRAWINGS
from abdiel.pieces import PIECE_NAMES, WHITE
from abdiel.squares import FILE_NAMES, RANK_NAMES, SquareSet, check_square

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abdiel.baseboard import BaseBoard
    from abdiel.board import Board
    from abdiel.moves import Move
    from abdiel.pieces import Color, Piece
    from abdiel.squares import Square

MARGIN = 20  # for the coordinates, in the units of a piece's box

LIGHT = "#f1e8d8"
DARK = "#b39374"
LAST_MOVE = "#d9c13b"
REMOVED = "#c4342b"
ARROW = "#2c7a4b"
FRAME = "#4a3a2c"
HALO = "#f2bf34"

_WHITE_STYLE = {"body": "#fffdf8", "edge": "#231d18", "mark": "#231d18"}
_BLACK_STYLE = {"body": "#2e2722", "edge": "#15110e", "mark": "#f6ecdc"}

_CHECK_GRADIENT = (
    '<radialGradient id="check"><stop offset="0%" stop-color="#ff2a1f"/>'
    '<stop offset="55%" stop-color="#e0241a" stop-opacity=".75"/>'
    '<stop offset="100%" stop-color="#9e0f08" stop-opacity="0"/></radialGradient>'
)


def _drawing(piece: Piece) -> str:
    """Return the elements of a piece's drawing, in its box."""
    style = _WHITE_STYLE if piece.color else _BLACK_STYLE
    ways = {
        "body": f'fill="{style["body"]}" stroke="{style["edge"]}" stroke-width="1.5"',
        "line": f'fill="none" stroke="{style["mark"]}" stroke-width="1.4" stroke-linecap="round"',
        "mark": f'fill="{style["mark"]}"',
        "rim": f'fill="none" stroke="{style["edge"]}" stroke-width="3.6"',
        "halo": f'fill="none" stroke="{HALO}" stroke-width="1.6"',
    }
    layers = (f'<path {ways[way]} d="{path}"/>' for way, path in DRAWINGS[piece.piece_type])
    return f'<g stroke-linejoin="round">{"".join(layers)}</g>'


def _svg(width: int, height: int, size: int | None, content: str) -> str:
    if size is not None and size < 1:
        raise ValueError(f"size {size}: expected 1 pixel or more")
    shown = "" if size is None else f' width="{size}" height="{round(size * height / width)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"{shown}>'
        f"{content}</svg>"
    )


def piece(piece: Piece, *, size: int | None = None) -> str:
    """Return the SVG of one piece, `size` pixels wide. Raises `ValueError` for less than one."""
    return _svg(BOX, BOX, size, _drawing(piece))


def board(
    board: BaseBoard | None = None,
    *,
    orientation: Color = WHITE,
    lastmove: Move | None = None,
    check: Square | None = None,
    removed: Iterable[Square] = (),
    arrows: Iterable[tuple[Square, Square] | tuple[Square, Square, str]] = (),
    size: int | None = None,
    coordinates: bool = True,
) -> str:
    """Return the SVG of a board, or of an empty one.

    - `orientation`: the side at the bottom.
    - `lastmove`: a move whose two squares are lit.
    - `check`: the square of a King to be shown attacked.
    - `removed`: squares to be crossed out, as `Board.removed` tells them.
    - `arrows`: from and to, and a colour of CSS if it is not to be the usual; an arrow to its own
      square is a ring.
    - `size`: the width in pixels; without it the picture fills its place.
    - `coordinates`: whether the names of files and ranks stand around the board.

    Raises `ValueError` for a square that is not on the board and a size of less than a pixel.
    """
    margin = MARGIN if coordinates else 0
    pieces = {} if board is None else board.piece_map()

    def corner(square: Square) -> tuple[int, int]:
        file, rank = square % FILES, square // FILES
        column, row = (file, RANKS - 1 - rank) if orientation else (FILES - 1 - file, rank)
        return margin + column * BOX, margin + row * BOX

    parts = [_definitions(set(pieces.values()))]
    if coordinates:
        parts.append(_coordinates(orientation))
    lit = () if lastmove is None or not lastmove else (lastmove.from_square, lastmove.to_square)
    for square in lit:
        check_square(square, "lastmove: square")
    if check is not None:
        check_square(check, "check: square")
    for square in range(FILES * RANKS):
        x, y = corner(square)
        color = LIGHT if (square % FILES + square // FILES) % 2 else DARK
        parts.append(f'<rect x="{x}" y="{y}" width="{BOX}" height="{BOX}" fill="{color}"/>')
        if square in lit:
            parts.append(
                f'<rect x="{x}" y="{y}" width="{BOX}" height="{BOX}" '
                f'fill="{LAST_MOVE}" fill-opacity=".6"/>'
            )
        if square == check:
            parts.append(
                f'<circle cx="{x + BOX / 2:g}" cy="{y + BOX / 2:g}" r="{BOX / 2:g}" '
                'fill="url(#check)"/>'
            )
    for square, one in pieces.items():
        x, y = corner(square)
        parts.append(f'<use href="#{_identifier(one)}" x="{x}" y="{y}"/>')
    for square in removed:
        check_square(square, "removed: square")
        parts.append(_cross(*corner(square)))
    for tail, head, *rest in arrows:
        check_square(tail, "arrows: square")
        check_square(head, "arrows: square")
        parts.append(_arrow(corner(tail), corner(head), rest[0] if rest else ARROW))
    width, height = FILES * BOX + 2 * margin, RANKS * BOX + 2 * margin
    return _svg(width, height, size, "".join(parts))


def picture(game: Board, *, size: int | None = None) -> str:
    """Return the SVG of a board with its last move, what that took off, and a King in check."""
    lastmove, removed = game._marks()
    if lastmove is not None:
        # The piece that has landed is not to be crossed out with what it landed on.
        removed -= SquareSet([lastmove.to_square])
    check = game.king(game.turn) if game.is_valid() and game.is_check() else None
    return board(game, lastmove=lastmove, removed=removed, check=check, size=size)


def _identifier(piece: Piece) -> str:
    return f"{'white' if piece.color else 'black'}-{PIECE_NAMES[piece.piece_type].lower()}"


def _definitions(pieces: set[Piece]) -> str:
    drawings = sorted((_identifier(piece), _drawing(piece)) for piece in pieces)
    groups = (f'<g id="{name}">{drawing}</g>' for name, drawing in drawings)
    return f"<defs>{_CHECK_GRADIENT}{''.join(groups)}</defs>"


def _coordinates(orientation: Color) -> str:
    width, height = FILES * BOX + 2 * MARGIN, RANKS * BOX + 2 * MARGIN
    parts = [f'<rect width="{width}" height="{height}" fill="{FRAME}"/>']
    style = f'fill="{LIGHT}" font-family="sans-serif" font-size="12" text-anchor="middle"'
    parts.append(f"<g {style}>")
    for column, name in enumerate(FILE_NAMES if orientation else FILE_NAMES[::-1]):
        x = MARGIN + column * BOX + BOX // 2
        parts += [f'<text x="{x}" y="{y}">{name}</text>' for y in (14, height - 6)]
    for row, name in enumerate(RANK_NAMES[::-1] if orientation else RANK_NAMES):
        y = MARGIN + row * BOX + BOX // 2 + 4
        parts += [f'<text x="{x}" y="{y}">{name}</text>' for x in (10, width - 10)]
    return "".join([*parts, "</g>"])


def _cross(x: int, y: int) -> str:
    return (
        f'<path d="M{x + 6} {y + 6}l{BOX - 12} {BOX - 12}m0-{BOX - 12}l-{BOX - 12} {BOX - 12}" '
        f'stroke="{REMOVED}" stroke-width="4" stroke-opacity=".8" stroke-linecap="round"/>'
    )


def _arrow(tail: tuple[int, int], head: tuple[int, int], color: str) -> str:
    color = color.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    x1, y1, x2, y2 = (at + BOX / 2 for at in (*tail, *head))
    if tail == head:
        return (
            f'<circle cx="{x1:g}" cy="{y1:g}" r="{BOX / 2 - 3:g}" fill="none" '
            f'stroke="{color}" stroke-width="4" stroke-opacity=".7"/>'
        )
    length = hypot(x2 - x1, y2 - y1)
    along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
    # The shaft ends where the point begins, so that a see-through arrow is even.
    back_x, back_y = x2 - 18 * along_x, y2 - 18 * along_y
    corners = [
        (back_x - 10 * along_y, back_y + 10 * along_x),
        (x2, y2),
        (back_x + 10 * along_y, back_y - 10 * along_x),
    ]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return (
        f'<g opacity=".7"><line x1="{x1:g}" y1="{y1:g}" x2="{back_x:.1f}" y2="{back_y:.1f}" '
        f'stroke="{color}" stroke-width="7"/><polygon points="{points}" fill="{color}"/></g>'
    )
