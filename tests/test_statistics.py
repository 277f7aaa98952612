"""Statistics of matches: published figures, an independent maximisation, and simulation."""

from __future__ import annotations

import json
import math
import pickle
import random
from functools import cache
from math import inf, isnan, log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("scipy")

from scipy.optimize import brentq, minimize  # type: ignore[import-untyped]

from abdiel.match.statistics import (
    LARGEST_BOUND,
    NORMALIZED_ELO,
    Model,
    Pentanomial,
    Sprt,
    elo,
    estimate,
    expected_score,
)

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
# Shares of the results of a pair that Van den Bergh's README of github.com/vdbergh/pentanomial
# calls typical of long games.
TYPICAL = (0.0159, 0.2189, 0.5303, 0.2189, 0.0159)

counts = st.tuples(*[st.integers(0, 5000)] * 5).map(lambda pairs: Pentanomial(*pairs))


# Counts


def test_pairs_are_counted() -> None:
    total = Pentanomial()
    for half_points in (0, 2, 2, 3, 4, 4, 4):
        total = total.add(Pentanomial.of_pair(half_points))
    assert total == (1, 0, 2, 1, 3)
    assert total.pairs == 7
    assert total.score == (0 + 2 * 1 + 1.5 + 3 * 2) / 14
    assert total.mirrored() == (3, 1, 2, 0, 1)
    assert isnan(Pentanomial().score)
    for wrong in (-1, 5):
        with pytest.raises(ValueError, match=f"found {wrong}, expected 0 to 4"):
            Pentanomial.of_pair(wrong)


# Elo


def test_elo_is_the_logistic_curve() -> None:
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.75) == pytest.approx(190.8485, abs=5e-4)  # 400 log10(3)
    assert (elo(0), elo(1)) == (-inf, inf)
    for score in (0.01, 0.3, 0.5, 0.99):
        assert expected_score(elo(score)) == pytest.approx(score)


@pytest.mark.parametrize(
    ("losses", "draws", "wins", "want"),
    [
        # github.com/Disservin/fastchess, app/tests/elo_test.cpp, cases "EloWDL" 1 to 3
        (89, 123, 76, {"normalized_elo": -20.76, "normalized_error": 40.13, "los": 0.1553}),
        (
            96,
            111,
            136,
            {
                "normalized_elo": 49.77,
                "normalized_error": 36.77,
                "elo": 40.70,
                "elo_error": 30.43,
                "los": 0.9960,
            },
        ),
        (356, 0, 34, {"normalized_elo": -508.44, "normalized_error": 34.48}),
    ],
)
def test_games_as_published(losses: int, draws: int, wins: int, want: dict[str, float]) -> None:
    found = estimate(wins, draws, losses)._asdict()
    for field, value in want.items():
        assert found[field] == pytest.approx(value, abs=0.0051 if value > 1 or value < 0 else 5e-5)
    assert found["draw_rate"] == draws / (wins + draws + losses)


@pytest.mark.parametrize(
    ("pairs", "want"),
    [
        # The same file of fastchess, cases "EloPentanomial" 1 to 3 (WL and DD added up)
        (
            (34, 54, 63, 64, 75),
            {"normalized_elo": 57.94, "normalized_error": 28.28, "elo": 55.58, "elo_error": 27.65},
        ),
        (
            (332, 433, 498, 333, 334),
            {
                "normalized_elo": -9.17,
                "normalized_error": 10.96,
                "elo": -8.64,
                "elo_error": 10.33,
                "los": 0.0505,
            },
        ),
        (
            (7895, 8757, 5685, 568, 9999),
            {"normalized_elo": -19.01, "normalized_error": 2.65, "elo": -21.04, "elo_error": 2.95},
        ),
        # montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712, a page of raw statistics made
        # by Fishtest's code
        ((13, 37, 50, 25, 3), {"score": 0.4375, "normalized_elo": -63.97, "elo": -43.6578}),
        # Fishtest's results, github.com/official-stockfish/Stockfish/pull/6095 and /6255
        (
            (168, 7012, 15622, 7035, 163),
            {"elo": 0.08, "elo_error": 1.4, "los": 0.542, "normalized_elo": 0.15},
        ),
        (
            (1, 137, 4659, 203, 0),
            {"elo": 2.22, "elo_error": 1.3, "normalized_elo": 12.00, "normalized_error": 6.8},
        ),
    ],
)
def test_pairs_as_published(pairs: tuple[int, int, int, int, int], want: dict[str, float]) -> None:
    total = Pentanomial(*pairs)
    # Any games with these points: here every pair of 1 point is a win and a loss.
    wins = total.dd_wl + total.wd + 2 * total.ww
    losses = total.dd_wl + total.ld + 2 * total.ll
    found = estimate(wins, total.ld + total.wd, losses, total)._asdict()
    for field, value in want.items():
        digits = len(str(value).partition(".")[2])
        # Published figures are rounded; "12.00" is written 12.0 here.
        assert found[field] == pytest.approx(value, abs=0.51 * 10**-digits)
    assert found["score"] == pytest.approx(total.score)


def test_unfinished_pairs_count_in_the_score_alone() -> None:
    pairs = Pentanomial(2, 10, 20, 12, 3)
    finished = estimate(20, 52, 22, pairs)
    more = estimate(21, 52, 22, pairs)
    assert more.score > finished.score
    assert more.elo_error == pytest.approx(finished.elo_error, rel=0.02)
    assert estimate(21, 52, 22, Pentanomial()) == estimate(21, 52, 22)


def test_pairs_take_the_openings_out_of_the_error() -> None:
    # Every opening is won by White: single games look like much noise, pairs like none.
    noisy = estimate(510, 0, 490)
    paired = estimate(510, 0, 490, Pentanomial(0, 0, 490, 0, 10))
    assert paired.elo == noisy.elo
    assert paired.elo_error < noisy.elo_error / 5
    assert paired.los > noisy.los


def test_no_games_tell_nothing() -> None:
    for pairs in (None, Pentanomial()):
        nothing = estimate(0, 0, 0, pairs)
        assert nothing.los == 0.5
        assert all(isnan(value) for name, value in nothing._asdict().items() if name != "los")


@pytest.mark.parametrize(
    ("wins", "draws", "losses", "pairs", "elo", "los"),
    [
        # n games won are n results of one kind, and between equals their sum has a standard
        # deviation of sqrt(n): the normal distribution at sqrt(8), -sqrt(8), 1, 0.
        (8, 0, 0, Pentanomial(ww=4), inf, 0.997661),
        (0, 0, 8, Pentanomial(ll=4), -inf, 0.002339),
        (1, 0, 0, None, inf, 0.841345),
        (0, 8, 0, Pentanomial(dd_wl=4), 0, 0.5),
    ],
)
def test_games_that_all_ended_the_same(
    wins: int, draws: int, losses: int, pairs: Pentanomial | None, elo: float, los: float
) -> None:
    found = estimate(wins, draws, losses, pairs)
    assert found.elo == elo
    assert found.los == pytest.approx(los, abs=5e-7)
    assert found.normalized_elo == elo
    assert isnan(found.elo_error)
    assert isnan(found.normalized_error)
    assert found.draw_rate == draws / (wins + draws + losses)


@pytest.mark.parametrize(
    ("wins", "draws", "losses", "pairs"),
    [
        (4, 0, 4, Pentanomial(dd_wl=4)),
        (4, 4, 0, Pentanomial(wd=4)),
        # and with a game of a fifth pair
        (1, 8, 0, Pentanomial(dd_wl=4)),
        (5, 0, 4, Pentanomial(dd_wl=4)),
        (4, 1, 4, Pentanomial(dd_wl=4)),
        (4, 0, 5, Pentanomial(dd_wl=4)),
    ],
)
def test_pairs_that_all_scored_the_same(
    wins: int, draws: int, losses: int, pairs: Pentanomial
) -> None:
    found = estimate(wins, draws, losses, pairs)
    assert found == estimate(wins, draws, losses)
    assert 0 < found.los < 1
    assert math.isfinite(found.normalized_elo)
    assert found.elo_error > 0


# SPRT: published figures


@pytest.mark.parametrize(
    ("model", "elo0", "elo1", "pairs", "llr"),
    [
        # fastchess, app/tests/sprt_test.cpp. Its "normalized pentanomial 3", pairs that were all
        # won, is not here: see test_pairs_all_won.
        ("normalized", 0, 2, (365, 16618, 36229, 16974, 390), 2.25),
        ("normalized", -1.75, 0.25, (127, 4883, 10712, 5150, 104), 3.01),
        ("logistic", 0.5, 2.5, (223, 9863, 21279, 10037, 246), -3.07),
        ("logistic", 0, 2, (871, 26175, 55983, 26678, 821), -4.98),
        # The page of raw statistics above, "Normalized (exact)"
        ("normalized", 0, 4, (13, 37, 50, 25, 3), -0.54912),
        # Fishtest's results, github.com/official-stockfish/Stockfish/pull/ 6095, 6255, 4047, 6036
        ("normalized", 0.5, 2.5, (2, 5241, 18082, 5568, 3), 2.94),
        ("normalized", 0, 2, (37, 34598, 116181, 35307, 26), 2.94),
        ("normalized", -1.75, 0.25, (317, 12094, 28735, 12231, 319), 2.96),
        ("normalized", -1.75, 0.25, (47, 9917, 26934, 10064, 45), 2.94),
        ("normalized", 0.5, 3, (19, 3082, 9164, 3112, 35), -0.14),
        ("normalized", -2.25, 0.25, (42, 6976, 20950, 7070, 42), 2.95),
        ("normalized", 0, 2, (0, 1236, 4490, 1474, 1), 2.94),
        # and 3209, 3098, 2920 from the time of logistic bounds
        ("logistic", -0.25, 1.25, (253, 4282, 17604, 4431, 286), 2.94),
        ("logistic", 0.25, 1.25, (58, 3302, 33130, 3518, 84), 2.97),
        ("logistic", -0.25, 1.25, (491, 7345, 29693, 7670, 465), 2.96),
        ("logistic", -0.5, 1.5, (665, 4806, 9333, 4893, 747), 2.95),
    ],
)
def test_llr_as_published(
    model: Model, elo0: float, elo1: float, pairs: tuple[int, ...], llr: float
) -> None:
    digits = len(str(llr).partition(".")[2])
    # Fishtest ends a test when it is as near to the bound as a pair may carry it, and cuts digits
    # where fastchess rounds.
    found = Sprt(elo0, elo1, model=model).llr(Pentanomial(*pairs))
    assert found == pytest.approx(llr, abs=1.01 * 10**-digits)


def test_bounds_as_published() -> None:
    # "(-2.94, 2.94)" in every result of Fishtest; "(-2.25, 2.89)" in github.com/Yoshie2000/
    # PlentyChess/pull/296, where alpha is 0.05 and beta 0.1.
    sprt = Sprt(0, 2)
    assert (sprt.lower, sprt.upper) == pytest.approx((-2.944, 2.944), abs=1e-3)
    sprt = Sprt(0, 3, alpha=0.05, beta=0.1)
    assert (sprt.lower, sprt.upper) == pytest.approx((-2.25, 2.89), abs=5e-3)


def test_pairs_all_won() -> None:
    # The likeliest distribution has losses for the rest, as they take the fewest pairs: at t
    # deviations above a half its share of wins p solves p - 1/2 = t sqrt(p (1 - p)).
    # fastchess has 2.94 for this, where it stops to refine early.
    t = 5 / NORMALIZED_ELO * sqrt(2)
    share = 0.5 + t / sqrt(1 + t * t) / 2
    assert Sprt(0, 5).llr(Pentanomial(ww=104)) == pytest.approx(104 * log(share / 0.5), rel=1e-3)
    share = expected_score(5)
    found = Sprt(0, 5, model="logistic").llr(Pentanomial(ww=104))
    assert found == pytest.approx(104 * log(share / 0.5), rel=1e-3)


# SPRT: laws


def deviations(shares: tuple[float, ...] | list[float]) -> float:
    """The mean of a pair above a half in standard deviations of a game."""
    mean = sum(p * x for p, x in zip(shares, SCORES, strict=True))
    return (mean - 0.5) / sqrt(
        2 * sum(p * (x - mean) ** 2 for p, x in zip(shares, SCORES, strict=True))
    )


def distance(model: Model, shares: tuple[float, ...] | list[float], elo: float) -> float:
    """How far shares are from what an Elo difference of the model asks."""
    if model == "logistic":
        return sum(p * x for p, x in zip(shares, SCORES, strict=True)) - expected_score(elo)
    return deviations(shares) - elo / NORMALIZED_ELO


@pytest.mark.parametrize("model", ["logistic", "normalized"])
@pytest.mark.parametrize("bounds", [(0, 4), (-10, 50), (-LARGEST_BOUND, LARGEST_BOUND)])
@pytest.mark.parametrize(
    "pairs", [(13, 37, 50, 25, 3), (1, 5, 20, 30, 44), (100, 1, 100, 1, 50)], ids=str
)
def test_llr_is_what_a_general_optimiser_finds(
    model: Model, bounds: tuple[float, float], pairs: tuple[int, ...]
) -> None:
    def likelihood(elo: float) -> float:
        total = sum(pairs)
        found = minimize(
            lambda p: -sum(n * log(x) for n, x in zip(pairs, p, strict=True)) / total,
            [0.7 * n / total + 0.06 for n in pairs],
            bounds=[(1e-9, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: sum(p) - 1},
                {"type": "eq", "fun": lambda p: distance(model, list(p), elo)},
            ],
            method="SLSQP",
            options={"ftol": 1e-13, "maxiter": 1000},
        )
        assert found.success
        return float(-found.fun * total)

    want = likelihood(bounds[1]) - likelihood(bounds[0])
    assert Sprt(*bounds, model=model).llr(Pentanomial(*pairs)) == pytest.approx(want, rel=1e-6)


@settings(max_examples=40)
@given(counts, st.sampled_from(["logistic", "normalized"]), st.data())
def test_llr_of_any_counts(pairs: Pentanomial, model: Model, data: st.DataObject) -> None:
    bound = st.floats(-LARGEST_BOUND, LARGEST_BOUND)
    elo0, elo1 = sorted(data.draw(st.tuples(bound, bound)))
    if elo1 - elo0 < 1e-3:
        elo0 = elo1 - 1 if elo1 > 0 else elo0
        elo1 = max(elo1, elo0 + 1)
    llr = Sprt(elo0, elo1, model=model).llr(pairs)
    assert math.isfinite(llr)
    # Seen from the other side the hypotheses change places.
    mirrored = Sprt(-elo1, -elo0, model=model).llr(pairs.mirrored())
    assert mirrored == pytest.approx(-llr, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_llr_grows_with_the_score(model: Model) -> None:
    sprt = Sprt(0, 20, model=model)
    pairs = [
        Pentanomial(10 + 2 * worse, 40, 60, 40, 10 + 2 * better)
        for worse, better in ((10, 0), (5, 0), (0, 0), (0, 5), (0, 10))
    ]
    found = [sprt.llr(count) for count in pairs]
    assert found == sorted(found)
    assert found[0] < 0 < found[-1]


def test_decisions() -> None:
    sprt = Sprt(0, 10)
    assert sprt.llr(Pentanomial()) == 0
    assert sprt.decision(Pentanomial()) is None
    assert sprt.decision(Pentanomial(10, 40, 60, 40, 10)) is None
    assert sprt.decision(Pentanomial(100, 400, 1000, 700, 200)) == "H1"
    assert sprt.decision(Pentanomial(200, 700, 1000, 400, 100)) == "H0"
    # One pair never decides.
    assert {sprt.decision(Pentanomial.of_pair(points)) for points in range(5)} == {None}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"elo0": 5, "elo1": 0}, "SPRT elo0, elo1: found 5 and 0, expected elo0 < elo1"),
        ({"elo0": 1, "elo1": 1}, "expected elo0 < elo1"),
        ({"elo0": 0, "elo1": 201}, "SPRT elo1: found 201, expected -200 to 200"),
        ({"elo0": -inf, "elo1": 1}, "SPRT elo0: found -inf"),
        ({"elo0": math.nan, "elo1": 1}, "SPRT elo0: found nan"),
        ({"alpha": 0}, "SPRT alpha: found 0, expected more than 0, less than 0.5"),
        ({"beta": 0.5}, "SPRT beta: found 0.5"),
        ({"alpha": math.nan}, "SPRT alpha: found nan"),
        ({"model": "bayesian"}, "SPRT model: found 'bayesian', expected logistic or normalized"),
    ],
)
def test_bounds_that_make_no_test(arguments: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match="SPRT") as caught:
        Sprt(**{"elo0": 0, "elo1": 2, **arguments})  # type: ignore[arg-type]
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_plain_data() -> None:
    sprt = Sprt(0, 5, model="logistic")
    assert pickle.loads(pickle.dumps(sprt)) == sprt
    assert Pentanomial(*json.loads(json.dumps(Pentanomial(1, 2, 3, 4, 5)))) == (1, 2, 3, 4, 5)


# SPRT: error rates by simulation


def typical_shares(model: Model, elo: float) -> list[float]:
    """Tilt the typical shares until they have an Elo difference."""

    def tilted(x: float) -> list[float]:
        weights = [p * math.exp(x * score) for p, score in zip(TYPICAL, SCORES, strict=True)]
        return [weight / sum(weights) for weight in weights]

    return tilted(brentq(lambda x: distance(model, tilted(x), elo), -20, 20, xtol=1e-12))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "elo0", "elo1", "alpha", "beta"),
    [
        ("logistic", 0, 40, 0.1, 0.1),
        ("logistic", -20, 20, 0.05, 0.2),
        ("normalized", 0, 75, 0.1, 0.1),
        ("normalized", -40, 35, 0.2, 0.05),
    ],
)
def test_error_rates(model: Model, elo0: float, elo1: float, alpha: float, beta: float) -> None:
    sprt = Sprt(elo0, elo1, alpha, beta, model)
    decide = cache(sprt.decision)
    rng = random.Random(20)
    runs = 250
    for difference, rate, wrong in ((elo0, alpha, "H1"), (elo1, beta, "H0")):
        shares = typical_shares(model, difference)
        errors = 0
        for _ in range(runs):
            pairs = Pentanomial()
            decision = None
            while decision is None:
                for half_points in rng.choices(range(5), shares, k=6):
                    pairs = pairs.add(Pentanomial.of_pair(half_points))
                decision = decide(pairs)
            errors += decision == wrong
        # At most the rate, but for three standard deviations of the simulation; and not far less,
        # which would mean that tests are longer than need be.
        deviation = sqrt(rate * (1 - rate) / runs)
        assert rate / 4 < errors / runs < rate + 3 * deviation
