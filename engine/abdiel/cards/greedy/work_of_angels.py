"""The Work of Angels: lay what can be laid, and keep the cards that are near to a set.

A card is worth keeping for the other cards in hand that could be in a set with it, as long as the
rest of the set is not laid out already; the more so in the suit of the own Jack.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from abdiel.cards.masks import cards_of, mask_of
from abdiel.cards.work_of_angels import (
    ADD,
    COURT_MASK,
    DISCARD,
    DRAW_DECK,
    DRAW_TABLE,
    END,
    HAND_SIZE,
    NUM_CARDS,
    RUN_LENGTH,
    SET_MASKS,
    SUIT_MASKS,
    card_points,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abdiel.cards.work_of_angels import WorkOfAngels

_MOST_CANDIDATES = 4
_MARGIN = 20.0  # a set is laid, and a card for one taken, without a second thought
_LATE = 12  # cards of the deck
_FIRST_COURT = (COURT_MASK & -COURT_MASK).bit_length() - 1


class Weights(NamedTuple):
    """What cards are worth, in points of the game or so."""

    number: tuple[float, ...]
    """A card, by how many others of its number are in hand."""
    run: tuple[float, ...]
    """A card in a run that is possible, by how many others of the run are in hand."""
    deck: float
    """A card from the deck."""
    gift: float
    """What is lost by a discard that another player can add to a set."""
    near_gift: float
    """And by one of a number that another player is known to hold."""
    jack: float = 1.5
    """Cards of the own Jack's suit in a run count so many times."""


BY_HAND = Weights(
    number=(0.0, 8.0, 30.0, 40.0),
    run=(0.0, 1.0, 4.0, 12.0, 40.0),
    deck=5.0,
    gift=10.0,
    near_gift=2.0,
)

_LOW_BITS = SUIT_MASKS[0]  # one bit for each number
_RANK_MASKS = tuple(15 << card - card % 4 for card in range(NUM_CARDS))


def _windows_of(card: int) -> tuple[tuple[int, int], ...]:
    """Return for each run that a card could be in the bit of its lowest card, and its mask."""
    starts = range(card, card - 4 * RUN_LENGTH, -4)
    last = NUM_CARDS - 4 * (RUN_LENGTH - 1)
    return tuple(
        (1 << start, sum(1 << start + 4 * i for i in range(RUN_LENGTH)))
        for start in starts
        if 0 <= start < last
    )


_WINDOWS = tuple(map(_windows_of, range(NUM_CARDS)))


def _near(card: int) -> int:
    """Return the other cards that can be in a set with a card."""
    near = _RANK_MASKS[card]
    for _, mask in _WINDOWS[card]:
        near |= mask
    return near & ~(1 << card)


_NEAR = tuple(map(_near, range(NUM_CARDS)))


# Found by matches of 1,000 rounds or more against the weights above, each weight by itself and some
# together: pairs are worth more than what a run may become, and what others are given nothing.
BY_MATCHES = Weights(
    number=(0.0, 12.0, 30.0, 40.0),
    run=(0.0, 0.0, 0.0, 0.0, 40.0),
    deck=5.0,
    gift=0.0,
    near_gift=0.0,
)


class WorkOfAngelsPolicy:
    """Plays The Work of Angels by some weights."""

    SCALE = 120.0
    TRUST = 2.0  # a round is long and full of chance: what looks better mostly is not
    ITERATIONS = 40

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        # The same is asked often.
        self._known_worth = lru_cache(maxsize=1 << 16)(self._worth_of)
        self._parts_of_runs = any(weights.run[:-1])
        # The worth of a card of which no run can come, by its suit, the suits of its number in
        # hand, those laid out, and the own Jack; one list each for courts and late courts.
        self._number_worths = [
            [
                self._worth_of(card, hand << (card & ~3), gone << (card & ~3), 0, jack, late)
                for card in range(first, first + 4)
                for hand in range(16)
                for gone in range(16)
                for jack in range(4)
            ]
            for first, late in ((0, False), (_FIRST_COURT, False), (_FIRST_COURT, True))
        ]

    def choose(self, state: WorkOfAngels) -> int:
        """Return the action that the seat to move takes."""
        actions = state.legal_actions()
        if len(actions) == 1:
            return actions[0]
        values = self._values(state, actions)
        return actions[values.index(max(values))]

    def candidates(self, state: WorkOfAngels) -> Sequence[int]:
        """Return the legal actions that are worth a thought, the best first."""
        actions = state.legal_actions()
        if len(actions) == 1:
            return actions
        values = dict(zip(actions, self._values(state, actions), strict=True))
        best = sorted(actions, key=lambda action: -values[action])[:_MOST_CANDIDATES]
        least = values[best[0]] - _MARGIN
        return [action for action in best if values[action] >= least]

    def sight(self, state: WorkOfAngels, seat: int) -> int:
        """Return the hand of a seat that is to move, else 0."""
        return state.hands[seat] if state.current_player() == seat else 0

    def _values(self, state: WorkOfAngels, actions: Sequence[int]) -> list[float]:
        if state.drawing:
            return self._draw_values(state, actions)
        return self._lay_values(state, actions)

    def _draw_values(self, state: WorkOfAngels, actions: Sequence[int]) -> list[float]:
        player = state.current_player()
        addable = state.addable[player]
        cards = [action - DRAW_TABLE for action in actions if action != DRAW_DECK]
        worths = self._worths(state, cards)
        values = [
            100.0 if addable >> card & 1 else worth
            for card, worth in zip(cards, worths, strict=True)
        ]
        if len(cards) == len(actions):
            return values
        deck = self._weights.deck
        hand = cards_of(state.hands[player])
        if len(hand) == HAND_SIZE and max(worths, default=0.0) > deck:
            # The last card to be drawn: one that would be discarded at once is drawn in vain.
            easiest = max(self._discard_values(state, hand, self._worths(state, hand)))
            again = self._discard_values(state, cards, worths)
            for at, value in enumerate(again):
                if value >= easiest and values[at] < 100.0:
                    values[at] = 0.0
        # The deck is the first of the actions.
        return [deck, *values]

    def _lay_values(self, state: WorkOfAngels, actions: Sequence[int]) -> list[float]:
        # Discards are the first of the actions.
        cards = [action - DISCARD for action in actions if action < END]
        values: list[float] = []
        if cards:
            values = self._discard_values(state, cards, self._worths(state, cards))
        if len(cards) == len(actions):
            return values
        own = SUIT_MASKS[state.jack(state.current_player())]
        for action in actions[len(cards) :]:
            if action == END:
                values.append(0.0)
            elif action >= ADD:
                values.append(1000.0)
            else:
                mask = SET_MASKS[action]
                values.append(100.0 + card_points(mask) + card_points(mask & own))
        return values

    def _discard_values(
        self, state: WorkOfAngels, cards: Sequence[int], worths: Sequence[float]
    ) -> list[float]:
        """Return what discards are worth: what they take from the own hand, or give to others."""
        values = [-worth for worth in worths]
        if not self._weights.gift and not self._weights.near_gift:
            return values
        player = state.current_player()
        given = mask_of(cards)
        for seat, (addable, known) in enumerate(zip(state.addable, state.known, strict=True)):
            # What has the number of a card that the seat is known to hold.
            near = 15 * ((known | known >> 1 | known >> 2 | known >> 3) & _LOW_BITS)
            if seat == player or not given & (addable | near):
                continue
            for at, card in enumerate(cards):
                if addable >> card & 1:
                    values[at] -= self._weights.gift
                elif near >> card & 1:
                    values[at] -= self._weights.near_gift
        return values

    def _worths(self, state: WorkOfAngels, cards: Sequence[int]) -> list[float]:
        """Return what cards in the hand, or added to it, are worth there."""
        player = state.current_player()
        hand = state.hands[player]
        gone = 0
        for laid in state.laid:
            gone |= laid
        starts = state.run_starts
        jack = state.jack(player)
        late = state.deck_left < _LATE
        worth, near = self._known_worth, _NEAR
        if self._parts_of_runs or any(
            (hand & mask).bit_count() >= RUN_LENGTH - 1 for mask in SUIT_MASKS
        ):
            # Of the hand only what matters, so that the same question is often asked again.
            return [
                worth(card, hand & near[card], gone & near[card], starts, jack, late)
                for card in cards
            ]
        plain, court, late_court = self._number_worths
        court = late_court if late else court
        return [
            (plain if card < _FIRST_COURT else court)[
                (card & 3) << 10
                | (hand >> (card & ~3) & 15) << 6
                | (gone >> (card & ~3) & 15) << 2
                | jack
            ]
            for card in cards
        ]

    def _worth_of(
        self, card: int, others: int, gone: int, starts: int, jack: int, late: bool
    ) -> float:
        """Return what a card is worth beside others."""
        bit = 1 << card
        own = SUIT_MASKS[jack]
        numbers = _RANK_MASKS[card] & ~bit
        worth = 0.0
        if (numbers & ~gone).bit_count() >= 2:
            worth = self._weights.number[(others & numbers).bit_count()]
            if (others & numbers | bit) & own:
                worth *= 1.2
        for start, mask in _WINDOWS[card]:
            if starts & start and not mask & gone:
                run = self._weights.run[(others & mask).bit_count()]
                worth += run * self._weights.jack if bit & own else run
        if bit & COURT_MASK:
            worth += -6.0 if late and worth < 6 else 0.1 * worth
        return worth
