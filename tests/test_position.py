"""`abdiel.core.position.Position` by itself: its small promises, on positions chosen for them."""

from __future__ import annotations

import pytest
from bridge import LETTERS, CoreGame, find, names, squares, to_core
from reference import VARIANTS, Move, Reference, square

from abdiel.core import position as core
from abdiel.core.position import Position

PASSING = "9k/10/10/3pP5/10/10/10/9K w - d6 0 5"
CASTLING = "r4k3r/10/10/10/d9/10/10/R4K3R b KQkq - 3 9"
PINS = "4r4k/10/10/4P5/2aPK1R1q1/4n5/6B3/7b2 w - - 0 1"


def _set(fen: str, variant: str = "angelsanddevils") -> Position:
    return to_core(Reference(fen, variant))


def _play(position: Position, *ucis: str) -> Position:
    for uci in ucis:
        promotion = LETTERS.index(uci[4:].upper()) if uci[4:] else 0
        move = position.find_move(square(uci[:2]), square(uci[2:4]), promotion)
        assert move, f"{uci} is not legal"
        position.make(move)
    return position


# Setting up and reading


def test_piece_types_number_as_agreed() -> None:
    types = "PAWN KNIGHT BISHOP ROOK QUEEN KING ARCHBISHOP CHANCELLOR ANGEL DEVIL"
    assert [getattr(core, name) for name in types.split()] == list(range(1, 11))
    assert (core.WHITE, core.BLACK) == (0, 1)
    assert (core.FILES, core.RANKS, core.SQUARES) == (10, 8, 80)


def test_fields_of_a_position() -> None:
    position = _set("9k/10/10/10/3pP5/10/10/9K b - e3 0 17")
    assert position.turn == core.BLACK
    assert position.castling == 0
    assert position.ep_square == square("e3")
    assert position.has_legal_ep
    assert (position.halfmove_clock, position.fullmove_number, position.ply) == (0, 17, 0)
    assert position.piece_at(square("d4")) == core.PAWN + core.BLACK_PIECE
    assert position.piece_at(square("a1")) == 0
    pieces = position.pieces()
    assert len(pieces) == 80
    assert names(at for at, code in enumerate(pieces) if code) == "d4 e4 j1 j8"


def test_set_forgets_what_was_before() -> None:
    position = _play(_set(CASTLING), "a4a2", "f1g1")
    fresh = _set(PASSING)
    other = Reference(PASSING)
    codes = [0] * 80
    for at, piece in enumerate(other.board):
        if piece != ".":
            codes[at] = LETTERS.index(piece.upper()) + 16 * piece.islower()
    position.set(codes, 0, 0, square("d6"), 0, 5)
    assert position.state() == fresh.state()
    assert position.ply == 0


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"pieces": [0] * 79}, "found 79"),
        ({"pieces": [0] * 80}, "Kings"),
        ({"pieces": [6, 22, 6] + [0] * 77}, "Kings"),
        ({"pieces": [6, 22, 11] + [0] * 77}, "11"),
        ({"pieces": [6, 22, 16] + [0] * 77}, "16"),
        ({"turn": 2}, "turn"),
        ({"castling": 16}, "castling"),
        ({"ep_square": 80}, "en passant"),
    ],
)
def test_set_refuses_what_it_cannot_hold(change: dict[str, object], fault: str) -> None:
    good: dict[str, object] = {
        "pieces": [6, 0, 22] + [0] * 77,
        "turn": 0,
        "castling": 0,
        "ep_square": -1,
        "halfmove_clock": 0,
        "fullmove_number": 1,
    }
    position = _set(PASSING)
    before = position.state()
    with pytest.raises(ValueError, match=fault):
        position.set(**(good | change))  # type: ignore[arg-type]
    assert position.state() == before


@pytest.mark.parametrize("at", [-1, 80, 1000])
def test_squares_off_the_board_are_refused(at: int) -> None:
    position = _set(PASSING)
    with pytest.raises(ValueError, match="square"):
        position.piece_at(at)
    with pytest.raises(ValueError, match="square"):
        position.attackers(core.WHITE, at)
    with pytest.raises(ValueError, match="square"):
        position.attacks(at)
    assert position.find_move(at, 0, 0) == 0
    assert position.find_move(0, at, 0) == 0


# Making and unmaking

EVENTFUL = [
    (PASSING, "e5d6"),  # en passant
    (PASSING, "e5e6"),
    (PASSING, "j1j2"),
    (CASTLING, "f8i8"),
    (CASTLING, "f8c8"),
    (CASTLING, "a4a2"),  # burns a Rook
    (CASTLING, "a8a5"),
    ("9k/10/4n5/3bqr4/4p5/4D5/10/9K w - - 8 1", "e3e5"),  # five removed
    ("9k/10/10/10/rnbqA5/10/10/9K w - - 5 9", "e4a4"),  # four removed
    ("9k/10/10/10/4D1R3/10/10/9K w - - 40 60", "e4g4"),  # a friend
    ("3r5k/4P5/10/10/10/10/10/9K w - - 7 1", "e7e8a"),
    ("3r5k/4P5/10/10/10/10/10/9K w - - 7 1", "e7d8q"),
    ("9k/10/10/10/10/10/4p5/3R1N3K b - - 0 1", "e2d1d"),
    ("9k/10/10/10/3p6/10/4P5/9K w - - 0 1", "e2e4"),
]


@pytest.mark.parametrize(("fen", "uci"), EVENTFUL)
def test_unmake_restores_every_field(fen: str, uci: str) -> None:
    position = _set(fen)
    before = position.state()
    _play(position, uci)
    assert position.state() != before
    assert position.ply == 1
    assert position.last_move() != 0
    assert (position.key, position.pawn_key, position.material_key) == position.fresh_keys()
    position.unmake()
    assert position.state() == before
    assert position.last_move() == 0


@pytest.mark.parametrize(("fen", "uci"), EVENTFUL)
def test_keys_after_a_move_are_those_of_a_fresh_position(fen: str, uci: str) -> None:
    game = CoreGame(fen).play(uci)
    fresh = _set(game.fen())
    made = game.position
    assert made.fresh_keys() == fresh.fresh_keys()
    assert (made.key, made.pawn_key, made.material_key) == (
        fresh.key,
        fresh.pawn_key,
        fresh.material_key,
    )


def test_unmake_without_a_move_is_an_error() -> None:
    position = _set(PASSING)
    with pytest.raises(IndexError):
        position.unmake()
    with pytest.raises(IndexError):
        position.unmake_null()
    with pytest.raises(IndexError):
        _play(position, "e5e6").unmake_null()


def test_long_games_fit() -> None:
    position = _set("9k/10/10/10/10/10/10/9K w - - 0 1")
    before = position.state()
    for _ in range(1000):
        _play(position, "j1i1", "j8i8", "i1j1", "i8j8")
    assert position.ply == position.halfmove_clock == 4000
    assert position.fullmove_number == 2001
    assert position.repetitions() == 1000
    for _ in range(4000):
        position.unmake()
    assert position.state() == before


def test_null_move() -> None:
    position = _set(PASSING)
    before = position.state()
    position.make_null()
    assert position.turn == core.BLACK
    assert position.ep_square == -1
    assert not position.has_legal_ep
    assert position.last_move() == 0
    assert position.key != before[10]
    assert (position.key, position.pawn_key, position.material_key) == position.fresh_keys()
    _play(position, "j8i8")
    position.unmake()
    position.unmake_null()
    assert position.state() == before


def test_a_copy_shares_nothing() -> None:
    position = _play(_set(PASSING), "e5d6", "j8i8")
    twin = position.copy()
    assert twin.state() == position.state()
    assert twin.last_move() == position.last_move()
    before = position.state()
    _play(twin, "d6d7", "i8h8")
    assert position.state() == before
    assert (twin.ply, position.ply) == (4, 2)
    position.unmake()
    position.unmake()
    assert position.state() == _set(PASSING).state()
    for _ in range(4):
        twin.unmake()
    assert twin.state() == position.state()


def test_a_copy_remembers_repetitions() -> None:
    position = _play(_set("9k/10/10/10/10/10/10/9K w - - 0 1"), "j1i1", "j8i8", "i1j1", "i8j8")
    assert position.repetitions() == 1
    assert position.copy().repetitions() == 1


# Moves


@pytest.mark.parametrize("variant", VARIANTS)
def test_start(variant: str) -> None:
    position = to_core(Reference(None, variant))
    assert position.count_legal() == len(position.legal_moves()) == 28
    assert position.removals() == []
    assert sorted(position.quiets()) == sorted(position.legal_moves())
    assert position.castling == 15
    assert not position.is_check()
    assert not position.is_dead()
    assert position.perft(0) == 1
    assert position.perft(1) == 28


def test_moves_fit_32_bits_and_differ() -> None:
    moves = _set("3r5k/4P5/10/10/10/10/10/9K w - - 7 1").legal_moves()
    assert len(set(moves)) == len(moves) == 5 + 5 + 3
    assert all(0 < move < 1 << 32 for move in moves)


def test_removals_are_removals_and_promotions() -> None:
    position = _set("3r5k/4P5/10/3pN5/4DR4/10/10/9K w - - 7 1")
    removals = position.removals()
    for move in removals:
        assert position.removed(move) or core.move_promotion(move)
    for move in position.quiets():
        assert not position.removed(move)
        assert not core.move_promotion(move)
    assert sorted(removals + position.quiets()) == sorted(position.legal_moves())


def test_find_move() -> None:
    position = _set("3r5k/4P5/10/10/10/10/10/9K w - - 7 1")
    e7, e8, d8 = map(square, ("e7", "e8", "d8"))
    for kind in (core.QUEEN, core.ROOK, core.BISHOP, core.KNIGHT, core.ANGEL):
        for end in (e8, d8):
            move = position.find_move(e7, end, kind)
            assert (core.move_from(move), core.move_to(move)) == (e7, end)
            assert core.move_promotion(move) == kind
            assert squares(position.removed(move)) == ({d8} if end == d8 else set())
    for kind in (0, core.PAWN, core.KING, core.DEVIL, core.ARCHBISHOP, 11, 100, -1):
        assert position.find_move(e7, e8, kind) == 0
    assert position.find_move(square("j1"), square("i1"), core.QUEEN) == 0
    assert position.find_move(square("j8"), square("i8"), 0) == 0  # not Black's turn


@pytest.mark.parametrize("variant", ["capablanca", "gothic", "embassy", "janus"])
def test_promotions_of_the_family(variant: str) -> None:
    position = _set("9k/4P5/10/10/10/10/10/9K w - - 7 1", variant)
    kinds = {core.move_promotion(move) for move in position.legal_moves()} - {0}
    wanted = {core.QUEEN, core.ROOK, core.BISHOP, core.KNIGHT, core.ARCHBISHOP}
    assert kinds == wanted | (set() if variant == "janus" else {core.CHANCELLOR})


@pytest.mark.parametrize(
    ("variant", "back", "castled"),
    [
        ("capablanca", "R4K3R", {"f1i1": "R6RK1", "f1c1": "2KR5R"}),
        ("gothic", "R4K3R", {"f1i1": "R6RK1", "f1c1": "2KR5R"}),
        ("embassy", "R3K4R", {"e1h1": "R5RK2", "e1b1": "1KR6R"}),
        ("janus", "R3K4R", {"e1i1": "R6RK1", "e1b1": "1KR6R"}),
    ],
)
def test_castling_of_the_family(variant: str, back: str, castled: dict[str, str]) -> None:
    for uci, rank in castled.items():
        game = CoreGame(f"8k1/10/10/10/10/10/10/{back} w KQ - 0 1", variant).play(uci)
        assert game.fen() == f"8k1/10/10/10/10/10/10/{rank} b - - 1 1"


# Attacks


def test_checkers_and_pinned() -> None:
    position = _set(PINS)
    # d4 and e3 screen nothing: an Angel knows no pins, and behind e3 stands nobody.
    assert names(squares(position.pinned())) == "e5 g2 g4"
    check = _set("4r4k/10/10/10/1a2K5/10/6b3/10 w - - 0 1")
    assert check.is_check()
    assert names(squares(check.checkers())) == "b4 e8 g2"


def test_two_pieces_on_a_line_pin_neither() -> None:
    assert _set("4r4k/10/4P5/4N5/4K5/10/10/10 w - - 0 1").pinned() == 0


def test_attackers_of_both_sides() -> None:
    position = _set("4r4k/10/10/3pPD4/2N7/4K1A3/10/10 w - - 0 1")
    assert names(squares(position.attackers(core.WHITE, square("e5")))) == "c4 f5"
    assert names(squares(position.attackers(core.BLACK, square("e5")))) == "e8"
    # The Devil lands on d5 and would burn e5.
    assert names(squares(position.attackers(core.WHITE, square("d5")))) == "f5"
    assert position.attackers(core.BLACK, square("d5")) == 0
    assert names(squares(position.attackers(core.BLACK, square("e4")))) == "d5"


def test_attacks() -> None:
    position = _set("9k/10/10/10/4D5/10/4p5/4R4K w - - 0 1")
    assert names(squares(position.attacks(square("e1")))) == "a1 b1 c1 d1 e2 f1 g1 h1 i1 j1"
    assert names(squares(position.attacks(square("e2")))) == "d1 f1"
    assert position.attacks(square("a5")) == 0
    assert len(squares(position.attacks(square("e4")))) == 20


@pytest.mark.parametrize(
    ("fen", "uci", "check"),
    [
        ("4k5/10/10/10/10/10/10/R8K w - - 0 1", "a1e1", True),
        ("4k5/10/10/10/10/10/10/R8K w - - 0 1", "a1d1", False),
        ("4k5/10/10/10/4N5/10/10/4R4K w - - 0 1", "e4g5", True),  # discovered
        ("9K/10/10/4pP4/3k6/10/10/10 w - e6 0 1", "f5e6", False),
        ("9K/10/10/k2pP3R1/10/10/10/10 w - d6 0 1", "e5d6", True),  # both pawns leave the rank
        ("8k1/10/10/10/10/10/10/5K3R w K - 0 1", "f1g1", False),
        ("7k2/10/10/10/10/10/10/5K3R w K - 0 1", "f1i1", True),  # by the Rook on h1
        ("9k/10/10/10/8A1/10/10/K9 w - - 0 1", "i4i8", False),  # nowhere to land behind the King
        ("8k1/10/10/10/7A2/10/10/K9 w - - 0 1", "h4h8", True),
        ("6AkN1/10/10/10/10/10/10/K9 w - - 0 1", "i8h6", True),  # makes room for the Angel
        ("2k7/4P5/10/10/10/10/10/9K w - - 0 1", "e7e8r", True),
        ("2k7/4P5/10/10/10/10/10/9K w - - 0 1", "e7e8n", False),
        ("2k7/4P5/10/10/10/10/10/9K w - - 0 1", "e7e8a", True),
        ("10/3pk5/10/10/2D7/10/10/9K w - - 0 1", "c4c6", True),
    ],
)
def test_gives_check(fen: str, uci: str, check: bool) -> None:
    position = _set(fen)
    reference = Reference(fen)
    slow: Move = reference.move(uci)
    move = find(position, slow)
    assert position.gives_check(move) == check == reference.make(slow).is_check()
    position.make(move)
    assert position.is_check() == check


# Ends


def test_repetitions_stop_at_the_position_set() -> None:
    position = _set("9k/10/10/10/10/10/10/9K w - - 50 90")
    assert position.repetitions() == 0
    _play(position, "j1i1", "j8i8", "i1j1", "i8j8")
    assert position.repetitions() == 1
    _play(position, "j1j2", "j8j7", "j2j1", "j7j8")
    assert position.repetitions() == 2
    position.unmake()
    assert position.repetitions() == 0
    assert position.halfmove_clock == 57


def test_repetition_is_of_the_side_to_move_too() -> None:
    """Losing a move with a triangle brings the pieces back, not the position."""
    position = _set("9k/10/10/10/10/10/10/9K w - - 0 1")
    _play(position, "j1i1", "j8i8", "i1i2", "i8j8", "i2j1")
    assert position.repetitions() == 0


def test_a_removal_or_pawn_move_ends_the_count() -> None:
    position = _set("9k/10/10/4p5/4D5/10/P9/9K w - - 98 140")
    assert _play(position, "j1i1").halfmove_clock == 99
    assert _play(position, "j8i8").halfmove_clock == 100
    assert position.legal_moves() != []  # a draw to be claimed is the board's affair
    assert _play(position, "e4e6").halfmove_clock == 0
    assert (position.fullmove_number, position.turn) == (141, core.BLACK)


@pytest.mark.parametrize("depth", range(4))
def test_perft_equals_the_reference(depth: int) -> None:
    fen = "5k4/10/10/4p5/3dK5/10/5P4/10 w - - 0 1"
    assert _set(fen).perft(depth) == Reference(fen).perft(depth)


def test_perft_of_a_finished_game() -> None:
    position = _set("k9/1Q8/1K8/10/10/10/10/10 b - - 0 1")
    assert [position.perft(depth) for depth in range(4)] == [1, 0, 0, 0]


@pytest.mark.parametrize("depth", [-1, 100, 10**30])
def test_a_perft_depth_out_of_range_is_an_error(depth: int) -> None:
    with pytest.raises(ValueError, match="expected 0 to 99"):
        _set(VARIANTS["capablanca"].start, "capablanca").perft(depth)


def test_a_perft_can_be_stopped_and_leaves_the_position_as_it_was() -> None:
    position = _set(VARIANTS["capablanca"].start, "capablanca")
    before = position.state()
    asked = iter([False, False, True])
    with pytest.raises(InterruptedError):
        position.perft(60, lambda: next(asked))
    assert position.state() == before
    assert position.perft(3, lambda: False) == 25228
