"""The core's attack lookups against squares walked one by one."""

import random

import pytest

from abdiel.core.position import (
    ARCHBISHOP,
    BISHOP,
    BLACK_PIECE,
    CHANCELLOR,
    FILES,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    RANKS,
    ROOK,
    SQUARES,
    Position,
)
from abdiel.variants import VARIANTS

DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
ORTHOGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)]
JUMPS = [(r, f) for r in range(-2, 3) for f in range(-2, 3) if r * r + f * f == 5]


def walk(square: int, occupied: set[int], steps: list[tuple[int, int]], far: bool) -> set[int]:
    reached = set()
    for rank_step, file_step in steps:
        rank, file = divmod(square, FILES)
        while True:
            rank, file = rank + rank_step, file + file_step
            if not (0 <= rank < RANKS and 0 <= file < FILES):
                break
            reached.add(rank * FILES + file)
            if not far or rank * FILES + file in occupied:
                break
    return reached


@pytest.mark.parametrize("square", range(SQUARES))
def test_sliders_and_leapers_reach_what_a_walk_reaches(square: int) -> None:
    variant = VARIANTS["capablanca"]
    position = Position(variant.castling, variant.promotions)
    rng = random.Random(square)
    others = [s for s in range(SQUARES) if s != square]
    for _ in range(60):
        chosen = rng.sample(others, rng.randint(2, 50))
        pieces = [0] * SQUARES
        pieces[chosen[0]], pieces[chosen[1]] = KING, KING + BLACK_PIECE
        for other in chosen[2:]:
            pieces[other] = rng.choice((KNIGHT, KNIGHT + BLACK_PIECE))
        occupied = {*chosen, square}
        for kind, far, near in (
            (BISHOP, DIAGONAL, []),
            (ROOK, ORTHOGONAL, []),
            (QUEEN, DIAGONAL + ORTHOGONAL, []),
            (KNIGHT, [], JUMPS),
            (ARCHBISHOP, DIAGONAL, JUMPS),
            (CHANCELLOR, ORTHOGONAL, JUMPS),
            (PAWN, [], [(1, 1), (1, -1)]),
        ):
            pieces[square] = kind
            position.set(pieces, 0, 0, -1, 0, 1)
            expected = walk(square, occupied, far, True) | walk(square, occupied, near, False)
            assert {s for s in range(SQUARES) if position.attacks(square) >> s & 1} == expected


def test_a_king_reaches_its_neighbours() -> None:
    variant = VARIANTS["capablanca"]
    position = Position(variant.castling, variant.promotions)
    for square in range(SQUARES):
        pieces = [0] * SQUARES
        pieces[square] = KING
        pieces[(square + SQUARES // 2) % SQUARES] = KING + BLACK_PIECE
        position.set(pieces, 0, 0, -1, 0, 1)
        expected = walk(square, set(), DIAGONAL + ORTHOGONAL, False)
        assert {s for s in range(SQUARES) if position.attacks(square) >> s & 1} == expected
