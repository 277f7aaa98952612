"""Time controls and the bookkeeping of clocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abdiel.match.clock import Clock, TimeControl, go_command, parse_tc


@pytest.mark.parametrize(
    ("text", "control", "written"),
    [
        ("8+0.08", TimeControl(time_ms=8000, increment_ms=80), "8+0.08"),
        ("40/60", TimeControl(moves=40, time_ms=60_000), "40/60"),
        ("40/2:30+.5", TimeControl(moves=40, time_ms=150_000, increment_ms=500), "40/150+0.5"),
        ("0/10", TimeControl(time_ms=10_000), "10"),
        ("0.2+0.002", TimeControl(time_ms=200, increment_ms=2), "0.2+0.002"),
        ("0+1", TimeControl(increment_ms=1000), "0+1"),
        ("inf", TimeControl(), "inf"),
    ],
)
def test_time_controls(text: str, control: TimeControl, written: str) -> None:
    assert parse_tc(text) == control
    assert str(control) == written
    assert parse_tc(written) == control


@pytest.mark.parametrize(
    "text",
    ["", "0", "0+0", "-1", "8+", "+1", "40/", "/8", "40/0+1", "nan", "1e3", "8 + 1", "inf+1", "٣"],
)
def test_what_is_no_time_control(text: str) -> None:
    with pytest.raises(ValueError, match="expected moves/time"):
        parse_tc(text)


def test_other_limits_are_written_too() -> None:
    assert str(TimeControl(movetime_ms=1500, nodes=7, depth=3)) == "st=1.5 nodes=7 depth=3"


def test_a_fischer_clock() -> None:
    clock = Clock(TimeControl(time_ms=1000, increment_ms=100))
    assert clock.allowed_ms() == 1000
    assert clock.spend(400)
    assert clock.left_ms == 700
    assert clock.spend(700)
    assert clock.left_ms == 100
    assert not clock.spend(100.1)
    assert clock.left_ms == 100  # where it stood when the flag fell


def test_moves_to_go() -> None:
    clock = Clock(TimeControl(moves=2, time_ms=1000))
    assert clock.spend(600)
    assert (clock.left_ms, clock.moves_to_go) == (400, 1)
    assert clock.spend(300)
    assert (clock.left_ms, clock.moves_to_go) == (1100, 2)


def test_a_clock_of_increments_only() -> None:
    clock = Clock(TimeControl(increment_ms=100))
    assert clock.allowed_ms() == 100
    assert clock.spend(30)
    assert clock.allowed_ms() == 170


def test_the_margin() -> None:
    clock = Clock(TimeControl(time_ms=100, margin_ms=50))
    assert clock.allowed_ms() == 150
    assert clock.spend(120)
    assert clock.left_ms == -20  # the margin is given once, not for each move
    assert not clock.spend(31)


def test_time_for_each_move() -> None:
    clock = Clock(TimeControl(movetime_ms=100))
    assert all(clock.spend(100) for _ in range(10))
    assert not clock.spend(101)


def test_without_a_clock_nothing_is_too_long() -> None:
    clock = Clock(TimeControl(nodes=100))
    assert clock.allowed_ms() is None
    assert clock.spend(1e9)


@given(
    st.integers(1, 10_000),
    st.integers(0, 1000),
    st.integers(0, 5),
    st.lists(st.floats(0, 3000), max_size=30),
)
def test_no_time_comes_from_nowhere(
    time_ms: int, increment_ms: int, moves: int, spent: list[float]
) -> None:
    clock = Clock(TimeControl(moves, time_ms, increment_ms))
    made = 0
    total = 0.0
    for elapsed in spent:
        if not clock.spend(elapsed):
            assert elapsed > clock.left_ms
            break
        made += 1
        total += elapsed
    sessions = 1 + (made // moves if moves else 0)
    given_ms = sessions * time_ms + made * increment_ms
    assert clock.left_ms == pytest.approx(given_ms - total, abs=1e-6)


@pytest.mark.parametrize(
    ("white", "black", "turn", "command"),
    [
        ("8+0.08", "8+0.08", True, "go wtime 8000 btime 8000 winc 80 binc 80"),
        ("40/60", "30/60", False, "go wtime 60000 btime 60000 movestogo 30"),
        ("8+0.08", "inf", True, "go wtime 8000 winc 80"),
        ("8+0.08", "inf", False, "go nodes 5 depth 3"),
    ],
)
def test_go(white: str, black: str, turn: bool, command: str) -> None:
    controls = [parse_tc(text) for text in (white, black)]
    controls = [
        control if control.has_clock else TimeControl(nodes=5, depth=3) for control in controls
    ]
    assert go_command(Clock(controls[0]), Clock(controls[1]), turn) == command


def test_go_for_a_time_a_move_and_an_overdrawn_clock() -> None:
    fixed = Clock(TimeControl(movetime_ms=250))
    clock = Clock(TimeControl(time_ms=100, margin_ms=50))
    assert clock.spend(120)
    assert go_command(fixed, clock, True) == "go movetime 250"
    assert go_command(fixed, clock, False) == "go btime 1"
