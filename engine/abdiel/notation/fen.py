"""FEN: a position as one line of six fields."""

from __future__ import annotations

from abdiel.core.position import BLACK_PIECE, FILES, RANKS
from abdiel.draft import MAX_FULLMOVE_NUMBER, MAX_HALFMOVE_CLOCK, NO_SQUARE, Draft
from abdiel.errors import FenError, shown
from abdiel.pieces import EMPTY
from abdiel.squares import SQUARE_NAMES, parse_square
from abdiel.variants import CASTLING_LETTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from abdiel.variants import Variant

_DIGITS = frozenset("0123456789")


def parse_fen(fen: str, variant: Variant) -> Draft:
    """Return the fields of a FEN, in which those after the placement may be missing.

    Castling rights and en passant squares come as they are written, not yet `Draft.clean`ed.
    Raises `FenError` for text that is not a FEN; whether the position can be played is not asked.
    """
    fields = fen.split()
    if not fields:
        raise FenError("FEN: found nothing, expected a placement and up to five more fields")
    if len(fields) > 6:
        raise FenError(
            f"FEN: found {len(fields)} fields, the seventh {shown(fields[6])}, expected at most 6"
        )
    fields += ("w", "-", "-", "0", "1")[len(fields) - 1 :]
    return Draft(
        parse_placement(fields[0], variant),
        parse_turn(fields[1]),
        parse_castling(fields[2]),
        parse_ep_square(fields[3]),
        _counter(fields[4], "halfmove clock", MAX_HALFMOVE_CLOCK),
        # A game that counts its moves from 0 is read as python-chess reads it.
        max(1, _counter(fields[5], "fullmove number", MAX_FULLMOVE_NUMBER)),
    )


def parse_placement(text: str, variant: Variant) -> list[int]:
    """Return the 80 piece codes of FEN's first field, a1 first. Raises `FenError`."""
    ranks = text.split("/")
    if len(ranks) != RANKS:
        raise FenError(
            f"FEN field 1 (placement): found {len(ranks)} ranks in {shown(text)}, expected {RANKS}"
        )
    pieces: list[int] = []
    for number, rank in enumerate(reversed(ranks), start=1):
        pieces += _parse_rank(rank, number, variant)
    return pieces


def _parse_rank(text: str, number: int, variant: Variant) -> list[int]:
    where = f"FEN field 1 (placement), rank {number}"
    codes: list[int] = []
    at = 0
    while at < len(text):
        start = at
        while at < len(text) and text[at] in _DIGITS:
            at += 1
        if at > start:
            run = text[start:at]
            # The text decides, so that a run of a thousand digits need not become an int.
            if run not in _RUNS:
                raise FenError(
                    f"{where}: found {shown(run)} empty squares in a row, expected 1 to {FILES}"
                )
            codes += [EMPTY] * int(run)
        else:
            letter = text[at]
            piece_type = variant.types.get(letter.upper())
            if piece_type is None:
                raise FenError(
                    f"{where}: found {shown(letter)}, expected one of "
                    f"{' '.join(variant.types)} in {variant.name}, or a number"
                )
            codes.append(piece_type if letter.isupper() else piece_type | BLACK_PIECE)
            at += 1
    if len(codes) != FILES:
        raise FenError(f"{where}: found {len(codes)} squares in {shown(text)}, expected {FILES}")
    return codes


_RUNS = frozenset(str(run) for run in range(1, FILES + 1))


def parse_turn(text: str) -> int:
    """Return 0 for `w` and 1 for `b`. Raises `FenError`."""
    if text not in ("w", "b"):
        raise FenError(f"FEN field 2 (side to move): found {shown(text)}, expected w or b")
    return int(text == "b")


def parse_castling(text: str) -> int:
    """Return the core's castling bits of FEN's third field. Raises `FenError`."""
    if text == "-":
        return 0
    bits = 0
    for letter in text:
        bit = 1 << CASTLING_LETTERS.find(letter) if letter in CASTLING_LETTERS else 0
        if not bit or bits & bit:
            raise FenError(
                f"FEN field 3 (castling): found {shown(text)}, expected - or "
                f"each of {CASTLING_LETTERS} at most once"
            )
        bits |= bit
    return bits


def parse_ep_square(text: str) -> int:
    """Return the square of FEN's fourth field, -1 for `-`. Raises `FenError`."""
    if text == "-":
        return NO_SQUARE
    try:
        return parse_square(text)
    except ValueError:
        raise FenError(
            f"FEN field 4 (en passant): found {shown(text)}, expected - or a square a1 to j8"
        ) from None


def _counter(text: str, name: str, most: int) -> int:
    if not _DIGITS.issuperset(text) or len(text) > 9 or int(text) > most:
        field = 5 if name == "halfmove clock" else 6
        raise FenError(
            f"FEN field {field} ({name}): found {shown(text)}, expected a number 0 to {most}"
        )
    return int(text)


def format_placement(pieces: Sequence[int], variant: Variant) -> str:
    """Return FEN's first field of 80 piece codes."""
    ranks = []
    for first in range((RANKS - 1) * FILES, -1, -FILES):
        text = ""
        run = 0
        for code in pieces[first : first + FILES]:
            if code == EMPTY:
                run += 1
                continue
            if run:
                text += str(run)
                run = 0
            letter = variant.letters[code & ~BLACK_PIECE]
            text += letter.lower() if code & BLACK_PIECE else letter
        ranks.append(text + str(run) if run else text)
    return "/".join(ranks)


def format_castling(bits: int) -> str:
    """Return FEN's third field of the core's castling bits."""
    return (
        "".join(letter for side, letter in enumerate(CASTLING_LETTERS) if bits >> side & 1) or "-"
    )


def format_epd_fields(
    pieces: Sequence[int], turn: int, castling: int, ep_square: int, variant: Variant
) -> str:
    """Return FEN's first four fields; an `ep_square` of -1 is written as none."""
    return (
        f"{format_placement(pieces, variant)} {'wb'[turn]} {format_castling(castling)} "
        f"{'-' if ep_square == NO_SQUARE else SQUARE_NAMES[ep_square]}"
    )
