"""The tuner: a model that agrees with the core, right gradients, files that can be read again."""

import random
from pathlib import Path

import numpy as np
import pytest
from test_evaluate import games

import abdiel
from abdiel.commands import main
from abdiel.core.evaluate import evaluate, trace
from abdiel.core.weights import GAMES, parameters, weights
from abdiel.tuning import selfplay
from abdiel.tuning.fit import fit, split
from abdiel.tuning.header import weights_header
from abdiel.tuning.model import PAIRS, Positions, Weights
from abdiel.tuning.samples import Sample, read_samples
from abdiel.tuning.tuner import tune

VARIANTS = {"capablanca": 0, "angelsanddevils": 1}
SETTINGS = selfplay.Settings("angelsanddevils", 60, 3)
HEADER = Path(__file__).parent.parent / "ext/abdiel/core/weights.h"


def boards(variant: str, seeds: int = 8) -> list[abdiel.Board]:
    return [board for seed in range(seeds) for board in games(variant, seed, 100)]


def sample(board: abdiel.Board, game: str = "", score: int = 0) -> Sample:
    return Sample(game, trace(board._position)[0], score, 0.5, *trace(board._position)[1:])


def compiled(game: int) -> Weights:
    values = np.array(weights(game), float)
    return Weights(values[PAIRS, 0], values[PAIRS, 1], values[~PAIRS, 0])


def place(name: str, index: int = 0) -> int:
    """Return where a weight stands among the pairs."""
    at = 0
    for listed, count, _, pairs in parameters():
        if listed == name:
            return at + index
        at += count if pairs else 0
    raise KeyError(name)


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_the_model_is_the_evaluation(variant: str) -> None:
    positions = boards(variant)
    found = Positions([sample(board) for board in positions]).evaluate(compiled(VARIANTS[variant]))
    for board, score in zip(positions, found, strict=True):
        exact = evaluate(board._position)
        # The core rounds a danger's cost and each step of the taper.
        assert abs(score - (exact if board.turn else -exact)) < 5


def test_gradients_are_slopes() -> None:
    rng = np.random.default_rng(1)
    positions = Positions([sample(board) for board in boards("angelsanddevils", 3)])
    start = compiled(1)
    slopes = rng.normal(size=len(positions.points))
    gradient = np.concatenate(positions.gradient(start, slopes))
    flat = np.concatenate(start)
    cuts = np.cumsum([len(part) for part in start])[:-1]
    for at in np.flatnonzero(gradient)[::7]:
        sums = []
        for change in (-0.01, 0.01):
            moved = flat.copy()
            moved[at] += change
            sums.append(slopes @ positions.evaluate(Weights(*np.split(moved, cuts))))
        assert (sums[1] - sums[0]) / 0.02 == pytest.approx(gradient[at], rel=0.05, abs=0.05)


def test_fitting_finds_what_was_changed() -> None:
    start = compiled(0)
    taught = Weights(start.middlegame.copy(), start.endgame.copy(), start.danger.copy())
    at = place("material", 3)
    taught.middlegame[at] += 60
    taught.endgame[at] += 60
    positions = boards("capablanca", 20)
    plain = [sample(board, str(number // 20)) for number, board in enumerate(positions)]
    scores = Positions(plain).evaluate(taught)
    labelled = [s._replace(score=round(x)) for s, x in zip(plain, scores, strict=True)]
    training, validation = (Positions(part) for part in split(labelled))
    *_, last = fit(training, validation, start, mix=0, steps=80, rate=2, hold=0.01)
    worth = [last.weights.middlegame[i] - start.middlegame[i] for i in (at, at + 1)]
    assert worth[0] > 15 > abs(worth[1])


def test_games_are_kept_apart_whole() -> None:
    board = abdiel.Board()
    training, validation = split([sample(board, str(n % 40)) for n in range(400)])
    assert len(validation) == 40
    assert not {s.game for s in training} & {s.game for s in validation}


def test_the_header_is_what_the_core_was_compiled_with() -> None:
    assert weights_header({}) == HEADER.read_text(encoding="utf-8")


def test_one_set_is_written_the_other_kept() -> None:
    changed = [(n, -n) for n in range(len(weights(1)))]
    text = weights_header({1: changed})
    kept, written = text.split(f"/* {GAMES[1]} */")
    assert kept == weights_header({}).split(f"/* {GAMES[1]} */")[0]
    assert "S(3, -3)" in written


def test_a_game_depends_on_its_number_alone() -> None:
    lines = selfplay.play_game(SETTINGS, 5)
    assert lines == selfplay.play_game(SETTINGS, 5) != selfplay.play_game(SETTINGS, 6)
    for line in lines.splitlines():
        board, operations = abdiel.Board.from_epd(line)
        assert not board.is_check()
        assert operations["id"] == "3/5"


def test_generating_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "games.epd"
    assert list(selfplay.generate(SETTINGS, 2, out, 1)) == [1, 2]
    first = out.read_text(encoding="utf-8")
    out.write_text(first + "rdnbqk", encoding="utf-8")
    assert list(selfplay.generate(SETTINGS, 3, out, 1)) == [3]
    assert out.read_text(encoding="utf-8").startswith(first)
    assert list(selfplay.generate(SETTINGS, 3, out, 1)) == []
    samples = list(read_samples(out, "angelsanddevils"))
    assert {s.game for s in samples} == {"3/0", "3/1", "3/2"}
    assert {s.points for s in samples} <= {0, 0.5, 1}


def test_samples_of_a_match(tmp_path: Path) -> None:
    path = tmp_path / "match.pgn"
    path.write_text(
        '[Event "?"]\n[Variant "angelsanddevils"]\n[Result "0-1"]\n\n'
        "1. e4 {+0.30/5 0.1s} e5 {book} 2. Ne2 {-20.00/5 0.1s} Ng6 {+0.40/6 0.1s} 0-1\n",
        encoding="utf-8",
    )
    samples = list(read_samples(path, "angelsanddevils"))
    assert [(s.score, s.points) for s in samples] == [(30, 0), (-40, 0)]
    assert list(read_samples(path, "gothic")) == []


@pytest.mark.parametrize(
    "text",
    [
        "rubbish",
        "5k4/10/10/10/10/10/10/5K4 w - - ce 3;",
        '5k4/10/10/10/10/10/10/5K4 w - - ce 3; c9 "?";',
        '5k4/10/10/10/10/10/10/5K4 w - - c9 "1-0";',
    ],
)
def test_bad_positions_are_told_by_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.epd"
    path.write_text("\n" + text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^bad\.epd:2: "):
        list(read_samples(path, "angelsanddevils"))


def test_too_little_is_refused() -> None:
    with pytest.raises(ValueError, match="found 1 positions"):
        tune([sample(abdiel.Board())], mix=0, steps=1, rate=1, hold=1, say=print)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(1)
    lines = [
        board.epd(ce=rng.randint(-300, 300)) + f' c9 "1-0"; id "{number // 20}";'
        for number, board in enumerate(boards("gothic", 12))
    ]
    positions, out = tmp_path / "in.epd", tmp_path / "weights.h"
    positions.write_text("\n".join(lines), encoding="utf-8")
    words = ["tune", "--variant", "gothic", "--steps", "2", "--out", str(out)]
    assert main([*words, "--positions", str(positions)]) == 0
    assert "The Capablanca family" in capsys.readouterr().out
    assert out.read_text(encoding="utf-8").count(".material") == 2
    assert main(words) == 2
    assert "--generate" in capsys.readouterr().err
