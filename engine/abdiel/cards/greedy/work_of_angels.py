"""The Work of Angels: lay what can be laid, and keep the cards that are near to a set.

A card is worth keeping for the other cards in hand that could be in a set with it, as long as the
rest of the set is not laid out already; the more so in the suit of the own Jack.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from abdiel.cards.work_of_angels import (
    ADD,
    COURT_MASK,
    DISCARD,
    DRAW_DECK,
    DRAW_TABLE,
    END,
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

_MOST_CANDIDATES = 6
# By how many others of its number, or of its run, are in hand.
_NUMBER_WORTH = (0.0, 8.0, 30.0, 40.0)
_RUN_WORTH = (0.0, 1.0, 4.0, 12.0, 40.0)
_JACK_FACTOR = 1.5
_DECK_WORTH = 5.0
# What a card that the next players can add to their sets does for them.
_GIFT_COST = 10.0
_LATE = 12  # cards of the deck

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
    seat = state.current_player()
    if state.drawing:
        return [_draw_value(state, seat, action) for action in actions]
    return [_lay_value(state, seat, action) for action in actions]


def _draw_value(state: WorkOfAngels, seat: int, action: int) -> float:
    if action == DRAW_DECK:
        return _DECK_WORTH
    card = action - DRAW_TABLE
    if state.addable[seat] >> card & 1:
        return 100.0
    return _worth(state, seat, card)


def _lay_value(state: WorkOfAngels, seat: int, action: int) -> float:
    if action == END:
        return 0.0
    if action < END:
        return -_worth(state, seat, action - DISCARD) - _given_away(state, seat, action - DISCARD)
    if action >= ADD:
        return 1000.0
    mask = SET_MASKS[action]
    return 100.0 + card_points(mask) + card_points(mask & SUIT_MASKS[state.jack(seat)])


def _worth(state: WorkOfAngels, seat: int, card: int) -> float:
    """Return what a card in the hand, or added to it, is worth there."""
    gone = 0
    for laid in state.laid:
        gone |= laid
    return _worth_of(
        state.hands[seat] & ~(1 << card),
        gone,
        card,
        state.run_starts,
        state.jack(seat),
        state.deck_left < _LATE,
    )


@lru_cache(maxsize=1 << 16)
def _worth_of(others: int, gone: int, card: int, starts: int, jack: int, late: bool) -> float:
    bit = 1 << card
    own = SUIT_MASKS[jack]
    numbers = _RANK_MASKS[card] & ~bit
    worth = 0.0
    if (numbers & ~gone).bit_count() >= 2:
        worth = _NUMBER_WORTH[(others & numbers).bit_count()]
        if (others | bit) & numbers & own or bit & own:
            worth *= 1.2
    for start, mask in _WINDOWS[card]:
        if starts & start and not mask & gone:
            run = _RUN_WORTH[(others & mask).bit_count()]
            worth += run * _JACK_FACTOR if bit & own else run
    if bit & COURT_MASK:
        worth += -6.0 if late and worth < 6 else 0.1 * worth
    return worth


def _given_away(state: WorkOfAngels, seat: int, card: int) -> float:
    """Return the cost of laying a card on the table for the others."""
    cost = 0.0
    for other in range(state.num_players):
        if other == seat:
            continue
        if state.addable[other] >> card & 1:
            cost += _GIFT_COST
        elif state.known[other] & _RANK_MASKS[card]:
            cost += 2.0
    return cost
