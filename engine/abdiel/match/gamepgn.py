"""A played game as PGN, with the comments that other tournament programs write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abdiel.board import find_variant
from abdiel.match.client import EngineFailure
from abdiel.match.game import (
    DRAW_ADJUDICATION,
    FORFEITS,
    ILLEGAL,
    MAX_LENGTH,
    RESIGN_ADJUDICATION,
    TIME,
)
from abdiel.notation.game import Game

if TYPE_CHECKING:
    from abdiel.match.game import GameRecord, MoveRecord
    from abdiel.notation.game import GameNode

# The values of the tag Termination; the standard has no word for some of them.
_ADJUDICATIONS = (DRAW_ADJUDICATION, RESIGN_ADJUDICATION, MAX_LENGTH)
_TERMINATIONS = {
    TIME: "time forfeit",
    ILLEGAL: "illegal move",
    EngineFailure.CRASH: "abandoned",
    EngineFailure.EXIT: "abandoned",
    EngineFailure.STALL: "stalled connection",
    **dict.fromkeys(_ADJUDICATIONS, "adjudication"),
}
MAX_TAG = 240  # the standard's longest line is 255


def game_of(record: GameRecord, event: str, site: str) -> Game:
    """Return the game of a record.

    Besides the standard's tags there are `Reason` where the game did not end by its rules, and
    `OffendingLine` and `LastFEN` of a forfeit.
    """
    board = find_variant(record.variant)(record.fen)
    game = Game(board)
    date, _, clock = record.started.partition("T")
    game.headers |= {
        "Event": event,
        "Site": site,
        "Date": date.replace("-", ".") or "????.??.??",
        "Round": str(record.round),
        "White": record.white,
        "Black": record.black,
        "Result": record.result,
        "UTCDate": date.replace("-", ".") or "????.??.??",
        "UTCTime": clock.partition("+")[0] or "??:??:??",
        "PlyCount": str(len(record.moves)),
        "Termination": _TERMINATIONS.get(record.termination, "normal"),
    }
    white, black = record.controls
    if white == black:
        game.headers["TimeControl"] = white
    else:
        game.headers |= {"WhiteTimeControl": white, "BlackTimeControl": black}
    if record.opening:
        game.headers["Opening"] = record.opening
    if record.termination in FORFEITS or record.termination in _ADJUDICATIONS:
        game.headers["Reason"] = record.reason[:MAX_TAG]
    if record.termination in FORFEITS:
        game.headers["OffendingLine"] = record.line[:MAX_TAG]
        game.headers["LastFEN"] = record.last_fen
    node: GameNode = game
    last = len(record.moves) - 1
    for number, move in enumerate(record.moves):
        child = node.add_variation(board.push_uci(move.uci))
        child.comment = "book" if number < record.book else comment(move)
        if number == last:
            child.comment = f"{child.comment}, {record.reason}"
        node = child
    if not record.moves:
        game.comment = record.reason
    return game


def comment(move: MoveRecord) -> str:
    """Return score, depth and time of a move, such as `+0.25/12 0.50s`.

    The score is the mover's, in pawns; `M5` is mate in five half-moves.
    """
    if move.mate is not None:
        plies = 2 * move.mate - 1 if move.mate > 0 else -2 * move.mate
        score = f"{'+' if move.mate > 0 else '-'}M{plies}"
    elif move.score is not None:
        score = f"{move.score / 100:+.2f}" if move.score else "0.00"
    else:
        return _seconds(move.ms)
    return f"{score}/{move.depth or 0} {_seconds(move.ms)}"


def _seconds(ms: float) -> str:
    digits = 3 if ms < 100 else 2 if ms < 10_000 else 1 if ms < 100_000 else 0
    return f"{ms / 1000:.{digits}f}s"
