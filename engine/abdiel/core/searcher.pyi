from collections.abc import Callable, Sequence

from abdiel.core.position import Position

MATE: int
FULL_SKILL: float

_Report = tuple[int, int, int, int, int, int, int, int, list[int]]

class Searcher:
    """Iterative deepening over one hash table; the search itself runs without the GIL."""

    def __init__(self, hash_mb: int = 16, threads: int = 1) -> None: ...
    def set_threads(self, threads: int) -> None:
        """Search with that many threads. Raise MemoryError, keeping those there are."""

    def resize(self, hash_mb: int) -> None:
        """Empty the table. Raise MemoryError, keeping it, if there is no room for the new one."""

    def clear(self) -> None:
        """Forget everything learned from earlier searches."""

    def prepare(self, *, ponder: bool = False) -> None:
        """Let stop() and ponderhit() from now on mean the next search, begun or not."""

    def search(
        self,
        position: Position,
        *,
        depth: int = 0,
        nodes: int = 0,
        mate: int = 0,
        movetime: int = 0,
        time_left: int = 0,
        increment: int = 0,
        movestogo: int = 0,
        overhead: int = 10,
        infinite: bool = False,
        ponder: bool = False,
        searchmoves: Sequence[int] = (),
        multipv: int = 1,
        skill: float = ...,
        on_info: Callable[[_Report], None] | None = None,
    ) -> tuple[int, int]:
        """Block until done and return (best move, move to ponder on), 0 where there is none.

        Times are milliseconds of the side to move; 0 means not given. `on_info` gets (depth,
        seldepth, multipv, score, bound, nodes, ms, hashfull, pv): the score in centipawns or
        +-(MATE - plies), the bound 0 exact, 1 lower, 2 upper.
        """

    def stop(self) -> None: ...
    def ponderhit(self) -> None: ...
    @property
    def nodes(self) -> int: ...

def budget(time_left: int, increment: int, movestogo: int, overhead: int) -> tuple[int, int]:
    """Milliseconds for a move: what to aim at, and what never to exceed; 0 means not given."""
