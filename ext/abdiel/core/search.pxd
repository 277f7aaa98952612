from libc.stdint cimport uint64_t

from abdiel.core.history cimport enter
from abdiel.core.state cimport make_move, move_t
from abdiel.core.tt cimport prefetch
from abdiel.core.worker cimport Node, Worker

cdef int REDUCTIONS[64][64]     # [depth][move number], in 1024ths of a ply

# Milliseconds of the monotonic clock.
cdef uint64_t now() noexcept nogil
cdef int search(Worker* w, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil


cdef inline void go_on(Worker* w, Node* node, move_t move, bint gives, bint doubled) noexcept nogil:
    """Make `move` and tell the child what is known of it."""
    enter(w, node, move)
    make_move(w.pos, move)
    prefetch(w.shared.table, w.pos.details.key)
    (node + 1).check = gives
    (node + 1).extensions = node.extensions + doubled
