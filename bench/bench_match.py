"""What `abdiel match` itself costs a move, with engines that cost next to nothing."""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import chess.engine
import pytest

from abdiel.board import Board
from abdiel.match import pool
from abdiel.match.adjudication import Rules
from abdiel.match.clock import TimeControl
from abdiel.match.engines import EngineConfig
from abdiel.match.game import GameJob, play_game
from abdiel.match.openings import Opening
from abdiel.match.runner import Match, Results, run_match
from abdiel.match.store import Store

if TYPE_CHECKING:
    from abdiel.match.game import GameRecord
    from bench.conftest import Rate

PROGRAM = Path(__file__).with_name("instant_engine.py")
MOVES = 60  # of each side: a game of common length
OPENING = Opening(Board.starting_fen)


def _line() -> list[str]:
    """Return the moves of a game that does not end before it is called."""
    for seed in range(1000):
        choice = random.Random(seed)
        board = Board()
        while len(board.move_stack) < 2 * MOVES and not board.is_game_over():
            board.push(choice.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return [move.uci() for move in board.move_stack]
    raise AssertionError("no random game is long enough")


@pytest.fixture(scope="module")
def engines() -> tuple[EngineConfig, EngineConfig]:
    """Two engines with a clock, as in a match."""
    command = (sys.executable, str(PROGRAM), *_line())
    control = TimeControl(time_ms=600_000, increment_ms=100)
    return EngineConfig("A", command, control), EngineConfig("B", command, control)


def bench_game_of_instant_engines(rate: Rate, engines: tuple[EngineConfig, EngineConfig]) -> None:
    """One game after another: pipes, referee and clocks."""
    white, black = engines
    job = GameJob(0, 1, "angelsanddevils", OPENING, white, black, Rules(maxmoves=MOVES))
    try:
        assert len(play_game(job).moves) == 2 * MOVES
        rate(lambda: play_game(job), 2 * MOVES, "moves")
    finally:
        pool.close_all()


def bench_game_through_chess_engine(rate: Rate, engines: tuple[EngineConfig, EngineConfig]) -> None:
    """The same with python-chess's client, for comparison."""
    players = [chess.engine.SimpleEngine.popen_uci(list(config.command)) for config in engines]
    limit = chess.engine.Limit(white_clock=600, black_clock=600, white_inc=0.1, black_inc=0.1)

    def game() -> None:
        board = Board()
        key = object()
        while len(board.move_stack) < 2 * MOVES and board.outcome() is None:
            player = players[len(board.move_stack) % 2]
            result = player.play(board, limit, game=key, info=chess.engine.INFO_SCORE)  # type: ignore[arg-type]
            board.push_uci(result.move.uci())  # type: ignore[union-attr]
        assert len(board.move_stack) == 2 * MOVES

    try:
        rate(game, 2 * MOVES, "moves")
    finally:
        for player in players:
            player.quit()


class _Silent:
    """Listens to a match and notes when its first game ended, as starting up is not at issue."""

    def __init__(self) -> None:
        self.begin = 0.0
        self.end = 0.0
        self.busy = 0.0
        self.games = 0

    def on_start(self, results: Results) -> None:
        pass

    def on_game(self, results: Results, record: GameRecord) -> None:
        self.end = time.perf_counter()
        self.begin = self.begin or self.end
        self.games += 1
        self.busy += record.seconds

    def on_tick(self, results: Results) -> None:
        pass

    def on_warning(self, text: str) -> None:
        raise AssertionError(text)

    def on_end(self, results: Results) -> None:
        pass


@pytest.mark.parametrize("concurrency", [1, 2])
def bench_match_of_instant_engines(
    engines: tuple[EngineConfig, EngineConfig],
    tmp_path: Path,
    concurrency: int,
    request: pytest.FixtureRequest,
) -> None:
    """The whole runner, with files: wall time a move, and how busy it keeps the games' workers."""
    games = 4 if request.config.getoption("benchmark_disable") else 200
    match = Match(
        "angelsanddevils",
        engines,
        (OPENING,),
        rounds=games // 2,
        rules=Rules(maxmoves=MOVES),
        concurrency=concurrency,
    )
    silent = _Silent()
    with Store(str(tmp_path / "match"), match) as store:
        results = run_match(match, silent, store)
    assert results.tally.games == games
    tally = results.tally
    wall = silent.end - silent.begin
    moves = 2 * MOVES * (silent.games - 1)
    print(
        f"\nconcurrency {concurrency}: {1000 * wall / moves:.3f} ms of wall time a move,"
        f" {1000 * wall * concurrency / moves:.3f} ms of a worker's;"
        f" own {tally.own_ms / tally.moves:.3f} ms a move beside the engines' time;"
        f" games in play {silent.busy / wall:.2f} of {concurrency}; {os.cpu_count()} processors"
    )
