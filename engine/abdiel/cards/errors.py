"""The errors of the card games: both are a `ValueError` with a message of one line."""

from __future__ import annotations


class ActionError(ValueError):
    """An action is unknown, not legal or not that seat's; the message says what is legal."""


class RecordError(ValueError):
    """A record is malformed, or wrong by the rules.

    `place` tells where, such as "round 2, move 7"; "" means the record as a whole.
    """

    def __init__(self, place: str, fault: str) -> None:
        super().__init__(f"{place}: {fault}" if place else fault)
        self.place = place
        self.fault = fault

    def __reduce__(self) -> tuple[object, ...]:
        return RecordError, (self.place, self.fault)
