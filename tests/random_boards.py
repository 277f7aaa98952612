"""Hypothesis strategies for boards in the middle of random games of all variants."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from abdiel.board import BOARDS, Board, LegalMoves
from abdiel.moves import Move

# Both armies in both colours, and little else in the way.
MIXED_FENS = [
    "adnbqkbnda/10/2p4a2/4D5/10/3P4d1/1P6P1/R1A2K1D1R w KQ - 0 1",
    "r1d2k1a1r/1PpA3dP1/10/2aD2p3/3P2Ad2/10/1p1d3Ap1/R1A2K1D1R w KQkq - 3 40",
    "1d3k4/3P2p3/2A2d1D2/5a4/4p1P3/1A1D2d3/2P3p1a1/4K3A1 b - - 12 60",
]


def choose(moves: LegalMoves, rng: random.Random) -> Move:
    return rng.choice(list(moves))


def play(board: Board, rng: random.Random, plies: int) -> Board:
    """Play random moves until the game ends."""
    for _ in range(plies):
        if board.is_game_over():
            break
        board.push(choose(board.legal_moves, rng))
    return board


@st.composite
def boards(draw: st.DrawFn, plies: int = 80) -> Board:
    """Draw a board of any variant after a random number of random moves."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    starts = [(board_class, board_class.starting_fen) for board_class in BOARDS]
    starts += [(Board, fen) for fen in MIXED_FENS]
    board_class, fen = draw(st.sampled_from(starts))
    board = board_class(fen)
    return play(board, rng, draw(st.integers(0, plies)))
