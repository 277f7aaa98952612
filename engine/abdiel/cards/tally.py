"""Counts what players and seats make of many games, with confidence intervals."""

from __future__ import annotations

from collections import defaultdict
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abdiel.cards.simulate import Result

CONFIDENCE = 0.95
_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Line(NamedTuple):
    """What a player or a seat has made. Shares are 0 to 1; a shared win is a part of one."""

    games: int
    score: float
    """The mean of its scores."""
    score_error: float
    """Half the width of a 95 % interval; nan for a single deal."""
    wins: float
    share: float
    low: float
    high: float
    """The 95 % interval of the share."""


class _Sums:
    """Scores and wins, by deals: games with the same deals tell of one another."""

    def __init__(self) -> None:
        self.games = 0
        self._deals: dict[int, list[tuple[int, float]]] = defaultdict(list)

    def add(self, deal: int, score: int, win: float) -> None:
        self.games += 1
        self._deals[deal].append((score, win))

    def line(self) -> Line:
        score, score_variance = self._mean(0)
        share, variance = self._mean(1)
        low, high = _interval(share, variance, self.games)
        error = _Z * sqrt(score_variance) if len(self._deals) > 1 else float("nan")
        return Line(self.games, score, error, share * self.games, share, low, high)

    def _mean(self, which: int) -> tuple[float, float]:
        """Return a mean over all games, and its variance as that of a ratio of sums of deals."""
        mean = sum(game[which] for deal in self._deals.values() for game in deal) / self.games
        deals = len(self._deals)
        if deals == 1:
            return mean, 0.0
        squares = sum(
            sum(game[which] - mean for game in deal) ** 2 for deal in self._deals.values()
        )
        return mean, squares / self.games**2 * deals / (deals - 1)


def _interval(share: float, variance: float, games: int) -> tuple[float, float]:
    """Return Wilson's interval, for as many independent games as would have the variance.

    Where all games ended alike the variance tells nothing, and the games count as they are.
    """
    spread = share * (1 - share)
    count = spread / variance if variance > 0 and spread > 0 else games
    shrink = 1 + _Z**2 / count
    middle = (share + _Z**2 / (2 * count)) / shrink
    half = _Z / shrink * sqrt(spread / count + (_Z / (2 * count)) ** 2)
    return max(middle - half, 0.0), min(middle + half, 1.0)


class Tally:
    """The counts of games between some players, who are named by their places in the list."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = tuple(players)
        self.games = 0
        self.moves: list[int] = []
        self.rounds: list[int] = []
        self._by_name: dict[str, _Sums] = {name: _Sums() for name in players}
        self._by_seat = [_Sums() for _ in players]

    def add(self, result: Result) -> None:
        """Count a game."""
        self.games += 1
        self.moves.append(result.moves)
        self.rounds.append(result.rounds)
        for seat, entry in enumerate(result.seats):
            win = (seat in result.winners) / len(result.winners)
            score = result.scores[seat]
            self._by_name[self.players[entry]].add(result.deal, score, win)
            self._by_seat[seat].add(result.deal, score, win)

    def by_player(self) -> dict[str, Line]:
        """Return for each name what its players have made together; there must be a game."""
        return {name: sums.line() for name, sums in self._by_name.items()}

    def by_seat(self) -> list[Line]:
        """Return for each seat what was made there, by whoever; there must be a game."""
        return [sums.line() for sums in self._by_seat]
