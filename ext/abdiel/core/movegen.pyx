"""Legal moves, generated directly: pins, check evasions and an Angel's screens are masks, not trials.

Only a King's steps, en passant, and those moves of Angels and Devils that are pinned, answer a check or remove a
screen are tried on the board as it would be.

A fused type stands for where moves go, so that one generator both writes and counts them: `MoveCount` takes the size of
a whole target set where `MoveList` writes each move (bulk counting, https://www.chessprogramming.org/Perft).
"""

from libc.stdint cimport uint64_t

from abdiel.core.bitboard cimport (
    ANGEL, DEVIL, FILES, KING, NO_PIECE, PAWN, RANKS, SQUARES, WHITE, any_of, bb_t, bit, count_of, ctz64, file_mask, has,
    likely, lsb, meet, more_than_one, popcount, rank_mask, set_t, to_bb, to_set, unlikely,
)
from abdiel.core.attacks cimport (
    ANGEL_REACH, ANGEL_TARGETS, BETWEEN, BISHOP_RAYS, BISHOP_SLIDERS, BITS, DEVIL_REACH, DEVIL_TARGETS, KING_ATTACKS,
    KNIGHT_ATTACKS, LINE, PAWN_ATTACKS, ROOK_RAYS, ROOK_SLIDERS, Slider, bishop_attacks, rook_attacks, slider_attacks,
)
from abdiel.core.state cimport (
    ANGEL_MOVE, ANGELS, CASTLING, DEVIL_MOVE, DEVILS, DIAGONALS, DOUBLE_STEP, EN_PASSANT, KNIGHT_MOVERS, NORMAL,
    ORTHOGONALS, PAWNS, PROMOTION_SHIFT, REMOVAL, CheckSquares, KingState, Pos, angel_removes, checks_by, devil_removes,
    encode, ep_victim, find_king_state, from_square, is_hit, make_move, move_t, promotion_type, to_square, unmake_move,
)

cdef enum:
    MAX_MOVERS = 2 * SQUARES    # compound pieces move in two ways

cdef struct MoveList:
    move_t* end

cdef struct MoveCount:
    int count

ctypedef fused Sink:
    MoveList
    MoveCount

# Pieces that have somewhere to go. Their moves are written by one loop, which keeps the generator short.
cdef struct Targets:
    set_t sets[MAX_MOVERS]
    int origins[MAX_MOVERS]
    int count

# What the parts of one generation share.
cdef struct Context:
    KingState king
    bb_t own
    bb_t enemies
    bb_t occ
    bb_t targets        # where ordinary pieces may go: wanted, answering a check, exposing nothing
    bb_t pawn_targets   # the same for pawns, whose steps to the last rank go with the removals
    int us
    int them
    int square          # the King's
    int wanted
    bb_t watched        # `watched_squares`; every square if they are not known


cdef inline void put_one(Sink* out, move_t move) noexcept nogil:
    if Sink is MoveCount:
        out.count += 1
    else:
        out.end[0] = move
        out.end += 1


cdef inline void put_half(MoveList* out, uint64_t targets, uint64_t removals, move_t move) noexcept nogil:
    cdef int to
    while targets:
        to = ctz64(targets)
        targets &= targets - 1
        out.end[0] = (move + (to << 7)) | (REMOVAL if removals >> to & 1 else 0)
        out.end += 1


cdef inline void put_all(Sink* out, int origin, bb_t targets, bb_t removals) noexcept nogil:
    """Ordinary moves from one square; those in `removals` are marked."""
    if Sink is MoveCount:
        out.count += popcount(targets)
    else:
        put_half(out, <uint64_t>targets, <uint64_t>removals, encode(origin, 0, NORMAL))
        put_half(out, <uint64_t>(targets >> 64), <uint64_t>(removals >> 64), encode(origin, 64, NORMAL))


cdef inline void put_pawns(Sink* out, bb_t targets, int back, move_t flags) noexcept nogil:
    """Pawn moves that are no promotions, given by their targets; the pawn stands `back` squares before."""
    cdef int to
    if Sink is MoveCount:
        out.count += popcount(targets)
    else:
        while targets:
            to = lsb(targets)
            targets &= targets - 1
            put_one(out, encode(to - back, to, NORMAL) | flags)


cdef inline void put_promotions(const Pos* pos, int us, Sink* out, bb_t targets, int back, move_t flags) noexcept nogil:
    cdef int to, i
    if Sink is MoveCount:
        out.count += popcount(targets) * pos.rules.promotion_count[us]
    else:
        while targets:
            to = lsb(targets)
            targets &= targets - 1
            for i in range(pos.rules.promotion_count[us]):
                put_one(out, encode(to - back, to, NORMAL) | flags
                        | <move_t>pos.rules.promotions[us][i] << PROMOTION_SHIFT)


cdef inline void king_moves(const Pos* pos, const Context* c, Sink* out) noexcept nogil:
    cdef bb_t steps = KING_ATTACKS[c.square] & ~c.own, at, without = c.occ ^ bit(c.square)
    cdef int to
    if c.wanted == REMOVALS:
        steps &= c.enemies
    elif c.wanted == QUIETS:
        steps &= ~c.enemies
    if ~c.watched and not (pos.sets[ANGELS] | pos.sets[DEVILS]) & c.enemies:
        steps &= ~c.watched
    while steps:
        to = lsb(steps)
        steps &= steps - 1
        at = bit(to)
        if not c.watched & at or not is_hit(pos, c.them, to, without, c.enemies & ~at, c.enemies & ~at):
            put_one(out, encode(c.square, to, NORMAL) | (REMOVAL if c.enemies & at else 0))
    if c.wanted & QUIETS and not c.king.checkers:
        castling_move(pos, c, out, 2 * c.us, without)
        castling_move(pos, c, out, 2 * c.us + 1, without)


cdef inline void castling_move(const Pos* pos, const Context* c, Sink* out, int side, bb_t without) noexcept nogil:
    cdef bb_t path
    if likely(not pos.details.castling >> side & 1) or pos.rules.castling_empty[side] & c.occ:
        return
    path = pos.rules.castling_path[side] & c.watched
    while path:
        if is_hit(pos, c.them, lsb(path), without, c.enemies, c.enemies):
            return
        path &= path - 1
    put_one(out, encode(c.square, pos.rules.king_to[side], CASTLING))


cdef inline void pawn_moves(const Pos* pos, const Context* c, Sink* out) noexcept nogil:
    """Steps and captures of the pawns that are not pinned, by shifting the whole set."""
    cdef bb_t pawns = pos.sets[PAWNS] & c.own & ~c.king.pinned
    cdef bb_t empty = ~c.occ, first, second, left, right, last
    cdef int ahead
    if c.us == WHITE:
        ahead = FILES
        last = rank_mask(RANKS - 1)
        first = (pawns << FILES) & empty
        second = ((first & rank_mask(2)) << FILES) & empty
        left = (pawns & ~file_mask(0)) << (FILES - 1)
        right = (pawns & ~file_mask(FILES - 1)) << (FILES + 1)
    else:
        ahead = -FILES
        last = rank_mask(0)
        first = (pawns >> FILES) & empty
        second = ((first & rank_mask(RANKS - 3)) >> FILES) & empty
        left = (pawns & ~file_mask(0)) >> (FILES + 1)
        right = (pawns & ~file_mask(FILES - 1)) >> (FILES - 1)
    left &= c.enemies & c.pawn_targets
    right &= c.enemies & c.pawn_targets
    first &= c.pawn_targets
    if unlikely((first | left | right) & last != 0):
        put_promotions(pos, c.us, out, left & last, ahead - 1, REMOVAL)
        put_promotions(pos, c.us, out, right & last, ahead + 1, REMOVAL)
        put_promotions(pos, c.us, out, first & last, ahead, 0)
        left &= ~last
        right &= ~last
        first &= ~last
    put_pawns(out, left, ahead - 1, REMOVAL)
    put_pawns(out, right, ahead + 1, REMOVAL)
    put_pawns(out, first, ahead, 0)
    put_pawns(out, second & c.pawn_targets, 2 * ahead, encode(0, 0, DOUBLE_STEP))


cdef inline void en_passant(const Pos* pos, const Context* c, Sink* out) noexcept nogil:
    cdef bb_t pawns = PAWN_ATTACKS[c.them][pos.details.ep_square] & pos.sets[PAWNS] & c.own, enemies
    cdef int origin, victim = ep_victim(c.us, pos.details.ep_square)
    enemies = c.enemies & ~bit(victim)
    while pawns:
        origin = lsb(pawns)
        pawns &= pawns - 1
        if not is_hit(pos, c.them, c.square, (c.occ ^ bit(origin) ^ bit(victim)) | bit(pos.details.ep_square),
                      enemies, enemies):
            put_one(out, encode(origin, pos.details.ep_square, EN_PASSANT) | REMOVAL)


cdef inline void pinned_moves(const Pos* pos, const Context* c, Sink* out) noexcept nogil:
    """Ordinary pinned pieces stay on the line through their King."""
    cdef bb_t pinned = c.king.pinned & ~(pos.sets[ANGELS] | pos.sets[DEVILS]), line, to
    cdef int origin, ahead = FILES if c.us == WHITE else -FILES, first_rank = 1 if c.us == WHITE else RANKS - 2
    cdef bint last
    while pinned:
        origin = lsb(pinned)
        pinned &= pinned - 1
        line = LINE[c.square][origin]
        if has(pos.sets[PAWNS], origin):
            line &= c.pawn_targets
            last = (origin + ahead) // FILES == (RANKS - 1 if c.us == WHITE else 0)
            to = PAWN_ATTACKS[c.us][origin] & c.enemies & line
            if to:
                # A pin leaves one capture at most, the one that takes the pinning piece.
                if last:
                    put_promotions(pos, c.us, out, to, lsb(to) - origin, REMOVAL)
                else:
                    put_one(out, encode(origin, lsb(to), NORMAL) | REMOVAL)
            if has(c.occ, origin + ahead):
                continue
            to = bit(origin + ahead) & line
            if to:
                if last:
                    put_promotions(pos, c.us, out, to, ahead, 0)
                else:
                    put_one(out, encode(origin, origin + ahead, NORMAL))
            if origin // FILES == first_rank and not has(c.occ, origin + 2 * ahead) and has(line, origin + 2 * ahead):
                put_one(out, encode(origin, origin + 2 * ahead, DOUBLE_STEP))
            continue
        line &= c.targets
        if has(pos.sets[DIAGONALS], origin):
            put_all(out, origin, bishop_attacks(origin, c.occ) & line, c.enemies)
        if has(pos.sets[ORTHOGONALS], origin):
            put_all(out, origin, rook_attacks(origin, c.occ) & line, c.enemies)


cdef inline bint special_is_legal(const Pos* pos, const Context* c, int origin, int to, bb_t removed) noexcept nogil:
    cdef bb_t enemies = c.enemies & ~removed
    return not is_hit(pos, c.them, c.square, ((c.own ^ bit(origin)) | bit(to) | enemies), enemies, enemies)


cdef inline void special_moves(const Pos* pos, const Context* c, Sink* out, int origin, bint devil) noexcept nogil:
    """Moves of one Angel or Devil: at once if none of them can matter to the own King, else each tried."""
    cdef bb_t targets, reach, removed
    cdef int to
    cdef bint free
    if devil:
        targets = DEVIL_TARGETS[origin] & ~bit(c.square)
        reach = DEVIL_REACH[origin]
    else:
        targets = ANGEL_TARGETS[origin] & ~c.own
        reach = ANGEL_REACH[origin]
    free = not c.king.checkers and not has(c.king.pinned, origin)
    if Sink is MoveCount:
        if free and not reach & c.enemies & c.king.exposing:
            out.count += popcount(targets)
            return
    while targets:
        to = lsb(targets)
        targets &= targets - 1
        removed = devil_removes(pos, c.us, to) if devil else angel_removes(pos, c.us, origin, to)
        if not c.wanted & (REMOVALS if removed else QUIETS):
            continue
        if (free and not removed & c.king.exposing) or special_is_legal(pos, c, origin, to, removed):
            put_one(out, encode(origin, to, DEVIL_MOVE if devil else ANGEL_MOVE) | (REMOVAL if removed else 0))


cdef inline void note_targets(Targets* found, int origin, set_t targets) noexcept nogil:
    found.sets[found.count] = targets
    found.origins[found.count] = origin
    found.count += any_of(targets)


# Sets are walked by 64-bit halves, and the counting sink adds up in a register: both matter to the last ply's speed.

cdef inline void knight_moves(const Context* c, Sink* out, Targets* found, uint64_t movers, int base) noexcept nogil:
    cdef int origin, count = 0
    cdef set_t targets = to_set(c.targets)
    while movers:
        origin = base + ctz64(movers)
        movers &= movers - 1
        if Sink is MoveCount:
            count += count_of(<set_t>KNIGHT_ATTACKS[origin] & targets)
        else:
            note_targets(found, origin, <set_t>KNIGHT_ATTACKS[origin] & targets)
    if Sink is MoveCount:
        out.count += count


cdef inline void slider_moves(const Context* c, Sink* out, Targets* found, const Slider* sliders, uint64_t movers,
                              int base) noexcept nogil:
    cdef int origin, count = 0
    cdef bb_t occ = c.occ
    cdef set_t targets = to_set(c.targets)
    while movers:
        origin = base + ctz64(movers)
        movers &= movers - 1
        if Sink is MoveCount:
            count += count_of(<set_t>slider_attacks(&sliders[origin], occ) & targets)
        else:
            note_targets(found, origin, <set_t>slider_attacks(&sliders[origin], occ) & targets)
    if Sink is MoveCount:
        out.count += count


cdef inline set_t aims(const Pos* pos, const Context* c, const CheckSquares* checks, int origin) noexcept nogil:
    """Where the piece on `origin` may give check from: anywhere if its leaving may."""
    if meet(checks.blockers, <set_t>BITS[origin]):
        return to_set(c.targets)
    return to_set(c.targets) & checks.by_type[pos.board[origin] & 15]


cdef inline void checking_moves(const Pos* pos, const Context* c, Targets* found, const CheckSquares* checks) noexcept nogil:
    """Moves of Knights and sliders that are not pinned, compounds included, without most that give no check."""
    cdef bb_t pieces = c.own & ~c.king.pinned, movers = pos.sets[KNIGHT_MOVERS] & pieces
    cdef int origin
    while movers:
        origin = lsb(movers)
        movers &= movers - 1
        note_targets(found, origin, <set_t>KNIGHT_ATTACKS[origin] & aims(pos, c, checks, origin))
    checking_sliders(pos, c, found, checks, BISHOP_SLIDERS, BISHOP_RAYS, pos.sets[DIAGONALS] & pieces)
    checking_sliders(pos, c, found, checks, ROOK_SLIDERS, ROOK_RAYS, pos.sets[ORTHOGONALS] & pieces)


cdef inline void checking_sliders(const Pos* pos, const Context* c, Targets* found, const CheckSquares* checks,
                                  const Slider* sliders, const bb_t* rays, bb_t movers) noexcept nogil:
    cdef set_t targets
    cdef int origin
    while movers:
        origin = lsb(movers)
        movers &= movers - 1
        targets = <set_t>rays[origin] & aims(pos, c, checks, origin)
        if any_of(targets):
            note_targets(found, origin, <set_t>slider_attacks(&sliders[origin], c.occ) & targets)


cdef inline void generate_into(const Pos* pos, Sink* out, int wanted, const CheckSquares* checks,
                               bb_t watched) noexcept nogil:
    """With `checks`, which goes with QUIETS, most of the moves that give no check are left out."""
    cdef Context c
    cdef Targets found
    cdef bb_t movers, pieces
    cdef int origin, i
    c.us = pos.turn
    c.them = 1 - c.us
    c.wanted = wanted
    c.watched = watched
    c.own = pos.sets[c.us]
    c.enemies = pos.sets[c.them]
    c.occ = c.own | c.enemies
    c.square = pos.kings[c.us]
    find_king_state(pos, c.us, &c.king)
    if checks == NULL or meet(checks.blockers, <set_t>BITS[c.square]) or pos.details.castling:
        king_moves(pos, &c, out)

    movers = (pos.sets[ANGELS] | pos.sets[DEVILS]) & c.own
    while movers:
        origin = lsb(movers)
        movers &= movers - 1
        special_moves(pos, &c, out, origin, has(pos.sets[DEVILS], origin))

    if unlikely(pos.details.ep_legal and wanted & REMOVALS):
        en_passant(pos, &c, out)

    # No piece attacks, and no pawn steps, off the board: the complement's idle bits do no harm.
    c.targets = ~(c.own | c.king.forbidden)
    if unlikely(c.king.checkers != 0):
        if more_than_one(c.king.checkers):
            return
        if c.king.checkers & (pos.sets[DIAGONALS] | pos.sets[ORTHOGONALS]):
            c.targets &= BETWEEN[c.square][lsb(c.king.checkers)] | c.king.checkers
        else:
            c.targets &= c.king.checkers
    c.pawn_targets = c.targets
    if wanted == REMOVALS:
        c.pawn_targets &= c.enemies | rank_mask(RANKS - 1) | rank_mask(0)
        c.targets &= c.enemies
    elif wanted == QUIETS:
        c.pawn_targets &= ~(c.enemies | rank_mask(RANKS - 1) | rank_mask(0))
        c.targets &= ~c.enemies
    if checks != NULL and not meet(checks.blockers, <set_t>pos.sets[PAWNS]):
        c.pawn_targets &= to_bb(checks.by_type[PAWN])
    pawn_moves(pos, &c, out)
    if unlikely(c.king.pinned != 0):
        pinned_moves(pos, &c, out)
    found.count = 0
    if checks != NULL:
        checking_moves(pos, &c, &found, checks)
    else:
        pieces = c.own & ~c.king.pinned
        movers = pos.sets[KNIGHT_MOVERS] & pieces
        knight_moves(&c, out, &found, <uint64_t>movers, 0)
        knight_moves(&c, out, &found, <uint64_t>(movers >> 64), 64)
        movers = pos.sets[DIAGONALS] & pieces
        slider_moves(&c, out, &found, BISHOP_SLIDERS, <uint64_t>movers, 0)
        slider_moves(&c, out, &found, BISHOP_SLIDERS, <uint64_t>(movers >> 64), 64)
        movers = pos.sets[ORTHOGONALS] & pieces
        slider_moves(&c, out, &found, ROOK_SLIDERS, <uint64_t>movers, 0)
        slider_moves(&c, out, &found, ROOK_SLIDERS, <uint64_t>(movers >> 64), 64)
    for i in range(found.count):
        put_all(out, found.origins[i], to_bb(found.sets[i]), c.enemies)


cdef int generate(const Pos* pos, move_t* moves, int wanted) noexcept nogil:
    cdef MoveList out
    out.end = moves
    generate_into(pos, &out, wanted, NULL, ~<bb_t>0)
    return out.end - moves


cdef int generate_quiets(const Pos* pos, move_t* moves, bb_t watched) noexcept nogil:
    cdef MoveList out
    out.end = moves
    generate_into(pos, &out, QUIETS, NULL, watched)
    return out.end - moves


cdef int generate_checks(const Pos* pos, move_t* moves, const CheckSquares* checks) noexcept nogil:
    cdef MoveList out
    cdef move_t* kept = moves
    cdef move_t* at = moves
    out.end = moves
    if checks.angels:
        generate_into(pos, &out, QUIETS, NULL, ~<bb_t>0)
    else:
        generate_into(pos, &out, QUIETS, checks, ~<bb_t>0)
    while at < out.end:
        if checks_by(pos, checks, at[0]):
            kept[0] = at[0]
            kept += 1
        at += 1
    return kept - moves


cdef int count_moves(const Pos* pos) noexcept nogil:
    cdef MoveCount out
    out.count = 0
    generate_into(pos, &out, ALL_MOVES, NULL, ~<bb_t>0)
    return out.count


cdef bint has_legal_move(const Pos* pos) noexcept nogil:
    return count_moves(pos) != 0


cdef move_t find_legal(const Pos* pos, int origin, int landing, int promotion) noexcept nogil:
    """The legal move with these squares and promotion, or 0."""
    cdef move_t moves[MAX_MOVES]
    cdef int n = generate(pos, moves, ALL_MOVES), i
    for i in range(n):
        if (from_square(moves[i]) == origin and to_square(moves[i]) == landing
                and promotion_type(moves[i]) == promotion):
            return moves[i]
    return 0


cdef move_t complete(const Pos* pos, int origin, int landing, int promotion) noexcept nogil:
    cdef int code = pos.board[origin], us = pos.turn, kind = NORMAL, distance = abs(landing - origin)
    cdef bint removal = pos.board[landing] != NO_PIECE
    if not code or code >> 4 != us or landing == pos.kings[us]:
        return 0
    code &= 15
    if code == ANGEL:
        kind = ANGEL_MOVE
        removal = angel_removes(pos, us, origin, landing) != 0
    elif code == DEVIL:
        kind = DEVIL_MOVE
        removal = devil_removes(pos, us, landing) != 0
    elif code == PAWN:
        if distance == 2 * FILES:
            kind = DOUBLE_STEP
        elif distance != FILES and not removal:
            kind = EN_PASSANT
            removal = True
    elif code == KING and 1 < distance < FILES - 1:
        kind = CASTLING
        removal = False
    return encode(origin, landing, kind) | promotion << PROMOTION_SHIFT | (REMOVAL if removal else 0)


cdef uint64_t perft(Pos* pos, int depth) noexcept nogil:
    """Leaf nodes `depth` plies on; the last ply is counted without making its moves."""
    cdef move_t moves[MAX_MOVES]
    cdef uint64_t nodes = 0
    cdef int n, i
    if depth <= 1:
        return count_moves(pos) if depth == 1 else 1
    n = generate(pos, moves, ALL_MOVES)
    for i in range(n):
        make_move(pos, moves[i])
        nodes += count_moves(pos) if depth == 2 else perft(pos, depth - 1)
        unmake_move(pos)
    return nodes
