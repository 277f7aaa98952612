from abdiel.core.attacks cimport BITS
from abdiel.core.bitboard cimport PIECE_CODES, bb_t, meet, set_t, to_set
from abdiel.core.state cimport (
    DOUBLE_STEP, Pos, from_square, is_plain, move_kind, move_t, to_square, watched_squares,
)

cdef int VALUES[PIECE_CODES]    # centipawns; a King is worth more than all else

# Centipawns that a legal move wins for the side to move when both sides then go on removing the piece that has just
# moved, or stop (static exchange evaluation).
cdef int see(const Pos* pos, move_t move) noexcept nogil
# What the other side wins by removing the piece that moves, within the window; it may stop, so `alpha` is not negative.
cdef int answer(const Pos* pos, move_t move, int alpha, int beta) noexcept nogil
# `move_gain` for any move.
cdef int full_gain(const Pos* pos, move_t move) noexcept nogil


cdef inline int move_gain(const Pos* pos, move_t move) noexcept nogil:
    """What the move itself takes from the enemy less what it takes from its own side, promotions included."""
    return VALUES[pos.board[to_square(move)]] if is_plain(move) else full_gain(pos, move)


cdef inline bint see_ge(const Pos* pos, move_t move, int threshold) noexcept nogil:
    """Whether `see` is at least `threshold`; much cheaper than the value itself."""
    cdef int spare = move_gain(pos, move) - threshold
    return spare >= 0 and answer(pos, move, spare, spare + 1) <= spare


cdef inline bint is_safe(const Pos* pos, move_t move, bb_t* watched) noexcept nogil:
    """Whether a quiet move loses nothing because nobody can remove the piece on its new square: `see_ge` for 0, often.

    `watched` is found at the first call for a position, if it is empty then.
    """
    if not watched[0]:
        watched[0] = watched_squares(pos)
    # A slider that watches the old square may see on to the new one, and a double step can be captured in passing.
    return not meet(to_set(watched[0]), <set_t>BITS[to_square(move)] | <set_t>BITS[from_square(move)]) and (
        move_kind(move) != DOUBLE_STEP)
