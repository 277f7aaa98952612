"""The referee: every way in which a game of two engines can end."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from stubs import START, job, stub

from abdiel.board import Board
from abdiel.match import pool
from abdiel.match.adjudication import DrawRule, ResignRule, Rules
from abdiel.match.client import Client, StartError
from abdiel.match.clock import TimeControl
from abdiel.match.game import GameRecord, play_game, probe, read_info
from abdiel.match.gamepgn import game_of
from abdiel.match.openings import Opening
from abdiel.notation import pgn

BY_RULE = {
    "checkmate",
    "stalemate",
    "insufficient material",
    "fifty moves",
    "threefold repetition",
}


@pytest.fixture(autouse=True)
def _no_engines_left() -> Iterator[None]:
    yield
    pool.close_all(kill=True)


def pids() -> list[int]:
    return [client.pid for client in pool.running()]


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def wait_for_end(pid: int) -> None:
    end = time.monotonic() + 60
    while is_running(pid):
        assert time.monotonic() < end, f"process {pid} is still there"
        time.sleep(0.01)


def replay(record: GameRecord) -> Board:
    board = Board(record.fen)
    for move in record.moves:
        board.push_uci(move.uci)
    return board


def as_pgn(record: GameRecord) -> pgn.Game:
    """The game that the PGN of a record holds."""
    text = str(game_of(record, "Test", "Here"))
    game = pgn.read_game(text)
    assert game is not None
    assert str(game) == text
    assert [move.uci() for move in game.mainline_moves()] == [move.uci for move in record.moves]
    return game


@pytest.mark.parametrize("variant", ["angelsanddevils", "janus"])
def test_a_game_ends_by_rule(variant: str) -> None:
    fen = "" if variant == "janus" else Board.starting_fen
    record = play_game(
        job(stub("A"), stub("B", "--seed", "2"), variant=variant, opening=Opening(fen))
    )
    assert record.termination in BY_RULE
    assert (record.white, record.black) == ("A", "B")
    assert (record.line, record.last_fen, record.dialogue) == ("", "", ())
    game = as_pgn(record)
    if variant == "angelsanddevils":
        assert record.result == replay(record).result()
    assert game.headers["Variant"] == variant
    assert game.headers["Result"] == record.result
    assert game.headers["Termination"] == "normal"
    assert "Reason" not in game.headers
    assert game.headers["PlyCount"] == str(len(record.moves))
    assert game.end().comment.endswith(f", {record.reason}")
    assert game.next() is not None


def test_records_are_plain_data() -> None:
    given = job(stub("A", "--fault", "illegal"), stub("B"))
    assert pickle.loads(pickle.dumps(given)) == given
    record = play_game(given)
    assert pickle.loads(pickle.dumps(record)) == record
    assert GameRecord.from_json(record.to_json()) == record
    first = record.moves[0]
    assert (first.depth, first.score, first.mate, first.nodes) == (7, 0, None, 5)
    assert record.own_ms > 0
    assert all(move.ms > 0 for move in record.moves)


# Of these the line is shown and the engine could go on.
ILLEGAL = {
    "illegal": "bestmove a1a8",
    "nonsense": r"bestmove \x1b[31m}{ \"",
    "empty": "bestmove",
    "none": "bestmove (none)",
}


@pytest.mark.parametrize("fault", ILLEGAL)
@pytest.mark.parametrize("color", ["White", "Black"])
def test_an_illegal_move_loses(fault: str, color: str) -> None:
    bad, good = stub("bad", "--fault", fault), stub("good")
    record = play_game(job(bad, good) if color == "White" else job(good, bad))
    assert record.result == ("0-1" if color == "White" else "1-0")
    assert record.termination == "illegal move"
    assert record.line == ILLEGAL[fault]
    assert record.reason.startswith(f"{color} makes an illegal move: ")
    board = replay(record)
    assert len(record.moves) == (4 if color == "White" else 5)
    assert record.last_fen == board.fen()
    assert board.turn == (color == "White")
    assert record.dialogue[-1] == f"< {record.line}"
    assert any(line.startswith("> position startpos moves ") for line in record.dialogue)
    game = as_pgn(record)
    assert game.headers["Termination"] == "illegal move"
    assert game.headers["LastFEN"] == record.last_fen
    assert game.headers["OffendingLine"] == record.line
    assert game.headers["Reason"] == record.reason


@pytest.mark.parametrize(
    ("fault", "termination", "tag", "told", "line"),
    [
        ("crash", "crash", "abandoned", "ended by SIGSEGV", "Segmentation fault, so to speak"),
        ("status", "crash", "abandoned", "ended with status 3", "out of luck"),
        ("exit", "early exit", "abandoned", "ended by itself", ""),
        ("closed", "early exit", "abandoned", "closed its output", ""),
    ],
)
def test_an_engine_that_is_gone_loses(
    fault: str, termination: str, tag: str, told: str, line: str
) -> None:
    bad = stub("bad", "--fault", fault)
    record = play_game(job(stub("good"), bad))
    assert (record.result, record.termination) == ("1-0", termination)
    assert record.reason.startswith("Black disconnects: ")
    assert told in record.reason
    assert record.line == line
    assert record.last_fen == replay(record).fen()
    game = as_pgn(record)
    assert game.headers["Termination"] == tag
    # It is started anew for the next game.
    assert play_game(job(stub("good"), bad)).termination == termination


@pytest.mark.parametrize("fault", ["stall", "stopped", "flood", "endless"])
@pytest.mark.parametrize("control", ["inf", "0.2+0.1"])
def test_a_stall_loses(fault: str, control: str) -> None:
    bad = stub("bad", "--fault", fault, "--at", "1", control=control, timeout_s=1.5, stall_s=1.5)
    # The time must not run out before the fault, at the first move, so it is long enough there.
    record = play_game(job(bad, stub("good")))
    assert (record.result, record.termination) == ("0-1", "stall")
    assert record.reason.startswith("White's connection stalls: no bestmove")
    assert record.moves == ()
    game = as_pgn(record)
    assert game.headers["Termination"] == "stalled connection"
    assert game.comment == record.reason


@pytest.mark.parametrize(
    "control", [TimeControl(time_ms=60), TimeControl(movetime_ms=60), TimeControl(increment_ms=60)]
)
def test_time_runs_out(control: TimeControl) -> None:
    bad = stub("bad", "--fault", "late", "--at", "1", control=control)
    record = play_game(job(bad, stub("good")))
    assert (record.result, record.termination) == ("0-1", "time forfeit")
    assert record.reason.startswith("White loses on time: took 0.")
    assert record.line == "bestmove a2a3"
    assert as_pgn(record).headers["Termination"] == "time forfeit"


def test_the_margin_forgives() -> None:
    slow = ("--think", "0.05")
    strict = stub("A", *slow, control=TimeControl(movetime_ms=1))
    assert play_game(job(strict, stub("B"))).termination == "time forfeit"
    lenient = strict._replace(control=TimeControl(movetime_ms=1, margin_ms=60_000))
    rules = Rules(maxmoves=3)
    assert play_game(job(lenient, stub("B"), rules=rules)).termination == "maximal length"


def test_draws_are_called_when_both_say_so() -> None:
    rules = Rules(draw=DrawRule(movenumber=6, movecount=2, score=10))
    record = play_game(job(stub("A"), stub("B", "--score", "cp -10"), rules=rules))
    assert (record.result, record.termination) == ("1/2-1/2", "draw adjudication")
    assert len(record.moves) == 12
    game = as_pgn(record)
    assert game.headers["Termination"] == "adjudication"
    assert game.headers["Reason"] == record.reason
    rules = Rules(draw=DrawRule(movenumber=6, movecount=2, score=10), maxmoves=10)
    record = play_game(job(stub("A"), stub("B", "--score", "cp 11"), rules=rules))
    assert (record.result, record.termination) == ("1/2-1/2", "maximal length")
    assert len(record.moves) == 20


def test_losses_are_called_when_both_say_so() -> None:
    rules = Rules(resign=ResignRule(movecount=3, score=600), maxmoves=10)
    won, lost, level = ("--score", "mate 7"), ("--score", "cp -600"), ("--score", "cp 599")
    record = play_game(job(stub("A", *lost), stub("B", *won), rules=rules))
    assert (record.result, record.termination) == ("0-1", "resign adjudication")
    assert len(record.moves) == 6
    assert as_pgn(record).headers["Termination"] == "adjudication"
    record = play_game(job(stub("A", *won), stub("B", *lost), rules=rules))
    assert (record.result, record.termination) == ("1-0", "resign adjudication")
    record = play_game(job(stub("A", *lost), stub("B", *level), rules=rules))
    assert record.termination == "maximal length"
    rules = Rules(resign=ResignRule(movecount=3, score=600, twosided=False))
    record = play_game(job(stub("A", *lost), stub("B", *level), rules=rules))
    assert (record.result, record.termination) == ("0-1", "resign adjudication")
    assert len(record.moves) == 5


def test_an_opening_is_played_first() -> None:
    moves = ("e2e4", "e7e5", "c1d3")
    opening = Opening(Board.starting_fen, moves, "Nobody's")
    record = play_game(job(stub("A"), stub("B"), opening=opening, rules=Rules(maxmoves=4)))
    assert tuple(move.uci for move in record.moves[:3]) == moves
    assert record.book == 3
    assert len(record.moves) == 8
    game = as_pgn(record)
    comments = [node.comment for node in game.mainline()]
    assert comments[:3] == ["book"] * 3
    assert game.headers["Opening"] == "Nobody's"
    assert all(comment.startswith("0.00/7 ") for comment in comments[3:])


def test_a_position_to_start_from() -> None:
    fen = "k9/10/1Q8/10/10/10/10/5K4 w - - 12 40"
    record = play_game(job(stub("A"), stub("B"), opening=Opening(fen)))
    game = as_pgn(record)
    assert (game.headers["FEN"], game.headers["SetUp"]) == (fen, "1")
    mated = play_game(
        job(stub("A"), stub("B"), opening=Opening("k9/1Q8/1K8/10/10/10/10/10 b - - 0 1"))
    )
    assert (mated.result, mated.termination, mated.moves) == ("1-0", "checkmate", ())


@pytest.mark.parametrize(
    ("info", "comment"),
    [
        ("info depth 12 seldepth 20 score cp 25 nodes 99 pv a2a3", "+0.25/12 0.50s"),
        ("info score cp -7 depth 3", "-0.07/3 0.50s"),
        ("info depth 9 score mate 3", "+M5/9 0.50s"),
        ("info depth 9 score mate -2", "-M4/9 0.50s"),
        ("info depth 9 score cp lots", "0.50s"),
        ("info depth x score cp 5", "+0.05/0 0.50s"),
        (f"info depth 1 score cp {'9' * 5000}", "0.50s"),
        ("info depth 1 score", "0.50s"),
        ("", "0.50s"),
    ],
)
def test_comments(info: str, comment: str) -> None:
    from abdiel.match.gamepgn import comment as comment_of

    assert comment_of(read_info("a2a3", 500, info)) == comment


def test_engines_stay_for_the_next_game() -> None:
    jobs = job(stub("A"), stub("B"), rules=Rules(maxmoves=2))
    play_game(jobs)
    before = pids()
    play_game(jobs)
    assert sorted(pids()) == sorted(before)
    assert len(before) == 2
    restarted = jobs._replace(white=jobs.white._replace(name="C", restart=True))
    play_game(restarted)
    assert len(pids()) == 2  # C has gone, and A and B are still there


def test_only_a_few_idle_engines_are_kept() -> None:
    for number in range(6):
        play_game(job(stub(f"A{number}"), stub("B"), rules=Rules(maxmoves=1)))
    assert len(pids()) == pool.KEPT_IDLE


def test_an_engine_that_died_between_games_is_started_again() -> None:
    given = job(stub("A"), stub("B"), rules=Rules(maxmoves=2))
    play_game(given)
    for pid in pids():
        os.kill(pid, signal.SIGKILL)
    assert play_game(given).termination == "maximal length"


def test_options_are_set(tmp_path: Path) -> None:
    config = stub("A", options=(("hash", "64"), ("Style", "wild and mad"), ("Clear Hash", "")))
    assert probe(config, "janus") == "Stub 1.0"
    (client,) = pool.running()
    sent = [line for line in client.dialogue if line.startswith("> setoption")]
    assert sent == [
        "> setoption name UCI_Variant value janus",
        "> setoption name Hash value 64",
        "> setoption name Style value wild and mad",
        "> setoption name Clear Hash",
    ]


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (stub("A")._replace(command=("no-such-engine",)), "cmd=no-such-engine, no such command"),
        (stub("A")._replace(command=(__file__,)), "Permission denied"),
        (stub("A")._replace(directory="/no/such/folder"), "dir=/no/such/folder, no such folder"),
        (stub("A")._replace(stderr="/no/such/folder/x"), "stderr=/no/such/folder/x, No such"),
        (stub("A")._replace(command=("cat",), timeout_s=0.3), "no uciok after 0.3 s"),
        (stub("A")._replace(command=("false",)), "did not greet as a UCI engine"),
        (stub("A", "--fault", "unwilling"), "'no licence'"),
        (stub("A", "--fault", "mute", timeout_s=2), "no uciok after 2 s"),
        (stub("A", "--variants", ""), "no option UCI_Variant"),
        (stub("A", "--variants", "chess,shogi"), "does not know angelsanddevils; it knows 'chess"),
        (stub("A", options=(("Hsah", "64"),)), "has no option 'Hsah'; it has Hash, Style,"),
        (stub("A", options=(("Hash", "0"),)), "option.Hash=0, it takes a whole number from 1 to"),
        (stub("A", options=(("Hash", "big"),)), "option.Hash=big, it takes a whole number"),
        (stub("A", options=(("Style", "mild"),)), "it takes one of solid, wild and mad"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_play_is_said_in_one_line(config: object, told: str) -> None:
    with pytest.raises(StartError) as caught:
        probe(config, "angelsanddevils")  # type: ignore[arg-type]
    message = str(caught.value)
    assert message.startswith("engine A: ")
    assert told in message
    assert "\n" not in message
    assert pids() == []


def test_nothing_is_played_if_an_engine_cannot_start() -> None:
    with pytest.raises(StartError, match="engine B: "):
        play_game(job(stub("A"), stub("B", "--variants", "")))
    assert pids() == []


def test_what_an_engine_starts_ends_with_it(tmp_path: Path) -> None:
    file = tmp_path / "child"
    config = stub("A", "--child", str(file))
    probe(config, "angelsanddevils")
    (client,) = pool.running()
    child = int(file.read_text())
    assert is_running(child) and is_running(client.pid)
    pool.close_all()
    assert not is_running(client.pid)
    wait_for_end(child)


def test_stderr_goes_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "errors"
    record = play_game(job(stub("A", "--fault", "crash", stderr=str(file)), stub("B")))
    assert record.termination == "crash"
    assert file.read_text() == "Segmentation fault, so to speak\n"


def test_a_client_survives_what_it_is_told_at_the_wrong_time() -> None:
    """Lines that nobody asked for are forgotten before the next game."""
    code = (
        "import sys\n"
        "print('bestmove h7h5\\nreadyok\\nid name Chatter', flush=True)\n"
        "print('option name UCI_Variant type combo var janus\\nuciok', flush=True)\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('isready'): print('bestmove a1a1\\nreadyok', flush=True)\n"
        "    if line.startswith('go'): print('bestmove a2a3', flush=True)\n"
        "    if line.startswith('quit'): break\n"
    )
    client = Client(stub("A")._replace(command=(sys.executable, "-c", code)))
    try:
        client.handshake()
        client.check("janus")
        client.new_game("janus")
        answer = client.think("position startpos", "go depth 1", None)
        assert (answer.line, answer.info, answer.late) == ("bestmove a2a3", "", False)
    finally:
        client.close()
    assert not client.is_alive()


def test_start_is_the_start() -> None:
    assert START.fen == Board().fen()
