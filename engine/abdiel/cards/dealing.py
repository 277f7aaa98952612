"""Deals unseen cards to places some of which cannot hold cards of some kinds.

Every deal that fits is as likely as any other: card by card, a place is drawn in proportion to the
number of ways in which the cards after it can be dealt. These numbers are kept, since a search
deals from the same knowledge many times.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

# How many cards of a kind there are, and a mask of the places that can hold them.
Kind = tuple[int, int]

# What the places need is one number, so many bits for each place.
_BITS = 6
_MOST = (1 << _BITS) - 1


def deal_unseen(
    rng: Random, cards: Sequence[tuple[Sequence[int], int]], needs: Sequence[int]
) -> list[list[int]]:
    """Return for each place as many cards as it needs, all of `cards` in all.

    `cards` are the unseen cards of each kind and a mask of the places that can hold them. Raises
    `ValueError` if there is no such deal.
    """
    piles: dict[int, list[int]] = {}
    for some, allowed in cards:
        if some:
            piles.setdefault(allowed, []).extend(some)
    if not piles:
        return [[] for _ in needs]
    # The last kind takes what is left. So it is a large one; and one that fits few places leaves
    # few ways, so it comes first.
    *kinds, last = sorted(
        piles, key=lambda allowed: (allowed.bit_count(), len(piles[allowed]), allowed)
    )
    ways = _ways_of(tuple((len(piles[kind]), kind) for kind in (*kinds, last)), tuple(needs))
    left = ways.needs
    hands: list[list[int]] = [[] for _ in needs]
    at = 0
    for kind in kinds:
        for card in piles[kind]:
            place = ways.draw(at, left, rng)
            hands[place].append(card)
            left -= 1 << _BITS * place
            at += 1
    if not ways.count(at, left):
        raise ValueError("no deal fits what has been seen")
    pile = piles[last]
    rng.shuffle(pile)
    for place, hand in enumerate(hands):
        for _ in range(left >> _BITS * place & _MOST):
            hand.append(pile.pop())
    return hands


class _Ways:
    """In how many ways the cards from one on can be dealt to places that need so many.

    Cards are counted one by one, without those of the last kind.
    """

    def __init__(self, kinds: tuple[Kind, ...], needs: tuple[int, ...]) -> None:
        *first, (self._count, allowed) = kinds
        places = range(len(needs))
        self.needs = sum(need << _BITS * place for place, need in enumerate(needs))
        self._shifts = [_BITS * place for place in places]
        # For each card where it can go.
        self._choices = [
            tuple(place for place in places if allowed >> place & 1)
            for count, allowed in first
            for _ in range(count)
        ]
        self._barred = sum(_MOST << _BITS * place for place in places if not allowed >> place & 1)
        self._known: list[dict[int, int]] = [{} for _ in range(len(self._choices) + 1)]

    def count(self, at: int, left: int) -> int:
        """Return the number of ways from card `at` on, when the places need `left`."""
        known = self._known[at]
        if left not in known:
            known[left] = self._count_anew(at, left)
        return known[left]

    def _count_anew(self, at: int, left: int) -> int:
        if at < len(self._choices):
            return sum(
                self.count(at + 1, left - (1 << _BITS * place))
                for place in self._choices[at]
                if left >> _BITS * place & _MOST
            )
        if left & self._barred:
            return 0
        ways = factorial(self._count)
        for shift in self._shifts:
            ways //= factorial(left >> shift & _MOST)
        return ways

    def draw(self, at: int, left: int, rng: Random) -> int:
        """Return a place for card `at`."""
        total = self.count(at, left)
        if not total:
            raise ValueError("no deal fits what has been seen")
        number = rng.randrange(total)
        for place in self._choices[at]:
            if left >> _BITS * place & _MOST:
                number -= self.count(at + 1, left - (1 << _BITS * place))
                if number < 0:
                    break
        return place


@lru_cache(maxsize=256)
def _ways_of(kinds: tuple[Kind, ...], needs: tuple[int, ...]) -> _Ways:
    return _Ways(kinds, needs)
