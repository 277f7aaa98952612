from libc.stdint cimport uint64_t

from abdiel.core.bitboard cimport bb_t
from abdiel.core.state cimport CheckSquares, Pos, move_t

cdef enum:
    # No position has more: an enemy or empty square is reached by at most eight sliders, eight Knights and eight
    # Angels or Devils, and 80 - n pieces of at most 35 moves each share n such squares; promotions fit the rest.
    MAX_MOVES = 1536

cdef enum:
    REMOVALS = 1    # moves that remove anything, and promotions
    QUIETS = 2      # all others
    ALL_MOVES = 3

# Write the legal moves of that kind and return their number. In check these are the evasions.
cdef int generate(const Pos* pos, move_t* moves, int wanted) noexcept nogil
# The same for QUIETS where `watched_squares` are known, which spare most of the tests of the King's steps.
cdef int generate_quiets(const Pos* pos, move_t* moves, bb_t watched) noexcept nogil
# The quiet moves that give check, in the order of the quiet moves; `checks` belongs to the position.
cdef int generate_checks(const Pos* pos, move_t* moves, const CheckSquares* checks) noexcept nogil
cdef int count_moves(const Pos* pos) noexcept nogil
cdef move_t find_legal(const Pos* pos, int origin, int landing, int promotion) noexcept nogil
# The move with these squares and promotion, if a piece of the side to move stands on `origin`, else 0. It is legal only
# if the three come from a legal move in the same position: the kind and the removal follow from the board.
cdef move_t complete(const Pos* pos, int origin, int landing, int promotion) noexcept nogil
cdef bint has_legal_move(const Pos* pos) noexcept nogil
# The caller has reserved `depth` plies on the stack.
cdef uint64_t perft(Pos* pos, int depth) noexcept nogil
