"""Generating legal moves, playing them and taking them back."""

from abdiel.board import Board
from abdiel.core.position import Position
from bench.conftest import Rate


def _positions(boards: list[Board]) -> list[Position]:
    return [board._position for board in boards]


def bench_generate(rate: Rate, boards: list[Board]) -> None:
    positions = _positions(boards)

    def generate() -> int:
        return sum(len(position.legal_moves()) for position in positions)

    rate(generate, generate(), "moves")


def bench_generate_in_two_parts(rate: Rate, boards: list[Board]) -> None:
    positions = _positions(boards)

    def generate() -> int:
        return sum(len(position.removals()) + len(position.quiets()) for position in positions)

    rate(generate, generate(), "moves")


def bench_count(rate: Rate, boards: list[Board]) -> None:
    positions = _positions(boards)

    def count() -> int:
        return sum(position.count_legal() for position in positions)

    rate(count, count(), "moves")


def bench_make_unmake(rate: Rate, boards: list[Board]) -> None:
    played = [(position, position.legal_moves()) for position in _positions(boards)]

    def make_unmake() -> None:
        for position, moves in played:
            for move in moves:
                position.make(move)
                position.unmake()

    rate(make_unmake, sum(len(moves) for _, moves in played), "moves")
