# What the pawns alone are worth and decide, and the Kings behind them, kept by the pawns' key.

from libc.stdint cimport uint8_t, uint64_t

from abdiel.core.bitboard cimport FILES, SQUARES, WHITE, bb_t, set_t, shift_down, shift_up
from abdiel.core.state cimport Pos
from abdiel.core.weights cimport Tracer, Weights, pair_t

cdef struct PawnEntry:
    bb_t passed
    bb_t attacks[2]
    bb_t outposts[2]        # where a piece of the colour is held by a pawn and no enemy pawn can ever attack it
    bb_t space[2]           # safe squares in the own half's middle, behind own pawns
    bb_t free_files[2]      # files without a pawn of the colour
    bb_t open_at_king[2]    # those of them beside its King
    pair_t scores[2]
    pair_t shelters[2]
    uint64_t key
    uint8_t unsheltered[2]  # files at the King without an own pawn
    uint8_t light[2]        # pawns on light squares
    uint8_t dark[2]
    uint8_t kings[2]        # 1 + the square that the shelter was counted for, 0 = none

cdef bb_t AHEAD[2][SQUARES]         # the rest of the file

cdef enum:
    PAWN_ENTRIES = 1 << 13

cdef void evaluate_pawns(Tracer* tracer, const Pos* pos, const Weights* w, PawnEntry* entry) noexcept nogil
cdef void evaluate_shelter(Tracer* tracer, const Pos* pos, const Weights* w, PawnEntry* entry,
                           int color) noexcept nogil


cdef inline set_t ahead(int color, set_t squares) noexcept nogil:
    """Each square's next one towards the far rank; idle bits must be masked by the caller."""
    return shift_up(squares, FILES) if color == WHITE else shift_down(squares, FILES)
