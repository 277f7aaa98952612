from abdiel.core.bitboard cimport PIECE_CODES
from abdiel.core.state cimport Pos, is_plain, move_t, to_square

cdef int VALUES[PIECE_CODES]    # centipawns; a King is worth more than all else

# Centipawns that a legal move wins for the side to move when both sides then go on removing the piece that has just
# moved, or stop (static exchange evaluation).
cdef int see(const Pos* pos, move_t move) noexcept nogil
# Whether that is at least `threshold`; much cheaper than the value itself.
cdef bint see_ge(const Pos* pos, move_t move, int threshold) noexcept nogil
# `move_gain` for any move.
cdef int full_gain(const Pos* pos, move_t move) noexcept nogil


cdef inline int move_gain(const Pos* pos, move_t move) noexcept nogil:
    """What the move itself takes from the enemy less what it takes from its own side, promotions included."""
    return VALUES[pos.board[to_square(move)]] if is_plain(move) else full_gain(pos, move)
