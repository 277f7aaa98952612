"""Nakayoshi Friends: get rid of high cards in tricks that somebody else wins.

A play costs what its trick is likely to bring, if it wins, less what it takes out of the hand. How
likely it wins is guessed from the cards that have not been seen, as if each player after this one
played any card of the suit led that could be there.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from abdiel.cards.masks import cards_of
from abdiel.cards.nakayoshi import (
    AKUMA,
    AKUMA_TAKEN,
    DROP,
    GIVEN,
    MAIN,
    NO_SUIT,
    NUMBERS,
    PLAYED,
    SPECIAL_LEFT,
    SUIT_MASKS,
    SUIT_OF,
    TENSHI,
    TENSHI_TAKEN,
    VALUE_OF,
    gift_action,
    points_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abdiel.cards.nakayoshi import Nakayoshi

SCALE = 30.0
TRUST = 0.7
ITERATIONS = 40

_MOST_CANDIDATES = 4
_MARGIN = 10.0  # what costs so much more than the best is not a candidate
_GIVABLE = 6  # cards that are thought of when three are given

_DUMPED = 8.0  # the mean value of what a player without the suit led gives away
_SHED = 0.5  # what a point out of the hand is worth
_SPECIAL_SHED = -SPECIAL_LEFT
_TENSHI_KEPT = 15.0  # what Tenshi in hand is worth, to be led
_BASE_PENALTY = 12.0  # what a round is likely to bring yet, which Tenshi would take away


def choose(state: Nakayoshi) -> int:
    """Return the action that the seat to move takes."""
    if state.giving:
        return _gifts(state, 1)[0]
    actions = state.legal_actions()
    if len(actions) == 1:
        return actions[0]
    costs = _costs(state, actions)
    return actions[costs.index(min(costs))]


def candidates(state: Nakayoshi) -> Sequence[int]:
    """Return the legal actions that are worth a thought, the best first."""
    if state.giving:
        return _gifts(state, _MOST_CANDIDATES)
    actions = state.legal_actions()
    if len(actions) == 1:
        return actions
    costs = dict(zip(actions, _costs(state, actions), strict=True))
    best = sorted(actions, key=costs.__getitem__)[:_MOST_CANDIDATES]
    most = costs[best[0]] + _MARGIN
    return [action for action in best if costs[action] <= most]


def sight(state: Nakayoshi, seat: int) -> int:
    """Return the hand of a seat that is to move, else 0."""
    return state.hands[seat] if state.current_player() == seat else 0


def _gifts(state: Nakayoshi, most: int) -> list[int]:
    """Return up to so many ways to give three cards, the best first."""
    hand = state.hands[state.current_player()]
    lengths = [(hand & mask).bit_count() for mask in SUIT_MASKS]
    burden = {}
    for card in cards_of(hand):
        if card == AKUMA:
            burden[card] = 20.0
        elif card == TENSHI:
            burden[card] = -20.0
        else:
            # Out of a short suit, so that soon there is none.
            burden[card] = VALUE_OF[card] + 2.0 * (4 - lengths[SUIT_OF[card]])
    worst = sorted(burden, key=lambda card: -burden[card])
    gifts: list[tuple[int, ...]]
    if most == 1:
        gifts = [tuple(worst[:GIVEN])]
    else:
        gifts = sorted(
            combinations(worst[:_GIVABLE], GIVEN),
            key=lambda gift: -sum(burden[card] for card in gift),
        )
    return [gift_action(hand, sum(1 << card for card in gift)) for gift in gifts[:most]]


def _relief_of(action: int) -> float:
    """Return what it is worth that the cards of a play are out of the hand."""
    played = PLAYED[action]
    relief = _SHED * points_of(played & NUMBERS)
    if played >> AKUMA & 1:
        relief += _SPECIAL_SHED
    if played >> TENSHI & 1:
        relief -= _TENSHI_KEPT
    return relief


# For each play, since they are asked for so often; drops are plays of a single card here.
_RELIEFS = tuple(map(_relief_of, range(DROP)))
_EXTRA_VALUES = tuple(points_of(PLAYED[action] ^ 1 << MAIN[action]) for action in range(DROP))


def _costs(state: Nakayoshi, actions: Sequence[int]) -> list[float]:
    """Return what each action is likely to cost in all."""
    if state.droppers:
        return [-_RELIEFS[action - DROP] for action in actions]
    if state.trick and SUIT_OF[MAIN[actions[0]]] != state.led != NO_SUIT:
        return [-_RELIEFS[action] for action in actions]  # no play can win
    trick = _Trick(state)
    known: dict[int, tuple[float, float]] = {}  # by main cards
    costs = []
    for action in actions:
        main = MAIN[action]
        if main not in known:
            wins = trick.wins(main)
            known[main] = wins, trick.taken(main) if wins else 0.0
        wins, taken = known[main]
        if not wins:
            costs.append(-_RELIEFS[action])
        elif main == TENSHI:
            costs.append(wins * taken)  # it is led, which is what it was kept for
        else:
            if not trick.tenshi:
                taken += _EXTRA_VALUES[action]
            costs.append(wins * taken - _RELIEFS[action])
    return costs


class _Trick:
    """The running trick, as the seat to move sees it."""

    def __init__(self, state: Nakayoshi) -> None:
        self.state = state
        self.seat = state.current_player()
        self.led = state.led if state.trick else -1
        self.cards = 0
        for action in state.trick:
            self.cards |= PLAYED[action]
        self.tenshi = self.cards >> TENSHI & 1
        players = state.num_players
        self.later = [(self.seat + i) % players for i in range(1, players - len(state.trick))]
        mains = [MAIN[action] for action in state.trick]
        followers = [card for card in mains if SUIT_OF[card] == self.led]
        self.reversed = AKUMA in mains
        self.best = -1
        if followers:
            self.best = min(followers) if self.reversed else max(followers)
        hand = state.hands[self.seat]
        seen = hand
        for shown in state.shown:
            seen |= shown
        self.unseen = ((1 << 12 * players) - 1) & ~seen
        others = sum([hand.bit_count() for hand in state.hands]) - hand.bit_count()
        self.crowd = max(others, 1)
        # What is the same for several plays, by suits.
        self._known_none: dict[int, list[float]] = {}

    def wins(self, main: int) -> float:
        """Return how likely a main card wins."""
        suit = SUIT_OF[main]
        if self.led < 0:
            if suit == NO_SUIT:
                return 1.0
        elif suit != self.led or suit == NO_SUIT or self._is_beaten(main):
            return 0.0
        left = self.unseen & SUIT_MASKS[suit]
        higher = (left >> main).bit_count()
        lower = left.bit_count() - higher
        if self.reversed:
            higher, lower = lower, higher
        stays = (lower + 1.0) / (lower + higher + 1.0)
        chance = 1.0
        for none in self._none(suit):
            chance *= none + (1.0 - none) * stays
        return chance

    def _is_beaten(self, main: int) -> bool:
        """Tell whether a card of the suit led is beaten by one that lies in the trick."""
        return self.best >= 0 and (main < self.best) != self.reversed

    def _none(self, suit: int) -> list[float]:
        """Return how likely each of the seats to come has no card of a suit."""
        found = self._known_none.get(suit)
        if found is None:
            voids, hands = self.state.voids, self.state.hands
            rest = max(1.0 - (self.unseen & SUIT_MASKS[suit]).bit_count() / self.crowd, 0.0)
            self._known_none[suit] = found = [
                1.0 if voids[seat] >> suit & 1 else rest ** hands[seat].bit_count()
                for seat in self.later
            ]
        return found

    def taken(self, main: int) -> float:
        """Return what the trick costs its winner, if that is this seat, without an extra."""
        cost = 0.0
        if self.tenshi or main == TENSHI:
            cost -= min(TENSHI_TAKEN, self.state.penalties[self.seat] + _BASE_PENALTY)
        else:
            led = SUIT_OF[main] if self.led < 0 else self.led
            if self.cards:
                # The main card is of the suit led, else it would not win.
                off = NUMBERS if led == NO_SUIT else NUMBERS & ~SUIT_MASKS[led]
                cost += points_of(self.cards & off)
            none = len(self.later) if led == NO_SUIT else sum(self._none(led))
            cost += none * _DUMPED
        if self.reversed or main == AKUMA:
            cost -= AKUMA_TAKEN
        return cost
