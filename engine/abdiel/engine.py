"""Engine: the only door from Python into the search.

Protocols, matches and scripts start a search on a board, hear of its progress through callbacks
and stop it; how the search works is nobody's business but this module's.

    engine = Engine()
    engine.start(Board(), Limits(depth=6), on_bestmove=lambda move, ponder: print(move))
    engine.wait()
"""

from __future__ import annotations

import threading
from functools import partial
from itertools import pairwise
from math import exp

from abdiel.core.evaluate import evaluate, terms
from abdiel.core.searcher import FULL_SKILL, MATE, Searcher
from abdiel.memory import largest_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from abdiel.board import Board
    from abdiel.moves import Move

    OnInfo = Callable[["Info"], None]
    OnBestmove = Callable[[Move | None, Move | None], None]
    Report = tuple[int, int, int, int, int, int, int, int, list[int]]
    CoreSearch = Callable[..., tuple[int, int]]

DEFAULT_HASH_MB = 16
DEFAULT_MOVE_OVERHEAD = 10
DEFAULT_THREADS = 1
MAX_SKILL = int(FULL_SKILL)

EXACT, LOWER, UPPER = 0, 1, 2

# Skill and the rating that it plays at: matches in Angels and Devils of each with the one before,
# 30 to 80 games a pair, added up; the last is not measured but goes on as before. Only the
# differences mean anything: 600 for the weakest is a guess.
_RATINGS = (
    (0, 600),
    (2, 770),
    (4, 850),
    (6, 1050),
    (8, 1490),
    (10, 1690),
    (12, 2070),
    (14, 2470),
    (16, 2710),
    (18, 3050),
    (MAX_SKILL - 1, 3200),
)

# Lowest and highest values; times in milliseconds. A clock that has run out may be negative.
SETTING_RANGES: dict[str, tuple[int, int]] = {
    "hash_mb": (1, 1 << 20),
    "threads": (1, 256),
    "multipv": (1, 256),
    "move_overhead": (0, 5000),
    "skill": (0, MAX_SKILL),
    "elo": (_RATINGS[0][1], _RATINGS[-1][1]),
}
_MS = 2_000_000_000
LIMIT_RANGES = {
    "wtime": (-_MS, _MS),
    "btime": (-_MS, _MS),
    "winc": (0, _MS),
    "binc": (0, _MS),
    "movestogo": (0, 1000),  # some GUIs send 0 for "no time control by moves"
    "depth": (1, 255),  # to the core, what is more than its deepest is its deepest
    "nodes": (1, 10**15),
    "mate": (1, 60),  # a mate in n takes 2n - 1 plies, which must not be more than that
    "movetime": (0, _MS),
}

# Scores this near to MATE are mates; nothing else comes so high.
_LONGEST_MATE = 256


def _check_range(name: str, value: int | None, low: int, high: int) -> None:
    if value is not None and not isinstance(value, int):
        raise TypeError(f"{name} must be an int, not {value!r}")
    if value is not None and not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")


def _require_room(hash_mb: int) -> None:
    """Raise MemoryError for a table beyond the default that would not fit.

    The system may promise more than it has, and kill whoever uses it.
    """
    if hash_mb > DEFAULT_HASH_MB and hash_mb > (room := largest_table() >> 20):
        raise MemoryError(f"hash: found {hash_mb} MB, expected at most {room}")


class _Record:
    """Plain fields with equality. dataclasses and typing would cost UCI its quick start."""

    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"


class Limits(_Record):
    """What may end a search. Times are milliseconds; None means not limited by this.

    LIMIT_RANGES tells what values there are; a search is not started with others.

    Without any limit the search is infinite. Of the two clocks the one of the side to move counts;
    if only the other's is given, that one does.
    """

    __slots__ = (
        "binc",
        "btime",
        "depth",
        "infinite",
        "mate",
        "movestogo",
        "movetime",
        "nodes",
        "ponder",
        "searchmoves",
        "winc",
        "wtime",
    )

    def __init__(
        self,
        *,
        wtime: int | None = None,
        btime: int | None = None,
        winc: int | None = None,
        binc: int | None = None,
        movestogo: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        movetime: int | None = None,
        infinite: bool = False,
        ponder: bool = False,
        searchmoves: Sequence[Move] = (),
    ) -> None:
        self.wtime = wtime
        self.btime = btime
        self.winc = winc
        self.binc = binc
        self.movestogo = movestogo
        self.depth = depth
        self.nodes = nodes
        self.mate = mate
        self.movetime = movetime
        self.infinite = infinite
        self.ponder = ponder
        self.searchmoves = tuple(searchmoves)

    def is_endless(self) -> bool:
        """True if only stop() ends the search, or ponderhit() as well when pondering."""
        ends = (self.wtime, self.btime, self.depth, self.nodes, self.mate, self.movetime)
        return self.infinite or all(end is None for end in ends)


class Info(_Record):
    """One report of a running search, from the side to move's view.

    Exactly one of `score` (centipawns) and `mate` (moves, negative when being mated, 0 when
    mated) is not None. `bound` is EXACT, LOWER or UPPER, `time` milliseconds, `hashfull` and `wdl`
    (wins, draws, losses) per mille. `pv` is empty only when there is no legal move.
    """

    __slots__ = (
        "bound",
        "depth",
        "hashfull",
        "mate",
        "multipv",
        "nodes",
        "nps",
        "pv",
        "score",
        "seldepth",
        "time",
        "wdl",
    )

    def __init__(
        self,
        *,
        depth: int,
        seldepth: int,
        multipv: int,
        score: int | None,
        mate: int | None,
        bound: int,
        nodes: int,
        time: int,
        hashfull: int,
        pv: tuple[Move, ...],
    ) -> None:
        self.depth = depth
        self.seldepth = seldepth
        self.multipv = multipv
        self.score = score
        self.mate = mate
        self.bound = bound
        self.nodes = nodes
        self.nps = nodes * 1000 // max(1, time)
        self.time = time
        self.hashfull = hashfull
        self.pv = pv
        self.wdl = wdl(score, mate)


def skill_of(elo: int) -> float:
    """The skill that plays at about `elo`, on a line between measured ones."""
    (skill, low), (next_skill, high) = next(
        pair for pair in pairwise(_RATINGS) if elo <= pair[1][1]
    )
    return skill + (elo - low) / (high - low) * (next_skill - skill)


def wdl(score: int | None, mate: int | None = None) -> tuple[int, int, int]:
    """Expected wins, draws and losses per mille for a score or a mate.

    Two logistic curves, one for the win and one for the loss, as engines commonly model it. The
    two constants are provisional: nobody has fitted them to games yet.
    """
    if mate is not None:
        return (1000, 0, 0) if mate > 0 else (0, 0, 1000)
    even_odds, spread = 150.0, 75.0  # centipawns: won every other time; steepness
    clamped = max(-4000, min(4000, score or 0))
    win = round(1000 / (1 + exp((even_odds - clamped) / spread)))
    loss = round(1000 / (1 + exp((even_odds + clamped) / spread)))
    return win, 1000 - win - loss, loss


class _Search:
    """The state of one search, from start() until its callbacks have returned."""

    __slots__ = ("error", "finished", "thread")

    def __init__(self) -> None:
        self.finished = threading.Event()
        self.error: BaseException | None = None
        self.thread: threading.Thread | None = None


class Engine:
    """A search with its hash table and settings. All methods may be called from any thread.

    One search runs at a time, on a thread of its own, on a copy of the board. Its callbacks
    come on that thread: any number of `on_info`, then `on_bestmove` exactly once. When that is
    called the engine is idle again, so it may start the next search. An exception in a callback
    ends the search; `wait` raises it.
    """

    def __init__(self, hash_mb: int = DEFAULT_HASH_MB) -> None:
        _require_room(hash_mb)
        self._searcher = Searcher(hash_mb)
        self._hash_mb = hash_mb
        self._multipv = 1
        self._move_overhead = DEFAULT_MOVE_OVERHEAD
        self._threads = DEFAULT_THREADS
        self._skill = FULL_SKILL
        self._variant: str | None = None
        self._lock = threading.Lock()
        self._running: _Search | None = None
        self._latest: _Search | None = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the search, if one runs, and wait for its end. Errors of callbacks are dropped."""
        self.stop()
        latest = self._latest
        if latest is not None and latest.thread is not threading.current_thread():
            latest.finished.wait()

    # Settings

    def configure(
        self,
        *,
        hash_mb: int | None = None,
        multipv: int | None = None,
        move_overhead: int | None = None,
        threads: int | None = None,
        skill: int | None = None,
        elo: int | None = None,
    ) -> None:
        """Change what is given, from the next search on.

        `move_overhead` is in milliseconds. A new hash size empties the table. `skill` below
        MAX_SKILL plays as weaker players do; `elo` asks for the same by a rating. Raises
        ValueError for a value out of SETTING_RANGES, MemoryError if there is no room for the
        table or the threads (the old ones stay) and RuntimeError if they are to change while a
        search runs.
        """
        given = {
            "hash_mb": hash_mb,
            "multipv": multipv,
            "move_overhead": move_overhead,
            "threads": threads,
            "skill": skill,
            "elo": elo,
        }
        for name, value in given.items():
            _check_range(name, value, *SETTING_RANGES[name])
        if hash_mb is not None and hash_mb != self._hash_mb:
            with self._lock:
                self._require_idle("the hash table cannot change")
                _require_room(hash_mb)
                self._searcher.resize(hash_mb)
                self._hash_mb = hash_mb
        if threads is not None and threads != self._threads:
            with self._lock:
                self._require_idle("the number of threads cannot change")
                self._searcher.set_threads(threads)
                self._threads = threads
        if skill is not None:
            self._skill = float(skill)
        if elo is not None:
            self._skill = skill_of(elo)
        if multipv is not None:
            self._multipv = multipv
        if move_overhead is not None:
            self._move_overhead = move_overhead

    def new_game(self) -> None:
        """Forget what earlier searches learned. RuntimeError while a search runs."""
        with self._lock:
            self._require_idle("the hash table cannot be cleared")
            self._searcher.clear()

    # Searching

    @property
    def searching(self) -> bool:
        """True from start() until just before on_bestmove is called."""
        return self._running is not None

    @property
    def nodes(self) -> int:
        """Positions visited by the running or latest search."""
        return self._searcher.nodes

    def start(
        self,
        board: Board,
        limits: Limits | None = None,
        on_info: OnInfo | None = None,
        on_bestmove: OnBestmove | None = None,
    ) -> None:
        """Begin to search and return at once.

        `on_bestmove` gets the best move and the reply to ponder on, None where there is none (no
        legal move). With `infinite`, or `ponder` before ponderhit(), it never comes before
        stop(). RuntimeError while another search runs, ValueError for an illegal searchmove or a
        limit out of LIMIT_RANGES; RuntimeError too if the system has no thread to spare.
        """
        limits = limits or Limits()
        core_search = self._bind(board, limits)
        search = _Search()
        with self._lock:
            self._require_idle("start() is refused")
            # Keys know nothing of the variant, so a table filled by another one would lie.
            if self._variant != board.uci_variant:
                self._searcher.clear()
                self._variant = board.uci_variant
            search.thread = threading.Thread(
                target=self._run,
                args=(search, board._from_core, core_search, on_info, on_bestmove),
                name="abdiel-search",
                daemon=True,
            )
            self._running = self._latest = search
            # From here on stop() and ponderhit() mean this search, begun or not.
            self._searcher.prepare(ponder=limits.ponder)
        try:
            search.thread.start()
        except BaseException:  # no memory for one more thread: the next search may find some
            with self._lock:
                self._running = None
            search.finished.set()
            raise

    def stop(self) -> None:
        """End the running search soon; its on_bestmove still comes. Nothing if none runs."""
        with self._lock:
            if self._running is not None:
                self._searcher.stop()

    def ponderhit(self) -> None:
        """The move pondered on was played: the running search goes on by its clock."""
        with self._lock:
            if self._running is not None:
                self._searcher.ponderhit()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the latest search and its callbacks have ended; False if time ran out first.

        Raises, once, the exception by which a callback ended the search.
        """
        latest = self._latest
        if latest is None:
            return True
        if latest.thread is threading.current_thread():
            raise RuntimeError("wait() in a callback of the search would never return")
        if not latest.finished.wait(timeout):
            return False
        error, latest.error = latest.error, None
        if error is not None:
            raise error
        return True

    # Evaluation

    def evaluate(self, board: Board) -> int:
        """The static evaluation in centipawns, from the side to move's view."""
        return evaluate(board._position)

    def evaluation_terms(self, board: Board) -> dict[str, tuple[int, int]]:
        """White's and Black's share of each term of the evaluation, in centipawns."""
        return terms(board._position)

    def key(self, board: Board) -> int:
        """The 64-bit key under which the hash table knows the position."""
        return board._position.key

    # Inside

    def _require_idle(self, consequence: str) -> None:
        if self._running is not None:
            raise RuntimeError(f"{consequence} while a search runs: stop() and wait() first")

    def _bind(self, board: Board, limits: Limits) -> CoreSearch:
        """The core's search with everything bound but its on_info."""
        for name, (low, high) in LIMIT_RANGES.items():
            _check_range(name, getattr(limits, name), low, high)
        clocks = (limits.wtime, limits.btime)
        increments = (limits.winc, limits.binc)
        own = 0 if board.turn else 1
        counted = own if clocks[own] is not None else 1 - own
        clock, increment = clocks[counted], increments[counted]
        return partial(
            self._searcher.search,
            board._position.copy(),
            depth=limits.depth or 0,
            nodes=limits.nodes or 0,
            mate=limits.mate or 0,
            # To the core 0 means not given, and a GUI may report a clock that has run out.
            movetime=0 if limits.movetime is None else max(1, limits.movetime),
            time_left=0 if clock is None else max(1, clock),
            increment=max(0, increment or 0),
            movestogo=limits.movestogo or 0,
            overhead=self._move_overhead,
            infinite=limits.is_endless(),
            ponder=limits.ponder,
            searchmoves=[board._core_move(move) for move in limits.searchmoves],
            multipv=self._multipv,
            skill=self._skill,
        )

    def _run(
        self,
        search: _Search,
        from_core: Callable[[int], Move],
        core_search: CoreSearch,
        on_info: OnInfo | None,
        on_bestmove: OnBestmove | None,
    ) -> None:
        def report(raw: Report) -> None:
            if on_info is None or search.error is not None:
                return
            try:
                on_info(_info(from_core, raw))
            except BaseException as error:
                search.error = error
                self._searcher.stop()

        best = reply = 0
        try:
            best, reply = core_search(on_info=report)
        except BaseException as error:
            search.error = search.error or error
        with self._lock:
            self._running = None
        try:
            if on_bestmove is not None:
                on_bestmove(
                    from_core(best) if best else None,
                    from_core(reply) if reply else None,
                )
        except BaseException as error:
            search.error = search.error or error
        finally:
            search.finished.set()


def _info(from_core: Callable[[int], Move], raw: Report) -> Info:
    depth, seldepth, multipv, value, bound, nodes, time, hashfull, pv = raw
    score: int | None = value
    mate: int | None = None
    if abs(value) > MATE - _LONGEST_MATE:
        moves = (MATE - abs(value) + 1) // 2
        score, mate = None, moves if value > 0 else -moves
    return Info(
        depth=depth,
        seldepth=seldepth,
        multipv=multipv,
        score=score,
        mate=mate,
        bound=bound,
        nodes=nodes,
        time=time,
        hashfull=hashfull,
        pv=tuple(from_core(move) for move in pv),
    )
