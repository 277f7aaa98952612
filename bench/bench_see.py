"""Static exchange evaluation of every legal move."""

import pytest

from abdiel.board import Board
from abdiel.core.see import static_exchange, static_exchange_ge
from bench.conftest import Rate


def bench_static_exchange(rate: Rate, boards: list[Board]) -> None:
    asked = [(board._position, board._position.legal_moves()) for board in boards]

    def values() -> None:
        for position, moves in asked:
            for move in moves:
                static_exchange(position, move)

    rate(values, sum(len(moves) for _, moves in asked), "moves")


@pytest.mark.parametrize("kind", ["removals", "quiets"])
def bench_static_exchange_ge(rate: Rate, boards: list[Board], kind: str) -> None:
    asked = [(board._position, getattr(board._position, kind)()) for board in boards]

    def thresholds() -> None:
        for position, moves in asked:
            for move in moves:
                static_exchange_ge(position, move, 0)

    rate(thresholds, sum(len(moves) for _, moves in asked), "moves")
