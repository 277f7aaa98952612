"""Runs the games of a match through an executor, keeps them, and knows when to stop.

A game is a call of `play_game` with plain data in and out, so any `concurrent.futures.Executor`
does: threads, the processes of `Workers`, or a cluster's. Only the files are written here.
"""

from __future__ import annotations

import contextlib
import hashlib
import queue
import signal
import threading
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from abdiel.match import pool
from abdiel.match.adjudication import Rules
from abdiel.match.game import GameJob, GameRecord, play_game, probe
from abdiel.match.schedule import ROUND_ROBIN, Schedule, pairings
from abdiel.match.statistics import Pentanomial
from abdiel.match.tally import Tally
from abdiel.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from abdiel.match.engines import EngineConfig
    from abdiel.match.openings import Opening
    from abdiel.match.schedule import Slot
    from abdiel.match.statistics import Sprt
    from abdiel.match.store import Store

TICK_S = 0.5
LOOK_S = 0.1  # between two looks whether to go on waiting for the engines
DRAIN_S = 60.0
TRIES = 3  # of a game that is lost with the process that plays it


class Match(NamedTuple):
    """All that defines a match. See `schedule` for rounds, games and repeat."""

    variant: str
    engines: tuple[EngineConfig, ...]
    openings: tuple[Opening, ...]
    tournament: str = ROUND_ROBIN
    seeds: int = 1
    rounds: int = 1
    games: int = 2
    repeat: int = 2
    rules: Rules = Rules()
    sprt: Sprt | None = None
    concurrency: int = 1
    event: str = "?"
    site: str = "?"

    def schedule(self) -> Schedule:
        """Return the games in their order. Raises `ValueError`."""
        encounters = pairings(len(self.engines), self.tournament, self.seeds)
        return Schedule(encounters, self.rounds, self.games, self.repeat)

    def job(self, slot: Slot) -> GameJob:
        """Return the game of a slot."""
        return GameJob(
            number=slot.number,
            round=slot.round,
            variant=self.variant,
            opening=self.openings[slot.opening % len(self.openings)],
            white=self.engines[slot.white],
            black=self.engines[slot.black],
            rules=self.rules,
        )

    def check(self) -> None:
        """Raise `ValueError` for what makes no match."""
        self.schedule()
        if not self.openings:
            raise ValueError("a match needs an opening, found none")
        if self.sprt is not None:
            if len(self.engines) != 2:
                raise ValueError(f"SPRT compares two engines, found {len(self.engines)}")
            if self.repeat % 2 or self.games % 2:
                raise ValueError(
                    "SPRT counts pairs of games with one opening: give even --games and --repeat"
                )

    def identity(self) -> dict[str, Any]:
        """Return what must be the same for a match to go on: all but its length and how it runs."""
        openings = repr([(opening.fen, opening.moves) for opening in self.openings])
        return {
            "variant": self.variant,
            "engines": {
                engine.name: {
                    "cmd": list(engine.command),
                    "dir": engine.directory,
                    "options": dict(engine.options),
                    "control": str(engine.control),
                    "timemargin": engine.control.margin_ms,
                    "restart": engine.restart,
                }
                for engine in self.engines
            },
            "order of engines": [engine.name for engine in self.engines],
            "tournament": self.tournament,
            "seeds": self.seeds,
            "games": self.games,
            "repeat": self.repeat,
            "openings": hashlib.sha256(openings.encode()).hexdigest()[:16],
            "draw": list(self.rules.draw) if self.rules.draw else None,
            "resign": list(self.rules.resign) if self.rules.resign else None,
            "maxmoves": self.rules.maxmoves,
            "event": self.event,
            "site": self.site,
        }


class Results:
    """How a match stands."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.tally = Tally([engine.name for engine in match.engines])
        self.total = len(match.schedule())
        self.before = 0  # games that were finished in earlier runs
        self.engine_names: dict[str, str] = {}  # how they call themselves
        self.interrupted = False
        self._decision: str | None = None

    @property
    def pairs(self) -> Pentanomial:
        """The pairs that SPRT counts."""
        return self.tally.between(0, 1).pairs

    @property
    def llr(self) -> float:
        """SPRT's log-likelihood ratio."""
        return self.match.sprt.llr(self.pairs) if self.match.sprt is not None else 0.0

    @property
    def decision(self) -> str | None:
        """The hypothesis that SPRT accepted, None as long as it has not.

        It stays, whatever games come after it.
        """
        if self._decision is None and self.match.sprt is not None:
            self._decision = self.match.sprt.decision(self.pairs)
        return self._decision

    @property
    def finished(self) -> bool:
        """Whether no game is left to be played."""
        return self.decision is not None or self.tally.games >= self.total

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON knows it."""
        sprt = self.match.sprt
        test = None
        if sprt is not None:
            test = {
                "elo0": sprt.elo0,
                "elo1": sprt.elo1,
                "alpha": sprt.alpha,
                "beta": sprt.beta,
                "model": sprt.model,
                "lower": sprt.lower,
                "upper": sprt.upper,
                "llr": self.llr,
                "accepted": self.decision,
            }
        return {
            "match": self.match.identity() | {"rounds": self.match.rounds, "total": self.total},
            "engines": self.engine_names,
            "finished": self.finished,
            **self.tally.to_json(),
            "sprt": test,
        }


class Listener(Protocol):
    """Who is told how the match goes, always from the runner's own thread."""

    def on_start(self, results: Results) -> None:
        """The engines are there and the match begins or goes on."""

    def on_game(self, results: Results, record: GameRecord) -> None:
        """A game was finished and is kept."""

    def on_tick(self, results: Results) -> None:
        """A little time has passed."""

    def on_warning(self, text: str) -> None:
        """Something went wrong that the match survives."""

    def on_end(self, results: Results) -> None:
        """Nothing more will be played now."""


def run_match(
    match: Match,
    listener: Listener,
    store: Store | None = None,
    executor: Executor | None = None,
) -> Results:
    """Play a match to its end, or what a store has not yet of it; `Workers` by default.

    At most `match.concurrency` games are in play at once. Ctrl-C ends it: games in play are
    dropped, those that were finished count. Raises `StartError` if an engine cannot be started,
    `ValueError` for what makes no match, `OSError` if the store cannot be written.
    """
    match.check()
    results = Results(match)
    schedule = match.schedule()
    done: set[int] = set()

    def recall(record: GameRecord) -> None:
        # A match that was made shorter has more games than it counts.
        if record.number < len(schedule) and record.number not in done:
            done.add(record.number)
            results.tally.add(schedule.slot(record.number), record)

    if store is not None:
        store.load(recall)
    results.before = len(done)
    if results.finished:
        listener.on_start(results)
        return _end(results, listener, store)
    if executor is None:
        executor = Workers(match.concurrency, at_end=partial(pool.close_all, kill=True))
    runner = _Runner(match, results, listener, store, executor)
    return runner.run(slot for slot in schedule if slot.number not in done)


def _end(results: Results, listener: Listener, store: Store | None) -> Results:
    if store is not None:
        store.write_results(results.to_json())
    listener.on_end(results)
    return results


class _Runner:
    """One run of a match."""

    def __init__(
        self,
        match: Match,
        results: Results,
        listener: Listener,
        store: Store | None,
        executor: Executor,
    ) -> None:
        self._match = match
        self._results = results
        self._listener = listener
        self._store = store
        self._executor = executor
        # Workers take up the next game while the last is being written; of another executor it
        # is not known how many it runs at once.
        self._most = match.concurrency * (2 if isinstance(executor, Workers) else 1)
        self._futures: queue.SimpleQueue[tuple[Slot, Future[GameRecord]] | None]
        self._futures = queue.SimpleQueue()
        self._in_play: dict[int, Future[GameRecord]] = {}
        self._waiting: list[Slot] = []  # to be played again, the next at the end
        self._tries: dict[int, int] = {}
        self._probed = False
        self._interrupted = False

    def run(self, slots: Iterator[Slot]) -> Results:
        with _signals(self._interrupt):
            try:
                self._probe()
                self._listener.on_start(self._results)
                self._play(slots)
            except KeyboardInterrupt:
                self._results.interrupted = True
            finally:
                self._stop()
                _end(self._results, self._listener, self._store)
        return self._results

    def _interrupt(self) -> None:
        """Note a signal; what is being done at the moment, such as writing, is done first."""
        self._interrupted = True
        self._futures.put(None)

    def _stop(self) -> None:
        """End what still runs: nobody waits for games that would not count."""
        clean = self._probed and not self._in_play
        for future in self._in_play.values():
            future.cancel()
        if isinstance(self._executor, Workers):
            if clean:
                self._executor.shutdown()
            else:
                self._executor.abort()
        # Engines of threads of this process; a game that is in play there ends with them.
        pool.close_all(kill=not clean)

    def _probe(self) -> None:
        engines = self._match.engines
        futures = [self._executor.submit(probe, engine, self._match.variant) for engine in engines]
        for engine, future in zip(engines, futures, strict=True):
            while not wait([future], LOOK_S).done:
                if self._interrupted:
                    raise KeyboardInterrupt
            self._results.engine_names[engine.name] = future.result()
        self._probed = True

    def _play(self, slots: Iterator[Slot]) -> None:
        self._fill(slots)
        while self._in_play and not self._results.finished:
            try:
                done = self._futures.get(timeout=TICK_S)
            except queue.Empty:
                self._listener.on_tick(self._results)
                continue
            if done is None:
                raise KeyboardInterrupt
            slot, future = done
            del self._in_play[slot.number]
            error = future.exception()
            if error is None:
                self._fill(slots)
                self._keep(slot, future.result())
            elif isinstance(error, ValueError | OSError) or not isinstance(error, Exception):
                raise error  # StartError, or a fault that another try would repeat
            elif isinstance(error, BrokenExecutor) and isinstance(self._executor, Workers):
                # Every game in play is lost with the processes.
                self._again([slot, *self._drain()], error)
                self._executor.abort()
                self._executor.renew()
            else:
                self._again([slot], error)
            self._fill(slots)

    def _fill(self, slots: Iterator[Slot]) -> None:
        while len(self._in_play) < self._most:
            slot = self._waiting.pop() if self._waiting else next(slots, None)
            if slot is None:
                return
            self._submit(slot)

    def _submit(self, slot: Slot) -> None:
        future: Future[GameRecord]
        try:
            future = self._executor.submit(play_game, self._match.job(slot))
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        self._in_play[slot.number] = future
        future.add_done_callback(lambda future: self._futures.put((slot, future)))

    def _drain(self) -> list[Slot]:
        """Wait for the games of a broken pool; return those that it lost."""
        lost = []
        while self._in_play:
            # A broken pool breaks all its futures at once; the limit is for what nobody foresaw.
            done = self._futures.get(timeout=DRAIN_S)
            if done is None:
                raise KeyboardInterrupt
            slot, future = done
            del self._in_play[slot.number]
            if future.exception() is None:
                self._keep(slot, future.result())
            else:
                lost.append(slot)
        return lost

    def _again(self, slots: list[Slot], error: Exception) -> None:
        """Put games that were lost with their process in front of all others."""
        for slot in slots:
            self._tries[slot.number] = self._tries.get(slot.number, 0) + 1
            if self._tries[slot.number] >= TRIES:
                raise error
        self._waiting += sorted(slots, reverse=True)
        numbers = ", ".join(str(slot.number + 1) for slot in sorted(slots))
        self._listener.on_warning(f"to be played again: game {numbers} ({error!r})")

    def _keep(self, slot: Slot, record: GameRecord) -> None:
        if self._store is not None:
            self._store.write(record)
        self._results.tally.add(slot, record)
        self._listener.on_game(self._results, record)


@contextlib.contextmanager
def _signals(handler: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM call a handler, where they reach Python at all."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, lambda *_: handler())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
