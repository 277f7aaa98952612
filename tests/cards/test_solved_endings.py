"""Endings that are small enough to be solved: a search finds the best play in them.

All know all cards but those that are yet to be drawn, so that the best play can be found by going
through all ways on. In the search, the worlds differ in the cards to be drawn only.
"""

from __future__ import annotations

from itertools import count, permutations
from random import Random
from typing import TYPE_CHECKING

import pytest

from abdiel.cards.auf_teufel import ANGELS, AufTeufel
from abdiel.cards.greedy import policy_of
from abdiel.cards.ismcts import rewards
from abdiel.cards.nakayoshi import Nakayoshi
from abdiel.cards.players import make_player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abdiel.cards.state import State

ITERATIONS = 1500
INDIFFERENT = 0.02
TOLERANCE = 0.004


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


def follow(worlds: list[State], action: int, seat: int, sign: int) -> list[float]:
    """Return the mean reward of each seat after an action, if all play for their own reward.

    Where that leaves the others nearly indifferent, they do for `seat` what is best, or worst if
    `sign` is negative.
    """
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
        for one, value in enumerate(solve(group, seat, sign)):
            sums[one] += value * len(group)
    return [value / len(worlds) for value in sums]


def solve(worlds: list[State], seat: int, sign: int) -> list[float]:
    """Return the mean reward of each seat with the best play."""
    state = worlds[0]
    player = state.current_player()
    if player < 0:
        values = [rewards(world, policy_of(world).SCALE) for world in worlds]
        return [sum(column) / len(worlds) for column in zip(*values, strict=True)]
    found = [follow(worlds, action, seat, sign) for action in state.legal_actions()]
    best = max(values[player] for values in found)
    good = [values for values in found if values[player] >= best - INDIFFERENT]
    if player == seat:
        return max(good, key=lambda values: values[seat])
    return max(good, key=lambda values: sign * values[seat])


def check(state: State, seed: int) -> tuple[bool, bool]:
    """Judge the search's choice; tells whether it could be judged, and whether it mattered.

    What hangs on others who do not care cannot.
    """
    seat = state.current_player()
    worlds = worlds_of(state)
    values = {}
    for action in state.legal_actions():
        low, high = (follow(worlds, action, seat, sign)[seat] for sign in (-1, 1))
        if high - low > TOLERANCE:
            return False, False
        values[action] = low
    best = max(values.values())
    chosen = make_player(f"strong:{ITERATIONS}", Random(seed)).step(state)
    assert values[chosen] == pytest.approx(best, abs=TOLERANCE), (values, state.snapshot())
    return True, min(values.values()) < best - 2 * TOLERANCE


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


def judge(endings: Iterator[State], most: int = 6) -> None:
    """Judge so many endings, in some of which the choice must have mattered."""
    judged = mattered = 0
    for seed, state in enumerate(endings):
        could, did = check(state, seed)
        judged += could
        mattered += did
        if judged == most:
            break
    assert mattered >= 2


@pytest.mark.parametrize("players", range(2, 5))
def test_the_last_turn_of_auf_teufel(players: int) -> None:
    """The last Angel is drawn, and the others may pass it on."""
    last = len(ANGELS) - 1
    judge(end_of_auf_teufel(players, seed, last, others_pass=True) for seed in count())


@pytest.mark.parametrize("players", (2, 3))
def test_the_last_turns_of_auf_teufel(players: int) -> None:
    """Who has the only Devils left decides for which of the last Angels to use them."""

    def endings() -> Iterator[State]:
        for seed in count():
            turn = len(ANGELS) - players - 1
            state = end_of_auf_teufel(players, seed, turn, others_pass=False)
            others = set(range(players)) - {state.current_player()}
            if not any(map(state.hand_size, others)):
                yield state

    judge(endings())


@pytest.mark.parametrize("players", range(3, 6))
def test_the_last_tricks_of_nakayoshi(players: int) -> None:
    most = 3 if players < 5 else 2

    def endings() -> Iterator[State]:
        for seed in count():
            rng = Random(seed)
            state = OpenNakayoshi(players)
            state.deal(rng)
            while state.current_player() >= 0:
                actions = state.legal_actions()
                if max(hand.bit_count() for hand in state.hands) <= most and len(actions) > 1:
                    yield state
                    break
                state.apply_action(actions[int(rng.random() * len(actions))])

    judge(endings())
