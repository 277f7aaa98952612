"""Whole matches: executors, files, interruptions of every kind, and what is shown."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import pytest
from rich.console import Console
from stubs import PROGRAM, Ears, match, stub
from test_match_game import BY_RULE, wait_for_end

from abdiel.board import Board
from abdiel.commands import main
from abdiel.match import pool
from abdiel.match.adjudication import Rules
from abdiel.match.client import StartError
from abdiel.match.game import GameRecord, MoveRecord
from abdiel.match.openings import Opening
from abdiel.match.report import Report
from abdiel.match.runner import Match, Results, run_match
from abdiel.match.statistics import Pentanomial, Sprt
from abdiel.match.store import Store, StoreError
from abdiel.notation import pgn
from abdiel.workers import Workers

SHORT = Rules(maxmoves=4)
GUARD_S = 120.0


@pytest.fixture(autouse=True)
def _no_engines_left() -> Iterator[None]:
    yield
    assert pool.running() == [], "a match ends its engines"


def openings(count: int) -> tuple[Opening, ...]:
    found = []
    for move in list(Board().legal_moves)[:count]:
        board = Board()
        board.push(move)
        found.append(Opening(board.fen()))
    return tuple(found)


def games_in(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text().splitlines()
    return [json.loads(line)["game"] for line in lines[1:]]


def check_files(name: Path, numbers: set[int]) -> None:
    """Each game is there exactly once, in both files and in the same order."""
    games = games_in(name.with_suffix(".jsonl"))
    assert sorted(game["number"] for game in games) == sorted(numbers)
    with name.with_suffix(".pgn").open() as file:
        read = list(pgn.read_games(file))
    assert len(read) == len(games)
    for one, other in zip(read, games, strict=True):
        assert (one.headers["White"], one.headers["Result"]) == (other["white"], other["result"])
        assert [move.uci() for move in one.mainline_moves()] == [m[0] for m in other["moves"]]
    results = json.loads(name.with_suffix(".json").read_text())
    assert results["games"] == len(numbers)


class Inline(Executor):
    """Calls at once, in this thread, passing everything through pickle as a cluster would."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        import pickle

        fn, args, kwargs = pickle.loads(pickle.dumps((fn, args, kwargs)))
        future: Future[Any] = Future()
        try:
            future.set_result(pickle.loads(pickle.dumps(fn(*args, **kwargs))))
        except Exception as error:
            future.set_exception(pickle.loads(pickle.dumps(error)))
        return future


@pytest.mark.parametrize("executor", ["processes", "threads", "inline"])
def test_any_executor_does(executor: str, tmp_path: Path) -> None:
    given = match(stub("A"), stub("B"), openings=openings(3), rounds=3, rules=SHORT, concurrency=2)
    ears = Ears()
    pools: dict[str, Executor | None] = {"processes": None, "inline": Inline()}
    with ThreadPoolExecutor(2) as threads, Store(str(tmp_path / "m"), given) as store:
        results = run_match(given, ears, store, pools.get(executor, threads))
    assert results.finished and not results.interrupted
    assert ears.calls == ["start", "end"]
    assert ears.warnings == []
    assert sorted(record.number for record in ears.records) == list(range(6))
    by_number = {record.number: record for record in ears.records}
    for number in (0, 2, 4):
        one, other = by_number[number], by_number[number + 1]
        assert (one.white, one.black) == (other.black, other.white) == ("A", "B")
        assert one.fen == other.fen == given.openings[number // 2].fen
    assert results.pairs == Pentanomial(0, 0, 3, 0, 0)
    assert results.engine_names == {"A": "Stub 1.0", "B": "Stub 1.0"}
    check_files(tmp_path / "m", set(range(6)))


def test_a_crash_costs_one_game(tmp_path: Path) -> None:
    once = tmp_path / "crashed"
    given = match(
        stub("A", "--fault", "crash", "--once", str(once)), stub("B"), rounds=2, rules=SHORT
    )
    ears = Ears()
    results = run_match(given, ears, executor=Inline())
    assert results.tally.terminations == {"crash": 1, "maximal length": 3}
    assert results.tally.forfeits == {"A": 1}
    assert ears.records[0].result == "0-1"


def test_round_robin_and_gauntlet() -> None:
    engines = [stub(name) for name in "ABC"]
    results = run_match(match(*engines, rules=SHORT), Ears(), executor=Inline())
    assert [results.tally.of(engine).games for engine in range(3)] == [4, 4, 4]
    given = match(*engines, tournament="gauntlet", rounds=2, rules=SHORT)
    results = run_match(given, Ears(), executor=Inline())
    assert [results.tally.of(engine).games for engine in range(3)] == [8, 4, 4]


def test_a_match_that_cannot_start_plays_nothing(tmp_path: Path) -> None:
    given = match(stub("A"), stub("B", "--variants", "chess"))
    with (
        Store(str(tmp_path / "m"), given) as store,
        pytest.raises(StartError, match="engine B: does not know angelsanddevils"),
    ):
        run_match(given, Ears(), store)
    assert (tmp_path / "m.pgn").read_text() == ""


def test_an_engine_that_no_longer_starts_ends_the_match(tmp_path: Path) -> None:
    """What was played counts, and what could not be played is no loss."""
    gate = tmp_path / "gate"
    gate.write_text("")
    code = f"import sys, pathlib; pathlib.Path({str(gate)!r}).exists() or sys.exit(9); "
    code += (
        f"sys.argv = ['stub']; import runpy; runpy.run_path({str(PROGRAM)!r}, run_name='__main__')"
    )
    broken = stub("B", restart=True)._replace(command=(sys.executable, "-c", code))
    given = match(stub("A"), broken, rounds=5, rules=SHORT)

    class Closer(Ears):
        def on_game(self, results: Results, record: GameRecord) -> None:
            super().on_game(results, record)
            gate.unlink(missing_ok=True)

    ears = Closer()
    with (
        Store(str(tmp_path / "m"), given) as store,
        pytest.raises(StartError, match="engine B: it did not greet"),
    ):
        run_match(given, ears, store, Inline())
    assert ears.calls == ["start", "end"]
    check_files(tmp_path / "m", {record.number for record in ears.records})
    assert 1 <= len(ears.records) < 10


# Files.


def played(number: int, given: Match, result: str = "1-0") -> GameRecord:
    slot = given.schedule().slot(number)
    white, black = (given.engines[engine].name for engine in (slot.white, slot.black))
    fen = given.openings[slot.opening % len(given.openings)].fen
    moves = (MoveRecord(next(iter(Board(fen).legal_moves)).uci(), 1.5, 3, 10),)
    record = GameRecord(
        number, slot.round, given.variant, white, black, "", fen, 0, moves, result, "checkmate", ""
    )
    return record._replace(reason="White mates", started="2026-01-02T03:04:05+00:00")


def write(name: Path, given: Match, numbers: list[int]) -> None:
    with Store(str(name), given) as store:
        store.load(lambda _: None)
        for number in numbers:
            store.write(played(number, given))


def load(name: Path, given: Match) -> list[int]:
    found: list[int] = []
    with Store(str(name), given) as store:
        store.load(lambda record: found.append(record.number))
        store.write_results({"games": len(found)})
    return found


def test_files_are_cut_after_what_counts(tmp_path: Path) -> None:
    """As a kill may leave them: any number of bytes of a game in either file."""
    given = match(stub("A"), stub("B"), openings=openings(4), rounds=4)
    name = tmp_path / "m"
    write(name, given, [0, 2])
    pgn_file, games_file = name.with_suffix(".pgn"), name.with_suffix(".jsonl")
    pgn_before, games_before = pgn_file.read_bytes(), games_file.read_bytes()
    write(name, given, [1])
    pgn_after, games_after = pgn_file.read_bytes(), games_file.read_bytes()
    pgn_new = len(pgn_after) - len(pgn_before)
    games_new = len(games_after) - len(games_before)
    cuts = [(kept, 0) for kept in (0, 1, pgn_new // 2, pgn_new)]
    cuts += [(pgn_new, kept) for kept in (1, games_new // 2, games_new - 1)]
    for pgn_kept, games_kept in cuts:
        pgn_file.write_bytes(pgn_after[: len(pgn_before) + pgn_kept])
        games_file.write_bytes(games_after[: len(games_before) + games_kept])
        assert load(name, given) == [0, 2]
        check_files(name, {0, 2})
        assert pgn_file.read_bytes() == pgn_before
        write(name, given, [1])
        assert pgn_file.read_bytes() == pgn_after
        assert games_file.read_bytes() == games_after
    pgn_file.write_bytes(pgn_after)
    games_file.write_bytes(games_after)
    assert load(name, given) == [0, 2, 1]


def test_a_lost_pgn_is_written_again(tmp_path: Path) -> None:
    given = match(stub("A"), stub("B"))
    name = tmp_path / "m"
    write(name, given, [0, 1])
    file = name.with_suffix(".pgn")
    before = file.read_bytes()
    file.unlink()
    assert load(name, given) == [0, 1]
    assert file.read_bytes() == before
    file.write_bytes(before[: len(before) // 2])
    assert load(name, given) == [0, 1]
    assert file.read_bytes() == before
    file.write_bytes(b"something else")
    with pytest.raises(StoreError, match="has not the games of this match"):
        load(name, given)
    file.write_bytes(before + b'[Event "x"]\n\n*\n\n[Event "y"]\n\n*\n\n')
    with pytest.raises(StoreError, match="games of others follow"):
        load(name, given)


def test_another_match_is_not_continued(tmp_path: Path) -> None:
    given = match(stub("A"), stub("B"))
    name = tmp_path / "m"
    write(name, given, [0])
    assert load(name, given._replace(rounds=5, concurrency=3)) == [0]
    other = given._replace(engines=(given.engines[0]._replace(options=(("Hash", "1"),)), stub("B")))
    for changed in (
        given._replace(variant="janus"),
        other,
        given._replace(rules=SHORT),
        given._replace(openings=openings(2)),
        given._replace(engines=given.engines[::-1]),
        given._replace(games=4),
    ):
        with pytest.raises(StoreError, match="holds another match") as caught:
            load(name, changed)
        assert "\n" not in str(caught.value)
    with pytest.raises(
        StoreError, match=re.escape('(engines A options Hash: null there, "1" here)')
    ):
        load(name, other)


def test_files_that_are_no_match(tmp_path: Path) -> None:
    given = match(stub("A"), stub("B"))
    name = tmp_path / "m"
    name.with_suffix(".pgn").write_text('[Event "mine"]\n\n*\n')
    with pytest.raises(StoreError, match="exists, but no match to continue"):
        load(name, given)
    name.with_suffix(".pgn").unlink()
    name.with_suffix(".jsonl").write_text("{}\n")
    with pytest.raises(StoreError, match="line 1: not a line of a match"):
        load(name, given)
    name.with_suffix(".jsonl").unlink()
    write(name, given, [0])
    lines = name.with_suffix(".jsonl").read_text().splitlines()
    name.with_suffix(".jsonl").write_text("\n".join([lines[0], "junk", lines[1], ""]))
    with pytest.raises(StoreError, match="line 2: not a line of a match"):
        load(name, given)


def test_a_match_without_games_can_be_put_right(tmp_path: Path) -> None:
    name = tmp_path / "m"
    write(name, match(stub("A"), stub("B")), [])
    given = match(stub("A"), stub("C"))
    write(name, given, [0])
    assert load(name, given) == [0]
    file = name.with_suffix(".jsonl")
    header = file.read_bytes().splitlines(keepends=True)[0]
    name.with_suffix(".pgn").unlink()
    for kept in (0, 1, 10, 40, len(header) - 1):
        file.write_bytes(header[:kept])
        assert load(name, given) == []
        assert file.read_bytes() == header
    file.write_bytes(b"my precious notes")
    with pytest.raises(StoreError, match="not the file of a match"):
        load(name, given)
    assert file.read_bytes() == b"my precious notes"


def test_two_runners_do_not_write_the_same_files(tmp_path: Path) -> None:
    given = match(stub("A"), stub("B"))
    with Store(str(tmp_path / "m"), given), pytest.raises(StoreError, match="another match is"):
        Store(str(tmp_path / "m"), given)


def test_a_finished_match_starts_nothing(tmp_path: Path) -> None:
    given = match(stub("A")._replace(command=("no-such-engine",)), stub("B"))
    write(tmp_path / "m", given, [0, 1])
    ears = Ears()
    with Store(str(tmp_path / "m"), given) as store:
        results = run_match(given, ears, store)
    assert results.finished and results.before == 2
    assert ears.records == []


# SPRT.


class Decided(Executor):
    """Plays nothing: the first engine wins each game."""

    def __init__(self) -> None:
        self.games = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if fn.__name__ == "probe":
            future.set_result("A dream")
            return future
        self.games += 1
        (given,) = args
        white, black = given.white.name, given.black.name
        future.set_result(
            GameRecord(
                given.number,
                given.round,
                given.variant,
                white,
                black,
                "",
                given.opening.fen,
                0,
                (),
                "1-0" if white == "A" else "0-1",
                "checkmate",
                "",
            )
        )
        return future


def test_sprt_stops_the_match(tmp_path: Path) -> None:
    given = match(
        stub("A"), stub("B"), rounds=10_000, sprt=Sprt(0, 100, model="logistic"), concurrency=4
    )
    executor = Decided()
    with Store(str(tmp_path / "m"), given) as store:
        results = run_match(given, Ears(), store, executor)
    assert results.decision == "H1"
    assert results.finished
    assert executor.games < 1000
    check_files(tmp_path / "m", set(range(results.tally.games)))
    said = json.loads((tmp_path / "m.json").read_text())
    assert said["sprt"]["accepted"] == "H1"
    assert said["sprt"]["llr"] >= said["sprt"]["upper"]
    # It stays decided.
    with Store(str(tmp_path / "m"), given) as store:
        again = run_match(given, Ears(), store, executor)
    assert again.decision == "H1"
    assert again.tally.games == results.tally.games


# Interruptions.

SLOW = ("--think", "0.02")


def command(name: Path, *more: str) -> list[str]:
    cmd = f"cmd={sys.executable} arg={PROGRAM} arg=--think arg=0.02"
    return [
        sys.executable, "-m", "abdiel", "match",
        "--engine", f"name=A {cmd}", "--engine", f"name=B {cmd} arg=--seed arg=2",
        "--each", "nodes=1", "--openings", "none", "--maxmoves", "10", "--rounds", "6",
        "--concurrency", "2", "--out", str(name), *more,
    ]  # fmt: skip


def start(name: Path, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(name, *more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def descendants(pid: int) -> list[int]:
    """All processes below one."""
    found = []
    for child in Path(f"/proc/{pid}/task").glob("*/children"):
        for word in child.read_text().split():
            found += [int(word), *descendants(int(word))]
    return found


def wait_for_games(process: subprocess.Popen[str], name: Path, count: int) -> list[int]:
    """Wait until some games are finished; return the processes below the runner."""
    file = name.with_suffix(".jsonl")
    end = time.monotonic() + GUARD_S
    while not file.exists() or file.read_text().count("\n") < count + 1:
        assert time.monotonic() < end
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    return descendants(process.pid)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_match_goes_on(tmp_path: Path, number: signal.Signals) -> None:
    name = tmp_path / "m"
    process = start(name)
    below = wait_for_games(process, name, 3)
    assert len(below) >= 4, "two engines for each of two workers"
    process.send_signal(number)
    out, _ = process.communicate(timeout=GUARD_S)
    for pid in below:
        wait_for_end(pid)
    if number == signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL
    else:
        assert process.returncode == 130
        assert "Traceback" not in out
        assert re.search(r"broken off after \d+ of 12 games", out)
        check_files(name, {game["number"] for game in games_in(name.with_suffix(".jsonl"))})
    before = games_in(name.with_suffix(".jsonl"))
    assert 3 <= len(before) < 12
    done = subprocess.run(command(name), capture_output=True, text=True, timeout=GUARD_S)
    assert done.returncode == 0, done.stderr
    assert f"{len(before)} games are finished already" in done.stdout
    assert games_in(name.with_suffix(".jsonl"))[: len(before)] == before
    check_files(name, set(range(12)))
    results = json.loads(name.with_suffix(".json").read_text())
    assert results["finished"]
    assert sum(results["standings"][0]["pentanomial"]) == 6


@pytest.mark.slow
def test_games_of_a_killed_worker_are_played_again(tmp_path: Path) -> None:
    name = tmp_path / "m"
    process = start(name)
    wait_for_games(process, name, 2)
    workers = [pid for pid in descendants(process.pid) if "spawn_main" in cmdline(pid)]
    os.kill(workers[0], signal.SIGKILL)
    out, _ = process.communicate(timeout=GUARD_S)
    assert process.returncode == 0, out
    assert "warning: to be played again: game " in out
    assert "forfeit" not in out
    check_files(name, set(range(12)))


def cmdline(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_ctrl_c_while_engines_start(tmp_path: Path) -> None:
    cmd = f"cmd={sys.executable} arg={PROGRAM} arg=--fault arg=mute timeout=1000"
    process = subprocess.Popen(
        [sys.executable, "-m", "abdiel", "match", "--each", f"nodes=1 {cmd}", "--engine", "name=A",
         "--engine", "name=B", "--openings", "none"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )  # fmt: skip
    end = time.monotonic() + GUARD_S
    while not any("mute" in cmdline(pid) for pid in descendants(process.pid)):
        assert time.monotonic() < end
        time.sleep(0.01)
    below = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=GUARD_S)
    assert (process.returncode, out) == (130, "")
    for pid in below:
        wait_for_end(pid)


def test_ctrl_c_with_threads() -> None:
    """Games in threads cannot be broken off, but their engines can be ended."""
    before = signal.getsignal(signal.SIGINT)
    given = match(stub("A", *SLOW), stub("B", *SLOW), rounds=100, concurrency=2)

    class Impatient(Ears):
        def on_tick(self, results: Results) -> None:
            os.kill(os.getpid(), signal.SIGINT)

    ears = Impatient()
    with ThreadPoolExecutor(2) as threads:
        results = run_match(given, ears, executor=threads)
    assert results.interrupted
    assert ears.calls == ["start", "end"]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_game_lost_with_its_worker_is_tried_again() -> None:
    class Unlucky(Inline):
        failures: ClassVar[Counter[int]] = Counter()

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            if fn.__name__ == "play_game" and not self.failures[args[0].number]:
                self.failures[args[0].number] += 1
                future: Future[Any] = Future()
                future.set_exception(RuntimeError("the node is gone"))
                return future
            return super().submit(fn, *args, **kwargs)

    given = match(stub("A"), stub("B"), rules=SHORT)
    ears = Ears()
    results = run_match(given, ears, executor=Unlucky())
    assert results.finished
    assert [record.number for record in ears.records] == [0, 1]
    assert len(ears.warnings) == 2

    class Hopeless(Inline):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            if fn.__name__ == "probe":
                return super().submit(fn, *args, **kwargs)
            future: Future[Any] = Future()
            future.set_exception(RuntimeError("the node is gone"))
            return future

    with pytest.raises(RuntimeError, match="the node is gone"):
        run_match(given, Ears(), executor=Hopeless())


def test_workers_call_functions() -> None:
    workers = Workers(2)
    assert workers.submit(pow, 2, 5).result(GUARD_S) == 32
    workers.renew()
    assert list(workers.map(abs, [-1, 2, -3])) == [1, 2, 3]
    workers.shutdown()


# What is shown.


def test_plain_lines_and_a_log() -> None:
    out, log = io.StringIO(), io.StringIO()
    console = Console(file=out, width=200, highlight=False, markup=False)
    given = match(stub("A", "--fault", "illegal", "--at", "2"), stub("[B]"), rounds=2, rules=SHORT)
    with Report(console, interval=2, log=log) as report:
        run_match(given, report, executor=Inline())
    lines = out.getvalue().splitlines()
    assert log.getvalue().splitlines() == lines
    assert lines[0].startswith("angelsanddevils: A (Stub 1.0), [B] (Stub 1.0); 4 games")
    assert "forfeit: game 1, A - [B]: White makes an illegal move: " in out.getvalue()
    assert "  line: bestmove a1a8" in lines
    assert any(re.match(r"  FEN: \S+ w ", line) for line in lines)
    assert "A - [B]: +0 =0 -4, 0.0% of 4 games" in lines
    assert "pairs by points (0, 1/2, 1, 3/2, 2): 2 0 0 0 0" in lines
    assert "White: +2 =0 -2, 50.0%" in lines
    assert "ends: illegal move 4" in lines
    assert "forfeits: A 4" in lines
    assert sum(line.startswith("game ") for line in lines) == 4
    assert any("left 0:00:" in line for line in lines)


def test_a_live_table() -> None:
    out = io.StringIO()
    console = Console(file=out, width=120, force_terminal=True, highlight=False, markup=False)
    given = match(*(stub(name) for name in "ABC"), rounds=1, rules=SHORT)
    with Report(console) as report:
        run_match(given, report, executor=Inline())
    text = out.getvalue()
    for heading in ("engine", "games", "score", "Elo", "LOS", "draws", "pairs", "White: +0 =6 -0"):
        assert heading in text
    assert "6/6" in text
    assert "nan" not in text
    given = match(stub("A"), stub("B"), rules=SHORT, sprt=Sprt(0, 5))
    with Report(console) as report:
        run_match(given, report, executor=Inline())
    assert "SPRT (0, 5) normalized: LLR " in out.getvalue()


# The command.


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cmd = f"cmd={sys.executable} arg={PROGRAM}"
    arguments = ["match", "--each", f"{cmd} nodes=1", "--engine", "name=A", "--engine", "name=B"]
    arguments += ["--variant", "gothic", "--openings", "none", "--out", str(tmp_path / "m")]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "gothic: A (Stub 1.0), B (Stub 1.0); 2 games" in out
    check_files(tmp_path / "m", {0, 1})
    games = games_in(tmp_path / "m.jsonl")
    assert {game["termination"] for game in games} <= BY_RULE
    assert (tmp_path / "m.log").read_text().splitlines() == out.splitlines()
    assert main(arguments) == 0
    assert "2 games are finished already" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "a match takes two engines or more"),
        (["--engine", "name=A cmd=no-such-program tc=1"], "two engines or more"),
        (
            ["--engine", "cmd=no-such-a tc=1", "--engine", "cmd=b tc=1"],
            "no-such-a, no such command",
        ),
        (["--engine", "cmd=false tc=1", "--engine", "cmd=true tc=1"], "engine false: "),
        (["--engine", "cmd=a tc=1 hash=3", "--engine", "cmd=b tc=1"], "no key 'hash'"),
        (["--config", "/no/such.toml"], "/no/such.toml"),
        (["--rounds", "0"], "rounds=0, expected a whole number"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: list[str], told: str) -> None:
    assert main(["match", "--openings", "none", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith("abdiel: ")
    assert told in line


def test_without_scipy_it_says_how_to_install() -> None:
    code = "import sys; sys.modules['scipy'] = None; import abdiel.commands as c; "
    code += "sys.exit(c.main(['match']))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=GUARD_S, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "pip install 'abdiel[match]'" in line


@pytest.mark.slow
def test_abdiel_plays_itself(tmp_path: Path) -> None:
    """The real thing, by the clock, with openings and nothing forfeited."""
    arguments = [sys.executable, "-m", "abdiel", "match", "--variant", "janus"]
    for name in ("One", "Other"):
        arguments += ["--engine", f"name={name} 'option.Move Overhead=0'"]
    arguments += ["--each", f"cmd='{sys.executable} -m abdiel' tc=1+0.1 timemargin=10000"]
    arguments += ["--openings", "none", "--maxmoves", "15", "--out", str(tmp_path / "m")]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=GUARD_S, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    check_files(tmp_path / "m", {0, 1})
    results = json.loads((tmp_path / "m.json").read_text())
    assert results["forfeits"] == {}
    with (tmp_path / "m.pgn").open() as file:
        for game in pgn.read_games(file):
            assert game.headers["TimeControl"] == "1+0.1"
            for node in game.mainline():
                assert re.match(r"([+-]\d+\.\d\d|0\.00|[+-]M\d+)/\d+ [\d.]+s", node.comment)
