"""PGN: games as text, read tolerantly and written canonically.

For example:

    with open("games.pgn") as file:
        for game in pgn.read_games(file):
            print(game.headers["White"], game.end().board().fen())
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, TextIO
from weakref import WeakKeyDictionary

from abdiel.draft import SIDES
from abdiel.errors import FenError, MoveError, PgnError, SanError, shown
from abdiel.notation.game import RESULTS, ROSTER, Game, GameNode
from abdiel.notation.san import NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from abdiel.board import Board

__all__ = ["Game", "GameNode", "PgnReader", "format_game", "read_game", "read_games", "write_game"]

COLUMNS = 79  # the longest line in export format
MAX_NESTING = 64  # variations within variations; people write three or four

_MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_SIGNS = {
    "=": 10,
    "∞": 13,
    "+=": 14,
    "⩲": 14,
    "=+": 15,
    "⩱": 15,
    "±": 16,
    "+/-": 16,
    "∓": 17,
    "-/+": 17,
    "+-": 18,
    "-+": 19,
}
_DRAWS = frozenset(("1/2", "½-½"))

_TAG_START = re.compile(r"\s*\[\s*[A-Za-z0-9_]+\s+\"")
_FIRST_TAG = re.compile(r"\[Event\s+\"")
_TAGS = re.compile(r"\s*(?:\[\s*[A-Za-z0-9_]+\s+\"(?:[^\"\\]|\\.)*\"\s*\]\s*)+$")
_TAG = re.compile(r"\[\s*([A-Za-z0-9_]+)\s+\"((?:[^\"\\]|\\.)*)\"\s*\]")
# A value with quotes that nobody escaped.
_LOOSE_TAG = re.compile(r"\s*\[\s*([A-Za-z0-9_]+)\s+\"(.*)\"\s*\]\s*$")
_TAG_NAME = re.compile(r"[A-Za-z0-9_]+$")
_ESCAPE = re.compile(r"\\([\"\\])")

_RESULT_AT_END = re.compile(r"(?:^|\s)(?:1-0|0-1|1/2-1/2|\*)\s*$")
_COMMENT = re.compile(r"\{[^}]*\}|;.*")

_TOKEN = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<comment>\{{)
    | (?P<rest>;.*)
    | (?P<open>\()
    | (?P<close>\))
    | \$(?P<nag>\d{{1,9}})
    | (?P<result>(?:1-0|0-1|1/2-1/2|1/2|½-½)(?![\w/-])|\*)
    | (?P<castling>[0Oo]-[0Oo](?:-[0Oo])?[+\#]*)
    | (?P<number>{NUMBER})
    | (?P<null>--|Z0\b|0000\b|@@@@)
    | (?P<mark>[!?]+)
    | (?P<passing>e\.p\.|ep\b)
    | (?P<sign>[+-]/[+-]|[+=-]+|[∞⩲⩱±∓\#])
    | (?P<reserved><[^>]*>)
    | (?P<move>[A-Za-z](?:(?!e\.p\.)[A-Za-z0-9:=/-])*(?:e\.p\.)?(?:\([A-Za-z]\))?[+\#]*)
    | (?P<other>\S+)
    """,
    re.VERBOSE,
)


def read_game(handle: TextIO | str) -> Game | None:
    """Read the next game of an open file, or the first of a text; None when there is no more.

    Raises `PgnError` for a malformed game; the next call reads the game after it.
    """
    return next(PgnReader(handle), None)


def read_games(
    handle: TextIO | str, *, on_error: Callable[[PgnError], None] | None = None
) -> PgnReader:
    """Return an iterator over the games of an open file or of a text.

    For a malformed game it calls `on_error`, or without that raises `PgnError`. Either way the
    games after it can still be read, by going on with the same iterator.
    """
    return PgnReader(handle, on_error=on_error)


def write_game(game: Game, handle: TextIO) -> None:
    """Write a game and the empty line that separates it from the next."""
    handle.write(f"{game}\n\n")


class PgnReader:
    """Iterates over the games of a file; see `read_games`."""

    def __init__(
        self, handle: TextIO | str, *, on_error: Callable[[PgnError], None] | None = None
    ) -> None:
        self._lines = _Lines(io.StringIO(handle) if isinstance(handle, str) else handle)
        self._on_error = on_error

    def __iter__(self) -> Iterator[Game]:
        return self

    def __next__(self) -> Game:
        while True:
            parser = _GameParser(self._lines)
            try:
                if not parser.parse():
                    raise StopIteration
                return parser.game
            except PgnError as error:
                parser.skip()
                if self._on_error is None:
                    raise
                self._on_error(error)


class _Place:
    """How far a file has been read, and the text that was read too far."""

    __slots__ = ("left", "number")

    def __init__(self) -> None:
        self.number = 0
        self.left: str | None = None


# Where a game has no result, its end shows only in the first line of the next, which the next
# call of `read_game` must find again.
_places: WeakKeyDictionary[TextIO, _Place] = WeakKeyDictionary()


class _Lines:
    """The lines of a file with their numbers, one of which can be given back."""

    def __init__(self, handle: TextIO) -> None:
        self._handle = handle
        try:
            self._place = _places.setdefault(handle, _Place())
        except TypeError:  # something like a file to which no weak reference is possible
            self._place = _Place()

    @property
    def number(self) -> int:
        """The number of the line read last, from 1."""
        return self._place.number

    def next(self) -> str | None:
        """Return the next line, None at the end."""
        if self._place.left is not None:
            line, self._place.left = self._place.left, None
            return line
        line = self._handle.readline()
        if not line:
            return None
        self._place.number += 1
        return line.lstrip("\ufeff") if self._place.number == 1 else line

    def give_back(self, line: str) -> None:
        """Let `next` return this line, or the rest of it, again."""
        self._place.left = line


class _GameParser:
    """Reads one game."""

    def __init__(self, lines: _Lines) -> None:
        self.game = Game()
        self._lines = lines
        self._headers = dict(ROSTER)
        self._tag_lines: dict[str, int] = {}
        self._line = ""  # the last that was read of the moves, and how far
        self._at = 0
        self._in_moves = False
        self._board: Board | None = None  # set up at the first move, when all tags are known
        self._node: GameNode = self.game
        # The nodes to come back to after the variations that are open, with their lines.
        self._forks: list[tuple[GameNode, int]] = []
        self._starts_variation = False
        self._starting_comment = ""
        self._has_result = False
        # Of a comment that is open: its first line, and its parts.
        self._comment_line = 0
        self._comment: list[str] | None = None

    def parse(self) -> bool:
        """Read the game into `game`; return False if the file holds no more."""
        blank = True
        while not self._has_result:
            line = self._lines.next()
            if line is None:
                break
            if self._comment is None:
                # Before the first tag also remarks are about the file, not about the game.
                begun = self._tag_lines or self._in_moves
                if line.startswith("%") or (line.startswith(";") and not begun):
                    continue
                if _TAG_START.match(line) or (line.lstrip()[:1] == "[" and not self._in_moves):
                    follows = blank and self._tag_lines and _FIRST_TAG.match(line)
                    if self._in_moves or follows:
                        self._lines.give_back(line)
                        break
                    blank = False
                    self._read_tags(line)
                    continue
            elif blank and _FIRST_TAG.match(line):
                self._lines.give_back(line)
                break
            blank = not line.strip()
            self._line, self._at = line, 0
            self._read_line(line)
            self._at = len(line)
        if self._comment is not None:
            raise self._error("a comment opens that is never closed with }", self._comment_line)
        if self._forks:
            _, opening = self._forks[-1]
            raise self._error("a variation opens that is never closed with )", opening)
        if not self._tag_lines and not self._in_moves:
            return False
        self._set_up()
        return True

    def skip(self) -> None:
        """Read on to the end of a malformed game, as far as that can be told."""
        rest = _COMMENT.sub(" ", self._line[self._at :])
        in_comment = "{" in rest
        ended = bool(_RESULT_AT_END.search(rest))
        while (line := self._lines.next()) is not None:
            if (not in_comment and _TAG_START.match(line)) or _FIRST_TAG.match(line):
                # Tags of the bad game itself are passed over: they come before its moves.
                if self._in_moves:
                    self._lines.give_back(line)
                    return
                continue
            if not line.strip():
                if ended:
                    return
                continue
            self._in_moves = True
            if in_comment:
                _, closing, line = line.partition("}")
                in_comment = not closing
            if not in_comment:
                line = _COMMENT.sub(" ", line)
                in_comment = "{" in line
                ended = bool(_RESULT_AT_END.search(line))

    def _error(self, message: str, line: int | None = None) -> PgnError:
        line = line or self._lines.number
        if self._board is None:
            return PgnError(f"line {line}: {message}", line=line)
        ply = len(self._board.move_stack)
        side = SIDES[not self._board.turn]
        where = f"line {line}, at {side}'s move {self._board.fullmove_number}"
        return PgnError(f"{where}: {message}", line=line, ply=ply)

    # Tags.

    def _read_tags(self, line: str) -> None:
        if _TAGS.match(line):
            tags = [(tag[1], _ESCAPE.sub(r"\1", tag[2])) for tag in _TAG.finditer(line)]
        else:
            loose = _LOOSE_TAG.match(line)
            if loose is None:
                raise self._error(f'tag {shown(line.strip())}, expected [Name "value"]')
            tags = [(loose[1], loose[2])]
        self._headers.update(tags)
        self._tag_lines |= dict.fromkeys(dict(tags), self._lines.number)

    def _set_up(self) -> Board:
        """Return the board, set up as the tags say when it is first asked for."""
        if self._board is None:
            self.game.headers = self._headers
            try:
                self._board = self.game.start_board()
            except FenError as error:
                raise self._error(str(error), self._tag_lines["FEN"]) from None
            except ValueError as error:
                line = self._tag_lines["Variant"]
                raise self._error(f"tag Variant: {error}", line) from None
            self.game.setup(self._board)
        return self._board

    # Moves.

    def _read_line(self, line: str) -> None:
        at = 0
        while at < len(line):
            if self._comment is not None:
                end = line.find("}", at)
                self._comment.append(line[at:] if end < 0 else line[at:end])
                if end < 0:
                    return
                self._add_comment(" ".join(self._comment))
                self._comment = None
                at = end + 1
                continue
            match = _TOKEN.match(line, at)
            assert match is not None and match.lastgroup is not None  # `other` takes the rest
            kind = match.lastgroup
            if self._has_result and kind not in ("space", "comment", "rest"):
                self._lines.give_back(line[at:])
                return
            at = self._at = match.end()
            if kind == "comment":
                self._comment = []
                self._comment_line = self._lines.number
            elif kind != "space":
                self._in_moves = self._in_moves or kind != "rest"
                self._read_token(kind, match[kind])

    def _read_token(self, kind: str, text: str) -> None:
        if kind in ("move", "castling", "null"):
            self._add_move(text)
        elif kind == "rest":
            self._add_comment(text[1:])
        elif kind == "open":
            self._open_variation()
        elif kind == "close":
            self._close_variation()
        elif kind == "nag":
            self._node.nags.add(int(text))
        elif kind == "mark" and text in _MARKS:
            self._node.nags.add(_MARKS[text])
        elif kind == "sign" and text in _SIGNS:
            self._node.nags.add(_SIGNS[text])
        elif kind == "result":
            self._add_result(text)
        elif kind == "other":
            raise self._error(f"found {shown(text)}, expected a move, a comment or a result")

    def _add_move(self, text: str) -> None:
        board = self._set_up()
        try:
            move = board.parse_san(text)
            board.push(move)
        except (SanError, MoveError) as error:
            raise self._error(str(error)) from None
        self._node = self._node.add_variation(move, starting_comment=self._starting_comment)
        self._starts_variation = False
        self._starting_comment = ""

    def _add_comment(self, text: str) -> None:
        words = " ".join(text.split())
        if self._starts_variation:
            self._starting_comment = f"{self._starting_comment} {words}".strip()
        else:
            self._node.comment = f"{self._node.comment} {words}".strip()

    def _open_variation(self) -> None:
        board = self._set_up()
        if self._node.parent is None or self._starts_variation:
            raise self._error("found ( before a move, expected it after the move it replaces")
        if len(self._forks) >= MAX_NESTING:
            raise self._error(f"variations are nested more than {MAX_NESTING} deep")
        self._forks.append((self._node, self._lines.number))
        self._node = self._node.parent
        board.pop()
        self._starts_variation = True

    def _close_variation(self) -> None:
        board = self._set_up()
        if not self._forks:
            raise self._error("found ) though no variation is open")
        fork, _ = self._forks.pop()
        assert fork.parent is not None and fork.move is not None
        while self._node is not fork.parent:
            assert self._node.parent is not None
            self._node = self._node.parent
            board.pop()
        self._node = fork
        board.push(fork.move)
        self._starts_variation = False
        self._starting_comment = ""

    def _add_result(self, text: str) -> None:
        if self._forks:
            return  # how a line of analysis ends
        self._has_result = True
        self._set_up()
        if self.game.headers["Result"] not in RESULTS - {"*"}:
            self.game.headers["Result"] = "1/2-1/2" if text in _DRAWS else text


def format_game(game: Game) -> str:
    """Return a game in canonical PGN, without a newline at its end.

    The seven tags of the roster come first, then the others by name; lines have at most 79
    characters. `}` cannot stand in a comment of PGN and is left out. Raises `MoveError` for a move
    that is not legal where it stands, `ValueError` for a tag that PGN cannot hold.
    """
    board = game.start_board()
    headers = {**ROSTER, **game.headers, "Variant": board.uci_variant}
    result = headers["Result"] if headers["Result"] in RESULTS else "*"
    names = [*ROSTER, *sorted(name for name in headers if name not in ROSTER)]
    tags = [_format_tag(name, headers[name]) for name in names]
    writer = _MovetextWriter()
    writer.add_comment(game.comment)
    writer.add_line(game, board, numbered=True)
    writer.add(result)
    return "\n".join([*tags, "", *writer.lines()])


def _format_tag(name: str, value: str) -> str:
    if not _TAG_NAME.match(name):
        raise ValueError(f"tag {name!r}: expected a name of letters, digits and _")
    escaped = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


class _MovetextWriter:
    """Collects the words of a movetext and breaks them into lines."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._opened = ""  # parentheses for the next word

    def add(self, word: str) -> None:
        self._words.append(self._opened + word)
        self._opened = ""

    def add_comment(self, comment: str) -> bool:
        """Add a comment, and tell whether there was anything in it."""
        words = comment.replace("}", "").split()
        if words:
            words[0] = "{" + words[0]
            words[-1] += "}"
            for word in words:
                self.add(word)
        return bool(words)

    def add_move(self, node: GameNode, board: Board, *, numbered: bool) -> bool:
        """Add the move that leads to a node, and tell whether a comment follows it."""
        assert node.move is not None
        if board.turn or numbered:
            self.add(f"{board.fullmove_number}{'.' if board.turn else '...'}")
        self.add(board.san(node.move))
        for nag in sorted(node.nags):
            self.add(f"${nag}")
        return self.add_comment(node.comment)

    def add_line(self, node: GameNode, board: Board, *, numbered: bool) -> None:
        """Add what follows a node, and leave the board as it was.

        `numbered` tells whether Black's first move is given its number, as White's are.
        """
        made = 0
        while node.variations:
            main = node.variations[0]
            commented = self.add_move(main, board, numbered=numbered)
            numbered = commented or len(node.variations) > 1
            for side in node.variations[1:]:
                assert side.move is not None
                self._opened += "("
                self.add_comment(side.starting_comment)
                commented = self.add_move(side, board, numbered=True)
                board.push(side.move)
                self.add_line(side, board, numbered=commented)
                board.pop()
                self._words[-1] += ")"
            assert main.move is not None
            board.push(main.move)
            made += 1
            node = main
        for _ in range(made):
            board.pop()

    def lines(self) -> list[str]:
        """Return the words in lines of at most 79 characters."""
        lines: list[str] = []
        line = ""
        for word in self._words:
            if line and len(line) + 1 + len(word) > COLUMNS:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        return [*lines, line]
