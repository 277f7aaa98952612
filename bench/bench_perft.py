"""Perft from each start position: generation, make, unmake and the counting of the last ply."""

import abdiel
from bench.conftest import Rate


def bench_perft(rate: Rate, variant: str) -> None:
    board = abdiel.find_variant(variant)()
    rate(lambda: board.perft(5), board.perft(5), "nodes")
