"""Records of card games: those of other implementations, our own, and damaged ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from card_games import Setting, every_setting, random_game, share

from abdiel.cards.records import check_lines, read_line, record_line

RECORDS = sorted(Path(__file__).with_name("records").glob("*.jsonl"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_of_other_implementations_pass(path: Path) -> None:
    with path.open("rb") as file:
        judged = list(check_lines(file))
    assert len(judged) >= 2
    assert [fault for _, fault in judged if fault] == []


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_they_are_written_as_they_were_read(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        theirs = json.loads(line)
        state = read_line(line)
        ours = state.record()
        assert list(theirs) == list(ours)
        for key in ("game", "players", "scores", "totals", "winners"):
            assert theirs.get(key) == ours.get(key)
        assert read_line(record_line(state)).record() == ours


@every_setting
def test_random_games_replay_to_the_same_end(setting: Setting) -> None:
    for seed in range(share(setting)):
        state = random_game(setting, seed)
        again = read_line(record_line(state))
        assert again.record() == state.record()
        assert again.winners() == state.winners()
