"""What the counts of a match say: Elo, its error, and the sequential test (SPRT).

Pure functions on counts, always from the first engine's view. A pair is two games on one opening
with the colours exchanged; counting pairs instead of games keeps what an opening favours out of
the error (the pentanomial model). Sources, all by Michel Van den Bergh, who worked the methods
out for Stockfish's Fishtest:

- [Expectation] https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf
- [Normalized] https://www.cantate.be/Fishtest/normalized_elo_practical.pdf
- [GSPRT] https://www.cantate.be/Fishtest/GSPRT_approximation.pdf
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, log, log10, nan, sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

try:
    from scipy.optimize import brentq  # type: ignore[import-untyped]
    from scipy.special import ndtr, ndtri  # type: ignore[import-untyped]
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "the statistics of a match need scipy: pip install 'abdiel[match]'", name=error.name
    ) from None

if TYPE_CHECKING:
    from collections.abc import Sequence

Model: TypeAlias = Literal["logistic", "normalized"]
Hypothesis: TypeAlias = Literal["H0", "H1"]

CONFIDENCE = 0.95
"""The probability that an error bar covers."""

NORMALIZED_ELO = 800 / log(10)
"""Normalised Elo for one standard deviation of a game; near 50 % and without draws it is Elo."""

LARGEST_BOUND = 200.0
"""The largest `elo0` and `elo1`, in either direction."""

_PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
# A count of zero would make an outcome impossible for ever; Fishtest puts this in its place.
_NEVER_SEEN = 1e-3
_MAX_ROUNDS = 100
_PRECISION = 1e-10


class Pentanomial(NamedTuple):
    """Pairs of games by the points that the first engine made in them: 0, 1/2, 1, 3/2, 2."""

    ll: int = 0
    ld: int = 0
    dd_wl: int = 0
    wd: int = 0
    ww: int = 0

    @classmethod
    def of_pair(cls, half_points: int) -> Pentanomial:
        """Return the count of one pair that made 0 to 4 half points. Raises `ValueError`."""
        if not 0 <= half_points <= 4:
            raise ValueError(f"half points of a pair: found {half_points}, expected 0 to 4")
        return cls(*(int(index == half_points) for index in range(5)))

    def add(self, other: Pentanomial) -> Pentanomial:
        """Return the sum of two counts."""
        return Pentanomial(*map(int.__add__, self, other))

    def mirrored(self) -> Pentanomial:
        """Return the same pairs from the second engine's view."""
        return Pentanomial(*reversed(self))

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return sum(self)

    @property
    def score(self) -> float:
        """The first engine's share of the points, 0 to 1; nan without pairs."""
        return _mean_and_variance(self)[0]


class Estimate(NamedTuple):
    """How the first engine stands. Errors are half the width of a 95 % interval.

    nan marks what the counts cannot tell: everything but `los` without games, the errors when
    all games ended the same.

    - `score`: its share of the points, 0 to 1.
    - `elo`, `elo_error`: logistic Elo, infinite for a score of 0 or 1.
    - `los`: likelihood of superiority, the probability (0 to 1) that it is the stronger one.
    - `draw_rate`: share of drawn games, 0 to 1.
    - `normalized_elo`, `normalized_error`: score above 50 % in standard deviations of a game,
      times 800 / ln 10, so that it tells how many games show the difference.
    """

    score: float
    elo: float
    elo_error: float
    los: float
    draw_rate: float
    normalized_elo: float
    normalized_error: float


def elo(score: float) -> float:
    """Return the logistic Elo difference at which `score`, 0 to 1, is expected."""
    if score <= 0:
        return -inf
    if score >= 1:
        return inf
    return 400 * log10(score / (1 - score))


def expected_score(elo: float) -> float:
    """Return the score, 0 to 1, expected at a logistic Elo difference."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def estimate(
    wins: int, draws: int, losses: int, pentanomial: Pentanomial | None = None
) -> Estimate:
    """Return what the games of a match say of the first engine.

    With `pentanomial` the variance is that of the pairs, which is less than that of single
    games, as the score of a pair knows no colours. Games of unfinished pairs count in the score.
    Pairs that all scored the same do not tell how much they vary; then the games' variance, which
    is not less, stands in. Games that all ended the same leave `los` to wins against losses, with
    the variance that they have between equals.

    The Elo error is half the distance of the two Elo values at 1.96 standard errors of the score
    to both sides. The normalised error is that of an even match [Normalized, section 2].
    """
    games = wins + draws + losses
    if not games:
        return Estimate(nan, nan, nan, 0.5, nan, nan, nan)
    score, variance = _mean_and_variance((losses, draws, wins))
    if pentanomial is not None and pentanomial.pairs:
        # The score of a pair is the mean of two games': its variance is half that of a game.
        variance = 2 * _mean_and_variance(pentanomial)[1] or variance
    z = float(ndtri((1 + CONFIDENCE) / 2))
    excess = score - 0.5
    if not variance:
        certain = inf if excess > 0 else -inf if excess < 0 else 0.0
        los = float(ndtr((wins - losses) / sqrt(wins + losses or 1)))
        return Estimate(score, elo(score), nan, los, draws / games, certain, nan)
    error = sqrt(variance / games)
    return Estimate(
        score=score,
        elo=elo(score),
        elo_error=(elo(score + z * error) - elo(score - z * error)) / 2,
        los=float(ndtr(excess / error)),
        draw_rate=draws / games,
        normalized_elo=excess / sqrt(variance) * NORMALIZED_ELO,
        normalized_error=z / sqrt(games) * NORMALIZED_ELO,
    )


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test of `elo0` against `elo1`.

    H0 says that the first engine is better by `elo0` (or less), H1 that it is by `elo1` (or
    more). `alpha` is the probability of accepting H1 where H0 holds, `beta` of accepting H0 where
    H1 holds; as a test ends a little beyond a bound, the true rates are a little smaller. `model`
    names the unit of the bounds. Raises `ValueError` for bounds or rates that make no test.

    It is the generalised test [GSPRT]: what is not known under either hypothesis, the shares of
    the five results of a pair, is the most likely that the hypothesis allows.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"

    def __post_init__(self) -> None:
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"SPRT {name}: found {rate}, expected more than 0, less than 0.5")
        for name, bound in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not isfinite(bound) or abs(bound) > LARGEST_BOUND:
                raise ValueError(
                    f"SPRT {name}: found {bound}, expected {-LARGEST_BOUND:g} to {LARGEST_BOUND:g}"
                )
        if self.elo0 >= self.elo1:
            raise ValueError(
                f"SPRT elo0, elo1: found {self.elo0:g} and {self.elo1:g}, expected elo0 < elo1"
            )
        if self.model not in ("logistic", "normalized"):
            raise ValueError(f"SPRT model: found {self.model!r}, expected logistic or normalized")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    def llr(self, pentanomial: Pentanomial) -> float:
        """Return the generalised log-likelihood ratio of H1 to H0; 0 without pairs."""
        if not pentanomial.pairs:
            return 0.0
        counts = [count or _NEVER_SEEN for count in pentanomial]
        total = sum(counts)
        seen = [count / total for count in counts]
        if self.model == "logistic":
            under0, under1 = (
                _likeliest_with_mean(seen, expected_score(x)) for x in (self.elo0, self.elo1)
            )
        else:
            # The mean of a pair has the standard deviation of a game divided by sqrt(2).
            under0, under1 = (
                _likeliest_with_t_value(seen, x / NORMALIZED_ELO * sqrt(2))
                for x in (self.elo0, self.elo1)
            )
        return sum(n * log(p1 / p0) for n, p0, p1 in zip(counts, under0, under1, strict=True))

    def decision(self, pentanomial: Pentanomial) -> Hypothesis | None:
        """Return the hypothesis to accept, None while the test goes on."""
        llr = self.llr(pentanomial)
        if llr >= self.upper:
            return "H1"
        return "H0" if llr <= self.lower else None


def _mean_and_variance(counts: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of scores spread evenly over 0 to 1; nan without any."""
    total = sum(counts)
    if not total:
        return nan, nan
    scores = [index / (len(counts) - 1) for index in range(len(counts))]
    mean = sum(n * x for n, x in zip(counts, scores, strict=True)) / total
    return mean, sum(n * (x - mean) ** 2 for n, x in zip(counts, scores, strict=True)) / total


def _likeliest(seen: Sequence[float], values: Sequence[float]) -> list[float]:
    """Return the distribution under which `seen` is the most likely and `values` have mean 0.

    With a Lagrange multiplier x it is seen / (1 + x * value) [Expectation, proposition 1.1], and
    x is the only zero of a falling function. No share exceeds 1, which for the largest and the
    smallest value tells between which bounds x lies.
    """
    largest = max(zip(values, seen, strict=True))
    smallest = min(zip(values, seen, strict=True))
    x: float = brentq(
        lambda x: sum(p * v / (1 + x * v) for p, v in zip(seen, values, strict=True)),
        (largest[1] - 1) / largest[0],
        (smallest[1] - 1) / smallest[0],
        xtol=1e-15,  # 1 + x * value may be as small as the share of what was never seen
    )
    return [p / (1 + x * v) for p, v in zip(seen, values, strict=True)]


def _likeliest_with_mean(seen: Sequence[float], mean: float) -> list[float]:
    return _likeliest(seen, [score - mean for score in _PAIR_SCORES])


def _likeliest_with_t_value(seen: Sequence[float], t: float) -> list[float]:
    """Return the likeliest distribution whose mean is t standard deviations above 1/2.

    The condition is not linear in the shares. Its linear part at one distribution gives the
    next, until they stay the same [Normalized, section 4.1].
    """
    shares = [1 / len(seen)] * len(seen)
    for _ in range(_MAX_ROUNDS):
        mean, variance = _mean_and_variance(shares)
        deviation = sqrt(variance)
        values = [
            score - 0.5 - t * deviation * (1 + ((score - mean) / deviation) ** 2) / 2
            for score in _PAIR_SCORES
        ]
        before, shares = shares, _likeliest(seen, values)
        if max(abs(old - new) for old, new in zip(before, shares, strict=True)) < _PRECISION:
            break
    return shares
