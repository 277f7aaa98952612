"""The evaluation's weights as Python sees them, and the piece-square tables made of them."""

from abdiel.core.bitboard cimport BLACK_PIECE, FILES, PIECE_TYPES, RANKS, SQUARES

cdef extern from *:
    """
    typedef struct { const char *name; int count; const char *term; int pairs; } abdiel_parameter_t;
    #define ABDIEL_PAIRS_ROW(name, count, term) {#name, count, term, 1},
    #define ABDIEL_UNITS_ROW(name, count, term) {#name, count, term, 0},
    static const abdiel_parameter_t ABDIEL_LIST[] = {ABDIEL_PARAMETERS(ABDIEL_PAIRS_ROW, ABDIEL_UNITS_ROW)};
    enum { ABDIEL_LISTED = sizeof(ABDIEL_LIST) / sizeof(ABDIEL_LIST[0]) };
    """
    ctypedef struct Parameter "abdiel_parameter_t":
        const char* name
        int count
        const char* term
        bint pairs
    enum:
        LISTED "ABDIEL_LISTED"
    const Parameter LIST "ABDIEL_LIST"[1]

GAMES = ("The Capablanca family", "Angels and Devils")


cdef void fill_tables() noexcept nogil:
    cdef int game, kind, square
    cdef const Weights* w
    for game in range(2):
        w = &WEIGHTS[game]
        for kind in range(1, PIECE_TYPES):
            for square in range(SQUARES):
                PIECE_SQUARES[game][kind][square] = w.material[kind] + w.squares[square_index(kind, square)]
                PIECE_SQUARES[game][kind + BLACK_PIECE][(RANKS - 1 - square // FILES) * FILES + square % FILES] = (
                    PIECE_SQUARES[game][kind][square])


fill_tables()


def parameters():
    """(name, number of values, term, whether each is a pair) of every parameter, in the order of `weights`."""
    return [(LIST[i].name.decode(), LIST[i].count, LIST[i].term.decode(), LIST[i].pairs) for i in range(LISTED)]


def weights(int game):
    """The values of a game's set, 0 or 1 as in GAMES, one after the other: (middlegame, endgame), or (units, 0)."""
    cdef const pair_t* values = <const pair_t*>&WEIGHTS[game]
    cdef pair_t value
    cdef int at = 0
    result = []
    for name, count, term, pairs in parameters():
        for _ in range(count):
            value = values[at]
            at += 1
            if pairs:
                result.append((middlegame_of(value), endgame_of(value)))
            else:
                result.append((value, 0))
    return result
