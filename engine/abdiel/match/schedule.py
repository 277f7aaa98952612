"""Who plays whom, from which opening, in which order.

The order is a function of its arguments, and more rounds only add to its end: so a match that
was interrupted, or is made longer, goes on where it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROUND_ROBIN = "round-robin"
GAUNTLET = "gauntlet"
TOURNAMENTS = (ROUND_ROBIN, GAUNTLET)


class Slot(NamedTuple):
    """A game of the schedule; engines by their index.

    `number` counts games from 0, `round` from 1; `opening` counts openings from 0 and may exceed
    those that there are. `pair` is the number of the pair of games with one opening and both
    colours that is this game's unit in the statistics, None if it is in none; `first` the engine
    that such a pair is counted for.
    """

    number: int
    round: int
    white: int
    black: int
    opening: int
    pair: int | None
    first: int


def pairings(engines: int, tournament: str, seeds: int = 1) -> list[tuple[int, int]]:
    """Return the encounters of a round: all against all, or `seeds` engines against the rest.

    Raises `ValueError` if there are none.
    """
    if engines < 2:
        raise ValueError(f"a match takes two engines or more, found {engines}: add --engine")
    if tournament == GAUNTLET:
        if not 1 <= seeds < engines:
            raise ValueError(f"--seeds {seeds}: expected 1 to {engines - 1}, less than the engines")
        return [(seed, other) for seed in range(seeds) for other in range(seeds, engines)]
    return _berger(engines)


def _berger(engines: int) -> list[tuple[int, int]]:
    """Return all encounters in the order of the circle method, in which all play equally often.

    The lower index comes first.
    """
    places = list(range(engines)) + ([-1] if engines % 2 else [])
    found = []
    for _ in range(len(places) - 1):
        half = len(places) // 2
        for one, other in zip(places[:half], reversed(places[half:]), strict=True):
            if one >= 0 and other >= 0:
                found.append((min(one, other), max(one, other)))
        places = [places[0], places[-1], *places[1:-1]]
    return found


class Schedule:
    """The games of a match.

    In each of `rounds`, each encounter is `games` games, in which the colours take turns; an
    opening is played `repeat` times before the next.
    """

    def __init__(
        self, encounters: Sequence[tuple[int, int]], rounds: int, games: int = 2, repeat: int = 2
    ) -> None:
        self._encounters = encounters
        self._rounds = rounds
        self._games = games
        self._repeat = repeat

    def __len__(self) -> int:
        return len(self._encounters) * self._rounds * self._games

    def __iter__(self) -> Iterator[Slot]:
        return map(self.slot, range(len(self)))

    def slot(self, number: int) -> Slot:
        """Return the game of a number from 0."""
        games, repeat = self._games, self._repeat
        encounter, game = divmod(number, games)
        group, at = divmod(game, repeat)  # the games of an encounter with one opening
        size = min(repeat, games - group * repeat)
        # The last of an odd number of games with one opening has no other to pair with.
        paired = at < size // 2 * 2
        pairs = games // repeat * (repeat // 2) + games % repeat // 2
        first, second = self._encounters[encounter % len(self._encounters)]
        return Slot(
            number=number,
            round=encounter // len(self._encounters) + 1,
            white=second if game % 2 else first,
            black=first if game % 2 else second,
            opening=encounter * -(-games // repeat) + group,
            pair=encounter * pairs + group * (repeat // 2) + at // 2 if paired else None,
            first=first,
        )
