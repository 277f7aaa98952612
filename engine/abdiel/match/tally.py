"""The counts of a match while it goes on, from which its statistics are taken."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from abdiel.match.game import DRAW, FORFEITS, WIN
from abdiel.match.statistics import Estimate, Pentanomial, estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abdiel.match.game import GameRecord
    from abdiel.match.schedule import Slot

_HALF_POINTS = {WIN[0]: 2, DRAW: 1, WIN[1]: 0}  # White's


class Counts(NamedTuple):
    """Games by their result, and pairs of games by theirs."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: Pentanomial = Pentanomial()

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is a point, a draw half of one."""
        return self.wins + self.draws / 2

    def add(self, other: Counts) -> Counts:
        """Return the sum of both."""
        return Counts(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.pairs.add(other.pairs),
        )

    def mirrored(self) -> Counts:
        """Return the same from the other side's view."""
        return Counts(self.losses, self.draws, self.wins, self.pairs.mirrored())

    def estimate(self) -> Estimate:
        """Return what the counts say, by pairs if there are any."""
        pairs = self.pairs if self.pairs.pairs else None
        return estimate(self.wins, self.draws, self.losses, pairs)


def _one(half_points: int) -> Counts:
    return Counts(int(half_points == 2), int(half_points == 1), int(half_points == 0))


class Tally:
    """Counts the games of a match as they come, in whatever order."""

    def __init__(self, names: Sequence[str]) -> None:
        """`names` are the engines', by whose index the schedule names them."""
        self.names = tuple(names)
        self.white = Counts()
        self.terminations: Counter[str] = Counter()
        self.forfeits: Counter[str] = Counter()
        self.plies = 0  # openings and all
        self.moves = 0  # that engines made
        self.own_ms = 0.0
        self.seconds = 0.0
        self._encounters: dict[tuple[int, int], Counts] = {}
        self._halves: dict[int, int] = {}  # of pairs of which one game is played

    @property
    def games(self) -> int:
        """How many games are counted."""
        return self.white.games

    def add(self, slot: Slot, record: GameRecord) -> None:
        """Count a game."""
        white = _HALF_POINTS[record.result]
        first = white if slot.white == slot.first else 2 - white
        other = slot.black if slot.white == slot.first else slot.white
        counts = _one(first)
        if slot.pair is not None:
            half = self._halves.pop(slot.pair, None)
            if half is None:
                self._halves[slot.pair] = first
            else:
                counts = counts._replace(pairs=Pentanomial.of_pair(half + first))
        key = (slot.first, other)
        self._encounters[key] = self._encounters.get(key, Counts()).add(counts)
        self.white = self.white.add(_one(white))
        self.terminations[record.termination] += 1
        if record.termination in FORFEITS:
            loser = record.black if record.result == WIN[0] else record.white
            self.forfeits[loser] += 1
        self.plies += len(record.moves)
        self.moves += len(record.moves) - record.book
        self.own_ms += record.own_ms
        self.seconds += record.seconds

    def between(self, first: int, second: int) -> Counts:
        """Return what `first` made against `second`."""
        counts = self._encounters.get((first, second), Counts())
        return counts.add(self._encounters.get((second, first), Counts()).mirrored())

    def of(self, engine: int) -> Counts:
        """Return what an engine made against all others."""
        total = Counts()
        for other in range(len(self.names)):
            total = total.add(self.between(engine, other))
        return total

    def ranking(self) -> list[int]:
        """Return the engines, the best share of points first."""

        def share(engine: int) -> float:
            counts = self.of(engine)
            return counts.points / counts.games if counts.games else 0.5

        return sorted(range(len(self.names)), key=lambda engine: (-share(engine), engine))

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON knows it; null for what the counts cannot tell."""
        games = self.games
        return {
            "games": games,
            "standings": [
                {"engine": self.names[engine]} | _counts_to_json(self.of(engine))
                for engine in self.ranking()
            ],
            "encounters": [
                {"engine": self.names[first], "opponent": self.names[second]}
                | _counts_to_json(self.between(first, second))
                for first, second in sorted(self._encounters)
            ],
            "white": {
                "wins": self.white.wins,
                "draws": self.white.draws,
                "losses": self.white.losses,
                "score": self.white.points / games if games else None,
            },
            "terminations": dict(self.terminations.most_common()),
            "forfeits": dict(self.forfeits),
            "mean_plies": self.plies / games if games else None,
            "mean_seconds": self.seconds / games if games else None,
            "own_ms_per_move": self.own_ms / self.moves if self.moves else None,
        }


def _counts_to_json(counts: Counts) -> dict[str, Any]:
    found = {
        "games": counts.games,
        "points": counts.points,
        "wins": counts.wins,
        "draws": counts.draws,
        "losses": counts.losses,
        "pentanomial": list(counts.pairs) if counts.pairs.pairs else None,
    }
    for key, value in counts.estimate()._asdict().items():
        # JSON has no infinity and no nan.
        found[key] = value if abs(value) < float("inf") else None
    return found
