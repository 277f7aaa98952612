"""SAN and UCI text of moves: written canonically, read tolerantly, refused in clear words."""

import json
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_boards import boards

from abdiel import (
    ANGEL,
    BISHOP,
    BLACK,
    DEVIL,
    KING,
    KNIGHT,
    ROOK,
    WHITE,
    Board,
    Move,
    MoveError,
    Piece,
    SanError,
    SquareSet,
    find_variant,
)
from abdiel.board import BOARDS, JanusBoard
from abdiel.notation.san import split_moves

DATA = Path(__file__).parent / "data"
ROWS = [json.loads(line) for line in (DATA / "family_play.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", ["capablanca", "gothic", "embassy", "janus"])
def test_known_sans(name: str) -> None:
    board_class = find_variant(name)
    checked = 0
    for row in ROWS:
        # Where the side not to move is in check, no move gives check any more: such positions
        # are refused, and SAN has no meaning there.
        if row["variant"] != name or "1P1P2p1P1/10/3ac5" in row["fen"]:
            continue
        board = board_class(row["fen"])
        assert len(row["san"]) == board.legal_moves.count()
        for uci, san in row["san"].items():
            move = board.parse_uci(uci)
            assert board.san(move) == san
            assert board.parse_san(san) == move
            checked += 1
    assert checked > 1500


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        # An Angel's capture by jumping only, by landing only, by both, and none over a friend.
        ("5k4/10/10/10/1Ap7/10/10/5K4 w - - 0 1", "b4d4", "Axd4"),
        ("5k4/10/10/10/1A1p6/10/10/5K4 w - - 0 1", "b4d4", "Axd4"),
        ("5k4/10/10/10/1AP7/10/10/5K4 w - - 0 1", "b4d4", "Ad4"),
        ("5k4/10/10/10/1A8/10/10/5K4 w - - 0 1", "b4d4", "Ad4"),
        # A Devil burns, takes its friend, or neither.
        ("5k4/10/10/3p6/1D8/10/10/5K4 w - - 0 1", "b4d4", "Dxd4"),
        ("5k4/10/10/10/1D1P6/10/10/5K4 w - - 0 1", "b4d4", "Dxd4"),
        ("5k4/10/10/10/1Dp7/10/10/5K4 w - - 0 1", "b4b6", "Db6"),
        # Promotions: to one's own special piece, without burning.
        ("10/2P2k4/10/10/10/10/10/5K4 w - - 0 1", "c7c8a", "c8=A"),
        ("5k4/10/10/10/10/10/2p7/1N3K4 b - - 0 1", "c2b1d", "cxb1=D"),
        ("10/2P2k4/10/10/10/10/10/5K4 w - - 0 1", "c7c8q", "c8=Q"),
        # Disambiguation by file, by rank, by both.
        ("5k4/10/10/10/A3A5/10/10/5K4 w - - 0 1", "a4c4", "Aac4"),
        ("5k4/4A5/10/10/10/4A5/10/5K4 w - - 0 1", "e7e5", "A7e5"),
        ("9k/10/N3N5/10/10/10/N4K4/10 w - - 0 1", "a6c5", "Nac5"),
        ("9k/10/N3N5/10/N3N5/10/10/5K4 w - - 0 1", "a6c5", "Na6c5"),
        # A rival that is pinned is none.
        ("5k4/10/10/4r5/10/2N1N5/10/4K5 w - - 0 1", "c3d5", "Nd5"),
        # En passant, castling, check and mate.
        ("5k4/10/10/3pP5/10/10/10/5K4 w - d6 0 1", "e5d6", "exd6"),
        ("5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1", "f1i1", "O-O"),
        ("5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1", "f1c1", "O-O-O"),
        ("5k4/10/10/10/10/10/10/R4K4 w - - 0 1", "a1a8", "Ra8+"),
        ("5k4/R9/10/10/10/10/10/1R3K4 w - - 0 1", "b1b8", "Rb8#"),
    ],
)
def test_rules_own_sans(fen: str, uci: str, san: str) -> None:
    board = Board(fen)
    move = board.parse_uci(uci)
    assert board.san(move) == san
    assert board.parse_san(san) == move
    assert board.fen() == fen


@pytest.mark.parametrize(
    ("fen", "uci", "texts"),
    [
        (None, "b1b5", "Ab5 Axb5 Ab5+ Ab5# Ab5!? Ab1-b5 Ab1b5 A1b5 b1b5 b1-b5 Ab5?? Ab5="),
        (None, "e2e4", "e4 e4! e2e4 e2-e4 Pe4 e4+"),
        (None, "c1d3", "Nd3 Nxd3 Ncd3 N1d3 Nc1d3 N:d3 c1d3"),
        (
            "10/2P2k4/10/10/10/10/10/5K4 w - - 0 1",
            "c7c8a",
            "c8=A c8A c8=a c8(A) c8/A c7c8a c7-c8=A+ c7c8=A",
        ),
        (
            "1n8/2P2k4/10/10/10/10/10/5K4 w - - 0 1",
            "c7b8q",
            "cxb8=Q cb8=Q cxb8Q cb8Q! c7xb8=Q c:b8=Q c7b8q",
        ),
        (
            "5k4/10/10/3pP5/10/10/10/5K4 w - d6 0 1",
            "e5d6",
            "exd6 ed6 exd6e.p. exd6ep ed6e.p.! e5xd6 e5d6",
        ),
        (
            "5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1",
            "f1i1",
            "O-O 0-0 o-o OO O-O+ 0-0! Kf1i1 f1i1 Ki1",
        ),
        (
            "5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1",
            "f1c1",
            "O-O-O 0-0-0 o-o-o OOO O-O-O# f1c1 Kc1",
        ),
    ],
)
def test_tolerance(fen: str | None, uci: str, texts: str) -> None:
    board = Board(fen)
    for text in texts.split():
        assert board.parse_san(text).uci() == uci, text
        assert board.parse_san(f" {text}\n").uci() == uci, text


@pytest.mark.parametrize(
    ("fen", "text", "words"),
    [
        (None, "", "expected SAN such as"),
        (None, "hello", "expected SAN such as"),
        (None, "Nk4", "expected SAN such as"),
        (None, "Na9", "expected SAN such as"),
        (None, "Cd3", "piece 'C', expected one of P N B R Q K A D in angelsanddevils"),
        (None, "Ab4", "no Angel of White's can go to b4"),
        (None, "A1b4", "no Angel of White's on 1 can go to b4"),
        (None, "Abb4", "the Angel on b1 cannot go to b4"),
        (None, "Dd3", "White has no Devil that could"),
        (None, "e5", "the pawn on e2 cannot go to e5"),
        (None, "exd3", "the pawn on e2 cannot go to d3"),
        (None, "O-O", "White cannot castle to i1: the Bishop on g1 is in the way"),
        (None, "e4=Q", "only a pawn that reaches the last rank is promoted"),
        (None, "Ke2", "the King on f1 cannot go to e2"),
        ("10/2P2k4/10/10/10/10/10/5K4 w - - 0 1", "c8", "must become one of q r b n a"),
        ("10/2P2k4/10/10/10/10/10/5K4 w - - 0 1", "c8=D", "expected one of Q R B N A"),
        ("10/2P2k4/10/10/10/10/10/5K4 w - - 0 1", "c8=K", "expected one of Q R B N A"),
        ("5k4/10/10/10/A3A5/10/10/5K4 w - - 0 1", "Ac4", "ambiguous, expected Aac4 or Aec4"),
        ("5k4/5r4/10/10/10/10/5N4/5K4 w - - 0 1", "Nd3", "White's King on f1 would be attacked"),
        ("k3r5/10/10/10/10/10/10/4KR4 w - - 0 1", "Rf3", "King on e1 would stay attacked"),
    ],
)
def test_refused(fen: str | None, text: str, words: str) -> None:
    with pytest.raises(SanError) as caught:
        Board(fen).parse_san(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lan_and_variation() -> None:
    board = Board()
    assert board.lan(board.parse_uci("b1b5")) == "Ab1-b5"
    assert board.lan(board.parse_uci("e2e4")) == "e2-e4"
    moves = [Move.from_uci(uci) for uci in ("b1b5", "b8b6", "e2e4")]
    assert board.variation_san(moves) == "1. Ab5 Dxb6 2. e4"
    board.push(moves[0])
    assert board.variation_san(moves[1:]) == "1... Dxb6 2. e4"
    assert board.move_stack == moves[:1]
    with pytest.raises(MoveError):
        board.variation_san([moves[0]])


def test_null_move() -> None:
    board = Board()
    for text in ("--", "0000", "Z0", "@@@@"):
        assert not board.parse_san(text)
    assert board.san(Move.null()) == "--"
    assert board.push_san("--") == Move.null()
    assert board.turn is False


@pytest.mark.parametrize(
    ("uci", "words"),
    [
        ("", "expected two squares"),
        ("b1", "expected two squares"),
        ("b1b5qq", "expected two squares"),
        ("b1k5", "expected a file a-j"),
        ("b9b5", "a rank 1-8"),
        ("b1b1", "the same square"),
        ("c7c8c", "expected one of q r b n a d"),
        ("c7c8Q", "expected one of q r b n a d"),
        ("B1B5", "expected a file a-j"),
        ("b1b4", "the Angel on b1 cannot go to b4"),
        ("b8b6", "the piece on b8 is Black's and White is to move"),
        ("b4b6", "there is no piece on b4"),
        ("f1i1", "cannot castle to i1: the Bishop on g1 is in the way"),
        ("b1b5q", "only a pawn that reaches the last rank"),
    ],
)
def test_uci_refused(uci: str, words: str) -> None:
    with pytest.raises(MoveError) as caught:
        Board().parse_uci(uci)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_letters_of_promotions() -> None:
    fen = "10/2P2k4/10/10/10/10/10/5K4 w - - 0 1"
    promotions = {
        board_class.uci_variant: {
            move.uci()[4:] for move in board_class(fen).legal_moves if move.promotion
        }
        for board_class in BOARDS
    }
    family = set("qrbnac")
    assert promotions == {
        "angelsanddevils": set("qrbna"),
        "capablanca": family,
        "gothic": family,
        "embassy": family,
        "janus": set("qrbnj"),
    }
    janus = JanusBoard(fen)
    by_hand = Move(62, 72, Move.from_uci("c7c8j", janus.variant).promotion)
    janus.push(by_hand)
    assert janus.peek().uci() == "c7c8j"


@given(boards())
def test_round_trips(board: Board) -> None:
    sans = set()
    for move in board.legal_moves:
        san = board.san(move)
        sans.add(san)
        assert board.parse_san(san) == move
        assert board.parse_san(board.lan(move)) == move
        assert board.parse_san(move.uci()) == move
        assert board.parse_uci(board.uci(move)) == move
        assert Move.from_uci(move.uci(), board.variant) == move
        assert ("x" in san) == board.is_capture(move)
        assert (san[-1] in "+#") == board.gives_check(move)
    assert len(sans) == board.legal_moves.count()


MOVISH = st.text(alphabet="KQRBNADCJPabcdefghij12345678x=+#-O0oqrn!? .ep@", max_size=9)


@given(boards(), st.text() | MOVISH)
def test_any_text_is_read_or_refused(board: Board, text: str) -> None:
    try:
        move = board.parse_san(text)
    except SanError as error:
        assert "\n" not in str(error)
    else:
        assert not move or move in board.legal_moves
    try:
        move = board.parse_uci(text)
    except MoveError as error:
        assert "\n" not in str(error)
    else:
        assert not move or move in board.legal_moves


class ReadOnly:
    """A core's position that cannot be moved on."""

    def __init__(self, position: Any) -> None:
        self._position = position

    def __getattr__(self, name: str) -> Any:
        if name in ("make", "unmake", "make_null", "unmake_null", "set"):
            raise AssertionError(f"{name} is called on the board's own position")
        return getattr(self._position, name)


@given(boards())
def test_asking_for_text_leaves_the_position_alone(board: Board) -> None:
    expected = [(board.san(move), board.lan(move)) for move in board.legal_moves]
    board._core = cast(Any, ReadOnly(board._core))
    assert [(board.san(move), board.lan(move)) for move in board.legal_moves] == expected
    for san, lan in expected:
        assert board.parse_san(san) == board.parse_san(lan)


def test_mate_is_seen_on_a_copy() -> None:
    board = Board("5k4/R9/10/10/10/10/10/1R3K4 w - - 0 1")
    board._core = cast(Any, ReadOnly(board._core))
    assert board.san(board.parse_san("Rb8")) == "Rb8#"
    assert board.san(board.parse_san("Ra8")) == "Ra8+"


@pytest.mark.parametrize(
    ("fen", "san", "reason"),
    [
        ("5k4/10/10/10/10/10/10/R4K3R w Q - 0 1", "O-O", "to castle with the Rook from j1 is lost"),
        ("r4k3r/10/10/10/10/10/10/5K4 b k - 0 1", "O-O-O", "with the Rook from a8 is lost"),
        ("5k4/10/10/10/10/10/10/R4K2NR w KQ - 0 1", "O-O", "the Knight on i1 is in the way"),
        ("5k4/10/10/10/10/10/10/Rn3K3R w KQ - 0 1", "O-O-O", "the Knight on b1 is in the way"),
        ("1k3r4/10/10/10/10/10/10/R4K3R w KQ - 0 1", "O-O", "the King on f1 is attacked"),
        ("1k4r3/10/10/10/10/10/10/R4K3R w KQ - 0 1", "O-O", "would pass g1, attacked from g8"),
        ("1k6r1/10/10/10/10/10/10/R4K3R w KQ - 0 1", "O-O", "would land on i1, attacked from i8"),
        ("1k8/10/10/10/10/2d7/10/R4K3R w KQ - 0 1", "O-O-O", "would pass d1, attacked from c3"),
        ("5k4/10/10/10/10/10/5K4/R8R w - - 0 1", "O-O", "White's King is not on f1"),
    ],
)
def test_castling_that_is_refused_says_why(fen: str, san: str, reason: str) -> None:
    board = Board(fen)
    with pytest.raises(SanError, match="is not legal: .*" + reason):
        board.parse_san(san)
    if "King is not on" not in reason:
        uci = {"O-O": "f1i1", "O-O-O": "f1c1"}[san]
        move = Move.from_uci(uci if board.turn else uci.replace("1", "8"))
        with pytest.raises(MoveError, match="is not legal: .* cannot castle to .*" + reason):
            board.push(move)


@pytest.mark.parametrize("board_class", BOARDS)
def test_no_castling_is_refused_without_a_reason(board_class: type[Board]) -> None:
    king, to, rook, _ = board_class.variant.castling[1]
    checked = 0
    for attacker in (DEVIL, ROOK, BISHOP, KNIGHT, ANGEL):
        if attacker not in board_class.variant.letters:
            continue
        for square in range(10, 70):
            board = board_class.empty()
            board.set_piece_map(
                {
                    king: Piece(KING, WHITE),
                    rook: Piece(ROOK, WHITE),
                    79: Piece(KING, BLACK),
                    square: Piece(attacker, BLACK),
                }
            )
            board.castling_rights = SquareSet([rook])
            move = Move(king, to)
            if not board.is_legal(move):
                with pytest.raises(MoveError, match="attacked"):
                    board.push(move)
                checked += 1
    assert checked > 20


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1. Ab5 a5", "Ab5 a5"),
        ("1.Ab5 a5 2.Axb7", "Ab5 a5 Axb7"),
        (" 1 Ab5  1... a5\n2 ... Axb7", "Ab5 a5 Axb7"),
        ("12... 0000 13. 0-0 --", "0000 0-0 --"),
        ("b1b5 a7a5 b5b7", "b1b5 a7a5 b5b7"),
        ("exd6 e.p. c8=Q", "exd6 e.p. c8=Q"),
        ("1.", ""),
        ("", ""),
    ],
)
def test_numbers_of_moves_are_passed_over(text: str, moves: str) -> None:
    assert split_moves(text) == moves.split()


@given(boards())
def test_a_variation_is_split_into_its_moves(board: Board) -> None:
    root = board.root()
    for san, move in zip(
        split_moves(root.variation_san(board.move_stack)), board.move_stack, strict=True
    ):
        assert root.push_san(san) == move
