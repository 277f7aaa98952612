"""Hypothesis strategies for positions and games in which the rules of this family bite.

Random placements alone seldom castle, promote or capture en passant, and almost never let a
capture open an Angel's landing square. So each position starts from a theme, a few pieces put
where one such thing can happen, and random pieces are scattered around it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st
from reference import BESIDE, DIAGONALS, EMPTY, KNIGHT, LINES, VARIANTS, Move, Reference

Draw = Callable[..., Any]
Placement = dict[int, str]
Theme = Callable[[Draw, str, bool], Placement]

# Letters by how often they are scattered: both armies in both colours, many Angels and Devils.
_ARMIES = {
    "angelsanddevils": "PPPPNBRRQAAAADDDD",
    "janus": "PPPPNBRRQHH",
}
_CAPABLANCA_ARMY = "PPPPNBRRQHC"


def _army(variant: str) -> str:
    return _ARMIES.get(variant, _CAPABLANCA_ARMY)


def _piece(draw: Draw, letters: str, white: bool | None = None) -> str:
    letter: str = draw(st.sampled_from(letters))
    if white is None:
        white = draw(st.booleans())
    return letter if white else letter.lower()


def _some(draw: Draw, choices: Sequence[Any], least: int, most: int) -> list[Any]:
    """Different ones of the choices. Left alone, Hypothesis draws mostly short lists."""
    size = draw(st.integers(least, most))
    some = st.lists(st.sampled_from(choices), min_size=size, max_size=size, unique=True)
    return list(draw(some))


def _near(at: int, distance: int = 9) -> list[int]:
    """The squares on the lines and a Knight's leap from a square."""
    lines = [line[:distance] for line in LINES[at] + DIAGONALS[at]]
    return [square for line in lines for square in line] + KNIGHT[at]


def scattered(draw: Draw, variant: str, turn: bool) -> Placement:
    return {}


def castling(draw: Draw, variant: str, turn: bool) -> Placement:
    """Kings and Rooks at home, and near the Rooks who may eat, burn or jump over them."""
    placed: Placement = {}
    file = "abcdefghij".index(VARIANTS[variant].king)
    hunters = "DDDDDA" if variant == "angelsanddevils" else _army(variant)[4:]
    for white in (True, False):
        if white == turn or draw(st.integers(0, 3)):
            home = 0 if white else 70
            for at, letter in ((home, "R"), (home + file, "K"), (home + 9, "R")):
                placed[at] = letter if white else letter.lower()
            for rook in (home, home + 9):
                around = [at for at in range(80) if 0 < _steps(at, rook) <= 3 and at not in placed]
                for at in _some(draw, around, 1, 2):
                    placed[at] = _piece(draw, hunters)
                if variant == "angelsanddevils" and draw(st.booleans()):
                    two_away = draw(st.sampled_from([line[1] for line in LINES[rook] if line]))
                    placed.setdefault(two_away, "D" if white else "d")
    return placed


def _steps(one: int, other: int) -> int:
    return abs(one % 10 - other % 10) + abs(one // 10 - other // 10)


def promotion(draw: Draw, variant: str, turn: bool) -> Placement:
    """Pawns one step from promotion, something to take on the last rank."""
    placed: Placement = {}
    for white in (True, False):
        seventh, last = (60, 70) if white else (10, 0)
        for file in _some(draw, range(10), 1 if white == turn else 0, 3):
            placed[seventh + file] = "P" if white else "p"
        for file in _some(draw, range(10), 0, 4):
            placed[last + file] = _piece(draw, _army(variant)[4:])
    return placed


def passing(draw: Draw, variant: str, turn: bool) -> Placement:
    """A pawn that has just made a double step beside an enemy's, and lines that this may open."""
    file = draw(st.integers(0, 9))
    rank, forward = (4, 10) if turn else (3, -10)
    pushed = rank * 10 + file
    closed = pushed + forward, pushed + 2 * forward
    placed = {pushed: "p" if turn else "P"}
    beside = [at for at in (pushed - 1, pushed + 1) if at // 10 == rank]
    for at in _some(draw, beside, 1, len(beside)):
        placed[at] = "P" if turn else "p"
    # The King where the capture would open a line to it, or a square for an Angel to land on.
    place = draw(st.sampled_from([*placed, closed[0]]))
    strong, direction = draw(st.sampled_from("ARQB")), draw(st.integers(0, 3))
    if strong == "A" and variant != "angelsanddevils":
        strong = "H"
    table = DIAGONALS if strong in "BH" else LINES
    before, behind = table[place][direction], table[place][(direction + 2) % 4]
    if strong == "A":
        line = LINES[pushed][direction]
        hunter = line[draw(st.sampled_from((1, 3))) :][:1]
        before = line[: line.index(hunter[0])] if hunter else ()
    else:
        hunter = behind[draw(st.integers(0, 3)) :][:1]
    if before and hunter:
        king = draw(st.sampled_from(before))
        if {king, *hunter}.isdisjoint({*placed, *closed}):
            placed[king] = "K" if turn else "k"
            placed[hunter[0]] = strong.lower() if turn else strong
    return placed


def gates(draw: Draw, variant: str, turn: bool) -> Placement:
    """Angels that would take a King but for their own side on the landing squares.

    Either the King's side is to move, and has pieces that may take off those but must not; or the
    Angels' is, and what stands there may move away and give check.
    """
    king = draw(st.integers(0, 79))
    white = turn if draw(st.integers(0, 2)) else not turn
    placed = {king: "K" if white else "k"}
    for line in _some(draw, [line for line in LINES[king] if line], 1, 2):
        distance = draw(st.sampled_from([d for d in (1, 1, 3) if d <= len(line)]))
        angel = line[distance - 1]
        way = next(way for way in LINES[angel] if king in way)
        landings = [way[at] for at in (1, 3) if distance - 1 < at < len(way)]
        if angel in placed or not landings:
            continue
        placed[angel] = "a" if white else "A"
        for landing in landings:
            placed.setdefault(landing, _piece(draw, "NRBPAD", not white))
        gate = draw(st.sampled_from(landings))
        for at in _some(draw, _near(gate, 3), 1, 3) if white == turn else ():
            placed.setdefault(at, _piece(draw, "QNRBADDP", white))
    return placed


def fuses(draw: Draw, variant: str, turn: bool) -> Placement:
    """A King and an enemy slider with two pieces between, which one Devil can burn at once."""
    king = draw(st.integers(0, 79))
    placed = {king: "K" if turn else "k"}
    first, second, *more = draw(st.sampled_from([x for x in DIAGONALS[king] if len(x) > 2]))
    for at in (first, second):
        placed[at] = _piece(draw, "PNPNRA", not turn)
    placed[draw(st.sampled_from(more))] = _piece(draw, "BQ", not turn)
    middle = draw(st.sampled_from([at for at in BESIDE[first] if at in BESIDE[second]]))
    landed_from = [line[1] for line in LINES[middle] if len(line) > 1]
    for at in _some(draw, landed_from, 1, 2):
        placed.setdefault(at, _piece(draw, "D", turn))
    return placed


def crowds(draw: Draw, variant: str, turn: bool) -> Placement:
    """Angels and Devils of the side to move with a crowd where they jump and land."""
    placed: Placement = {}
    for kind in _some(draw, ("A", "D"), 1, 2):
        start = draw(st.integers(0, 79))
        line = draw(st.sampled_from([line for line in LINES[start] if len(line) > 1]))
        placed[start] = kind if turn else kind.lower()
        goal = list(line[:4]) if kind == "A" else [line[1], *BESIDE[line[1]]]
        for at in _some(draw, goal, 2, len(goal)):
            letters = "NBRQAD" if at // 10 in (0, 7) else "PNBRQAD"
            white = turn if draw(st.integers(0, 4)) == 0 else not turn
            placed.setdefault(at, _piece(draw, letters, white))
    return placed


def corner(draw: Draw, variant: str, turn: bool) -> Placement:
    """A King at the edge with the enemy close: mates, stalemates, double checks."""
    edge = [at for at in range(80) if at % 10 in (0, 9) or at // 10 in (0, 7)]
    king = draw(st.sampled_from(edge))
    placed = {king: "K" if turn else "k"}
    for at in _some(draw, _near(king, 4), 2, 6):
        placed[at] = _piece(draw, "QR" + _army(variant)[4:], not turn)
    return placed


def lines(draw: Draw, variant: str, turn: bool) -> Placement:
    """Pieces of both sides on the lines from a King: pins, discovered and double checks."""
    king = draw(st.integers(0, 79))
    white = turn if draw(st.integers(0, 2)) == 0 else not turn
    placed = {king: "K" if white else "k"}
    leapers = "DADA" if variant == "angelsanddevils" else "NHNH"
    long = [line for line in LINES[king] + DIAGONALS[king] if len(line) > 1]
    for line in _some(draw, long, 1, min(4, len(long))):
        near, far = sorted(_some(draw, range(len(line)), 2, 2))
        slider = "RQ" if line in LINES[king] else "BQ"
        placed[line[near]] = _piece(draw, leapers + "PP" + _army(variant)[4:])
        placed[line[far]] = _piece(draw, slider, not white)
    return placed


THEMES = (scattered, castling, promotion, passing, gates, fuses, crowds, corner, lines)
_ANGELS_AND_DEVILS_ONLY = (gates, fuses, crowds)


def _kings(draw: Draw, placed: Placement) -> None:
    for own, other in ("Kk", "kK"):
        if own in placed.values():
            continue
        taken = set(placed)
        for at, piece in placed.items():
            if piece == other:
                taken |= {line[0] for line in LINES[at] + DIAGONALS[at] if line}
        placed[draw(st.sampled_from([at for at in range(80) if at not in taken]))] = own


def _settle(reference: Reference, calm: bool) -> None:
    """Take off whatever attacks the King of the side that has just moved, if calm the other's too.

    Kings never stand side by side here, so there is always another piece to take off.
    """
    sides = [not reference.turn] + [reference.turn] * calm
    while attacked := [white for white in sides if reference.attacked(white)]:
        white = attacked[0]
        reference.board[next(reference.removers(not white, reference.king(white)))] = EMPTY


@st.composite
def positions(
    draw: Draw,
    themes: Sequence[Theme] = THEMES,
    most: int = 24,
) -> Reference:
    """Legal positions of any variant, Angels and Devils drawn more often than all the others."""
    theme = draw(st.sampled_from(themes))
    variant, *rest = VARIANTS
    if theme not in _ANGELS_AND_DEVILS_ONLY:
        variant = draw(st.sampled_from([variant] * 6 + rest))
    turn = draw(st.booleans())
    placed = theme(draw, variant, turn)
    if theme is passing:
        pushed = next(at for at, piece in placed.items() if piece == ("p" if turn else "P"))
        origin = pushed + (20 if turn else -20)
        passed = pushed + (10 if turn else -10)
        closed = {origin, passed}
    else:
        passed = None
        closed = set()
    placed |= dict.fromkeys(closed, EMPTY)
    _kings(draw, placed)
    if theme is castling and draw(st.integers(0, 3)):
        closed |= {*range(1, 9), *range(71, 79)}

    filler = st.tuples(st.integers(0, 79), st.sampled_from(_army(variant)), st.booleans())
    size = draw(st.sampled_from([n for n in (0, 2, 4, 8, 12, 16, 24) if n <= most]))
    for at, letter, white in draw(st.lists(filler, min_size=size, max_size=size)):
        if at not in placed and at not in closed and not (letter == "P" and at // 10 in (0, 7)):
            placed[at] = letter if white else letter.lower()

    reference = Reference(None, variant)
    reference.board = [placed.get(at, EMPTY) for at in range(80)]
    for at, piece in enumerate(reference.board):
        if piece in "Pp" and at // 10 in (0, 7):
            reference.board[at] = EMPTY
    reference.turn = turn
    _settle(reference, calm=theme not in (corner, scattered) or draw(st.booleans()))
    rights = "".join(right for right in "KQkq" if reference.in_place(right))
    reference.castling = frozenset(right for right in rights if draw(st.integers(0, 3)))
    if passed is not None and reference.board[pushed] == ("p" if turn else "P"):
        reference.passed = passed
    reference.halfmoves = 0 if reference.passed else draw(st.sampled_from((0, 7, 97, 98, 99)))
    reference.fullmoves = draw(st.integers(1, 80))
    return reference


def _sharp(reference: Reference, move: Move) -> bool:
    piece = reference.board[move.start].upper()
    double = piece == "P" and abs(move.end - move.start) == 20
    return bool(move.removed or move.promotion or move.castling or double)


def choose(reference: Reference, legal: list[Move], past: list[Move], code: int) -> Move:
    """A legal move by number: often a sharp one, often the own last move taken back."""
    legal = sorted(legal)
    sort, code = code % 4, code // 4
    if sort == 0 and len(past) > 1:
        back = [m for m in legal if m[:2] == (past[-2].end, past[-2].start)]
        legal = back or legal
    elif sort == 1:
        legal = [move for move in legal if _sharp(reference, move)] or legal
    return legal[code % len(legal)]


def codes(most: int = 30) -> st.SearchStrategy[list[int]]:
    """Numbers for `choose`, one a ply."""
    return st.lists(st.integers(0, 1023), max_size=most)


def starts() -> st.SearchStrategy[Reference]:
    """The start positions, Angels and Devils as often as all the others."""
    first, *rest = VARIANTS
    return st.sampled_from([first] * len(rest) + rest).map(lambda name: Reference(None, name))
