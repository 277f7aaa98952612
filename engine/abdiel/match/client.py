"""A UCI engine as a process, seen by a referee who trusts nothing.

`chess.engine` plays our variants and is what scripts should use, but a referee it cannot be:

- It reads moves by a pattern that ends at the h-file, so a `pv` is cut where it meets i or j.
- It checks a `bestmove` itself, lowering its case; for one that is not legal the caller gets an
  `EngineError` without the line that the engine sent, which must stand in the log.
- It tells neither when an answer came nor whether a late one still came after `stop`, and so
  cannot tell a loss on time from a stall. Its event loop runs in a second thread, which adds
  two changes of threads to each move (a bench measures what a move costs here and there).

So this is our own: one thread, pipes that never block, and a guard on every wait.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from abdiel.errors import shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from abdiel.match.engines import EngineConfig

MAX_LINE = 1 << 20  # bytes of a line; what is longer is no UCI and is not kept
KEPT_LINES = 20  # of the last lines to and from an engine, and of what it wrote to stderr
KEPT_LENGTH = 300
QUIT_S = 3.0
LOOK_S = 0.02  # between two looks whether a process has ended
CHUNK = 1 << 16

STARTPOS = "position startpos"
VARIANT_OPTION = "UCI_Variant"


class EngineFailure(Exception):
    """An engine cannot go on with its game.

    `kind` is one of the words below, `line` the line that shows it, if one does.
    """

    CRASH = "crash"
    EXIT = "early exit"
    STALL = "stall"

    def __init__(self, kind: str, message: str, line: str = "") -> None:
        super().__init__(kind, message, line)
        self.kind = kind
        self.message = message
        self.line = line

    def __str__(self) -> str:
        return self.message


class StartError(ValueError):
    """An engine cannot be started, or is not one that can play the match."""


class Option(NamedTuple):
    """An option that an engine offers, as its `option` line tells."""

    name: str
    type: str
    default: str = ""
    min: int | None = None
    max: int | None = None
    choices: tuple[str, ...] = ()

    def refusal(self, value: str) -> str:
        """Return what the option takes instead of `value`, "" if it takes it."""
        if self.type == "check" and value not in ("true", "false"):
            return "true or false"
        if self.type == "combo" and value.lower() not in map(str.lower, self.choices):
            return f"one of {', '.join(self.choices)}"
        if self.type == "spin":
            try:
                number = int(value)
            except ValueError:
                return "a whole number"
            if self.min is not None and self.max is not None and not self.min <= number <= self.max:
                return f"a whole number from {self.min} to {self.max}"
        return ""


class Answer(NamedTuple):
    """What came of a search.

    `line` is the `bestmove` line, `elapsed_ms` the time to it; `info` the last `info` line with a
    score of the best line of play, "" if there was none; `late` whether it came only after `stop`.
    """

    line: str
    elapsed_ms: float
    info: str
    late: bool


class Client:
    """A running engine. The methods raise `EngineFailure`, the first two `StartError`."""

    def __init__(self, config: EngineConfig) -> None:
        """Start the process."""
        self.config = config
        self.name = ""
        self.options: dict[str, Option] = {}
        self.dialogue: deque[str] = deque(maxlen=KEPT_LINES)
        self.errors: deque[str] = deque(maxlen=KEPT_LINES)
        self._variant = ""
        self._lines: deque[bytes] = deque()
        self._partial = b""
        self._overlong = False
        self._ended = False
        self._process = _start(config)
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None and stdout is not None
        self._in, self._out = stdin.fileno(), stdout.fileno()
        self._err = stderr.fileno() if stderr is not None else -1
        self._poll = select.poll()
        for number in (self._in, self._out, self._err):
            if number >= 0:
                os.set_blocking(number, False)
            if number >= 0 and number != self._in:
                self._poll.register(number, select.POLLIN)

    @property
    def pid(self) -> int:
        """The process's number, which is its group's too."""
        return self._process.pid

    # Before a game.

    def handshake(self) -> None:
        """Wait until the engine has told its options."""
        try:
            self._send("uci")
            self._until("uciok", self.config.timeout_s, self._read_description)
        except EngineFailure as failure:
            said = f"; on stderr it said {shown(self.errors[-1])}" if self.errors else ""
            raise StartError(
                f"engine {self.config.name}: it did not greet as a UCI engine: {failure}{said}"
            ) from None

    def check(self, variant: str) -> None:
        """Check that the engine knows the variant and takes the options of its configuration."""
        name = self.config.name
        offered = self.options.get(VARIANT_OPTION.lower())
        if offered is None:
            raise StartError(
                f"engine {name}: has no option {VARIANT_OPTION}, so it cannot play {variant}"
            )
        if variant not in offered.choices:
            known = ", ".join(offered.choices)
            raise StartError(f"engine {name}: does not know {variant}; it knows {shown(known)}")
        for key, value in self.config.options:
            option = self.options.get(key.lower())
            if option is None:
                names = ", ".join(option.name for option in self.options.values())
                raise StartError(f"engine {name}: has no option {shown(key)}; it has {names}")
            expected = option.refusal(value)
            if expected:
                raise StartError(f"engine {name}: option.{key}={value}, it takes {expected}")

    def new_game(self, variant: str) -> None:
        """Make the engine ready for a game of a variant."""
        if self._variant != variant:
            self._send(f"setoption name {VARIANT_OPTION} value {variant}")
            if not self._variant:
                for key, value in self.config.options:
                    option = self.options.get(key.lower())
                    name = option.name if option is not None else key
                    button = option is not None and option.type == "button"
                    self._send(f"setoption name {name}" + ("" if button else f" value {value}"))
            self._variant = variant
        self._send("ucinewgame")
        self.synchronize()

    def synchronize(self) -> None:
        """Wait until the engine has read all that was sent, and forget what it said before."""
        self._send("isready")
        self._until("readyok", self.config.timeout_s)

    # Moves.

    def think(self, position: str, go: str, allowed_ms: float | None) -> Answer:
        """Let the engine search and return its answer.

        If it has none when its time is up, it is told to stop, and what comes then is `late`.
        Without `allowed_ms` the configuration's `stall_s` limits the search.
        """
        # An answer that is there before the question is an answer to nothing.
        self._read(0)
        self._lines.clear()
        self._send(position)
        self._send(go)
        limited = allowed_ms is not None
        begin = time.perf_counter()
        end = begin + (allowed_ms / 1000 if allowed_ms is not None else self.config.stall_s)
        info = b""
        late = False
        while True:
            line = self._line(end)
            if line is None:
                if late or not limited:
                    seconds = time.perf_counter() - begin
                    raise EngineFailure(
                        EngineFailure.STALL,
                        f"no bestmove after {seconds:.1f} s" + (", not even for stop" * late),
                    )
                late = True
                self._send("stop")
                end = time.perf_counter() + self.config.timeout_s
                continue
            if line.startswith(b"info "):
                if b" score " in line and not _is_side_line(line):
                    info = line
            elif line.startswith(b"bestmove"):
                elapsed = 1000 * (time.perf_counter() - begin)
                late = late or (allowed_ms is not None and elapsed > allowed_ms)
                if info:
                    self._remember("<", info)
                self._remember("<", line)
                return Answer(_text(line), elapsed, _text(info), late)
            else:
                self._remember("<", line)

    # The end.

    def close(self) -> None:
        """Let the engine quit, and end what has not ended then."""
        if self.is_alive():
            with contextlib.suppress(EngineFailure):
                self._send("quit")
                end = time.perf_counter() + QUIT_S
                # What it started may hold its pipes open, so their end is not waited for.
                while self._status() is None and (left := end - time.perf_counter()) > 0:
                    self._read(min(left, LOOK_S))
        self.kill()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def kill(self) -> None:
        """End the process and whatever it has started. Another thread may do it, too."""
        if self._process.returncode is None:
            # Its group is its own, and as long as nobody has waited for it so is its number.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(QUIT_S)

    def is_alive(self) -> bool:
        """Tell whether the process still runs, as far as can be told without waiting."""
        return not self._ended and self._process.returncode is None and self._status() is None

    # Lines.

    def _send(self, line: str) -> None:
        """Write a line; the engine may take its time to read it, but not for ever."""
        data = f"{line}\n".encode()
        self.dialogue.append(f"> {line[-KEPT_LENGTH:]}")
        end = 0.0
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                now = time.perf_counter()
                end = end or now + self.config.timeout_s
                if now >= end:
                    raise EngineFailure(EngineFailure.STALL, "it no longer reads") from None
                # Perhaps it cannot read before someone reads what it writes.
                poll = select.poll()
                poll.register(self._in, select.POLLOUT)
                poll.register(self._out, select.POLLIN)
                poll.poll(1000 * (end - now))
                self._read(0)
            except OSError:
                raise self._gone() from None

    def _until(self, word: str, seconds: float, read: Callable[[str], None] | None = None) -> None:
        end = time.perf_counter() + seconds
        while True:
            line = self._line(end)
            if line is None:
                raise EngineFailure(EngineFailure.STALL, f"no {word} after {seconds:g} s")
            words = line.split(None, 1)
            if words and words[0] == word.encode():
                self._remember("<", line)
                return
            if read is not None:
                read(_text(line))

    def _line(self, end: float) -> bytes | None:
        """Return the next line, None if none comes until `end` by the performance counter."""
        while not self._lines:
            left = end - time.perf_counter()
            if self._ended:
                raise self._gone()
            if left <= 0:
                # Another look: it may have answered while this process had no processor.
                self._read(0)
                return self._lines.popleft() if self._lines else None
            self._read(left)
        return self._lines.popleft()

    def _read(self, seconds: float) -> None:
        """Take what the engine writes, waiting for it so long."""
        for number, _ in self._poll.poll(min(1000 * seconds, 1e9)):
            try:
                data = os.read(number, CHUNK)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if number == self._out:
                if not data:
                    self._ended = True
                    self._poll.unregister(number)
                self._split(data)
            elif data:
                for line in data.splitlines():
                    self.errors.append(_text(line)[:KEPT_LENGTH])
            else:
                self._poll.unregister(number)

    def _split(self, data: bytes) -> None:
        if b"\n" not in data:
            self._partial += data
        else:
            first, *lines, rest = data.split(b"\n")
            if not self._overlong:
                self._lines.append(self._partial + first)
            self._lines.extend(lines)
            self._partial = rest
            self._overlong = False
        if len(self._partial) > MAX_LINE:
            self._partial = b""
            self._overlong = True

    def _gone(self) -> EngineFailure:
        """Return how the process has ended, or that it hung up."""
        self._ended = True
        end = time.perf_counter() + 1
        while (found := self._status()) is None and time.perf_counter() < end:
            time.sleep(LOOK_S)
        self._read(0)  # what it wrote to stderr at last
        last = self.errors[-1] if self.errors else ""
        if found is None:
            return EngineFailure(EngineFailure.EXIT, "it closed its output", last)
        if found.si_code != os.CLD_EXITED:
            name = signal.Signals(found.si_status).name
            return EngineFailure(EngineFailure.CRASH, f"it was ended by {name}", last)
        if found.si_status:
            return EngineFailure(
                EngineFailure.CRASH, f"it ended with status {found.si_status}", last
            )
        return EngineFailure(EngineFailure.EXIT, "it ended by itself", last)

    def _status(self) -> os.waitid_result | None:
        """Return how the process ended, None if it runs.

        The status is only looked at, so that the process's number stays its own until `close`.
        """
        with contextlib.suppress(ChildProcessError):  # another thread ended it
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return None

    def _remember(self, way: str, line: bytes) -> None:
        self.dialogue.append(f"{way} {_text(line[:KEPT_LENGTH])}")

    def _read_description(self, line: str) -> None:
        if line.startswith("id name "):
            self.name = printable(line.removeprefix("id name ").strip())
        elif line.startswith("option "):
            option = parse_option(line)
            if option is not None:
                self.options[option.name.lower()] = option


def _start(config: EngineConfig) -> subprocess.Popen[bytes]:
    name, program = config.name, config.command[0]
    if config.directory and not Path(config.directory).is_dir():
        raise StartError(f"engine {name}: dir={config.directory}, no such folder")
    errors: int | IO[bytes] = subprocess.PIPE
    try:
        if config.stderr:
            errors = Path(config.stderr).open("ab")  # noqa: SIM115  # closed below
        return subprocess.Popen(
            config.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=config.directory or None,
            bufsize=0,
            # Its own group: Ctrl-C reaches us only, and what it starts ends with it.
            start_new_session=True,
        )
    except OSError as error:
        if error.filename == config.stderr:
            raise StartError(f"engine {name}: stderr={config.stderr}, {error.strerror}") from None
        reason = "no such command" if isinstance(error, FileNotFoundError) else error.strerror
        raise StartError(f"engine {name}: cmd={program}, {reason}") from None
    except ValueError as error:  # a NUL in an argument
        raise StartError(f"engine {name}: cmd={shown(program)}, {error}") from None
    finally:
        if not isinstance(errors, int):
            errors.close()


_FIELDS = ("name", "type", "default", "min", "max", "var")


def parse_option(line: str) -> Option | None:
    """Return the option of an `option` line, None if it makes no sense."""
    fields: dict[str, list[str]] = {}
    variants: list[str] = []
    key = ""
    for word in line.split()[1:]:
        # A name may hold any word, also "min", but what follows it begins with "type".
        if word in _FIELDS and not (key == "name" and word != "type"):
            key = word
            if key == "var":
                variants.append("")
            continue
        if key == "var":
            variants[-1] = f"{variants[-1]} {word}".strip()
        elif key:
            fields.setdefault(key, []).append(word)
    texts = {key: " ".join(words) for key, words in fields.items()}
    if not texts.get("name") or not texts.get("type"):
        return None
    try:
        least, most = (int(texts[key]) if key in texts else None for key in ("min", "max"))
    except ValueError:
        least = most = None
    return Option(
        texts["name"], texts["type"], texts.get("default", ""), least, most, tuple(variants)
    )


def _is_side_line(line: bytes) -> bool:
    """Tell whether an info line is about another line of play than the best."""
    at = line.find(b" multipv ")
    return at >= 0 and line[at + 9 :].split(None, 1)[:1] != [b"1"]


def printable(text: str) -> str:
    """Return text on one line without what a terminal or PGN could stumble over."""
    return "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in text)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()
