"""A slow mailbox reference of the rules, for the tests to compare the engine with.

It is written from the rules alone and shares nothing with the engine: no import, no table, no
representation. A position is a list of 80 letters; a move is made on a copy, and it is legal when
the opponent then has no move that would remove the King. Nothing here tries to be fast.

Squares are numbered as in the engine, a1 = 0, j1 = 9, j8 = 79, so that answers can be compared.
Inside, every variant uses the same letters (upper case for White): P N B R Q K, A for an Angel,
D for a Devil, H for an Archbishop, C for a Chancellor. A FEN uses its variant's own letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

FILES = "abcdefghij"
EMPTY = "."


class Rules(NamedTuple):
    """What sets one variant apart."""

    start: str
    special: dict[str, str]  # FEN letter -> letter used here, where the two may differ
    king: str  # the King's file at the start
    king_to: dict[str, str]  # its file after castling, to the K and to the Q side
    promotions: dict[bool, str]  # letters used here, for White (True) and Black


_CAPABLANCA = {"A": "H", "C": "C"}

VARIANTS = {
    "angelsanddevils": Rules(
        "rdnbqkbndr/pppppppppp/10/10/10/10/PPPPPPPPPP/RANBQKBNAR w KQkq - 0 1",
        {"A": "A", "D": "D"},
        "f",
        {"K": "i", "Q": "c"},
        {True: "QRBNA", False: "QRBND"},
    ),
    "capablanca": Rules(
        "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1",
        _CAPABLANCA,
        "f",
        {"K": "i", "Q": "c"},
        {True: "QCHRBN", False: "QCHRBN"},
    ),
    "gothic": Rules(
        "rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1",
        _CAPABLANCA,
        "f",
        {"K": "i", "Q": "c"},
        {True: "QCHRBN", False: "QCHRBN"},
    ),
    "embassy": Rules(
        "rnbqkcabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKCABNR w KQkq - 0 1",
        _CAPABLANCA,
        "e",
        {"K": "h", "Q": "b"},
        {True: "QCHRBN", False: "QCHRBN"},
    ),
    "janus": Rules(
        "rjnbkqbnjr/pppppppppp/10/10/10/10/PPPPPPPPPP/RJNBKQBNJR w KQkq - 0 1",
        {"J": "H"},
        "e",
        {"K": "i", "Q": "b"},
        {True: "QHRBN", False: "QHRBN"},
    ),
}


def square(name: str) -> int:
    """The number of a square: ``square("j8") == 79``."""
    return FILES.index(name[0]) + 10 * (int(name[1:]) - 1)


def name(number: int) -> str:
    """The name of a square: ``name(79) == "j8"``."""
    return f"{FILES[number % 10]}{number // 10 + 1}"


def _walk(start: int, east: int, north: int) -> tuple[int, ...]:
    """The squares from `start` to the edge, in steps of `east` files and `north` ranks."""
    file, rank = start % 10 + east, start // 10 + north
    found = []
    while 0 <= file < 10 and 0 <= rank < 8:
        found.append(rank * 10 + file)
        file, rank = file + east, rank + north
    return tuple(found)


_STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
_SLANTED = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_LEAPS = tuple((e, n) for e in (-2, -1, 1, 2) for n in (-2, -1, 1, 2) if abs(e) != abs(n))

LINES = [[_walk(start, *step) for step in _STRAIGHT] for start in range(80)]
DIAGONALS = [[_walk(start, *step) for step in _SLANTED] for start in range(80)]
KNIGHT = [[_walk(start, *leap)[0] for leap in _LEAPS if _walk(start, *leap)] for start in range(80)]
BESIDE = [[line[0] for line in LINES[start] if line] for start in range(80)]

_SLIDES = {
    "B": (DIAGONALS,),
    "R": (LINES,),
    "Q": (LINES, DIAGONALS),
    "H": (DIAGONALS,),
    "C": (LINES,),
}


class Move(NamedTuple):
    """A move, with every square that it empties of another piece than the mover (and the Rook)."""

    start: int
    end: int
    promotion: str = ""  # upper-case letter used here
    removed: tuple[int, ...] = ()
    castling: str = ""  # the right that it uses: one of K Q k q


class Reference:
    """A position under one variant's rules. It never changes: `make` returns another."""

    def __init__(self, fen: str | None = None, variant: str = "angelsanddevils") -> None:
        self.variant = variant
        self.rules = VARIANTS[variant]
        board, turn, castling, passed, halfmoves, fullmoves = (fen or self.rules.start).split()
        self.board = [EMPTY] * 80
        for rank, row in enumerate(reversed(board.split("/"))):
            at = rank * 10
            for token in row.replace("10", "X"):
                if token == "X" or token.isdigit():
                    at += 10 if token == "X" else int(token)
                    continue
                letter = self.rules.special.get(token.upper(), token.upper())
                self.board[at] = letter if token.isupper() else letter.lower()
                at += 1
            assert at == rank * 10 + 10, f"rank {rank + 1} of {fen}"
        self.turn = turn == "w"
        self.castling = frozenset(castling) - {"-"}
        self.passed = None if passed == "-" else square(passed)
        self.halfmoves = int(halfmoves)
        self.fullmoves = int(fullmoves)

    # text

    def letter(self, piece: str) -> str:
        """The letter that this variant's FEN and UCI texts have for a piece."""
        for outside, inside in self.rules.special.items():
            if inside == piece.upper():
                return outside if piece.isupper() else outside.lower()
        return piece

    def fen(self, *, always_passed: bool = True) -> str:
        """The FEN; the en passant square after every double step or only if usable."""
        rows = []
        for rank in reversed(range(8)):
            row, empty = "", 0
            for piece in self.board[rank * 10 : rank * 10 + 10]:
                if piece == EMPTY:
                    empty += 1
                    continue
                row += (str(empty) if empty else "") + self.letter(piece)
                empty = 0
            rows.append(row + (str(empty) if empty else ""))
        castling = "".join(right for right in "KQkq" if right in self.castling) or "-"
        passed = self.passed if always_passed else self.usable_passed()
        return (
            f"{'/'.join(rows)} {'w' if self.turn else 'b'} {castling} "
            f"{'-' if passed is None else name(passed)} {self.halfmoves} {self.fullmoves}"
        )

    def uci(self, move: Move) -> str:
        """The UCI text of a move."""
        return name(move.start) + name(move.end) + self.letter(move.promotion.lower())

    # moves

    def owns(self, white: bool, at: int) -> bool:
        """Whether a piece of that side stands there."""
        piece = self.board[at]
        return piece != EMPTY and piece.isupper() == white

    def _reach(self, start: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Where the piece on `start` can go, its King's safety aside, and what it removes so.

        Without castling and en passant, neither of which can remove a King.
        """
        board = self.board
        piece = board[start]
        white = piece.isupper()
        kind = piece.upper()

        if kind == "P":
            ahead = LINES[start][0 if white else 2]
            if ahead and board[ahead[0]] == EMPTY:
                yield ahead[0], ()
                if start // 10 == (1 if white else 6) and board[ahead[1]] == EMPTY:
                    yield ahead[1], ()
            for line in (DIAGONALS[start][i] for i in ((0, 3) if white else (1, 2))):
                if line and self.owns(not white, line[0]):
                    yield line[0], (line[0],)

        if kind in "NHC":
            for end in KNIGHT[start]:
                if not self.owns(white, end):
                    yield end, (end,) if board[end] != EMPTY else ()

        if kind == "K":
            for line in LINES[start] + DIAGONALS[start]:
                if line and not self.owns(white, line[0]):
                    yield line[0], (line[0],) if board[line[0]] != EMPTY else ()

        for table in _SLIDES.get(kind, ()):
            for line in table[start]:
                for end in line:
                    if board[end] == EMPTY:
                        yield end, ()
                        continue
                    if self.owns(not white, end):
                        yield end, (end,)
                    break

        if kind == "A":
            for line in LINES[start]:
                for jump in (2, 4):
                    if len(line) >= jump and not self.owns(white, line[jump - 1]):
                        met = tuple(at for at in line[:jump] if self.owns(not white, at))
                        yield line[jump - 1], met

        if kind == "D":
            for line in LINES[start]:
                if len(line) < 2 or board[line[1]] == ("K" if white else "k"):
                    continue
                landed = (line[1],) if board[line[1]] != EMPTY else ()
                burned = tuple(at for at in BESIDE[line[1]] if self.owns(not white, at))
                yield line[1], landed + burned

    def removers(self, white: bool, target: int) -> Iterator[int]:
        """The squares of that side's pieces that have a move which removes what is on `target`."""
        for start in range(80):
            if self.owns(white, start) and any(target in gone for _, gone in self._reach(start)):
                yield start

    def king(self, white: bool) -> int:
        """The square of that side's King."""
        return self.board.index("K" if white else "k")

    def attacked(self, white: bool) -> bool:
        """Whether that side's King could be removed by the other side's next move."""
        return any(True for _ in self.removers(not white, self.king(white)))

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return self.attacked(self.turn)

    def checkers(self) -> set[int]:
        """The squares of the pieces that give check."""
        return set(self.removers(not self.turn, self.king(self.turn)))

    def attackers(self, white: bool, target: int) -> set[int]:
        """The squares of that side's pieces that could remove an enemy who stood on `target`."""
        other = self._copy()
        other.board[target] = "p" if white else "P"
        return set(other.removers(white, target))

    def attacks(self, start: int) -> set[int]:
        """The squares on which the piece on `start` could remove an enemy who stood there."""
        found = set()
        for target in range(80) if self.board[start] != EMPTY else ():
            other = self._copy()
            if target != start:
                other.board[target] = "p" if self.board[start].isupper() else "P"
            if any(target in removed for _, removed in other._reach(start)):
                found.add(target)
        return found

    def pseudo_legal_moves(self) -> Iterator[Move]:
        white = self.turn
        for start in range(80):
            if not self.owns(white, start):
                continue
            pawn = self.board[start].upper() == "P"
            for end, removed in self._reach(start):
                if pawn and end // 10 == (7 if white else 0):
                    for promotion in self.rules.promotions[white]:
                        yield Move(start, end, promotion, removed)
                else:
                    yield Move(start, end, "", removed)
            # The pawn stands beside the one that it takes and goes slantwise behind it; one that
            # stands two ranks further on has the passed square on its diagonals too.
            passed = self.passed
            if passed is not None and pawn and any(passed in line[:1] for line in DIAGONALS[start]):
                beside = passed - (10 if white else -10)
                if start // 10 == beside // 10:
                    yield Move(start, passed, "", (beside,))
        yield from self._castling_moves()

    def _castling_moves(self) -> Iterator[Move]:
        """Castling with all its conditions but the King's safety where it lands."""
        home = 0 if self.turn else 70
        for side in "KQ":
            right = side if self.turn else side.lower()
            if right not in self.castling:
                continue
            start = home + FILES.index(self.rules.king)
            end = home + FILES.index(self.rules.king_to[side])
            rook = home + (9 if side == "K" else 0)
            between = range(min(start, rook) + 1, max(start, rook))
            if any(self.board[at] != EMPTY for at in between):
                continue
            step = 1 if end > start else -1
            if not any(self._king_moved(at).attacked(self.turn) for at in range(start, end, step)):
                yield Move(start, end, "", (), right)

    def _king_moved(self, at: int) -> Reference:
        """This position with the King alone put elsewhere."""
        other = self._copy()
        start = self.king(self.turn)
        other.board[start], other.board[at] = EMPTY, self.board[start]
        return other

    def legal_moves(self) -> list[Move]:
        """Every legal move."""
        return [
            move for move in self.pseudo_legal_moves() if not self.make(move).attacked(self.turn)
        ]

    def move(self, uci: str) -> Move:
        """The legal move with that UCI text."""
        return next(move for move in self.legal_moves() if self.uci(move) == uci)

    def _copy(self) -> Reference:
        other = object.__new__(Reference)
        other.__dict__.update(self.__dict__)
        other.board = self.board[:]
        return other

    def make(self, move: Move) -> Reference:
        """The position after a move."""
        other = self._copy()
        piece = self.board[move.start]
        pawn = piece.upper() == "P"
        for at in move.removed:
            other.board[at] = EMPTY
        other.board[move.start] = EMPTY
        if move.promotion:
            piece = move.promotion if self.turn else move.promotion.lower()
        other.board[move.end] = piece

        home = move.start // 10 * 10
        if move.castling:
            rook, beside = (9, -1) if move.castling.upper() == "K" else (0, 1)
            other.board[move.end + beside] = other.board[home + rook]
            other.board[home + rook] = EMPTY

        other.castling = frozenset(right for right in self.castling if other.in_place(right))
        other.passed = None
        if pawn and abs(move.end - move.start) == 20:
            other.passed = (move.start + move.end) // 2
        other.halfmoves = 0 if pawn or move.removed else self.halfmoves + 1
        other.fullmoves = self.fullmoves + (not self.turn)
        other.turn = not self.turn
        return other

    def in_place(self, right: str) -> bool:
        """Whether King and Rook of a castling right stand at home.

        A right once lost never comes back, and in one move no other Rook can take the place of
        one that leaves: so this is the same as asking whether either moved or was removed, except
        for a Rook that a friend's Rook takes off - which cannot be, only Devils take friends.
        """
        home = 0 if right.isupper() else 70
        king = home + FILES.index(self.rules.king)
        rook = home + (9 if right in "Kk" else 0)
        white = right.isupper()
        return self.board[king] == ("K" if white else "k") and (
            self.board[rook] == ("R" if white else "r")
        )

    # ends

    def usable_passed(self) -> int | None:
        """The en passant square if a legal move captures there so."""
        for move in self.legal_moves() if self.passed is not None else ():
            pawn = self.board[move.start].upper() == "P"
            if pawn and move.removed and move.end not in move.removed:
                return self.passed
        return None

    def same(self) -> tuple[object, ...]:
        """What two positions must share to count as the same one for repetition."""
        return tuple(self.board), self.turn, self.castling, self.usable_passed()

    def is_dead(self) -> bool:
        """Whether neither side can ever mate: bare Kings, one Knight, one-coloured Bishops."""
        rest = [(at, piece.upper()) for at, piece in enumerate(self.board) if piece not in ".Kk"]
        if [kind for _, kind in rest] == ["N"]:
            return True
        shades = {(at + at // 10) % 2 for at, _ in rest}
        return all(kind == "B" for _, kind in rest) and len(shades) <= 1

    def perft(self, depth: int) -> int:
        """The number of leaves of the tree of legal moves."""
        if depth == 0:
            return 1
        moves = self.legal_moves()
        if depth == 1:
            return len(moves)
        return sum(self.make(move).perft(depth - 1) for move in moves)
