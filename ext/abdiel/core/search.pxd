from libc.stdint cimport uint64_t

from abdiel.core.history cimport enter
from abdiel.core.see cimport move_gain
from abdiel.core.state cimport likely_key, make_move, move_t
from abdiel.core.tt cimport prefetch
from abdiel.core.worker cimport Node, Worker

cdef int REDUCTIONS[64][64]     # [depth][move number], in 1024ths of a ply

# Milliseconds of the monotonic clock.
cdef uint64_t now() noexcept nogil
cdef int search(Worker* w, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil


cdef inline void go_on(Worker* w, Node* node, move_t move, bint gives, bint doubled) noexcept nogil:
    """Make `move` and tell the child what is known of it."""
    # Before the move is made, so that the table's line is there when the child asks for it.
    prefetch(w.shared.table, likely_key(w.pos, move))
    enter(w, node, move)
    node.gain = move_gain(w.pos, move)
    make_move(w.pos, move)
    (node + 1).check = gives
    (node + 1).extensions = node.extensions + doubled
