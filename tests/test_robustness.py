"""What a hostile or broken GUI, a full machine and sudden ends do to the UCI engine."""

from __future__ import annotations

import os
import random
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from uci_client import COMMAND, GUARD_S, Client, bestmoves, notices

from abdiel.board import Board, find_variant
from abdiel.engine import LIMIT_RANGES, SETTING_RANGES, Engine, Limits
from abdiel.protocol.options import OPTIONS
from abdiel.protocol.uci import Session
from abdiel.variants import VARIANTS

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@pytest.fixture
def engine() -> Iterator[Client]:
    with Client() as client:
        client.send("setoption name Hash value 1")
        yield client


# Ten thousand lines

LINES_A_SEED = 2000
LINES_A_CHECK = 250

NUMBERS = ["0", "1", "-1", "007", "+3", "1.5", "1e9", "", "x", "-0", "٣", "9" * 20, "9" * 5000]
JUNK = ["", "position", "moves", "value", "name", "go", "0000", "a1a1", "k0z9", "e2e4q", "\t", "%n"]


@cache
def walk(variant: str, length: int) -> tuple[str, ...]:
    """Random legal moves from the start, steps back out of ends of games left out."""
    board = find_variant(variant)()
    choose = random.Random(variant)
    while len(board.move_stack) < length:
        if moves := list(board.legal_moves):
            board.push(choose.choice(moves))
        else:
            for _ in range(10):
                board.pop()
    return tuple(move.uci() for move in board.move_stack)


@cache
def fens(variant: str) -> tuple[str, ...]:
    board = find_variant(variant)()
    found = [board.fen()]
    for at, uci in enumerate(walk(variant, 200)):
        board.push_uci(uci)
        if at % 10 == 9:
            found.append(board.fen())
    return tuple(found)


class Fuzzer:
    """Lines for the engine, `quit` and `isready` in none of them."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.variant = next(iter(VARIANTS))

    def line(self) -> bytes:
        while True:
            line = self.command()
            if self.choose.random() < 0.3:
                line = self.mutated(line)
            if b"quit" not in line and b"isready" not in line:
                return line

    def command(self) -> bytes:
        kinds: list[tuple[int, Callable[[], str | bytes]]] = [
            (18, self.go),
            (18, lambda: "stop"),
            (4, lambda: "ponderhit"),
            (18, self.position),
            (16, self.setoption),
            (4, self.variant_switch),
            (4, lambda: "ucinewgame"),
            (2, self.work),
            (6, lambda: self.choose.choice(["d", "eval", "uci", "help", "register later", ""])),
            (2, lambda: self.choose.choice(["debug on", "debug off", "debug", "debug 1"])),
            (4, self.garbage),
            (1, self.long_line),
        ]
        weights = [weight for weight, _ in kinds]
        (make,) = self.choose.choices([make for _, make in kinds], weights)
        line = make()
        return line if isinstance(line, bytes) else line.encode()

    def go(self) -> str:
        """Each limit with values low enough to end soon, at its bounds, or none at all."""
        choose = self.choose
        words = ["go"]
        for name in choose.sample(sorted(LIMIT_RANGES), choose.randrange(4)):
            low, high = LIMIT_RANGES[name]
            soon = str(choose.randint(1, 4 if name in ("depth", "mate") else 30))
            values = [soon] * 8 + [str(low), str(high), str(high + 1), choose.choice(NUMBERS)]
            words += [name, choose.choice(values)]
        words += choose.sample(["infinite", "ponder"], choose.choice([0, 0, 0, 1, 2]))
        if choose.random() < 0.2:
            words.append("searchmoves")
            words += choose.sample(walk(self.variant, 200), choose.randrange(6))
        return " ".join(words)

    def position(self) -> str:
        choose = self.choose
        if choose.random() < 0.3:
            return f"position fen {choose.choice(fens(self.variant))}"
        moves = walk(self.variant, 800)[: choose.choice([0, 1, 10, 50, 200, 800])]
        return f"position startpos moves {' '.join(moves)}"

    def setoption(self) -> str:
        choose = self.choose
        option = choose.choice(OPTIONS)
        values = [*map(str, [option.min, option.max, option.max + 1]), *NUMBERS, *option.choices]
        values += ["true", "false"]
        if option.name == "Hash":  # an empty table of that size would take its time
            values = ["1", "2", "3", "16", str(SETTING_RANGES["hash_mb"][1]), "many"]
        elif option.name == "Threads":  # hundreds of them would take theirs, on few cores
            values = ["1", "2", "3", str(option.max + 1), "many"]
        return f"setoption name {option.name} value {choose.choice(values)}"

    def variant_switch(self) -> str:
        self.variant = self.choose.choice(list(VARIANTS))
        return f"setoption name UCI_Variant value {self.variant}"

    def work(self) -> str:
        return self.choose.choice(["go perft 2", "go perft 20", "bench 1", "bench 40", "bench x"])

    def garbage(self) -> bytes:
        return self.choose.randbytes(self.choose.choice([1, 8, 100, 2000])).replace(b"\n", b"")

    def long_line(self) -> str:
        word = self.choose.choice(
            ["a", "a ", "go ", "position fen ", "8/", "\t", "e2e4 ", "\u2028"]
        )
        head = self.choose.choice(["", "position startpos moves ", "setoption name ", "debug "])
        return head + word * self.choose.choice([10_000, 100_000])

    def mutated(self, line: bytes) -> bytes:
        choose = self.choose
        for _ in range(choose.choice([1, 1, 2, 5])):
            at = choose.randrange(len(line) + 1)
            kind = choose.randrange(6)
            if kind == 0:
                line = line[:at]
            elif kind == 1:
                line = line[:at] + choose.randbytes(1) + line[at + 1 :]
            elif kind == 2:
                line = line[:at] + self.garbage()[:10] + line[at:]
            else:
                words = line.split(b" ")
                at = choose.randrange(len(words))
                if kind == 3:
                    del words[at]
                elif kind == 4:
                    words.insert(at, choose.choice([*NUMBERS, *JUNK]).encode())
                else:
                    other = choose.randrange(len(words))
                    words[at], words[other] = words[other], words[at]
                line = b" ".join(words)
        return line.replace(b"\n", b" ")


def settle(engine: Client, name: str) -> list[str]:
    """Stop whatever runs and waits; returns the lines up to the end of all of it.

    A setoption waits for the end of searches and counts, and one with an unknown name is told.
    """
    engine.send("stop", f"setoption name {name}")
    return engine.until(lambda line: line.startswith(f"info string setoption: no option '{name}'"))


ANSWER = re.compile(
    r"|readyok|uciok|(id|option|info|bestmove) .*"
    r"|[a-z.]( [a-z.])*|(Variant|Fen|Key|Checkers|Legal moves|Result|Evaluation): .*"
    r"|[a-j][1-8][a-j][1-8][a-z]?: \d+|[a-z]+: [^ ]+/.*|(Nodes searched|Time|Nodes/second): .*"
    r"|[A-Za-z].* -?\d+ +-?\d+ +-?\d+|term .*",
    re.IGNORECASE,
)


ONE_LINE_ONE_THREAD = ("setoption name MultiPV value 1", "setoption name Threads value 1")


@pytest.mark.parametrize("seed", range(5))
def test_random_and_mutated_lines_leave_no_isready_unanswered(engine: Client, seed: int) -> None:
    fuzzer = Fuzzer(seed)
    engine.send("help")
    told = set(engine.ask())
    for batch in range(LINES_A_SEED // LINES_A_CHECK):
        lines = [fuzzer.line() for _ in range(LINES_A_CHECK)]
        asked = 0
        said: list[str] = []
        for line in lines:
            engine.send_bytes(line + b"\n")
            if fuzzer.choose.random() < 0.05:
                # Nothing else is sent before the answer, whatever runs and waits.
                engine.send("isready")
                said += engine.until("readyok")
                asked += 1
        said += settle(engine, f"end of {batch} of seed {seed}")
        assert said.count("readyok") == asked
        assert [line for line in said if not line.isprintable()] == []
        assert [line for line in said if line not in told and not ANSWER.fullmatch(line)] == []
        assert [notice for notice in notices(said) if notice.startswith("error")] == []
        # Each mutated line may begin a search or not, but no other line may.
        sure = sum(line.split(b" ")[:1] == [b"go"] and b"perft" not in line for line in lines)
        assert sure <= len(bestmoves(said)) <= sum(b"go" in line for line in lines)
        # It still knows what it does.
        engine.send("debug off", *ONE_LINE_ONE_THREAD, "position startpos")
        (best,) = bestmoves(engine.go("depth 1"))
        board = find_variant(playing(engine))()
        assert board.parse_uci(best) in board.legal_moves
    engine.send("quit")
    assert engine.end() == 0


def playing(engine: Client) -> str:
    engine.send("d")
    (name,) = [line for line in engine.until("Result:") if line.startswith("Variant: ")]
    return name.removeprefix("Variant: ")


@pytest.mark.parametrize(
    "words", ["go depth 1 " + "y " * 100_000, "go depth 1 searchmoves " + "y9 " * 100_000]
)
def test_one_line_is_not_answered_by_a_hundred_thousand(engine: Client, words: str) -> None:
    engine.send(words)
    told = notices(engine.until("bestmove"))
    assert 1 < len(told) < 20
    total = len(words.split()) - words.split().index("depth") - 2 - ("searchmoves" in words)
    assert told[-1] == f"go: {total - len(told) + 1} more faults"


# Memory

# The allocator's and the interpreter's own ups and downs; a leak of a KiB a game shows.
TOLERANCE_KIB = 2048


def resident_kib(engine: Client) -> int:
    status = Path("/proc", str(engine.process.pid), "status").read_text()
    match = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
    assert match is not None
    return int(match[1])


def held(engine: Client) -> tuple[int, int]:
    """How many threads and open files the engine has."""
    process = Path("/proc", str(engine.process.pid))
    tasks, files = (sum(1 for _ in (process / name).iterdir()) for name in ("task", "fd"))
    return tasks, files


def assert_flat(engine: Client, cycle: Callable[[], None], times: int) -> None:
    engine.ask()
    held_before = held(engine)
    for _ in range(times // 10):
        cycle()
    before = resident_kib(engine)
    for _ in range(times):
        cycle()
    assert resident_kib(engine) - before < TOLERANCE_KIB
    # The last search's thread has told its move, but may not be gone yet.
    guard = time.monotonic() + GUARD_S
    while held(engine) != held_before:
        assert time.monotonic() < guard, f"{held(engine)} threads and files, {held_before} before"
        time.sleep(0.01)


@on_linux
def test_memory_is_flat_over_games(engine: Client) -> None:
    games = iter(range(10_000))

    def cycle() -> None:
        moves = walk("angelsanddevils", 800)[: next(games) % 100]
        engine.send("ucinewgame", f"position startpos moves {' '.join(moves)}")
        engine.send("go infinite", "stop")
        engine.until("bestmove")

    assert_flat(engine, cycle, 2000)


@on_linux
def test_memory_is_flat_over_settings_variants_and_faults(engine: Client) -> None:
    variants = [f"setoption name UCI_Variant value {name}" for name in VARIANTS]

    def cycle() -> None:
        engine.ask("setoption name Hash value 2", "setoption name Hash value 1", *variants)
        engine.send("position fen " + "x" * 1000, "setoption name Hash value many", "d", "eval")
        engine.send("go depth 1 searchmoves a1a1 nonsense")
        engine.until("bestmove")

    assert_flat(engine, cycle, 200)


def nodes_of(lines: list[str]) -> int:
    (last,) = [line for line in lines if line.startswith("info depth 7 ")][-1:]
    match = re.search(r" nodes (\d+) ", last)
    assert match is not None
    return int(match[1])


def assert_refused(engine: Client, megabytes: int) -> None:
    """The Hash is refused, and what the table holds is not lost."""
    fresh = nodes_of(engine.go("depth 7"))
    (notice,) = notices(engine.ask(f"setoption name Hash value {megabytes}"))
    assert notice == f"setoption: no memory for Hash {megabytes} MB; it stays 1"
    assert nodes_of(engine.go("depth 7")) != fresh
    engine.send("ucinewgame")
    assert nodes_of(engine.go("depth 7")) == fresh


@on_linux
def test_a_table_larger_than_what_the_process_may_take_is_refused(engine: Client) -> None:
    import resource

    engine.ask()
    megabytes = 4096
    limits = (megabytes << 20, resource.RLIM_INFINITY)
    resource.prlimit(engine.process.pid, resource.RLIMIT_AS, limits)
    assert_refused(engine, megabytes)


def test_a_table_larger_than_the_machines_memory_is_refused(engine: Client) -> None:
    """Whatever the system promises: it may promise more than it has."""
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    megabytes = (physical >> 20) + 1
    if megabytes > SETTING_RANGES["hash_mb"][1]:
        pytest.skip("this machine has memory for every Hash")
    assert_refused(engine, megabytes)


# No thread to be had

MATED = "k9/1Q8/1K8/10/10/10/10/10 b - - 0 1"


def refuse(_: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_a_search_that_cannot_begin_leaves_the_engine_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    with Engine(hash_mb=1) as engine:
        with monkeypatch.context() as full:
            full.setattr(threading.Thread, "start", refuse)
            with pytest.raises(RuntimeError, match="new thread"):
                engine.start(Board())
        assert not engine.searching
        assert engine.wait(GUARD_S)
        engine.start(Board(), Limits(depth=1))
        assert engine.wait(GUARD_S)
        assert engine.nodes > 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("go depth 1", tuple(move.uci() for move in Board().legal_moves)),
        ("go infinite", tuple(move.uci() for move in Board().legal_moves)),
        ("go depth 1 searchmoves j2j3", ("j2j3",)),
    ],
)
def test_a_search_that_cannot_begin_still_answers(
    monkeypatch: pytest.MonkeyPatch, words: str, expected: tuple[str, ...]
) -> None:
    said: list[str] = []
    session = Session(said.append)
    for line in (words, words, f"position fen {MATED}", "go", "isready", "quit"):
        session.feed(line)
    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", refuse)
        assert session.run()
    reason = "go: no search, any legal move: RuntimeError: can't start new thread"
    assert notices(said) == [reason] * 3
    *moves, none = bestmoves(said)
    assert len(moves) == 2
    assert set(moves) <= set(expected)
    assert none == "(none)"
    assert said[-1] == "readyok"


@pytest.mark.parametrize("command", ["go perft 1", "bench 1"])
def test_a_command_that_cannot_begin_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    said: list[str] = []
    session = Session(said.append)
    for line in (command, command, "setoption name Hash value 1", "quit"):
        session.feed(line)
    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", refuse)
        assert session.run()
    name = command.split()[0]
    assert notices(said) == [f"error in {name}: RuntimeError: can't start new thread"] * 2


# Sudden ends


def fill(engine: subprocess.Popen[bytes]) -> None:
    """Ask for more than the pipe holds, without reading, until the engine waits for us."""
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdin.write(b"go infinite\n" + b"help\n" * 1000)
    engine.stdin.flush()
    before = 0
    while (now := waiting_bytes(engine.stdout.fileno())) != before or now < select.PIPE_BUF:
        assert engine.poll() is None
        before = now
        time.sleep(0.1)


def waiting_bytes(fd: int) -> int:
    import fcntl
    import termios

    return int.from_bytes(fcntl.ioctl(fd, termios.FIONREAD, b"\0" * 4), sys.byteorder)


@pytest.mark.parametrize("by", ["SIGTERM", "closed output"])
def test_an_engine_whose_output_is_full_ends(by: str) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        fill(process)
        if by == "SIGTERM":
            process.terminate()
        else:
            process.stdout.close()
        status = process.wait(GUARD_S)
        assert process.stderr.read() == b""
    assert status == (-signal.SIGTERM if by == "SIGTERM" else 0)


@pytest.mark.parametrize("work", ["go perft 20", "bench 40", "go ponder movetime 5"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_end_whatever_runs_and_waits(
    engine: Client, work: str, number: signal.Signals
) -> None:
    engine.ask(work, "position startpos", "go infinite", "bench 40")
    engine.interrupt(number)
    assert engine.end() == -number


PARENT = """
import subprocess, sys
work, life, *command = sys.argv[1:]
pipe = subprocess.PIPE
engine = subprocess.Popen(command, stdin=pipe, stdout=pipe, pass_fds=[int(life)])
engine.stdin.write(f"{work}\\nisready\\n".encode())
engine.stdin.flush()
while engine.stdout.readline() != b"readyok\\n":
    pass
print("searching", flush=True)
engine.wait()
"""


@pytest.mark.parametrize("work", ["isready", "go infinite", "go ponder", "go perft 20", "bench 40"])
def test_a_killed_parent_leaves_no_orphan(work: str) -> None:
    """The engine holds a pipe; that pipe's end tells of the engine's own."""
    life, held = os.pipe()
    try:
        with subprocess.Popen(
            [sys.executable, "-c", PARENT, work, str(held), *COMMAND],
            stdout=subprocess.PIPE,
            pass_fds=[held],
        ) as parent:
            assert parent.stdout is not None
            assert parent.stdout.readline() == b"searching\n"
            parent.kill()
        os.close(held)
        held = -1
        readable, _, _ = select.select([life], [], [], GUARD_S)
        assert readable == [life]
        assert os.read(life, 1) == b""
    finally:
        os.close(life)
        with suppress(OSError):
            os.close(held)
