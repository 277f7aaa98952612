"""A sound hand-written policy for each game, and what a search imagines of everybody.

A policy looks at what the seat to move knows and at nothing else, and takes no chance: the same
knowledge leads to the same action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from abdiel.cards.auf_teufel import AufTeufel
from abdiel.cards.greedy import auf_teufel, nakayoshi
from abdiel.cards.greedy.work_of_angels import BY_HAND, BY_MATCHES, WorkOfAngelsPolicy
from abdiel.cards.nakayoshi import Nakayoshi
from abdiel.cards.work_of_angels import WorkOfAngels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abdiel.cards.state import State


class Policy(Protocol):
    """How one game is played: the module of its name, or an object of it."""

    SCALE: float
    """The difference of totals at a round's end that makes a win e times as likely."""
    TRUST: float
    """How many errors of the comparison an action must be better for a search to leave it."""
    ITERATIONS: int
    """Of a search for one action, if no other budget is given."""

    def choose(self, state: Any) -> int:
        """Return the action that the seat to move takes."""

    def candidates(self, state: Any) -> Sequence[int]:
        """Return the legal actions that are worth a thought, the best first.

        The first is the one that `choose` returns.
        """

    def sight(self, state: Any, seat: int) -> int:
        """Return what a seat that is to move sees of what chance brought it; 0 for nothing."""


_POLICIES: dict[str, Policy] = {
    AufTeufel.name: auf_teufel,
    WorkOfAngels.name: WorkOfAngelsPolicy(BY_HAND),
    Nakayoshi.name: nakayoshi,
}
_SEARCH_POLICIES = _POLICIES | {WorkOfAngels.name: WorkOfAngelsPolicy(BY_MATCHES)}


def policy_of(state: State) -> Policy:
    """Return the policy that `greedy` follows in a state's game."""
    return _POLICIES[state.name]


def search_policy_of(state: State) -> Policy:
    """Return the policy that a search starts from, and imagines of everybody."""
    return _SEARCH_POLICIES[state.name]
