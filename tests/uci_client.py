"""A UCI engine as a child process, and what it says."""

from __future__ import annotations

import contextlib
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from types import TracebackType

# Nothing takes that long; it only keeps a hanging engine from hanging the suite.
GUARD_S = 120.0

COMMAND = [sys.executable, "-m", "abdiel"]


class Client:
    """`abdiel` without arguments, with its lines as they come."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(GUARD_S)
        self._reader.join(GUARD_S)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        try:
            for line in self.process.stdout:
                self._lines.put(line.decode().removesuffix("\n"))
        except ValueError:  # closed by the test
            pass
        self._lines.put(None)

    def send(self, *lines: str) -> None:
        """Write lines at once."""
        self.send_bytes("".join(line + "\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def line(self) -> str | None:
        """The next line, None at the end of the output."""
        return self._lines.get(timeout=GUARD_S)

    def until(self, is_last: Callable[[str], bool] | str) -> list[str]:
        """The lines up to one that is, or begins with the word, given."""
        lines: list[str] = []
        while True:
            line = self.line()
            assert line is not None, f"the engine ended after {lines}; {self.errors()}"
            lines.append(line)
            if is_last(line) if callable(is_last) else line.split(" ")[0] == is_last:
                return lines

    def ask(self, *lines: str) -> list[str]:
        """Send lines; returns what comes before the answer to an isready after them."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def go(self, arguments: str = "depth 1") -> list[str]:
        """Search; returns the lines up to bestmove."""
        self.send(f"go {arguments}")
        return self.until("bestmove")

    def fen(self) -> str:
        """The position, as `d` tells it."""
        self.send("d")
        (line,) = [line for line in self.until("Result:") if line.startswith("Fen: ")]
        return line.removeprefix("Fen: ")

    def errors(self) -> str:
        """What the engine wrote to stderr; it must have ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def rest(self) -> list[str]:
        """The lines up to the end of the output."""
        lines: list[str] = []
        while (line := self.line()) is not None:
            lines.append(line)
        return lines

    def end(self) -> int:
        """Wait for the end; returns the exit status. The engine must not have complained."""
        status = self.process.wait(GUARD_S)
        assert self.errors() == ""
        return status

    def interrupt(self, number: signal.Signals) -> None:
        self.process.send_signal(number)


def bestmoves(lines: list[str]) -> list[str]:
    """The moves of the bestmove lines."""
    return [line.split()[1] for line in lines if line.startswith("bestmove ")]


def notices(lines: list[str]) -> list[str]:
    """The texts of the info strings."""
    prefix = "info string "
    return [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]
