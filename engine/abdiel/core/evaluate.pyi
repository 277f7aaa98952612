from abdiel.core.position import Position

DANGER_SQUARE: int
DANGER_SHARE: int
MAX_DANGER: int

def evaluate(position: Position, *, cached: bool = False) -> int:
    """Centipawns, from the side to move's view; `cached` remembers pawns, as a search does."""

def after_pass(before: int) -> int:
    """`evaluate` of a Capablanca position after a pass, nearly, from its value before."""

def terms(position: Position) -> dict[str, tuple[int, int]]:
    """White's and Black's share of each term, in centipawns."""

def trace(position: Position) -> tuple[int, float, float, float, list[tuple[int, int, int]]]:
    """Return what the evaluation went by, for tuning.

    That is the game (an index of `weights.GAMES`), the phase from 1 (middlegame) to 0, what
    the endgame's score and what the whole is multiplied by, and for each weight that counted its
    index, White's count and Black's count.
    """
