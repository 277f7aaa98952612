"""Cards as the bits of a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def cards_of(mask: int) -> list[int]:
    """Return the cards of a mask, sorted."""
    cards = []
    while mask:
        bit = mask & -mask
        cards.append(bit.bit_length() - 1)
        mask ^= bit
    return cards


def mask_of(cards: Iterable[int]) -> int:
    """Return the mask of different cards."""
    return sum(1 << card for card in cards)
