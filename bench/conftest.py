"""The positions that the suites share, and how they measure."""

import random
from collections.abc import Callable, Iterator

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import abdiel
from abdiel.board import Board
from abdiel.variants import VARIANTS

Rate = Callable[[Callable[[], object], int, str], None]

_RATES = pytest.StashKey[dict[str, str]]()


def play(variant: str, seed: int, plies: int) -> Board:
    """Return a board after at most so many random moves from the start; the same each time."""
    choice = random.Random(f"{variant} {seed}")
    board = abdiel.find_variant(variant)()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(choice.choice(moves))
    return board


@pytest.fixture(params=VARIANTS)
def variant(request: pytest.FixtureRequest) -> str:
    """Each variant in turn."""
    return str(request.param)


@pytest.fixture
def boards(variant: str) -> list[Board]:
    """A hundred positions of the variant, from the opening to move 60."""
    return [play(variant, seed, 1 + seed * 120 // 100) for seed in range(100)]


@pytest.fixture
def rate(benchmark: BenchmarkFixture, request: pytest.FixtureRequest) -> Iterator[Rate]:
    """Measure `function`, which does `operations` of a unit, e.g. "nodes", at each call."""

    def measure(function: Callable[[], object], operations: int, unit: str) -> None:
        assert operations > 0
        benchmark(function)
        if benchmark.stats is not None:
            per_second = operations / benchmark.stats.stats.median
            benchmark.extra_info[f"{unit} per second"] = round(per_second)
            request.config.stash.setdefault(_RATES, {})[request.node.nodeid] = (
                f"{per_second:15,.0f} {unit}/s"
            )

    yield measure


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Make pytest-benchmark's table short and one for each function, unless asked otherwise."""
    asked = " ".join(config.invocation_params.args)
    if "--benchmark-group-by" not in asked:
        config.option.benchmark_group_by = "func"
    if "--benchmark-columns" not in asked:
        config.option.benchmark_columns = ["median", "iqr", "rounds"]


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the rates below the table of times."""
    rates = config.stash.get(_RATES, {})
    if rates:
        terminalreporter.section("rates (medians)")
        width = max(map(len, rates))
        for name, text in rates.items():
            terminalreporter.write_line(f"{name:<{width}} {text}")
