from abdiel.core.position import Position

def evaluate(position: Position) -> int:
    """Centipawns, from the side to move's view."""

def terms(position: Position) -> dict[str, tuple[int, int]]:
    """White's and Black's share of each term, in centipawns."""
