"""Plays many games between players, in several processes, and counts how they end.

A game is a job of plain data that any `concurrent.futures.Executor` can do, and depends on nothing
but its job; so the same seed gives the same games on any number of processes, and they are counted
and kept in their order.
"""

from __future__ import annotations

import contextlib
from collections import deque
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from abdiel.cards.players import make_player
from abdiel.cards.records import record_line
from abdiel.cards.registry import find_game
from abdiel.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor, Future

    from abdiel.cards.state import OptionValue

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


@contextlib.contextmanager
def executor_for(jobs: int) -> Iterator[Executor | None]:
    """Give an executor for so many games at a time; None for one, which needs no process.

    When it is left by an exception, games that have begun are broken off.
    """
    if jobs == 1:
        yield None
        return
    with Workers(jobs) as executor:
        try:
            yield executor
        except BaseException:
            executor.abort()
            raise
