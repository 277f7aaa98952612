"""Configurations of the stub engine, and matches between two of them, for the tests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from abdiel.board import Board
from abdiel.match.clock import TimeControl, parse_tc
from abdiel.match.engines import EngineConfig
from abdiel.match.game import GameJob, GameRecord
from abdiel.match.openings import Opening
from abdiel.match.runner import Match, Results

PROGRAM = Path(__file__).with_name("stub_engine.py")
START = Opening(Board.starting_fen)
# Nothing that a test waits for takes that long; what is meant to run out is short instead.
PATIENT_S = 120.0


def stub(
    name: str, *arguments: str, control: TimeControl | str = "inf", **fields: Any
) -> EngineConfig:
    """A stub engine that is called with arguments and thinks one node."""
    if isinstance(control, str):
        control = parse_tc(control)
    if not control.has_clock and not control.movetime_ms:
        control = control._replace(nodes=1)
    fields = {"timeout_s": PATIENT_S, "stall_s": PATIENT_S} | fields
    return EngineConfig(name, (sys.executable, str(PROGRAM), *arguments), control, **fields)


def job(white: EngineConfig, black: EngineConfig, **fields: Any) -> GameJob:
    """A game from the start position of Angels and Devils."""
    given = GameJob(0, 1, "angelsanddevils", START, white, black)
    return given._replace(**fields)


def match(*engines: EngineConfig, **fields: Any) -> Match:
    """A match from the start position of Angels and Devils."""
    return Match("angelsanddevils", engines, (START,))._replace(**fields)


class Ears:
    """A listener that remembers."""

    def __init__(self) -> None:
        self.records: list[GameRecord] = []
        self.warnings: list[str] = []
        self.calls: list[str] = []

    def on_start(self, results: Results) -> None:
        self.calls.append("start")

    def on_game(self, results: Results, record: GameRecord) -> None:
        self.records.append(record)

    def on_tick(self, results: Results) -> None:
        pass

    def on_warning(self, text: str) -> None:
        self.warnings.append(text)

    def on_end(self, results: Results) -> None:
        self.calls.append("end")
