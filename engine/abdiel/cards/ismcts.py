"""Information-set Monte Carlo tree search, for games in which not all cards are seen.

P. I. Cowling, E. J. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE
Transactions on Computational Intelligence and AI in Games 4 (2), 2012. One tree is shared by all
the worlds that the player could be in (SO-ISMCTS). An iteration deals such a world at random and
walks down the actions that are possible in it; an action that is possible in few worlds is judged
by how often it was (its availability), not by how often its parent was visited.

Three things are done otherwise, since cards are so much luck that a few hundred games tell little:

- At the root all actions are tried in the same worlds, so that they are compared by the difference
  that they make in each. The worse half of them is given up again and again, until two are left;
  and whatever is clearly worse than the best. The search ends when one is left.
- The hand-written policy is everybody's until the tree knows better: below the root its choice is
  the first, and more of its candidates are thought of as a node is visited more often.
- It is left only for an action that is better by some errors of the comparison, as many as the
  policy is to be trusted, and the search ends when its choice is the best at one of a few looks.
"""

from __future__ import annotations

from math import exp, inf, isqrt, log, sqrt
from time import monotonic
from typing import TYPE_CHECKING

from abdiel.cards.greedy import search_policy_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from abdiel.cards.state import State

EXPLORATION = 0.3
"""Of UCB1, for rewards whose differences are small among several players."""
WIN_WEIGHT = 0.4
"""The part of a finished game's reward that the win has; the rest have the totals."""

_VISITS_A_CANDIDATE = 4  # the candidates thought of grow as the root of visits over this
_LOOKS = 8  # at the comparison, if all actions were tried until the end,
_LEAST_WORLDS = 6  # and so many worlds at least between two of them
_CLEARLY = 2.0  # errors by which an action is clearly worse than the best


class _Node:
    """What is known of an action, from the view of the seat that takes it."""

    __slots__ = ("available", "children", "sights", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[int, _Node] = {}
        # What follows, by what the searching seat sees after the action and could not foresee.
        self.sights: dict[int, _Node] = {}
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
        self._policy = search_policy_of(state)
        self._seat = state.current_player()
        # The policy's own choice is the first.
        self._actions = list(self._policy.candidates(state))
        self._first = self._actions[0]
        self._nodes = {action: _Node() for action in self._actions}
        self._gains: dict[int, list[float]] = {action: [] for action in self._actions}
        self._next_look = _LEAST_WORLDS

    def run(self, iterations: int) -> None:
        """Search so many iterations; fewer if there is no choice, or no way to divide them."""
        done = 0
        while len(self._actions) > 1 and done + len(self._actions) <= iterations:
            self._try_all()
            done += len(self._actions)
            self._narrow(done, iterations)

    def run_for(self, seconds: float) -> None:
        """Search as long as the time lasts."""
        start = monotonic()
        spent = 0.0
        done = 0
        while len(self._actions) > 1 and spent < seconds:
            self._try_all()
            done += len(self._actions)
            spent = monotonic() - start
            self._narrow(done, done * seconds / spent)

    @property
    def visits(self) -> dict[int, int]:
        """How often each action of the seat was tried."""
        return {action: node.visits for action, node in self._nodes.items()}

    @property
    def choices(self) -> list[int]:
        """The actions that have not been given up."""
        return self._actions[:]

    def best(self) -> int:
        """Return the action that is to be taken."""
        first = self._first
        leader = max(self._actions, key=self._mean)
        if leader != first and first in self._actions:
            mean, error = self._lead(leader, first)
            if mean <= self._policy.TRUST * error:
                return first
        return leader

    def _mean(self, action: int) -> float:
        """Return an action's mean reward."""
        gains = self._gains[action]
        return sum(gains) / len(gains) if gains else 0.0

    def _lead(self, action: int, other: int) -> tuple[float, float]:
        """Return by how much an action is better than another in a world, and the error of it."""
        gains = zip(self._gains[action], self._gains[other], strict=True)
        leads = [one - two for one, two in gains]
        count = len(leads)
        mean = sum(leads) / count
        if count == 1:
            return mean, inf
        variance = sum((lead - mean) ** 2 for lead in leads) / (count - 1)
        return mean, sqrt(variance / count)

    def _try_all(self) -> None:
        """Try each action that is left in the same new world."""
        world = self._state.resample_from_infostate(self._seat, self._rng)
        last = self._actions[-1]
        for action in self._actions:
            gain = self._iterate(world if action == last else world.clone(), action)
            self._gains[action].append(gain)

    def _narrow(self, done: int, iterations: float) -> None:
        """Give up the worse actions when a part of the search is over.

        The policy's own is given up only for being clearly worse.
        """
        halvings = (len(self._nodes) - 1).bit_length()
        count = max(len(self._nodes) >> int(done / iterations * halvings), 2)
        if len(self._actions) > count:
            self._actions.sort(key=lambda action: (action != self._first, -self._mean(action)))
            del self._actions[count:]
        worlds = len(self._gains[self._actions[0]])
        every = max(_LEAST_WORLDS, int(iterations) // (_LOOKS * len(self._nodes)))
        if worlds >= self._next_look and worlds >= every:
            self._next_look = worlds + every
            self._look()

    def _look(self) -> None:
        """Give up what is clearly worse than the best, or all else if that is the policy's."""
        leader = max(self._actions, key=self._mean)
        if leader == self._first:
            self._actions = [leader]
            return
        self._actions = [
            action
            for action in self._actions
            if action == leader or not self._is_clearly_worse(action, leader)
        ]

    def _is_clearly_worse(self, action: int, leader: int) -> bool:
        """Tell whether an action is worse beyond chance, or the same in every world."""
        mean, error = self._lead(leader, action)
        return mean >= _CLEARLY * error

    def _iterate(self, world: State, action: int) -> float:
        """Play a world to the round's end from an action on; return what the seat has of it."""
        node = self._nodes[action]
        path = [(self._seat, node)]
        world.apply_legal(action)
        self._descend(world, self._after(world, node, path), path)
        choose, apply = self._policy.choose, world.apply_legal
        while world.current_player() >= 0:
            apply(choose(world))
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
            world.apply_legal(action)
            node = self._after(world, node, path)

    def _after(self, world: State, node: _Node, path: list[tuple[int, _Node]]) -> _Node:
        """Return the node to go on from, which depends on what the searching seat now sees."""
        sight = self._policy.sight(world, self._seat)
        if not sight:
            return node
        after = node.sights.get(sight)
        if after is None:
            node.sights[sight] = after = _Node()
        path.append((self._seat, after))
        return after

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
