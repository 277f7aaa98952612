"""SAN: a move as people write it, `Nc3`, `Axb5+`, `c8=D`.

Written canonically, read tolerantly.
"""

from __future__ import annotations

import re

from abdiel.core.position import (
    BLACK_PIECE,
    FILES,
    KING,
    PAWN,
    move_from,
    move_promotion,
    move_to,
)
from abdiel.draft import SIDES
from abdiel.errors import MoveError, SanError, shown
from abdiel.moves import Move, check_move
from abdiel.pieces import PIECE_NAMES
from abdiel.squares import FILE_NAMES, RANK_NAMES, SQUARE_NAMES, parse_square

TYPE_CHECKING = False
if TYPE_CHECKING:
    from abdiel.board import Board

NULL_SAN = "--"
_NULLS = frozenset((NULL_SAN, "0000", "@@@@", "Z0", "null"))

# A move's number, with dots or alone; 0000 is a move.
NUMBER = r"(?:\d+\s*\.+|(?!0000\b)\d+(?=\s|$)|\.+)"
_NUMBER = re.compile(rf"(?:(?<=\s)|^){NUMBER}")

# What may follow a move without being part of it.
_TAIL = re.compile(r"(?:e\.?p\.?)?[+#!?=/-]*$")
_CASTLING = re.compile(r"[O0o]-?[O0o](-?[O0o])?$")
_MOVE = re.compile(
    r"(?P<letter>[A-Z])?(?P<file>[a-j])?(?P<rank>[1-8])?[x:-]?(?P<to>[a-j][1-8])"
    r"(?:[=/]?(?P<promotion>[A-Za-z])|\((?P<inner>[A-Za-z])\))?$"
)


def format_san(board: Board, move: Move, *, long: bool = False) -> str:
    """Return the SAN of a legal move, or with both squares if `long`. Raises `MoveError`."""
    check_move(move)
    if not move:
        return NULL_SAN
    core = board._core_move(move)
    position = board._position
    text = _without_suffix(board, move, core, long)
    if not position.gives_check(core):
        return text
    after = position.copy()  # asking a board must not move its pieces, not even for a moment
    after.make(core)
    return text + ("+" if after.count_legal() else "#")


def _without_suffix(board: Board, move: Move, core: int, long: bool) -> str:
    position = board._position
    from_square, to_square = move.from_square, move.to_square
    start, goal = SQUARE_NAMES[from_square], SQUARE_NAMES[to_square]
    code = position.piece_at(from_square)
    kind = code & ~BLACK_PIECE
    if kind == KING and abs(to_square % FILES - from_square % FILES) > 1:
        return "O-O" if to_square > from_square else "O-O-O"
    removes = position.removed(core) != 0
    letters = board.variant.letters
    if long:
        origin = start
    elif kind == PAWN:
        origin = start[0] if removes else ""
    else:
        origin = _needed_origin(board, code, from_square, to_square)
    text = "" if kind == PAWN else letters[kind]
    text += origin + ("x" if removes else "-" if long else "") + goal
    return f"{text}={letters[move.promotion]}" if move.promotion else text


def _needed_origin(board: Board, code: int, from_square: int, to_square: int) -> str:
    """Return what of the from-square tells the piece from its like: file, rank or both."""
    position = board._position
    if code & ~BLACK_PIECE == KING or position.pieces().count(code) == 1:
        return ""
    rivals = [
        move_from(other)
        for other in position.legal_moves()
        if move_to(other) == to_square
        and move_from(other) != from_square
        and position.piece_at(move_from(other)) == code
    ]
    name = SQUARE_NAMES[from_square]
    if not rivals:
        return ""
    if all(rival % FILES != from_square % FILES for rival in rivals):
        return name[0]
    if all(rival // FILES != from_square // FILES for rival in rivals):
        return name[1]
    return name


def split_moves(text: str) -> list[str]:
    """Return the moves of a line such as `1. Ab5 a5 2. Axb7`, without their numbers."""
    return _NUMBER.sub(" ", text).split()


def parse_san(board: Board, san: str) -> Move:
    """Return the legal move that SAN names, or the null move. Raises `SanError`."""
    text = san.strip()
    if text in _NULLS:
        return Move.null()
    tail = _TAIL.search(text)
    text = text[: tail.start()] if tail else text
    castling = _CASTLING.match(text)
    if castling:
        return _castling(board, san, long=castling[1] is not None)
    match = _MOVE.match(text)
    if match is None:
        raise SanError(
            f"move {shown(san)}: expected SAN such as e4, Nc3, Axb5, c8=Q or O-O, or two squares"
        )
    kind = _kind(board, san, match["letter"])
    promotion = _promotion(board, san, match["promotion"] or match["inner"])
    to_square = parse_square(match["to"])
    file = FILE_NAMES.index(match["file"]) if match["file"] else None
    rank = RANK_NAMES.index(match["rank"]) if match["rank"] else None
    if kind is None and (file is None or rank is None):
        kind = PAWN  # without a letter, only full coordinates name a piece
    position = board._position
    found = []
    for core in position.legal_moves():
        if move_to(core) != to_square:
            continue
        start = move_from(core)
        if (
            (file is None or start % FILES == file)
            and (rank is None or start // FILES == rank)
            and (kind is None or position.piece_at(start) & ~BLACK_PIECE == kind)
            and (move_promotion(core) or None) == promotion
            and not _is_unlettered_file_change(kind, match, start, to_square)
        ):
            found.append(board._from_core(core))
    if len(found) == 1:
        return found[0]
    if found:
        choices = " or ".join(sorted(board.san(move) for move in found))
        raise SanError(f"move {shown(san)} is ambiguous, expected {choices}")
    raise SanError(f"move {shown(san)} is not legal: {_why(board, kind, match, promotion)}")


def _is_unlettered_file_change(
    kind: int | None, match: re.Match[str], start: int, to_square: int
) -> bool:
    """Tell whether a pawn would capture though its file is not named, as SAN demands."""
    return kind == PAWN and not match["file"] and start % FILES != to_square % FILES


def _kind(board: Board, san: str, letter: str | None) -> int | None:
    if letter is None:
        return None
    kind = board.variant.types.get(letter)
    if kind is None:
        letters = " ".join(board.variant.types)
        raise SanError(
            f"move {shown(san)}: piece {letter!r}, expected one of {letters} in {board.uci_variant}"
        )
    return kind


def _promotion(board: Board, san: str, letter: str | None) -> int | None:
    if letter is None:
        return None
    promotion = board.variant.types.get(letter.upper())
    choices = board.variant.promotions[not board.turn]
    if promotion not in choices:
        letters = " ".join(board.variant.letters[choice] for choice in choices)
        raise SanError(f"move {shown(san)}: promotion {letter!r}, expected one of {letters}")
    return promotion


def _castling(board: Board, san: str, *, long: bool) -> Move:
    king_from, king_to, _, _ = board.variant.castling[2 * (not board.turn) + long]
    if board.king(board.turn) != king_from:
        reason = f"{SIDES[not board.turn]}'s King is not on {SQUARE_NAMES[king_from]}"
        raise SanError(f"move {shown(san)} is not legal: {reason}")
    try:
        return board._from_core(board._core_move(Move(king_from, king_to)))
    except MoveError as error:
        raise SanError(f"move {shown(san)} is not legal: {_reason(error)}") from None


def _reason(error: MoveError) -> str:
    """Return what a message says after naming the move."""
    return str(error).partition(": ")[2]


def _why(board: Board, kind: int | None, match: re.Match[str], promotion: int | None) -> str:
    """Say why no piece can make the move that was read."""
    to_square = parse_square(match["to"])
    color = 0 if board.turn else BLACK_PIECE
    starts = [
        square
        for square, code in enumerate(board._position.pieces())
        if code
        and code & BLACK_PIECE == color
        and (kind is None or code & ~BLACK_PIECE == kind)
        and (not match["file"] or FILE_NAMES[square % FILES] == match["file"])
        and (not match["rank"] or RANK_NAMES[square // FILES] == match["rank"])
    ]
    side = SIDES[not board.turn]
    if kind == PAWN and not match["file"]:
        starts = [square for square in starts if square % FILES == to_square % FILES]
        starts = sorted(starts, key=lambda square: abs(square - to_square))[:1]
    if len(starts) == 1 and starts[0] != to_square:
        try:
            board._core_move(Move(starts[0], to_square, promotion))
        except MoveError as error:
            return _reason(error)
    name = PIECE_NAMES[kind] if kind is not None else "piece"
    place = (match["file"] or "") + (match["rank"] or "")
    on = f" on {place}" if place else ""
    if not starts:
        return f"{side} has no {name}{on} that could"
    return f"no {name} of {side}'s{on} can go to {match['to']}"
