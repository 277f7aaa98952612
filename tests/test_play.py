"""A game in the terminal, through pipes and through a terminal."""

from __future__ import annotations

import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from abdiel.board import Board, find_variant
from abdiel.commands import main
from abdiel.notation import pgn
from abdiel.variants import VARIANTS

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import pty

GUARD_S = 120.0

PLAY = [sys.executable, "-m", "abdiel", "play", "--depth", "1"]

Play = Callable[..., str]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Play a game in this process: what it says to lines typed. It must end cleanly."""

    def play(*typed: str, options: tuple[str, ...] = ("--ascii",)) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(line + "\n" for line in typed)))
        status = main(["play", "--depth", "1", *options])
        said, complaints = capsys.readouterr()
        assert (status, complaints) == (0, "")
        return said

    return play


def test_a_move_is_answered(play: Play) -> None:
    said = play("e2e4", "quit")
    assert "You play e4 (e2e4).\n" in said
    assert re.search(r"^Abdiel plays \S+ \([a-j]\d[a-j]\d\), [+-]\d+\.\d\d", said, re.MULTILINE)
    assert said.endswith("Goodbye.\n")


def test_san_is_read_too(play: Play) -> None:
    assert "You play Ab5 (b1b5)." in play("Ab5", "quit")
    assert "You play Ab5 (b1b5)." in play("1. Ab5", "quit")


def test_removed_squares_are_told_and_marked(play: Play) -> None:
    fen = "5k4/10/10/10/1p8/1p8/1p8/1A3K4 w - - 0 1"
    said = play("b1b5", "quit", options=("--ascii", "--fen", fen))
    assert "You play Axb5 (b1b5), removing b2 b3 b4.\n" in said
    board = said.partition("You play")[0].splitlines()[-18:]
    for rank in (2, 3, 4):
        assert f"{rank} |   |* *|   |" in "\n".join(board)
    assert "5 |   |[A]|   |" in "\n".join(board)
    assert "1 |   |[ ]|   |" in "\n".join(board)


@pytest.mark.parametrize(
    ("fen", "typed", "told"),
    [
        (None, "e4e5", "no piece on e4"),
        (None, "e7e5", "e7e5"),
        (None, "e2e5", "cannot go to e5"),
        (None, "e2e9", "e2e9"),
        (None, "Ne5", "Ne5"),
        (None, "hello", "hello"),
        (None, "0000", "passing"),
        ("k9/10/10/10/10/10/4r5/4K5 w - - 0 1", "e1d2", "King would be attacked on d2"),
        ("k3r5/10/10/10/10/10/4R5/4K5 w - - 0 1", "e2d2", "King on e1 would be attacked"),
        ("4k3r1/10/10/10/10/10/10/R4K3R w KQ - 0 1", "f1i1", "White cannot castle to i1"),
        ("4k5/10/10/10/10/3K6/10/R8R w - - 0 1", "Re1", "Re1"),
        ("k9/4P5/10/10/10/10/10/4K5 w - - 0 1", "e7e8", "must become one of q r b n a"),
    ],
)
def test_an_illegal_move_is_explained(play: Play, fen: str | None, typed: str, told: str) -> None:
    options = ("--ascii",) if fen is None else ("--ascii", "--fen", fen)
    said = play(typed, "quit", options=options)
    assert "You play" not in said
    (line,) = [line for line in said.splitlines() if told in line]
    assert len(line) < 160


def test_undo_takes_back_both_moves(play: Play) -> None:
    said = play("undo", "e2e4", "undo", "d2d4", "quit")
    assert "There is no move of yours to take back." in said
    assert said.count("1. White> ") == 3
    assert "You play d4 (d2d4)." in said


def test_undo_for_black_leaves_the_first_move(play: Play) -> None:
    said = play("undo", "a7a5", "undo", "quit", options=("--ascii", "--side", "black"))
    assert said.count("Abdiel plays") == 2
    assert said.count("1. Black> ") == 3


def test_hint_names_a_legal_move(play: Play) -> None:
    match = re.search(r"Hint: \S+ \(([a-j]\d[a-j]\d)\)", play("hint", "quit"))
    assert match is not None
    assert Board().parse_uci(match[1]) in Board().legal_moves


def test_flip_turns_the_board(play: Play) -> None:
    said = play("flip", "quit")
    assert "    a   b   c" in said
    assert "    j   i   h" in said


def test_black_sees_the_board_from_the_own_side(play: Play) -> None:
    said = play("quit", options=("--ascii", "--side", "black"))
    assert "    j   i   h" in said
    assert "    a   b   c" not in said


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_saved_game_can_be_read(play: Play, tmp_path: Path, variant: str) -> None:
    path = tmp_path / "game.pgn"
    said = play(
        "e2e4", "a2a3", f"save {path}", "resign", f"save {path}", "quit",
        options=("--ascii", "--variant", variant),
    )  # fmt: skip
    assert said.count(f"Saved to {path}.") == 2
    text = path.read_text(encoding="utf-8")
    assert text.endswith("0-1\n")
    game = pgn.read_game(text)
    assert game is not None
    assert game.headers["Variant"] == variant
    assert game.headers["Result"] == "0-1"
    assert game.headers["White"] == "You"
    moves = list(game.mainline_moves())
    assert len(moves) in (2, 4)
    assert moves[0].uci() == "e2e4"
    assert isinstance(game.end().board(), find_variant(variant))


def test_a_game_from_a_position_is_saved_with_it(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    fen = "5k4/10/10/10/1p8/1p8/1p8/1A3K4 w - - 0 1"
    play("b1b5", f"save {path}", "quit", options=("--ascii", "--fen", fen))
    game = pgn.read_game(path.read_text(encoding="utf-8"))
    assert game is not None
    assert game.headers["FEN"] == fen


def test_saving_where_one_cannot_is_told(play: Play) -> None:
    said = play("save", "save /no/such/folder/game.pgn", "quit")
    assert "save needs the name of a file" in said
    assert "Cannot save to /no/such/folder/game.pgn: " in said


def test_resigning_ends_the_game(play: Play) -> None:
    said = play("resign", "e2e4", "hint", "resign", "quit")
    assert "Game over: Black wins, you resigned. 0-1" in said
    assert "The game is over: undo, save or quit." in said
    assert "You play" not in said


def test_undo_after_resigning_goes_on(play: Play) -> None:
    said = play("e2e4", "resign", "undo", "d2d4", "quit")
    assert "You go on." in said
    assert "2. White> " in said
    assert said.count("1. White> ") == 1
    assert "You play d4 (d2d4)." in said


@pytest.mark.parametrize("side", ["white", "black"])
def test_undo_after_resigning_before_the_first_move(play: Play, side: str) -> None:
    move = "e2e4" if side == "white" else "e7e5"
    said = play("resign", "undo", move, "quit", options=("--ascii", "--side", side))
    assert "There is no move" not in said
    assert f"({move})" in said.rpartition("You play")[2]


def test_commands_are_read_in_any_case(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "Game.pgn"
    said = play("HELP", "Flip", "Resign", "UNDO", f"Save {path}", "Quit", "e2e4")
    assert "You play" not in said
    assert "    j   i   h" in said
    assert f"Saved to {path}." in said
    assert path.exists()


@pytest.mark.parametrize(
    ("fen", "typed", "told"),
    [
        (
            "k9/10/1K8/10/10/10/10/3Q6 w - - 0 1",
            "d1d8",
            "Game over: White wins, checkmate. 1-0",
        ),
        ("k9/10/10/10/10/10/1Q8/5K4 w - - 0 1", "b2b6", "Game over: Draw, stalemate. 1/2-1/2"),
        (
            "k9/10/10/10/10/10/5r4/5K4 w - - 0 1",
            "f1f2",
            "Game over: Draw, insufficient material. 1/2-1/2",
        ),
        (
            "k9/10/10/10/10/10/8R1/5K4 w - - 99 80",
            "f1e1",
            "Game over: Draw, fifty moves. 1/2-1/2",
        ),
    ],
)
def test_the_end_is_announced_with_its_reason(play: Play, fen: str, typed: str, told: str) -> None:
    said = play(typed, "quit", options=("--ascii", "--fen", fen))
    assert told in said
    assert "game over> " in said


def test_a_game_that_is_over_from_the_start(play: Play) -> None:
    fen = "k9/1Q8/1K8/10/10/10/10/10 b - - 0 1"
    said = play("e2e4", "undo", "quit", options=("--ascii", "--fen", fen))
    assert "Game over: White wins, checkmate. 1-0" in said


def test_check_is_announced(play: Play) -> None:
    options = ("--ascii", "--fen", "k9/10/10/10/10/10/1Q8/5K4 w - - 0 1")
    assert "Check." in play("Qa2", "quit", options=options)
    assert "Check." not in play("Qc2", "quit", options=options)


def test_the_end_of_input_leaves(play: Play) -> None:
    assert play("e2e4").endswith("Goodbye.\n")
    assert play().endswith("Goodbye.\n")


def test_help_and_board(play: Play) -> None:
    said = play("help", "board", "", "quit")
    for word in ("undo", "hint", "flip", "save", "resign", "quit"):
        assert re.search(rf"^  {word} ", said, re.MULTILINE)
    assert said.count("8 | r | d | n |") == 2
    assert max(map(len, said.splitlines())) <= 80


def test_a_time_instead_of_a_depth() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "abdiel", "play", "--ascii", "--movetime", "20ms"],
        input="e2e4\nquit\n",
        capture_output=True,
        text=True,
        timeout=GUARD_S,
        check=True,
    )
    assert "Abdiel plays" in done.stdout


# Makes the terminal the one whose keys interrupt, then becomes the command.
IN_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, sys.argv[1:])
"""


class Terminal:
    """A game in a terminal of 80 columns."""

    def __init__(self, *options: str) -> None:
        self.master, slave = pty.openpty()
        environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
        environment.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", IN_TERMINAL, *PLAY, *options],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment | {"PYTHONIOENCODING": "utf-8"},
            start_new_session=True,
        )
        os.close(slave)
        self.said = ""

    def until(self, text: str, again: str = "") -> str:
        """Read on until `text` has come; returns all that came. In silence type `again`."""
        deadline = time.monotonic() + GUARD_S
        while text not in self.said:
            patience = max(0, deadline - time.monotonic())
            ready, _, _ = select.select([self.master], [], [], min(5, patience))
            if not ready and patience:
                os.write(self.master, again.encode())
                continue
            assert ready, f"no {text!r} in {self.said!r}"
            try:
                data = os.read(self.master, 4096)
            except OSError:
                data = b""
            assert data, f"no {text!r} in {self.said!r}"
            self.said += data.decode("utf-8", "replace")
        return self.said

    def type(self, text: str) -> None:
        self.said = ""
        os.write(self.master, text.encode())

    def end(self) -> int:
        status = self.process.wait(GUARD_S)
        os.close(self.master)
        return status


def test_a_terminal_sees_symbols_and_colours() -> None:
    terminal = Terminal()
    assert "♔" in terminal.until("1. White> ")
    terminal.type("e2e4\n")
    said = terminal.until("2. White> ")
    assert "\x1b[" in said
    assert "You play e4" in said
    terminal.type("quit\n")
    assert terminal.end() == 0


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_keys_that_leave(key: str) -> None:
    terminal = Terminal("--ascii")
    terminal.until("1. White> ")
    # A Ctrl-C between the prompt and the wait for a key can be lost in Python itself.
    terminal.type(key)
    said = terminal.until("Goodbye.", again=key)
    assert "Traceback" not in said
    assert terminal.end() == 0


def test_an_interrupt_while_the_engine_thinks_leaves() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "abdiel", "play", "--ascii", "--movetime", "1000s"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(b"e2e4\n")
    process.stdin.flush()
    said = b""
    while b"You play" not in said:
        said += process.stdout.readline()
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=GUARD_S)
    assert rest.endswith(b"Goodbye.\n")
    assert errors == b""
    assert process.returncode == 0
