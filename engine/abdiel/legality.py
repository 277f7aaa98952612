"""Why a move is not legal, in words for people."""

from __future__ import annotations

from abdiel.core.position import (
    ANGEL,
    BLACK_PIECE,
    DEVIL,
    FILES,
    KING,
    PAWN,
    RANKS,
    SQUARES,
    Position,
)
from abdiel.draft import SIDES, Draft
from abdiel.pieces import EMPTY, PIECE_NAMES
from abdiel.squares import SQUARE_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from abdiel.moves import Move
    from abdiel.variants import Variant


def why_illegal(position: Position, move: Move, variant: Variant) -> str:
    """Return why `move`, which is not legal in `position`, is not."""
    from_square, to_square, promotion = move.from_square, move.to_square, move.promotion
    if not (0 <= from_square < SQUARES and 0 <= to_square < SQUARES):
        return f"squares {from_square} and {to_square}, expected 0 to {SQUARES - 1}"
    color = position.turn
    side = SIDES[color]
    start, goal = SQUARE_NAMES[from_square], SQUARE_NAMES[to_square]
    code = position.piece_at(from_square)
    if not code:
        return f"there is no piece on {start}"
    if (code & BLACK_PIECE != 0) != (color == 1):
        return f"the piece on {start} is {SIDES[1 - color]}'s and {side} is to move"
    kind = code & ~BLACK_PIECE
    promotes = kind == PAWN and to_square // FILES == (0 if color else RANKS - 1)
    if promotion and not promotes:
        return "only a pawn that reaches the last rank is promoted"
    if promotes and promotion not in variant.promotions[color]:
        letters = " ".join(variant.letters[one].lower() for one in variant.promotions[color])
        return f"a pawn that reaches {goal} must become one of {letters}"
    name = PIECE_NAMES[kind]
    if _reaches(position, kind, color, from_square, to_square):
        king = next(
            SQUARE_NAMES[square]
            for square in range(SQUARES)
            if position.piece_at(square) == KING | (code & BLACK_PIECE)
        )
        if kind == KING:
            return f"{side}'s King would be attacked on {goal}"
        state = "stay" if position.is_check() else "be"
        return f"{side}'s King on {king} would {state} attacked"
    if kind == KING:
        for number in (2 * color, 2 * color + 1):
            if variant.castling[number][:2] == (from_square, to_square):
                return (
                    f"{side} cannot castle to {goal}: {_why_not_castled(position, variant, number)}"
                )
    return f"the {name} on {start} cannot go to {goal}"


def _why_not_castled(position: Position, variant: Variant, number: int) -> str:
    """Return why a castling, by its number in `variant.castling`, is not legal."""
    king_from, king_to, rook_from, rook_to = variant.castling[number]
    if not position.castling >> number & 1:
        return f"the right to castle with the Rook from {SQUARE_NAMES[rook_from]} is lost"
    ways = {king_from, king_to, rook_from, rook_to}
    for square in range(min(ways), max(ways) + 1):
        code = position.piece_at(square)
        if code and square not in (king_from, rook_from):
            return f"the {PIECE_NAMES[code & ~BLACK_PIECE]} on {SQUARE_NAMES[square]} is in the way"
    if position.is_check():
        return f"the King on {SQUARE_NAMES[king_from]} is attacked"
    step = 1 if king_to > king_from else -1
    for square in range(king_from + step, king_to + step, step):
        attackers = _attackers_of_moved_king(position, variant, king_from, square)
        if attackers:
            attacker = SQUARE_NAMES[(attackers & -attackers).bit_length() - 1]
            verb = "land on" if square == king_to else "pass"
            return f"the King would {verb} {SQUARE_NAMES[square]}, attacked from {attacker}"
    return "it is not legal here"


def _attackers_of_moved_king(
    position: Position, variant: Variant, king_from: int, square: int
) -> int:
    """Return the bitboard of what attacks the King once it alone has moved to an empty square."""
    draft = Draft.of(position)
    draft.pieces[square], draft.pieces[king_from] = draft.pieces[king_from], EMPTY
    draft.castling = 0
    moved = Position(variant.castling, variant.promotions)
    draft.set_on(moved)
    return moved.checkers()


def _reaches(position: Position, kind: int, color: int, from_square: int, to_square: int) -> bool:
    """Tell whether the piece moves so, its King's safety aside. Castling is not asked."""
    target = position.piece_at(to_square)
    own = target != 0 and (target & BLACK_PIECE != 0) == (color == 1)
    files = abs(to_square % FILES - from_square % FILES)
    ranks = to_square // FILES - from_square // FILES
    if kind in (ANGEL, DEVIL):
        # Their attacks are not their landing squares: both remove pieces elsewhere.
        distance = files + abs(ranks)
        straight = not files or not ranks
        if kind == ANGEL:
            return straight and distance in (2, 4) and not own
        return straight and distance == 2 and not (own and target & ~BLACK_PIECE == KING)
    if kind == PAWN:
        forward = -ranks if color else ranks
        step = -FILES if color else FILES
        if files == 0:
            first = from_square // FILES == (RANKS - 2 if color else 1)
            free = not position.piece_at(from_square + step) and not target
            return free and (forward == 1 or (forward == 2 and first))
        captures = (target != 0 and not own) or to_square == position.ep_square
        return files == 1 and forward == 1 and captures
    return not own and bool(position.attacks(from_square) >> to_square & 1)
