"""Endings that are small enough to be solved: a search finds the best play in them.

All know all cards but those that are yet to be drawn, so that the best play can be found by going
through all ways on. In the search, the worlds differ in the cards to be drawn only.
"""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import TYPE_CHECKING

import pytest

from abdiel.cards.auf_teufel import ANGELS, AufTeufel
from abdiel.cards.greedy import policy_of
from abdiel.cards.ismcts import rewards
from abdiel.cards.nakayoshi import Nakayoshi
from abdiel.cards.players import make_player

if TYPE_CHECKING:
    from abdiel.cards.state import State

ITERATIONS = 1500


class OpenAufTeufel(AufTeufel):
    """Only the Angels to come are unknown."""

    def _resample(self, player: int, rng: Random) -> None:
        angels = self._deal.angels
        first = self.turn + 1
        coming = sorted(angels[first:])
        rng.shuffle(coming)
        self._deal = self._deal._replace(angels=(*angels[:first], *coming))


class OpenNakayoshi(Nakayoshi):
    """All hands are known."""

    def _resample(self, player: int, rng: Random) -> None:
        pass


def worlds_of(state: State) -> list[State]:
    """All orders of the Angels to come, each as likely as any other."""
    if not isinstance(state, OpenAufTeufel):
        return [state]
    angels = state._deal.angels
    first = state.turn + 1
    worlds: list[State] = []
    for coming in permutations(angels[first:]):
        world = state.clone()
        world._deal = state._deal._replace(angels=(*angels[:first], *coming))
        worlds.append(world)
    return worlds


def follow(worlds: list[State], action: int) -> list[float]:
    """Return the mean reward of each seat after an action, if all play for their own reward."""
    groups: dict[object, list[State]] = {}
    for world in worlds:
        after = world.clone()
        after.apply_action(action)
        # Who is to move sees the Angel drawn; nothing else is new.
        player = after.current_player()
        seen = after.angel if isinstance(after, OpenAufTeufel) and player >= 0 else 0
        groups.setdefault(seen, []).append(after)
    sums = [0.0] * worlds[0].num_players
    for group in groups.values():
        for seat, value in enumerate(solve(group)):
            sums[seat] += value * len(group)
    return [value / len(worlds) for value in sums]


def solve(worlds: list[State]) -> list[float]:
    """Return the mean reward of each seat with the best play."""
    state = worlds[0]
    player = state.current_player()
    if player < 0:
        values = [rewards(world, policy_of(world).SCALE) for world in worlds]
        return [sum(column) / len(worlds) for column in zip(*values, strict=True)]
    found = [follow(worlds, action) for action in state.legal_actions()]
    return max(found, key=lambda values: values[player])


def check(state: State, seed: int) -> bool:
    """Judge the search's choice; tells whether there was one that matters."""
    player = state.current_player()
    values = {action: follow(worlds_of(state), action)[player] for action in state.legal_actions()}
    best = max(values.values())
    chosen = make_player(f"strong:{ITERATIONS}", Random(seed)).step(state)
    assert values[chosen] == pytest.approx(best, abs=0.004), (values, state.snapshot())
    return min(values.values()) < best - 0.01


def end_of_auf_teufel(players: int, seed: int, turn: int, others_pass: bool) -> OpenAufTeufel:
    """A game at the start of a turn, with Devils left to the seat that draws then."""
    rng = Random(seed)
    state = OpenAufTeufel(players)
    state.deal(rng)
    drawer = turn % players
    while state.turn < turn:
        actions = state.legal_actions()
        # The others use theirs up, if they are to have none; the drawer saves one at least.
        seat = state.current_player()
        spend = 0.5 if seat != drawer and not others_pass else 0.05
        may = seat != drawer or state.hand_size(seat) > 1
        action = actions[-1] if may and rng.random() < spend else 0
        state.apply_action(action)
    return state


@pytest.mark.parametrize("players", range(2, 5))
def test_the_last_turn_of_auf_teufel(players: int) -> None:
    """The last Angel is drawn, and the others may pass it on."""
    mattered = 0
    for seed in range(6):
        state = end_of_auf_teufel(players, seed, len(ANGELS) - 1, others_pass=True)
        mattered += check(state, seed)
    assert mattered >= 2


@pytest.mark.parametrize("players", (2, 3))
def test_the_last_turns_of_auf_teufel(players: int) -> None:
    """Who has the only Devils left decides for which of the last Angels to use them."""
    mattered = judged = 0
    seed = 0
    while judged < 6:
        seed += 1
        state = end_of_auf_teufel(players, seed, len(ANGELS) - players - 1, others_pass=False)
        player = state.current_player()
        if any(state.hand_size(seat) for seat in range(players) if seat != player):
            continue
        judged += 1
        mattered += check(state, seed)
    assert mattered >= 2


@pytest.mark.parametrize("players", range(3, 6))
def test_the_last_tricks_of_nakayoshi(players: int) -> None:
    mattered = judged = 0
    seed = 0
    while judged < 6:
        seed += 1
        rng = Random(seed)
        state = OpenNakayoshi(players)
        state.deal(rng)
        most = 3 if players < 5 else 2
        while state.current_player() >= 0:
            hands = [hand.bit_count() for hand in state.hands]
            actions = state.legal_actions()
            if max(hands) <= most and len(actions) > 1:
                judged += 1
                mattered += check(state, seed)
                break
            state.apply_action(actions[int(rng.random() * len(actions))])
    assert mattered >= 2
