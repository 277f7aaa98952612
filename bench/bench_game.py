"""A game as a Python program plays it: list the legal moves, push one, ask whether it is over."""

import abdiel
from bench.conftest import Rate, play


def bench_game(rate: Rate, variant: str) -> None:
    moves = play(variant, 1, 120).move_stack
    board_class = abdiel.find_variant(variant)

    def game() -> None:
        board = board_class()
        for move in moves:
            assert move in list(board.legal_moves)
            board.push(move)
            board.is_game_over(claim_draw=True)

    rate(game, len(moves), "moves")
