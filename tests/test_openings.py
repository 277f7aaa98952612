"""Openings out of files, and the sets that come with the package."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from abdiel.board import BOARDS, Board, CapablancaBoard
from abdiel.match.book import DEFAULT_PLIES, DEFAULT_WINDOW
from abdiel.match.openings import Opening, OpeningError, load_openings, shipped_set
from abdiel.variants import VARIANTS

START = Board.starting_fen
EPD = """\
# two positions and a FEN
5k4/10/10/10/10/10/10/R4K4 w - - hmvc 7; fmvn 40; id "a Rook";

5k4/10/10/10/10/10/10/R4K4 b - -
5k4/10/10/10/10/10/P9/R4K4 w - - 3 12
"""
PGN = """\
[Event "?"]
[Opening "The long Angel"]
[Variant "angelsanddevils"]

1. Ab5 Db6 2. Nd3 {a comment} (2. a4 a5) *

[Variant "angelsanddevils"]
[SetUp "1"]
[FEN "5k4/10/10/10/10/10/10/R4K4 w - - 7 40"]

40. Ra2 *

[Variant "angelsanddevils"]

*
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "book.epd"


def load(file: Path, text: str, board_class: type[Board] = Board) -> list[Opening]:
    file.write_text(text, encoding="utf-8")
    return load_openings(file, board_class)


def test_epd(file: Path) -> None:
    first, second, third = load(file, EPD)
    assert first == Opening("5k4/10/10/10/10/10/10/R4K4 w - - 7 40", (), "a Rook")
    assert second == Opening("5k4/10/10/10/10/10/10/R4K4 b - - 0 1", (), "book.epd:4")
    assert third.fen.endswith(" w - - 3 12")
    assert first.board(Board).fen() == first.fen


def test_pgn(tmp_path: Path) -> None:
    file = tmp_path / "book.pgn"
    first, second, third = load(file, PGN)
    assert first.fen == third.fen == START
    assert first.name == "The long Angel"
    board = first.board(Board)
    assert [board.uci(move) for move in board.move_stack] == list(first.moves)
    assert first.moves[0] == "b1b5"
    assert len(first.moves) == 3
    fen = "5k4/10/10/10/10/10/10/R4K4 w - - 7 40"
    assert second == Opening(fen, ("a1a2",), "book.pgn: game 2")
    assert third.moves == ()
    assert pickle.loads(pickle.dumps(first)) == first


def test_plies_cut_the_moves(tmp_path: Path) -> None:
    file = tmp_path / "book.pgn"
    whole = load(file, PGN)
    for plies in (0, 1, 2, 3, 99):
        cut = load_openings(file, Board, plies=plies)
        assert [opening.moves for opening in cut] == [opening.moves[:plies] for opening in whole]


def test_the_format_may_be_said(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text(PGN, encoding="utf-8")
    assert len(load_openings(str(file), Board, format="pgn")) == 3
    with pytest.raises(OpeningError, match=r"book\.txt:1: EPD: "):
        load_openings(str(file), Board)
    file.write_text(EPD, encoding="utf-8-sig")
    assert len(load_openings(file, Board)) == 3


def test_the_order_is_the_files_or_the_seeds() -> None:
    openings = load_openings("capablanca", CapablancaBoard)
    shuffled = load_openings("capablanca", CapablancaBoard, order="random", seed=5)
    assert shuffled != openings
    assert sorted(shuffled) == sorted(openings)
    assert shuffled == load_openings("capablanca", CapablancaBoard, order="random", seed=5)
    assert shuffled != load_openings("capablanca", CapablancaBoard, order="random", seed=6)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.epd", f"{START}\nnonsense\n", "a.epd:2: EPD: found 1 fields"),
        ("a.epd", "5k4/10/10/10/10/10/10/R9 w - -", "a.epd:1: EPD: FEN"),
        ("a.epd", f"{START.replace('b', 'c')}", "a.epd:1: EPD: FEN"),
        ("a.epd", "", "a.epd: found no openings, expected at least one"),
        ("a.epd", "\n# nothing\n", "a.epd: found no openings"),
        ("a.epd", "5k4/10/10/10/10/10/10/5K4 w - -", "a.epd:1: the game is over there (insuff"),
        ("a.epd", f"{START}\n5k3R/10/5K4/10/10/10/10/10 b - -", "a.epd:2: the game is over there"),
        ("a.pgn", "", "a.pgn: found no openings"),
        ("a.pgn", f"{PGN}\n1. a4 a5\n2. a5 *\n", "a.pgn:18: at White's move 2: "),
        ("a.pgn", '[Variant "chess"]\n\n1. e4 *\n', "a.pgn:1: tag Variant: variant 'chess'"),
        ("a.pgn", '[Variant "janus"]\n\n1. e4 *\n', "a.pgn: game 1: its variant is janus, expec"),
        ("a.pgn", "1. a4 -- *\n", "a.pgn: game 1: a side passes"),
        (
            "a.pgn",
            '[FEN "5k4/10/5K4/10/10/10/10/9R w - - 0 1"]\n\n1. Rj8# 1-0\n',
            "a.pgn: game 1: the game is over there (checkmate): a limit of plies",
        ),
    ],
)
def test_errors_say_where(tmp_path: Path, name: str, text: str, told: str) -> None:
    with pytest.raises(OpeningError) as caught:
        load(tmp_path / name, text)
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)


def test_wrong_sources(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="openings 'no such': no such file, and no set") as caught:
        load_openings("no such", Board)
    assert ", ".join(VARIANTS) in str(caught.value)
    with pytest.raises(ValueError, match="expected its set, openings angelsanddevils"):
        load_openings("janus", Board)
    with pytest.raises(OSError, match=str(tmp_path)):
        load_openings(tmp_path, Board)
    (tmp_path / "latin.epd").write_bytes(START.encode() + b' id "\xe9";\n')
    with pytest.raises(OpeningError, match=r"latin\.epd: byte \d+: expected text in UTF-8"):
        load_openings(tmp_path / "latin.epd", Board)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"order": "shuffled"}, "order of openings: found 'shuffled', expected sequential or"),
        ({"format": "bin"}, "format of openings: found 'bin', expected epd or pgn"),
        ({"plies": -1}, "plies of openings: found -1, expected 0 or more"),
    ]
    for arguments, told in wrong:
        with pytest.raises(ValueError, match=told):
            load_openings("angelsanddevils", Board, **arguments)


@pytest.mark.parametrize("board_class", BOARDS)
def test_shipped_sets(board_class: type[Board]) -> None:
    openings = load_openings(board_class.uci_variant, board_class)
    lines = shipped_set(board_class.uci_variant).read_text(encoding="utf-8").splitlines()
    # Cute Chess takes every line for a position.
    assert len(lines) == len(openings) >= 500
    assert sum(map(len, lines)) < 60_000
    assert len({" ".join(line.split()[:4]) for line in lines}) == len(lines)
    sides = set()
    for opening, line in zip(openings, lines, strict=True):
        board = opening.board(board_class)
        sides.add(board.turn)
        assert not board.is_check()
        assert DEFAULT_PLIES[0] <= 2 * board.fullmove_number - 1 - board.turn <= DEFAULT_PLIES[1]
        operations = board_class.from_epd(line)[1]
        assert list(operations) == ["ce", "fmvn", "hmvc"]
        score = operations["ce"]
        assert isinstance(score, int)
        # The start is at most this far from 0 itself.
        assert abs(score) <= DEFAULT_WINDOW + 60
    assert sides == {True, False}
