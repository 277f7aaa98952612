"""The evaluation: symmetric between the sides, its terms adding up to it, and of the right sign."""

import random

import abdiel
from abdiel.core.evaluate import evaluate, terms
from abdiel.core.search import MATE


def games(variant: str, seed: int, plies: int) -> list[abdiel.Board]:
    rng = random.Random(seed)
    board = abdiel.find_variant(variant)()
    seen = []
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
        seen.append(board.copy(stack=False))
    return seen


def test_a_mirrored_position_is_worth_the_same_to_its_mover() -> None:
    for variant in abdiel.VARIANTS:
        for board in games(variant, 1, 80):
            assert evaluate(board._position) == evaluate(board.mirror()._position)


def test_the_terms_add_up() -> None:
    for variant in abdiel.VARIANTS:
        for board in games(variant, 2, 80):
            shares = terms(board._position).values()
            total = sum(white - black for white, black in shares)
            score = evaluate(board._position)
            # Each share is rounded on its own.
            assert abs((total if board.turn == abdiel.WHITE else -total) - score) <= 4
            assert abs(score) < MATE // 2


def test_a_piece_more_is_worth_more() -> None:
    for removed in ("a8", "b8", "c8", "d8", "e8", "a7"):
        board = abdiel.Board()
        level = evaluate(board._position)
        board.remove_piece_at(abdiel.parse_square(removed))
        assert evaluate(board._position) > level + 50
