"""Openings: what the games of a match start from, out of EPD and PGN files or the shipped sets.

openings = load_openings("capablanca", CapablancaBoard, order="random", seed=7)
board = openings[0].board(CapablancaBoard)
"""

from __future__ import annotations

import random
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from abdiel.errors import EpdError, PgnError, shown
from abdiel.notation import pgn
from abdiel.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from abdiel.board import Board

Format: TypeAlias = Literal["epd", "pgn"]
Order: TypeAlias = Literal["sequential", "random"]


class Opening(NamedTuple):
    """A position and the moves that lead from it to where the engines begin: plain data.

    `moves` are UCI texts; `name` is the file's for it, or the file and the line or game.
    """

    fen: str
    moves: tuple[str, ...] = ()
    name: str = ""

    def board(self, board_class: type[Board]) -> Board:
        """Return the board that the engines begin with, its moves on the `move_stack`."""
        board = board_class(self.fen)
        for move in self.moves:
            board.push_uci(move)
        return board


class OpeningError(ValueError):
    """A file of openings is malformed; the message begins with the file and the line or game."""


def shipped_set(variant: str) -> Traversable:
    """Return the EPD file of a variant that comes with the package, by the variant's name."""
    return files("abdiel.match").joinpath("data", f"{variant}.epd")


def load_openings(
    source: str | Path,
    board_class: type[Board],
    *,
    format: Format | None = None,
    order: Order = "sequential",
    seed: int = 0,
    plies: int | None = None,
) -> list[Opening]:
    """Return the openings of a file, or of the shipped set that is named by its variant.

    Without `format` a file that ends in `.pgn` is PGN and any other is EPD or FENs, one a line;
    empty lines and lines that begin with `#` are passed over. `plies` cuts the moves of a PGN
    game. The order is the file's, or a shuffled one, the same for the same `seed`.

    Raises `OpeningError` for a malformed file and one of another variant, `ValueError` for a
    name that is neither a file nor a variant, and `OSError` for a file that cannot be read.
    """
    if order not in get_args(Order):
        raise ValueError(f"order of openings: found {order!r}, expected sequential or random")
    if format is not None and format not in get_args(Format):
        raise ValueError(f"format of openings: found {format!r}, expected epd or pgn")
    if plies is not None and plies < 0:
        raise ValueError(f"plies of openings: found {plies}, expected 0 or more")
    file: Traversable = Path(source)
    if isinstance(source, str) and source in VARIANTS:
        if source != board_class.uci_variant:
            raise ValueError(
                f"openings {source}: the game is {board_class.uci_variant},"
                f" expected its set, openings {board_class.uci_variant}"
            )
        file = shipped_set(source)
    elif not Path(source).exists():
        raise ValueError(
            f"openings {shown(str(source))}: no such file, and no set of that name;"
            f" expected a file or one of {', '.join(VARIANTS)}"
        )
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise OpeningError(f"{file.name}: byte {error.start}: expected text in UTF-8") from None
    if format is None:
        format = "pgn" if file.name.lower().endswith(".pgn") else "epd"
    if format == "pgn":
        openings = list(_read_pgn(text, file.name, board_class, plies))
    else:
        openings = list(_read_epd(text, file.name, board_class))
    if not openings:
        raise OpeningError(f"{file.name}: found no openings, expected at least one")
    if order == "random":
        random.Random(seed).shuffle(openings)
    return openings


def _read_epd(text: str, file: str, board_class: type[Board]) -> Iterator[Opening]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{file}:{number}"
        try:
            board, operations = board_class.from_epd(line)
        except EpdError as error:
            raise OpeningError(f"{where}: {error}") from None
        name = operations.get("id")
        yield _checked(Opening(board.fen(), (), str(name or where)), board, where)


def _read_pgn(
    text: str, file: str, board_class: type[Board], plies: int | None
) -> Iterator[Opening]:
    games = pgn.read_games(text)
    number = 0
    while True:
        number += 1
        try:
            game = next(games, None)
        except PgnError as error:
            said = str(error).removeprefix(f"line {error.line}").lstrip(":, ")
            raise OpeningError(f"{file}:{error.line}: {said}") from None
        if game is None:
            return
        where = f"{file}: game {number}"
        board = game.start_board()
        if type(board).uci_variant != board_class.uci_variant:
            raise OpeningError(
                f"{where}: its variant is {board.uci_variant},"
                f" expected the tag Variant to say {board_class.uci_variant}"
            )
        fen = board.fen()
        moves = []
        for move in list(game.mainline_moves())[:plies]:
            if not move:
                raise OpeningError(f"{where}: a side passes, expected moves that engines can play")
            moves.append(board.uci(move))
            board.push(move)
        name = game.headers.get("Opening") or where
        yield _checked(Opening(fen, tuple(moves), name), board, where)


def _checked(opening: Opening, board: Board, where: str) -> Opening:
    outcome = board.outcome()
    if outcome is not None:
        ending = outcome.termination.name.lower().replace("_", " ")
        cut = ": a limit of plies would end it earlier" if opening.moves else ""
        raise OpeningError(f"{where}: the game is over there ({ending}){cut}")
    return opening
