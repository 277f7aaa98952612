"""Reads the fields of a record: each has its type, and an error names its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abdiel.cards.errors import RecordError
from abdiel.errors import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def told(value: object) -> str:
    """Return a value as it stands in the record, cut when it is long."""
    import json  # for errors only, and slow to import

    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def check_keys(
    data: object, place: str, required: Sequence[str], optional: Sequence[str] = ()
) -> dict[str, object]:
    """Return `data`, an object that has all of `required` and nothing beside `optional`."""
    if not isinstance(data, dict):
        raise RecordError(place, f"expected an object, found {told(data)}")
    for key in required:
        if key not in data:
            raise RecordError(place, f'"{key}" is missing')
    for key in data:
        if key not in required and key not in optional:
            known = ", ".join((*required, *optional))
            raise RecordError(place, f"unknown key {shown(key)}; there are {known}")
    return data


def read_int(value: object, place: str) -> int:
    """Return a whole number; true is none."""
    if type(value) is not int:
        raise RecordError(place, f"expected a whole number, found {told(value)}")
    return value


def expect_int(value: object, place: str, expected: int) -> None:
    """Raise `RecordError` unless `value` is the whole number `expected`."""
    if read_int(value, place) != expected:
        raise RecordError(place, f"expected {expected}, found {told(value)}")


def read_list(value: object, place: str, length: int | None = None) -> list[object]:
    """Return a list, of `length` items if given."""
    if not isinstance(value, list):
        raise RecordError(place, f"expected a list, found {told(value)}")
    if length is not None and len(value) != length:
        raise RecordError(place, f"expected {length} entries, found {len(value)}")
    return value


def read_ints(value: object, place: str, length: int) -> list[int]:
    """Return a list of whole numbers."""
    return [read_int(item, place) for item in read_list(value, place, length)]


def read_card(value: object, place: str, cards: Mapping[str, int]) -> int:
    """Return the card of a name."""
    if not isinstance(value, str) or value not in cards:
        raise RecordError(
            place, f"expected a card such as {next(iter(cards))}, found {told(value)}"
        )
    return cards[value]


def read_cards(value: object, place: str, length: int, cards: Mapping[str, int]) -> list[int]:
    """Return cards by their names."""
    return [read_card(item, place, cards) for item in read_list(value, place, length)]
