"""Players of the card games, by the names that users give them.

A player is asked with a state in which it is to move. It may look at what its seat knows only:
`observation`, `information_state_string`, `legal_actions` and resampled states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

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


PLAYERS: dict[str, Callable[[Random], Player]] = {"random": RandomPlayer}


def make_player(name: str, rng: Random) -> Player:
    """Return a player by name, who draws all chance from `rng`. Raises `ValueError`."""
    if name not in PLAYERS:
        raise ValueError(f"no player {shown(name)}; expected one of {', '.join(PLAYERS)}")
    return PLAYERS[name](rng)


def play_out(state: State, players: Sequence[Player], rng: Random) -> None:
    """Play a game to its end, a player for each seat; deals come from `rng`."""
    while not state.is_terminal():
        if state.is_chance_node():
            state.deal(rng)
        else:
            state.apply_action(players[state.current_player()].step(state))
