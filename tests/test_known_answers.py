"""Moves, removed squares, resulting positions, checks and perft made by independent programs."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bridge import CoreGame, from_core, squares, text
from reference import Reference, name

DATA = Path(__file__).parent / "data"
FILES = ("ad_play.jsonl.gz", "ad_dense.jsonl.gz", "family_play.jsonl")
SIZES = {"ad_play.jsonl.gz": 960, "ad_dense.jsonl.gz": 400, "family_play.jsonl": 300}


def _cases(file: str, every: int = 1) -> Iterator[dict[str, Any]]:
    opener = gzip.open if file.endswith(".gz") else open
    with opener(DATA / file, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % every == 0:
                case = json.loads(line)
                case.setdefault("variant", "angelsanddevils")
                yield case


def _answer(case: dict[str, Any], uci: str) -> tuple[set[str] | None, str]:
    """The squares that a move empties, if the file has them, and the FEN after it."""
    answer = case["moves"][uci]
    return (None, answer) if isinstance(answer, str) else (set(answer["removed"]), answer["fen"])


@pytest.mark.parametrize("file", FILES)
def test_known_answers(file: str) -> None:
    cases = list(_cases(file))
    assert len(cases) == SIZES[file]
    for case in cases:
        fen, variant = case["fen"], case["variant"]
        game = CoreGame(fen, variant)
        position = game.position
        before = position.state()
        assert position.is_check() == case["check"], fen
        moves = {text(game.reference, move): move for move in position.legal_moves()}
        assert sorted(moves) == sorted(case["moves"]), fen
        assert position.count_legal() == len(moves), fen
        for uci, move in moves.items():
            removed, after = _answer(case, uci)
            if removed is not None:
                assert {name(at) for at in squares(position.removed(move))} == removed, (fen, uci)
            position.make(move)
            reached = from_core(position, variant)
            if removed is None and not position.has_legal_ep:
                reached.passed = None  # written only when usable in the family's file
            assert reached.fen() == after, (fen, uci)
            position.unmake()
            assert position.state() == before, (fen, uci)
        for depth, leaves in enumerate(case["perft"], 1):
            assert position.perft(depth) == leaves, (fen, depth)


@pytest.mark.parametrize("file", FILES)
def test_reference_knows_the_answers(file: str) -> None:
    """The reference must earn its name; it is slow, so a fifth of the cases."""
    for case in _cases(file, every=5):
        fen, variant = case["fen"], case["variant"]
        reference = Reference(fen, variant)
        assert reference.fen() == fen
        assert reference.is_check() == case["check"], fen
        moves = {reference.uci(move): move for move in reference.legal_moves()}
        assert sorted(moves) == sorted(case["moves"]), fen
        for uci, move in moves.items():
            removed, after = _answer(case, uci)
            if removed is not None:
                assert sorted(map(name, move.removed)) == sorted(removed), (fen, uci)
            reached = reference.make(move).fen(always_passed=removed is not None)
            assert reached == after, (fen, uci)
