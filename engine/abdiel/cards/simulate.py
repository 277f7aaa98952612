"""Plays many games between players, in several processes, and counts how they end.

A game is a job of plain data that any `concurrent.futures.Executor` can do, and depends on nothing
but its job; so the same seed gives the same games on any number of processes, and they are counted
and kept in their order.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import Executor, ProcessPoolExecutor
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from abdiel.cards.players import make_player
from abdiel.cards.records import record_line
from abdiel.cards.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from typing import ParamSpec, TypeVar

    from abdiel.cards.state import OptionValue

    P = ParamSpec("P")
    T = TypeVar("T")

_AHEAD = 4  # jobs for each process that wait for it


class Simulation(NamedTuple):
    """What is to be played.

    With `rotate`, as many games as there are players have the same deals, and each player sits on
    each seat once; else each game has its own deals, and the players keep their seats.
    """

    game: str
    options: tuple[tuple[str, OptionValue], ...]
    players: tuple[str, ...]
    games: int
    seed: int
    rotate: bool = True

    def check(self) -> None:
        """Raise `ValueError` for what cannot be played."""
        find_game(self.game)(len(self.players), **dict(self.options))
        for name in self.players:
            make_player(name, Random(0))

    def job(self, number: int) -> Job:
        """Return a game, counted from 0."""
        count = len(self.players)
        deal, rotation = divmod(number, count) if self.rotate else (number, 0)
        seats = tuple((seat - rotation) % count for seat in range(count))
        return Job(self.game, self.options, self.players, seats, self.seed, number, deal)


class Job(NamedTuple):
    """One game. `seats` has for each seat who sits there, as a place in `players`."""

    game: str
    options: tuple[tuple[str, OptionValue], ...]
    players: tuple[str, ...]
    seats: tuple[int, ...]
    seed: int
    number: int
    deal: int


class Result(NamedTuple):
    """A finished game, by seats."""

    seats: tuple[int, ...]
    deal: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int
    moves: int
    record: str
    """A line, as files of records have it."""


def play_job(job: Job) -> Result:
    """Play a game to its end."""
    state = find_game(job.game)(len(job.players), **dict(job.options))
    players = [
        make_player(job.players[entry], Random(f"{job.seed} game {job.number} seat {seat}"))
        for seat, entry in enumerate(job.seats)
    ]
    while not state.is_terminal():
        if state.is_chance_node():
            # Of its own for each round: what was played before changes no deal.
            state.deal(Random(f"{job.seed} deal {job.deal} round {len(state.past)}"))
        else:
            state.apply_action(players[state.current_player()].step(state))
    return Result(
        seats=job.seats,
        deal=job.deal,
        scores=tuple(state.scores()),
        winners=tuple(state.winners()),
        rounds=len(state.past),
        moves=sum(len(past.moves) for past in state.past),
        record=record_line(state),
    )


def simulate(simulation: Simulation, executor: Executor | None, jobs: int = 1) -> Iterator[Result]:
    """Yield the games in their order; without an executor they are played as they are asked for.

    No more games are begun than `jobs` processes need in advance. Raises `ValueError`.
    """
    simulation.check()
    numbers = range(simulation.games)
    if executor is None:
        for number in numbers:
            yield play_job(simulation.job(number))
        return
    waiting: deque[Future[Result]] = deque()
    try:
        for number in numbers:
            waiting.append(executor.submit(play_job, simulation.job(number)))
            if len(waiting) > jobs * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


class Processes(ProcessPoolExecutor):
    """Processes that leave Ctrl-C to this one, and end with it, whatever ends it."""

    def __init__(self, count: int) -> None:
        # Not forked: threads and locks of this process are none of theirs.
        super().__init__(count, multiprocessing.get_context("spawn"), initializer=_begin)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Let one of the processes call a function."""
        # Here the processes are started. Till they ignore Ctrl-C themselves it is held back.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def abort(self) -> None:
        """Break off what the processes do, and begin nothing more."""
        processes = list((self._processes or {}).values())
        self.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def executor_for(jobs: int) -> Iterator[Executor | None]:
    """Give an executor for so many games at a time; None for one, which needs no process.

    When it is left by an exception, games that have begun are broken off.
    """
    if jobs == 1:
        yield None
        return
    with Processes(jobs) as executor:
        try:
            yield executor
        except BaseException:
            executor.abort()
            raise
