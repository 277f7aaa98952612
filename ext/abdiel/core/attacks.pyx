"""Attack tables, filled once at import; see attacks.pxd for what each holds.

Sliders are looked up by magic multiplication (https://www.chessprogramming.org/Magic_Bitboards) folded over the
two halves of a 128-bit set. It needs no BMI2; measured against PEXT in this generator the two are within noise.
"""

from libc.stdint cimport uint64_t

from abdiel.core.bitboard cimport FILES, RANKS, SQUARES, BLACK, WHITE, bb_t, bit, popcount

cdef extern from "magics.h":
    const unsigned long long ABDIEL_BISHOP_MAGICS[80][2]
    const unsigned long long ABDIEL_ROOK_MAGICS[80][2]

cdef enum:
    # The sum over all squares of 2 ** (relevant bits), both sliders.
    SLIDER_ENTRIES = 505856

cdef bb_t SLIDER_TABLE[SLIDER_ENTRIES]

# Directions as (rank, file): the diagonals come first, opposite ones next to each other.
cdef int DIRECTIONS[8][2]
DIRECTIONS = [[1, 1], [-1, -1], [1, -1], [-1, 1], [1, 0], [-1, 0], [0, 1], [0, -1]]


cdef inline bint on_board(int rank, int file) noexcept nogil:
    return 0 <= rank < RANKS and 0 <= file < FILES


cdef inline bb_t step(int square, int rank, int file) noexcept nogil:
    """The square `rank` ranks and `file` files away as a set, empty if off the board."""
    cdef int r = square // FILES + rank, f = square % FILES + file
    return bit(r * FILES + f) if on_board(r, f) else <bb_t>0


cdef bb_t ray(int square, int direction, bb_t occupied, bint to_edge) noexcept nogil:
    """Squares from `square` on until one is occupied; without the edge square unless `to_edge`."""
    cdef int rank = DIRECTIONS[direction][0], file = DIRECTIONS[direction][1], n = 1
    cdef bb_t result = 0, next_square = step(square, rank, file), following
    while next_square:
        following = step(square, rank * (n + 1), file * (n + 1))
        if not following and not to_edge:
            break
        result |= next_square
        if next_square & occupied:
            break
        next_square = following
        n += 1
    return result


cdef bb_t* fill_slider(Slider* slider, int square, int first_direction, const unsigned long long* magic,
                       bb_t* table) noexcept nogil:
    """Fill one slider's part of the table and return the first entry behind it.

    The four rays make two lines. A set's attacks and its index before the shift are sums over the two, so each
    line is walked once for each of its own occupancies and every pair is only combined.
    """
    cdef bb_t mask[2]
    cdef bb_t attacks[2][256]
    cdef uint64_t keys[2][256]
    cdef int counts[2]
    cdef int line, i, j, d
    cdef bb_t subset, relevant
    for line in range(2):
        d = first_direction + 2 * line
        mask[line] = ray(square, d, 0, False) | ray(square, d + 1, 0, False)
        subset = 0
        counts[line] = 0
        while True:
            i = counts[line]
            attacks[line][i] = ray(square, d, subset, True) | ray(square, d + 1, subset, True)
            keys[line][i] = <uint64_t>subset * magic[0] + <uint64_t>(subset >> 64) * magic[1]
            counts[line] += 1
            subset = (subset - mask[line]) & mask[line]
            if not subset:
                break
    relevant = mask[0] | mask[1]
    slider.mask_lo = <uint64_t>relevant
    slider.mask_hi = <uint64_t>(relevant >> 64)
    slider.magic_lo = magic[0]
    slider.magic_hi = magic[1]
    slider.shift = 64 - popcount(relevant)
    slider.attacks = table
    for i in range(counts[0]):
        for j in range(counts[1]):
            table[(keys[0][i] + keys[1][j]) >> slider.shift] = attacks[0][i] | attacks[1][j]
    return table + (<uint64_t>1 << popcount(relevant))


cdef void fill_lines(int square) noexcept nogil:
    cdef int d, n, other
    cdef bb_t whole, passed, at
    BISHOP_RAYS[square] = 0
    ROOK_RAYS[square] = 0
    for d in range(8):
        if d < 4:
            BISHOP_RAYS[square] |= ray(square, d, 0, True)
        else:
            ROOK_RAYS[square] |= ray(square, d, 0, True)
        whole = ray(square, d, 0, True) | ray(square, d ^ 1, 0, True) | bit(square)
        passed = 0
        for n in range(1, FILES):
            at = step(square, DIRECTIONS[d][0] * n, DIRECTIONS[d][1] * n)
            if not at:
                break
            other = square + n * (DIRECTIONS[d][0] * FILES + DIRECTIONS[d][1])
            BETWEEN[square][other] = passed
            LINE[square][other] = whole
            passed |= at


cdef void fill_leapers(int square) noexcept nogil:
    cdef int r, f
    BITS[square] = bit(square)
    KNIGHT_ATTACKS[square] = 0
    KING_ATTACKS[square] = 0
    for r in range(-2, 3):
        for f in range(-2, 3):
            if r * r + f * f == 5:
                KNIGHT_ATTACKS[square] |= step(square, r, f)
            elif 0 < r * r + f * f <= 2:
                KING_ATTACKS[square] |= step(square, r, f)
    PAWN_ATTACKS[WHITE][square] = step(square, 1, -1) | step(square, 1, 1)
    PAWN_ATTACKS[BLACK][square] = step(square, -1, -1) | step(square, -1, 1)
    BURN[square] = step(square, 1, 0) | step(square, -1, 0) | step(square, 0, 1) | step(square, 0, -1)


cdef void fill_angel(int square) noexcept nogil:
    cdef int d, n, landing, rank, file
    for d in range(4, 8):
        rank = DIRECTIONS[d][0]
        file = DIRECTIONS[d][1]
        for landing in range(2, 5, 2):
            if not step(square, rank * landing, file * landing):
                break
            ANGEL_TARGETS[square] |= step(square, rank * landing, file * landing)
            for n in range(1, landing + 1):
                ANGEL_REACH[square] |= step(square, rank * n, file * n)
            for n in range(1, landing, 2):
                ANGEL_NEAR[square + n * (rank * FILES + file)] |= bit(square)
                ANGEL_LANDINGS[square][square + n * (rank * FILES + file)] |= step(
                    square, rank * landing, file * landing)


cdef void fill_devil(int square) noexcept nogil:
    cdef int d, landing, target
    cdef bb_t emptied
    for d in range(4, 8):
        if not step(square, 2 * DIRECTIONS[d][0], 2 * DIRECTIONS[d][1]):
            continue
        landing = square + 2 * (DIRECTIONS[d][0] * FILES + DIRECTIONS[d][1])
        DEVIL_TARGETS[square] |= bit(landing)
        emptied = bit(landing) | BURN[landing]
        DEVIL_REACH[square] |= emptied
        for target in range(SQUARES):
            if emptied & bit(target):
                DEVIL_HITS[target] |= bit(square)
                DEVIL_LANDING[square][target] = landing


cdef void fill_tables() noexcept nogil:
    cdef int square
    cdef bb_t* table = SLIDER_TABLE
    for square in range(SQUARES):
        fill_leapers(square)
        fill_lines(square)
        table = fill_slider(&BISHOP_SLIDERS[square], square, 0, ABDIEL_BISHOP_MAGICS[square], table)
        table = fill_slider(&ROOK_SLIDERS[square], square, 4, ABDIEL_ROOK_MAGICS[square], table)
    for square in range(SQUARES):
        fill_angel(square)
        fill_devil(square)


fill_tables()
