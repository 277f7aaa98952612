"""The door into the search: callbacks, stops at any moment, settings."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from copy import copy
from typing import Any

import pytest

from abdiel.board import Board, find_variant
from abdiel.engine import (
    EXACT,
    LIMIT_RANGES,
    LOWER,
    SETTING_RANGES,
    UPPER,
    Engine,
    Info,
    Limits,
    skill_of,
    wdl,
)
from abdiel.moves import Move
from abdiel.variants import VARIANTS

GUARD_S = 120.0  # nothing takes that long

MATED = "k9/1Q8/1K8/10/10/10/10/10 b - - 0 1"
MATE_IN_TWO = "3Q6/10/4K5/p9/k9/1A8/10/10 w - - 5 66"


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(hash_mb=2) as engine:
        yield engine


class Log:
    """The callbacks of a search."""

    def __init__(self) -> None:
        self.infos: list[Info] = []
        self.moves: list[tuple[Move | None, Move | None]] = []
        self.threads: set[int] = set()
        self.done = threading.Event()

    def on_info(self, info: Info) -> None:
        assert not self.moves
        self.infos.append(info)
        self.threads.add(threading.get_ident())

    def on_bestmove(self, move: Move | None, ponder: Move | None) -> None:
        self.moves.append((move, ponder))
        self.threads.add(threading.get_ident())
        self.done.set()

    @property
    def best(self) -> Move | None:
        ((best, _),) = self.moves
        return best


def search(engine: Engine, board: Board, limits: Limits) -> Log:
    log = Log()
    engine.start(board, limits, log.on_info, log.on_bestmove)
    assert engine.wait(GUARD_S)
    return log


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_search_reports_and_ends_in_a_legal_move(engine: Engine, variant: str) -> None:
    board = find_variant(variant)()
    log = search(engine, board, Limits(depth=5))
    assert log.best in board.legal_moves
    assert log.infos[-1].depth == 5
    assert log.infos[-1].pv[0] == log.best
    assert len(log.threads) == 1
    assert threading.get_ident() not in log.threads
    assert not engine.searching
    assert engine.nodes >= log.infos[-1].nodes > 0
    for info in log.infos:
        assert (info.score is None) != (info.mate is None)
        assert info.bound in (EXACT, LOWER, UPPER)
        assert 0 <= info.hashfull <= 1000
        assert info.nps >= 0
        played = board.copy()
        for move in info.pv:
            played.push(move)
    assert [info.nodes for info in log.infos] == sorted(info.nodes for info in log.infos)


def test_the_board_is_left_alone_and_may_change_meanwhile(engine: Engine) -> None:
    board = Board()
    before = board.copy()
    log = Log()
    engine.start(board, Limits(infinite=True), log.on_info, log.on_bestmove)
    assert board == before
    board.push_uci("a2a4")
    board.push_uci("a7a5")
    engine.stop()
    assert engine.wait(GUARD_S)
    assert log.best in before.legal_moves


def test_callbacks_may_be_left_out(engine: Engine) -> None:
    engine.start(Board(), Limits(depth=2))
    assert engine.wait(GUARD_S)
    assert engine.nodes > 0


def test_wait_without_a_search_returns_at_once(engine: Engine) -> None:
    assert engine.wait()


def test_wait_tells_that_time_ran_out(engine: Engine) -> None:
    engine.start(Board(), Limits(infinite=True))
    assert not engine.wait(timeout=0.01)
    assert engine.searching
    engine.stop()
    assert engine.wait(GUARD_S)


def test_no_limits_are_infinite(engine: Engine) -> None:
    assert Limits().is_endless()
    assert Limits(depth=3, infinite=True).is_endless()
    assert not Limits(depth=3).is_endless()
    log = Log()
    engine.start(Board(), on_bestmove=log.on_bestmove)
    assert not engine.wait(timeout=0.05)
    engine.stop()
    assert engine.wait(GUARD_S)
    assert log.best is not None


def test_stop_counts_however_early_it_comes(engine: Engine) -> None:
    for _ in range(300):
        log = Log()
        engine.start(Board(), Limits(infinite=True), log.on_info, log.on_bestmove)
        engine.stop()
        assert engine.wait(GUARD_S)
        assert log.best is not None


def test_a_late_stop_does_not_end_the_next_search(engine: Engine) -> None:
    for _ in range(200):
        search(engine, Board(), Limits(depth=1))
        engine.stop()
        log = search(engine, Board(), Limits(depth=3))
        assert log.infos[-1].depth == 3


def test_stop_races_with_the_end(engine: Engine) -> None:
    """A stop that comes as a search ends must not reach the one after it."""
    choose = random.Random(1)
    for _ in range(200):
        log = Log()
        engine.start(Board(), Limits(depth=1), log.on_info, log.on_bestmove)
        time.sleep(choose.random() / 2000)
        engine.stop()
        assert engine.wait(GUARD_S)
        assert len(log.moves) == 1
        assert search(engine, Board(), Limits(depth=2)).infos[-1].depth == 2


ENDS = [
    Limits(depth=1),
    Limits(nodes=1),
    Limits(movetime=1),
    Limits(mate=1),
    Limits(wtime=1, btime=1),
]


@pytest.mark.parametrize("ends", ENDS, ids=repr)
def test_pondering_waits_for_ponderhit(engine: Engine, ends: Limits) -> None:
    limits = copy(ends)
    limits.ponder = True
    for early in (True, False):
        log = Log()
        engine.start(Board(), limits, log.on_info, log.on_bestmove)
        if not early:
            assert not engine.wait(timeout=0.05)
        engine.ponderhit()
        assert engine.wait(GUARD_S)
        assert log.best is not None


@pytest.mark.parametrize("ends", ENDS, ids=repr)
def test_an_infinite_search_waits_for_stop(engine: Engine, ends: Limits) -> None:
    limits = copy(ends)
    limits.infinite = True
    log = Log()
    engine.start(Board(), limits, log.on_info, log.on_bestmove)
    assert not engine.wait(timeout=0.05)
    engine.ponderhit()  # means nothing to it
    assert not engine.wait(timeout=0.05)
    engine.stop()
    assert engine.wait(GUARD_S)
    assert log.best is not None


def test_pondering_ends_by_stop(engine: Engine) -> None:
    log = Log()
    engine.start(Board(), Limits(movetime=1, ponder=True), log.on_info, log.on_bestmove)
    engine.stop()
    assert engine.wait(GUARD_S)
    assert log.best is not None
    engine.ponderhit()  # too late, and nothing happens
    assert engine.wait(GUARD_S)


@pytest.mark.parametrize("ponder", [False, True])
def test_no_legal_move(engine: Engine, ponder: bool) -> None:
    log = search(engine, Board(MATED), Limits(depth=3))
    assert log.moves == [(None, None)]
    assert log.infos[-1].mate == 0
    assert log.infos[-1].pv == ()
    log = Log()
    limits = Limits(infinite=not ponder, ponder=ponder, depth=1)
    engine.start(Board(MATED), limits, log.on_info, log.on_bestmove)
    assert not engine.wait(timeout=0.05)
    engine.stop()
    assert engine.wait(GUARD_S)
    assert log.moves == [(None, None)]


def test_mates_are_counted_in_moves(engine: Engine) -> None:
    board = Board(MATE_IN_TWO)
    log = search(engine, board, Limits(depth=6))
    assert log.best is not None
    assert log.best.uci() == "b3b1"
    assert log.infos[-1].mate == 2
    assert log.infos[-1].wdl == (1000, 0, 0)
    board.push(log.best)
    log = search(engine, board, Limits(depth=6))
    assert log.infos[-1].mate == -1
    assert log.infos[-1].wdl == (0, 0, 1000)


def test_searchmoves(engine: Engine) -> None:
    board = Board()
    wanted = [board.parse_uci("a2a3"), board.parse_uci("j2j3")]
    log = search(engine, board, Limits(depth=3, searchmoves=wanted))
    assert log.best in wanted
    with pytest.raises(ValueError, match="not legal"):
        engine.start(board, Limits(searchmoves=[Move.from_uci("a2a5")]))
    assert not engine.searching


def test_the_clock_of_the_side_to_move_counts_and_else_the_others(engine: Engine) -> None:
    far = 10**9
    board = Board()
    assert search(engine, board, Limits(wtime=1, btime=far)).best in board.legal_moves
    assert search(engine, board, Limits(btime=1)).best in board.legal_moves
    assert search(engine, board, Limits(wtime=-5, btime=far)).best in board.legal_moves
    board.push_uci("a2a4")
    assert search(engine, board, Limits(wtime=far, btime=1)).best in board.legal_moves
    assert search(engine, board, Limits(wtime=0)).best in board.legal_moves


def test_nodes_limit(engine: Engine) -> None:
    log = search(engine, Board(), Limits(nodes=2000))
    assert log.best in Board().legal_moves
    assert engine.nodes < 20_000


def limited(name: str, value: Any) -> Limits:
    limits = Limits()
    setattr(limits, name, value)
    return limits


@pytest.mark.parametrize("name", LIMIT_RANGES)
def test_limits_out_of_range_are_refused(engine: Engine, name: str) -> None:
    low, high = LIMIT_RANGES[name]
    for wrong in (low - 1, -(2**40), high + 1, 2**70):
        with pytest.raises(ValueError, match=f"^{name} must be from {low} to {high}, not {wrong}$"):
            engine.start(Board(), limited(name, wrong))
    with pytest.raises(TypeError, match=f"^{name} must be an int, not 1.5$"):
        engine.start(Board(), limited(name, 1.5))
    assert not engine.searching
    for right in (low, high):
        engine.start(Board(), limited(name, right))
        engine.stop()
        assert engine.wait(GUARD_S)


def test_the_longest_mate_is_within_the_deepest_search(engine: Engine) -> None:
    bare_kings = Board("k9/10/10/10/10/10/10/9K w - - 0 1")
    deepest = search(engine, bare_kings, Limits(depth=LIMIT_RANGES["depth"][1])).infos[-1].depth
    longest = LIMIT_RANGES["mate"][1]
    assert deepest in (2 * longest - 1, 2 * longest)
    assert search(engine, bare_kings, Limits(mate=longest)).infos[-1].depth == 2 * longest - 1


def test_one_search_at_a_time(engine: Engine) -> None:
    engine.start(Board(), Limits(infinite=True))
    with pytest.raises(RuntimeError, match="while a search runs"):
        engine.start(Board())
    with pytest.raises(RuntimeError, match="while a search runs"):
        engine.new_game()
    with pytest.raises(RuntimeError, match="while a search runs"):
        engine.configure(hash_mb=4)
    engine.configure(multipv=2)
    engine.stop()
    assert engine.wait(GUARD_S)


def test_the_next_search_may_start_in_on_bestmove(engine: Engine) -> None:
    board = Board()
    left = 20
    finished = threading.Event()

    def play(move: Move | None, _: Move | None) -> None:
        nonlocal left
        assert move is not None
        board.push(move)
        left -= 1
        if left:
            engine.start(board, Limits(nodes=50), on_bestmove=play)
        else:
            finished.set()

    engine.start(board, Limits(nodes=50), on_bestmove=play)
    assert finished.wait(GUARD_S)
    assert engine.wait(GUARD_S)
    assert len(board.move_stack) == 20


def test_waiting_in_a_callback_is_refused(engine: Engine) -> None:
    def on_info(_: Info) -> None:
        engine.wait()

    engine.start(Board(), Limits(depth=3), on_info=on_info)
    with pytest.raises(RuntimeError, match="never return"):
        engine.wait(GUARD_S)


def test_an_exception_in_on_info_ends_the_search(engine: Engine) -> None:
    calls = 0

    def on_info(_: Info) -> None:
        nonlocal calls
        calls += 1
        raise KeyError("mine")

    log = Log()
    engine.start(Board(), Limits(infinite=True), on_info, log.on_bestmove)
    # It ends a search that is infinite only with a stop, which it therefore is.
    with pytest.raises(KeyError, match="mine"):
        engine.wait(GUARD_S)
    assert calls == 1
    assert log.best is not None
    assert engine.wait(GUARD_S)
    assert search(engine, Board(), Limits(depth=2)).best is not None


def test_an_exception_in_on_bestmove_reaches_wait(engine: Engine) -> None:
    def on_bestmove(_: Move | None, __: Move | None) -> None:
        raise KeyError("mine")

    engine.start(Board(), Limits(depth=1), on_bestmove=on_bestmove)
    with pytest.raises(KeyError, match="mine"):
        engine.wait(GUARD_S)
    assert not engine.searching
    assert search(engine, Board(), Limits(depth=2)).best is not None


def test_close_ends_a_search() -> None:
    log = Log()
    with Engine(hash_mb=1) as engine:
        engine.start(Board(), Limits(infinite=True), log.on_info, log.on_bestmove)
    assert log.best is not None


def test_two_engines_at_once() -> None:
    with Engine(hash_mb=1) as one, Engine(hash_mb=1) as other:
        logs = Log(), Log()
        for engine, log in zip((one, other), logs, strict=True):
            engine.start(Board(), Limits(depth=5), log.on_info, log.on_bestmove)
        assert one.wait(GUARD_S)
        assert other.wait(GUARD_S)
        assert [info.nodes for info in logs[0].infos] == [info.nodes for info in logs[1].infos]


def test_settings(engine: Engine) -> None:
    engine.configure(hash_mb=1, multipv=3, move_overhead=0)
    log = search(engine, Board(), Limits(depth=3))
    last = log.infos[-3:]
    assert [info.multipv for info in last] == [1, 2, 3]
    assert len({info.pv[0] for info in last}) == 3
    for name, (low, high) in SETTING_RANGES.items():
        for wrong in (low - 1, high + 1, 2**40, 2**70):
            with pytest.raises(ValueError, match=f"{name} must be from {low} to {high}, not"):
                engine.configure(**{name: wrong})
    with pytest.raises(MemoryError):
        engine.configure(hash_mb=SETTING_RANGES["hash_mb"][1])
    assert search(engine, Board(), Limits(depth=3)).best is not None


def test_a_new_game_forgets(engine: Engine) -> None:
    def nodes() -> int:
        search(engine, Board(), Limits(depth=10))
        return engine.nodes

    fresh = nodes()
    assert nodes() < fresh
    engine.new_game()
    assert nodes() == fresh


def test_another_variant_starts_with_an_empty_table(engine: Engine) -> None:
    gothic = find_variant("gothic")()

    def nodes() -> int:
        search(engine, gothic, Limits(depth=5))
        return engine.nodes

    fresh = nodes()
    search(engine, Board(), Limits(depth=5))
    assert nodes() == fresh


def test_evaluation(engine: Engine) -> None:
    assert engine.evaluation_terms(Board())
    queen_up = Board("k9/10/10/10/10/10/10/1Q6K1 w - - 0 1")
    assert engine.evaluate(queen_up) > 300
    queen_up.turn = False
    assert engine.evaluate(queen_up) < -300


def test_keys(engine: Engine) -> None:
    board = Board()
    assert engine.key(board) == engine.key(Board())
    board.push_uci("a2a4")
    assert engine.key(board) != engine.key(Board())


def test_wdl() -> None:
    for score in (*range(-3000, 3001, 50), -(10**9), 10**9):
        won, drawn, lost = wdl(score)
        assert won + drawn + lost == 1000
        assert min(won, drawn, lost) >= 0
        assert wdl(-score) == (lost, drawn, won)
    assert [wdl(score)[0] for score in range(-500, 501, 100)] == sorted(
        wdl(score)[0] for score in range(-500, 501, 100)
    )
    assert wdl(None, 3) == (1000, 0, 0)
    assert wdl(None, -3) == wdl(None, 0) == (0, 0, 1000)


def test_records_compare_by_their_fields() -> None:
    assert Limits(depth=3) == Limits(depth=3)
    assert Limits(depth=3) != Limits(depth=4)
    assert Limits() != 3
    assert "depth=3" in repr(Limits(depth=3))


def test_a_higher_rating_is_more_skill() -> None:
    low, high = SETTING_RANGES["elo"]
    skills = [skill_of(elo) for elo in range(low, high + 1)]
    assert skills == sorted(set(skills))
    assert (skills[0], skills[-1]) == (0, SETTING_RANGES["skill"][1] - 1)
    assert skill_of(1690) == 10  # as measured
    assert 10 < skill_of(1691) < skill_of(2069) < 12
