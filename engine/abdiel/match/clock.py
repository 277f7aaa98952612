"""Time controls, and the clock of one side of a game."""

from __future__ import annotations

import re
from typing import NamedTuple

from abdiel.errors import shown

_NUMBER = r"[0-9]{1,9}(?:\.[0-9]*)?|\.[0-9]+"
_TC = re.compile(rf"(?:([0-9]{{1,6}})/)?(?:([0-9]{{1,6}}):)?({_NUMBER})(?:\+({_NUMBER}))?\Z")
UNLIMITED = "inf"


class TimeControl(NamedTuple):
    """How long an engine may think. Times are in milliseconds, 0 stands for none.

    - `time_ms` for `moves` moves, or for the whole game if `moves` is 0, and `increment_ms` after
      each move;
    - or `movetime_ms` for each move;
    - `nodes` and `depth` limit each search, with or without a clock;
    - `margin_ms`: by how much the time may be overstepped.
    """

    moves: int = 0
    time_ms: int = 0
    increment_ms: int = 0
    movetime_ms: int = 0
    nodes: int = 0
    depth: int = 0
    margin_ms: int = 0

    @property
    def has_clock(self) -> bool:
        """Whether time runs down over the game."""
        return self.time_ms > 0 or self.increment_ms > 0

    def __str__(self) -> str:
        """Write it as it is given: `40/60+0.6`, `nodes=1000`."""
        words = []
        if self.has_clock:
            moves = f"{self.moves}/" if self.moves else ""
            increment = f"+{_seconds(self.increment_ms)}" if self.increment_ms else ""
            words.append(f"{moves}{_seconds(self.time_ms)}{increment}")
        if self.movetime_ms:
            words.append(f"st={_seconds(self.movetime_ms)}")
        if self.nodes:
            words.append(f"nodes={self.nodes}")
        if self.depth:
            words.append(f"depth={self.depth}")
        return " ".join(words) or UNLIMITED


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")


def parse_tc(text: str) -> TimeControl:
    """Return the time control of `moves/time+increment`, in seconds or minutes:seconds, or `inf`.

    Raises `ValueError`.
    """
    if text == UNLIMITED:
        return TimeControl()
    found = _TC.match(text)
    if found is not None:
        moves, minutes, seconds, increment = found.groups()
        time_ms = int(minutes or 0) * 60_000 + round(float(seconds) * 1000)
        control = TimeControl(int(moves or 0), time_ms, round(float(increment or 0) * 1000))
        if time_ms or (control.increment_ms and not control.moves):
            return control
    raise ValueError(
        f"{shown(text)}, expected moves/time+increment in seconds, such as 40/60 or 8+0.08,"
        f" or {UNLIMITED}"
    )


class Clock:
    """What one side has left, by its time control. It knows no time of day: it is told."""

    def __init__(self, control: TimeControl) -> None:
        """Start the time of a game."""
        self.control = control
        self.left_ms = float(control.time_ms + (0 if control.time_ms else control.increment_ms))
        self.moves_to_go = control.moves

    def allowed_ms(self) -> float | None:
        """Return how long the next move may take, margin and all; None if nothing limits it."""
        control = self.control
        if control.movetime_ms:
            return control.movetime_ms + control.margin_ms
        if control.has_clock:
            return self.left_ms + control.margin_ms
        return None

    def spend(self, elapsed_ms: float) -> bool:
        """Count a move that took so long; return whether it was made in time."""
        allowed = self.allowed_ms()
        if allowed is not None and elapsed_ms > allowed:
            return False
        control = self.control
        if control.has_clock and not control.movetime_ms:
            self.left_ms += control.increment_ms - elapsed_ms
            if control.moves:
                self.moves_to_go -= 1
                if not self.moves_to_go:
                    self.moves_to_go = control.moves
                    self.left_ms += control.time_ms
        return True


def go_command(white: Clock, black: Clock, turn: bool) -> str:
    """Return the UCI command that starts the search of the side to move, White if `turn`."""
    mine = white if turn else black
    control = mine.control
    words = ["go"]
    if control.movetime_ms:
        words.append(f"movetime {control.movetime_ms}")
    elif control.has_clock:
        clocks = [
            (letter, clock)
            for letter, clock in (("w", white), ("b", black))
            if clock.control.has_clock and not clock.control.movetime_ms
        ]
        # Within the margin the rest may be below zero, which engines do not expect.
        words += [f"{letter}time {max(1, int(clock.left_ms))}" for letter, clock in clocks]
        words += [
            f"{letter}inc {clock.control.increment_ms}"
            for letter, clock in clocks
            if clock.control.increment_ms
        ]
        if control.moves:
            words.append(f"movestogo {mine.moves_to_go}")
    if control.nodes:
        words.append(f"nodes {control.nodes}")
    if control.depth:
        words.append(f"depth {control.depth}")
    return " ".join(words)
