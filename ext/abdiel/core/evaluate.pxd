from abdiel.core.bitboard cimport PIECE_TYPES
from abdiel.core.pawns cimport PawnEntry
from abdiel.core.state cimport Pos

# What exchanges and move ordering count by, in centipawns.
cdef int PIECE_VALUES[PIECE_TYPES]

# What one thread's evaluation remembers. Zero bytes are one without memory, which evaluates the same.
cdef struct EvalCache:
    PawnEntry* pawns

# False if there is no memory.
cdef bint init_cache(EvalCache* cache) noexcept nogil
cdef void free_cache(EvalCache* cache) noexcept nogil

# Centipawns from the side to move's view, far inside the range of mate scores.
cdef int static_eval(const Pos* pos, EvalCache* cache) noexcept nogil
# The same after a pass, from what it was before: exact but for rounding and for what an endgame's tempo counts less. Not
# for Angels and Devils, whose threats weigh more for the side to move.
cdef int eval_after_pass(int before) noexcept nogil
cdef bint has_pieces(const Pos* pos, int color) noexcept nogil
