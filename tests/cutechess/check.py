"""Compile the board class for Cute Chess against a stub of Cute Chess, and compare it with data.

The stub in this folder stands in for Cute Chess's board classes and for Qt, so that neither is
needed; a C++17 compiler is. The answers are those of the test data; Abdiel writes the SAN.
"""

from __future__ import annotations

import gzip
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import abdiel

HERE = Path(__file__).parent
BOARD_CLASS = HERE.parents[1] / "ext" / "cutechess"
DATA = HERE.parent / "data"
PERFT = HERE.parent / "perft" / "perft.epd"

MAX_LEAVES = 30_000
FLAGS = ("-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-D_GLIBCXX_ASSERTIONS")


def questions() -> Iterator[str]:
    """Yield the lines that compare.cpp reads."""
    for line in PERFT.read_text(encoding="utf-8").splitlines():
        variant, fen, *counts = line.split(";")
        if variant == "angelsanddevils":
            yield from position(fen, counts)
    for file in ("ad_play.jsonl.gz", "ad_dense.jsonl.gz"):
        with gzip.open(DATA / file, "rt", encoding="utf-8") as lines:
            for case in map(json.loads, lines):
                board = abdiel.Board(case["fen"])
                yield from position(case["fen"], case["perft"])
                yield f"moves {len(case['moves'])}"
                for uci, answer in case["moves"].items():
                    san = board.san(board.parse_uci(uci))
                    # En passant is written there after every double step, here when it is legal.
                    after = abdiel.Board(answer["fen"]).fen().replace(" ", "_")
                    yield " ".join(["move", uci, san, after, *answer["removed"]])


def position(fen: str, counts: list[str]) -> Iterator[str]:
    """Yield a position and its perft counts, small ones only."""
    yield f"position {fen}"
    for depth, count in enumerate(counts, 1):
        if int(count) <= MAX_LEAVES:
            yield f"perft {depth} {count}"


def main() -> int:
    """Return the exit status of the comparison."""
    compiler = shlex.split(os.environ.get("CXX", "g++"))
    sources = (
        BOARD_CLASS / "angelsanddevilsboard.cpp",
        HERE / "westernboard.cpp",
        HERE / "compare.cpp",
    )
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "compare"
        subprocess.run(
            [*compiler, *FLAGS, "-I", HERE, "-I", BOARD_CLASS, *sources, "-o", program], check=True
        )
        text = "".join(line + "\n" for line in questions())
        return subprocess.run([program], input=text, text=True, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
