"""Auf Teufel komm raus: pass a card on if it harms more elsewhere than it is worth here.

What becomes of a card that is passed on is guessed from the hand sizes, which all know: a holder
accepts what is still worth something, or must, and else adds a Devil of the mean value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abdiel.cards.auf_teufel import ACCEPT, ANGELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abdiel.cards.auf_teufel import AufTeufel

SCALE = 8.0

_MEAN_DEVIL = 3
_WORTH_TAKING = 1
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
    """Return for each action how much it is expected to gain on the others."""
    value = state.angel - sum(state.attached)
    left = (len(ANGELS) - 1 - state.turn) / len(ANGELS)
    values: list[float] = []
    for action in actions:
        if action == ACCEPT:
            values.append(value)
        else:
            cost = (_DEVIL_COST + _COST_PER_VALUE * action) * left
            values.append(_passed_on(state, value - action) - cost)
    return values


def _passed_on(state: AufTeufel, value: float) -> float:
    """Return what the holder gains on the others when the card goes on with that value."""
    players = state.num_players
    holder = seat = state.current_player()
    for _ in range(players - len(state.attached) - 1):
        seat = (seat + 1) % players
        if value >= _WORTH_TAKING or not state.hand_size(seat):
            return -value / (players - 1)
        value -= _MEAN_DEVIL
    # It comes back to the one who drew it.
    return value if state.drawer == holder else -value / (players - 1)
