from abdiel.core.state cimport Pos, move_t

# Centipawns that a legal move wins for the side to move when both sides then go on removing the piece that has just
# moved, or stop (static exchange evaluation).
cdef int see(const Pos* pos, move_t move) noexcept nogil
# Whether that is at least `threshold`; much cheaper than the value itself.
cdef bint see_ge(const Pos* pos, move_t move, int threshold) noexcept nogil
# What the move itself takes from the enemy less what it takes from its own side, promotions included.
cdef int move_gain(const Pos* pos, move_t move) noexcept nogil
