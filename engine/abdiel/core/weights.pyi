GAMES: tuple[str, ...]

def parameters() -> list[tuple[str, int, str, bool]]:
    """(name, number of values, term, whether they are pairs) of each of them, in order."""

def weights(game: int) -> list[tuple[int, int]]:
    """Return all values of a game's set (an index of GAMES), in the order of `parameters`.

    Each is (middlegame, endgame) in centipawns, or (units of danger, 0).
    """
