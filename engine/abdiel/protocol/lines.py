"""Lines of text in and out of a protocol, over bare file descriptors.

Python's own buffered streams would hold a lock while they wait for a line, which an interpreter
that ends at that moment cannot take back.
"""

from __future__ import annotations

import os
import threading
from select import POLLIN, poll

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def read_lines(fd: int, on_line: Callable[[str], None], output: int) -> bool:
    """Call `on_line` for each line until the end of the input; the last may lack its line end.

    Bytes that are no UTF-8 become replacement characters. Returns True at the end of the input,
    and False, at once, when nobody is left to read what is written to the descriptor `output`.
    """
    parts: list[bytes] = []
    while _wait_for_input(fd, output):
        chunk = _read(fd)
        if not chunk:
            if last := b"".join(parts):
                on_line(last.decode("utf-8", "replace"))
            return True
        *lines, rest = chunk.split(b"\n")
        if lines:
            lines[0] = b"".join(parts) + lines[0]
            parts.clear()
            for line in lines:
                on_line(line.decode("utf-8", "replace"))
        parts.append(rest)
    return False


def _wait_for_input(fd: int, output: int) -> bool:
    """False if the other end of `output` has gone first."""
    waiter = poll()
    waiter.register(fd, POLLIN)
    waiter.register(output, 0)  # errors and hang-ups are told without being asked for
    return all(ready != output for ready, _ in waiter.poll())


def _read(fd: int) -> bytes:
    while True:
        try:
            return os.read(fd, 1 << 16)
        except BlockingIOError:  # some parents hand over a pipe that does not wait
            os.set_blocking(fd, True)
        except OSError:  # a terminal that has gone reads as an error
            return b""


class LineWriter:
    """Writes whole lines at once, from any thread. After the reader has gone it drops them."""

    def __init__(self, fd: int, on_closed: Callable[[], None]) -> None:
        """`on_closed` is called once, when a line cannot be written."""
        self._fd = fd
        self._on_closed = on_closed
        self._lock = threading.Lock()
        self._closed = False

    def __call__(self, text: str) -> None:
        """Write `text` and a line end."""
        data = memoryview((text + "\n").encode("utf-8", "replace"))
        with self._lock:
            while data and not self._closed:
                try:
                    data = data[os.write(self._fd, data) :]
                except BlockingIOError:
                    os.set_blocking(self._fd, True)
                except OSError:
                    self._closed = True
                    self._on_closed()
