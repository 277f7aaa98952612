"""The tactical suite: what its records say, and how an engine is asked for them.

`data/ad_mates.jsonl` holds 40 mates that an exhaustive solver proved; `data/tactics.epd` our own
positions, mined and proven by `make_tactics.py`. Operations of the latter:

- `bm` the key, the one best move; `pv` a line that begins with it; `dm` moves to mate, if it is one
- `id` the theme that the position stands for and a number; `theme` all that is true of the key
- `ce`, `rival`: centipawns with the key and with the best of the other moves, from searches of
  `acn` nodes each to the depth `acd`; of a mate `acn` is the size of the exhaustive searches
- `proof` in words
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from abdiel import ANGEL, DEVIL, Board, Move
from abdiel.core.position import Position
from abdiel.core.searcher import MATE
from abdiel.engine import Engine, Info, Limits

DATA = Path(__file__).parent / "data"
SUITE = DATA / "tactics.epd"
KNOWN_MATES = DATA / "ad_mates.jsonl"

# The guard's terms: each position by itself, one thread, nothing remembered.
NODES = 200_000
HASH_MB = 16

# Decisive is what wins where no other move does, by this much, in centipawns.
MARGIN = 300
WINNING = 250
NOT_WINNING = 100

LONGEST = 5  # moves to mate

THEMES = ("mate", "multi", "quiet", "friend", "angel", "devil")


class Tactic(NamedTuple):
    """A position with its one best move; `mate` is None where the key wins material only."""

    name: str
    board: Board
    key: Move
    mate: int | None
    line: tuple[Move, ...] = ()
    themes: frozenset[str] = frozenset()
    operations: Mapping[str, Any] = MappingProxyType({})

    @property
    def theme(self) -> str:
        """The theme that the position stands for."""
        return self.name.partition(".")[0]


def read_suite(path: Path = SUITE) -> list[Tactic]:
    return [_read(line) for line in path.read_text().splitlines()]


def _read(line: str) -> Tactic:
    board, operations = Board.from_epd(line)
    (key,) = cast("list[Move]", operations["bm"])
    return Tactic(
        str(operations["id"]),
        board,
        key,
        cast("int | None", operations.get("dm")),
        tuple(cast("list[Move]", operations["pv"])),
        frozenset(str(operations["theme"]).split()),
        operations,
    )


def read_known_mates() -> list[Tactic]:
    rows = [json.loads(line) for line in KNOWN_MATES.read_text().splitlines()]
    return [
        Tactic(f"known.{number:02}", Board(row["fen"]), Move.from_uci(row["bm"]), row["dm"])
        for number, row in enumerate(rows, 1)
    ]


def features(board: Board, key: Move) -> frozenset[str]:
    """What is true of a move: the themes that it can stand for, and `check`, `jump`, `burn`."""
    found = set()
    removed = board.removed(key)
    friends = [square for square in removed if board.color_at(square) == board.turn]
    enemies = len(removed) - len(friends)
    if friends:
        found.add("friend")
    if enemies > 1:
        found.add("multi")
    # What a special piece's move removes besides the enemy on the square where it lands.
    if enemies > (bool(friends) < (key.to_square in removed)):
        if board.piece_type_at(key.from_square) == ANGEL:
            found.add("jump")
        elif board.piece_type_at(key.from_square) == DEVIL:
            found.add("burn")
    if board.gives_check(key):
        found.add("check")
    if key.promotion in (ANGEL, DEVIL):
        found.add("angel" if key.promotion == ANGEL else "devil")
    if not removed and not key.promotion and not board.gives_check(key):
        found.add("quiet")
    return frozenset(found)


def value(info: Info) -> int:
    """The score of a report as one number, mates included."""
    if info.score is not None:
        return info.score
    assert info.mate is not None
    return MATE - 2 * info.mate + 1 if info.mate > 0 else -MATE - 2 * info.mate


def ask(engine: Engine, board: Board, limits: Limits) -> list[Info]:
    """The last complete report of each line, best first, of a search that remembers nothing."""
    reports: list[Info] = []
    engine.new_game()
    engine.start(board, limits, on_info=reports.append)
    engine.wait()
    exact = [report for report in reports if report.bound == 0]
    lines = max(report.multipv for report in exact)
    depth = max(report.depth for report in exact if report.multipv == lines)
    last = {report.multipv: report for report in exact if report.depth == depth}
    return [last[number] for number in sorted(last)]


def is_solved(engine: Engine, tactic: Tactic, nodes: int = NODES) -> bool:
    """Whether a search finds the key and, where it mates, announces the exact length."""
    answer: list[Move | None] = []
    reports: list[Info] = []
    engine.new_game()
    engine.start(
        tactic.board,
        Limits(nodes=nodes),
        on_info=reports.append,
        on_bestmove=lambda move, _: answer.append(move),
    )
    engine.wait()
    last = [report for report in reports if report.multipv == 1 and report.bound == 0][-1]
    return answer == [tactic.key] and (tactic.mate is None or last.mate == tactic.mate)


def mates_within(
    engine: Engine, board: Board, moves: int, first: tuple[Move, ...] = (), nodes: int | None = None
) -> int | None:
    """Moves to a mate of at most so many that begins with one of `first`, all if empty; else None.

    `go mate` prunes nothing, so None is a proof, unless the search was cut short: RuntimeError.
    """
    report = ask(engine, board, Limits(mate=moves, nodes=nodes, searchmoves=first))[0]
    if report.mate is not None and 0 < report.mate <= moves:
        return report.mate
    if nodes is not None and engine.nodes >= nodes:
        raise RuntimeError(f"{nodes} nodes do not prove that there is no mate in {moves}")
    return None


def plain_mates_within(board: Board, moves: int, first: tuple[Move, ...] = ()) -> bool:
    """The same question, answered by trying all moves: no engine, no table, slow beyond two."""
    position = board.copy()._position
    wanted = [board._core_move(move) for move in first] or position.legal_moves()
    return any(_forces(position, move, moves) for move in wanted)


def _forces(position: Position, move: int, moves: int) -> bool:
    """Whether a move mates within so many moves whatever the answers are."""
    if moves == 1 and not position.gives_check(move):
        return False
    position.make(move)
    try:
        replies = position.legal_moves()
        if not replies:
            return position.is_check()
        return moves > 1 and all(_loses(position, reply, moves - 1) for reply in replies)
    finally:
        position.unmake()


def _loses(position: Position, reply: int, moves: int) -> bool:
    position.make(reply)
    try:
        return any(_forces(position, move, moves) for move in position.legal_moves())
    finally:
        position.unmake()
