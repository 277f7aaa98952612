"""UCI sessions with a process, modelled on what compliance checkers send, and worse."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from uci_client import COMMAND, GUARD_S, Client, bestmoves, notices

from abdiel.board import Board, find_variant
from abdiel.engine import LOWER, UPPER, Info, Limits
from abdiel.protocol.options import OPTIONS, Option, OptionError, find_option, whole_number
from abdiel.protocol.uci import format_bestmove, format_info, parse_go
from abdiel.variants import VARIANTS

START = Board.starting_fen
MATED = "k9/1Q8/1K8/10/10/10/10/10 b - - 0 1"
STALEMATED = "k9/10/1Q8/10/10/10/10/5K4 b - - 0 1"


@pytest.fixture
def engine() -> Iterator[Client]:
    with Client() as client:
        yield client


def quit_cleanly(engine: Client) -> None:
    engine.send("quit")
    assert engine.end() == 0


def said_while_searching(engine: Client) -> list[str]:
    """What comes while the engine has time to do what it should not."""
    return [line for _ in range(20) for line in engine.ask()]


# The handshake


def test_nothing_comes_before_it_is_asked_for(engine: Client) -> None:
    engine.send("isready")
    assert engine.line() == "readyok"


def test_uci_lists_every_option_once_and_ends_with_uciok(engine: Client) -> None:
    engine.send("uci")
    lines = engine.until("uciok")
    assert lines[0].startswith("id name Abdiel ")
    assert lines[1].startswith("id author ")
    assert lines[2:-1] == [option.describe() for option in OPTIONS]
    assert {option.name for option in OPTIONS} == {
        "Hash",
        "Clear Hash",
        "Threads",
        "Ponder",
        "MultiPV",
        "Move Overhead",
        "UCI_Variant",
        "UCI_AnalyseMode",
        "UCI_ShowWDL",
        "Skill Level",
        "UCI_LimitStrength",
        "UCI_Elo",
    }


def test_the_variants_are_a_combo_of_the_five_names(engine: Client) -> None:
    engine.send("uci")
    names = ["angelsanddevils", "capablanca", "gothic", "embassy", "janus"]
    choices = " ".join(f"var {name}" for name in names)
    line = f"option name UCI_Variant type combo default angelsanddevils {choices}"
    assert line in engine.until("uciok")


def test_uci_loads_nothing_that_it_does_not_need() -> None:
    code = (
        "import sys; before = set(sys.modules); import abdiel.protocol.uci;"
        " print(*set(sys.modules) - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "abdiel.core.search" in loaded
    unneeded = {"click", "rich", "chess", "dataclasses", "asyncio", "inspect", "logging"}
    assert not loaded & (unneeded | {"typing", "abdiel.svg", "abdiel.bench", "abdiel.commands"})


# Options


def test_the_docs_name_every_option() -> None:
    text = (Path(__file__).parents[1] / "docs" / "engine.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` +\| (?:`([^`]*)`)? +\|", text, re.MULTILINE)
    assert rows == [
        (option.name, re.split(" min | var ", option.describe().partition(" default ")[2])[0])
        for option in OPTIONS
    ]
    for name in ("Skill Level", "UCI_Elo"):
        option = find_option(name)
        assert re.search(rf"^\| `{name}` .*\| {option.min} to {option.max}\b", text, re.MULTILINE)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_values_at_the_bounds_are_taken_and_those_beyond_refused(
    engine: Client, option: Option
) -> None:
    if option.type == "spin":
        good = [str(option.min), str(option.default)]
        if option.name != "Hash":  # its upper bound is more than most machines have
            good.append(str(option.max))
        bad = [str(option.min - 1), str(option.max + 1), "-9" * 30, "many", "1.5", "1_0", "٣", ""]
    elif option.type == "check":
        good, bad = ["true", "false", "TRUE"], ["yes", "1", ""]
    elif option.type == "combo":
        good, bad = [*option.choices, str(option.default).upper()], ["chess", "none", ""]
    else:
        good, bad = [], ["1"]
        assert engine.ask(f"setoption name {option.name}") == []
    for value in good:
        said = notices(engine.ask(f"setoption name {option.name} value {value}"))
        assert option.name == "UCI_Variant" or said == []
    for value in bad:
        (notice,) = notices(engine.ask(f"setoption name {option.name} value {value}"))
        assert notice.startswith(f"setoption: {option.name} ")
        if option.type == "spin":
            assert f"from {option.min} to {option.max}" in notice
    assert bestmoves(engine.go()) != []
    quit_cleanly(engine)


@pytest.mark.parametrize(
    "line",
    [
        "setoption",
        "setoption name",
        "setoption name value",
        "setoption name value 3",
        "setoption value 3",
        "setoption Hash 3",
        "setoption name Hash",
        "setoption name NoSuchThing value 3",
        "setoption name Clear Hash value 3",
    ],
)
def test_a_faulty_setoption_is_named(engine: Client, line: str) -> None:
    (notice,) = notices(engine.ask(line))
    assert notice.startswith("setoption: ")


def test_option_names_are_read_in_any_case(engine: Client) -> None:
    engine.send("setoption name mULTIpv value 3")
    lines = engine.go("depth 2")
    assert {line.split()[6] for line in lines if " multipv " in line} == {"1", "2", "3"}


def test_a_refused_value_leaves_the_old_one(engine: Client) -> None:
    engine.send("setoption name MultiPV value 2", "setoption name MultiPV value 0")
    lines = engine.go("depth 2")
    assert {line.split()[6] for line in lines if " multipv " in line} == {"1", "2"}


def test_a_table_larger_than_memory_is_refused_and_the_old_one_kept(engine: Client) -> None:
    largest = find_option("Hash").max
    (notice,) = notices(
        engine.ask("setoption name Hash value 1", f"setoption name Hash value {largest}")
    )
    assert notice == f"setoption: no memory for Hash {largest} MB; it stays 1"
    assert bestmoves(engine.go()) != []


def test_wdl_is_shown_on_request_only(engine: Client) -> None:
    assert not any(" wdl " in line for line in engine.go("depth 2"))
    engine.send("setoption name UCI_ShowWDL value true")
    shown = [re.search(r" wdl (\d+) (\d+) (\d+) ", line) for line in engine.go("depth 2")[:-1]]
    assert shown
    for match in shown:
        assert match is not None
        assert sum(map(int, match.groups())) == 1000


def test_analyse_mode_keeps_what_was_learned_over_a_new_game(engine: Client) -> None:
    def nodes(*lines: str) -> int:
        engine.send(*lines)
        (last,) = [line for line in engine.go("depth 6") if line.startswith("info depth 6 ")][-1:]
        match = re.search(r" nodes (\d+) ", last)
        assert match is not None
        return int(match[1])

    fresh = nodes()
    assert nodes("ucinewgame") == fresh
    engine.send("setoption name UCI_AnalyseMode value true")
    assert nodes("ucinewgame") != fresh
    assert nodes("setoption name Clear Hash") == fresh


# Positions


def test_moves_are_played(engine: Client) -> None:
    engine.send("position startpos moves b1b5 a7a5 f2f4")
    board = Board()
    for uci in ("b1b5", "a7a5", "f2f4"):
        board.push_uci(uci)
    assert engine.fen() == board.fen()


@pytest.mark.parametrize("variant", VARIANTS)
def test_six_hundred_moves(engine: Client, variant: str) -> None:
    board = find_variant(variant)()
    choose = random.Random(variant)
    while len(board.move_stack) < 600:
        moves = list(board.legal_moves)
        if not moves:
            for _ in range(min(8, len(board.move_stack))):
                board.pop()
            continue
        board.push(choose.choice(moves))
    played = " ".join(move.uci() for move in board.move_stack)
    engine.send(f"setoption name UCI_Variant value {variant}", "ucinewgame")
    engine.send(f"position startpos moves {played}")
    assert engine.fen() == board.fen()
    engine.send(f"position fen {board.starting_fen} moves {played}")
    assert engine.fen() == board.fen()
    (move,) = bestmoves(engine.go("depth 2"))
    assert move == "(none)" or board.parse_uci(move) in board.legal_moves


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("position", "startpos"),
        ("position here", "'here'"),
        ("position startpos e2e4", "'startpos e2e4'"),
        ("position fen", "FEN"),
        ("position fen moves e2e4", "FEN"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "FEN"),
        ("position fen 10/10/10/10/10/10/10/10 w - - 0 1", "King"),
        ("position startpos moves e2e5", "move 1 of 1: move e2e5 is not legal"),
        ("position startpos moves b1b5 a7a5 b5b4 a5a4", "move 3 of 4: move b5b4 is not legal"),
        ("position startpos moves e2e4 nonsense e7e5", "move 2 of 3: move 'nonsense'"),
        ("position startpos moves 0000", "move 1 of 1: move 0000"),
        ("position startpos moves e2e4 moves e7e5", "move 2 of 3: move 'moves'"),
    ],
)
def test_a_faulty_position_changes_nothing_and_names_the_fault(
    engine: Client, line: str, told: str
) -> None:
    engine.send("position startpos moves i1i5")
    before = engine.fen()
    (notice,) = notices(engine.ask(line))
    assert notice.startswith("position: ")
    assert told in notice
    assert notice.endswith("; nothing changed")
    assert engine.fen() == before


@pytest.mark.parametrize(
    "moves",
    [
        "i1i5",
        "i1i5 a7a5 f2f4",  # the game goes on
        "i1i5 a7a5 f2f4 a5a4 i5i1 f7f5",
        "i1i5 a7a5",  # moves are taken back
        "i1i5 a7a6 f2f4",  # and another one is tried
        "",
        "f2f4",
    ],
)
@pytest.mark.parametrize("root", ["startpos", "fen", "faulty", "variant"])
def test_a_position_is_the_same_whatever_came_before_it(
    engine: Client, root: str, moves: str
) -> None:
    engine.send("position startpos moves i1i5 a7a5")
    board = Board()
    if root == "fen":
        board.push_uci("b2b3")
        board.push_uci("b7b6")
        board = Board(board.fen())
    elif root == "faulty":
        assert notices(engine.ask("position startpos moves i1i5 a7a5 f2f4 f2f4"))
    elif root == "variant":
        engine.send("setoption name UCI_Variant value janus")
        engine.send("setoption name UCI_Variant value angelsanddevils")
    start = f"fen {board.fen()}" if root == "fen" else "startpos"
    engine.send(f"position {start} moves {moves}")
    for move in moves.split():
        board.push_uci(move)
    assert engine.fen() == board.fen()


def test_a_game_sent_move_by_move_remembers_repetitions(engine: Client) -> None:
    moves = ["c1d3", "c8d6", "d3c1", "d6c8"] * 2
    for count in range(1, len(moves) + 1):
        engine.send("position startpos moves " + " ".join(moves[:count]))
    engine.send("d")
    assert engine.until("Result:")[-1] == "Result: 1/2-1/2"


def test_the_variant_changes_in_mid_session(engine: Client) -> None:
    for variant in [*VARIANTS, *reversed(VARIANTS)][1:]:
        engine.send("position startpos moves a2a4")
        said = notices(engine.ask(f"setoption name UCI_Variant value {variant}"))
        start = find_variant(variant).starting_fen
        if said:  # in the middle of the list it is the variant that is played already
            assert said == [f"variant {variant}, position reset to {start}"]
            assert engine.fen() == start
        board = find_variant(variant)()
        engine.send("position startpos")
        assert board.parse_uci(bestmoves(engine.go("depth 3"))[0]) in board.legal_moves


@pytest.mark.parametrize("limits", ["depth 3", "movetime 5", "wtime 1000 btime 1000", "nodes 5"])
@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATED, "cp 0")])
def test_no_legal_move(engine: Client, fen: str, score: str, limits: str) -> None:
    engine.send(f"position fen {fen}")
    lines = engine.go(limits)
    assert any(line.startswith("info depth 0 ") and f" score {score} " in line for line in lines)
    assert lines[-1] == "bestmove (none)"
    quit_cleanly(engine)


@pytest.mark.parametrize("fen", [MATED, STALEMATED])
def test_no_legal_move_waits_for_stop_when_infinite(engine: Client, fen: str) -> None:
    engine.send(f"position fen {fen}", "go infinite")
    assert bestmoves(said_while_searching(engine)) == []
    engine.send("stop")
    assert bestmoves(engine.until("bestmove")) == ["(none)"]


def test_mate_is_announced(engine: Client) -> None:
    engine.send("position fen 3Q6/10/4K5/p9/k9/1A8/10/10 w - - 5 66")
    lines = engine.go("depth 6")
    assert bestmoves(lines) == ["b3b1"]
    assert " score mate 2 " in [line for line in lines if " multipv 1 " in line][-1]


# Searching


@pytest.mark.parametrize(
    "limits",
    [
        "depth 3",
        "nodes 1000",
        "movetime 20",
        "mate 1",
        "wtime 100",
        "btime 100",
        "wtime 1000 btime 1000 winc 10 binc 10",
        "wtime 100 btime 100 movestogo 1",
        "wtime 1000 btime 1000 movestogo 0",
        "wtime 0 btime 0",
        "wtime -500 btime -500",
        "wtime 1 btime 1 winc 0 binc 0 movestogo 40",
        "movetime 0",
        "depth 3 searchmoves a2a4",
        "searchmoves a2a4 b2b4 depth 3",
        "infinite depth 2 searchmoves",
    ],
)
@pytest.mark.parametrize("moves", ["", " moves e2e4"])
def test_every_limit_ends_in_one_legal_move(engine: Client, limits: str, moves: str) -> None:
    engine.send(f"position startpos{moves}")
    board = Board()
    if moves:
        board.push_uci("e2e4")
        limits = limits.replace("a2a4", "a7a5").replace("b2b4", "b7b5")
    engine.send(f"go {limits}")
    if "infinite" in limits:
        engine.send("stop")
    lines = engine.until("bestmove")
    (best,) = bestmoves(lines)
    assert board.parse_uci(best) in board.legal_moves
    if "searchmoves a" in limits:
        assert best in limits.split()
    assert bestmoves(engine.ask("stop")) == []
    quit_cleanly(engine)


INFO = re.compile(
    r"info depth \d+ seldepth \d+ multipv \d+ score (cp|mate) -?\d+( (lower|upper)bound)?"
    r" nodes \d+ nps \d+ hashfull \d+ time \d+ pv( [a-j][1-8][a-j][1-8][a-z]?)+"
)


def test_info_lines_are_whole_and_their_variations_legal(engine: Client) -> None:
    engine.send("setoption name MultiPV value 2")
    lines = engine.go("depth 6")
    assert len(lines) > 6
    for line in lines[:-1]:
        assert INFO.fullmatch(line), line
        board = Board()
        for uci in line.partition(" pv ")[2].split():
            board.push_uci(uci)
    first = [line.partition(" pv ")[2].split() for line in lines if " multipv 1 " in line][-1]
    words = lines[-1].split()
    assert words[:2] == ["bestmove", first[0]]
    if len(words) > 2:
        board = Board()
        board.push_uci(words[1])
        assert words[2] == "ponder"
        assert board.parse_uci(words[3]) in board.legal_moves


def test_isready_is_answered_during_a_search(engine: Client) -> None:
    engine.send("go infinite")
    assert bestmoves(said_while_searching(engine)) == []
    engine.send("stop")
    assert len(bestmoves(engine.until("bestmove"))) == 1


@pytest.mark.parametrize(
    "limits", ["", "infinite", "infinite depth 1", "infinite nodes 1", "infinite movetime 1"]
)
def test_an_infinite_search_ends_by_stop_only(engine: Client, limits: str) -> None:
    engine.send(f"go {limits}")
    assert bestmoves(said_while_searching(engine)) == []
    engine.send("stop")
    assert len(bestmoves(engine.until("bestmove"))) == 1


@pytest.mark.parametrize("limits", ["movetime 1", "depth 1", "wtime 10 btime 10", "nodes 1"])
@pytest.mark.parametrize("end", ["stop", "ponderhit"])
def test_pondering_ends_by_stop_or_ponderhit_only(engine: Client, limits: str, end: str) -> None:
    engine.send(f"go ponder {limits}")
    assert bestmoves(said_while_searching(engine)) == []
    engine.send(end)
    assert len(bestmoves(engine.until("bestmove"))) == 1
    assert engine.ask("ponderhit", "stop") == []


def test_ponderhit_goes_on_with_an_infinite_search(engine: Client) -> None:
    engine.send("go ponder", "ponderhit")
    assert bestmoves(said_while_searching(engine)) == []
    engine.send("stop")
    assert len(bestmoves(engine.until("bestmove"))) == 1


def test_stop_and_ponderhit_without_go_say_nothing(engine: Client) -> None:
    assert engine.ask("stop", "ponderhit", "stop") == []
    said = notices(engine.ask("debug on", "stop", "ponderhit"))
    assert [notice.partition(":")[0] for notice in said] == ["stop", "ponderhit"]
    assert engine.ask("debug off", "stop", "ponderhit") == []


def test_stop_at_once_after_go_many_times(engine: Client) -> None:
    for _ in range(100):
        engine.send("go infinite", "stop")
        assert len(bestmoves(engine.until("bestmove"))) == 1
    assert bestmoves(engine.ask()) == []


def test_the_move_after_stop_is_that_searches(engine: Client) -> None:
    white, black = Board(), Board()
    black.push_uci("a2a3")
    for _ in range(10):
        for board, line in ((white, "position startpos"), (black, "position startpos moves a2a3")):
            engine.send(line, "go infinite", "stop")
            (move,) = bestmoves(engine.until("bestmove"))
            assert board.parse_uci(move) in board.legal_moves


def test_go_twice_answers_twice(engine: Client) -> None:
    engine.send("go infinite", "position startpos moves e2e4", "go depth 2")
    first = engine.until("bestmove")
    second = engine.until("bestmove")
    board = Board()
    assert board.parse_uci(bestmoves(first)[0]) in board.legal_moves
    board.push_uci("e2e4")
    assert board.parse_uci(bestmoves(second)[0]) in board.legal_moves
    assert bestmoves(engine.ask("stop")) == []


def test_go_waits_for_a_search_that_ends_by_itself(engine: Client) -> None:
    engine.send("go depth 5", "go depth 1")
    assert any(line.startswith("info depth 5 ") for line in engine.until("bestmove"))
    assert not any(line.startswith("info depth 2 ") for line in engine.until("bestmove"))


def test_a_stop_after_the_second_go_is_for_the_second(engine: Client) -> None:
    for _ in range(20):
        engine.send("go infinite", "go infinite", "go infinite", "stop")
        for _ in range(3):
            assert len(bestmoves(engine.until("bestmove"))) == 1
    assert bestmoves(engine.ask()) == []


def test_commands_during_a_search_take_effect_after_it(engine: Client) -> None:
    engine.send("go infinite", "setoption name MultiPV value 2", "setoption name Hash value 1")
    engine.send("ucinewgame", "setoption name UCI_Variant value janus")
    said = engine.ask("position startpos moves a2a3")
    assert bestmoves(said) == notices(said) == []
    assert engine.fen() == START
    engine.send("stop")
    engine.until("bestmove")
    (notice,) = notices(engine.ask())
    assert notice.startswith("variant janus")
    board = find_variant("janus")()
    board.push_uci("a2a3")
    assert engine.fen() == board.fen()
    lines = engine.go("depth 2")
    assert {line.split()[6] for line in lines if " multipv " in line} == {"1", "2"}


def test_searchmoves_skips_what_is_not_legal(engine: Client) -> None:
    engine.send("go depth 2 searchmoves a2a9 a2a5 0000 j2j4")
    lines = engine.until("bestmove")
    assert len(notices(lines)) == 3
    assert bestmoves(lines) == ["j2j4"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("depth abc", "depth takes a whole number from 1 to 255, found 'abc'"),
        ("depth", "depth takes a whole number from 1 to 255, found nothing"),
        ("depth 0", "found '0'; 1 is used"),
        ("depth -3", "found '-3'; 1 is used"),
        ("mate 61 movetime 10", "mate takes a whole number from 1 to 60, found '61'; 60 is used"),
        ("movetime 1e3", "movetime takes"),
        ("nodes 9" + "9" * 5000, "nodes takes"),
        ("depth nodes 10", "depth takes a whole number from 1 to 255, found nothing"),
        ("wtime soon btime 100", "wtime takes"),
        ("depth 1 bananas", "unknown word 'bananas' skipped"),
        ("depth 1 winc", "winc takes"),
    ],
)
def test_faults_in_go_are_named_and_it_still_moves(
    engine: Client, arguments: str, told: str
) -> None:
    if arguments.startswith("nodes"):
        arguments += " movetime 10"
    lines = engine.go(arguments)
    (notice,) = notices(lines)
    assert notice.startswith("go: ")
    assert told in notice
    assert len(bestmoves(lines)) == 1


# Ends


@pytest.mark.parametrize("search", ["infinite", "ponder", "depth 99", "movetime 1000000"])
@pytest.mark.parametrize("by", ["quit", "end of input"])
@pytest.mark.parametrize("waiting", [[], ["position startpos", "go infinite", "go perft 20"]])
def test_the_end_stops_a_search_and_drops_what_waits(
    engine: Client, search: str, by: str, waiting: list[str]
) -> None:
    engine.send(f"go {search}")
    engine.until("info")
    # A go that waits would cut these two short.
    if search not in ("infinite", "ponder"):
        engine.send(*waiting)
    leave(engine, by)
    lines = engine.rest()
    assert len(bestmoves(lines)) == 1
    assert not any(line.startswith("Nodes searched") for line in lines)


@pytest.mark.parametrize("work", ["go perft 20", "bench 40"])
@pytest.mark.parametrize("by", ["quit", "end of input"])
@pytest.mark.parametrize("waiting", [[], ["go infinite", "bench 40", "d"]])
def test_the_end_stops_a_count_and_drops_what_waits(
    engine: Client, work: str, by: str, waiting: list[str]
) -> None:
    engine.ask(work)
    engine.send(*waiting)
    leave(engine, by)
    lines = engine.rest()
    assert notices(lines) == ["stopped: the count is not complete"]
    assert sum(line.startswith("Nodes searched") for line in lines) == 1
    assert bestmoves(lines) == []


def leave(engine: Client, by: str) -> None:
    if by == "quit":
        engine.send("quit")
    else:
        engine.close_input()
    assert engine.end() == 0


def test_what_takes_no_time_is_answered_before_the_end() -> None:
    script = "uci\nisready\nposition startpos moves a2a3\nd\neval\nhelp\nquit\n"
    done = subprocess.run(
        COMMAND, input=script, capture_output=True, text=True, timeout=GUARD_S, check=True
    )
    lines = done.stdout.splitlines()
    for answer in ("uciok", "readyok", "Result: *"):
        assert answer in lines
    assert any(line.startswith("Evaluation: ") for line in lines)
    assert lines[-1].startswith("quit ")


def test_the_last_line_may_lack_its_end() -> None:
    done = subprocess.run(
        COMMAND, input="isready", capture_output=True, text=True, timeout=GUARD_S, check=True
    )
    assert done.stdout == "readyok\n"
    assert done.stderr == ""


@pytest.mark.parametrize(
    "line",
    ["isready", "go infinite", "go perft 20", "bench 40", f"position fen {MATED}\ngo infinite"],
)
def test_a_closed_output_ends_the_engine(line: str) -> None:
    """Also one that says nothing and whose input stays open."""
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdin, process.stderr:
        process.stdin.write(f"{line}\nisready\n".encode())
        process.stdin.flush()
        while process.stdout.readline() != b"readyok\n":
            pass
        process.stdout.close()
        process.wait(GUARD_S)
        assert process.stderr.read() == b""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("search", [False, True])
def test_signals_end_the_engine_without_complaint(
    engine: Client, number: signal.Signals, search: bool
) -> None:
    engine.send("isready")
    engine.until("readyok")
    if search:
        engine.send("go infinite")
        engine.until("info")
    engine.interrupt(number)
    assert engine.end() != 0


# Garbage


@pytest.mark.parametrize(
    "line",
    [
        "garbage",
        "UCI",
        "xboard",
        "position_startpos",
        "\x00\x01\x02",
        "ééé ☃",
        "-" * 1_000_000,
        "a " * 500_000,
        "%s%n%d",
        "info depth 1",
        "bestmove e2e4",
    ],
    ids=lambda line: ascii(line[:10]),
)
def test_unknown_commands_are_named_once(engine: Client, line: str) -> None:
    (notice,) = notices(engine.ask(line))
    assert notice.startswith("unknown command ")
    assert len(notice) < 200
    quit_cleanly(engine)


def test_unknown_words_before_a_command_are_skipped(engine: Client) -> None:
    lines = engine.ask("joho debug on", "stop")
    assert len(notices(lines)) == 2


def test_blank_lines_and_odd_line_ends(engine: Client) -> None:
    engine.send_bytes(b"\n\r\n   \n\t\n  isready  \r\n\tisready\t\n")
    assert engine.until("readyok") + engine.until("readyok") == ["readyok", "readyok"]


def test_bytes_that_are_no_text(engine: Client) -> None:
    engine.send_bytes(bytes(range(128, 256)) + b"\n" + b"\xff" * 100 + b" isready\n")
    assert len(notices(engine.until("readyok"))) == 2


@pytest.mark.parametrize("size", [10_000, 3_000_000])
def test_very_long_commands(engine: Client, size: int) -> None:
    moves = "e2e4 " * (size // 5)
    (notice,) = notices(engine.ask(f"position startpos moves {moves}"))
    assert "move 2 of" in notice
    assert len(notices(engine.ask(f"position fen {'r' * size} w KQkq - 0 1"))) == 1
    assert len(notices(engine.ask(f"setoption name {'x' * size} value 1"))) == 1
    (notice,) = notices(engine.ask(f"setoption name Hash value {'9' * size}"))
    assert len(notice) < 300
    lines = engine.go(f"depth 1 {'y' * size}")
    assert len(notices(lines)) == 1
    assert all(len(line) < 1000 for line in lines)
    quit_cleanly(engine)


def test_lines_in_pieces(engine: Client) -> None:
    for byte in b"position startpos moves e2e4\ngo depth 1\n":
        engine.send_bytes(bytes([byte]))
    assert len(bestmoves(engine.until("bestmove"))) == 1


def answered(lines: list[str], word: str) -> int:
    return sum(line.startswith(word) for line in lines)


@pytest.mark.parametrize("seed", range(4))
def test_any_mixture_of_commands_answers_every_go_once(engine: Client, seed: int) -> None:
    choose = random.Random(seed)
    variants = [f"setoption name UCI_Variant value {name}" for name in VARIANTS]
    commands = [
        "go infinite",
        "go depth 2",
        "go movetime 3",
        "go ponder movetime 2",
        "go wtime 50 btime 50",
        "stop",
        "stop",
        "ponderhit",
        "isready",
        "ucinewgame",
        "position startpos",
        "position startpos moves a2a3",
        f"position fen {MATED}",
        "setoption name Hash value 2",
        "setoption name Clear Hash",
        "setoption name MultiPV value 3",
        "d",
        "eval",
        "uci",
        "help",
        "go perft 2",
        "bench 1",
        "debug on",
        "nonsense",
        choose.choice(variants),
    ]
    sent = choose.choices(commands, k=150)
    for command in sent:
        engine.send(command)
    engine.send("stop")
    searches = sum(line.startswith("go ") and "perft" not in line for line in sent)
    counts = sum(line.startswith(("go perft", "bench")) for line in sent)
    lines: list[str] = []
    while len(bestmoves(lines)) < searches or answered(lines, "Nodes/second:") < counts:
        line = engine.line()
        assert line is not None
        lines.append(line)
    quit_cleanly(engine)
    lines += engine.rest()
    assert not any("error" in notice for notice in notices(lines))
    assert len(bestmoves(lines)) == searches
    assert answered(lines, "Nodes/second:") == counts
    assert lines.count("readyok") == sent.count("isready")


# The other commands


def test_perft_divides(engine: Client) -> None:
    engine.send("go perft 3")
    lines = engine.until("Nodes/second:")
    shares = [line.split(": ") for line in lines if re.fullmatch(r"[a-j]\d[a-j]\d: \d+", line)]
    assert [uci for uci, _ in shares] == [move.uci() for move in Board().legal_moves]
    assert sum(int(count) for _, count in shares) == 23572
    assert "Nodes searched: 23572" in lines


@pytest.mark.parametrize(("arguments", "nodes"), [("0", 1), ("1", 28), ("x", 1), ("", 1)])
def test_perft_depths(engine: Client, arguments: str, nodes: int) -> None:
    engine.send(f"go perft {arguments}")
    lines = engine.until("Nodes/second:")
    assert f"Nodes searched: {nodes}" in lines
    assert len(notices(lines)) == (arguments in ("x", ""))


@pytest.mark.parametrize("work", ["go perft 20", "bench 40"])
def test_stop_ends_a_count(engine: Client, work: str) -> None:
    engine.ask(work)
    engine.send("stop")
    assert any("not complete" in notice for notice in notices(engine.until("Nodes/second:")))
    assert len(bestmoves(engine.go())) == 1


@pytest.mark.parametrize("first", ["go perft 20", "bench 40", "go depth 99"])
def test_stop_ends_what_runs_and_the_go_that_waits(engine: Client, first: str) -> None:
    engine.send(first, "go infinite", "stop")
    engine.until("bestmove" if "depth" in first else "Nodes/second:")
    assert len(bestmoves(engine.until("bestmove"))) == 1
    assert engine.ask("stop") == []


def test_d_shows_the_position(engine: Client) -> None:
    engine.send("position fen k9/10/1Q8/10/10/10/10/5K4 w - - 0 1 moves b6b7", "d")
    lines = engine.until("Result:")
    assert lines[0] == "k . . . . . . . . ."
    assert "Fen: k9/1Q8/10/10/10/10/10/5K4 b - - 1 1" in lines
    assert "Checkers: b7" in lines
    assert "Legal moves: 1" in lines
    assert any(re.fullmatch("Key: [0-9A-F]{16}", line) for line in lines)
    assert lines[-1] == "Result: *"


def test_eval_shows_terms_that_add_up(engine: Client) -> None:
    engine.send("position startpos moves b1b5 a7a5 b5b9", "eval")
    lines = engine.until("Evaluation:")
    assert len(lines) > 2
    for line in lines[2:-1]:
        white, black, total = map(int, line.split()[-3:])
        assert white - black == total


def test_help_names_every_command_and_limit(engine: Client) -> None:
    told = "\n".join(engine.ask("help"))
    commands = "uci isready ucinewgame setoption position go stop ponderhit debug d eval bench quit"
    for name in commands.split():
        assert re.search(rf"(^|, ){name}\b", told, re.MULTILINE)
    limits = "searchmoves ponder infinite wtime btime winc binc movestogo depth nodes mate movetime"
    for name in limits.split():
        assert f"[{name}" in told
    assert "go perft" in told


# A checker's session


def test_the_session_of_a_compliance_checker(engine: Client) -> None:
    """What fastchess sends with --compliance, positions of orthodox chess included."""
    engine.send("uci")
    engine.until("uciok")

    def search(limits: str) -> None:
        lines = engine.go(limits)
        info = [line for line in lines if line.startswith("info ")][-1]
        assert " score " in info
        assert "." not in info
        assert len(bestmoves(lines)) == 1

    engine.ask("ucinewgame", "position startpos")
    engine.ask(
        "position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27",
    )
    search("wtime 100")
    engine.send("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    search("btime 100")
    search("wtime 100 winc 100 btime 100 binc 100")
    search("btime 100 binc 100 wtime 100 winc 100")
    engine.ask("ucinewgame")
    engine.send("position startpos")
    search("wtime 100 btime 100")
    engine.send("position startpos moves e2e4 e7e5")
    search("wtime 100 btime 100")
    quit_cleanly(engine)


# The parts, without a process


def test_parse_go() -> None:
    board = Board()
    words = "ponder searchmoves a2a4 b2b4 wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6"
    limits, faults = parse_go(f"{words} nodes 7 mate 8 movetime 9 infinite".split(), board)
    assert faults == []
    assert limits == Limits(
        wtime=1,
        btime=2,
        winc=3,
        binc=4,
        movestogo=5,
        depth=6,
        nodes=7,
        mate=8,
        movetime=9,
        infinite=True,
        ponder=True,
        searchmoves=[board.parse_uci("a2a4"), board.parse_uci("b2b4")],
    )
    assert parse_go([], board) == (Limits(), [])


@pytest.mark.parametrize("seed", range(50))
def test_parse_go_takes_anything(seed: int) -> None:
    choose = random.Random(seed)
    words = "depth nodes 5 -5 x searchmoves a2a4 z wtime infinite ponder perft mate 99999999999"
    limits, faults = parse_go(choose.choices(words.split(), k=12), Board())
    assert limits.depth is None or 1 <= limits.depth <= 255
    assert all("\n" not in fault for fault in faults)


def test_info_lines() -> None:
    board = Board()
    pv = (board.parse_uci("a2a4"), board.parse_uci("b2b4"))
    info = Info(
        depth=3,
        seldepth=5,
        multipv=1,
        score=None,
        mate=-2,
        bound=UPPER,
        nodes=1000,
        time=10,
        hashfull=7,
        pv=pv,
    )
    tail = "nodes 1000 nps 100000 hashfull 7 time 10 pv a2a4 b2b4"
    head = "info depth 3 seldepth 5 multipv 1 score"
    assert format_info(info) == f"{head} mate -2 upperbound {tail}"
    info.score, info.mate, info.bound = -12, None, LOWER
    assert format_info(info) == f"{head} cp -12 lowerbound {tail}"
    info.wdl = (1, 2, 997)
    assert format_info(info, show_wdl=True) == f"{head} cp -12 lowerbound wdl 1 2 997 {tail}"


def test_bestmove_lines() -> None:
    board = Board()
    move, reply = board.parse_uci("a2a4"), board.parse_uci("b2b4")
    assert format_bestmove(move, reply) == "bestmove a2a4 ponder b2b4"
    assert format_bestmove(move, None) == "bestmove a2a4"
    assert format_bestmove(None, None) == "bestmove (none)"


def test_whole_numbers() -> None:
    assert [whole_number(text) for text in ("0", "-7", "+7", "007")] == [0, -7, 7, 7]
    assert whole_number("-" + "9" * 10_000) == -(10**18) + 1
    for text in ("", "+", "--1", "1.0", "1e3", "0x1", " 1", "1_000", "٣", "²"):
        assert whole_number(text) is None


def test_options_say_what_they_take() -> None:
    with pytest.raises(OptionError, match="MultiPV takes a whole number from 1 to 256, found '0'"):
        find_option("multipv").parse("0")
    with pytest.raises(OptionError, match="no option 'x'; there are Hash, Clear Hash"):
        find_option("x")
