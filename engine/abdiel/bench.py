"""A fixed set of searches whose node count is a checksum of the search's behaviour.

The count is the same on every run and machine: the depth is fixed, the hash table is fresh and of
one size, and no clock has a say. A change that should not alter the search proves it by leaving
the count alone; the speed in nodes per second may be compared on one machine.
"""

from __future__ import annotations

import time

from abdiel.board import find_variant
from abdiel.engine import Engine, Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_DEPTH = 12
MAX_DEPTH = 64
_HASH_MB = 16

# Openings to endings, both armies in both colours, promotions and castling near at hand.
POSITIONS = {
    "angelsanddevils": (
        "rdnbqkbndr/pppppppppp/10/10/10/10/PPPPPPPPPP/RANBQKBNAR w KQkq - 0 1",
        "rdnbqkbndr/ppp1p1p1pp/5p4/3p3p2/P7P1/1P8/2PPPPPP1P/RANBQKBNAR b KQkq - 0 4",
        "1rn1qk2dr/pppp2pp1p/3d1p4/4p3p1/1P1P3PNn/1N2BP4/b1P1P1P1PP/RA1BQK2AR w KQk - 2 10",
        "rd2qk2dr/pp1p4pp/1np3p1n1/a2a6/PP1D2pP2/9P/2PPD1P1P1/RA2QK2AR w KQkq - 0 9",
        "r1n4n1r/1p2pk4/2qd1p2p1/2p2P1p2/p2PP4P/PA8/1P4P1P1/R1N1QKBN1R w KQ - 0 20",
        "5kdn1r/r5p1pp/3d6/p3pp2A1/P1np3PPP/2Q7/1P1P1P3R/R4KB2q w k - 2 23",
        "r2d1k4/n4q4/5P4/P5p3/2d1p5/RA5R2/3P1N4/3BNKB3 w - - 0 34",
        "10/PP1kP5/10/2dd6/10/4AA1K2/5pp1pp/10 b - - 1 3",
        "10/4k5/3r2A3/5R4/10/4K5/10/b7d1 b - - 4 10",
    ),
    "capablanca": (
        "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1",
        "rna3kc1r/pppp2pp1p/10/9Q/P1NP6/1bP4P2/1P2P1P2b/R2B1K1CNR b KQ - 1 14",
    ),
    "gothic": (
        "rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1",
        "1nbqc2br1/rppp1k3p/5p1P2/4p2p2/2PP6/5P1N2/1P2PKPP1P/2aQC2B1R w - - 2 17",
    ),
    "embassy": (
        "rnbqkcabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKCABNR w KQkq - 0 1",
        "r3k4r/pppppp1ppp/10/6p3/4P3P1/10/PPPP1PPP1P/R3K4R b KQkq - 0 2",
    ),
    "janus": (
        "rjnbkqbnjr/pppppppppp/10/10/10/10/PPPPPPPPPP/RJNBKQBNJR w KQkq - 0 1",
        "r1n1kqbn1r/4p5/p1pB1pj1pp/6p3/1P2P5/4P3P1/P1P3P2P/R1N1K2NJR w KQkq - 0 16",
    ),
}


def run_bench(
    depth: int = DEFAULT_DEPTH,
    on_position: Callable[[str, str, int], None] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[int, float]:
    """Search every position to `depth` half-moves; returns the nodes and the seconds it took.

    `on_position` gets the variant, the FEN and the nodes of each. When `stopped` returns True the
    bench ends soon, with what it has counted.
    """
    total = 0
    start = time.perf_counter()
    with Engine(_HASH_MB) as engine:
        for name, fens in POSITIONS.items():
            variant = find_variant(name)
            for fen in fens:
                engine.new_game()
                engine.start(variant(fen), Limits(depth=depth))
                while not engine.wait(timeout=0.05):
                    if stopped():
                        engine.stop()
                total += engine.nodes
                if stopped():
                    return total, time.perf_counter() - start
                if on_position is not None:
                    on_position(name, fen, engine.nodes)
    return total, time.perf_counter() - start
