"""Ending games that both engines hold for decided, or that go on too long."""

from __future__ import annotations

from typing import NamedTuple


class DrawRule(NamedTuple):
    """A draw when both scores stay within `score` centipawns for `movecount` moves each.

    Not before move `movenumber` of the game.
    """

    movenumber: int
    movecount: int
    score: int


class ResignRule(NamedTuple):
    """A loss when the score stays at `-score` centipawns or worse for `movecount` moves.

    If `twosided`, the opponent's must be `score` or better in the same moves.
    """

    movecount: int
    score: int
    twosided: bool = True


class Rules(NamedTuple):
    """What ends a game besides the rules of the game; `maxmoves` 0 for no limit."""

    draw: DrawRule | None = None
    resign: ResignRule | None = None
    maxmoves: int = 0


class Adjudicator:
    """Follows the scores of a game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._level = 0  # half-moves in a row with scores near zero
        self._lost = [0, 0]  # moves in a row with a lost score: White's, Black's
        self._won = [0, 0]

    def add(self, side: int, score: int | None) -> None:
        """Count the score of a move, from the view of its side: 0 White, 1 Black."""
        draw, resign = self.rules.draw, self.rules.resign
        if draw is not None:
            self._level = self._level + 1 if score is not None and abs(score) <= draw.score else 0
        if resign is not None:
            lost = score is not None and score <= -resign.score
            won = score is not None and score >= resign.score
            self._lost[side] = self._lost[side] + 1 if lost else 0
            self._won[side] = self._won[side] + 1 if won else 0

    def is_draw(self, plies: int) -> bool:
        """Tell whether the game of so many half-moves is to be called a draw."""
        draw = self.rules.draw
        return (
            draw is not None and plies >= 2 * draw.movenumber and self._level >= 2 * draw.movecount
        )

    def loser(self) -> int | None:
        """Return the side that has lost, 0 White or 1 Black, None if neither has."""
        resign = self.rules.resign
        if resign is None:
            return None
        for side in (0, 1):
            if self._lost[side] >= resign.movecount and (
                not resign.twosided or self._won[1 - side] >= resign.movecount
            ):
                return side
        return None

    def is_too_long(self, plies: int) -> bool:
        """Tell whether the game has reached its greatest length."""
        return 0 < 2 * self.rules.maxmoves <= plies
