"""The static evaluation."""

from abdiel.board import Board
from abdiel.core.evaluate import evaluate
from bench.conftest import Rate


def bench_evaluate(rate: Rate, boards: list[Board]) -> None:
    positions = [board._position for board in boards]

    def evaluate_all() -> None:
        for position in positions:
            evaluate(position)

    rate(evaluate_all, len(positions), "positions")
