"""Reading and writing FEN and SAN."""

from abdiel.board import Board
from bench.conftest import Rate


def bench_write_fen(rate: Rate, boards: list[Board]) -> None:
    rate(lambda: [board.fen() for board in boards], len(boards), "FENs")


def bench_read_fen(rate: Rate, boards: list[Board]) -> None:
    fens = [board.fen() for board in boards]
    board = boards[0].copy()

    def read() -> None:
        for fen in fens:
            board.set_fen(fen)

    rate(read, len(fens), "FENs")


def bench_write_san(rate: Rate, boards: list[Board]) -> None:
    moves = [(board, move) for board in boards[::5] for move in board.legal_moves]
    rate(lambda: [board.san(move) for board, move in moves], len(moves), "moves")


def bench_read_san(rate: Rate, boards: list[Board]) -> None:
    texts = [(board, board.san(move)) for board in boards[::5] for move in board.legal_moves]
    rate(lambda: [board.parse_san(text) for board, text in texts], len(texts), "moves")
