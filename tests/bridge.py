"""Speaking to `abdiel.core.position` in the reference's terms: letters, FEN and UCI texts."""

from __future__ import annotations

from collections.abc import Iterable

from reference import EMPTY, VARIANTS, Move, Reference, name, square

from abdiel import find_variant
from abdiel.core import position as core
from abdiel.core.position import Position

LETTERS = EMPTY + "PNBRQKHCAD"  # by piece type
RIGHTS = "KQkq"  # by bit of the castling mask


def _castling_squares(variant: str) -> list[tuple[int, int, int, int]]:
    rules = VARIANTS[variant]
    found = []
    for right in RIGHTS:
        rank = "1" if right.isupper() else "8"
        end = square(rules.king_to[right.upper()] + rank)
        kingside = right.upper() == "K"
        rook_start = square(("j" if kingside else "a") + rank)
        rook_end = end - 1 if kingside else end + 1
        found.append((square(rules.king + rank), end, rook_start, rook_end))
    return found


def _code(piece: str) -> int:
    return LETTERS.index(piece.upper()) + (16 if piece.islower() else 0)


def to_core(reference: Reference) -> Position:
    """The core's position for a reference position."""
    promotions = reference.rules.promotions
    position = Position(
        _castling_squares(reference.variant),
        ([_code(p) for p in promotions[True]], [_code(p) for p in promotions[False]]),
    )
    position.set(
        [_code(piece) for piece in reference.board],
        core.WHITE if reference.turn else core.BLACK,
        sum(1 << bit for bit, right in enumerate(RIGHTS) if right in reference.castling),
        -1 if reference.passed is None else reference.passed,
        reference.halfmoves,
        reference.fullmoves,
    )
    return position


def from_core(position: Position, variant: str) -> Reference:
    """The reference position with the fields of a core position."""
    reference = Reference(None, variant)
    letters = [LETTERS[code & 15] for code in position.pieces()]
    black = [code & 16 for code in position.pieces()]
    reference.board = [
        letter.lower() if lower else letter for letter, lower in zip(letters, black, strict=True)
    ]
    reference.turn = position.turn == core.WHITE
    reference.castling = frozenset(
        right for bit, right in enumerate(RIGHTS) if position.castling >> bit & 1
    )
    reference.passed = None if position.ep_square < 0 else position.ep_square
    reference.halfmoves = position.halfmove_clock
    reference.fullmoves = position.fullmove_number
    return reference


def squares(bitboard: int) -> set[int]:
    """The squares of a bitboard."""
    assert 0 <= bitboard < 1 << 80
    return {at for at in range(80) if bitboard >> at & 1}


def names(numbers: Iterable[int]) -> str:
    """Square names in alphabetical order, with a blank between."""
    return " ".join(sorted(map(name, numbers)))


def find(position: Position, move: Move) -> int:
    """The core's move for a reference move, 0 when it has none."""
    promotion = LETTERS.index(move.promotion) if move.promotion else 0
    return position.find_move(move.start, move.end, promotion)


def text(reference: Reference, move: int) -> str:
    """The UCI text of a core move; the reference only lends its variant's letters."""
    promotion = core.move_promotion(move)
    return reference.uci(
        Move(core.move_from(move), core.move_to(move), LETTERS[promotion] if promotion else "")
    )


class CoreGame:
    """The core under the interface that the hand-made tests use."""

    def __init__(self, fen: str, variant: str = "angelsanddevils") -> None:
        self.reference = Reference(fen, variant)
        self.position = to_core(self.reference)

    def _find(self, uci: str) -> int:
        found = [m for m in self.position.legal_moves() if text(self.reference, m) == uci]
        assert len(found) == 1, f"{uci} is {len(found)} times among the legal moves"
        return found[0]

    def moves(self, start: str = "") -> str:
        """The legal moves from a square as a line of texts, with the square itself left out."""
        texts = (text(self.reference, move) for move in self.position.legal_moves())
        return " ".join(sorted(uci[len(start) :] for uci in texts if uci.startswith(start)))

    def removed(self, uci: str) -> str:
        """The names of the squares that a move empties of other pieces."""
        return names(squares(self.position.removed(self._find(uci))))

    def play(self, *ucis: str) -> CoreGame:
        """Play moves; the game itself."""
        for uci in ucis:
            self.position.make(self._find(uci))
        return self

    def fen(self) -> str:
        """The FEN, with the en passant square after every double step."""
        return from_core(self.position, self.reference.variant).fen()

    def is_check(self) -> bool:
        return self.position.is_check()

    def is_dead(self) -> bool:
        return self.position.is_dead()

    def usable_passed(self) -> bool:
        return self.position.has_legal_ep

    def repetitions(self) -> int:
        return self.position.repetitions()

    def attackers(self, white: bool, target: str) -> str:
        color = core.WHITE if white else core.BLACK
        return names(squares(self.position.attackers(color, square(target))))


class ReferenceGame:
    """The reference under the same interface: so the hand-made tests test it too."""

    def __init__(self, fen: str, variant: str = "angelsanddevils") -> None:
        self.past: list[Reference] = []
        self.reference = Reference(fen, variant)

    def moves(self, start: str = "") -> str:
        texts = map(self.reference.uci, self.reference.legal_moves())
        return " ".join(sorted(uci[len(start) :] for uci in texts if uci.startswith(start)))

    def removed(self, uci: str) -> str:
        return names(self.reference.move(uci).removed)

    def play(self, *ucis: str) -> ReferenceGame:
        for uci in ucis:
            self.past.append(self.reference)
            self.reference = self.reference.make(self.reference.move(uci))
        return self

    def fen(self) -> str:
        return self.reference.fen()

    def is_check(self) -> bool:
        return self.reference.is_check()

    def is_dead(self) -> bool:
        return self.reference.is_dead()

    def usable_passed(self) -> bool:
        return self.reference.usable_passed() is not None

    def repetitions(self) -> int:
        return [past.same() for past in self.past].count(self.reference.same())

    def attackers(self, white: bool, target: str) -> str:
        return names(self.reference.attackers(white, square(target)))


class BoardGame:
    """The public Board under the same interface."""

    def __init__(self, fen: str, variant: str = "angelsanddevils") -> None:
        self.board = find_variant(variant)(fen)

    def moves(self, start: str = "") -> str:
        texts = map(self.board.uci, self.board.legal_moves)
        return " ".join(sorted(uci[len(start) :] for uci in texts if uci.startswith(start)))

    def removed(self, uci: str) -> str:
        return names(self.board.removed(self.board.parse_uci(uci)))

    def play(self, *ucis: str) -> BoardGame:
        for uci in ucis:
            self.board.push_uci(uci)
        return self

    def fen(self) -> str:
        return self.board.fen(en_passant="fen")

    def is_check(self) -> bool:
        return self.board.is_check()

    def is_dead(self) -> bool:
        return self.board.is_insufficient_material()

    def usable_passed(self) -> bool:
        return self.board.fen().split()[3] != "-"

    def repetitions(self) -> int:
        return next(n for n in range(100) if not self.board.is_repetition(n + 2))

    def attackers(self, white: bool, target: str) -> str:
        return names(self.board.attackers(white, square(target)))
