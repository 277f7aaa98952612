"""Auf Teufel komm raus: keep a card that is worth something, pass a bad one on.

It is one step that is looked ahead, no more: a card that is passed on counts for the next player,
as if it stayed there. What is passed on again may come back in the end, which the policy does not
see, and it is what a search can know better: were that reckoned with, nobody would ever pass on as
long as all have Devils, and no player could win from another but by luck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abdiel.cards.auf_teufel import ACCEPT, ANGELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abdiel.cards.auf_teufel import AufTeufel

SCALE = 8.0
TRUST = 0.7
ITERATIONS = 100

# What it costs to be without a Devil for the rest of the game, were there all turns to come.
_DEVIL_COST = 2.0
_COST_PER_VALUE = 0.3


def choose(state: AufTeufel) -> int:
    """Return the action that the seat to move takes."""
    actions = state.legal_actions()
    if len(actions) == 1:
        return actions[0]
    values = _values(state, actions)
    return actions[values.index(max(values))]


def candidates(state: AufTeufel) -> Sequence[int]:
    """Return the legal actions, the best first."""
    actions = state.legal_actions()
    if len(actions) == 1:
        return actions
    values = dict(zip(actions, _values(state, actions), strict=True))
    return sorted(actions, key=lambda action: -values[action])


def sight(state: AufTeufel, seat: int) -> int:
    """Return the Angel that a seat holds, 0 if it holds none."""
    return state.angel if state.current_player() == seat else 0


def _values(state: AufTeufel, actions: Sequence[int]) -> list[float]:
    """Return for each action how much it is expected to gain on the next player."""
    value = state.angel - sum(state.attached)
    left = (len(ANGELS) - 1 - state.turn) / len(ANGELS)
    return [
        value
        if action == ACCEPT
        else action - value - (_DEVIL_COST + _COST_PER_VALUE * action) * left
        for action in actions
    ]
