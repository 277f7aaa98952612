from libc.stdint cimport uint8_t, uint64_t

from abdiel.core.bitboard cimport FILES, SQUARES, WHITE, bb_t, file_mask

# A slider's lookup on one square: the relevant occupancy, hashed perfectly by two multiplications.
cdef struct Slider:
    uint64_t mask_lo
    uint64_t mask_hi
    uint64_t magic_lo
    uint64_t magic_hi
    bb_t* attacks
    int shift

cdef Slider BISHOP_SLIDERS[SQUARES]
cdef Slider ROOK_SLIDERS[SQUARES]

cdef bb_t BITS[SQUARES]                     # each square alone, for set_t
cdef bb_t KNIGHT_ATTACKS[SQUARES]
cdef bb_t KING_ATTACKS[SQUARES]
cdef bb_t PAWN_ATTACKS[2][SQUARES]          # [colour of the pawn][its square]
cdef bb_t BISHOP_RAYS[SQUARES]              # attacks on an empty board
cdef bb_t ROOK_RAYS[SQUARES]
cdef bb_t BETWEEN[SQUARES][SQUARES]         # strictly between two aligned squares, else empty
cdef bb_t LINE[SQUARES][SQUARES]            # edge to edge through two aligned squares, else empty

cdef bb_t ANGEL_TARGETS[SQUARES]            # landing squares; by symmetry also where an Angel lands here from
cdef bb_t ANGEL_REACH[SQUARES]              # every square that an Angel's move can empty
cdef bb_t ANGEL_NEAR[SQUARES]               # odd distances, from which an Angel can jump over this square but never land on it
cdef bb_t ANGEL_LANDINGS[SQUARES][SQUARES]  # [Angel][square at odd distance]: the landings that jump over it
cdef bb_t DEVIL_TARGETS[SQUARES]
cdef bb_t DEVIL_REACH[SQUARES]
cdef bb_t DEVIL_HITS[SQUARES]               # squares from which a Devil can empty this one
cdef uint8_t DEVIL_LANDING[SQUARES][SQUARES]  # [Devil][emptied square]: the one landing that does it
cdef bb_t BURN[SQUARES]                     # the four neighbours of a Devil's landing


cdef inline bb_t slider_attacks(const Slider* s, bb_t occupied) noexcept nogil:
    cdef uint64_t index = ((<uint64_t>occupied & s.mask_lo) * s.magic_lo
                           + (<uint64_t>(occupied >> 64) & s.mask_hi) * s.magic_hi)
    return s.attacks[index >> s.shift]


cdef inline bb_t bishop_attacks(int square, bb_t occupied) noexcept nogil:
    return slider_attacks(&BISHOP_SLIDERS[square], occupied)


cdef inline bb_t rook_attacks(int square, bb_t occupied) noexcept nogil:
    return slider_attacks(&ROOK_SLIDERS[square], occupied)


cdef inline bb_t pawn_attacks(int color, bb_t pawns) noexcept nogil:
    cdef bb_t left = pawns & ~file_mask(0), right = pawns & ~file_mask(FILES - 1)
    if color == WHITE:
        return left << FILES - 1 | right << FILES + 1
    return left >> FILES + 1 | right >> FILES - 1
