"""Information-set Monte Carlo tree search, for games in which not all cards are seen.

P. I. Cowling, E. J. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE
Transactions on Computational Intelligence and AI in Games 4 (2), 2012. One tree is shared by all
the worlds that the player could be in (SO-ISMCTS). An iteration deals such a world at random and
walks down the actions that are possible in it; an action that is possible in few worlds is judged
by how often it was (its availability), not by how often its parent was visited.

Three things are done otherwise, since cards are so much luck that a few hundred games tell little:

- At the root all actions are tried in the same worlds, so that they are compared by the difference
  that they make in each. Those that are clearly worse than the best are given up.
- The hand-written policy is everybody's until the tree knows better: below the root its choice is
  the first, and more of its candidates are thought of as a node is visited more often.
- It is left only for an action that is better by more than the error of the comparison.
"""

from __future__ import annotations

from math import exp, isqrt, log, sqrt
from time import monotonic
from typing import TYPE_CHECKING

from abdiel.cards.greedy import policy_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from abdiel.cards.state import State

DEFAULT_ITERATIONS = 300
EXPLORATION = 0.3
"""Of UCB1, for rewards whose differences are small among several players."""
WIN_WEIGHT = 0.4
"""The part of a finished game's reward that the win has; the rest have the totals."""

_VISITS_A_CANDIDATE = 4  # the candidates thought of grow as the root of visits over this
_LOOK = 8  # worlds between two looks at which actions to give up
_GIVE_UP = 2.0  # errors that an action must be behind
_PREFER = 1.0  # errors by which an action must be ahead of the policy's
_ALIKE = 32  # worlds in which actions that do the same must have done so


class _Node:
    """What is known of an action, from the view of the seat that takes it."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[int, _Node] = {}
        self.visits = 0
        self.available = 0
        self.total = 0.0


def rewards(state: State, scale: float) -> list[float]:
    """Return for each seat how good a state between two rounds is, from 0 to 1; in all they are 1.

    It is a share by the totals, of which a lead of `scale` counts e times as much, and, when the
    game is over, a share of the win as well.
    """
    best = max(state.totals)
    weights = [exp((total - best) / scale) for total in state.totals]
    whole = sum(weights)
    shares = [weight / whole for weight in weights]
    winners = state.winners()
    if not winners:
        return shares
    return [
        (1 - WIN_WEIGHT) * share + WIN_WEIGHT * (seat in winners) / len(winners)
        for seat, share in enumerate(shares)
    ]


class Search:
    """A search from one state, for the seat to move.

    An iteration is one game to the end of the round.
    """

    def __init__(self, state: State, rng: Random) -> None:
        self._state = state
        self._rng = rng
        self._policy = policy_of(state)
        self._seat = state.current_player()
        # The policy's own choice is the first.
        self._actions = list(self._policy.candidates(state))
        self._nodes = {action: _Node() for action in self._actions}
        self._gains: dict[int, list[float]] = {action: [] for action in self._actions}
        self._worlds = 0

    def run(self, iterations: int) -> None:
        """Search so many iterations, or fewer when one action is left."""
        while iterations >= len(self._actions) > 1:
            iterations -= len(self._actions)
            self._try_all()

    def run_for(self, seconds: float) -> None:
        """Search as long as the time lasts, or until one action is left."""
        end = monotonic() + seconds
        while len(self._actions) > 1 and monotonic() < end:
            self._try_all()

    @property
    def visits(self) -> dict[int, int]:
        """How often each action of the seat was tried."""
        return {action: node.visits for action, node in self._nodes.items()}

    def best(self) -> int:
        """Return the action that is to be taken."""
        first = self._actions[0]
        leader = self._leader()
        if leader != first and self._worlds:
            mean, error = self._lead(leader, first)
            if mean <= _PREFER * error:
                return first
        return leader

    def _leader(self) -> int:
        """Return the action with the highest rewards; of equals the first."""
        return max(self._actions, key=lambda action: self._nodes[action].total)

    def _lead(self, action: int, other: int) -> tuple[float, float]:
        """Return by how much an action was better than another in a world, and the error of it."""
        gains = zip(self._gains[action], self._gains[other], strict=True)
        leads = [one - two for one, two in gains]
        count = len(leads)
        mean = sum(leads) / count
        variance = sum((lead - mean) ** 2 for lead in leads) / max(count - 1, 1)
        return mean, sqrt(variance / count)

    def _try_all(self) -> None:
        """Try each action that is left in the same new world."""
        world = self._state.resample_from_infostate(self._seat, self._rng)
        last = self._actions[-1]
        for action in self._actions:
            gain = self._iterate(world if action == last else world.clone(), action)
            self._gains[action].append(gain)
        self._worlds += 1
        if self._worlds % _LOOK == 0:
            self._give_up()

    def _give_up(self) -> None:
        """Forget the actions that are clearly worse than the leader."""
        leader = self._leader()
        kept = []
        for action in self._actions:
            if action != leader:
                mean, error = self._lead(leader, action)
                if mean > _GIVE_UP * error or (not mean and self._worlds >= _ALIKE and not error):
                    continue
            kept.append(action)
        self._actions = kept

    def _iterate(self, world: State, action: int) -> float:
        """Play a world to the round's end from an action on; return what the seat has of it."""
        node = self._nodes[action]
        path = [(self._seat, node)]
        world.apply_action(action)
        self._descend(world, node, path)
        choose = self._policy.choose
        while world.current_player() >= 0:
            world.apply_action(choose(world))
        gains = rewards(world, self._policy.SCALE)
        for seat, node in path:
            node.visits += 1
            node.total += gains[seat]
        return gains[self._seat]

    def _descend(self, world: State, node: _Node, path: list[tuple[int, _Node]]) -> None:
        """Play on to a node that is new, and add the way to `path` with the seats that chose it."""
        fresh = False
        while not fresh and world.current_player() >= 0:
            seat = world.current_player()
            actions = self._policy.candidates(world)
            action, fresh = self._select(node, actions)
            node = node.children[action]
            path.append((seat, node))
            world.apply_action(action)

    def _select(self, node: _Node, actions: Sequence[int]) -> tuple[int, bool]:
        """Return the action to try next, and whether it is a new one and had alternatives."""
        children = node.children
        best = -1
        highest = -1.0
        for action in actions[: 1 + isqrt(node.visits // _VISITS_A_CANDIDATE)]:
            child = children.get(action)
            if child is None:
                children[action] = child = _Node()
                child.available = 1
                return action, len(actions) > 1
            child.available += 1
            bound = child.total / child.visits + EXPLORATION * sqrt(
                log(child.available) / child.visits
            )
            if bound > highest:
                highest = bound
                best = action
        return best, False
