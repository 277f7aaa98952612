# Moves in the order in which the search should try them, generated in stages so that a cut saves the later ones.

from libc.stdint cimport int16_t

from abdiel.core.bitboard cimport bb_t
from abdiel.core.history cimport piece_index
from abdiel.core.state cimport CheckSquares, Pos, from_square, is_plain, move_t, to_square
from abdiel.core.worker cimport Node, Worker

cdef enum:
    # What a picker is for.
    EVERYTHING = 0          # all moves
    ONLY_REMOVALS = 1       # quiescence
    AND_CHECKS = 2          # quiescence's first ply: removals, then quiet checks
    WINNING_REMOVALS = 3    # removals whose exchange is worth at least `threshold`

cdef struct Picker:
    int purpose
    int stage
    int threshold
    bint skip_quiets        # may be set at any time
    move_t first            # the table's move, given before anything is generated; 0 = none
    int begin               # where its moves stand in the worker's buffer
    int at
    int end
    const CheckSquares* checks      # of the position, for AND_CHECKS
    bb_t watched            # `watched_squares` of the position, once they are known
    int bad_end             # removals that lose, kept for later: from begin to here

# The type of the most valuable piece that a move takes from the enemy.
cdef int find_victim(const Pos* pos, move_t move) noexcept nogil
cdef void start(Worker* w, Picker* p, int purpose, move_t first, int threshold) noexcept nogil
cdef move_t pick(Worker* w, Node* node, Picker* p) noexcept nogil
# Give the buffer back; for every `start`, after the last `pick`.
cdef void finish(Worker* w, Picker* p) noexcept nogil
# Scores all moves of w.moves[begin:end] for a first look, as the root needs.
cdef void score_all(Worker* w, Node* node, int begin, int end) noexcept nogil


cdef inline int16_t* removal_entry(Worker* w, move_t move) noexcept nogil:
    """How removals like this one have done: its place in the worker's history."""
    cdef const Pos* pos = w.pos
    cdef int victim = pos.board[to_square(move)] & 15 if is_plain(move) else find_victim(pos, move)
    return &w.removals[piece_index(pos.board[from_square(move)])][to_square(move)][victim]
