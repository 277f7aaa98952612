# Sets of the board's 80 squares in 128 bits: geometry, types and inline leaf operations.
#
# Square = rank * 10 + file, a1 = 0, j1 = 9, j8 = 79; bit n stands for square n. The top 48 bits are
# always clear in a stored set; `~b` sets them, so complements are masked before they are stored.

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from *:
    """
    typedef unsigned __int128 abdiel_bb_t;
    /* One bitboard in a vector register: half the operations, and the general registers stay free. A cast loads one from
     * memory; what was just computed by halves is put together in registers, or its load would stall. */
    typedef unsigned long long abdiel_set_t __attribute__((vector_size(16), may_alias));
    #ifdef __SSE4_1__
    typedef long long abdiel_test_t __attribute__((vector_size(16)));
    #endif
    static inline abdiel_set_t abdiel_to_set(abdiel_bb_t b)
    {
        return (abdiel_set_t){(unsigned long long)b, (unsigned long long)(b >> 64)};
    }
    static inline abdiel_bb_t abdiel_to_bb(abdiel_set_t s)
    {
        return (abdiel_bb_t)s[1] << 64 | s[0];
    }
    static inline int abdiel_count(abdiel_set_t s)
    {
        return __builtin_popcountll(s[0]) + __builtin_popcountll(s[1]);
    }
    static inline int abdiel_meet(abdiel_set_t s, abdiel_set_t t)
    {
    #ifdef __SSE4_1__
        return !__builtin_ia32_ptestz128((abdiel_test_t)s, (abdiel_test_t)t);
    #else
        s &= t;
        return (s[0] | s[1]) != 0;
    #endif
    }
    /* By 1 to 63 squares. */
    static inline abdiel_set_t abdiel_shift_up(abdiel_set_t s, int squares)
    {
        abdiel_set_t carried = s >> (64 - squares);
        return s << squares | (abdiel_set_t){0, carried[0]};
    }
    static inline abdiel_set_t abdiel_shift_down(abdiel_set_t s, int squares)
    {
        abdiel_set_t carried = s << (64 - squares);
        return s >> squares | (abdiel_set_t){carried[1], 0};
    }
    /* Arrays of bitboards are worked on by vectors of one or two, as wide as the processor has them whole. */
    #ifdef __AVX2__
    typedef unsigned long long abdiel_bbv_t __attribute__((vector_size(32), aligned(16), may_alias));
    #define abdiel_to_vector(s) ((abdiel_bbv_t){(s)[0], (s)[1], (s)[0], (s)[1]})
    #else
    typedef abdiel_set_t abdiel_bbv_t;
    #define abdiel_to_vector(s) (s)
    #endif
    static inline abdiel_bb_t abdiel_bit(int square)
    {
        unsigned long long half = 1ULL << (square & 63), high = square & 64 ? half : 0;
        return (abdiel_bb_t)high << 64 | (half ^ high);
    }
    static inline int abdiel_has(abdiel_bb_t b, int square)
    {
        unsigned long long half = square & 64 ? (unsigned long long)(b >> 64) : (unsigned long long)b;
        return half >> (square & 63) & 1;
    }
    #define abdiel_vectors(sets) ((int)((sets) * sizeof(abdiel_bb_t) / sizeof(abdiel_bbv_t)))
    """
    # Cython sees a 64-bit integer; C sees 128 bits. A literal above 64 bits would be cut: shift instead.
    ctypedef unsigned long long bb_t "abdiel_bb_t"
    ctypedef unsigned long long bbv_t "abdiel_bbv_t"
    # Of vectors only & | ^ and ~ are whole; others work on each half by itself.
    ctypedef unsigned long long set_t "abdiel_set_t"
    set_t to_set "abdiel_to_set" (bb_t b) noexcept nogil
    bb_t to_bb "abdiel_to_bb" (set_t s) noexcept nogil
    bint meet "abdiel_meet" (set_t s, set_t t) noexcept nogil
    int count_of "abdiel_count" (set_t s) noexcept nogil
    set_t shift_up "abdiel_shift_up" (set_t s, int squares) noexcept nogil
    set_t shift_down "abdiel_shift_down" (set_t s, int squares) noexcept nogil
    int popcount64 "__builtin_popcountll" (uint64_t x) noexcept nogil
    int ctz64 "__builtin_ctzll" (uint64_t x) noexcept nogil
    bb_t bit "abdiel_bit" (int square) noexcept nogil
    bint has "abdiel_has" (bb_t b, int square) noexcept nogil
    bbv_t to_vector "abdiel_to_vector" (set_t s) noexcept nogil
    int vectors "abdiel_vectors" (int sets) noexcept nogil

cdef enum:
    FILES = 10
    RANKS = 8
    SQUARES = 80

cdef enum:
    WHITE = 0
    BLACK = 1

# A piece code is its type, plus BLACK_PIECE if it is black; an empty square is 0.
cdef enum:
    NO_PIECE = 0
    PAWN = 1
    KNIGHT = 2
    BISHOP = 3
    ROOK = 4
    QUEEN = 5
    KING = 6
    ARCHBISHOP = 7
    CHANCELLOR = 8
    ANGEL = 9
    DEVIL = 10

cdef enum:
    PIECE_TYPES = 11
    BLACK_PIECE = 16
    PIECE_CODES = 32


# Cython's own macros. Rare code that stands among the common costs cache lines of instructions, in which a search is
# short: a node runs through more code than the first level holds. What only Angels and Devils need is moved aside, too,
# which does not slow down their game.
cdef extern from *:
    bint likely(bint condition) noexcept nogil
    bint unlikely(bint condition) noexcept nogil


cdef inline bint any_of(set_t s) noexcept nogil:
    return meet(s, s)


cdef inline int popcount(bb_t b) noexcept nogil:
    return popcount64(<uint64_t>b) + popcount64(<uint64_t>(b >> 64))


cdef inline int lsb(bb_t b) noexcept nogil:
    """Lowest square of a set that must not be empty."""
    if <uint64_t>b:
        return ctz64(<uint64_t>b)
    return 64 + ctz64(<uint64_t>(b >> 64))


cdef inline bint more_than_one(bb_t b) noexcept nogil:
    return (b & (b - 1)) != 0


cdef inline bb_t rank_mask(int rank) noexcept nogil:
    return (<bb_t>0x3FF) << (rank * FILES)


cdef inline bb_t file_mask(int file) noexcept nogil:
    # One bit every ten: ranks 1-6 fit the low half's literal, ranks 7 and 8 are that column shifted.
    return ((<bb_t>0x4010040100401) | ((<bb_t>0x401) << 60)) << file


cdef inline uint64_t splitmix64(uint64_t* state) noexcept nogil:
    """Next number of Sebastiano Vigna's SplitMix64: fixed tables from a fixed seed."""
    state[0] += 0x9E3779B97F4A7C15ULL
    cdef uint64_t z = state[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)
