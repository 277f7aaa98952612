"""The Work of Angels: lay what can be laid, and keep the cards that are near to a set.

A card is worth keeping for the other cards in hand that could be in a set with it, as long as the
rest of the set is not laid out already; the more so in the suit of the own Jack.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

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

SCALE = 120.0
ITERATIONS = 100

_MOST_CANDIDATES = 6
# By how many others of its number, or of its run, are in hand.
_NUMBER_WORTH = (0.0, 8.0, 30.0, 40.0)
_RUN_WORTH = (0.0, 1.0, 4.0, 12.0, 40.0)
_JACK_FACTOR = 1.5
_DECK_WORTH = 5.0
# What a card that another player can add to a set does for it, and one of a number that it wants.
_GIFT_COST = 10.0
_NEAR_GIFT_COST = 2.0
_LATE = 12  # cards of the deck

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


def choose(state: WorkOfAngels) -> int:
    """Return the action that the seat to move takes."""
    actions = state.legal_actions()
    if len(actions) == 1:
        return actions[0]
    values = _values(state, actions)
    return actions[values.index(max(values))]


def candidates(state: WorkOfAngels) -> Sequence[int]:
    """Return the legal actions that are worth a thought, the best first."""
    actions = state.legal_actions()
    if len(actions) == 1:
        return actions
    values = dict(zip(actions, _values(state, actions), strict=True))
    return sorted(actions, key=lambda action: -values[action])[:_MOST_CANDIDATES]


def sight(state: WorkOfAngels, seat: int) -> int:
    """Return the hand of a seat that is to move, else 0."""
    return state.hands[seat] if state.current_player() == seat else 0


def _values(state: WorkOfAngels, actions: Sequence[int]) -> list[float]:
    return _draw_values(state, actions) if state.drawing else _lay_values(state, actions)


def _draw_values(state: WorkOfAngels, actions: Sequence[int]) -> list[float]:
    player = state.current_player()
    addable = state.addable[player]
    cards = [action - DRAW_TABLE for action in actions if action != DRAW_DECK]
    worths = _worths(state, cards)
    values = [
        100.0 if addable >> card & 1 else worth for card, worth in zip(cards, worths, strict=True)
    ]
    if len(cards) == len(actions):
        return values
    hand = cards_of(state.hands[player])
    if len(hand) == HAND_SIZE and max(worths, default=0.0) > _DECK_WORTH:
        # The last card to be drawn: one that would be discarded at once is drawn in vain.
        keep = [-worth for worth in _worths(state, hand)]
        _take_gifts_off(state, hand, keep)
        again = [-worth for worth in worths]
        _take_gifts_off(state, cards, again)
        easiest = max(keep)
        for at, value in enumerate(again):
            if value >= easiest and values[at] < 100.0:
                values[at] = 0.0
    # The deck is the first of the actions.
    return [_DECK_WORTH, *values]


def _lay_values(state: WorkOfAngels, actions: Sequence[int]) -> list[float]:
    # Discards are the first of the actions.
    cards = [action - DISCARD for action in actions if action < END]
    values: list[float] = []
    if cards:
        values = [-worth for worth in _worths(state, cards)]
        _take_gifts_off(state, cards, values)
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


def _take_gifts_off(state: WorkOfAngels, cards: Sequence[int], values: list[float]) -> None:
    """Lower the values of discards that another player can add, or would like."""
    player = state.current_player()
    given = mask_of(cards)
    for seat, (addable, known) in enumerate(zip(state.addable, state.known, strict=True)):
        # What has the number of a card that the seat is known to hold.
        near = 15 * ((known | known >> 1 | known >> 2 | known >> 3) & _LOW_BITS)
        if seat == player or not given & (addable | near):
            continue
        for at, card in enumerate(cards):
            if addable >> card & 1:
                values[at] -= _GIFT_COST
            elif near >> card & 1:
                values[at] -= _NEAR_GIFT_COST


def _worths(state: WorkOfAngels, cards: Sequence[int]) -> list[float]:
    """Return what cards in the hand, or added to it, are worth there."""
    player = state.current_player()
    hand = state.hands[player]
    gone = 0
    for laid in state.laid:
        gone |= laid
    starts = state.run_starts
    jack = state.jack(player)
    late = state.deck_left < _LATE
    # Of the hand only what matters, so that the same question is often asked again.
    worth_of, near = _worth_of, _NEAR
    return [
        worth_of(card, hand & near[card], gone & near[card], starts, jack, late) for card in cards
    ]


@lru_cache(maxsize=1 << 16)
def _worth_of(card: int, others: int, gone: int, starts: int, jack: int, late: bool) -> float:
    """Return what a card is worth beside others."""
    bit = 1 << card
    own = SUIT_MASKS[jack]
    numbers = _RANK_MASKS[card] & ~bit
    worth = 0.0
    if (numbers & ~gone).bit_count() >= 2:
        worth = _NUMBER_WORTH[(others & numbers).bit_count()]
        if (others & numbers | bit) & own:
            worth *= 1.2
    for start, mask in _WINDOWS[card]:
        if starts & start and not mask & gone:
            run = _RUN_WORTH[(others & mask).bit_count()]
            worth += run * _JACK_FACTOR if bit & own else run
    if bit & COURT_MASK:
        worth += -6.0 if late and worth < 6 else 0.1 * worth
    return worth
