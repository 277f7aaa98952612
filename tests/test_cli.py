"""The commands of the command line."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from uci_client import Client

from abdiel import svg
from abdiel.bench import DEFAULT_DEPTH, POSITIONS, run_bench
from abdiel.board import Board, find_variant
from abdiel.commands import main
from abdiel.commands.arguments import make_board
from abdiel.perft import divide
from abdiel.terminal import draw
from abdiel.variants import VARIANTS
from abdiel.version import VERSION

COMMANDS = ("uci", "play", "board", "perft", "bench", "match", "openings", "tune", "cards")

PROGRAM = [sys.executable, "-m", "abdiel"]


class Done(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Carry out a command in this process."""

    def run(*arguments: str) -> Done:
        status = main(list(arguments))
        return Done(status, *capsys.readouterr())

    return run


def run_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"} | environment,
        timeout=120,
        check=False,
    )


def test_the_version_is_the_packages(run: Run) -> None:
    assert version("abdiel") == VERSION
    assert run("--version") == (0, f"abdiel {VERSION}\n", "")


def test_help_names_the_commands(run: Run) -> None:
    done = run("--help")
    assert done.status == 0
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", done.out, re.MULTILINE)
        described = run(command, "--help")
        assert described.status == 0
        assert described.out.startswith(f"Usage: abdiel {command}")
        assert max(map(len, described.out.splitlines())) <= 80
    assert max(map(len, done.out.splitlines())) <= 80
    assert "..." not in done.out.partition("Commands:")[2]


def test_a_command_loads_nothing_that_it_does_not_need() -> None:
    code = "import sys; from abdiel.commands import main; main(['perft', '1']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    total, loaded = done.stdout.splitlines()
    assert total.startswith("28 nodes, ")
    assert "abdiel.commands.perft" in loaded.split()
    assert not {"rich", "chess", "abdiel.engine", "abdiel.svg"} & set(loaded.split())


def test_the_program_passes_output_and_status_on() -> None:
    done = run_process("perft", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("782 nodes, ")
    done = run_process("perft", "2", "--variant", "chess")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["frobnicate"], "'frobnicate' (abdiel --help tells what is right)"),
        (["perft"], "'DEPTH' (abdiel perft --help tells what is right)"),
        (["perft", "many"], "'DEPTH': expected a whole number from 0 to 99, found 'many'"),
        (["perft", "--", "-1"], "'DEPTH': expected a whole number from 0 to 99, found '-1'"),
        (["perft", "100"], "'DEPTH': expected a whole number from 0 to 99, found '100'"),
        (["perft", "9" * 5000], "'DEPTH': expected a whole number from 0 to 99, found '999"),
        (["perft", "2", "--variant", "chess"], "expected one of angelsanddevils"),
        (["perft", "2", "--fen", "nonsense"], "FEN"),
        (["perft", "2", "--wrong"], "--wrong"),
        (["bench", "--depth", "0"], "'--depth': expected a whole number from 1 to 64, found '0'"),
        (["board", "--moves", "a2a4 a2a4"], "move 2: "),
        (["board", "--moves", "1. a2a4 2. a2a4"], "move 2: "),
        (["board", "--svg", "board.svg", "--ascii"], "--svg and --ascii exclude one another"),
        (
            ["board", "--svg", "/no/such/folder/board.svg"],
            "abdiel: /no/such/folder/board.svg: No such file or directory",
        ),
        (["play", "--side", "green"], "'--side': 'green' is not one of 'white', 'black'"),
        (["play", "--movetime", "soon"], "--movetime takes a time such as 1s"),
        (["play", "--movetime", "-1s"], "--movetime takes"),
        (["play", "--movetime", "nans"], "--movetime takes"),
        (["play", "--movetime", "1s", "--depth", "3"], "exclude one another"),
        (["--frob"], "--frob"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_wrong_usage_is_one_line_and_status_2(run: Run, arguments: list[str], told: str) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith("abdiel: ")
    assert told.lower() in line.lower()


def test_a_fault_of_ours_is_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> int:
        raise KeyError("oh")

    monkeypatch.setattr(Board, "perft", broken)
    if sys.flags.dev_mode:
        pytest.skip("developers get the traceback")
    done = run("perft", "2")
    assert done.status == 1
    (line,) = done.err.splitlines()
    assert line.startswith("abdiel: internal error: KeyError: 'oh'")


def test_perft(run: Run) -> None:
    assert run("perft", "3").out.startswith("23572 nodes, ")
    assert run("perft", "0").out.startswith("1 nodes, ")
    assert run("perft", "2", "--variant", "janus").out.startswith("782 nodes, ")
    fen = "10/10/5pq1rp/10/5Kp3/6P3/5k4/10 b - - 0 64"
    assert run("perft", "1", "--fen", fen).out.startswith(
        f"{Board(fen).legal_moves.count()} nodes, "
    )


def test_perft_divided(run: Run) -> None:
    *shares, total = run("perft", "3", "--divide").out.splitlines()
    board = Board()
    assert [line.split(": ")[0] for line in shares] == [move.uci() for move in board.legal_moves]
    assert sum(int(line.split(": ")[1]) for line in shares) == 23572
    assert total.startswith("23572 nodes, ")


def test_a_count_that_is_stopped_tells_how_far_it_came() -> None:
    asked = 0

    def should_stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 100

    told: list[int] = []
    nodes = divide(Board(), 7, lambda _, count: told.append(count), should_stop)
    assert told == []
    assert nodes > 0
    assert asked == 101


@pytest.mark.parametrize("depth", [-1, 100, 2**70])
def test_a_count_of_a_depth_that_is_none(depth: int) -> None:
    with pytest.raises(ValueError, match=f"depth must be from 0 to 99, not {depth}"):
        divide(Board(), depth, lambda _, __: None)


@pytest.mark.parametrize("options", [[], ["--divide"]], ids=["whole", "divided"])
def test_an_interrupt_ends_a_count(
    run: Run, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    def make_board_and_interrupt(variant: str, fen: str | None) -> Board:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        return make_board(variant, fen)

    monkeypatch.setattr(
        import_module("abdiel.commands.perft"), "make_board", make_board_and_interrupt
    )
    with pytest.raises(KeyboardInterrupt):
        run("perft", "20", *options)


def test_a_reader_that_leaves_early_hears_no_complaint() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "perft", "4", "--divide"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(120) == 1


def test_bench_counts_the_same_every_time(run: Run) -> None:
    first = run_process("bench", "--depth", "3").stdout.splitlines()
    second = run("bench", "--depth", "3").out.splitlines()
    assert len(first) == sum(map(len, POSITIONS.values())) + 1
    assert first[:-1] == second[:-1]
    assert re.fullmatch(r"\d+ nodes, \d+\.\d+ s, \d+ nodes/s", first[-1])
    total = int(first[-1].split()[0])
    assert total == sum(int(line.split()[0]) for line in first[:-1])
    assert total == run_bench(3)[0]


def test_bench_says_the_same_over_uci() -> None:
    with Client() as engine:
        engine.send("position startpos moves a2a4", "go depth 4", "bench 3")
        assert f"Nodes searched: {run_bench(3)[0]}" in engine.until("Nodes/second:")


def test_a_bench_that_is_stopped_tells_what_it_searched() -> None:
    asked = 0

    def stopped() -> bool:
        nonlocal asked
        asked += 1
        return asked >= 3

    told: list[int] = []
    nodes, _ = run_bench(40, lambda _, __, nodes: told.append(nodes), stopped)
    assert nodes > 0
    assert told == []


def test_bench_covers_every_variant() -> None:
    assert list(POSITIONS) == list(VARIANTS)
    assert DEFAULT_DEPTH > 3
    for name, fens in POSITIONS.items():
        boards = [find_variant(name)(fen) for fen in fens]
        assert all(
            board.legal_moves and board.fen() == fen
            for board, fen in zip(boards, fens, strict=True)
        )
    letters = "".join(fen.split()[0] for fen in POSITIONS["angelsanddevils"])
    assert set("AaDd") <= set(letters)


def test_board_draws_the_position(run: Run) -> None:
    lines = run("board", "--ascii", "--moves", "b1b5 a7a5 Axb7").out.splitlines()
    board = Board()
    for uci in ("b1b5", "a7a5", "b5b7"):
        board.push_uci(uci)
    assert lines[-1] == board.fen()
    assert lines[1].startswith("8 | r | d | n |")
    assert lines[3].startswith("7 |   |*A*| p |")
    assert lines[7].startswith("5 | p |[ ]|")


@pytest.mark.parametrize("moves", ["Ab5 a5", "1. Ab5 a5", "1.Ab5 a5", "1.b1b5 1...a7a5"])
def test_board_takes_moves_with_their_numbers(run: Run, moves: str) -> None:
    board = Board()
    board.push_uci("b1b5")
    board.push_uci("a7a5")
    assert run("board", "--ascii", "--moves", moves).out.splitlines()[-1] == board.fen()


def test_board_draws_with_symbols_where_it_can(run: Run) -> None:
    assert "♔" in run_process("board").stdout
    plain = run_process("board", PYTHONIOENCODING="ascii")
    assert plain.returncode == 0
    assert plain.stdout == run("board", "--ascii").out


@pytest.mark.parametrize("variant", VARIANTS)
def test_board_draws_every_variant(run: Run, variant: str) -> None:
    done = run("board", "--variant", variant, "--ascii")
    assert done.out.splitlines()[-1] == find_variant(variant).starting_fen


def test_board_writes_a_picture(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    assert run("board", "--moves", "b1b5 a7a5 b5b7", "--svg", str(path)) == (0, "", "")
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    assert len(list(root.iter())) > 80
    # The Angel that has landed on the pawn's square is not crossed out.
    assert svg.REMOVED not in path.read_text(encoding="utf-8")
    unmarked = tmp_path / "start.svg"
    run("board", "--svg", str(unmarked))
    assert unmarked.read_text(encoding="utf-8") != path.read_text(encoding="utf-8")


def test_drawing_turns_with_the_side(capsys: pytest.CaptureFixture[str]) -> None:
    draw(Board(), ascii=True, orientation=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("1 | R | A | N | B | K | Q |")
    assert lines[-1].split() == list("jihgfedcba")
