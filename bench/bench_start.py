"""From the start of the process to `uciok`."""

import subprocess
import sys

import pytest

from bench.conftest import Rate


@pytest.mark.benchmark(min_rounds=20)
def bench_start(rate: Rate) -> None:
    def start() -> None:
        done = subprocess.run(
            [sys.executable, "-m", "abdiel"], input=b"uci\nquit\n", capture_output=True, check=True
        )
        assert b"\nuciok" in done.stdout

    rate(start, 1, "starts")
