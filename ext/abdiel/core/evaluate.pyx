"""Static evaluation: the classical terms of the field's hand-crafted evaluations, for this board and its pieces.

Scores are pairs, tapered by the material that is left (https://www.chessprogramming.org/Tapered_Eval). Each side's attacks
are worked out once, piece by piece, with mobility and the pressure on the enemy's King; Kings' danger, threats and passed
pawns then go by both sides' attacks. What is special to Angels and Devils: every jump and landing that would remove
something is listed, and the best of them weigh by what they would gain ("clusters").

One code both evaluates and traces: see `Tracer` in weights.pxd.
"""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from abdiel.core.attacks cimport (
    ANGEL_NEAR, ANGEL_TARGETS, BETWEEN, BURN, DEVIL_HITS, DEVIL_REACH, DEVIL_TARGETS, KING_ATTACKS,
    KNIGHT_ATTACKS, LINE, bishop_attacks, pawn_attacks, rook_attacks,
)
from abdiel.core.bitboard cimport (
    ANGEL, ARCHBISHOP, BISHOP, BLACK, BLACK_PIECE, CHANCELLOR, DEVIL, FILES, KING, KNIGHT, PAWN, PIECE_TYPES, QUEEN, RANKS,
    ROOK, SQUARES, WHITE, any_of, bb_t, bit, count_of, has, lsb, meet, more_than_one, popcount, rank_mask, set_t, to_bb, to_set,
    unlikely,
)
from abdiel.core.pawns cimport AHEAD, PAWN_ENTRIES, PawnEntry, ahead, evaluate_pawns, evaluate_shelter
from abdiel.core.position cimport Position
from abdiel.core.state cimport (
    ANGELS, DEVILS, DIAGONALS, KINGS, KNIGHT_MOVERS, LIGHT_SQUARES, ORTHOGONALS, PAWNS, Pos, occupied_set, rays_to,
)
from abdiel.core.weights cimport (
    PIECE_SQUARES, WEIGHT_COUNT, WEIGHTS, Silent, Trace, Tracer, Weights, add, endgame_of, make_pair, middlegame_of,
    note_piece, pair_t,
)

from abdiel.core.weights import parameters

cdef enum:
    MAX_SCORE = 20000
    FULL_SCALE = 64
    HARDLY = 16             # of it: without pawns and with too little to mate
    FULL_FRESHNESS = 200
    # Removals by Angels and Devils that one side's list holds; only a composed position has more.
    MAX_REMOVERS = 48
    CLUSTER_UNIT = 32       # centipawns
    MAX_CLUSTER = 1600

cpdef enum:
    # A danger's square over the first is its cost in the middlegame, and its part by the second in the endgame.
    DANGER_SQUARE = 720
    DANGER_SHARE = 20
    MAX_DANGER = 1300

cdef int FULL_PHASE[2]      # somewhat below what a game begins with
FULL_PHASE[:] = [34, 28]

cdef int LIGHT_VALUE        # the most that one piece which cannot mate alone counts
cdef bb_t ZONES[SQUARES]            # a King's own square and those around; at the edge those of the square next to it
cdef bb_t ANGEL_PATHS[SQUARES][SQUARES]     # what an Angel's jump empties
cdef int DISTANCES[SQUARES][SQUARES]


cdef void fill_tables() noexcept nogil:
    cdef int square, other, kind, file, rank
    global LIGHT_VALUE
    for kind in range(1, PIECE_TYPES):
        PIECE_VALUES[kind] = 0
        for other in range(2):
            PIECE_VALUES[kind] += (middlegame_of(WEIGHTS[other].material[kind])
                                   + endgame_of(WEIGHTS[other].material[kind])) // 4
    LIGHT_VALUE = max(PIECE_VALUES[KNIGHT], PIECE_VALUES[BISHOP], PIECE_VALUES[ANGEL], PIECE_VALUES[DEVIL])
    for square in range(SQUARES):
        file = min(max(square % FILES, 1), FILES - 2)
        rank = min(max(square // FILES, 1), RANKS - 2)
        ZONES[square] = KING_ATTACKS[rank * FILES + file] | bit(rank * FILES + file)
        for other in range(SQUARES):
            if ANGEL_TARGETS[square] & bit(other):
                ANGEL_PATHS[square][other] = BETWEEN[square][other] | bit(other)
            DISTANCES[square][other] = max(abs(square % FILES - other % FILES), abs(square // FILES - other // FILES))


fill_tables()


# A move of an Angel or a Devil that would remove something.
cdef struct Remover:
    int gain        # centipawns, own losses on the way subtracted
    int kind
    int landing

cdef struct Side:
    set_t pieces
    set_t pawns
    set_t area                      # squares that count for mobility
    set_t all                       # attacked
    set_t twice
    set_t minor                     # attacked by Knights and Bishops
    set_t major                     # by Rooks, Queens, Archbishops and Chancellors
    set_t attacks[PIECE_TYPES]      # by type; of Angels and Devils where they can land
    bb_t pinned
    pair_t score
    int64_t danger                  # of this side's King
    int king
    int attackers                   # enemy pieces that attack squares at this side's King
    int remover_count
    Remover removers[MAX_REMOVERS]

cdef struct Board:
    Side sides[2]
    bb_t occ
    int phase
    const Weights* w
    PawnEntry* pawns
    bint specials

# What one walk over a side's pieces adds up, apart from the rest so that it stays in registers.
cdef struct Walk:
    set_t area
    set_t zone          # of the enemy's King
    set_t all
    set_t twice
    set_t of_kind
    pair_t score
    int64_t danger      # to that King
    const pair_t* places    # of this side's piece-square tables the first, or an empty square's
    bint pins           # any own piece is pinned
    int phase
    int before          # the phase before the present kind
    int hits            # attacks on its zone
    int attackers


cdef bint init_cache(EvalCache* cache) noexcept nogil:
    cdef int i
    cache.pawns = <PawnEntry*>calloc(PAWN_ENTRIES, sizeof(PawnEntry))
    if cache.pawns == NULL:
        return False
    for i in range(PAWN_ENTRIES):
        cache.pawns[i].key = ~<uint64_t>i     # one that belongs elsewhere
    return True


cdef void free_cache(EvalCache* cache) noexcept nogil:
    free(cache.pawns)
    cache.pawns = NULL


cdef inline PawnEntry* find_pawns(Tracer* tracer, const Pos* pos, const Weights* w, EvalCache* cache,
                                  PawnEntry* spare) noexcept nogil:
    """The pawns' entry with both shelters, from the cache if they are there."""
    cdef PawnEntry* entry = spare
    # The same pawns are worth something else in the other game.
    cdef uint64_t key = pos.details.pawn_key ^ (<uint64_t>pos.rules.specials << 63)
    cdef int color
    if Tracer is Silent and cache.pawns != NULL:
        entry = &cache.pawns[key & (PAWN_ENTRIES - 1)]
        if entry.key != key:
            evaluate_pawns(tracer, pos, w, entry)
            entry.key = key
    else:
        evaluate_pawns(tracer, pos, w, entry)
    for color in range(2):
        if entry.kings[color] != pos.kings[color] + 1:
            evaluate_shelter(tracer, pos, w, entry, color)
    return entry


cdef inline void prepare(const Pos* pos, Board* b) noexcept nogil:
    """What each side's pieces are measured against: pawns' and Kings' attacks, pins, mobility areas."""
    cdef int us
    cdef Side* side
    cdef bb_t snipers, screen
    cdef set_t occ = occupied_set(pos), pawns = <set_t>pos.sets[PAWNS], low
    b.occ = to_bb(occ)
    for us in range(2):
        side = &b.sides[us]
        side.pieces = <set_t>pos.sets[us]
        side.king = pos.kings[us]
        side.pawns = pawns & side.pieces
        side.score = b.pawns.scores[us] + b.pawns.shelters[us]
        side.remover_count = 0
        side.attacks[PAWN] = <set_t>b.pawns.attacks[us]
        side.attacks[KING] = <set_t>KING_ATTACKS[side.king]
        side.all = side.attacks[PAWN] | side.attacks[KING]
        side.twice = side.attacks[PAWN] & side.attacks[KING]
        side.pinned = 0
        snipers = to_bb(rays_to(pos, side.king) & <set_t>pos.sets[1 - us])
        while snipers:
            screen = BETWEEN[side.king][lsb(snipers)] & b.occ
            snipers &= snipers - 1
            if not more_than_one(screen):
                side.pinned |= screen & pos.sets[us]
    for us in range(2):
        side = &b.sides[us]
        low = to_set(rank_mask(1) | rank_mask(2) if us == WHITE else rank_mask(RANKS - 2) | rank_mask(RANKS - 3))
        # Pawns that are blocked or at home are no place to go to soon, nor are those of King and Queen.
        side.area = ~(side.pawns & (low | ahead(1 - us, occ)) | b.sides[1 - us].attacks[PAWN]
                      | side.pieces & (<set_t>pos.sets[KINGS] | <set_t>pos.sets[DIAGONALS] & <set_t>pos.sets[ORTHOGONALS]))


cdef inline const pair_t* places(const Walk* walk, int kind) noexcept nogil:
    return walk.places + kind * SQUARES


cdef inline int phase_of(int kind) noexcept nogil:
    """A branch for each, which the compiler decides, for it always knows the kind."""
    if kind == QUEEN or kind == CHANCELLOR:
        return 4
    if kind == ARCHBISHOP:
        return 3
    return 1 if kind == KNIGHT or kind == BISHOP else 2


cdef inline void count_piece(Tracer* tracer, const Board* b, Walk* walk, int us, int kind, const pair_t* places, int square,
                             set_t attacks, set_t moves, const pair_t* mobility) noexcept nogil:
    """What all pieces have in common; `attacks` and `moves` differ for Angels and Devils only."""
    cdef set_t hits = attacks & walk.zone
    walk.score += places[square]
    walk.phase += phase_of(kind)
    note_piece(tracer, b.w, us, kind, square)
    walk.twice |= walk.all & attacks
    walk.all |= attacks
    walk.of_kind |= attacks
    add(tracer, &walk.score, &mobility[count_of(moves & walk.area)], us, 1)
    if any_of(hits):
        walk.attackers += 1
        walk.hits += count_of(hits)
        add(tracer, &walk.danger, &b.w.danger_attacker[kind], 1 - us, 1)


cdef inline set_t end_kind(Tracer* tracer, const Board* b, Walk* walk, int us, int kind) noexcept nogil:
    """What the pieces of the kind attack; the next kind begins."""
    cdef set_t attacks = walk.of_kind
    if walk.phase - walk.before >= 2 * phase_of(kind):
        add(tracer, &walk.score, &b.w.pair[kind], us, 1)
    walk.before = walk.phase
    walk.of_kind = to_set(0)
    return attacks


cdef inline set_t kept_on_line(const Walk* walk, const Side* side, int square, set_t attacks) noexcept nogil:
    """A pinned slider's attacks end at the pin."""
    if unlikely(walk.pins and has(side.pinned, square)):
        return attacks & <set_t>LINE[side.king][square]
    return attacks


cdef inline void count_pieces(Tracer* tracer, const Pos* pos, Board* b, int us) noexcept nogil:
    cdef Side* side = &b.sides[us]
    cdef const Weights* w = b.w
    cdef set_t leapers = side.pieces & <set_t>pos.sets[KNIGHT_MOVERS], diagonals = side.pieces & <set_t>pos.sets[DIAGONALS]
    cdef set_t orthogonals = side.pieces & <set_t>pos.sets[ORTHOGONALS], attacks
    cdef set_t knights = leapers & ~(diagonals | orthogonals), bishops = diagonals & ~(leapers | orthogonals)
    cdef set_t rooks = orthogonals & ~(leapers | diagonals)
    # A slider looks through its own side's stronger ones on the line.
    cdef bb_t for_bishops = b.occ & ~to_bb(diagonals ^ bishops), for_rooks = b.occ ^ to_bb(orthogonals), rest
    cdef const pair_t* table
    cdef int square
    cdef Walk walk
    walk.area = side.area
    walk.zone = <set_t>ZONES[b.sides[1 - us].king]
    walk.all = side.all
    walk.twice = side.twice
    walk.places = PIECE_SQUARES[b.specials][BLACK_PIECE if us else 0]
    walk.pins = side.pinned != 0
    walk.phase = 0
    walk.before = 0
    walk.score = 0
    walk.danger = 0
    walk.hits = 0
    walk.attackers = 0

    walk.of_kind = to_set(0)
    table = places(&walk, KNIGHT)
    rest = to_bb(knights) & ~side.pinned
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        attacks = <set_t>KNIGHT_ATTACKS[square]
        count_piece(tracer, b, &walk, us, KNIGHT, table, square, attacks, attacks, w.mobility_knight)
    rest = to_bb(knights) & side.pinned
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        count_piece(tracer, b, &walk, us, KNIGHT, table, square, to_set(0), to_set(0), w.mobility_knight)
    side.attacks[KNIGHT] = end_kind(tracer, b, &walk, us, KNIGHT)
    table = places(&walk, BISHOP)
    rest = to_bb(bishops)
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        attacks = kept_on_line(&walk, side, square, <set_t>bishop_attacks(square, for_bishops))
        count_piece(tracer, b, &walk, us, BISHOP, table, square, attacks, attacks, w.mobility_bishop)
    side.attacks[BISHOP] = end_kind(tracer, b, &walk, us, BISHOP)
    side.minor = side.attacks[KNIGHT] | side.attacks[BISHOP]
    table = places(&walk, ROOK)
    rest = to_bb(rooks)
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        attacks = kept_on_line(&walk, side, square, <set_t>rook_attacks(square, for_rooks))
        count_piece(tracer, b, &walk, us, ROOK, table, square, attacks, attacks, w.mobility_rook)
    side.attacks[ROOK] = end_kind(tracer, b, &walk, us, ROOK)
    table = places(&walk, QUEEN)
    rest = to_bb(orthogonals & diagonals)
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        attacks = kept_on_line(&walk, side, square, <set_t>bishop_attacks(square, b.occ) | <set_t>rook_attacks(square, b.occ))
        count_piece(tracer, b, &walk, us, QUEEN, table, square, attacks, attacks, w.mobility_queen)
    side.attacks[QUEEN] = end_kind(tracer, b, &walk, us, QUEEN)
    side.major = side.attacks[ROOK] | side.attacks[QUEEN]
    if unlikely(b.specials):
        count_angels(tracer, pos, b, &walk, us)
        count_devils(tracer, pos, b, &walk, us)
    else:
        side.attacks[ANGEL] = to_set(0)
        side.attacks[DEVIL] = to_set(0)
        count_compounds(tracer, b, &walk, us, to_bb(leapers & diagonals), to_bb(leapers & orthogonals))
    count_places(tracer, pos, b, &walk, us, knights, bishops, rooks)
    side.all = walk.all
    side.twice = walk.twice
    side.score += walk.score
    b.phase += walk.phase
    add(tracer, &walk.danger, w.danger_hits, 1 - us, walk.hits)
    b.sides[1 - us].danger = walk.danger
    b.sides[1 - us].attackers = walk.attackers


cdef inline void count_compounds(Tracer* tracer, Board* b, Walk* walk, int us, bb_t archbishops,
                                 bb_t chancellors) noexcept nogil:
    cdef Side* side = &b.sides[us]
    cdef bb_t rest = archbishops
    cdef set_t attacks
    cdef const pair_t* table = places(walk, ARCHBISHOP)
    cdef int square
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        attacks = kept_on_line(walk, side, square, <set_t>bishop_attacks(square, b.occ) | <set_t>KNIGHT_ATTACKS[square])
        count_piece(tracer, b, walk, us, ARCHBISHOP, table, square, attacks, attacks, b.w.mobility_archbishop)
    side.attacks[ARCHBISHOP] = end_kind(tracer, b, walk, us, ARCHBISHOP)
    table = places(walk, CHANCELLOR)
    rest = chancellors
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        attacks = kept_on_line(walk, side, square, <set_t>rook_attacks(square, b.occ) | <set_t>KNIGHT_ATTACKS[square])
        count_piece(tracer, b, walk, us, CHANCELLOR, table, square, attacks, attacks, b.w.mobility_chancellor)
    side.attacks[CHANCELLOR] = end_kind(tracer, b, walk, us, CHANCELLOR)
    side.major |= side.attacks[ARCHBISHOP] | side.attacks[CHANCELLOR]


cdef inline void count_places(Tracer* tracer, const Pos* pos, Board* b, Walk* walk, int us, set_t knights, set_t bishops,
                              set_t rooks) noexcept nogil:
    """What pieces gain by the pawns around them: outposts, shelter behind a pawn, open files, Bishops' colours."""
    cdef Side* side = &b.sides[us]
    cdef const Weights* w = b.w
    cdef bb_t rest
    cdef int light = count_of(bishops & <set_t>LIGHT_SQUARES), dark = count_of(bishops & ~<set_t>LIGHT_SQUARES)
    if light and dark:
        add(tracer, &walk.score, w.bishop_pair, us, 1)
    add(tracer, &walk.score, w.bishop_pawns, us, light * b.pawns.light[us] + dark * b.pawns.dark[us])
    rest = to_bb(<set_t>b.pawns.outposts[us] & side.pieces & ~(<set_t>pos.sets[PAWNS] | <set_t>pos.sets[ORTHOGONALS]))
    while rest:
        add(tracer, &walk.score, &w.outpost[pos.board[lsb(rest)] & 15], us, 1)
        rest &= rest - 1
    add(tracer, &walk.score, w.behind_pawn, us, count_of((knights | bishops) & ahead(1 - us, <set_t>pos.sets[PAWNS])))
    rooks &= <set_t>b.pawns.free_files[us]
    if any_of(rooks):
        add(tracer, &walk.score, w.half_open_file, us, count_of(rooks & ~<set_t>b.pawns.free_files[1 - us]))
        add(tracer, &walk.score, w.open_file, us, count_of(rooks & <set_t>b.pawns.free_files[1 - us]))


cdef inline int worth(const Pos* pos, bb_t squares) noexcept nogil:
    """Centipawns that stand on some squares."""
    cdef int value = 0
    while squares:
        value += PIECE_VALUES[pos.board[lsb(squares)] & 15]
        squares &= squares - 1
    return value


cdef inline void list_remover(Side* side, int kind, int landing, int gain) noexcept nogil:
    cdef Remover* remover
    if gain > 0 and side.remover_count < MAX_REMOVERS:
        remover = &side.removers[side.remover_count]
        remover.gain = gain
        remover.kind = kind
        remover.landing = landing
        side.remover_count += 1


cdef inline void count_angels(Tracer* tracer, const Pos* pos, Board* b, Walk* walk, int us) noexcept nogil:
    cdef Side* side = &b.sides[us]
    cdef bb_t rest = pos.sets[us] & pos.sets[ANGELS], enemies = pos.sets[1 - us], landings, free, attacks, path
    cdef int square, to, count = popcount(rest)
    cdef const pair_t* table = places(walk, ANGEL)
    side.attacks[ANGEL] = to_set(0)
    if not count:
        return
    add(tracer, &walk.score, &b.w.crowd[ANGEL], us, count * (popcount(enemies) - 12))
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        # A friend's square is one that it could retake on.
        attacks = ANGEL_TARGETS[square]
        free = landings = attacks & ~pos.sets[us]
        side.attacks[ANGEL] |= to_set(free)
        while landings:
            to = lsb(landings)
            landings &= landings - 1
            path = ANGEL_PATHS[square][to]
            attacks |= path
            if path & enemies:
                list_remover(side, ANGEL, to, worth(pos, path & enemies))
        count_piece(tracer, b, walk, us, ANGEL, table, square, to_set(attacks), to_set(free), b.w.mobility_angel)
    end_kind(tracer, b, walk, us, ANGEL)


cdef inline void count_devils(Tracer* tracer, const Pos* pos, Board* b, Walk* walk, int us) noexcept nogil:
    cdef Side* side = &b.sides[us]
    cdef bb_t rest = pos.sets[us] & pos.sets[DEVILS], enemies = pos.sets[1 - us], landings, burned
    cdef int square, to, count = popcount(rest)
    cdef const pair_t* table = places(walk, DEVIL)
    side.attacks[DEVIL] = to_set(0)
    if not count:
        return
    add(tracer, &walk.score, &b.w.crowd[DEVIL], us, count * (popcount(enemies) - 12))
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        landings = DEVIL_TARGETS[square] & ~bit(side.king)
        side.attacks[DEVIL] |= to_set(landings)
        count_piece(tracer, b, walk, us, DEVIL, table, square, <set_t>DEVIL_REACH[square], to_set(landings & ~pos.sets[us]),
                    b.w.mobility_devil)
        while landings:
            to = lsb(landings)
            landings &= landings - 1
            burned = (BURN[to] | bit(to)) & enemies
            if burned:
                list_remover(side, DEVIL, to, worth(pos, burned) - worth(pos, bit(to) & pos.sets[us]))
    end_kind(tracer, b, walk, us, DEVIL)


cdef inline void count_check(Tracer* tracer, Board* b, int us, int kind, set_t checks, set_t safe) noexcept nogil:
    """Checks that the enemy's pieces of a kind can give the King of `us`."""
    cdef Side* side = &b.sides[us]
    if not any_of(checks):
        return
    if meet(checks, safe):
        if count_of(checks & safe) > 1:
            add(tracer, &side.danger, &b.w.danger_checks[kind], us, 1)
        add(tracer, &side.danger, &b.w.danger_check[kind], us, 1)
    else:
        add(tracer, &side.danger, b.w.danger_unsafe_check, us, 1)


cdef inline pair_t danger_cost(int64_t danger) noexcept nogil:
    danger = min(danger, <int64_t>MAX_DANGER)
    if danger <= 0:
        return 0
    return make_pair(danger * danger // DANGER_SQUARE, danger // DANGER_SHARE)


cdef inline void count_danger(Tracer* tracer, const Pos* pos, Board* b, int us) noexcept nogil:
    """Sum up the danger to the King of `us` and turn it into a score."""
    cdef Side* side = &b.sides[us]
    cdef Side* other = &b.sides[1 - us]
    cdef const Weights* w = b.w
    cdef int king = side.king
    cdef bb_t through = b.occ & ~(pos.sets[us] & pos.sets[DIAGONALS] & pos.sets[ORTHOGONALS])
    cdef set_t zone = <set_t>ZONES[king], weak, safe, diagonal, orthogonal, knight, open
    if not side.attackers:
        return
    open = other.all & ~other.pieces
    diagonal = <set_t>bishop_attacks(king, through) & open
    orthogonal = <set_t>rook_attacks(king, through) & open
    knight = <set_t>KNIGHT_ATTACKS[king] & open
    # Squares that only King or Queen hold, and not twice.
    weak = other.all & ~side.twice & (~side.all | side.attacks[KING] | side.attacks[QUEEN])
    safe = ~side.all | weak & other.twice

    count_check(tracer, b, us, KNIGHT, knight & other.attacks[KNIGHT], safe)
    count_check(tracer, b, us, BISHOP, diagonal & other.attacks[BISHOP], safe)
    count_check(tracer, b, us, ROOK, orthogonal & other.attacks[ROOK], safe)
    count_check(tracer, b, us, QUEEN, (diagonal | orthogonal) & other.attacks[QUEEN], safe)
    if unlikely(b.specials):
        count_check(tracer, b, us, ANGEL, (<set_t>ANGEL_TARGETS[king] | <set_t>ANGEL_NEAR[king]) & other.attacks[ANGEL], safe)
        count_check(tracer, b, us, DEVIL, <set_t>DEVIL_HITS[king] & other.attacks[DEVIL], safe)
    else:
        count_check(tracer, b, us, ARCHBISHOP, (knight | diagonal) & other.attacks[ARCHBISHOP], safe)
        count_check(tracer, b, us, CHANCELLOR, (knight | orthogonal) & other.attacks[CHANCELLOR], safe)

    add(tracer, &side.danger, w.danger_weak, us, count_of(weak & zone))
    if side.pinned:
        add(tracer, &side.danger, w.danger_pinned, us, popcount(side.pinned))
    add(tracer, &side.danger, w.danger_defender, us, count_of(zone & (side.minor | side.attacks[ANGEL] | side.attacks[DEVIL])))
    if not any_of(other.attacks[QUEEN]):
        add(tracer, &side.danger, w.danger_no_queen, us, 1)
    add(tracer, &side.danger, &w.danger_unsheltered[b.pawns.unsheltered[us]], us, 1)
    add(tracer, &side.danger, w.danger_open_file, us, count_of(
        other.pieces & <set_t>pos.sets[ORTHOGONALS] & <set_t>b.pawns.open_at_king[us]))
    add(tracer, &side.danger, &w.danger_flights[min(count_of(
        side.attacks[KING] & ~(side.pieces | other.all)), 5)], us, 1)
    add(tracer, &side.danger, w.danger_always, us, 1)
    side.score -= danger_cost(side.danger)


cdef inline void count_threats(Tracer* tracer, const Pos* pos, Board* b, int us) noexcept nogil:
    """What the other side's pieces suffer from the pieces of `us` but for Angels and Devils."""
    cdef Side* side = &b.sides[us]
    cdef Side* other = &b.sides[1 - us]
    cdef const Weights* w = b.w
    cdef set_t pieces = other.pieces & ~<set_t>pos.sets[KINGS], officers = pieces & ~other.pawns, suffering, empty, steps
    # Defended by a pawn, or more often than attacked.
    cdef set_t held = other.attacks[PAWN] | other.twice & ~side.twice
    cdef bb_t rest

    rest = to_bb(officers & side.attacks[PAWN])
    while rest:
        add(tracer, &side.score, &w.threat_pawn[pos.board[lsb(rest)] & 15], us, 1)
        rest &= rest - 1
    rest = to_bb(pieces & side.minor & ~held)
    while rest:
        add(tracer, &side.score, &w.threat_minor[pos.board[lsb(rest)] & 15], us, 1)
        rest &= rest - 1
    rest = to_bb(officers & side.minor & held)
    while rest:
        add(tracer, &side.score, &w.threat_minor[(pos.board[lsb(rest)] & 15) + PIECE_TYPES], us, 1)
        rest &= rest - 1
    rest = to_bb(pieces & side.major & ~(held | side.minor))
    while rest:
        add(tracer, &side.score, &w.threat_major[pos.board[lsb(rest)] & 15], us, 1)
        rest &= rest - 1
    suffering = pieces & side.all & ~held
    if meet(suffering, side.attacks[KING]):
        add(tracer, &side.score, w.threat_king, us, 1)
    suffering &= ~other.all | ~other.pawns & side.twice
    add(tracer, &side.score, w.hanging, us, count_of(suffering))
    # Pawns that can step up to a piece without being lost at once.
    empty = ~(side.pieces | other.pieces)
    steps = ahead(us, side.pawns) & empty
    steps |= ahead(us, steps & to_set(rank_mask(2) if us == WHITE else rank_mask(RANKS - 3))) & empty
    steps &= ~other.attacks[PAWN] & (side.all | ~other.all)
    steps = to_set(pawn_attacks(us, to_bb(steps))) & officers & ~side.attacks[PAWN]
    if any_of(steps):
        add(tracer, &side.score, w.threat_push, us, count_of(steps))
    add(tracer, &side.score, w.restricted, us, count_of(other.all & ~held & side.all))


cdef inline void count_clusters(Tracer* tracer, Board* b, int us, bint to_move) noexcept nogil:
    """What Angels and Devils of `us` threaten to remove in one move, what they lose by it subtracted."""
    cdef Side* side = &b.sides[us]
    cdef Side* other = &b.sides[1 - us]
    cdef int i, gain, best = 0, second = 0, count = 0, index = 0 if to_move else 1
    cdef const Remover* remover
    cdef bb_t attacked = to_bb(other.all)
    for i in range(side.remover_count):
        remover = &side.removers[i]
        gain = remover.gain
        if has(attacked, remover.landing):
            gain -= PIECE_VALUES[remover.kind]
        if gain > 0:
            count += 1
        if gain > best:
            second = best
            best = gain
        elif gain > second:
            second = gain
    if best:
        add(tracer, &side.score, &b.w.cluster_best[index], us, min(best, MAX_CLUSTER) // CLUSTER_UNIT)
        add(tracer, &side.score, &b.w.cluster_second[index], us, min(second, MAX_CLUSTER) // CLUSTER_UNIT)
        add(tracer, &side.score, &b.w.cluster_count[index], us, min(count, 3))


cdef inline void count_passed(Tracer* tracer, const Pos* pos, Board* b, int us) noexcept nogil:
    """What the pieces mean to the passed pawns of `us`."""
    cdef Side* side = &b.sides[us]
    cdef Side* other = &b.sides[1 - us]
    cdef const Weights* w = b.w
    cdef bb_t rest = b.pawns.passed & pos.sets[us], own, against
    cdef int square, rank, step
    if not rest:
        return
    own = to_bb(side.all)
    against = to_bb(other.all | other.pieces)
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        rank = square // FILES if us == WHITE else RANKS - 1 - square // FILES
        step = square + FILES if us == WHITE else square - FILES
        if rank >= 3:
            add(tracer, &side.score, w.passed_own_king, us, (rank - 2) * min(DISTANCES[side.king][step], 6))
            add(tracer, &side.score, w.passed_enemy_king, us, (rank - 2) * min(DISTANCES[other.king][step], 6))
            if AHEAD[1 - us][square] & pos.sets[us] & pos.sets[ORTHOGONALS]:
                add(tracer, &side.score, w.passed_rook, us, 1)
        if not has(b.occ, step):
            add(tracer, &side.score, &w.passed_free[rank], us, 1)
        if not has(against, step):
            add(tracer, &side.score, &w.passed_safe[rank], us, 1)
        if has(own, step):
            add(tracer, &side.score, &w.passed_helped[rank], us, 1)
        if not AHEAD[us][square] & against:
            add(tracer, &side.score, &w.passed_clear[rank], us, 1)


cdef inline void count_drive(Tracer* tracer, Board* b, int us) noexcept nogil:
    """Against a bare King: how far it is driven from the middle, and how near the own King is."""
    cdef int bare = b.sides[1 - us].king, file = bare % FILES, rank = bare // FILES
    cdef int outward = max(file - FILES // 2, FILES // 2 - 1 - file) + max(rank - RANKS // 2, RANKS // 2 - 1 - rank)
    add(tracer, &b.sides[us].score, b.w.drive_edge, us, outward)
    add(tracer, &b.sides[us].score, b.w.drive_near, us, FILES - 1 - DISTANCES[bare][b.sides[us].king])


cdef inline int scale_of(const Pos* pos, int strong, int pawns) noexcept nogil:
    """How much of an endgame's advantage of who has so many pawns counts, of FULL_SCALE: little without the means to win."""
    cdef bb_t own = pos.sets[strong], enemies = pos.sets[1 - strong], bishops
    cdef int strength, rest
    if unlikely(pawns < 2):
        strength = worth(pos, own & ~(pos.sets[PAWNS] | pos.sets[KINGS]))
        rest = worth(pos, enemies & ~(pos.sets[PAWNS] | pos.sets[KINGS]))
        if strength - rest <= LIGHT_VALUE:
            if not pawns:
                # A lone minor piece, Angel or Devil, and minor against minor, win nothing.
                return 2 if strength <= LIGHT_VALUE else 6 if rest <= PIECE_VALUES[ROOK] else HARDLY
            if strength <= PIECE_VALUES[BISHOP] and rest >= PIECE_VALUES[KNIGHT]:
                return 24
    bishops = pos.sets[DIAGONALS] & ~(pos.sets[ORTHOGONALS] | pos.sets[KNIGHT_MOVERS])
    if popcount(bishops) == 2 and bishops & own and bishops & enemies and bishops & LIGHT_SQUARES and bishops & ~LIGHT_SQUARES:
        if not (own | enemies) & ~(bishops | pos.sets[PAWNS] | pos.sets[KINGS]):
            return 24 + 4 * min(pawns, 6)
        return 48
    return min(FULL_SCALE, 40 + 6 * pawns)


cdef inline int taper(pair_t score, int phase, int full, int scale) noexcept nogil:
    return (middlegame_of(score) * phase + endgame_of(score) * (full - phase) * scale // FULL_SCALE) // full


cdef inline int freshness(const Pos* pos) noexcept nogil:
    """Of FULL_FRESHNESS: whoever makes no progress comes nearer to a draw."""
    return FULL_FRESHNESS - min(<int>pos.details.halfmove_clock, 100)


cdef inline int count_all(Tracer* tracer, const Pos* pos, EvalCache* cache) noexcept nogil:
    cdef Board b
    cdef PawnEntry spare
    cdef int us, full, score, scale
    cdef pair_t total
    b.specials = pos.rules.specials
    b.w = &WEIGHTS[b.specials]
    b.phase = 0
    b.pawns = find_pawns(tracer, pos, b.w, cache, &spare)
    prepare(pos, &b)
    for us in range(2):
        count_pieces(tracer, pos, &b, us)
        b.sides[us].score += PIECE_SQUARES[b.specials][KING + (BLACK_PIECE if us else 0)][b.sides[us].king]
        note_piece(tracer, b.w, us, KING, b.sides[us].king)
        if pos.details.castling:
            add(tracer, &b.sides[us].score, b.w.castling, us, popcount(pos.details.castling >> 2 * us & 3))
    for us in range(2):
        count_danger(tracer, pos, &b, us)
        count_threats(tracer, pos, &b, us)
        if unlikely(b.specials):
            count_clusters(tracer, &b, us, pos.turn == us)
        count_passed(tracer, pos, &b, us)
        # The safe squares in the own half's middle are counted with the pawns; those behind own pawns count twice.
        add(tracer, &b.sides[us].score, b.w.space, us, count_of(<set_t>b.pawns.space[us] & ~b.sides[1 - us].all))
        if unlikely(not more_than_one(pos.sets[1 - us])):
            count_drive(tracer, &b, us)
    add(tracer, &b.sides[pos.turn].score, b.w.tempo, pos.turn, 1)

    total = b.sides[WHITE].score - b.sides[BLACK].score
    full = FULL_PHASE[b.specials]
    b.phase = min(b.phase, full)
    us = WHITE if endgame_of(total) > 0 else BLACK
    scale = scale_of(pos, us, b.pawns.light[us] + b.pawns.dark[us])
    if scale <= HARDLY:
        # However many pieces are left to it.
        b.phase = 0
    score = taper(total, b.phase, full, scale)
    if Tracer is Trace:
        tracer.phase = b.phase
        tracer.scale = scale
        for us in range(2):
            tracer.scores[us] = b.sides[us].score
            tracer.dangers[us] = b.sides[us].danger
    score = score * freshness(pos) // FULL_FRESHNESS
    return max(-MAX_SCORE, min(MAX_SCORE, score if pos.turn == WHITE else -score))


cdef int static_eval(const Pos* pos, EvalCache* cache) noexcept nogil:
    cdef Silent silent
    return count_all(&silent, pos, cache)


cdef int eval_after_pass(int before) noexcept nogil:
    return middlegame_of(2 * WEIGHTS[0].tempo[0]) - before


cdef bint has_pieces(const Pos* pos, int color) noexcept nogil:
    return pos.sets[color] & ~(pos.sets[PAWNS] | pos.sets[KINGS]) != 0


cdef int run_trace(const Pos* pos, Trace* trace) noexcept nogil:
    cdef EvalCache cache
    memset(&cache, 0, sizeof(cache))
    memset(trace, 0, sizeof(trace[0]))
    trace.first = <const pair_t*>&WEIGHTS[pos.rules.specials]
    return count_all(trace, pos, &cache)


def evaluate(Position position, *, bint cached=False):
    """Centipawns from the side to move's view; `cached` keeps the pawns' part, as a search does."""
    cdef EvalCache cache
    if cached:
        return static_eval(&position.pos, &shared_cache)
    memset(&cache, 0, sizeof(cache))
    return static_eval(&position.pos, &cache)


def after_pass(int before):
    """Centipawns from the view of the side to move after a pass, from those before it; not for Angels and Devils."""
    return eval_after_pass(before)


# Behind evaluate(cached=True).
cdef EvalCache shared_cache
if not init_cache(&shared_cache):
    raise MemoryError("no memory for the evaluation's cache")


def terms(Position position):
    """Each term as (White's share, Black's share) in centipawns, White's view, rounded on its own."""
    cdef Trace found
    cdef int color, i, at = 0, specials = position.pos.rules.specials
    cdef pair_t share
    run_trace(&position.pos, &found)
    sums = {}
    for _, count, term, pairs in parameters():
        total = sums.setdefault(term, [0, 0])
        for color in range(2):
            share = 0
            for i in range(at, at + count):
                share += found.first[i] * found.counts[color][i]
            # What a danger costs is found by its sum.
            total[color] = total[color] + share if pairs else -danger_cost(found.dangers[color])
        at += count
    return {
        term: tuple([taper(share, found.phase, FULL_PHASE[specials], found.scale) * freshness(&position.pos)
                     // FULL_FRESHNESS for share in total])
        for term, total in sums.items()
    }


def trace(Position position):
    """What the evaluation went by, for tuning.

    (which weights, phase from 0 to 1, what the endgame score and the whole are multiplied by, and for each weight that
    counted: its index, White's count, Black's count).
    """
    cdef Trace found
    cdef int i
    cdef double phase, endgame, whole
    run_trace(&position.pos, &found)
    phase = <double>found.phase / FULL_PHASE[position.pos.rules.specials]
    endgame = <double>found.scale / FULL_SCALE
    whole = <double>freshness(&position.pos) / FULL_FRESHNESS
    counts = [(i, found.counts[0][i], found.counts[1][i]) for i in range(WEIGHT_COUNT)
              if found.counts[0][i] or found.counts[1][i]]
    return <int>position.pos.rules.specials, phase, endgame, whole, counts
