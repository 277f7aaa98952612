"""Attack look-ups and what is built of them."""

from abdiel.board import Board
from abdiel.core.position import SQUARES
from bench.conftest import Rate


def bench_attackers(rate: Rate, boards: list[Board]) -> None:
    positions = [board._position for board in boards]

    def attackers() -> None:
        for position in positions:
            for square in range(SQUARES):
                position.attackers(0, square)
                position.attackers(1, square)

    rate(attackers, 2 * SQUARES * len(positions), "look-ups")


def bench_attacks(rate: Rate, boards: list[Board]) -> None:
    pieces = [
        (board._position, square)
        for board in boards
        for square, code in enumerate(board._position.pieces())
        if code
    ]

    def attacks() -> None:
        for position, square in pieces:
            position.attacks(square)

    rate(attacks, len(pieces), "look-ups")


def bench_pinned(rate: Rate, boards: list[Board]) -> None:
    positions = [board._position for board in boards]

    def pinned() -> None:
        for position in positions:
            position.pinned()

    rate(pinned, len(positions), "positions")


def bench_gives_check(rate: Rate, boards: list[Board]) -> None:
    asked = [(board._position, board._position.legal_moves()) for board in boards]

    def gives_check() -> None:
        for position, moves in asked:
            for move in moves:
                position.gives_check(move)

    rate(gives_check, sum(len(moves) for _, moves in asked), "moves")
