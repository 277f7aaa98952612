# The evaluation's weights, how scores add up, and how a trace notes what was added.

from libc.stdint cimport int32_t, int64_t

from abdiel.core.bitboard cimport PIECE_CODES, SQUARES

# A middlegame score in the upper and an endgame score in the lower half: one addition adds both. Sums cannot overflow:
# the halves have room for millions of centipawns.
ctypedef int64_t pair_t

cdef extern from "parameters.h":
    enum:
        WEIGHT_COUNT "ABDIEL_WEIGHT_COUNT"
    # The header's arrays; it tells their lengths.
    ctypedef struct Weights "abdiel_weights_t":
        const pair_t* material
        const pair_t* bishop_pair
        const pair_t* pair
        const pair_t* crowd
        const pair_t* squares
        const pair_t* pawn_doubled
        const pair_t* pawn_isolated
        const pair_t* pawn_backward
        const pair_t* pawn_phalanx
        const pair_t* pawn_supported
        const pair_t* pawn_candidate
        const pair_t* passed
        const pair_t* passed_free
        const pair_t* passed_safe
        const pair_t* passed_helped
        const pair_t* passed_clear
        const pair_t* passed_own_king
        const pair_t* passed_enemy_king
        const pair_t* passed_rook
        const pair_t* mobility_knight
        const pair_t* mobility_bishop
        const pair_t* mobility_rook
        const pair_t* mobility_queen
        const pair_t* mobility_archbishop
        const pair_t* mobility_chancellor
        const pair_t* mobility_angel
        const pair_t* mobility_devil
        const pair_t* outpost
        const pair_t* behind_pawn
        const pair_t* bishop_pawns
        const pair_t* half_open_file
        const pair_t* open_file
        const pair_t* shelter
        const pair_t* storm
        const pair_t* castling
        const pair_t* threat_pawn
        const pair_t* threat_minor
        const pair_t* threat_major
        const pair_t* threat_king
        const pair_t* hanging
        const pair_t* threat_push
        const pair_t* restricted
        const pair_t* cluster_best
        const pair_t* cluster_second
        const pair_t* cluster_count
        const pair_t* drive_edge
        const pair_t* drive_near
        const pair_t* space
        const pair_t* tempo
        const int64_t* danger_attacker
        const int64_t* danger_hits
        const int64_t* danger_weak
        const int64_t* danger_check
        const int64_t* danger_checks
        const int64_t* danger_unsafe_check
        const int64_t* danger_pinned
        const int64_t* danger_no_queen
        const int64_t* danger_unsheltered
        const int64_t* danger_open_file
        const int64_t* danger_flights
        const int64_t* danger_defender
        const int64_t* danger_always

cdef extern from "weights.h":
    const Weights WEIGHTS "ABDIEL_WEIGHTS"[2]     # [whether Angels and Devils are in the game]

# Material and place of a piece, from its own side's view.
cdef pair_t PIECE_SQUARES[2][PIECE_CODES][SQUARES]

# What an evaluation went by, for `eval` and for tuning; or nothing, at no cost.
cdef struct Silent:
    int nothing

cdef struct Trace:
    const pair_t* first                 # weight that the counts begin with
    int counts[2][WEIGHT_COUNT]         # [colour]: how often each weight was added
    int phase
    int scale                           # of the endgame score
    pair_t scores[2]
    int64_t dangers[2]                  # of each colour's King

ctypedef fused Tracer:
    Silent
    Trace


cdef inline pair_t make_pair(int middlegame, int endgame) noexcept nogil:
    return (<pair_t>middlegame << 32) + endgame


cdef inline int endgame_of(pair_t score) noexcept nogil:
    return <int32_t>score


cdef inline int middlegame_of(pair_t score) noexcept nogil:
    return <int>((score + 0x80000000LL) >> 32)


cdef inline void note(Tracer* tracer, const pair_t* weight, int color, int count) noexcept nogil:
    if Tracer is Trace:
        tracer.counts[color][weight - tracer.first] += count


cdef inline void add(Tracer* tracer, pair_t* score, const pair_t* weight, int color, int count) noexcept nogil:
    score[0] += weight[0] * count
    note(tracer, weight, color, count)


cdef inline int square_index(int kind, int relative_square) noexcept nogil:
    """Index into `squares`: one half of the board, the files counted from the nearer edge."""
    cdef int file = relative_square % 10
    return kind * 40 + relative_square // 10 * 5 + (file if file < 5 else 9 - file)


cdef inline void note_piece(Tracer* tracer, const Weights* w, int color, int kind, int square) noexcept nogil:
    """Note material and place, which PIECE_SQUARES holds in one number."""
    if Tracer is Trace:
        note(tracer, &w.material[kind], color, 1)
        note(tracer, &w.squares[square_index(kind, square if color == 0 else 70 - square + 2 * (square % 10))], color, 1)
