"""Perft of every variant's start position against published and independently made counts."""

from pathlib import Path
from typing import Any

import pytest
from bridge import to_core
from reference import Reference

SLOW = 500_000_000


def _counts(deepest: int = 9) -> list[Any]:
    cases: list[Any] = []
    for line in (Path(__file__).parent / "perft" / "perft.epd").read_text().splitlines():
        if line.startswith("#"):
            continue
        variant, fen, *counts = line.split(";")
        for depth, count in enumerate(map(int, counts[:deepest]), 1):
            marks = [pytest.mark.slow] if count > SLOW else []
            identity = f"{variant}-{depth}"
            cases.append(pytest.param(variant, fen, depth, count, id=identity, marks=marks))
    return cases


@pytest.mark.parametrize(("variant", "fen", "depth", "count"), _counts())
def test_perft(variant: str, fen: str, depth: int, count: int) -> None:
    position = to_core(Reference(fen, variant))
    before = position.state()
    assert position.perft(depth) == count
    assert position.state() == before


@pytest.mark.parametrize(("variant", "fen", "depth", "count"), _counts(2))
def test_reference_perft(variant: str, fen: str, depth: int, count: int) -> None:
    assert Reference(fen, variant).perft(depth) == count
