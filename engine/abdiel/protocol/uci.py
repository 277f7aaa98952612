"""The Universal Chess Interface.

One thread reads, the one that called `run` carries out the commands in their order, and the search
and other long work have threads of their own. While a search runs, `isready`, `stop`, `ponderhit`
and what only tells something are carried out at once; the rest (`go`, `position`, `setoption`,
`ucinewgame`, `bench`) waits for its end, and a `go` that waits ends a search that would not end by
itself. While `go perft` or `bench` count, everything but `isready` and `stop` waits.

`quit`, the end of the input and an output that nobody reads end the program at once, whatever runs
or waits; after the first two a running search still tells its bestmove, and a count how far it got.
"""

from __future__ import annotations

import os
import threading
import time
from _queue import Empty, SimpleQueue

from abdiel.board import find_variant
from abdiel.draft import SIDES
from abdiel.engine import LIMIT_RANGES, LOWER, UPPER, Engine, Limits
from abdiel.errors import MoveError, shown
from abdiel.perft import MAX_DEPTH as MAX_PERFT_DEPTH
from abdiel.perft import divide
from abdiel.protocol.lines import LineWriter, read_lines
from abdiel.protocol.options import OPTIONS, Option, OptionError, Value, find_option, whole_number
from abdiel.squares import SQUARE_NAMES
from abdiel.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from abdiel.board import Board
    from abdiel.engine import Info
    from abdiel.moves import Move

_HELP = """\
uci                                   names the engine and its options
isready                               answers readyok, during a search too
ucinewgame                            forgets the last game; kept with UCI_AnalyseMode
setoption name N [value V]            sets an option
position startpos|fen F [moves M...]  sets the position
go [searchmoves M...] [ponder] [infinite] [wtime T] [btime T] [winc T] [binc T]
   [movestogo N] [depth N] [nodes N] [mate N] [movetime T]
                                      searches; without a limit until stop (T in milliseconds)
go perft N                            counts the positions N half-moves away, move by move
stop, ponderhit                       end the search; go on by the clock
debug on|off                          says more about commands that have no effect
d, eval                               show the position; the terms of its evaluation
bench [DEPTH]                         searches a fixed set of positions and counts nodes
quit                                  ends the program, as the end of the input does"""

_FLAGS = ("infinite", "ponder")

# How long `quit` waits for the last answer.
_PATIENCE_S = 1.0

# How many faults of one line are told, one by one and in sum.
_FAULTS_TOLD = 10

# The protocol wants unknown words skipped up to a command. Not those that are found in any text,
# and not the one that would end the program.
_STANDARD = ("debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop")


def parse_go(words: list[str], board: Board) -> tuple[Limits, list[str]]:
    """Read what follows `go`. Returns the limits and a line about each fault.

    A number that is missing or none becomes the lowest one, so that no fault makes a search
    endless; unknown words and illegal searchmoves are skipped.
    """
    limits = Limits()
    searchmoves: list[Move] = []
    faults: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in _FLAGS:
            setattr(limits, word, True)
        elif word in LIMIT_RANGES:
            text = words[at] if at < len(words) and not _is_go_word(words[at]) else None
            at += text is not None
            number, fault = _number(word, text, *LIMIT_RANGES[word])
            setattr(limits, word, number)
            faults += fault
        elif word == "searchmoves":
            while at < len(words) and not _is_go_word(words[at]):
                try:
                    searchmoves.append(_parse_move(board, words[at]))
                except ValueError as error:
                    faults.append(f"searchmoves: {error}; skipped")
                at += 1
        else:
            faults.append(f"unknown word {shown(word)} skipped")
    limits.searchmoves = tuple(searchmoves)
    return limits, faults


def _parse_move(board: Board, text: str) -> Move:
    move = board.parse_uci(text)
    if not move:
        raise MoveError(f"move {text}: the null move cannot be played")
    return move


def _is_go_word(word: str) -> bool:
    return word in LIMIT_RANGES or word in _FLAGS or word in ("searchmoves", "perft")


def _number(name: str, text: str | None, low: int, high: int) -> tuple[int, list[str]]:
    number = None if text is None else whole_number(text)
    if number is not None and low <= number <= high:
        return number, []
    used = high if number is not None and number > high else max(0, low)
    found = "nothing" if text is None else shown(text)
    expected = f"a whole number from {low} to {high}"
    return used, [f"{name} takes {expected}, found {found}; {used} is used"]


def format_info(info: Info, show_wdl: bool = False) -> str:
    """The `info` line of a report."""
    score = f"cp {info.score}" if info.mate is None else f"mate {info.mate}"
    bound = {LOWER: " lowerbound", UPPER: " upperbound"}.get(info.bound, "")
    wdl = " wdl {} {} {}".format(*info.wdl) if show_wdl else ""
    pv = " pv " + " ".join(move.uci() for move in info.pv) if info.pv else ""
    return (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}"
        f" score {score}{bound}{wdl} nodes {info.nodes} nps {info.nps}"
        f" hashfull {info.hashfull} time {info.time}{pv}"
    )


def format_bestmove(move: Move | None, ponder: Move | None) -> str:
    """The `bestmove` line; `(none)`, Stockfish's convention, where there is no legal move.

    Cute Chess, fastchess and python-chess all know that one.
    """
    if move is None:
        return "bestmove (none)"
    return f"bestmove {move.uci()}" + (f" ponder {ponder.uci()}" if ponder else "")


class _Done:
    """A search or other work has ended, and these are its last lines.

    The command thread writes them, so that whoever has read them finds it idle again.
    """

    __slots__ = ("lines",)

    def __init__(self, *lines: str) -> None:
        self.lines = lines


class _Closed:
    """Nobody reads what we write."""


class Session:
    """One conversation. `write` takes a line; it is called from several threads."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._events: SimpleQueue[str | _Done | _Closed] = SimpleQueue()
        self._engine = Engine()
        self._values: dict[str, Value] = {option.name: option.default for option in OPTIONS}
        self._set_up(find_variant(str(self._values["UCI_Variant"]))(), ["startpos"], [])
        self._debug = False
        self._quitting = False
        # At most one of the two goes on at a time.
        self._limits: Limits | None = None
        self._work: threading.Event | None = None
        self._waiting: list[str] = []
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "debug": self._set_debug,
            "isready": lambda _: self._write("readyok"),
            "setoption": self._setoption,
            "register": lambda _: None,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "quit": self._quit,
            "d": self._display,
            "eval": self._eval,
            "bench": self._bench,
            "help": lambda _: self._write(_HELP),
        }

    def feed(self, line: str) -> None:
        """Take a line of input; from any thread."""
        self._events.put(line)

    def close(self) -> None:
        """Make `run` return at once, whatever goes on; from any thread."""
        self._events.put(_Closed())

    def run(self) -> bool:
        """Carry out commands until `quit`. False if a search or other work still goes on."""
        while not self._quitting or self._is_busy():
            try:
                event = self._events.get(timeout=_PATIENCE_S if self._quitting else None)
            except Empty:
                break
            if isinstance(event, _Closed):
                break
            if isinstance(event, _Done):
                for line in event.lines:
                    self._write(line)
                self._limits = self._work = None
                waiting, self._waiting = self._waiting, []
                for line in waiting:
                    self._receive(line)
            else:
                self._receive(event)
        return not self._is_busy()

    def _is_busy(self) -> bool:
        return self._limits is not None or self._work is not None

    def _receive(self, line: str) -> None:
        words = line.split()
        if not words or self._quitting:
            return
        if words[0] not in self._commands:
            unknown = words[0]
            start = next((at for at, word in enumerate(words) if word in _STANDARD), len(words))
            words = words[start:]
            self._say(f"unknown command {shown(unknown)}; help lists the commands")
        if not words:
            return
        name = words[0]
        if self._must_wait(name):
            self._waiting.append(" ".join(words))
            limits = self._limits
            if name == "go" and limits is not None and (limits.ponder or limits.is_endless()):
                self._engine.stop()
            # A stop is meant for what runs and for what waits to begin.
            if name != "stop":
                return
        try:
            self._commands[name](words[1:])
        except Exception as error:  # a fault of ours must not end a game
            self._say(f"error in {name}: {type(error).__name__}: {error}")

    def _must_wait(self, name: str) -> bool:
        if name in ("isready", "quit") or not self._is_busy():
            return False
        if name in ("stop", "ponderhit"):
            return any(line.split(None, 1)[0] in ("go", "bench") for line in self._waiting)
        if self._work is not None:
            return True
        return name in ("go", "position", "setoption", "ucinewgame", "bench")

    def _say(self, text: str) -> None:
        self._write(f"info string {text}")

    def _say_all(self, command: str, faults: list[str]) -> None:
        told = faults if len(faults) <= _FAULTS_TOLD else faults[: _FAULTS_TOLD - 1]
        for fault in told:
            self._say(f"{command}: {fault}")
        if len(told) < len(faults):
            self._say(f"{command}: {len(faults) - len(told)} more faults")

    # Commands

    def _uci(self, _: list[str]) -> None:
        self._write(f"id name Abdiel {VERSION}")
        self._write("id author the Abdiel developers")
        for option in OPTIONS:
            self._write(option.describe())
        self._write("uciok")

    def _set_debug(self, words: list[str]) -> None:
        if words not in (["on"], ["off"]):
            self._say(f"debug takes on or off, found {shown(' '.join(words))}")
            return
        self._debug = words == ["on"]

    def _setoption(self, words: list[str]) -> None:
        try:
            if words[:1] != ["name"]:
                found = shown(" ".join(words))
                raise OptionError(f"expected 'name' and the option's name, found {found}")
            end = words.index("value") if "value" in words else len(words)
            option = find_option(" ".join(words[1:end]))
            value = option.parse(" ".join(words[end + 1 :]) if end < len(words) else None)
            self._apply(option, value)
        except OptionError as error:
            self._say(f"setoption: {error}")
        except MemoryError:
            kept, unit = self._values[option.name], " MB" if option.name == "Hash" else ""
            self._say(f"setoption: no memory for {option.name} {value}{unit}; it stays {kept}")

    def _apply(self, option: Option, value: Value) -> None:
        if option.name == "Clear Hash":
            self._engine.new_game()
        elif option.name == "Hash":
            assert isinstance(value, int)
            self._engine.configure(hash_mb=value)
        elif option.name == "Threads":
            assert isinstance(value, int)
            self._engine.configure(threads=value)
        elif option.name == "MultiPV":
            assert isinstance(value, int)
            self._engine.configure(multipv=value)
        elif option.name == "Move Overhead":
            assert isinstance(value, int)
            self._engine.configure(move_overhead=value)
        elif option.name == "UCI_Variant" and value != self._values["UCI_Variant"]:
            self._set_up(find_variant(str(value))(), ["startpos"], [])
            self._say(f"variant {value}, position reset to {self._board.fen()}")
        self._values[option.name] = value
        if option.name in ("Skill Level", "UCI_LimitStrength", "UCI_Elo"):
            self._set_strength()

    def _set_strength(self) -> None:
        """As in Stockfish, a rating goes before the level."""
        elo, skill = self._values["UCI_Elo"], self._values["Skill Level"]
        assert isinstance(elo, int) and isinstance(skill, int)
        if self._values["UCI_LimitStrength"]:
            self._engine.configure(elo=elo)
        else:
            self._engine.configure(skill=skill)

    def _ucinewgame(self, _: list[str]) -> None:
        # Whoever analyses steps through positions that belong together.
        if not self._values["UCI_AnalyseMode"]:
            self._engine.new_game()

    def _set_up(self, board: Board, root: list[str], moves: list[str]) -> None:
        self._board = board
        self._root = root
        self._moves = moves

    def _position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        root, moves = words[:end], words[end + 1 :]
        try:
            self._set_up(self._parse_position(root, moves), root, moves)
        except ValueError as error:
            self._say(f"position: {error}; nothing changed")

    def _parse_position(self, root: list[str], moves: list[str]) -> Board:
        variant = type(self._board)
        known = len(self._moves)
        if root == self._root and moves[:known] == self._moves:
            # A game goes on: GUIs send all of its moves each time, and the clock runs meanwhile.
            board = self._board.copy()
        else:
            known = 0
            if root == ["startpos"]:
                board = variant()
            elif root[:1] == ["fen"]:
                board = variant(" ".join(root[1:]))
            else:
                found = shown(" ".join(root))
                raise ValueError(
                    f"expected 'startpos' or 'fen ...' before the moves, found {found}"
                )
        for number, text in enumerate(moves[known:], known + 1):
            try:
                board.push(_parse_move(board, text))
            except ValueError as error:
                raise ValueError(f"at move {number} of {len(moves)}: {error}") from None
        return board

    def _go(self, words: list[str]) -> None:
        if words[:1] == ["perft"]:
            text = words[1] if len(words) > 1 else None
            depth, faults = _number("perft", text, 0, MAX_PERFT_DEPTH)
            self._say_all("go", faults)
            self._start_work(lambda stop: self._perft(depth, stop))
            return
        limits, faults = parse_go(words, self._board)
        self._say_all("go", faults)
        try:
            self._engine.start(self._board, limits, self._on_info, self._on_bestmove)
        except Exception as error:  # no thread to be had, perhaps: the GUI waits all the same
            self._say(f"go: no search, any legal move: {type(error).__name__}: {error}")
            any_move = next(iter(limits.searchmoves or self._board.legal_moves), None)
            self._write(format_bestmove(any_move, None))
        else:
            self._limits = limits

    def _on_info(self, info: Info) -> None:
        self._write(format_info(info, bool(self._values["UCI_ShowWDL"])))

    def _on_bestmove(self, move: Move | None, ponder: Move | None) -> None:
        self._events.put(_Done(format_bestmove(move, ponder)))

    def _stop(self, _: list[str]) -> None:
        if self._work is not None:
            self._work.set()
        elif self._limits is not None:
            self._engine.stop()
        elif self._debug:
            self._say("stop: nothing to stop")

    def _ponderhit(self, _: list[str]) -> None:
        if self._limits is not None and self._limits.ponder:
            self._limits.ponder = False
            self._engine.ponderhit()
        elif self._debug:
            self._say("ponderhit: not pondering")

    def _quit(self, _: list[str]) -> None:
        self._quitting = True
        self._waiting.clear()
        self._engine.stop()
        if self._work is not None:
            self._work.set()

    def _display(self, _: list[str]) -> None:
        board = self._board
        self._write(str(board))
        self._write("")
        self._write(f"Variant: {board.uci_variant}")
        self._write(f"Fen: {board.fen()}")
        self._write(f"Key: {self._engine.key(board):016X}")
        self._write("Checkers: " + " ".join(SQUARE_NAMES[square] for square in board.checkers()))
        self._write(f"Legal moves: {board.legal_moves.count()}")
        self._write(f"Result: {board.result()}")

    def _eval(self, _: list[str]) -> None:
        self._write(f"{'term':<20} {'White':>8} {'Black':>8} {'total':>8}")
        for name, (white, black) in self._engine.evaluation_terms(self._board).items():
            self._write(f"{name:<20} {white:>8} {black:>8} {white - black:>8}")
        score = self._engine.evaluate(self._board)
        side = SIDES[not self._board.turn]
        self._write(f"Evaluation: {score} centipawns for {side}, who is to move")

    # Work that takes long

    def _start_work(self, work: Callable[[threading.Event], tuple[int, float]]) -> None:
        """Let `work` count nodes, until its argument is set; it returns them and the seconds."""
        stop = threading.Event()

        def run() -> None:
            lines = []
            try:
                nodes, seconds = work(stop)
            except Exception as error:
                lines.append(f"info string error: {type(error).__name__}: {error}")
            else:
                if stop.is_set():
                    lines.append("info string stopped: the count is not complete")
                lines += ["", f"Nodes searched: {nodes}", f"Time: {round(seconds * 1000)} ms"]
                lines.append(f"Nodes/second: {round(nodes / max(seconds, 1e-9))}")
            self._events.put(_Done(*lines))

        threading.Thread(target=run, name="abdiel-work", daemon=True).start()
        self._work = stop  # not before: a thread that cannot start would never end

    def _perft(self, depth: int, stop: threading.Event) -> tuple[int, float]:
        def on_move(move: Move, count: int) -> None:
            self._write(f"{move.uci()}: {count}")

        start = time.perf_counter()
        nodes = divide(self._board, depth, on_move, stop.is_set)
        return nodes, time.perf_counter() - start

    def _bench(self, words: list[str]) -> None:
        from abdiel.bench import DEFAULT_DEPTH, MAX_DEPTH, run_bench

        depth = DEFAULT_DEPTH
        if words:
            depth, faults = _number("depth", words[0], 1, MAX_DEPTH)
            self._say_all("bench", faults)
        self._start_work(lambda stop: run_bench(depth, self._on_bench_position, stop.is_set))

    def _on_bench_position(self, variant: str, fen: str, nodes: int) -> None:
        self._write(f"{variant}: {fen}: {nodes}")


def main(stdin: int = 0, stdout: int = 1) -> int:
    """Speak UCI over two file descriptors until `quit` or the end of the input.

    Returns the exit status; does not return but ends the process if a search or other work goes on.
    """
    session = Session(LineWriter(stdout, lambda: session.close()))

    def read() -> None:
        if read_lines(stdin, session.feed, stdout):
            session.feed("quit")
        else:
            session.close()

    threading.Thread(target=read, name="abdiel-input", daemon=True).start()
    status = 0
    try:
        finished = session.run()
    except KeyboardInterrupt:
        finished, status = False, 130
    if not finished:
        os._exit(status)
    return status
