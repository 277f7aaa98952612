"""FEN: what is read, what is refused and in which words, what is dropped, what is written."""

import json
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_boards import boards

from abdiel import Board, FenError, find_variant
from abdiel.board import BOARDS

DATA = Path(__file__).parent / "data"
START = Board.starting_fen
BARE = "5k4/10/10/10/10/10/10/5K4"

# The Kings attack each other's: positions of the data that the rules call illegal.
SIDE_NOT_TO_MOVE_IN_CHECK = 3


def test_known_positions_keep_their_fen() -> None:
    refused = 0
    for line in (DATA / "family_play.jsonl").read_text().splitlines():
        row = json.loads(line)
        board_class = find_variant(row["variant"])
        try:
            board = board_class(row["fen"])
        except FenError as error:
            assert "FEN (side to move)" in str(error)
            refused += 1
            continue
        assert board.fen() == row["fen"]
        assert board.is_check() == row["check"]
        assert {move.uci() for move in board.legal_moves} == set(row["moves"])
        for uci, after in row["moves"].items():
            board.push_uci(uci)
            assert board.fen() == after
            board.pop()
        assert board.fen() == row["fen"]
    assert refused == SIDE_NOT_TO_MOVE_IN_CHECK


@pytest.mark.parametrize("board_class", BOARDS)
def test_start(board_class: type[Board]) -> None:
    assert board_class().fen() == board_class.starting_fen
    assert board_class(board_class.starting_fen) == board_class()


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("", "found nothing"),
        (" \t ", "found nothing"),
        (f"{BARE} w - - 0 1 x", "7 fields"),
        ("5k4/10/10/10/10/10/5K4 w", "found 7 ranks"),
        ("/" + BARE, "found 9 ranks"),
        ("5k5/10/10/10/10/10/10/5K4", "rank 8: found 11 squares"),
        ("5k4/9/10/10/10/10/10/5K4", "rank 7: found 9 squares"),
        ("5k4//10/10/10/10/10/5K4", "rank 7: found 0 squares"),
        ("5k4/11/10/10/10/10/10/5K4", "found '11' empty squares"),
        ("5k4/0/10/10/10/10/10/5K4", "found '0' empty squares"),
        ("5k4/010/10/10/10/10/10/5K4", "found '010' empty squares"),
        ("5k4/9²/10/10/10/10/10/5K4", "rank 7: found '²'"),
        ("5k4/9C/10/10/10/10/10/5K4", "found 'C', expected one of P N B R Q K A D"),
        ("10/10/10/10/10/10/10/10", "the board is empty"),
        ("10/10/10/10/10/10/10/5K4", "Black has no King"),
        ("5k4/10/10/10/10/10/10/10", "White has no King"),
        ("5k4/10/10/10/10/10/10/4KK4", "White has 2 Kings (e1 f1)"),
        ("4Pk4/10/10/10/10/10/10/5K4", "a pawn on e8"),
        ("5k4/10/10/10/10/10/10/4pK4", "a pawn on e1"),
        ("P4k4/10/10/10/10/10/10/5K4", "a pawn on a8"),
        ("5k4/10/10/10/10/10/10/P4K4", "a pawn on a1"),
        ("5k4/10/10/10/10/10/5R4/5K4 w", "White to move attacks the King on f8 from f2"),
        ("5k4/10/10/10/10/10/10/3d1K4 b", "Black to move attacks the King on f1"),
        (f"{BARE} W", "field 2 (side to move): found 'W'"),
        (f"{BARE} w KK", "field 3 (castling): found 'KK'"),
        (f"{BARE} w X", "field 3 (castling): found 'X'"),
        (f"{BARE} w - k9", "field 4 (en passant): found 'k9'"),
        (f"{BARE} w - e", "field 4 (en passant): found 'e'"),
        (f"{BARE} w - - -1", "field 5 (halfmove clock): found '-1'"),
        (f"{BARE} w - - x", "field 5 (halfmove clock): found 'x'"),
        (f"{BARE} w - - ٣", "field 5 (halfmove clock)"),
        (f"{BARE} w - - 10000", "expected a number 0 to 9999"),
        (f"{BARE} w - - 0 1.5", "field 6 (fullmove number): found '1.5'"),
        (f"{BARE} w - - 0 {'9' * 5000}", "expected a number 0 to 99999"),
    ],
)
def test_refused(fen: str, words: str) -> None:
    board = Board()
    board.push_uci("b1b5")
    before = board.fen(), board.move_stack[:]
    with pytest.raises(FenError) as caught:
        board.set_fen(fen)
    message = str(caught.value)
    assert words in message
    assert "\n" not in message
    assert len(message) < 200
    assert (board.fen(), board.move_stack) == before


def test_letters_belong_to_their_variant() -> None:
    with_chancellor = BARE.replace("5K4", "4CK4")
    with_janus = BARE.replace("5K4", "4JK4")
    assert find_variant("capablanca")(with_chancellor).board_fen() == with_chancellor
    assert find_variant("janus")(with_janus).board_fen() == with_janus
    for name, fen in (("janus", with_chancellor), ("gothic", with_janus)):
        with pytest.raises(FenError, match="expected one of"):
            find_variant(name)(fen)


def test_both_armies_in_both_colours() -> None:
    fen = "adadak4/10/10/10/10/10/10/ADADAK4 w - - 0 1"
    assert Board(fen).fen() == fen


@pytest.mark.parametrize(
    ("short", "full"),
    [
        (BARE, f"{BARE} w - - 0 1"),
        (f"{BARE} b", f"{BARE} b - - 0 1"),
        (f"{BARE} b - - 7", f"{BARE} b - - 7 1"),
        (f"  {BARE}   b  -  -  7  3 ", f"{BARE} b - - 7 3"),
        (f"{BARE} w - - 0 0", f"{BARE} w - - 0 1"),
    ],
)
def test_missing_fields(short: str, full: str) -> None:
    assert Board(short).fen() == full


@pytest.mark.parametrize(
    ("placement", "castling", "kept"),
    [
        ("r4k3r/10/10/10/10/10/10/R4K3R", "KQkq", "KQkq"),
        ("r4k3r/10/10/10/10/10/10/R4K3R", "qkQK", "KQkq"),
        ("r4k3r/10/10/10/10/10/10/R4K4", "KQkq", "Qkq"),
        ("r3k4r/10/10/10/10/10/10/R4K3R", "KQkq", "KQ"),
        ("n4k3r/10/10/10/10/10/10/r4K3R", "KQkq", "Kk"),
        (BARE, "KQkq", "-"),
    ],
)
def test_castling_rights_without_their_pieces_are_dropped(
    placement: str, castling: str, kept: str
) -> None:
    board = Board(f"{placement} w {castling} - 0 1")
    assert board.fen() == f"{placement} w {kept} - 0 1"


@pytest.mark.parametrize(
    ("name", "placement"),
    [
        ("embassy", "r3k4r/10/10/10/10/10/10/R3K4R"),
        ("janus", "r3k4r/10/10/10/10/10/10/R3K4R"),
        ("gothic", "r4k3r/10/10/10/10/10/10/R4K3R"),
    ],
)
def test_castling_rights_of_the_family(name: str, placement: str) -> None:
    fen = f"{placement} w KQkq - 0 1"
    assert find_variant(name)(fen).fen() == fen


@pytest.mark.parametrize(
    ("placement", "turn", "ep", "legal", "xfen", "raw"),
    [
        # A pawn is ready to capture.
        ("5k4/10/10/3pP5/10/10/10/5K4", "w", "d6", "d6", "d6", "d6"),
        ("5k4/10/10/10/3pP5/10/10/5K4", "b", "e3", "e3", "e3", "e3"),
        # None is ready; the a-file has no neighbour on the j-file of the rank before.
        ("5k4/10/10/3p6/10/10/10/5K4", "w", "d6", "-", "-", "d6"),
        ("5k4/10/9P/p9/10/10/10/5K4", "w", "a6", "-", "-", "a6"),
        # Ready, but pinned: the capture would open the rank.
        ("10/10/10/k2pP4R/10/10/10/5K4", "w", "d6", "d6", "d6", "d6"),
        ("10/10/10/K2pP4r/10/10/10/5k4", "w", "d6", "-", "d6", "d6"),
        # Not borne out: no pawn behind, an occupied square, the wrong rank, the wrong side.
        ("5k4/10/10/4P5/10/10/10/5K4", "w", "d6", "-", "-", "-"),
        ("5k4/10/3n6/3pP5/10/10/10/5K4", "w", "d6", "-", "-", "-"),
        ("5k4/3n6/10/3pP5/10/10/10/5K4", "w", "d6", "-", "-", "-"),
        ("5k4/10/10/3pP5/10/10/10/5K4", "w", "d5", "-", "-", "-"),
        ("5k4/10/10/3pP5/10/10/10/5K4", "b", "d6", "-", "-", "-"),
        ("5k4/10/10/10/3pP5/10/10/5K4", "w", "e3", "-", "-", "-"),
    ],
)
def test_en_passant(placement: str, turn: str, ep: str, legal: str, xfen: str, raw: str) -> None:
    board = Board(f"{placement} {turn} - {ep} 0 1")
    specs: list[tuple[Literal["legal", "xfen", "fen"], str]] = [
        ("legal", legal),
        ("xfen", xfen),
        ("fen", raw),
    ]
    for spec, expected in specs:
        assert board.fen(en_passant=spec).split()[3] == expected
    assert board.has_legal_en_passant() == (legal != "-")
    assert (board.ep_square is not None) == (raw != "-")


def test_crowded_boards_are_no_trouble() -> None:
    full = "/".join(["KQQQQQQQQQ", *["QQQQQQQQQQ"] * 6, "QQQQQQQQQk"])
    board = Board(f"{full} b - - 0 1")
    assert len(board.checkers()) == 3
    assert board.legal_moves.count() == len(list(board.legal_moves)) == 0
    angels = "/".join(["KADADADADA", *["1A1D1A1D1A", "D1A1D1A1D1"] * 3, "9k"])
    board = Board(f"{angels} b - - 0 1")
    assert board.fen() == f"{angels} b - - 0 1"
    assert board.legal_moves.count() == len(list(board.legal_moves))


@given(boards())
def test_round_trip(board: Board) -> None:
    specs: list[Literal["legal", "fen", "xfen"]] = ["legal", "fen", "xfen"]
    for spec in specs:
        fen = board.fen(en_passant=spec)
        again = type(board)(fen)
        assert again == board
        assert again.fen(en_passant="fen") == board.fen(en_passant="fen") or spec != "fen"
        assert list(again.legal_moves) == list(board.legal_moves)


FENNISH = st.text(alphabet="rnbqkadcjpRNBQKADCJP0123456789/ wbKQkq-abcdefghij36~[]", max_size=90)


@given(st.sampled_from(BOARDS), st.text() | FENNISH)
def test_any_text_is_read_or_refused(board_class: type[Board], text: str) -> None:
    try:
        board = board_class(text)
    except FenError as error:
        assert "\n" not in str(error)
    else:
        assert board_class(board.fen()) == board


@given(boards(), st.data())
def test_damaged_fens_are_read_or_refused(board: Board, data: st.DataObject) -> None:
    fen = list(board.fen())
    at = data.draw(st.integers(0, len(fen) - 1))
    fen[at] = data.draw(st.sampled_from(" /10kKpPaAwb-qé"))
    try:
        again = type(board)("".join(fen))
    except FenError as error:
        assert "\n" not in str(error)
    else:
        assert again.legal_moves.count() == len(list(again.legal_moves))
