"""Pawn structure, what pawns alone decide of outposts and space, and the Kings' shelter.

The terms are the field's usual ones (https://www.chessprogramming.org/Pawn_Structure).
"""

from libc.stdint cimport uint64_t

from abdiel.core.attacks cimport BITS, PAWN_ATTACKS, pawn_attacks
from abdiel.core.bitboard cimport (
    BLACK, BLACK_PIECE, FILES, PAWN, RANKS, SQUARES, WHITE, any_of, bb_t, bit, count_of, file_mask, lsb, meet, popcount,
    rank_mask, set_t, to_bb, to_set, unlikely,
)
from abdiel.core.state cimport LIGHT_SQUARES, PAWNS, Pos
from abdiel.core.weights cimport PIECE_SQUARES, Tracer, Weights, add, note_piece, pair_t

cdef extern from *:
    int clz64 "__builtin_clzll" (uint64_t x) noexcept nogil

cdef bb_t PASSED_MASK[2][SQUARES]   # where an enemy pawn stops this one or guards its way
cdef bb_t BESIDE[SQUARES]           # the neighbouring files, whole
cdef bb_t NEXT_TO[SQUARES]          # the neighbours on the rank
cdef bb_t FROM_RANK[2][RANKS]       # that rank and all ahead of it
cdef bb_t OUTPOSTS[2]               # the ranks for outposts
cdef bb_t CENTER_FILES


cdef void fill_tables() noexcept nogil:
    cdef int square, other, steps, away
    global CENTER_FILES
    OUTPOSTS[WHITE] = rank_mask(3) | rank_mask(4) | rank_mask(5)
    OUTPOSTS[BLACK] = rank_mask(2) | rank_mask(3) | rank_mask(4)
    CENTER_FILES = file_mask(2) | file_mask(3) | file_mask(4) | file_mask(5) | file_mask(6) | file_mask(7)
    for square in range(SQUARES):
        FROM_RANK[WHITE][square // FILES] |= ~<bb_t>0 << square // FILES * FILES
        FROM_RANK[BLACK][square // FILES] |= ~(~<bb_t>0 << square // FILES * FILES + FILES)
        for other in range(SQUARES):
            steps = other // FILES - square // FILES
            away = abs(other % FILES - square % FILES)
            if away == 1:
                BESIDE[square] |= bit(other)
                if not steps:
                    NEXT_TO[square] |= bit(other)
            if steps and away <= 1:
                PASSED_MASK[WHITE if steps > 0 else BLACK][square] |= bit(other)
                if not away:
                    AHEAD[WHITE if steps > 0 else BLACK][square] |= bit(other)


fill_tables()


cdef inline int msb(bb_t b) noexcept nogil:
    """Highest square of a set that must not be empty."""
    cdef uint64_t high = <uint64_t>(b >> 64)
    cdef int square = 0
    if high:
        square = 64
    else:
        high = <uint64_t>b
    return square + 63 - clz64(high)


cdef inline int relative_rank(int color, int square) noexcept nogil:
    return square // FILES if color == WHITE else RANKS - 1 - square // FILES


cdef void evaluate_pawns(Tracer* tracer, const Pos* pos, const Weights* w, PawnEntry* entry) noexcept nogil:
    """Fill an entry but for its key; the shelters are counted when they are asked for."""
    cdef int color, file
    cdef bb_t pawns, own_half, safe
    cdef set_t behind
    cdef bb_t spans[2]      # what each colour's pawns attack or might attack when they have advanced
    entry.passed = 0
    for color in range(2):
        pawns = pos.sets[PAWNS] & pos.sets[color]
        entry.light[color] = popcount(pawns & LIGHT_SQUARES)
        entry.dark[color] = popcount(pawns & ~LIGHT_SQUARES)
        entry.attacks[color] = pawn_attacks(color, pawns)
        entry.free_files[color] = 0
        for file in range(FILES):
            if not pawns & file_mask(file):
                entry.free_files[color] |= file_mask(file)
        entry.kings[color] = 0
        entry.scores[color] = pawns_of(tracer, pos, w, entry, &spans[color], color)
    for color in range(2):
        pawns = pos.sets[PAWNS] & pos.sets[color]
        entry.outposts[color] = entry.attacks[color] & ~spans[1 - color] & OUTPOSTS[color]
        own_half = rank_mask(1) | rank_mask(2) | rank_mask(3)
        safe = CENTER_FILES & (own_half if color == WHITE else own_half << 3 * FILES) & ~pawns & ~entry.attacks[1 - color]
        behind = to_set(pawns)
        behind |= ahead(1 - color, behind)
        behind |= ahead(1 - color, ahead(1 - color, behind))
        entry.space[color] = safe & to_bb(behind)
        add(tracer, &entry.scores[color], w.space, color, popcount(safe))


cdef inline pair_t pawns_of(Tracer* tracer, const Pos* pos, const Weights* w, PawnEntry* entry, bb_t* span,
                            int us) noexcept nogil:
    cdef int them = 1 - us, square, rank, front = FILES if us == WHITE else -FILES, supporters
    cdef int code = PAWN if us == WHITE else PAWN + BLACK_PIECE
    cdef bb_t rest = pos.sets[PAWNS] & pos.sets[us]
    cdef set_t pawns = <set_t>pos.sets[PAWNS], own = pawns & <set_t>pos.sets[us], enemies = pawns & <set_t>pos.sets[them]
    cdef set_t stoppers, beside, covered = to_set(0)
    cdef bint phalanx, open_ahead
    cdef pair_t score = 0
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        rank = relative_rank(us, square)
        score += PIECE_SQUARES[pos.rules.specials][code][square]
        note_piece(tracer, w, us, PAWN, square)
        covered |= <set_t>PASSED_MASK[us][square] & <set_t>BESIDE[square]
        if unlikely(rank == 0 or rank == RANKS - 1):
            # Only the core's own set-up takes such pawns; a Board refuses them.
            continue
        stoppers = <set_t>PASSED_MASK[us][square] & enemies
        beside = <set_t>BESIDE[square] & own
        supporters = count_of(<set_t>PAWN_ATTACKS[them][square] & own)
        phalanx = meet(<set_t>NEXT_TO[square], own)
        open_ahead = not meet(<set_t>AHEAD[us][square], enemies)
        if phalanx:
            add(tracer, &score, &w.pawn_phalanx[rank], us, 1)
        if supporters:
            add(tracer, &score, &w.pawn_supported[rank], us, supporters)
        if not any_of(beside):
            add(tracer, &score, &w.pawn_isolated[open_ahead], us, 1)
        elif not phalanx and not meet(<set_t>PASSED_MASK[them][square], beside) and (
                meet(<set_t>PAWN_ATTACKS[us][square + front] | <set_t>BITS[square + front], enemies)):
            add(tracer, &score, &w.pawn_backward[open_ahead], us, 1)
        if meet(<set_t>AHEAD[us][square], own):
            add(tracer, &score, w.pawn_doubled, us, 1)
        elif not any_of(stoppers):
            entry.passed |= bit(square)
            add(tracer, &score, &w.passed[rank], us, 1)
        elif open_ahead and count_of(<set_t>PASSED_MASK[them][square + front] & beside) >= count_of(stoppers):
            add(tracer, &score, &w.pawn_candidate[rank], us, 1)
    span[0] = to_bb(covered)
    return score


cdef void evaluate_shelter(Tracer* tracer, const Pos* pos, const Weights* w, PawnEntry* entry,
                           int color) noexcept nogil:
    """Count the pawns, own and enemy, on the three files at the King of `color` and note its square."""
    cdef int king = pos.kings[color], file, middle, rank, own_rank
    cdef bb_t front, own, enemies, files = 0
    cdef pair_t score = 0
    entry.kings[color] = king + 1
    entry.unsheltered[color] = 0
    middle = min(max(king % FILES, 1), FILES - 2)
    for file in range(middle - 1, middle + 2):
        files |= file_mask(file)
        front = file_mask(file) & FROM_RANK[color][king // FILES]
        own = front & pos.sets[PAWNS] & pos.sets[color]
        enemies = front & pos.sets[PAWNS] & pos.sets[1 - color]
        own_rank = 0
        if own:
            own_rank = relative_rank(color, lsb(own) if color == WHITE else msb(own))
        else:
            entry.unsheltered[color] += 1
        rank = 0
        if enemies:
            rank = relative_rank(color, lsb(enemies) if color == WHITE else msb(enemies))
        add(tracer, &score, &w.shelter[own_rank + (8 if file == king % FILES else 0)], color, 1)
        add(tracer, &score, &w.storm[rank + (8 if own_rank and own_rank == rank - 1 else 0)], color, 1)
    entry.shelters[color] = score
    entry.open_at_king[color] = files & entry.free_files[color]

