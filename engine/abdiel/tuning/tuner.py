"""From samples to the header with the tuned set in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from abdiel.core.weights import GAMES, parameters, weights
from abdiel.tuning.fit import fit, split, steepness
from abdiel.tuning.header import weights_header
from abdiel.tuning.model import PAIRS, Positions, Weights

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from abdiel.tuning.samples import Sample

# Fewer say nothing.
_FEWEST = 100
_SAID = 20  # steps between two lines


def tune(
    samples: Sequence[Sample],
    *,
    mix: float,
    steps: int,
    rate: float,
    hold: float,
    say: Callable[[str], None],
) -> str:
    """Return the header's text with the weights that foretell games kept apart best.

    Raises `ValueError` if there are too few samples, or of both sets of weights.
    """
    training, validation = split(samples)
    sets = {sample.weights for sample in samples}
    if len(validation) < _FEWEST or len(sets) != 1:
        raise ValueError(
            f"found {len(samples)} positions, {len(validation)} of them of every tenth game, for"
            f" {len(sets)} sets of weights; expected at least {_FEWEST} of these, for one set"
        )
    game = sets.pop()
    before = np.array(weights(game), float)
    start = Weights(before[PAIRS, 0], before[PAIRS, 1], before[~PAIRS, 0])
    known, kept_apart = Positions(training), Positions(validation)
    say(
        f"{GAMES[game]}: {len(training)} positions, {len(validation)} kept apart;"
        f" even odds of e to 1 are {1 / steepness(known):.0f} centipawns"
    )
    best = None
    for step in fit(known, kept_apart, start, mix=mix, steps=steps, rate=rate, hold=hold):
        if step.number % _SAID in (0, 1):
            say(f"{step.number:5} {step.training:.6f} {step.validation:.6f}")
        if best is None or step.validation < best.validation:
            best = step
    assert best is not None
    say(f"taken: step {best.number} {best.training:.6f} {best.validation:.6f}")
    after = before.copy()
    after[PAIRS, 0], after[PAIRS, 1] = best.weights.middlegame, best.weights.endgame
    after[~PAIRS, 0] = best.weights.danger
    rounded = [(int(first), int(second)) for first, second in np.rint(after)]
    for line in _material(rounded):
        say(line)
    return weights_header({game: rounded})


def _material(values: list[tuple[int, int]]) -> list[str]:
    names, at = ["-", "P", "N", "B", "R", "Q", "K", "A", "C", "angel", "devil"], 0
    for name, count, _, _ in parameters():
        if name == "material":
            own = values[at : at + count]
            return [f"{kind}: {mg} {eg}" for kind, (mg, eg) in zip(names, own, strict=True) if mg]
        at += count
    return []
