"""Making sets of openings, and the command that does it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from abdiel.board import BOARDS, Board, find_variant
from abdiel.commands import main
from abdiel.engine import EXACT, Engine, Limits
from abdiel.match.book import BookPosition, balanced_positions
from abdiel.match.openings import load_openings
from abdiel.variants import VARIANTS

NODES = 500


def positions(
    board_class: type[Board] = Board,
    plies: tuple[int, int] = (2, 6),
    window: int = 60,
    limits: Limits | None = None,
    seed: int = 1,
) -> Iterator[BookPosition]:
    return balanced_positions(
        board_class,
        plies=plies,
        window=window,
        limits=limits or Limits(nodes=NODES),
        seed=seed,
    )


def score_for_white(board: Board) -> int:
    """What a fresh search says of a position."""
    found: list[int] = []
    with Engine(2) as engine:
        engine.start(
            board,
            Limits(nodes=NODES),
            on_info=lambda info: found.append(info.score or 0) if info.bound == EXACT else None,
        )
        engine.wait()
    return found[-1] if board.turn else -found[-1]


@pytest.mark.parametrize("board_class", BOARDS)
def test_positions_are_balanced_and_different(board_class: type[Board]) -> None:
    start = score_for_white(board_class())
    found = list(islice(positions(board_class, window=30), 20))
    fields = set()
    for position in found:
        board, operations = board_class.from_epd(position.epd)
        fields.add(board.epd())
        score = score_for_white(board)
        assert operations["ce"] == (score if board.turn else -score)
        assert position.balance == score - start
        assert abs(position.balance) <= 30
        assert 2 <= 2 * board.fullmove_number - 1 - board.turn <= 6
        assert not board.is_check()
        assert not board.is_game_over()
    assert len(fields) == len(found)
    tried = [position.tried for position in found]
    assert tried == sorted(set(tried))


def test_the_seed_makes_the_set() -> None:
    first = list(islice(positions(seed=3), 15))
    assert list(islice(positions(seed=3), 15)) == first
    assert list(islice(positions(seed=4), 15)) != first


def test_a_transposition_comes_once() -> None:
    # Two moves of White around one of Black: either order of the two leads to the same position.
    lines = [["a2a4", "a7a5", "b2b3"], ["b2b3", "a7a5", "a2a4"]]
    boards = [Board(), Board()]
    for board, line in zip(boards, lines, strict=True):
        for move in line:
            board.push_uci(move)
    assert boards[0].epd() == boards[1].epd()
    found = list(islice(positions(plies=(3, 3), window=10_000, limits=Limits(depth=1)), 500))
    assert len({" ".join(position.epd.split()[:4]) for position in found}) == 500


def test_it_ends_when_nothing_is_left() -> None:
    rest = positions(plies=(1, 1), window=10_000, limits=Limits(depth=1))
    assert len(list(islice(rest, 28))) == 28
    with pytest.raises(ValueError, match="found 28 positions, then none that is new and balanced"):
        next(rest)
    alone = positions(plies=(0, 0))
    assert next(alone).balance == 0
    with pytest.raises(ValueError, match="expected a wider window or more plies"):
        next(alone)


@pytest.mark.parametrize("plies", [(3, 2), (-1, 2), (0, 101)])
def test_wrong_arguments_are_refused_at_once(plies: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="expected two rising numbers 0 to 100"):
        positions(plies=plies)
    with pytest.raises(ValueError, match="window: found -1"):
        positions(window=-1)


# The command

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("variant", VARIANTS)
def test_command_writes_a_file_that_loads(variant: str, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "set.epd"
    arguments = ["openings", variant, "--count", "12", "--nodes", str(NODES), "--seed", "9"]
    assert main([*arguments, "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("12 positions of ")
    assert len(load_openings(out, find_variant(variant))) == 12
    assert main(arguments) == 0
    assert capsys.readouterr().out == out.read_text(encoding="utf-8")


def test_command_takes_a_depth_and_one_number_of_plies(capsys: Capture) -> None:
    arguments = ["openings", "janus", "--count", "3", "--plies", "5", "--depth", "2"]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("; ")[1] for line in lines] == ["fmvn 3"] * 3


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "VARIANT"),
        (["chess"], "expected one of angelsanddevils"),
        (["janus", "--count", "0"], "--count"),
        (["janus", "--plies", "many"], "--plies takes two numbers such as 6-10, or one, found"),
        (["janus", "--plies", "4-"], "--plies takes two numbers"),
        (["janus", "--plies", "9-3"], "found 9 to 3, expected two rising numbers 0 to 100"),
        (["janus", "--window", "-1"], "--window"),
        (["janus", "--depth", "2", "--nodes", "5"], "exclude one another"),
        (["janus", "--depth", "65"], "--depth"),
        (["janus", "--out", "/no/such/folder/set.epd"], "/no/such/folder/set.epd"),
        (["janus", "--plies", "0", "--count", "2", "--depth", "1"], "found 1 positions, then"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], told: str, capsys: Capture) -> None:
    assert main(["openings", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("abdiel: ")
    assert told in line


@pytest.mark.skipif(sys.platform != "linux", reason="needs a pseudo-terminal")
def test_command_draws_a_bar_on_a_terminal(tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "abdiel", "openings", "gothic"]
    options = ["--count", "5", "--nodes", "100", "--out", str(tmp_path / "set.epd")]
    process = subprocess.Popen(
        command + options, stderr=theirs, env=os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    )
    os.close(theirs)
    drawn = b""
    try:
        while chunk := os.read(ours, 65536):
            drawn += chunk
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.wait(60) == 0
    text = drawn.decode()
    assert "Gothic Chess" in text
    assert "5/5" in text
    assert "5 positions of " in text
