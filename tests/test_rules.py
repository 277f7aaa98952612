"""The rules of Angels and Devils sentence by sentence, on positions small enough to check by eye.

Every test runs on the core, on the Board and on the reference that other tests compare them with.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bridge import BoardGame, CoreGame, ReferenceGame

from abdiel import Board

START = "rdnbqkbndr/pppppppppp/10/10/10/10/PPPPPPPPPP/RANBQKBNAR w KQkq - 0 1"
CASTLING = "r4k3r/10/10/10/10/10/10/R4K3R"

Game = Callable[[str], CoreGame | BoardGame | ReferenceGame]


@pytest.fixture(params=[CoreGame, BoardGame, ReferenceGame], ids=["core", "board", "reference"])
def game(request: pytest.FixtureRequest) -> Game:
    chosen: Game = request.param
    return chosen


def after(game: Game, fen: str, *ucis: str) -> str:
    return game(fen).play(*ucis).fen()


# The start and the orthodox pieces


def test_start(game: Game) -> None:
    start = game(START)
    assert len(start.moves().split()) == 28
    assert start.moves("a2") == "a3 a4"
    assert start.moves("b1") == "b3 b5"  # the Angel, over its own pawn
    assert start.play("b1b5").moves("b8") == "b6 d8"  # the Devil; its own Bishop is on d8
    assert start.removed("b8b6") == "b5"  # burned


@pytest.mark.parametrize(
    ("fen", "origin", "moves"),
    [
        ("9k/10/10/2p7/10/2N7/10/K9 w - - 0 1", "c3", "a2 a4 b1 b5 d1 d5 e2 e4"),
        ("9k/10/4p5/10/2B7/10/P9/K9 w - - 0 1", "c4", "a6 b3 b5 d3 d5 e2 e6 f1"),
        ("9k/10/10/2p7/10/P1R1p5/10/1K8 w - - 0 1", "c3", "b3 c1 c2 c4 c5 d3 e3"),
        ("9k/10/10/10/3p6/10/P9/Q3K5 w - - 0 1", "a1", "b1 b2 c1 c3 d1 d4"),
        ("9k/10/10/10/10/1p8/3P6/2K7 w - - 0 1", "c1", "b1 b2 d1"),
    ],
)
def test_orthodox_pieces(game: Game, fen: str, origin: str, moves: str) -> None:
    assert game(fen).moves(origin) == moves


@pytest.mark.parametrize(
    ("fen", "origin", "moves"),
    [
        ("9k/10/10/10/10/1p1p6/2P7/9K w - - 0 1", "c2", "b3 c3 c4 d3"),
        ("9k/10/10/10/10/2p7/2P7/9K w - - 0 1", "c2", ""),
        ("9k/10/10/10/2p7/10/2P7/9K w - - 0 1", "c2", "c3"),
        ("9k/10/10/10/10/2P7/10/9K w - - 0 1", "c3", "c4"),
        ("9k/2p7/1P1P6/10/10/10/10/9K b - - 0 1", "c7", "b6 c5 c6 d6"),
    ],
)
def test_pawns(game: Game, fen: str, origin: str, moves: str) -> None:
    assert game(fen).moves(origin) == moves


def test_en_passant_square_after_a_double_step(game: Game) -> None:
    fen = "rdnbqkbndr/pppppppppp/10/10/P9/10/1PPPPPPPPP/RANBQKBNAR b KQkq a3 0 1"
    assert after(game, START, "a2a4") == fen
    assert after(game, START, "a2a3").split()[3] == "-"


# The Angel


def test_angel_jumps_two_or_four(game: Game) -> None:
    assert game("k9/10/10/10/4A5/10/10/9K w - - 0 1").moves("e4") == "a4 c4 e2 e6 e8 g4 i4"
    assert game("k9/10/10/10/10/10/10/1A7K w - - 0 1").moves("b1") == "b3 b5 d1 f1"
    assert game("K9/10/10/10/4a5/10/10/9k b - - 0 1").moves("e4") == "a4 c4 e2 e6 e8 g4 i4"


def test_angel_lands_on_empty_squares_or_enemies(game: Game) -> None:
    fen = "k9/10/4P5/10/2p1A5/10/10/9K w - - 0 1"
    position = game(fen)
    assert position.moves("e4") == "a4 c4 e2 e8 g4 i4"
    assert position.removed("e4c4") == "c4"
    assert position.removed("e4g4") == ""


def test_angel_leaves_friends_that_it_jumps_over(game: Game) -> None:
    fen = "k9/10/4P5/10/2p1A5/10/10/9K w - - 0 1"
    assert game(fen).removed("e4e8") == ""
    assert after(game, fen, "e4e8") == "k3A5/10/4P5/10/2p7/10/10/9K b - - 1 1"
    fen = "9k/10/10/10/1P1pA5/10/10/9K w - - 0 1"
    assert game(fen).removed("e4a4") == "d4"
    assert after(game, fen, "e4a4") == "9k/10/10/10/AP8/10/10/9K b - - 0 1"


def test_angel_takes_up_to_four(game: Game) -> None:
    fen = "9k/10/10/10/rnbqA5/10/10/9K w - - 5 9"
    assert game(fen).removed("e4a4") == "a4 b4 c4 d4"
    assert game(fen).removed("e4c4") == "c4 d4"
    assert after(game, fen, "e4a4") == "9k/10/10/10/A9/10/10/9K b - - 0 9"


# The Devil


def test_devil_jumps_two(game: Game) -> None:
    assert game("9k/10/10/10/4D5/10/10/9K w - - 0 1").moves("e4") == "c4 e2 e6 g4"
    assert game("9k/10/10/10/10/10/10/1D7K w - - 0 1").moves("b1") == "b3 d1"
    assert game("9K/10/10/10/4d5/10/10/9k b - - 0 1").moves("e4") == "c4 e2 e6 g4"


def test_devil_jumps_over_anything(game: Game) -> None:
    position = game("9k/10/10/4p5/4DP4/10/10/9K w - - 3 1")
    assert position.moves("e4") == "c4 e2 e6 g4"
    assert position.removed("e4g4") == ""  # the friend between is not harmed
    assert position.removed("e4e6") == "e5"  # not jumped, but beside the landing square


def test_devil_burns_four_and_lands_on_a_fifth(game: Game) -> None:
    fen = "9k/10/4n5/3bqr4/4p5/4D5/10/9K w - - 8 1"
    assert game(fen).removed("e3e5") == "d5 e4 e5 e6 f5"
    assert after(game, fen, "e3e5") == "9k/10/10/4D5/10/10/10/9K b - - 0 1"


def test_devil_burns_orthogonally_only(game: Game) -> None:
    assert game("9k/10/3n1n4/4D5/3n1n4/10/10/9K w - - 0 1").removed("e5g5") == ""
    assert game("9k/10/10/10/4D5/10/3n1n4/9K w - - 0 1").removed("e4e2") == "d2 f2"
    assert game("9k/10/10/10/10/9D/9p/K7n1 w - - 0 1").removed("j3j1") == "i1 j2"


def test_devil_may_capture_a_friend(game: Game) -> None:
    fen = "9k/10/10/10/4D1R3/10/10/9K w - - 40 60"
    assert game(fen).removed("e4g4") == "g4"
    # That is a removal: the count of the fifty moves begins anew.
    assert after(game, fen, "e4g4") == "9k/10/10/10/6D3/10/10/9K b - - 0 60"


def test_devil_may_not_capture_its_own_king(game: Game) -> None:
    assert game("9k/10/10/10/4D1K3/10/10/10 w - - 0 1").moves("e4") == "c4 e2 e6"


def test_devil_does_not_burn_friends(game: Game) -> None:
    assert game("9k/10/10/6P3/4D2P2/6p3/10/9K w - - 0 1").removed("e4g4") == "g3"


def test_only_the_devils_own_move_burns(game: Game) -> None:
    fen = "9k/10/10/10/4d5/10/3R6/9K w - - 0 1"
    position = game(fen).play("d2d4")
    assert position.fen() == "9k/10/10/10/3Rd5/10/10/9K b - - 1 1"
    assert position.removed("e4e6") == ""
    assert position.removed("e4c4") == "d4"
    assert position.play("j8i8").fen() == "8k1/10/10/10/3Rd5/10/10/9K w - - 2 2"


# Check


@pytest.mark.parametrize(
    ("rank", "check"),
    [
        ("1aK7", True),
        ("1aKp6", True),  # the landing square four away is free
        ("1aK2p4", True),  # the one two away is
        ("1aKp1p4", False),  # both are held by the Angel's own side
        ("1aKP1P4", True),  # both are held by its enemy
        ("8aK", False),  # both are off the board
        ("7aK1", True),
        ("7aKp", False),
        ("1a1K6", True),
        ("1apK6", True),  # nothing between is in its way
        ("1aPK6", True),
        ("1a2K5", True),
        ("1a2Kp4", False),
        ("6a2K", False),
        ("1a3K4", True),
        ("1apppK4", True),
        ("1a4K3", False),
    ],
)
def test_check_by_an_angel(game: Game, rank: str, check: bool) -> None:
    assert game(f"9k/10/10/10/{rank}/10/10/10 w - - 0 1").is_check() == check
    mirrored = f"10/10/10/{rank.swapcase()}/10/10/10/9K b - - 0 1"
    assert game(mirrored).is_check() == check


def test_squares_that_a_devil_attacks(game: Game) -> None:
    position = game("9k/10/10/10/4d5/10/10/9K w - - 0 1")
    attacked = {
        f"{file}{rank}"
        for file in "abcdefghij"
        for rank in range(1, 9)
        if position.attackers(False, f"{file}{rank}") == "e4"
    }
    landings = "c4 g4 e2 e6"
    burned = "b4 c3 c5 d4 f4 g3 g5 h4 d2 e1 e3 f2 d6 e5 e7 f6"
    assert attacked == set(landings.split() + burned.split())


def test_a_devil_attacks_through_a_landing_square_held_by_a_friend_but_its_king(game: Game) -> None:
    assert game("10/10/4p5/10/4d5/10/10/K8k w - - 0 1").attackers(False, "d6") == "e4"
    assert game("10/10/4k5/10/4d5/10/10/K9 w - - 0 1").attackers(False, "d6") == "e6"


def test_a_move_may_not_leave_the_king_attacked(game: Game) -> None:
    assert game("4r4k/10/10/10/10/10/4R5/4K5 w - - 0 1").moves("e2") == "e3 e4 e5 e6 e7 e8"
    # A Devil's move may leave a line, or eat what blocks one.
    assert game("4r4k/10/10/10/10/4D5/10/4K5 w - - 0 1").moves("e3") == "e5"
    assert game("4r4k/10/10/10/2D1P5/10/10/4K5 w - - 0 1").moves("c4") == "a4 c2 c6 e4"
    assert game("4r4k/10/10/3pP5/2D7/10/10/4K5 w - d6 0 1").moves("e5") == "e6"


@pytest.mark.parametrize(
    ("fen", "origin", "moves"),
    [
        # on a file the pawn goes on but does not capture
        ("4r4k/10/10/10/10/3p1p4/4P5/4K5 w - - 0 1", "e2", "e3 e4"),
        # on a rank it may do nothing
        ("9k/10/10/10/10/3p1p4/K3P3r1/10 w - - 0 1", "e2", ""),
        # on a diagonal it takes what pins it and nothing else
        ("9k/10/10/10/10/3b1n4/4P5/5K4 w - - 0 1", "e2", "d3"),
        ("9k/10/10/10/2b7/10/4P5/5K4 w - - 0 1", "e2", ""),
        ("3b1n3k/4P5/5K4/10/10/10/10/10 w - - 0 1", "e7", "d8a d8b d8n d8q d8r"),
        # a Devil is pinned but for moves that stay in the line
        ("4r4k/10/10/10/4D5/10/10/4K5 w - - 0 1", "e4", "e2 e6"),
        # and an Angel
        ("4r4k/10/10/10/4A5/10/4K5/10 w - - 0 1", "e4", "e6 e8"),
    ],
)
def test_pinned_pieces_stay_in_line(game: Game, fen: str, origin: str, moves: str) -> None:
    assert game(fen).moves(origin) == moves


def test_a_capture_may_open_an_angels_landing_square(game: Game) -> None:
    fen = "9k/3R6/10/10/1aKp1p4/10/10/10 w - - 0 1"
    assert not game(fen).is_check()
    moves = "a7 b7 c7 d5 d6 d8 e7 f7 g7 h7 i7 j7"  # but not d4
    assert game(fen).moves("d7") == moves


def test_a_burn_or_jump_may_open_an_angels_landing_square(game: Game) -> None:
    assert game("9k/3D6/10/10/1aKp1p4/10/10/10 w - - 0 1").moves("d7") == "b7 f7"  # not d5
    assert game("9k/3A6/10/10/1aKp1p4/10/10/10 w - - 0 1").moves("d7") == "b7 d5 f7 h7"  # not d3


def test_a_burn_may_open_a_line_behind_two_pieces(game: Game) -> None:
    # From e4 as from d5 a Devil burns d4 and e5, both of which screen the King from g7.
    assert game("9k/6b3/10/4p5/3p6/10/4D5/K9 w - - 0 1").moves("e2") == "c2 g2"
    assert game("9k/3D2b3/10/4p5/3p6/10/10/K9 w - - 0 1").moves("d7") == "b7 f7"
    assert game("9k/3D6/10/4p5/3p6/10/10/K9 w - - 0 1").moves("d7") == "b7 d5 f7"


def test_en_passant_may_open_an_angels_landing_square(game: Game) -> None:
    position = game("9k/10/10/aKpPn5/10/10/10/10 w - c6 0 1")
    assert not position.is_check()
    assert position.moves("d5") == "d6"
    assert not position.usable_passed()


def test_nobody_can_interpose_against_an_angel(game: Game) -> None:
    position = game("9k/10/10/R3a5/10/1R8/10/4K5 w - - 0 1")
    assert position.is_check()
    assert position.moves("b3") == ""
    assert position.moves("a5") == "e5"
    assert position.moves("e1") == "d1 d2 f1 f2"


def test_a_check_is_answered_by_burning_or_jumping(game: Game) -> None:
    assert game("9k/3D6/10/4r5/10/10/10/4K5 w - - 0 1").moves("d7") == "d5"
    assert game("9k/10/10/2A1r5/10/10/10/4K5 w - - 0 1").moves("c5") == "e5 g5"


def test_an_angel_checks_when_a_friend_leaves_its_landing_square(game: Game) -> None:
    position = game("6AkN1/10/10/10/10/10/10/K9 w - - 0 1").play("i8g7")
    assert position.is_check()
    assert position.attackers(True, "h8") == "g8"


def test_double_check_from_one_move(game: Game) -> None:
    # The Devil leaves the Bishop's line for a square two from the King: nothing but flight helps.
    position = game("4k5/10/2D7/10/B9/10/4r5/9K w - - 0 1").play("c6c8")
    assert position.attackers(True, "e8") == "a4 c8"
    assert position.moves() == "e8f7"


# Castling


def test_castling(game: Game) -> None:
    fen = f"{CASTLING} w KQkq - 0 1"
    assert game(fen).moves("f1") == "c1 e1 e2 f2 g1 g2 i1"
    assert after(game, fen, "f1i1") == "r4k3r/10/10/10/10/10/10/R6RK1 b kq - 1 1"
    assert after(game, fen, "f1c1") == "r4k3r/10/10/10/10/10/10/2KR5R b kq - 1 1"
    fen = f"{CASTLING} b KQkq - 0 1"
    assert game(fen).moves("f8") == "c8 e7 e8 f7 g7 g8 i8"
    assert after(game, fen, "f8i8") == "r6rk1/10/10/10/10/10/10/R4K3R w KQ - 1 2"
    assert after(game, fen, "f8c8") == "2kr5r/10/10/10/10/10/10/R4K3R w KQ - 1 2"


def test_castling_needs_the_right(game: Game) -> None:
    assert game(f"{CASTLING} w Kkq - 0 1").moves("f1") == "e1 e2 f2 g1 g2 i1"
    assert game(f"{CASTLING} w Qkq - 0 1").moves("f1") == "c1 e1 e2 f2 g1 g2"


@pytest.mark.parametrize("file", "bcdeghi")
@pytest.mark.parametrize("piece", "Nn")
def test_castling_needs_empty_squares_between(game: Game, file: str, piece: str) -> None:
    at = "abcdefghij".index(file)
    rank = "R....K...R"
    rank = rank[:at] + piece + rank[at + 1 :]
    for run in range(9, 0, -1):
        rank = rank.replace("." * run, str(run))
    moves = game(f"8k1/10/10/10/10/10/10/{rank} w KQ - 0 1").moves("f1").split()
    if piece == "N":
        assert ("c1" in moves, "i1" in moves) == (file in "ghi", file in "bcde")
    else:
        assert ("i1" if file in "ghi" else "c1") not in moves


@pytest.mark.parametrize("file", "abcdefghij")
def test_castling_and_attacked_squares(game: Game, file: str) -> None:
    """The King may not be attacked where it stands, crosses or lands; the Rook may."""
    at = "abcdefghij".index(file)
    rank = f"{at or ''}r{9 - at or ''}"
    moves = game(f"8k1/10/10/10/{rank}/10/10/R4K3R w KQ - 0 1").moves("f1").split()
    assert ("c1" in moves) == (file not in "cdef")
    assert ("i1" in moves) == (file not in "fghi")


@pytest.mark.parametrize(
    ("ranks", "long", "short"),
    [
        ("10/7a2/10", True, False),  # the Angel would land on h1
        ("10/10/7a2", True, True),  # below h2 there is nothing to land on
        ("7a2/10/10", True, True),
        ("3d6/10/10", False, True),  # the Devil would land on d2 and burn d1
        ("10/3d6/10", False, True),  # it would land on d1
        ("10/10/3d6", False, False),  # it would land on f2 and burn the King
    ],
)
def test_castling_through_angels_and_devils(
    game: Game, ranks: str, long: bool, short: bool
) -> None:
    moves = game(f"8k1/10/10/10/{ranks}/R4K3R w KQ - 0 1").moves("f1").split()
    assert ("c1" in moves, "i1" in moves) == (long, short)


@pytest.mark.parametrize(
    ("fen", "move", "rights"),
    [
        (f"{CASTLING} w KQkq - 0 1", "f1f2", "kq"),
        (f"{CASTLING} w KQkq - 0 1", "f1i1", "kq"),
        (f"{CASTLING} w KQkq - 0 1", "a1a2", "Kkq"),
        (f"{CASTLING} w KQkq - 0 1", "j1h1", "Qkq"),
        (f"{CASTLING} b KQkq - 0 1", "a8b8", "KQk"),
        (f"{CASTLING} b KQkq - 0 1", "j8j7", "KQq"),
        # captured by landing
        (f"{CASTLING} w KQkq - 0 1", "a1a8", "Kk"),
        ("r4k3r/10/10/a9/10/10/10/R4K3R b KQkq - 0 1", "a5a1", "Kkq"),
        # burned
        ("r4k3r/10/10/10/d9/10/10/R4K3R b KQkq - 0 1", "a4a2", "Kkq"),
        ("r4k3r/10/10/10/10/8d1/10/R4K3R b KQkq - 0 1", "i3i1", "Qkq"),
        ("r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1", "j1j8", "Qq"),
        ("r4k3r/2D7/10/10/10/10/10/R4K3R w KQkq - 0 1", "c7a7", "KQk"),
        # captured by a Devil of its own side
        ("r4k3r/10/10/10/10/D9/10/R4K3R w KQkq - 0 1", "a3a1", "Kkq"),
        ("r4k3r/10/10/10/10/9D/10/R4K3R w KQkq - 0 1", "j3j1", "Qkq"),
        ("r4k1d1r/10/10/10/10/10/10/R4K3R b KQkq - 0 1", "h8j8", "KQq"),
        # the own Devil burns no friend
        ("r4k3r/10/10/10/D9/10/10/R4K3R w KQkq - 0 1", "a4a2", "KQkq"),
    ],
)
def test_castling_rights_are_lost(game: Game, fen: str, move: str, rights: str) -> None:
    assert after(game, fen, move).split()[2] == rights


def test_castling_rights_do_not_come_back(game: Game) -> None:
    position = game(f"{CASTLING} w KQkq - 0 1").play("a1a2", "j8j7", "a2a1", "j7j8")
    assert position.fen() == f"{CASTLING} w Kq - 4 3"
    assert position.moves("f1") == "e1 e2 f2 g1 g2 i1"


# Promotion


def test_promotion_is_compulsory_to_ones_own_special_piece(game: Game) -> None:
    assert game("9k/4P5/10/10/10/10/10/9K w - - 0 1").moves("e7") == "e8a e8b e8n e8q e8r"
    assert game("9k/10/10/10/10/10/4p5/9K b - - 0 1").moves("e2") == "e1b e1d e1n e1q e1r"
    fen = "9k/4P5/10/10/10/10/10/9K w - - 7 1"
    assert after(game, fen, "e7e8a") == "4A4k/10/10/10/10/10/10/9K b - - 0 1"


def test_promotion_to_a_devil_burns_nothing(game: Game) -> None:
    fen = "9k/10/10/10/10/10/4p5/3R1N3K b - - 0 1"
    assert game(fen).removed("e2e1d") == ""
    assert game(fen).removed("e2d1d") == "d1"
    assert after(game, fen, "e2e1d") == "9k/10/10/10/10/10/10/3RdN3K w - - 0 2"


# En passant


def test_en_passant(game: Game) -> None:
    fen = "9k/10/10/3pP5/10/10/10/9K w - d6 0 5"
    assert game(fen).moves("e5") == "d6 e6"
    assert game(fen).usable_passed()
    assert game(fen).removed("e5d6") == "d5"
    assert after(game, fen, "e5d6") == "9k/10/3P6/10/10/10/10/9K b - - 0 5"
    black = "9k/10/10/10/3pP5/10/10/9K b - e3 0 5"
    assert game(black).removed("d4e3") == "e4"
    assert after(game, black, "d4e3") == "9k/10/10/10/10/4p5/10/9K w - - 0 6"


def test_en_passant_is_for_the_next_move_only(game: Game) -> None:
    position = game("9k/10/10/3pP5/10/10/10/9K w - d6 0 5").play("j1i1", "j8i8")
    assert position.moves("e5") == "e6"


def test_en_passant_takes_both_pawns_off_the_rank(game: Game) -> None:
    position = game("9k/10/10/K2Pp3q1/10/10/10/10 w - e6 0 1")
    assert position.moves("d5") == "d6"
    assert not position.usable_passed()


def test_en_passant_removes_a_pawn_that_checks(game: Game) -> None:
    position = game("9k/10/10/4pP4/3K6/10/10/10 w - e6 0 1")
    assert position.is_check()
    assert position.moves("f5") == "e6"
    assert position.removed("f5e6") == "e5"


# The end of the game


@pytest.mark.parametrize(
    ("fen", "check"),
    [
        ("k9/1Q8/1K8/10/10/10/10/10 b - - 0 1", True),
        ("k9/10/K9/10/10/10/10/1R8 b - - 0 1", False),
        # Angels on the edge's file and its neighbour's: no piece could stand in their way.
        ("k9/10/10/10/A9/10/10/1R6K1 b - - 0 1", True),
        # The Devil burns a7 and b8 alike and stands where the King cannot reach it.
        ("k9/2K7/D9/10/10/10/10/10 b - - 0 1", True),
    ],
)
def test_mate_and_stalemate(game: Game, fen: str, check: bool) -> None:
    assert game(fen).moves() == ""
    assert game(fen).is_check() == check


def test_fifty_move_count(game: Game) -> None:
    fen = "9k/10/10/4p5/4D5/10/P9/9K w - - 30 40"
    assert after(game, fen, "j1i1").split()[4:] == ["31", "40"]
    assert after(game, fen, "a2a3").split()[4:] == ["0", "40"]
    assert after(game, fen, "e4e6").split()[4:] == ["0", "40"]  # a burn
    assert after(game, fen, "e4e2").split()[4:] == ["31", "40"]


SHUFFLE = "j8i8", "j1i1", "i8j8", "i1j1"
SHUFFLE_WHITE = "j1i1", "j8i8", "i1j1", "i8j8"


def test_repetition_counts_a_usable_en_passant_square(game: Game) -> None:
    position = game("9k/10/10/10/3p6/10/4P5/9K w - - 0 1").play("e2e4")
    assert position.usable_passed()
    assert position.play(*SHUFFLE).repetitions() == 0
    assert position.play(*SHUFFLE).repetitions() == 1
    assert position.play(*SHUFFLE).repetitions() == 2


def test_repetition_does_not_count_one_without_use(game: Game) -> None:
    position = game("9k/10/10/10/2p7/10/4P5/9K w - - 0 1").play("e2e4")
    assert position.play(*SHUFFLE).repetitions() == 1
    pinned = game("3k6/10/10/10/3p6/10/4P5/3R5K w - - 0 1").play("e2e4")
    assert not pinned.usable_passed()
    assert pinned.play("d8c8", "j1i1", "c8d8", "i1j1").repetitions() == 1


def test_repetition_after_any_number_of_moves(game: Game) -> None:
    position = game("9k/10/10/10/10/10/10/9K w - - 0 1")
    triangles = "j1i1", "j8i8", "i1i2", "i8i7", "i2j1", "i7j8"
    assert position.play(*triangles[:5]).repetitions() == 0
    assert position.play(triangles[5]).repetitions() == 1
    assert position.play(*triangles, *SHUFFLE_WHITE).repetitions() == 3


def test_repetition_counts_castling_rights(game: Game) -> None:
    position = game("9k/10/10/10/10/10/10/R4K4 w Q - 0 1")
    assert position.play("a1a2", "j8i8", "a2a1", "i8j8").repetitions() == 0
    assert position.play("a1a2", "j8i8", "a2a1", "i8j8").repetitions() == 1


@pytest.mark.parametrize(
    ("pieces", "dead"),
    [
        ("10", True),
        ("4N5", True),
        ("4n5", True),
        ("4B5", True),
        ("4B1B3", True),
        ("4b1B1b1", True),
        ("4BB4", False),
        ("4Bb4", False),
        ("4NN4", False),
        ("4N1n3", False),
        ("4N1b3", False),
        ("4n1b3", False),
        ("4A5", False),
        ("4d5", False),
        ("4D5", False),
        ("4R5", False),
        ("4q5", False),
        ("4P5", False),
    ],
)
def test_dead_positions(game: Game, pieces: str, dead: bool) -> None:
    assert game(f"10/k9/10/10/{pieces}/10/10/7K2 w - - 0 1").is_dead() == dead


def test_a_capture_can_make_a_position_dead(game: Game) -> None:
    position = game("10/10/10/10/4nA4/6k3/10/K9 b - - 0 1")
    assert not position.is_dead()
    assert position.play("g3f4").is_dead()


@pytest.mark.parametrize(
    ("fen", "move", "termination", "winner"),
    [
        # mate on the hundredth half-move
        ("k9/7R2/1K8/10/10/10/10/10 w - - 99 90", "h7h8", "CHECKMATE", True),
        ("K9/7r2/1k8/10/10/10/10/10 b - - 99 90", "h7h8", "CHECKMATE", False),
        ("k9/10/K9/10/10/10/10/2R7 w - - 12 90", "c1b1", "STALEMATE", None),
        ("10/10/10/10/4nA4/6k3/10/K9 b - - 0 1", "g3f4", "INSUFFICIENT_MATERIAL", None),
    ],
)
def test_outcome(fen: str, move: str, termination: str, winner: bool | None) -> None:
    board = Board(fen)
    assert board.outcome() is None
    board.push_uci(move)
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.termination.name, outcome.winner) == (termination, winner)


def test_fifty_moves_by_each_side_are_a_draw() -> None:
    board = Board("k9/7R2/1K8/10/10/10/10/10 w - - 99 90")
    assert not board.is_fifty_moves()
    board.push_uci("h7h6")
    assert board.is_fifty_moves()
    assert not board.is_checkmate()


def test_the_en_passant_field_by_default_tells_of_legal_captures_only() -> None:
    board = Board("3k6/10/10/10/3p6/10/4P5/3R5K w - - 0 1")
    board.push_uci("e2e4")
    assert board.fen() == "3k6/10/10/10/3pP5/10/10/3R5K b - - 0 1"
    assert board.fen(en_passant="fen") == "3k6/10/10/10/3pP5/10/10/3R5K b - e3 0 1"
