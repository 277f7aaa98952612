"""Abdiel beside Fairy-Stockfish on the same machine in the same minutes.

    python bench/versus.py [--fairy PROGRAM] [--depth N ...] [--rounds N]
    python bench/versus.py --search [--fairy PROGRAM] [--variant V] [--nodes N] [--to-depth N]

PROGRAM is a large-board build of Fairy-Stockfish; without it the environment's FAIRY_STOCKFISH,
then `fairy-stockfish` on the PATH. The two take turns, so that what else the machine does hits
both. Perft rates are medians, search rates the fastest of each; nodes are counted per second of the
engine's own CPU time.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

ABDIEL = (sys.executable, "-m", "abdiel")
POSITIONS = Path(__file__).parent.parent / "tests" / "data" / "family_play.jsonl"
MIDDLEGAMES = 20
HASH_MB = 64


class Engine:
    """A UCI engine on pipes; a context manager."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.send("quit")
        self.process.wait(timeout=10)

    def send(self, line: str) -> None:
        """Write one line."""
        assert self.process.stdin
        self.process.stdin.write(line + "\n")

    def read_to(self, start: str) -> str:
        """Return the first line that begins with `start`."""
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith(start):
                return line.rstrip()
        raise SystemExit(f"{self.process.args!r} ended before it said {start!r}")

    def cpu_seconds(self) -> float:
        """CPU time used so far, of all threads (Linux numbers the clock by the process)."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def perft(self, depth: int) -> tuple[int, float]:
        """Return the nodes and the nodes per CPU second."""
        begin = self.cpu_seconds()
        self.send(f"go perft {depth}")
        nodes = int(self.read_to("Nodes searched: ").split()[2])
        return nodes, nodes / (self.cpu_seconds() - begin)

    def search(self, position: str, limit: str) -> tuple[int, float, float]:
        """Search as in a new game; the nodes told last, and the seconds by CPU and by the clock."""
        self.send("ucinewgame")
        self.send("isready")
        self.read_to("readyok")
        self.send(f"position {position}")
        begin, clock = self.cpu_seconds(), time.perf_counter()
        self.send(f"go {limit}")
        nodes = 0
        assert self.process.stdout
        for line in self.process.stdout:
            words = line.split()
            if "nodes" in words:
                nodes = int(words[words.index("nodes") + 1])
            if words[:1] == ["bestmove"]:
                return nodes, self.cpu_seconds() - begin, time.perf_counter() - clock
        raise SystemExit(f"{self.process.args!r} ended in a search")


def middlegames(variant: str) -> list[str]:
    """FENs from the middle of games, evenly from those that the tests have."""
    found = []
    with POSITIONS.open() as lines:
        for line in lines:
            case = json.loads(line)
            board, *_, number = case["fen"].split()
            pieces = sum(symbol.isalpha() for symbol in board)
            middle = 10 <= int(number) <= 40 and pieces >= 20
            if case["variant"] == variant and middle and not case["check"]:
                found.append(case["fen"])
    return found[:: max(1, len(found) // MIDDLEGAMES)][:MIDDLEGAMES]


def speed(fairy: Sequence[str], variant: str, nodes: int, depth: int, rounds: int) -> None:
    """Print nodes a second in one thread, and the time to a depth from the start."""
    positions = ["startpos", *(f"fen {fen}" for fen in middlegames(variant))]
    with Engine(ABDIEL) as ours, Engine(fairy) as theirs:
        for engine in (ours, theirs):
            engine.send(f"setoption name UCI_Variant value {variant}")
            engine.send(f"setoption name Hash value {HASH_MB}")
            engine.search("startpos", f"nodes {nodes}")  # the first touches fresh memory
        rates = []
        for position in positions:
            # What else the machine does only slows, so the fastest of each is nearest to the truth.
            best = [0.0, 0.0]
            for _ in range(rounds):
                for i, engine in enumerate((ours, theirs)):
                    searched, cpu, _ = engine.search(position, f"nodes {nodes}")
                    best[i] = max(best[i], searched / cpu)
            rates.append(best)
        print_rates("the start", rates[:1])
        print_rates(f"{len(rates) - 1} middlegames", rates[1:])
        for name, engine in (("Abdiel", ours), ("Fairy-Stockfish", theirs)):
            runs = [engine.search("startpos", f"depth {depth}") for _ in range(rounds)]
            count = statistics.median(run[0] for run in runs)
            seconds = statistics.median(run[2] for run in runs)
            print(f"depth {depth} from the start: {name} {count:,.0f} nodes, {seconds:.2f} s")


def print_rates(where: str, rates: Sequence[Sequence[float]]) -> None:
    """Print the median rates of both and the median, lowest and highest of their ratios."""
    mine, other = (statistics.median(pair[i] for pair in rates) / 1e3 for i in (0, 1))
    ratios = [pair[0] / pair[1] for pair in rates]
    print(
        f"search from {where}: Abdiel {mine:.0f} k/s  Fairy-Stockfish {other:.0f} k/s"
        f"  ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    )


def perft(fairy: Sequence[str], variant: str, depth: int, rounds: int) -> None:
    """Print the median rates of both and the median of the paired ratios."""
    with Engine(ABDIEL) as ours, Engine(fairy) as theirs:
        for engine in (ours, theirs):
            engine.send(f"setoption name UCI_Variant value {variant}")
            engine.send("position startpos")
            engine.perft(2)
        pairs = [(ours.perft(depth), theirs.perft(depth)) for _ in range(rounds)]
    nodes = {count for pair in pairs for count, _ in pair}
    if len(nodes) != 1:
        raise SystemExit(f"perft {depth} of {variant}: the engines counted {sorted(nodes)}")
    mine, other = (statistics.median(pair[i][1] for pair in pairs) for i in (0, 1))
    ratio = statistics.median(pair[0][1] / pair[1][1] for pair in pairs)
    print(
        f"perft {depth} {variant:16} {nodes.pop():14,} nodes"
        f"  Abdiel {mine / 1e6:7.1f} M/s  Fairy-Stockfish {other / 1e6:6.1f} M/s  ratio {ratio:.1f}"
    )


def own_perft(variant: str, depth: int, rounds: int) -> None:
    """Print a variant's rate, and its ratio to the Capablanca rate; the other engine rests."""
    with Engine(ABDIEL) as one, Engine(ABDIEL) as base:
        one.send(f"setoption name UCI_Variant value {variant}")
        base.send("setoption name UCI_Variant value capablanca")
        for engine in (one, base):
            engine.send("position startpos")
            engine.perft(2)
        pairs = [(one.perft(depth)[1], base.perft(depth)[1]) for _ in range(rounds)]
    rate = statistics.median(pair[0] for pair in pairs)
    ratio = statistics.median(pair[0] / pair[1] for pair in pairs)
    print(
        f"perft {depth} {variant:16} Abdiel {rate / 1e6:7.1f} M/s  {ratio:.2f} of its Capablanca's"
    )


def start(fairy: Sequence[str], rounds: int) -> None:
    """Print the median times from the start of the process to `uciok`."""
    times: dict[Sequence[str], list[float]] = {ABDIEL: [], fairy: []}
    for _ in range(rounds):
        for command, seconds in times.items():
            begin = time.perf_counter()
            with Engine(command) as engine:
                engine.send("uci")
                engine.read_to("uciok")
                seconds.append(time.perf_counter() - begin)
    mine, other = (1000 * statistics.median(seconds) for seconds in times.values())
    print(f"start to uciok: Abdiel {mine:.0f} ms  Fairy-Stockfish {other:.0f} ms")


def main() -> None:
    """Read the command line and print everything."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--fairy", help="the other engine's program")
    parser.add_argument("--depth", type=int, nargs="+", default=[5], help="of perft (default 5)")
    parser.add_argument("--rounds", type=int, default=7, help="of perft (default 7)")
    parser.add_argument("--variant", default="capablanca", help="default capablanca")
    parser.add_argument("--search", action="store_true", help="time searches, not perft")
    parser.add_argument("--nodes", type=int, default=500_000, help="a search (default 500,000)")
    parser.add_argument("--to-depth", type=int, default=18, help="default 18")
    options = parser.parse_args()
    program = options.fairy or os.environ.get("FAIRY_STOCKFISH") or shutil.which("fairy-stockfish")
    if not program:
        parser.error("no Fairy-Stockfish: give --fairy PROGRAM or set FAIRY_STOCKFISH")
    fairy = (program,)
    with Engine(fairy) as engine:
        engine.send("uci")
        print(engine.read_to("id name")[8:])
    if options.search:
        speed(fairy, options.variant, options.nodes, options.to_depth, options.rounds)
        return
    start(fairy, 20)
    for depth in options.depth:
        perft(fairy, options.variant, depth, options.rounds)
    own_perft("angelsanddevils", 5, options.rounds)


if __name__ == "__main__":
    main()
