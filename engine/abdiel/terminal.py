"""A game against the engine in a terminal, and the boards drawn there."""

from __future__ import annotations

import contextlib
import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from abdiel.draft import SIDES
from abdiel.engine import Engine, Limits
from abdiel.notation import pgn
from abdiel.notation.san import split_moves
from abdiel.pieces import UNICODE_SYMBOLS, WHITE, Piece
from abdiel.squares import FILE_NAMES, RANK_NAMES, SQUARE_NAMES, square_file, square_rank
from abdiel.svg import picture as picture  # the other way to draw a board
from abdiel.text import diagram

if TYPE_CHECKING:
    from abdiel.board import Board
    from abdiel.engine import Info
    from abdiel.moves import Move

with contextlib.suppress(ImportError):
    import readline  # noqa: F401  # input() then edits lines and remembers them

_MOVED, _REMOVED = "black on #c8d26a", "black on #e07a5f"

_HELP = """\
Type a move as b1b5 or in algebraic notation (Axb5, O-O), or one of
  undo            take back your last move and its answer, or your resignation
  hint            let Abdiel show a move
  flip            turn the board
  board           draw the board again
  save FILE.pgn   write the game to a file
  resign          give up the game
  help            show this
  quit            leave; the end of the input and Ctrl-C do the same
On the board [ ] marks the last move, * * what it took off."""


def draw(
    board: Board,
    *,
    ascii: bool = False,
    orientation: bool = WHITE,
    console: Console | None = None,
) -> None:
    """Draw a board with its last move and every square from which that took a piece off.

    Both are marked by characters and by colours. Letters replace the symbols where the output's
    encoding lacks them.
    """
    console = console or Console()
    symbol = None if ascii or not _can_show_symbols(console) else Piece.unicode_symbol
    last, removed = board._marks()
    moved = [last.from_square, last.to_square] if last else []
    text = Text(
        diagram(board, symbol=symbol, orientation=orientation, lastmove=moved, removed=removed)
    )
    for number, row in enumerate(text.split("\n")):
        for at, style in [(at, _MOVED) for at in moved] + [(at, _REMOVED) for at in removed]:
            column, line = _cell(at, orientation)
            if line == number:
                row.stylize(style, column, column + 3)
        console.print(row)


def _cell(at: int, orientation: bool) -> tuple[int, int]:
    """Column and line of a square's three characters in a diagram."""
    file, rank = square_file(at), square_rank(at)
    if orientation == WHITE:
        return 3 + 4 * file, 1 + 2 * (len(RANK_NAMES) - 1 - rank)
    return 3 + 4 * (len(FILE_NAMES) - 1 - file), 1 + 2 * rank


def _can_show_symbols(console: Console) -> bool:
    try:
        "".join(UNICODE_SYMBOLS.values()).encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class Game:
    """One game between whoever types and the engine."""

    def __init__(
        self,
        board: Board,
        *,
        side: bool,
        limits: Limits,
        ascii: bool = False,
        console: Console | None = None,
    ) -> None:
        """`side` is the colour of whoever types, True for White; `limits` are each move's."""
        self._board = board
        self._side = side
        self._limits = limits
        self._ascii = ascii
        self._console = console or Console(highlight=False, markup=False)
        self._orientation = side
        self._resigned = False
        self._engine = Engine()

    def play(self) -> None:
        """Play until whoever types leaves, by command, end of input or Ctrl-C."""
        with self._engine:
            try:
                self._say(f"{self._board.variant.title}. Type help for the commands.")
                self._draw()
                self._announce_end()
                while True:
                    if self._is_over() or self._board.turn == self._side:
                        if not self._answer(self._ask()):
                            break
                    else:
                        self._let_engine_move()
            except (EOFError, KeyboardInterrupt):
                self._say("")
        self._say("Goodbye.")

    def _say(self, text: str) -> None:
        self._console.print(text, soft_wrap=True)

    def _draw(self) -> None:
        draw(
            self._board,
            ascii=self._ascii,
            orientation=self._orientation,
            console=self._console,
        )

    def _ask(self) -> str:
        if self._is_over():
            return input("game over> ").strip()
        side = SIDES[not self._board.turn]
        return input(f"{self._board.fullmove_number}. {side}> ").strip()

    # What may be typed

    def _answer(self, text: str) -> bool:
        """Do what was asked; False to leave."""
        word, _, rest = text.partition(" ")
        word = word.lower()
        if word in ("quit", "exit"):
            return False
        if word == "help":
            self._say(_HELP)
        elif word == "undo":
            self._undo()
        elif word == "hint":
            self._hint()
        elif word == "flip":
            self._orientation = not self._orientation
            self._draw()
        elif word == "board":
            self._draw()
        elif word == "save":
            self._save(rest.strip())
        elif word == "resign":
            self._resign()
        elif text:
            self._move(text)
        return True

    def _move(self, text: str) -> None:
        if self._is_over():
            self._say("The game is over: undo, save or quit.")
            return
        try:
            move = self._board.parse_san(" ".join(split_moves(text)))
            if not move:
                raise ValueError("passing is not possible")
        except ValueError as error:
            self._say(f"{error}")
            return
        self._play_move("You play", move)

    def _undo(self) -> None:
        if self._resigned:
            self._resigned = False
            self._say("You go on.")
            self._draw()
            return
        own = [ply for ply, _ in enumerate(self._board.move_stack) if self._is_own(ply)]
        if not own:
            self._say("There is no move of yours to take back.")
            return
        while len(self._board.move_stack) > own[-1]:
            self._board.pop()
        self._draw()

    def _is_own(self, ply: int) -> bool:
        first = self._board.root().turn
        return (first if ply % 2 == 0 else not first) == self._side

    def _hint(self) -> None:
        if self._is_over():
            self._say("The game is over.")
            return
        move, info = self._think()
        if move is not None:
            self._say(f"Hint: {self._name(move)}{_score(info)}")

    def _resign(self) -> None:
        if self._is_over():
            self._say("The game is over already.")
            return
        self._resigned = True
        self._announce_end()

    def _save(self, path: str) -> None:
        if not path:
            self._say("save needs the name of a file, such as: save game.pgn")
            return
        try:
            Path(path).write_text(self._pgn(), encoding="utf-8")
        except OSError as error:
            self._say(f"Cannot save to {path}: {error.strerror}")
            return
        self._say(f"Saved to {path}.")

    def _pgn(self) -> str:
        game = pgn.Game.from_board(self._board)
        sides = ("You", "Abdiel") if self._side == WHITE else ("Abdiel", "You")
        today = datetime.date.today()
        game.headers |= {
            "Event": "A game in the terminal",
            "Date": today.strftime("%Y.%m.%d"),
            "White": sides[0],
            "Black": sides[1],
            "Result": self._result(),
        }
        return f"{game}\n"

    # Moves and the end

    def _name(self, move: Move) -> str:
        """SAN with the UCI text behind it."""
        return f"{self._board.san(move)} ({self._board.uci(move)})"

    def _play_move(self, who: str, move: Move, info: Info | None = None) -> None:
        said = f"{who} {self._name(move)}{_score(info)}"
        removed = " ".join(SQUARE_NAMES[at] for at in self._board.removed(move))
        self._board.push(move)
        self._draw()
        self._say(said + (f", removing {removed}" if removed else "") + ".")
        if self._board.is_check() and not self._is_over():
            self._say("Check.")
        self._announce_end()

    def _let_engine_move(self) -> None:
        move, info = self._think()
        if move is None:
            raise RuntimeError("the engine found no move in a position that has some")
        self._play_move("Abdiel plays", move, info)

    def _think(self) -> tuple[Move | None, Info | None]:
        found: list[Move | None] = []
        reports: list[Info] = []
        self._engine.start(
            self._board,
            self._limits,
            on_info=reports.append,
            on_bestmove=lambda move, _: found.append(move),
        )
        self._engine.wait()
        return found[0], reports[-1] if reports else None

    def _is_over(self) -> bool:
        return self._resigned or self._board.is_game_over()

    def _result(self) -> str:
        if self._resigned:
            return "0-1" if self._side else "1-0"
        return self._board.result()

    def _announce_end(self) -> None:
        if not self._is_over():
            return
        outcome = self._board.outcome()
        if self._resigned or outcome is None:
            reason = "you resigned"
        else:
            reason = outcome.termination.name.lower().replace("_", " ")
        winner = {"1-0": "White wins", "0-1": "Black wins"}.get(self._result(), "Draw")
        self._say(f"Game over: {winner}, {reason}. {self._result()}")


def _score(info: Info | None) -> str:
    if info is None:
        return ""
    if info.mate is not None:
        return f", mate in {info.mate}" if info.mate > 0 else f", mated in {-info.mate}"
    return f", {(info.score or 0) / 100:+.2f}"
