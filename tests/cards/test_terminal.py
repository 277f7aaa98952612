"""The table in a real terminal, where Ctrl-C and Ctrl-D are keys."""

from __future__ import annotations

import os
import pty
import select
import sys
from pathlib import Path

import pytest

from abdiel.cards.session import load_session

PROMPT = "Your turn, seat 0> "
CTRL_C, CTRL_D = "\x03", "\x04"
PATIENCE = 120.0  # seconds; only a test that fails needs them
AGAIN = 5.0  # seconds after which a key is pressed again


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.said = ""
        self._read_to = 0
        pid, self._keyboard = pty.fork()
        if not pid:
            os.environ |= {"TERM": "xterm", "COLUMNS": "80", "LINES": "50"}
            os.execv(sys.executable, [sys.executable, "-m", "abdiel", *arguments])
        self._pid = pid

    def wait_for(self, text: str) -> None:
        """Read until a text comes that was not there when this was called last."""
        while (at := self.said.find(text, self._read_to)) < 0:
            part = self._read(PATIENCE)
            assert part, f"no {text!r} in {self.said!r}"
            self.said += part
        self._read_to = at + len(text)

    def _read(self, patience: float) -> str | None:
        """Return what comes next, nothing at the end; None if nothing comes for so long."""
        ready, _, _ = select.select([self._keyboard], [], [], patience)
        if not ready:
            return None
        try:
            return os.read(self._keyboard, 65536).decode(errors="replace")
        except OSError:  # how Linux tells that nobody writes any more
            return ""

    def type(self, text: str) -> None:
        os.write(self._keyboard, text.encode())

    def leave(self, key: str) -> int:
        """Press a key until the program ends; returns the exit status.

        Python may overlook a signal that comes just before it waits for a line, until the next.
        """
        self.type(key)
        for _ in range(int(PATIENCE / AGAIN)):
            while part := self._read(AGAIN):
                self.said += part
            if part == "":
                break
            self.type(key)
        os.close(self._keyboard)
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


def deal(path: Path) -> Terminal:
    options = ["--players", "3", "--level", "greedy", "--seed", "5", "--save", str(path)]
    return Terminal("cards", "play", "auf-teufel", *options)


@pytest.mark.parametrize("typed", ["", "0\n", "?"], ids=["at once", "after a turn", "in a line"])
@pytest.mark.parametrize("key", [CTRL_C, CTRL_D], ids=["Ctrl-C", "Ctrl-D"])
def test_the_keys_that_leave_save_the_game(key: str, typed: str, path: Path) -> None:
    table = deal(path)
    table.wait_for(PROMPT)
    table.type(typed)
    if typed.endswith("\n"):
        table.wait_for(PROMPT)
    elif typed:
        # Ctrl-C throws away what nobody has read yet, and readline, told of it, waits for more.
        table.wait_for(typed)
        if key == CTRL_D:
            table.type("\n")  # within a line Ctrl-D deletes
            table.wait_for(PROMPT)
    assert table.leave(key) == 0
    assert "Saved to" in table.said and f"--resume {path}" in table.said.replace("\r\n", "")
    assert "Traceback" not in table.said
    state, _ = load_session(path)
    assert any(move & 7 == 0 for move in state.moves) == (typed == "0\n")

    again = Terminal("cards", "play", "--resume", str(path))
    again.wait_for(PROMPT)
    assert again.leave("quit\n") == 0
    assert load_session(path)[0].snapshot() == state.snapshot()


def test_ctrl_c_while_the_program_thinks(path: Path) -> None:
    """The others are asked for a very long search; the game is kept as it was before."""
    options = ["--players", "3", "--level", "strong:9000000", "--seed", "5", "--save", str(path)]
    table = Terminal("cards", "play", "nakayoshi", *options)
    table.wait_for(PROMPT)
    table.type("1 2 3\n")
    table.wait_for("thinks")
    assert table.leave(CTRL_C) == 0
    assert "Saved to" in table.said
    assert "Traceback" not in table.said
    assert len(load_session(path)[0].moves) == 1
