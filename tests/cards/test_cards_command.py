"""abdiel cards: list, rules and check."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from abdiel.cards import GAMES
from abdiel.commands import main

RECORDS = Path(__file__).with_name("records")


def test_list_names_games_players_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "list"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    for name, game in GAMES.items():
        counts = game.player_counts
        line = re.escape(f"{game.title}, {counts[0]} to {counts[-1]} players")
        assert re.search(rf"^{name} +{line}$", out, re.MULTILINE)
        for option in game.option_specs:
            default = str(option.default).lower()
            assert re.search(rf"^ +{option.name}={default} +.+: ", out, re.MULTILINE)


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_told_in_80_columns(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "rules", name]) == 0
    out = capsys.readouterr().out
    game = GAMES[name]
    assert out.startswith(game.title.upper())
    counts = game.player_counts
    assert f"for {counts[0]} to {counts[-1]} players" in out
    assert out.count("(ruling)") >= 3
    assert max(map(len, out.splitlines())) <= 80
    for option in game.option_specs:
        assert option.name in out


def test_check_passes_right_records(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(path) for path in sorted(RECORDS.glob("auf-*.jsonl"))]
    assert main(["cards", "check", *files]) == 0
    assert capsys.readouterr().out == "15 games, all right\n"


def test_check_tells_the_first_fault_of_each_wrong_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = (RECORDS / "auf-teufel-2-random.jsonl").read_text(encoding="utf-8").splitlines()[0]
    wrong = json.loads(right)
    wrong["moves"][3][1] = "pass 9"
    wrong["scores"][0] += 1
    path = tmp_path / "games.jsonl"
    path.write_text(f"{right}\n{json.dumps(wrong)}\n{right[:100]}\n", encoding="utf-8")
    assert main(["cards", "check", str(path)]) == 1
    done = capsys.readouterr()
    first, second, total = done.out.splitlines()
    assert first.startswith(f"{path}:2: move 4: seat 1: 'pass 9': ")
    assert "; legal: accept, " in first
    assert second.startswith(f"{path}:3: not JSON: ")
    assert total == "3 games, 2 wrong"
    assert done.err == ""


def test_check_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = (RECORDS / "auf-teufel-3-random.jsonl").read_bytes().splitlines(keepends=True)[0]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["cards", "check", "-"]) == 0
    assert capsys.readouterr().out == "1 game, all right\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "missing command"),
        (["check"], "'FILE...' (abdiel cards check --help tells what is right)"),
        (["check", "/no/such/file"], "/no/such/file: No such file or directory"),
        (["rules", "chess"], "no game 'chess'; expected one of auf-teufel, work-of-angels, nak"),
        (["shuffle"], "'shuffle'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cards", *arguments]) == 2
    done = capsys.readouterr()
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith("abdiel: ")
    assert told.lower() in line.lower()
