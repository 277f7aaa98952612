"""Moving the weights so that the evaluation foretells results (Texel's tuning method, by Adam).

https://www.chessprogramming.org/Texel%27s_Tuning_Method. What is foretold is a mixture of the
game's result and of what the search thought. A prior holds every weight near to what it was: the
more firmly, the fewer positions there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from abdiel.core.weights import parameters
from abdiel.tuning.model import PAIRS, Positions, Weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from abdiel.tuning.model import Floats
    from abdiel.tuning.samples import Sample

# How far a weight may well be off, in centipawns or units. Material is known less; how to drive a
# bare King is no matter of results, so that it stays.
_DEVIATION = 20.0
_DEVIATIONS = {"material": 80.0, "squares": 14.0, "drive_edge": 0.01, "drive_near": 0.01}
_BETAS = (0.9, 0.999)
# Every so manieth game is kept apart.
_HELD_OUT = 10


class Step(NamedTuple):
    """The losses after a step, in nats a position."""

    number: int
    training: float
    validation: float
    weights: Weights


def split(samples: Sequence[Sample]) -> tuple[list[Sample], list[Sample]]:
    """Return the samples to train with and those of every tenth game, kept apart."""
    games: dict[str, int] = {}
    kept: tuple[list[Sample], list[Sample]] = ([], [])
    for sample in samples:
        number = games.setdefault(sample.game, len(games))
        kept[number % _HELD_OUT == _HELD_OUT - 1].append(sample)
    return kept


def steepness(positions: Positions) -> float:
    """Return the k for which 1 / (1 + exp(-k * score)) of the searches foretells results best."""
    low, high = 0.0005, 0.02
    for _ in range(60):
        third = (high - low) / 3
        losses = [
            _loss(k * positions.scores, positions.points) for k in (low + third, high - third)
        ]
        if losses[0] < losses[1]:
            high -= third
        else:
            low += third
    return (low + high) / 2


def fit(
    training: Positions,
    validation: Positions,
    weights: Weights,
    *,
    mix: float,
    steps: int,
    rate: float,
    hold: float,
) -> Iterator[Step]:
    """Yield the weights after each of some steps of Adam; `rate` is centipawns a step at first.

    `mix` is the game result's share of what is to be foretold, `hold` how firmly the prior
    holds, in positions: as if so many said no more than that.
    """
    slope = steepness(training)
    targets = [_targets(positions, slope, mix) for positions in (training, validation)]
    deviations = _deviations()
    prior = np.concatenate(weights)
    moving = prior.copy()
    mean, square = np.zeros_like(moving), np.zeros_like(moving)
    cuts = np.cumsum([len(part) for part in weights])[:-1]
    held = hold / len(training.points)
    for number in range(1, steps + 1):
        weights = Weights(*np.split(moving, cuts))
        value = _logistic(slope * training.evaluate(weights))
        slopes = slope * (value - targets[0]) / len(value)
        gradient = np.concatenate(training.gradient(weights, slopes))
        gradient += held * (moving - prior) / deviations**2
        mean = _BETAS[0] * mean + (1 - _BETAS[0]) * gradient
        square = _BETAS[1] * square + (1 - _BETAS[1]) * gradient**2
        size = rate * (1 - (number - 1) / steps)
        moving = moving - size * (mean / (1 - _BETAS[0] ** number)) / (
            np.sqrt(square / (1 - _BETAS[1] ** number)) + 1e-12
        )
        weights = Weights(*np.split(moving, cuts))
        losses = [
            _loss(slope * positions.evaluate(weights), target)
            for positions, target in zip((training, validation), targets, strict=True)
        ]
        yield Step(number, losses[0], losses[1], weights)


def _targets(positions: Positions, slope: float, mix: float) -> Floats:
    return mix * positions.points + (1 - mix) * _logistic(slope * positions.scores)


def _deviations() -> Floats:
    each = np.array(
        [_DEVIATIONS.get(name, _DEVIATION) for name, n, _, _ in parameters() for _ in range(n)]
    )
    return np.concatenate([each[PAIRS], each[PAIRS], each[~PAIRS]])


def _logistic(x: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-x))
    return found


def _loss(logits: Floats, targets: Floats) -> float:
    """Return the mean cross entropy."""
    return float(np.mean(np.logaddexp(0, logits) - targets * logits))
