"""The evaluation as a function of its weights, for many positions at once.

Values are arrays over positions (rows), over weights that are pairs, or over those that are units
of danger (columns).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from abdiel.core.evaluate import DANGER_SHARE, DANGER_SQUARE, MAX_DANGER
from abdiel.core.weights import parameters

try:
    import numpy as np
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "tuning needs numpy and scipy: pip install 'abdiel[tune]'", name=error.name
    ) from None

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from abdiel.tuning.samples import Sample

    Floats = NDArray[np.float64]

# Which weights are pairs, the others being units of danger.
PAIRS: NDArray[np.bool_] = np.array([pairs for _, n, _, pairs in parameters() for _ in range(n)])


class Weights(NamedTuple):
    """A set of weights, or the gradient of something by them."""

    middlegame: Floats
    endgame: Floats
    danger: Floats


class Positions:
    """What the positions count, as sparse matrices, and the labels they carry."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        rows = len(samples)
        self.phase = np.array([sample.phase for sample in samples])
        self.rest = np.array([(1 - sample.phase) * sample.endgame for sample in samples])
        self.whole = np.array([sample.whole for sample in samples])
        self.scores = np.array([sample.score for sample in samples], float)
        self.points = np.array([sample.points for sample in samples])
        lengths = [len(sample.counts) for sample in samples]
        flat = np.array([count for sample in samples for count in sample.counts]).reshape(-1, 3)
        row = np.repeat(np.arange(rows), lengths)
        column, white, black = flat.T
        number = np.where(PAIRS, np.cumsum(PAIRS), np.cumsum(~PAIRS)) - 1
        pairs = PAIRS[column]

        def matrix(values: NDArray[np.int64], chosen: NDArray[np.bool_], width: int) -> Any:
            data = values[chosen].astype(float), (row[chosen], number[column[chosen]])
            found = csr_matrix(data, shape=(rows, width))
            return found, found.T.tocsr()

        self._pairs = matrix(white - black, pairs, int(PAIRS.sum()))
        self._white = matrix(white, ~pairs, int((~PAIRS).sum()))
        self._black = matrix(black, ~pairs, int((~PAIRS).sum()))
        self.seen = np.zeros(len(PAIRS))
        np.add.at(self.seen, column, 1)

    def evaluate(self, weights: Weights) -> Floats:
        """Return centipawns from White's view."""
        white, black = (side[0] @ weights.danger for side in (self._white, self._black))
        middlegame = self._pairs[0] @ weights.middlegame + _square(black) - _square(white)
        endgame = self._pairs[0] @ weights.endgame + _share(black) - _share(white)
        found: Floats = (middlegame * self.phase + endgame * self.rest) * self.whole
        return found

    def gradient(self, weights: Weights, slopes: Floats) -> Weights:
        """Return the gradient of a sum whose slopes by the positions' scores are given."""
        middlegame, endgame = slopes * self.whole * self.phase, slopes * self.whole * self.rest
        danger = np.zeros_like(weights.danger)
        for sign, side in ((-1, self._white), (1, self._black)):
            units = side[0] @ weights.danger
            inside = (units > 0) & (units < MAX_DANGER)
            by_units = inside * (middlegame * 2 * units / DANGER_SQUARE + endgame / DANGER_SHARE)
            danger += sign * (side[1] @ by_units)
        return Weights(self._pairs[1] @ middlegame, self._pairs[1] @ endgame, danger)


def _square(danger: Floats) -> Floats:
    found: Floats = np.clip(danger, 0, MAX_DANGER) ** 2 / DANGER_SQUARE
    return found


def _share(danger: Floats) -> Floats:
    found: Floats = np.clip(danger, 0, MAX_DANGER) / DANGER_SHARE
    return found
