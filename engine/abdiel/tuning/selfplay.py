"""Games that the engine plays against itself, as quiet positions with what became of them.

Each line is EPD: `ce` is the search's score in centipawns as the side to move sees it, `c9` the
game's result, `id` the seed and the number of the game, on which alone a game depends.
"""

from __future__ import annotations

import random
from concurrent.futures import FIRST_COMPLETED, wait
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from abdiel.board import find_variant
from abdiel.engine import EXACT, Engine, Limits
from abdiel.match.openings import load_openings
from abdiel.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from abdiel.board import Board
    from abdiel.engine import Info
    from abdiel.match.openings import Opening
    from abdiel.moves import Move

HIGHEST_SCORE = 1500  # centipawns: what is beyond it is won anyway

# Moves by chance behind an opening, fewest and most: they bring every imbalance about.
_RANDOM_PLIES = (0, 6)
_MAX_PLIES = 400
# A score that ends a game when it has stood for so many half-moves.
_WON = (HIGHEST_SCORE, 4)
_LEVEL = (8, 16)
_LEVEL_FROM = 100  # half-moves into the game
_HASH_MB = 4


class Settings(NamedTuple):
    """What all games have in common; `nodes` are those of a move."""

    variant: str
    nodes: int
    seed: int


def play_game(settings: Settings, number: int) -> str:
    """Play one game and return its quiet positions, a line each."""
    board = _begin(settings, number)
    lines = []
    result = "1/2-1/2"
    level = decided = 0
    with Engine(_HASH_MB) as engine:
        for _ in range(_MAX_PLIES):
            if board.is_game_over():
                result = board.result()
                break
            move, score = _search(engine, board, settings.nodes)
            level = level + 1 if abs(score) <= _LEVEL[0] else 0
            decided = decided + 1 if abs(score) >= _WON[0] else 0
            if decided >= _WON[1]:
                result = "1-0" if (score > 0) == board.turn else "0-1"
                break
            if level >= _LEVEL[1] and board.ply() >= _LEVEL_FROM:
                break
            if abs(score) < HIGHEST_SCORE and is_quiet(board, move):
                lines.append(board.epd(ce=score, hmvc=board.halfmove_clock))
            board.push(move)
    end = f' c9 "{result}"; id "{settings.seed}/{number}";\n'
    return "".join(line + end for line in lines)


def is_quiet(board: Board, move: Move) -> bool:
    """Tell whether there is no check, and the best move neither removes nor promotes."""
    return not (board.is_check() or move.promotion or board.is_capture(move))


def generate(settings: Settings, games: int, out: Path, jobs: int) -> Iterator[int]:
    """Append the games from 0 on that a file lacks, as they end; yield how many it then has.

    Each is written whole, so that an interruption leaves a file to go on with.
    """
    done = set()
    if out.exists():
        text = out.read_text(encoding="utf-8")
        out.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")
        ending = f'id "{settings.seed}/'
        for line in text.splitlines():
            _, found, number = line.rpartition(ending)
            if found and number.endswith('";'):
                done.add(int(number[:-2]))
    missing = (number for number in range(games) if number not in done)
    count = len(done)
    workers = Workers(jobs)
    try:
        running: set[Future[str]] = set()
        with out.open("a", encoding="utf-8") as file:
            while True:
                for game in islice(missing, 2 * jobs - len(running)):
                    running.add(workers.submit(play_game, settings, game))
                if not running:
                    break
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    file.write(future.result())
                    count += 1
                file.flush()
                yield count
    finally:
        workers.abort()


def _begin(settings: Settings, number: int) -> Board:
    """Return an opening of the shipped set with some moves by chance behind it."""
    rng = random.Random(f"{settings.variant} {settings.seed} {number}")
    board_class = find_variant(settings.variant)
    while True:
        board = rng.choice(_openings(settings.variant)).board(board_class)
        for _ in range(rng.randint(*_RANDOM_PLIES)):
            moves = sorted(board.legal_moves, key=board.uci)
            if moves:
                board.push(rng.choice(moves))
        if not board.is_game_over():
            return board


@cache
def _openings(variant: str) -> list[Opening]:
    return load_openings(variant, find_variant(variant))


def _search(engine: Engine, board: Board, nodes: int) -> tuple[Move, int]:
    """Return the best move and its score; a mate's is just beyond all others."""
    reports: list[Info] = []
    moves: list[Move | None] = []
    engine.start(board, Limits(nodes=nodes), reports.append, lambda move, _: moves.append(move))
    engine.wait()
    last = [info for info in reports if info.bound == EXACT and info.multipv == 1][-1]
    assert moves[0] is not None
    if last.score is None:
        return moves[0], 2 * HIGHEST_SCORE * (1 if (last.mate or 0) > 0 else -1)
    return moves[0], last.score
