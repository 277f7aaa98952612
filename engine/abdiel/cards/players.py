"""Players of the card games, by the names that users give them.

A player is asked with a state in which it is to move. It may look at what its seat knows only:
`observation`, `information_state_string`, `legal_actions` and resampled states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from abdiel.cards.greedy import policy_of, search_policy_of
from abdiel.cards.ismcts import Search
from abdiel.errors import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from abdiel.cards.state import State


class Player(Protocol):
    """Chooses actions for one seat."""

    def step(self, state: State) -> int:
        """Return a legal action of the seat to move."""


class RandomPlayer:
    """Chooses any legal action, each as likely as any other."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def step(self, state: State) -> int:
        """Return a legal action of the seat to move."""
        actions = state.legal_actions()
        return actions[int(self._rng.random() * len(actions))]


class GreedyPlayer:
    """Follows the game's hand-written policy; the generator is not used."""

    def __init__(self, rng: Random) -> None:
        pass

    def step(self, state: State) -> int:
        """Return a legal action of the seat to move."""
        return policy_of(state).choose(state)


class StrongPlayer:
    """Searches with a budget of iterations, the policy's if none is given.

    With a budget of time a seed does not tell its choices.
    """

    def __init__(
        self, rng: Random, iterations: int | None = None, milliseconds: int | None = None
    ) -> None:
        self._rng = rng
        self._iterations = iterations
        self._milliseconds = milliseconds

    def step(self, state: State) -> int:
        """Return a legal action of the seat to move."""
        actions = state.legal_actions()
        if len(actions) == 1:
            return actions[0]
        search = Search(state, self._rng)
        if self._milliseconds is None:
            search.run(self._iterations or search_policy_of(state).ITERATIONS)
        else:
            search.run_for(self._milliseconds / 1000)
        return search.best()


PLAYERS: dict[str, Callable[[Random], Player]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "strong": StrongPlayer,
}

MOST_BUDGET = 10_000_000


def make_player(name: str, rng: Random) -> Player:
    """Return a player by name, who draws all chance from `rng`. Raises `ValueError`.

    "strong" takes a budget a move: "strong:500" is 500 iterations, "strong:50ms" 50 milliseconds.
    """
    kind, colon, budget = name.partition(":")
    if kind not in PLAYERS:
        raise ValueError(f"no player {shown(name)}; expected one of {', '.join(PLAYERS)}")
    if not colon:
        return PLAYERS[kind](rng)
    number = budget.removesuffix("ms")
    right = number.isascii() and number.isdecimal() and len(number) <= len(str(MOST_BUDGET))
    if kind != "strong" or not right or not 1 <= int(number) <= MOST_BUDGET:
        raise ValueError(
            f"player {shown(name)}: expected a budget for strong, such as strong:500 or strong:50ms"
        )
    if number != budget:
        return StrongPlayer(rng, milliseconds=int(number))
    return StrongPlayer(rng, iterations=int(number))


def play_out(state: State, players: Sequence[Player], rng: Random) -> None:
    """Play a game to its end, a player for each seat; deals come from `rng`."""
    while not state.is_terminal():
        if state.is_chance_node():
            state.deal(rng)
        else:
            state.apply_action(players[state.current_player()].step(state))
