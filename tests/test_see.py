"""Static exchanges: by hand, against an exhaustive exchange search, and value against threshold."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from bridge import to_core
from hypothesis import given
from hypothesis import strategies as st
from random_boards import boards
from reference import Reference
from strategies import positions

from abdiel import Board, Move, find_variant
from abdiel.core.position import PAWN, Position, move_promotion, move_to
from abdiel.core.see import moves_safely, piece_values, static_exchange, static_exchange_ge
from abdiel.errors import FenError

DATA = Path(__file__).parent / "data"
FILES = ("family_play.jsonl", "ad_play.jsonl.gz", "ad_dense.jsonl.gz")
VALUES = piece_values()
LETTERS = " PNBRQKHCAD"  # by piece type, H for the Archbishop as in the reference
THRESHOLDS = (-500, -200, -50, 0, 1, 100, 300)


def _worth(text: str) -> int:
    """The centipawns of e.g. ``"+R -Q"``."""
    return sum(
        (1 if word[0] == "+" else -1) * VALUES[LETTERS.index(word[1])] for word in text.split()
    )


class TooMuchError(Exception):
    """An exchange has more branches than a test can follow."""


class Exhaustive:
    """The definition, played out on the board: every legal removal of what has just moved."""

    def __init__(self, position: Position, moves: int = 3000) -> None:
        self.position = position
        self.left = moves

    def gain(self, move: int) -> int:
        removed, total = self.position.removed(move), 0
        while removed:
            code = self.position.piece_at(removed.bit_length() - 1)
            removed ^= 1 << removed.bit_length() - 1
            total += VALUES[code & 15] * (-1 if code >> 4 == self.position.turn else 1)
        if promotion := move_promotion(move):
            total += VALUES[promotion] - VALUES[PAWN]
        return total

    def answers(self, move: int) -> list[int]:
        """Removals, legal after the move, of the piece that made it."""
        target = 1 << move_to(move)
        self.position.make(move)
        found = [m for m in self.position.removals() if self.position.removed(m) & target]
        self.position.unmake()
        return found

    def value(self, move: int) -> int:
        self.left -= 1
        if not self.left:
            raise TooMuchError
        answers = self.answers(move)
        gain = self.gain(move)
        if answers:
            self.position.make(move)
            try:
                gain -= max(0, *map(self.value, answers))
            finally:
                self.position.unmake()
        return gain


# Positions small enough to check by eye; the worth follows the line that neither side would leave.
FAMILY = [
    ("nothing to win or to lose", "5k4/10/10/10/10/10/10/4RK4 w", "e1e5", ""),
    ("a pawn for nothing", "5k4/10/10/10/4p5/10/10/4RK4 w", "e1e4", "+P"),
    ("a guarded pawn", "5k4/10/10/3p6/4p5/10/10/4RK4 w", "e1e4", "+P -R"),
    ("a quiet move into a guard", "5k4/10/10/3p6/10/10/10/4RK4 w", "e1e4", "-R"),
    ("a rook behind the rook", "4rk4/10/10/4p5/10/10/4R5/4RK4 w", "e2e5", "+P"),
    ("a rook too few", "4rk4/4r5/10/4p5/10/10/4R5/4RK4 w", "e2e5", "+P -R"),
    ("a queen behind a bishop", "5k4/10/3p6/4p5/10/6B3/7Q2/5K4 w", "g3e5", "+P -B +P"),
    ("a chancellor behind a rook", "4rk4/10/10/4n5/10/10/4R5/4CK4 w", "e2e5", "+N"),
    ("an archbishop guards by leap", "5k4/6a3/10/5n4/10/10/10/5RK3 w", "f1f5", "+N -R"),
    ("an archbishop guards by line", "5k1a2/10/10/4n5/10/10/10/4RK4 w", "e1e5", "+N -R"),
    ("a chancellor guards by leap", "5k4/6c3/10/5n4/10/10/10/5R1K2 w", "f1f5", "+N -R"),
    ("en passant", "5k4/10/10/3pP5/10/10/10/5K4 w - d6", "e5d6", "+P"),
    ("en passant, recaptured", "5k4/2p7/10/3pP5/10/10/10/5K4 w - d6", "e5d6", "+P -P"),
    ("a double step taken en passant", "5k4/10/10/10/4p5/10/3P6/5K4 w", "d2d4", "-P"),
    ("and taken back", "5k4/10/10/10/4p5/10/2PP6/5K4 w", "d2d4", "-P +P"),
    ("a promotion", "9k/3P6/10/10/10/10/10/5K4 w", "d7d8q", "+Q -P"),
    ("a promotion into a guard", "r8k/3P6/10/10/10/10/10/5K4 w", "d7d8q", "-P"),
    ("a capture that promotes", "3r5k/4P5/10/10/10/10/10/5K4 w", "e7d8q", "+R +Q -P"),
    ("a recapture that promotes", "9k/10/10/10/10/1N8/1p8/r4K4 w", "b3a1", "+R -N -Q +P"),
    ("a king takes back", "10/4k5/5p4/10/10/10/10/2K2R4 w", "f1f6", "+P -R"),
    ("a king may not", "10/4k5/5p4/10/10/10/5Q4/2K2R4 w", "f2f6", "+P"),
    ("a king's own capture", "9k/10/10/10/10/10/5p4/5K4 w", "f1f2", "+P"),
    ("a pinned guard", "3k6/10/3r1p4/10/10/10/3Q6/3K1R4 w", "f1f6", "+P"),
    ("a guard on the line of its pin", "3k6/3r6/10/3p6/10/10/3R6/3KQ5 w", "d2d5", "+P -R"),
    ("a guard with a check to answer", "3k6/10/6p3/10/3N6/10/10/3R1K4 w", "d4f5", ""),
    ("castling", "5k4/10/10/10/10/10/10/5K3R w K", "f1i1", ""),
]
ANGELS_AND_DEVILS = [
    ("an angel takes what it jumps over", "9k/10/10/10/Anrbq5/10/10/9K w", "a4e4", "+N +R +B +Q"),
    ("and is taken", "4r4k/10/10/10/Anrbq5/10/10/9K w", "a4e4", "+N +R +B +Q -A"),
    ("another landing", "4r4k/10/10/10/Anrbq5/10/10/9K w", "a4c4", "+N +R"),
    ("a devil burns", "9k/10/10/4r5/3n1n4/4q5/4D5/K9 w", "e2e4", "+R +N +N +Q"),
    ("a friend for a queen", "9k/10/10/10/4N5/4q5/4D5/K9 w", "e2e4", "+Q -N"),
    ("a friend for nothing", "9k/10/10/10/4N5/10/4D5/K9 w", "e2e4", "-N"),
    ("a friend, and the devil too", "9k/10/10/3p6/4N5/10/4D5/K9 w", "e2e4", "-N -D"),
    ("burned", "9k/4d5/10/10/10/10/10/1Q2K5 w", "b1e4", "-Q"),
    ("burned, and the devil taken", "9k/4d5/10/8R1/10/10/10/1Q3K4 w", "b1e4", "-Q +D"),
    ("burned with the guard", "9k/4d5/10/5R4/10/10/10/1Q3K4 w", "b1e4", "-Q -R"),
    ("burned over a friend", "9k/4d5/10/4p5/10/10/10/1Q3K4 w", "b1e4", "-Q +P"),
    ("no landing on the own king", "10/4d5/10/4k5/6PN2/10/10/K9 w", "h4f5", ""),
    ("jumped over", "9k/10/10/10/a9/10/10/1Q7K w", "b1b4", "-Q"),
    ("jumped over into guards", "9k/10/10/10/a9/3P6/10/1Q7K w", "b1b4", "-Q +A"),
    ("friends on the landings", "9k/10/10/10/a1p1p5/10/10/1Q7K w", "b1b4", ""),
    ("jumped over, not landed on", "8k1/10/10/10/a9/1P8/10/2Q6K w", "c1c4", "-Q"),
    ("a king keeps out of the fire", "10/10/10/4k5/5p4/10/6D3/K4R4 w", "f1f4", "+P"),
    ("promoted to a devil, no fire", "k9/10/10/10/10/10/4p5/5N3K b", "e2e1d", "+D -P"),
]


def _setup(fen: str, uci: str, variant: str) -> tuple[Position, int]:
    placement, turn, *rest = fen.split()
    castling, passed = [*rest, "-", "-"][:2]
    board = find_variant(variant)(f"{placement} {turn} {castling} {passed} 0 1")
    return board._position, board._core_move(Move.from_uci(uci))


@pytest.mark.parametrize(
    ("variant", "fen", "uci", "worth"),
    [pytest.param("capablanca", *case, id=name) for name, *case in FAMILY]
    + [pytest.param("angelsanddevils", *case, id=name) for name, *case in ANGELS_AND_DEVILS],
)
def test_by_hand(variant: str, fen: str, uci: str, worth: str) -> None:
    position, move = _setup(fen, uci, variant)
    before = position.state()
    assert static_exchange(position, move) == _worth(worth)
    assert static_exchange_ge(position, move, _worth(worth))
    assert not static_exchange_ge(position, move, _worth(worth) + 1)
    assert Exhaustive(position).value(move) == _worth(worth)
    assert position.state() == before


def _boards(file: str) -> Iterator[Board]:
    opener = gzip.open if file.endswith(".gz") else open
    with opener(DATA / file, "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            # The files hold some positions that cannot be: the side not to move is in check.
            with suppress(FenError):
                yield find_variant(case.get("variant", "angelsanddevils"))(case["fen"])


# Of the moves that can be answered 99.97, 99.92 and 99.71 % agreed when this was written. The rest
# are exchanges in which a dearer piece should take first, and checks that do not come from sliders.
@pytest.mark.parametrize(("file", "least"), list(zip(FILES, (0.998, 0.997, 0.99), strict=True)))
def test_agrees_with_the_exhaustive_search(file: str, least: float) -> None:
    asked = equal = thresholds = right = 0
    for board in _boards(file):
        position = board._position
        for move in position.legal_moves():
            search = Exhaustive(position)
            try:
                exact = search.value(move)
            except TooMuchError:
                continue
            value = static_exchange(position, move)
            answers = search.answers(move)
            if not answers:
                continue
            asked += 1
            equal += value == exact
            thresholds += len(THRESHOLDS)
            right += sum(
                static_exchange_ge(position, move, at) == (exact >= at) for at in THRESHOLDS
            )
    assert asked > 1000
    assert equal / asked >= least
    assert right / thresholds >= least


def _certain(position: Position, move: int) -> int | None:
    """The move's worth where the definition leaves no choice: nobody attacks the piece that moves,
    or one piece does, by one legal move, and nobody attacks that piece then."""
    search = Exhaustive(position)
    gain, answers = search.gain(move), search.answers(move)
    us, them = position.turn, 1 - position.turn
    position.make(move)
    try:
        attackers = position.attackers(them, move_to(move)).bit_count()
        if attackers > 1 or attackers != len(answers) or position.ep_square >= 0:
            return None
        for answer in answers:
            gain -= max(0, search.gain(answer))
            position.make(answer)
            attacked = position.attackers(us, move_to(answer))
            position.unmake()
            if attacked:
                return None
        return gain
    finally:
        position.unmake()


@pytest.mark.parametrize("file", FILES)
def test_exact_where_there_is_no_choice(file: str) -> None:
    asked = 0
    for board in itertools.islice(_boards(file), 100):
        position = board._position
        for move in position.legal_moves():
            worth = _certain(position, move)
            if worth is not None:
                asked += 1
                assert static_exchange(position, move) == worth, (
                    board.fen(),
                    board._from_core(move).uci(),
                )
    assert asked > 1000


@given(boards(), st.integers(-2000, 2000))
def test_threshold_and_value_never_disagree_in_games(board: Board, threshold: int) -> None:
    _compare(board._position, threshold)


@given(positions(), st.integers(-2000, 2000))
def test_threshold_and_value_never_disagree(reference: Reference, threshold: int) -> None:
    _compare(to_core(reference), threshold)


def _compare(position: Position, threshold: int) -> None:
    before = position.state()
    for move in position.legal_moves():
        value = static_exchange(position, move)
        assert value <= Exhaustive(position).gain(move)
        for at in (value - 1, value, value + 1, 0, threshold):
            assert static_exchange_ge(position, move, at) == (value >= at), (move, at)
        if _is_quiet(position, move) and moves_safely(position, move):
            assert value >= 0, move
    assert position.state() == before


def _is_quiet(position: Position, move: int) -> bool:
    return not position.removed(move) and not move_promotion(move)


@pytest.mark.parametrize("file", FILES)
def test_safe_moves_are_those_without_answers(file: str) -> None:
    quiet = safe = unanswered = 0
    for board in _boards(file):
        position = board._position
        for move in position.legal_moves():
            if not _is_quiet(position, move):
                continue
            quiet += 1
            answers = Exhaustive(position).answers(move)
            if moves_safely(position, move):
                safe += 1
                assert not answers, (board.fen(), board._from_core(move).uci())
            unanswered += not answers
    assert quiet > 1000
    # 71, 82 and 63 %. The others are double steps, or were watched before, or by a pinned piece.
    assert safe > 0.6 * unanswered
