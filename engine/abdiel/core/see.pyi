from abdiel.core.position import Position

def static_exchange(position: Position, move: int) -> int:
    """Centipawns that a legal move wins when both sides go on removing what has just moved."""

def static_exchange_ge(position: Position, move: int, threshold: int) -> bool:
    """Whether `static_exchange` is at least `threshold`; faster than asking for the value."""

def moves_safely(position: Position, move: int) -> bool:
    """Whether nobody can remove the piece that a legal quiet move moves, seen without its pins."""

def piece_values() -> tuple[int, ...]:
    """Centipawns by piece type, as exchanges count them; a King counts nothing."""
