"""The memory that a hash table may have, in and out of containers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import abdiel.engine
from abdiel import memory
from abdiel.engine import Engine

MB = 1 << 20
UNLIMITED = 0x7FFFFFFFFFFFF000  # as version 1 writes it
V1 = "memory.limit_in_bytes"
V2 = "memory.max"


@pytest.mark.parametrize(
    ("groups", "files", "limits"),
    [
        # Version 2: on a machine, in a container with groups of its own, without any limit
        (
            "0::/user.slice/a.service\n",
            {f"user.slice/{V2}": f"{8 * MB}\n", f"user.slice/a.service/{V2}": f"{9 * MB}\n"},
            [9 * MB, 8 * MB],
        ),
        ("0::/\n", {V2: f"{5 * MB}\n"}, [5 * MB]),
        ("0::/\n", {V2: "max\n"}, []),
        # Version 1: the path is the world's outside, the root is the container's
        (
            "12:cpu,cpuacct:/docker/c1\n5:memory:/docker/c1\n0::/docker/c1\n",
            {f"memory/{V1}": f"{7 * MB}\n", f"cpu/{V1}": "1\n"},
            [7 * MB],
        ),
        (
            "3:freezer,memory:/a:b\n",
            {f"memory/{V1}": f"{UNLIMITED}\n", f"memory/a:b/{V1}": f"{6 * MB}\n"},
            [6 * MB, UNLIMITED],
        ),
        # Nothing to read, or nothing that makes sense
        ("0::/gone\n1:memory:/gone\n", {}, []),
        ("", {V2: "1\n"}, []),
        ("nonsense\n\n7:memory\n", {f"memory/{V1}": "-1\n"}, []),
        ("0::/\n", {V2: "lots\n"}, []),
    ],
)
def test_limits_of_control_groups(
    tmp_path: Path, groups: str, files: dict[str, str], limits: list[int]
) -> None:
    listed = tmp_path / "cgroup"
    listed.write_text(groups)
    mount = tmp_path / "mount"
    for name, text in files.items():
        (mount / name).parent.mkdir(parents=True, exist_ok=True)
        (mount / name).write_text(text)
    assert memory.group_limits(str(listed), str(mount)) == limits


def test_where_there_are_no_control_groups(tmp_path: Path) -> None:
    assert memory.group_limits(str(tmp_path / "none"), str(tmp_path)) == []


def test_the_tightest_limit_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    def largest(*limits: int) -> int:
        monkeypatch.setattr(memory, "group_limits", lambda: list(limits))
        return memory.largest_table()

    assert 0 < largest() < physical
    assert largest(UNLIMITED) == largest()
    assert 0 < largest(UNLIMITED, 200 * MB, 300 * MB) < 200 * MB
    assert largest(1 * MB) == 0


def test_an_engine_in_a_container_refuses_what_the_machine_would_grant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(abdiel.engine, "largest_table", lambda: 20 * MB)
    with Engine(hash_mb=1) as engine:
        engine.configure(hash_mb=20)
        with pytest.raises(MemoryError, match="found 21 MB, expected at most 20"):
            engine.configure(hash_mb=21)
        engine.configure(hash_mb=2)
    with pytest.raises(MemoryError, match="found 21 MB, expected at most 20"):
        Engine(hash_mb=21)
    monkeypatch.setattr(abdiel.engine, "largest_table", lambda: 0)
    Engine().close()
