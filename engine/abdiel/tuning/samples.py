"""Positions with a score and a result, out of EPD files and the PGN of `abdiel match`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from abdiel.board import find_variant
from abdiel.core.evaluate import trace
from abdiel.errors import EpdError
from abdiel.notation import pgn
from abdiel.tuning.selfplay import HIGHEST_SCORE, is_quiet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from abdiel.board import Board

_POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
# The score that `abdiel match` writes behind a move, in pawns.
_COMMENT = re.compile(r"([+-]?[0-9]+\.[0-9]+)/")


class Sample(NamedTuple):
    """What is learned from one position, all from White's view.

    - `game`: whatever tells the games apart; `weights` is the set that it is about.
    - `score`: the search's, in centipawns; `points`: 1 for White's win, 0.5 for a draw.
    - `phase`, `endgame`, `whole`, `counts`: as `core.evaluate.trace` gives them.
    """

    game: str
    weights: int
    score: int
    points: float
    phase: float
    endgame: float
    whole: float
    counts: list[tuple[int, int, int]]


def read_samples(path: Path, variant: str) -> Iterator[Sample]:
    """Yield what a file holds. Raises `ValueError` for a line that is not what it should be.

    A file that ends in `.pgn` is a match's, of which the quiet positions count; any other is
    EPD with the operations `ce`, `c9` and, if it has several games, `id`.
    """
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".pgn":
        yield from _from_pgn(text, path.name, variant)
    else:
        yield from _from_epd(text, path.name, variant)


def _from_epd(text: str, file: str, variant: str) -> Iterator[Sample]:
    board_class = find_variant(variant)
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            board, operations = board_class.from_epd(line)
        except EpdError as error:
            raise ValueError(f"{file}:{number}: {error}") from None
        score, result = operations.get("ce"), operations.get("c9")
        if not isinstance(score, int) or result not in _POINTS:
            raise ValueError(
                f"{file}:{number}: found ce {score!r} and c9 {result!r},"
                ' expected centipawns and a result such as "1-0"'
            )
        yield _sample(board, str(operations.get("id", file)), score, _POINTS[str(result)])


def _from_pgn(text: str, file: str, variant: str) -> Iterator[Sample]:
    for number, game in enumerate(pgn.read_games(text), 1):
        points = _POINTS.get(game.headers.get("Result", "*"))
        board = game.start_board()
        if points is None or board.uci_variant != variant:
            continue
        for node in game.mainline():
            found = _COMMENT.match(node.comment)
            if found and node.move is not None and is_quiet(board, node.move):
                score = round(100 * float(found[1]))
                if abs(score) < HIGHEST_SCORE:
                    yield _sample(board, f"{file} {number}", score, points)
            if node.move is not None:
                board.push(node.move)


def _sample(board: Board, game: str, score: int, points: float) -> Sample:
    weights, phase, endgame, whole, counts = trace(board._position)
    own = score if board.turn else -score
    return Sample(game, weights, own, points, phase, endgame, whole, counts)
