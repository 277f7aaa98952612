"""abdiel cards simulate: the same games on any number of processes, rightly counted."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from math import isnan
from pathlib import Path

import pytest

from abdiel.cards.records import read_line
from abdiel.cards.simulate import Result, Simulation, executor_for, play_job, simulate
from abdiel.cards.tally import Tally
from abdiel.commands import main

SIMULATION = Simulation("auf-teufel", (), ("random", "greedy", "random"), games=7, seed=7)


def test_games_do_not_depend_on_who_plays_them() -> None:
    alone = list(simulate(SIMULATION, None))
    with ThreadPoolExecutor(3) as threads:
        assert list(simulate(SIMULATION, threads, 3)) == alone
    with executor_for(2) as executor:
        assert list(simulate(SIMULATION, executor, 2)) == alone
    assert len({result.record for result in alone}) == 7


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("auf-teufel", ()),
        ("work-of-angels", (("target", 60), ("rounds", 3))),
        ("nakayoshi", (("specials", False),)),
    ],
)
def test_players_rotate_on_the_same_deals(
    game: str, options: tuple[tuple[str, int | str | bool], ...]
) -> None:
    simulation = Simulation(game, options, ("greedy", "random", "random"), games=6, seed=1)
    results = [play_job(simulation.job(number)) for number in range(6)]
    assert [result.deal for result in results] == [0, 0, 0, 1, 1, 1]
    assert [result.seats.index(0) for result in results] == [0, 1, 2, 0, 1, 2]
    deals = []
    for result in results:
        state = read_line(result.record)
        assert (result.scores, result.winners) == (tuple(state.scores()), tuple(state.winners()))
        assert result.rounds == len(state.past)
        deals.append(state.past[0].deal)
        if state.has_rounds:
            assert json.loads(result.record)["options"] == {**state.options, **dict(options)}
    assert deals[0] == deals[1] == deals[2] != deals[3] == deals[4] == deals[5]
    fixed = simulation._replace(rotate=False)
    assert [fixed.job(number).deal for number in range(3)] == [0, 1, 2]
    assert {fixed.job(number).seats for number in range(3)} == {(0, 1, 2)}


def _result(deal: int, seats: tuple[int, ...], scores: tuple[int, ...]) -> Result:
    best = max(scores)
    winners = tuple(seat for seat, score in enumerate(scores) if score == best)
    return Result(seats, deal, scores, winners, rounds=1, moves=10 + deal, record="")


def test_wins_are_counted_by_player_and_seat() -> None:
    tally = Tally(("a", "b"))
    tally.add(_result(0, (0, 1), (5, 1)))
    tally.add(_result(0, (1, 0), (3, 3)))
    tally.add(_result(1, (0, 1), (2, 8)))
    tally.add(_result(1, (1, 0), (0, 4)))
    a, b = tally.by_player()["a"], tally.by_player()["b"]
    assert (a.games, a.score, a.wins, a.share) == (4, 3.5, 2.5, 0.625)
    assert (b.games, b.score, b.wins, b.share) == (4, 3.0, 1.5, 0.375)
    first, second = tally.by_seat()
    assert (first.wins, second.wins) == (1.5, 2.5)
    assert tally.moves == [10, 10, 11, 11]
    for line in (a, b, first, second):
        assert 0 <= line.low < line.share < line.high <= 1
        assert line.score_error > 0


def test_players_of_one_name_are_counted_together() -> None:
    tally = Tally(("a", "b", "a"))
    tally.add(_result(0, (0, 1, 2), (5, 1, 4)))
    line = tally.by_player()["a"]
    assert (line.games, line.wins, line.score) == (2, 1, 4.5)
    assert isnan(line.score_error)


def test_intervals_know_that_deals_are_shared() -> None:
    """Ten deals, each of which both players win once from the better seat, leave no doubt."""
    tally = Tally(("a", "b"))
    loose = Tally(("a", "b"))
    for deal in range(10):
        for half, seats in enumerate(((0, 1), (1, 0))):
            tally.add(_result(deal, seats, (5, 0)))
            loose.add(_result(2 * deal + half, seats, (5, 0)))
    assert tally.by_player()["a"].score_error < 1e-9 < loose.by_player()["a"].score_error
    always = tally.by_seat()[0]
    assert always.share == pytest.approx(always.high) == 1
    assert 0.8 < always.low < 0.9  # Wilson's for 20 of 20
    assert loose.by_player()["a"].low == pytest.approx(0.2993, abs=0.03)


def test_command_writes_whole_games_and_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, lines = [], []
    for jobs in ("1", "2"):
        path = tmp_path / jobs
        arguments = ["cards", "simulate", "nakayoshi", "-n", "4", "--players"]
        arguments += ["greedy,random,random,random", "--seed", "7", "--option", "specials=false"]
        assert main([*arguments, "--record", str(path), "--jobs", jobs]) == 0
        done = capsys.readouterr()
        assert done.err == ""
        told.append(done.out)
        lines.append(path.read_text(encoding="utf-8"))
    assert told[0] == told[1]
    assert lines[0] == lines[1]
    assert lines[0].endswith("\n")
    assert main(["cards", "check", str(tmp_path / "1")]) == 0
    assert capsys.readouterr().out == "4 games, all right\n"
    head, *rest = told[0].splitlines()
    assert head == "nakayoshi, 4 players, 4 of 4 games, seed 7"
    assert [line.split()[0] for line in rest if line] == [
        *("player", "greedy", "random"),
        *("seat", "0", "1", "2", "3", "a", "a"),
    ]
    assert "4.0 (4 to 4) rounds" in rest[-2]
    assert all(len(line) <= 80 for line in rest)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chess", "--players", "random"], "no game 'chess'; expected one of auf-teufel"),
        (["auf-teufel", "--players", "random"], "expected 2 to 6 players, found '1'"),
        (["auf-teufel", "--players", "random,me"], "no player 'me'; expected one of random, gr"),
        (["auf-teufel", "--players", "random,strong:x"], "such as strong:500 or strong:50ms"),
        (["auf-teufel"], "missing option '--players'"),
        (["auf-teufel", "--players", "random,random", "-n", "0"], "0 is not in the range"),
        (["auf-teufel", "--players", "random,random", "--option", "gap=open"], "takes none"),
        (
            ["work-of-angels", "--players", "random,random", "--option", "gap"],
            "option 'gap': work-of-angels takes gap=value or target=value or rounds=value",
        ),
        (
            ["work-of-angels", "--players", "random,random", "--option", "gap=2"],
            "gap: expected closed or open, found '2'",
        ),
        (
            ["auf-teufel", "--players", "random,random", "--record", "/no/such/file"],
            "/no/such/file: no such file or directory",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cards", "simulate", *arguments]) == 2
    done = capsys.readouterr()
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith("abdiel: ")
    assert told.lower() in line.lower()
