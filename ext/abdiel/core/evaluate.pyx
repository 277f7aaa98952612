"""Static evaluation: material and piece-square tables, tapered between middlegame and endgame.

The taper is the field's usual one (https://www.chessprogramming.org/Tapered_Eval): both scores are summed and mixed by
the material that is left. The strength issue replaces the guesses for Angel and Devil by measured values.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from abdiel.core.bitboard cimport (
    ANGEL, ARCHBISHOP, BISHOP, BLACK, BLACK_PIECE, CHANCELLOR, DEVIL, FILES, KING, KNIGHT, NO_PIECE, PAWN, PIECE_CODES,
    PIECE_TYPES, QUEEN, RANKS, ROOK, SQUARES, WHITE, bb_t, lsb, popcount,
)
from abdiel.core.position cimport Position
from abdiel.core.state cimport KINGS, PAWNS, Pos, move_t, occupied, promotion_type, removed_by

cdef enum:
    TEMPO = 12
    PAWN_ENTRIES = 1 << 14

PIECE_VALUES[:] = [0, 100, 300, 340, 500, 950, 0, 820, 880, 450, 480]

cdef int ENDGAME_VALUES[PIECE_TYPES]
ENDGAME_VALUES[:] = [0, 120, 290, 340, 540, 980, 0, 820, 900, 430, 440]

# How much of the middlegame a piece stands for; both full Capablanca sets sum to 44.
cdef int PHASES[PIECE_TYPES]
PHASES[:] = [0, 0, 1, 1, 2, 5, 0, 4, 5, 2, 2]
cdef enum:
    FULL_PHASE = 26

# Bonus a step towards the centre, and a step forward, in middlegame and endgame.
cdef int CENTER[PIECE_TYPES][2]
CENTER[:] = [[0, 0], [5, 1], [9, 6], [6, 5], [2, 1], [2, 6], [-12, 10], [6, 6], [4, 6], [5, 4], [5, 4]]
cdef int FORWARD[PIECE_TYPES][2]
FORWARD[:] = [[0, 0], [5, 14], [4, 2], [2, 2], [1, 2], [1, 1], [-14, 5], [3, 2], [2, 2], [3, 2], [3, 2]]

cdef int SQUARE_VALUES[2][PIECE_CODES][SQUARES]     # [middlegame, endgame], black pieces negative


cdef int center_steps(int square) noexcept nogil:
    """Steps away from the edge, the shorter way in files and ranks: 0 in the corners, 7 in the four middle squares."""
    cdef int file = square % FILES, rank = square // FILES
    return min(file, FILES - 1 - file) + min(rank, RANKS - 1 - rank)


cdef void fill_tables() noexcept nogil:
    cdef int kind, square, stage, value, base
    for kind in range(1, PIECE_TYPES):
        for square in range(SQUARES):
            for stage in range(2):
                base = ENDGAME_VALUES[kind] if stage else PIECE_VALUES[kind]
                value = base + CENTER[kind][stage] * (center_steps(square) - 3)
                value += FORWARD[kind][stage] * (square // FILES - (1 if kind == PAWN else 2))
                SQUARE_VALUES[stage][kind][square] = value
                SQUARE_VALUES[stage][kind + BLACK_PIECE][(RANKS - 1 - square // FILES) * FILES + square % FILES] = -value


fill_tables()


cdef inline int mix(int middlegame, int endgame, int phase) noexcept nogil:
    if phase > FULL_PHASE:
        phase = FULL_PHASE
    return (middlegame * phase + endgame * (FULL_PHASE - phase)) // FULL_PHASE


cdef bint init_cache(EvalCache* cache) noexcept nogil:
    cache.pawns = <PawnEntry*>calloc(PAWN_ENTRIES, sizeof(PawnEntry))
    return cache.pawns != NULL


cdef void free_cache(EvalCache* cache) noexcept nogil:
    free(cache.pawns)
    cache.pawns = NULL


cdef int static_eval(const Pos* pos, EvalCache* cache) noexcept nogil:
    cdef bb_t pieces = occupied(pos)
    cdef int middlegame = 0, endgame = 0, phase = 0, square, code, score
    while pieces:
        square = lsb(pieces)
        pieces &= pieces - 1
        code = pos.board[square]
        middlegame += SQUARE_VALUES[0][code][square]
        endgame += SQUARE_VALUES[1][code][square]
        phase += PHASES[code & 15]
    score = mix(middlegame, endgame, phase)
    return (score if pos.turn == WHITE else -score) + TEMPO


cdef int removal_gain(const Pos* pos, move_t move) noexcept nogil:
    cdef bb_t removed = removed_by(pos, move)
    cdef int gain = 0, square, code
    if promotion_type(move):
        gain = PIECE_VALUES[promotion_type(move)] - PIECE_VALUES[PAWN]
    while removed:
        square = lsb(removed)
        removed &= removed - 1
        code = pos.board[square]
        gain += -PIECE_VALUES[code & 15] if code >> 4 == pos.turn else PIECE_VALUES[code & 15]
    return gain


cdef bint has_pieces(const Pos* pos, int color) noexcept nogil:
    return pos.sets[color] & ~(pos.sets[PAWNS] | pos.sets[KINGS]) != 0


def evaluate(Position position):
    """Centipawns from the side to move's view."""
    cdef EvalCache cache
    memset(&cache, 0, sizeof(cache))
    return static_eval(&position.pos, &cache)


def terms(Position position):
    """Each term as (White's share, Black's share) in centipawns, White's view, rounded on its own."""
    cdef int square, code, phase = 0, color, stage
    cdef int material[2][2]
    cdef int squares[2][2]
    material[:] = [[0, 0], [0, 0]]
    squares[:] = [[0, 0], [0, 0]]
    for square in range(SQUARES):
        code = position.pos.board[square]
        if not code:
            continue
        color = code >> 4
        phase += PHASES[code & 15]
        material[color][0] += PIECE_VALUES[code & 15]
        material[color][1] += ENDGAME_VALUES[code & 15]
        for stage in range(2):
            squares[color][stage] += own_view(SQUARE_VALUES[stage][code][square], color)
    shares = {}
    shares["material"] = tuple([mix(material[c][0], material[c][1], phase) for c in range(2)])
    shares["piece squares"] = tuple(
        [mix(squares[c][0] - material[c][0], squares[c][1] - material[c][1], phase) for c in range(2)])
    shares["tempo"] = tuple([TEMPO if position.pos.turn == c else 0 for c in range(2)])
    return shares


cdef inline int own_view(int value, int color) noexcept nogil:
    return value if color == WHITE else -value
