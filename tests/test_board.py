"""`Board`: python-chess's habits, editing, the end of the game, and `chess.engine` driving it."""

import copy
import doctest
import pickle
import subprocess
import sys
from typing import Any, cast

import chess
import chess.engine
import pytest
from hypothesis import given, settings
from random_boards import boards

import abdiel
from abdiel import (
    ANGEL,
    ARCHBISHOP,
    BLACK,
    DEVIL,
    KING,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    Board,
    BoardError,
    FenError,
    Move,
    MoveError,
    Piece,
    SquareSet,
    find_variant,
    parse_square,
)
from abdiel.board import BOARDS, CapablancaBoard, JanusBoard
from abdiel.squares import (
    A1,
    A8,
    B1,
    B4,
    B5,
    B6,
    B8,
    C1,
    D4,
    E2,
    E4,
    F1,
    F8,
    I1,
    J1,
    J8,
    SQUARE_NAMES,
    square_mirror,
)
from abdiel.version import VERSION

CASTLING = "r4k3r/pppppppppp/10/10/10/10/PPPPPPPPPP/R4K3R w KQkq - 0 1"


def squares(text: str) -> SquareSet:
    return SquareSet(parse_square(name) for name in text.split())


def test_worked_example() -> None:
    assert doctest.testmod(abdiel).failed == 0


def test_import_is_light() -> None:
    code = "import abdiel, sys; abdiel.Board().legal_moves; print(*sys.modules)"
    modules = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    heavy = {"chess", "rich", "typing", "re", "dataclasses", "enum", "asyncio", "logging"}
    # What the interpreter's own start has loaded, editable installs included, is not the board's.
    bare = subprocess.check_output(
        [sys.executable, "-c", "import sys; print(*sys.modules)"], text=True
    ).split()
    assert heavy & set(modules) - set(bare) == set()


def test_public_names() -> None:
    assert len(abdiel.__all__) == len(set(abdiel.__all__))
    assert sorted([*abdiel.__all__, "__version__"]) == sorted(dir(abdiel))
    assert abdiel.__version__ == VERSION
    assert Board().fen() == abdiel.STARTING_FEN
    for square in abdiel.SQUARES:
        assert getattr(abdiel, abdiel.square_name(square).upper()) == square
    assert (abdiel.A1, abdiel.J8, len(abdiel.SQUARES)) == (0, 79, 80)
    for name in abdiel.__all__:
        assert getattr(abdiel, name) is not None
    with pytest.raises(AttributeError):
        abdiel.nothing  # noqa: B018


# Variants.


def test_find_variant() -> None:
    assert [board_class.uci_variant for board_class in BOARDS] == list(abdiel.VARIANTS)
    for board_class in BOARDS:
        for name in (board_class.uci_variant, *board_class.aliases):
            assert find_variant(name) is board_class
            assert find_variant(f" {name.upper()} ") is board_class
        assert board_class.starting_fen == board_class().fen()
    with pytest.raises(ValueError, match="'chess': expected one of angelsanddevils, capablanca"):
        find_variant("chess")


def test_subclass_without_arguments_keeps_the_variant() -> None:
    class MyBoard(JanusBoard):
        pass

    assert MyBoard() == JanusBoard()
    assert MyBoard().copy().uci_variant == "janus"


@pytest.mark.parametrize(
    ("name", "depth", "nodes"),
    [
        ("angelsanddevils", 3, 23572),
        ("capablanca", 3, 25228),
        ("gothic", 3, 25283),
        ("embassy", 3, 25281),
        ("janus", 3, 24747),
    ],
)
def test_perft(name: str, depth: int, nodes: int) -> None:
    board = find_variant(name)()
    assert board.perft(depth) == nodes
    assert board.perft(0) == 1
    with pytest.raises(ValueError, match="depth -1"):
        board.perft(-1)


# Moves.


def test_legal_moves_view() -> None:
    board = Board()
    moves = board.legal_moves
    assert moves.count() == len(moves) == len(list(moves)) == 28
    assert Move.from_uci("b1b5") in moves
    assert Move.from_uci("b1b4") not in moves
    assert Move.from_uci("b1b5").promotion is None
    assert Move(B1, B5, QUEEN) not in moves
    assert Move(B1, 500) not in moves
    assert Move(-3, 4) not in moves
    assert "b1b5" not in moves
    assert moves
    assert "Ab5" in repr(moves)
    board.push_uci("b1b5")  # the view is of the board as it is
    assert moves.count() == 27


@given(boards())
def test_generated_moves_are_those_of_the_view(board: Board) -> None:
    moves = list(board.legal_moves)
    assert list(board.generate_legal_moves()) == moves
    captures = list(board.generate_legal_captures())
    assert set(captures) == {move for move in moves if board.is_capture(move)}
    assert len(captures) == len(set(captures))
    lower = SquareSet(range(40))
    assert list(board.generate_legal_moves(lower, ~lower)) == [
        move for move in moves if move.from_square in lower and move.to_square not in lower
    ]
    assert set(board.generate_legal_captures(to_mask=int(lower))) == {
        move for move in captures if move.to_square in lower
    }


def test_push_pop_peek() -> None:
    board = Board()
    with pytest.raises(IndexError):
        board.pop()
    with pytest.raises(IndexError):
        board.peek()
    move = board.push_uci("b1b5")
    assert board.peek() == move == board.move_stack[-1]
    assert board.turn == BLACK
    board.push_san("Db6")
    assert board.fullmove_number == 2
    assert board.pop() == Move(B8, B6)
    assert board.pop() == move
    assert board == Board()


def test_push_refuses_illegal_moves() -> None:
    board = Board()
    with pytest.raises(MoveError, match="move b1b4 is not legal: the Angel on b1 cannot go to b4"):
        board.push(Move.from_uci("b1b4"))
    with pytest.raises(MoveError, match="squares 3 and 99, expected 0 to 79"):
        board.push(Move(3, 99))
    with pytest.raises(MoveError, match="expected 0 to 79"):
        board.push(Move(-1, 5))
    assert board == Board()
    assert not board.move_stack


@pytest.mark.parametrize(
    ("move", "found"),
    [
        (None, "move None: found a NoneType"),
        ("b1b5", "move 'b1b5': found a str"),
        (chess.Move.from_uci("e2e4"), r"move Move.from_uci\('e2e4'\): found a chess.Move"),
        (chess.Move.null(), r"move Move.from_uci\('0000'\): found a chess.Move"),
    ],
)
def test_only_our_moves_are_taken(move: Any, found: str) -> None:
    board = Board()
    for take in (
        board.push,
        board.is_legal,
        board.removed,
        board.is_capture,
        board.is_zeroing,
        board.is_en_passant,
        board.is_castling,
        board.is_kingside_castling,
        board.gives_check,
        board.uci,
        board.xboard,
        board.san,
        board.lan,
        lambda move: board.variation_san([move]),
        abdiel.pgn.Game().add_variation,
    ):
        with pytest.raises(TypeError, match=f"^{found}, expected an abdiel.Move$"):
            take(move)
    assert move not in board.legal_moves
    assert board == Board()
    assert not board.move_stack


def test_null_moves() -> None:
    board = Board()
    assert not Move.null()
    assert Move.null().uci() == "0000"
    board.push(Move.null())
    assert board.turn == BLACK
    board.push_uci("b8b6")
    assert board.pop() == Move(B8, B6)
    assert board.pop() == Move.null()
    assert board == Board()
    assert board.parse_uci("0000") == Move.null()
    assert not board.removed(Move.null())
    assert not board.is_capture(Move.null())
    checked = Board("5k4/10/10/10/10/10/10/r4K4 w - - 0 1")
    with pytest.raises(MoveError, match="passing is not possible while in check"):
        checked.push(Move.null())


@pytest.mark.parametrize(
    ("fen", "uci", "emptied"),
    [
        ("5k4/10/10/10/1Appp5/10/10/5K4 w - - 0 1", "b4f4", "c4 d4 e4"),
        ("5k4/10/10/10/1AppPp4/10/10/5K4 w - - 0 1", "b4f4", "c4 d4 f4"),
        ("5k4/10/10/3p6/1Dppp5/3p6/10/5K4 w - - 0 1", "b4d4", "d5 d4 e4 c4 d3"),
        ("5k4/10/10/3p6/1DpPp5/3p6/10/5K4 w - - 0 1", "b4d4", "d5 d4 e4 c4 d3"),
        ("5k4/10/10/3P6/1DPPP5/3P6/10/5K4 w - - 0 1", "b4d4", "d4"),
        ("5k4/10/10/3pP5/10/10/10/5K4 w - d6 0 1", "e5d6", "d5"),
        (CASTLING, "f1i1", ""),
        ("10/2P2k4/10/10/10/10/10/5K4 w - - 0 1", "c7c8q", ""),
    ],
)
def test_removed(fen: str, uci: str, emptied: str) -> None:
    board = Board(fen)
    move = board.parse_uci(uci)
    assert board.removed(move) == squares(emptied)
    assert board.is_capture(move) == bool(emptied)
    with pytest.raises(MoveError):
        board.removed(Move(A8, A1))


def test_kinds_of_moves() -> None:
    board = Board(CASTLING)
    short, long = board.parse_uci("f1i1"), board.parse_uci("f1c1")
    assert board.is_castling(short)
    assert board.is_castling(long)
    assert board.is_kingside_castling(short)
    assert board.is_queenside_castling(long)
    assert not board.is_queenside_castling(short)
    assert not board.is_castling(board.parse_uci("f1g1"))
    assert not board.is_zeroing(short)
    assert board.is_zeroing(board.parse_uci("a2a3"))
    board = Board("5k4/10/10/3pP5/10/10/10/5K4 w - d6 0 1")
    assert board.is_en_passant(board.parse_uci("e5d6"))
    assert not board.is_en_passant(board.parse_uci("e5e6"))
    assert board.is_zeroing(board.parse_uci("e5d6"))


def test_find_move() -> None:
    board = Board("10/2P2k4/10/10/10/10/10/5K4 w - - 0 1")
    at, to = parse_square("c7"), parse_square("c8")
    assert board.find_move(at, to).promotion == QUEEN
    assert board.find_move(at, to, ANGEL).uci() == "c7c8a"
    with pytest.raises(MoveError):
        board.find_move(at, to, DEVIL)
    with pytest.raises(MoveError):
        board.find_move(F1, F8)


@given(boards())
def test_laws_of_moves(board: Board) -> None:
    fen = board.fen(en_passant="fen")
    occupied = set(board.piece_map())
    for move in board.legal_moves:
        removed = board.removed(move)
        gives_check = board.gives_check(move)
        en_passant, castles = board.is_en_passant(move), board.is_castling(move)
        zeroes = board.is_zeroing(move)
        assert set(removed) <= occupied - {move.from_square}
        board.push(move)
        assert board.is_check() == gives_check
        assert bool(board.checkers()) == gives_check
        after = set(board.piece_map())
        if not castles:
            assert after == (occupied - set(removed) - {move.from_square}) | {move.to_square}
        assert len(after) == len(occupied) - len(removed)
        assert not en_passant or len(removed) == 1
        assert (board.halfmove_clock == 0) == zeroes
        assert board.pop() == move
    assert board.fen(en_passant="fen") == fen


# Pieces and edits.


def test_pieces() -> None:
    board = Board()
    assert board.piece_at(B1) == Piece(ANGEL, WHITE)
    assert board.piece_at(B8) == Piece(DEVIL, BLACK)
    assert board.piece_at(E4) is None
    assert board.piece_type_at(B8) == DEVIL
    assert board.piece_type_at(E4) is None
    assert (board.color_at(B1), board.color_at(B8), board.color_at(E4)) == (WHITE, BLACK, None)
    assert board.king(WHITE) == F1
    assert board.king(BLACK) == F8
    assert board.pieces(ANGEL, WHITE) == {B1, I1}
    assert not board.pieces(ANGEL, BLACK)
    assert len(board.piece_map()) == 40
    for square in (-1, 80):
        with pytest.raises(ValueError, match=f"square {square}: expected 0 to 79"):
            board.piece_at(square)


def test_numbers_off_the_board() -> None:
    for make in (
        abdiel.square_name,
        abdiel.square_file,
        abdiel.square_rank,
        square_mirror,
        lambda square: SquareSet([A1, square]),
        Board().piece_at,
    ):
        for number in (-1, 80):
            with pytest.raises(ValueError, match=f"^square {number}: expected 0 to 79$"):
                make(number)
        with pytest.raises(TypeError, match=r"^square 'a1': expected a number 0 to 79$"):
            make(cast(Any, "a1"))
    with pytest.raises(ValueError, match=r"^file 10: expected 0 to 9$"):
        abdiel.square(10, 7)
    with pytest.raises(ValueError, match=r"^rank -1: expected 0 to 7$"):
        abdiel.square(0, -1)
    assert repr(Move(99, 100)) == "Move(99, 100, None)"
    with pytest.raises(ValueError, match="square 99: expected 0 to 79"):
        Move(99, 100).uci()


def test_symbols_depend_on_the_variant() -> None:
    angel, archbishop = Board().piece_at(B1), CapablancaBoard().piece_at(C1)
    janus = JanusBoard().piece_at(B1)
    assert angel and archbishop and janus
    assert [piece.symbol() for piece in (angel, archbishop, janus)] == ["A", "A", "J"]
    assert archbishop == janus == Piece(ARCHBISHOP, WHITE) != angel
    assert len({archbishop, janus, angel}) == 2
    assert Piece.from_symbol("a") == Piece(ANGEL, BLACK)
    assert Piece.from_symbol("a", CapablancaBoard.variant) == Piece(ARCHBISHOP, BLACK)
    assert str(Piece.from_symbol("j", JanusBoard.variant)) == "j"
    for symbol in ("", "X", "C", "AA"):
        with pytest.raises(ValueError, match="has P N B R Q K A D"):
            Piece.from_symbol(symbol)
    with pytest.raises(ValueError, match="expected 1 to 10"):
        Piece(11, WHITE)


def test_edits_forget_the_moves() -> None:
    board = Board()
    board.push_uci("b1b5")
    board.set_piece_at(E4, Piece(QUEEN, WHITE))
    assert not board.move_stack
    assert board.piece_at(E4) == Piece(QUEEN, WHITE)
    assert board.remove_piece_at(E4) == Piece(QUEEN, WHITE)
    assert board.remove_piece_at(E4) is None
    assert board.fen() == "rdnbqkbndr/pppppppppp/10/1A8/10/10/PPPPPPPPPP/R1NBQKBNAR b KQkq - 1 1"
    assert board.legal_moves.count() == 27
    assert board.root() == board


def test_board_without_a_king() -> None:
    board = Board()
    board.remove_piece_at(F1)
    assert board.king(WHITE) is None
    assert not board.is_valid()
    assert board.status() == chess.STATUS_NO_WHITE_KING
    assert board.fen() == "rdnbqkbndr/pppppppppp/10/10/10/10/PPPPPPPPPP/RANBQ1BNAR w kq - 0 1"
    assert board.copy().fen() == board.fen()
    assert board.copy() == board == board.root() == pickled(board)
    for ask in (board.is_check, board.legal_moves.count, board.outcome, lambda: board.perft(1)):
        with pytest.raises(BoardError, match="White has no King, expected one"):
            ask()
    with pytest.raises(BoardError):
        board.push_uci("e2e4")
    board.set_piece_at(F1, Piece(KING, WHITE))
    assert board.is_valid()
    assert board.legal_moves.count() == 28


def test_status() -> None:
    board = Board.empty()
    assert board.status() == (
        chess.STATUS_EMPTY | chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING
    )
    board.set_piece_map({F1: Piece(KING, WHITE), F8: Piece(KING, BLACK), A1: Piece(PAWN, BLACK)})
    assert board.status() == chess.STATUS_PAWNS_ON_BACKRANK
    board.set_piece_at(A1, Piece(KING, WHITE))
    assert board.status() == chess.STATUS_TOO_MANY_KINGS
    board.set_piece_at(A1, None)
    board.set_piece_at(A8, Piece(ROOK, WHITE))
    assert board.status() == chess.STATUS_OPPOSITE_CHECK
    with pytest.raises(BoardError, match="White to move attacks the King on f8 from a8"):
        board.legal_moves.count()
    board.turn = BLACK
    assert board.status() == chess.STATUS_VALID
    assert board.is_check()


def test_setting_fields() -> None:
    board = Board(CASTLING)
    assert board.castling_rights == {A1, J1, A8, J8}
    board.castling_rights = SquareSet([A1, J8])
    assert board.fen().split()[2] == "Qk"
    assert board.has_queenside_castling_rights(WHITE)
    assert not board.has_kingside_castling_rights(WHITE)
    assert board.has_castling_rights(BLACK)
    assert not board.has_queenside_castling_rights(BLACK)
    board.set_castling_fen("KQ")
    assert not board.has_castling_rights(BLACK)
    board.turn = BLACK
    board.halfmove_clock = 7
    board.fullmove_number = 9
    assert board.fen().split()[1:] == ["b", "KQ", "-", "7", "9"]
    assert board.ply() == 17
    board = Board("5k4/10/10/3pP5/10/10/10/5K4 w - - 0 1")
    board.ep_square = parse_square("d6")
    assert board.fen().split()[3] == "d6"
    assert board.has_legal_en_passant()
    board.ep_square = E4
    assert board.fen(en_passant="fen").split()[3] == "-"
    board.set_board_fen("5k4/10/10/10/10/10/10/4AK4")
    assert board.board_fen() == "5k4/10/10/10/10/10/10/4AK4"
    with pytest.raises(FenError):
        board.set_board_fen("5k4")
    assert board.board_fen() == "5k4/10/10/10/10/10/10/4AK4"
    board.reset()
    assert board == Board()


@pytest.mark.parametrize(
    ("field", "number", "expected"),
    [
        ("halfmove_clock", -5, "0 to 9999"),
        ("halfmove_clock", 10_000, "0 to 9999"),
        ("halfmove_clock", 1.5, "a number 0 to 9999"),
        ("fullmove_number", 0, "1 to 99999"),
        ("fullmove_number", 2**31 - 1, "1 to 99999"),
        ("fullmove_number", 2**40, "1 to 99999"),
        ("fullmove_number", "x", "a number 1 to 99999"),
        ("fullmove_number", None, "a number 1 to 99999"),
        ("ep_square", 999, "0 to 79"),
        ("ep_square", -1, "0 to 79"),
        ("ep_square", "e6", "a number 0 to 79"),
    ],
)
def test_fields_are_kept_within_what_a_fen_holds(field: str, number: Any, expected: str) -> None:
    board = Board()
    board.push_uci("b1b5")
    error = TypeError if expected.startswith("a number") else ValueError
    with pytest.raises(error, match=f"^{field} {number!r}: expected {expected}$"):
        setattr(board, field, number)
    assert board.is_valid()
    assert board.move_stack
    assert board.fen().endswith(" b KQkq - 1 1")


def test_fields_reach_their_limits() -> None:
    board = Board()
    board.halfmove_clock, board.fullmove_number = 9_999, 99_999
    assert board.is_valid()
    assert Board(board.fen()) == board


def test_set_piece_the_variant_does_not_have() -> None:
    with pytest.raises(ValueError, match="janus has P N B R Q K J"):
        JanusBoard().set_piece_at(E4, Piece(ANGEL, WHITE))


@given(boards())
def test_editing_rebuilds_any_position(board: Board) -> None:
    built = type(board).empty()
    for square, piece in board.piece_map().items():
        built.set_piece_at(square, piece)
    built.turn = board.turn
    built.castling_rights = board.castling_rights
    built.ep_square = board.ep_square
    built.halfmove_clock = board.halfmove_clock
    built.fullmove_number = board.fullmove_number
    assert built == board
    assert list(built.legal_moves) == list(board.legal_moves)
    assert built.fen(en_passant="fen") == board.fen(en_passant="fen")


# Attacks.


def test_attackers() -> None:
    # An Angel reaches the square beside it only by jumping on to the next or the fourth.
    board = Board("5k4/10/10/10/1A8/10/10/5K4 w - - 0 1")
    reached = {name for name in SQUARE_NAMES if board.is_attacked_by(WHITE, parse_square(name))}
    angel = reached - {"e1", "e2", "f2", "g1", "g2"}
    assert angel == {"b2", "b3", "b5", "b6", "b7", "b8", "c4", "d4", "e4", "f4"}
    board = Board("5k4/10/10/10/1D8/10/10/5K4 w - - 0 1")
    assert board.attackers(WHITE, D4) == squares("b4")
    assert board.attackers(WHITE, parse_square("c4")) == squares("b4")
    assert not board.attackers(BLACK, D4)
    with pytest.raises(ValueError, match="expected 0 to 79"):
        board.attackers(WHITE, 80)
    board = Board("5k4/10/10/10/10/10/10/r4K4 w - - 0 1")
    assert board.checkers() == squares("a1")


@given(boards())
def test_attacks_and_attackers_agree(board: Board) -> None:
    for square, piece in board.piece_map().items():
        attacked = board.attacks(square)
        for target in range(80):
            assert (target in attacked) == (square in board.attackers(piece.color, target))


def test_attacks() -> None:
    board = Board("5k4/10/10/10/1A8/10/10/5K4 w - - 0 1")
    assert board.attacks(B4) == squares("b2 b3 b5 b6 b7 b8 c4 d4 e4 f4")
    assert not board.attacks(A1)
    with pytest.raises(ValueError, match="expected 0 to 79"):
        board.attacks(80)


def test_pinned() -> None:
    board = Board("5k4/5n4/10/10/5R4/10/2b7/1N3K4 w - - 0 1")
    for turn in (WHITE, BLACK):
        board.turn = turn
        assert board.is_pinned(BLACK, parse_square("f7"))
        assert not board.is_pinned(WHITE, parse_square("f7"))
        assert not board.is_pinned(WHITE, B1)
    board = Board("5k4/10/10/10/10/10/10/rN3K4 b - - 0 1")
    assert board.is_pinned(WHITE, B1)
    assert not board.is_pinned(BLACK, B1)
    assert not board.move_stack
    with pytest.raises(ValueError, match="expected 0 to 79"):
        board.is_pinned(WHITE, -1)


# The end.

MATE = "5k4/R9/10/10/10/10/10/1R3K4 w - - 99 80"


def test_checkmate_on_the_hundredth_half_move_wins() -> None:
    board = Board(MATE)
    assert board.outcome() is None
    assert board.result() == "*"
    board.push_san("Rb8#")
    assert board.halfmove_clock == 100
    assert board.is_checkmate()
    assert not board.is_fifty_moves()
    assert board.outcome() == chess.Outcome(chess.Termination.CHECKMATE, chess.WHITE)
    assert board.result() == "1-0"


def test_fifty_moves() -> None:
    board = Board(MATE)
    assert not board.can_claim_fifty_moves()
    board.push_san("Rb2")
    assert board.can_claim_fifty_moves()
    assert board.is_fifty_moves()
    assert board.can_claim_draw()
    assert board.outcome() == chess.Outcome(chess.Termination.FIFTY_MOVES, None)
    assert board.is_game_over()
    assert board.result() == "1/2-1/2"


def test_stalemate() -> None:
    board = Board("k9/2Q7/10/10/10/10/10/5K4 b - - 0 1")
    assert board.is_stalemate()
    assert not board.is_checkmate()
    assert board.outcome() == chess.Outcome(chess.Termination.STALEMATE, None)


@pytest.mark.parametrize(
    ("pieces", "dead"),
    [("10", True), ("9N", True), ("8B1", True), ("9A", False), ("9D", False), ("8NN", False)],
)
def test_dead_positions(pieces: str, dead: bool) -> None:
    board = Board(f"5k4/10/10/10/{pieces}/10/10/5K4 w - - 0 1")
    assert board.is_insufficient_material() == dead
    ending = chess.Outcome(chess.Termination.INSUFFICIENT_MATERIAL, None) if dead else None
    assert board.outcome() == ending


def test_threefold_repetition() -> None:
    board = Board("1r3k4/10/10/10/10/10/10/1R3K4 w - - 0 1")
    shuffle = ["b1a1", "b8a8", "a1b1", "a8b8"]
    for times in range(2):
        assert board.is_repetition(times + 1)
        assert not board.is_repetition(times + 2)
        for uci in shuffle:
            assert board.outcome() is None
            board.push_uci(uci)
    assert board.is_repetition()
    assert board.can_claim_threefold_repetition()
    assert board.outcome() == chess.Outcome(chess.Termination.THREEFOLD_REPETITION, None)
    assert board.copy().is_repetition()
    assert not board.copy(stack=False).is_repetition()
    assert not board.copy(stack=3).is_repetition(2)
    assert board.copy(stack=4).is_repetition(2)
    board.pop()
    assert board.outcome() is None


# Copies and comparison.


def pickled(board: Board, protocol: int = pickle.DEFAULT_PROTOCOL) -> Board:
    again = pickle.loads(pickle.dumps(board, protocol))
    assert isinstance(again, type(board))
    return again


def test_every_protocol_pickles_boards() -> None:
    board = Board()
    board.push_san("Ab5")
    edited = Board()
    edited.remove_piece_at(F1)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickled(board, protocol)
        assert again == board
        assert again.move_stack == board.move_stack
        assert pickled(edited, protocol) == edited
        moves = pickle.loads(pickle.dumps(board.legal_moves, protocol))
        assert list(moves) == list(board.legal_moves)


@given(boards())
def test_copies(board: Board) -> None:
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board), pickled(board)):
        assert twin == board
        assert twin.move_stack == board.move_stack
        assert twin.root() == board.root()
        while twin.move_stack:
            assert twin.pop() in twin.legal_moves
        assert twin == board.root()
    assert board.copy(stack=500) == board
    bare = board.copy(stack=False)
    assert bare == board == bare.root()
    assert not bare.move_stack
    few = board.copy(stack=3)
    assert few == board
    assert few.move_stack == board.move_stack[-3:]
    with pytest.raises(ValueError, match=r"^stack -1: expected True, False or a number"):
        board.copy(stack=-1)
    root = board.root()
    for move in board.move_stack:
        root.push(move)
    assert root == board


def test_equality() -> None:
    assert Board() == Board()
    assert Board() != find_variant("capablanca")()
    assert Board() != "board"
    assert Board("5k4/10/10/10/10/10/10/5K4 w - - 0 1") != Board(
        "5k4/10/10/10/10/10/10/5K4 w - - 1 1"
    )
    # An en passant square that nobody can use makes no difference.
    board = Board()
    board.push(Move(E2, E4))
    assert board == Board(board.fen())
    assert repr(board) == f"Board({board.fen()!r})"
    assert repr(JanusBoard()).startswith("JanusBoard('rjnbkqbnjr")
    with pytest.raises(TypeError):
        hash(board)


def test_moves_and_sets_as_values() -> None:
    assert Move(B1, B5) == Move.from_uci("b1b5")
    assert Move(B1, B5) != Move(B1, B5, QUEEN)
    assert len({Move(B1, B5), Move.from_uci("b1b5"), Move(B1, B5, QUEEN)}) == 2
    assert repr(Move(B1, B5)) == "Move.from_uci('b1b5')"
    some = SquareSet([A1, J8])
    assert list(some) == [A1, J8]
    assert J8 in some
    assert "a1" not in some
    assert some | SquareSet([B1]) == {A1, B1, J8}
    assert some & SquareSet([A1]) == {A1}
    assert some ^ SquareSet([A1, B1]) == {B1, J8}
    assert some - SquareSet([A1]) == {J8}
    assert len(~some) == 78
    assert int(some) == 1 | 1 << 79
    assert SquareSet(int(some)) == some
    assert repr(some) == "SquareSet([A1, J8])"
    assert str(some).splitlines()[0] == ". . . . . . . . . 1"


def test_values_cannot_be_changed() -> None:
    board = Board()
    for value, name in (
        (next(iter(board.legal_moves)), "to_square"),
        (board.piece_at(B1), "color"),
        (board.pieces(PAWN, WHITE), "mask"),
    ):
        with pytest.raises(AttributeError, match=f"{name}: a .* cannot be changed"):
            setattr(value, name, 0)
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(value, name)
        assert copy.copy(value) is copy.deepcopy(value) is value
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(value, protocol)) == value
    janus = JanusBoard("10/P6k2/10/10/10/10/8K1/10 w - - 0 1").parse_san("a8=J")
    assert pickle.loads(pickle.dumps(janus, 0)).uci() == "a7a8j"
    assert str(pickle.loads(pickle.dumps(JanusBoard().piece_at(B1), 0))) == "J"
    with pytest.raises(MoveError, match="promotion 99: expected a piece type 1 to 10"):
        Move(B1, B5, 99)


@settings(max_examples=10)
@given(boards())
def test_every_illegal_move_is_explained(board: Board) -> None:
    legal = set(board.legal_moves)
    for from_square in board.piece_map():
        for to_square in range(80):
            move = Move(from_square, to_square)
            if move and move not in legal:
                with pytest.raises(MoveError, match="is not legal: ") as caught:
                    board.push(move)
                assert "\n" not in str(caught.value)


@given(boards())
def test_mirror(board: Board) -> None:
    mirrored = board.mirror()
    assert mirrored.turn != board.turn
    assert mirrored.mirror() == board
    if board.variant.promotions[0] == board.variant.promotions[1]:
        assert mirrored.perft(2) == board.perft(2)


# python-chess's engine protocols. The engine is a script that plays the first legal move.

ENGINE = """
import sys
from abdiel import find_variant

name = "chess"
board = None
for line in sys.stdin:
    words = line.split()
    if line == "uci\\n":
        print("id name First\\noption name UCI_Variant type combo default chess var chess"
              + "".join(f" var {name}" for name in sys.argv[1:]) + "\\nuciok", flush=True)
    elif line == "isready\\n":
        print("readyok", flush=True)
    elif words[:3] == ["setoption", "name", "UCI_Variant"]:
        name = words[-1]
    elif words[:1] == ["position"]:
        fen, _, moves = line.partition("fen ")[2].partition(" moves ")
        board = find_variant(name)(fen.strip())
        for uci in moves.split():
            board.push_uci(uci)
    elif words[:1] == ["go"]:
        move = next(iter(board.legal_moves))
        print(f"info depth 1 score cp 13 pv {move.uci()}\\nbestmove {move.uci()}", flush=True)
    elif line == "quit\\n":
        break
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    script = tmp_path_factory.mktemp("engine") / "first.py"
    script.write_text(ENGINE)
    names = [board_class.uci_variant for board_class in BOARDS]
    command = [sys.executable, str(script), *names]
    with chess.engine.SimpleEngine.popen_uci(command) as running:
        yield running


@pytest.mark.parametrize("board_class", BOARDS)
def test_chess_engine_drives_our_boards(board_class: type[Board], engine: Any) -> None:
    board = board_class()
    for _ in range(6):
        first = next(iter(board.legal_moves))
        result = engine.play(cast(Any, board), chess.engine.Limit(depth=1))
        assert result.move == first
        board.push(result.move)
    first = next(iter(board.legal_moves))
    info = engine.analyse(cast(Any, board), chess.engine.Limit(depth=1))
    # chess.engine stops reading a line of moves at the first beyond the h-file.
    assert info["pv"] == ([first] if first.uci() < "i" and first.uci()[2] < "i" else [])
    assert info["score"].pov(chess.WHITE) == chess.engine.Cp(13)


@pytest.mark.parametrize("board_class", BOARDS)
def test_chess_engine_sends_promotions(board_class: type[Board], engine: Any) -> None:
    board = board_class("10/P6k2/10/10/10/10/p6K2/10 w - - 0 1")
    for color, start, end in ((WHITE, "a7", "a8"), (BLACK, "a2", "a1")):
        special = next(kind for kind in board.variant.promotions[not color] if kind > KING)
        board.push(Move(parse_square(start), parse_square(end), special))
    result = engine.play(cast(Any, board), chess.engine.Limit(depth=1))
    assert result.move in board.legal_moves
