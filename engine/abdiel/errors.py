"""The errors that the parsers raise: one type each, all of them a `ValueError`.

A message is one line that names the field, what was found and what would be right.
"""

from __future__ import annotations

SHOWN = 40  # characters of a faulty text that a message repeats


class FenError(ValueError):
    """A FEN is malformed or describes a position that cannot be played."""


class MoveError(ValueError):
    """A move in UCI text is malformed, or a move is not legal on its board."""


class SanError(ValueError):
    """A move in SAN is malformed, ambiguous or not legal."""


class EpdError(ValueError):
    """An EPD line is malformed, or an operation cannot be written as EPD."""


class PgnError(ValueError):
    """A game in PGN is malformed.

    `line` is the line of the file, from 1; `ply` the number of half-moves of the main line that
    were read before the fault, None when the fault is in the tags.
    """

    def __init__(self, message: str, *, line: int, ply: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.ply = ply

    def __reduce__(self) -> tuple[object, ...]:
        return _pgn_error, (str(self), self.line, self.ply)


def _pgn_error(message: str, line: int, ply: int | None) -> PgnError:
    """Return a `PgnError` that was pickled, which takes no keywords."""
    return PgnError(message, line=line, ply=ply)


class BoardError(ValueError):
    """An edited board is asked for moves while it is not a position that can be played."""


def shown(text: str) -> str:
    """Return `text` quoted for a message: on one line, and cut when it is long."""
    return repr(text) if len(text) <= SHOWN else repr(text[:SHOWN]) + "..."
