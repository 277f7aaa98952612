"""Two processes play whole games of each variant through python-chess's `chess.engine`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess.engine
import pytest

import abdiel
from abdiel.board import Board, find_variant
from abdiel.engine import SETTING_RANGES
from abdiel.variants import VARIANTS

COMMAND = [sys.executable, "-m", "abdiel"]


@pytest.fixture(scope="module")
def engines() -> Iterator[list[chess.engine.SimpleEngine]]:
    opened = [chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=120) for _ in range(2)]
    yield opened
    for engine in opened:
        engine.quit()


def as_chess(board: Board) -> Any:
    """python-chess knows our boards by their habits, not by their class."""
    return board


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_game(engines: list[chess.engine.SimpleEngine], variant: str) -> None:
    board = find_variant(variant)()
    game = object()
    # Unlike limits, so that the two do not play the same moves; the second ponders.
    limits = [chess.engine.Limit(nodes=400), chess.engine.Limit(nodes=150)]
    while board.outcome() is None:
        number = 0 if board.turn else 1
        result = engines[number].play(
            as_chess(board),
            limits[number],
            game=game,
            info=chess.engine.INFO_ALL,
            ponder=number == 1,
        )
        assert result.move is not None
        board.push_uci(result.move.uci())
        assert len(board.move_stack) < 2000, "fifty moves or repetition must have ended it"
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.result() == board.result() in ("1-0", "0-1", "1/2-1/2")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_by_the_clock(engines: list[chess.engine.SimpleEngine], variant: str) -> None:
    board = find_variant(variant)()
    game = object()
    clocks = [0.3, 0.3]
    while board.outcome() is None and len(board.move_stack) < 30:
        limit = chess.engine.Limit(
            white_clock=clocks[0], black_clock=clocks[1], white_inc=0.01, black_inc=0.01
        )
        result = engines[len(board.move_stack) % 2].play(as_chess(board), limit, game=game)
        assert result.move is not None
        board.push_uci(result.move.uci())
    assert len(board.move_stack) == 30 or board.outcome() is not None


@pytest.mark.parametrize("variant", VARIANTS)
def test_analysis(engines: list[chess.engine.SimpleEngine], variant: str) -> None:
    board = find_variant(variant)()
    infos = engines[0].analyse(as_chess(board), chess.engine.Limit(depth=4), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    assert all(info["depth"] >= 4 for info in infos)
    scores = [info["score"].white().score(mate_score=32_000) for info in infos]
    assert scores == sorted(scores, reverse=True)


def test_options_as_python_chess_reads_them(engines: list[chess.engine.SimpleEngine]) -> None:
    options = engines[0].options
    assert engines[0].id["name"].startswith("Abdiel ")
    assert options["UCI_Variant"].var == list(VARIANTS)
    assert options["Hash"].min == 1
    assert options["Threads"].max == SETTING_RANGES["threads"][1]
    engines[0].configure({"Hash": 1, "Move Overhead": 20, "UCI_ShowWDL": True})
    info = engines[0].analyse(as_chess(Board()), chess.engine.Limit(depth=3))
    assert info["wdl"].white().total() == 1000
    engines[0].configure({"UCI_ShowWDL": False})


def test_as_users_call_it() -> None:
    """By its name, which the installed script has."""
    command = str(Path(sys.executable).with_name("abdiel"))
    with chess.engine.SimpleEngine.popen_uci(command, timeout=120) as engine:
        board = abdiel.Board()
        result = engine.play(as_chess(board), chess.engine.Limit(time=0.05))
        assert result.move in board.legal_moves
        board.push(result.move)  # type: ignore[arg-type]  # it is one of ours
        info = engine.analyse(as_chess(board), chess.engine.Limit(nodes=500))
        assert info["score"].turn == board.turn
        assert info["pv"][0] in board.legal_moves


def test_mate_and_stalemate(engines: list[chess.engine.SimpleEngine]) -> None:
    for fen in ("k9/1Q8/1K8/10/10/10/10/10 b - - 0 1", "k9/10/1Q8/10/10/10/10/5K4 b - - 0 1"):
        result = engines[0].play(as_chess(Board(fen)), chess.engine.Limit(depth=3))
        assert result.move is None
