"""Boards as text."""

import pytest

from abdiel import BLACK, WHITE, Board, Piece, find_variant, text
from abdiel.board import BOARDS
from abdiel.pieces import PIECE_TYPES, UNICODE_SYMBOLS
from abdiel.squares import B1, B5, C5, SQUARE_NAMES


def test_plain() -> None:
    board = Board()
    board.push_uci("b1b5")
    assert str(board) == (
        "r d n b q k b n d r\n"
        "p p p p p p p p p p\n"
        ". . . . . . . . . .\n"
        ". A . . . . . . . .\n"
        ". . . . . . . . . .\n"
        ". . . . . . . . . .\n"
        "P P P P P P P P P P\n"
        "R . N B Q K B N A R"
    )
    assert str(find_variant("janus")()).splitlines()[-1] == "R J N B K Q B N J R"


def test_unicode() -> None:
    board = Board()
    assert board.unicode().splitlines()[0] == "♜ ♠ ♞ ♝ ♛ ♚ ♝ ♞ ♠ ♜"
    assert board.unicode().splitlines()[-1] == "♖ ☆ ♘ ♗ ♕ ♔ ♗ ♘ ☆ ♖"
    assert board.unicode(invert_color=True).splitlines()[-1] == "♜ ★ ♞ ♝ ♛ ♚ ♝ ♞ ★ ♜"
    assert board.unicode(orientation=BLACK).splitlines()[0] == "♖ ☆ ♘ ♗ ♔ ♕ ♗ ♘ ☆ ♖"
    assert board.unicode(empty_square=".").splitlines()[4] == " ".join("." * 10)
    assert find_variant("capablanca")().unicode().splitlines()[-1] == "♖ ♘ ◇ ♗ ♕ ♔ ♗ □ ♘ ♖"


def test_symbols_differ_and_take_one_column() -> None:
    symbols = [symbol for pair in UNICODE_SYMBOLS.values() for symbol in pair]
    assert set(UNICODE_SYMBOLS) == set(PIECE_TYPES)
    assert len(set(symbols)) == len(symbols) == 20
    for piece_type in PIECE_TYPES:
        white, black = Piece(piece_type, WHITE), Piece(piece_type, BLACK)
        assert white.unicode_symbol() == black.unicode_symbol(invert_color=True)


@pytest.mark.parametrize("board_class", BOARDS)
def test_borders(board_class: type[Board]) -> None:
    lines = board_class().unicode(borders=True).splitlines()
    assert len(lines) == 18
    assert {len(line) for line in lines[:-1]} == {43}
    assert lines[-1].split() == list("abcdefghij")
    assert lines[1].startswith("8 | ♜ |")
    flipped = board_class().unicode(borders=True, orientation=BLACK).splitlines()
    assert flipped[-1].split() == list("jihgfedcba")
    assert flipped[1].startswith("1 | ♖ |")


def test_diagram_marks_squares() -> None:
    board = Board()
    board.push_uci("b1b5")
    drawn = text.diagram(board, lastmove=[B1, B5], removed=[C5]).splitlines()
    assert drawn[7] == "5 |   |[A]|* *|" + "   |" * 7
    assert drawn[15].startswith("1 | R |[ ]| N |")
    drawn = text.diagram(board, symbol=lambda piece: piece.symbol().upper()).splitlines()
    assert drawn[1].startswith("8 | R | D | N |")


def test_names() -> None:
    assert SQUARE_NAMES[0] == "a1"
    assert SQUARE_NAMES[79] == "j8"
