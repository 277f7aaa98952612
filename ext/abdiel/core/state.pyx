"""The position as the search sees it: make and unmake, Zobrist keys, checks, repetition, dead positions."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memset

from abdiel.core.bitboard cimport (
    ANGEL, ARCHBISHOP, BISHOP, BLACK, BLACK_PIECE, CHANCELLOR, DEVIL, FILES, KING, KNIGHT, NO_PIECE, PAWN,
    PIECE_CODES, PIECE_TYPES, QUEEN, ROOK, SQUARES, WHITE, bb_t, bbv_t, bit, has, lsb, meet,
    more_than_one, set_t, splitmix64, to_bb, to_set, to_vector, vectors, unlikely,
)
from abdiel.core.attacks cimport (
    ANGEL_LANDINGS, ANGEL_NEAR, ANGEL_REACH, ANGEL_TARGETS, BETWEEN, BISHOP_RAYS, BITS, DEVIL_HITS, DEVIL_LANDING,
    DEVIL_REACH, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, ROOK_RAYS, bishop_attacks, pawn_attacks, rook_attacks,
)

# All ones where a piece code belongs to a set, so that placing a piece is one table-driven pass over the sets.
cdef bb_t PIECE_SETS[PIECE_CODES][PADDED_SETS]

cdef uint64_t ZOBRIST[PIECE_CODES][SQUARES]
cdef uint64_t ZOBRIST_CASTLING[16]
cdef uint64_t ZOBRIST_EN_PASSANT[FILES]
cdef uint64_t ZOBRIST_TURN
# Material keys are sums, so that equal piece counts give equal keys without counting.
cdef uint64_t ZOBRIST_MATERIAL[PIECE_CODES]

cdef void fill_tables() noexcept nogil:
    cdef int color, kind, code, i
    cdef bb_t ones = ~<bb_t>0
    cdef uint64_t seed = 2005
    for color in range(2):
        for kind in range(1, PIECE_TYPES):
            code = kind + color * BLACK_PIECE
            PIECE_SETS[code][color] = ones
            if kind == PAWN:
                PIECE_SETS[code][PAWNS] = ones
            elif kind == KING:
                PIECE_SETS[code][KINGS] = ones
            elif kind == ANGEL:
                PIECE_SETS[code][ANGELS] = ones
            elif kind == DEVIL:
                PIECE_SETS[code][DEVILS] = ones
            if kind == KNIGHT or kind == ARCHBISHOP or kind == CHANCELLOR:
                PIECE_SETS[code][KNIGHT_MOVERS] = ones
            if kind == BISHOP or kind == QUEEN or kind == ARCHBISHOP:
                PIECE_SETS[code][DIAGONALS] = ones
            if kind == ROOK or kind == QUEEN or kind == CHANCELLOR:
                PIECE_SETS[code][ORTHOGONALS] = ones
            for i in range(SQUARES):
                ZOBRIST[code][i] = splitmix64(&seed)
            ZOBRIST_MATERIAL[code] = splitmix64(&seed)
    for i in range(16):
        ZOBRIST_CASTLING[i] = splitmix64(&seed)
    for i in range(FILES):
        ZOBRIST_EN_PASSANT[i] = splitmix64(&seed)
    global ZOBRIST_TURN, LIGHT_SQUARES
    ZOBRIST_TURN = splitmix64(&seed)
    for i in range(SQUARES):
        if (i // FILES + i % FILES) & 1:
            LIGHT_SQUARES |= bit(i)


fill_tables()


cdef inline void relocate(Pos* pos, set_t cleared, set_t placed, int code, bb_t* before) noexcept nogil:
    """Copy all sets to `before`, clear squares, and put a piece on `placed`, in one pass."""
    cdef bbv_t* sets = <bbv_t*>pos.sets
    cdef bbv_t* saved = <bbv_t*>before
    cdef const bbv_t* masks = <const bbv_t*>PIECE_SETS[code]
    cdef bbv_t old, kept = to_vector(~cleared), added = to_vector(placed)
    cdef int i
    for i in range(vectors(PADDED_SETS)):
        old = sets[i]
        saved[i] = old
        sets[i] = (old & kept) | (added & masks[i])


cdef inline void copy_sets(bb_t* target, const bb_t* source) noexcept nogil:
    cdef int i
    for i in range(vectors(PADDED_SETS)):
        (<bbv_t*>target)[i] = (<const bbv_t*>source)[i]


cdef inline void take(Pos* pos, Undo* undo, int square) noexcept nogil:
    """Take the piece on `square` off the mailbox and the keys, and note it for unmake."""
    cdef int code = pos.board[square]
    undo.removed_squares[undo.removed_count] = square
    undo.removed_pieces[undo.removed_count] = code
    undo.removed_count += 1
    pos.board[square] = NO_PIECE
    pos.details.key ^= ZOBRIST[code][square]
    pos.details.material_key -= ZOBRIST_MATERIAL[code]
    if code & 15 == PAWN:
        pos.details.pawn_key ^= ZOBRIST[code][square]


cdef inline void update_castling(Pos* pos, int square) noexcept nogil:
    pos.details.castling &= pos.rules.rights_kept[square]


cdef inline Undo* push_undo(Pos* pos, move_t move) noexcept nogil:
    """Note all but the sets, which `relocate` copies as it changes them."""
    cdef Undo* undo = &pos.stack[pos.ply]
    undo.details = pos.details
    undo.move = move
    undo.removed_count = 0
    pos.ply += 1
    return undo


cdef bint en_passant_is_legal(const Pos* pos) noexcept nogil:
    """Whether the side to move may capture on ep_square; the pawns that could are few, each is tried."""
    cdef int us = pos.turn, them = 1 - us, victim = ep_victim(us, pos.details.ep_square), origin
    cdef bb_t pawns = PAWN_ATTACKS[them][pos.details.ep_square] & pos.sets[PAWNS] & pos.sets[us]
    cdef bb_t enemies = pos.sets[them] & ~bit(victim)
    while pawns:
        origin = lsb(pawns)
        pawns &= pawns - 1
        if not is_hit(pos, them, pos.kings[us], (occupied(pos) ^ bit(origin) ^ bit(victim)) | bit(pos.details.ep_square),
                      enemies, enemies):
            return True
    return False


cdef void make_move(Pos* pos, move_t move) noexcept nogil:
    """Make a legal move. The caller has seen to room on the stack (`reserve`)."""
    cdef Undo* undo = push_undo(pos, move)
    cdef int us = pos.turn, origin = from_square(move), landing = to_square(move), kind = move_kind(move)
    cdef int code = pos.board[origin], placed = code, side, rook, victim
    cdef set_t cleared = <set_t>BITS[origin] | <set_t>BITS[landing]
    cdef bb_t removed
    cdef bb_t scratch[PADDED_SETS]
    cdef bint irreversible = (move & REMOVAL) != 0

    undo.moved = code
    if unlikely(pos.details.ep_legal):
        pos.details.key ^= ZOBRIST_EN_PASSANT[pos.details.ep_square % FILES]
        pos.details.ep_legal = False
    pos.details.ep_square = -1
    pos.details.key ^= ZOBRIST_CASTLING[pos.details.castling]

    if move & REMOVAL:
        if unlikely(kind >= ANGEL_MOVE):
            removed = removed_by(pos, move)
            cleared |= to_set(removed)
            while removed:
                victim = lsb(removed)
                removed &= removed - 1
                take(pos, undo, victim)
                update_castling(pos, victim)
        elif unlikely(kind == EN_PASSANT):
            victim = ep_victim(us, landing)
            cleared |= <set_t>BITS[victim]
            take(pos, undo, victim)
        else:
            take(pos, undo, landing)

    if code & 15 == PAWN:
        irreversible = True
        pos.details.pawn_key ^= ZOBRIST[code][origin]
        if unlikely(promotion_type(move)):
            placed = promotion_type(move) | (code & BLACK_PIECE)
            pos.details.material_key += ZOBRIST_MATERIAL[placed] - ZOBRIST_MATERIAL[code]
        else:
            pos.details.pawn_key ^= ZOBRIST[code][landing]
    relocate(pos, cleared, <set_t>BITS[landing], placed, undo.sets)
    pos.board[origin] = NO_PIECE
    pos.board[landing] = placed
    pos.details.key ^= ZOBRIST[code][origin] ^ ZOBRIST[placed][landing]
    update_castling(pos, origin)
    update_castling(pos, landing)

    if code & 15 == KING:
        pos.kings[us] = landing
        if unlikely(kind == CASTLING):
            side = castling_side(pos, us, landing)
            rook = pos.board[pos.rules.rook_from[side]]
            relocate(pos, <set_t>BITS[pos.rules.rook_from[side]], <set_t>BITS[pos.rules.rook_to[side]], rook,
                     scratch)
            pos.board[pos.rules.rook_from[side]] = NO_PIECE
            pos.board[pos.rules.rook_to[side]] = rook
            pos.details.key ^= ZOBRIST[rook][pos.rules.rook_from[side]] ^ ZOBRIST[rook][pos.rules.rook_to[side]]

    pos.details.key ^= ZOBRIST_CASTLING[pos.details.castling] ^ ZOBRIST_TURN
    if irreversible:
        pos.details.halfmove_clock = 0
        pos.details.reversible = 0
    else:
        pos.details.halfmove_clock += 1
        pos.details.reversible += 1
    pos.fullmove_number += us
    pos.turn = 1 - us
    if kind == DOUBLE_STEP:
        pos.details.ep_square = (origin + landing) // 2
        if PAWN_ATTACKS[us][pos.details.ep_square] & pos.sets[PAWNS] & pos.sets[1 - us] and en_passant_is_legal(pos):
            pos.details.ep_legal = True
            pos.details.key ^= ZOBRIST_EN_PASSANT[pos.details.ep_square % FILES]


cdef uint64_t likely_key(const Pos* pos, move_t move) noexcept nogil:
    """The key after a move that is ordinary and changes neither castling nor en passant rights; else some other key."""
    cdef int code = pos.board[from_square(move)], victim = pos.board[to_square(move)]
    cdef uint64_t key = pos.details.key ^ ZOBRIST_TURN ^ ZOBRIST[code][from_square(move)] ^ ZOBRIST[code][to_square(move)]
    if victim:
        key ^= ZOBRIST[victim][to_square(move)]
    return key


cdef void unmake_move(Pos* pos) noexcept nogil:
    cdef Undo* undo
    cdef int origin, landing, i, side
    pos.ply -= 1
    undo = &pos.stack[pos.ply]
    pos.turn = 1 - pos.turn
    pos.fullmove_number -= pos.turn
    restore(pos, undo)
    origin = from_square(undo.move)
    landing = to_square(undo.move)
    pos.board[landing] = NO_PIECE
    pos.board[origin] = undo.moved
    for i in range(undo.removed_count):
        pos.board[undo.removed_squares[i]] = undo.removed_pieces[i]
    if undo.moved & 15 == KING:
        pos.kings[pos.turn] = origin
        if move_kind(undo.move) == CASTLING:
            side = castling_side(pos, pos.turn, landing)
            pos.board[pos.rules.rook_from[side]] = pos.board[pos.rules.rook_to[side]]
            pos.board[pos.rules.rook_to[side]] = NO_PIECE


cdef inline void restore(Pos* pos, const Undo* undo) noexcept nogil:
    copy_sets(pos.sets, undo.sets)
    pos.details = undo.details


cdef inline int castling_side(const Pos* pos, int us, int king_to) noexcept nogil:
    """Index into the rules of the castling that takes the King of `us` to `king_to`."""
    return 2 * us + (pos.rules.king_to[2 * us] != king_to)


cdef void make_null(Pos* pos) noexcept nogil:
    """Pass. Nothing before it counts as a repetition, since passing is no move of the game."""
    copy_sets(push_undo(pos, 0).sets, pos.sets)
    if unlikely(pos.details.ep_legal):
        pos.details.key ^= ZOBRIST_EN_PASSANT[pos.details.ep_square % FILES]
        pos.details.ep_legal = False
    pos.details.ep_square = -1
    pos.details.halfmove_clock += 1
    pos.details.reversible = 0
    pos.fullmove_number += pos.turn
    pos.turn = 1 - pos.turn
    pos.details.key ^= ZOBRIST_TURN


cdef void unmake_null(Pos* pos) noexcept nogil:
    pos.ply -= 1
    pos.turn = 1 - pos.turn
    pos.fullmove_number -= pos.turn
    restore(pos, &pos.stack[pos.ply])


cdef bint reserve(Pos* pos, int plies) noexcept nogil:
    """Make room on the stack for `plies` more moves; False if there is no memory."""
    cdef int wanted = pos.ply + plies
    cdef Undo* stack
    if wanted <= pos.capacity:
        return True
    wanted += wanted // 2 + 16
    stack = <Undo*>realloc(pos.stack, wanted * sizeof(Undo))
    if stack == NULL:
        return False
    pos.stack = stack
    pos.capacity = wanted
    return True


cdef void set_position(Pos* pos, const uint8_t* pieces, int turn, int castling, int ep_square,
                       int halfmove_clock, int fullmove_number) noexcept nogil:
    """Set up a position with one King a side; `pos.rules` and `pos.stack` stay as they are."""
    cdef int square
    cdef uint64_t keys[3]
    cdef bb_t scratch[PADDED_SETS]
    memset(pos.sets, 0, sizeof(pos.sets))
    memset(pos.board, 0, sizeof(pos.board))
    for square in range(SQUARES):
        if pieces[square]:
            relocate(pos, <set_t>BITS[square], <set_t>BITS[square], pieces[square], scratch)
            pos.board[square] = pieces[square]
    pos.kings[WHITE] = lsb(pos.sets[KINGS] & pos.sets[WHITE])
    pos.kings[BLACK] = lsb(pos.sets[KINGS] & pos.sets[BLACK])
    pos.turn = turn
    pos.details.castling = castling
    pos.details.ep_square = ep_square
    pos.details.ep_legal = ep_square >= 0 and en_passant_is_legal(pos)
    pos.details.halfmove_clock = halfmove_clock
    pos.fullmove_number = fullmove_number
    pos.details.reversible = 0
    pos.ply = 0
    compute_keys(pos, keys)
    pos.details.key = keys[0]
    pos.details.pawn_key = keys[1]
    pos.details.material_key = keys[2]


cdef void compute_keys(const Pos* pos, uint64_t* keys) noexcept nogil:
    """The three keys from scratch: whole position, pawns, material."""
    cdef int square, code
    keys[0] = ZOBRIST_CASTLING[pos.details.castling]
    keys[1] = 0
    keys[2] = 0
    if pos.turn == BLACK:
        keys[0] ^= ZOBRIST_TURN
    if pos.details.ep_legal:
        keys[0] ^= ZOBRIST_EN_PASSANT[pos.details.ep_square % FILES]
    for square in range(SQUARES):
        code = pos.board[square]
        if code:
            keys[0] ^= ZOBRIST[code][square]
            keys[2] += ZOBRIST_MATERIAL[code]
            if code & 15 == PAWN:
                keys[1] ^= ZOBRIST[code][square]


cdef bint gives_check(const Pos* pos, move_t move) noexcept nogil:
    """Whether a legal move attacks the enemy King, asked of the board as the move leaves it."""
    cdef int us = pos.turn, them = 1 - us, origin = from_square(move), landing = to_square(move)
    cdef int king = pos.kings[them], placed = pos.board[origin] & 15, side
    cdef bb_t removed = removed_by(pos, move)
    cdef bb_t stay = pos.sets[us] & ~(bit(origin) | removed)     # own pieces that neither move nor go
    cdef bb_t friends = stay | bit(landing)
    cdef bb_t occ = friends | (pos.sets[them] & ~removed)
    cdef bb_t target = bit(king)
    if promotion_type(move):
        placed = promotion_type(move)
    elif move_kind(move) == CASTLING:
        side = castling_side(pos, us, landing)
        stay ^= bit(pos.rules.rook_from[side])
        friends = stay | bit(landing) | bit(pos.rules.rook_to[side])
        occ = friends | pos.sets[them]
        if rook_attacks(pos.rules.rook_to[side], occ) & target:
            return True
    if placed == PAWN:
        if PAWN_ATTACKS[us][landing] & target:
            return True
    elif placed == ANGEL:
        if angels_hit(king, bit(landing), friends):
            return True
    elif placed == DEVIL:
        if DEVIL_REACH[landing] & target:
            return True
    elif placed != KING:
        if PIECE_SETS[placed][KNIGHT_MOVERS] and KNIGHT_ATTACKS[landing] & target:
            return True
        if PIECE_SETS[placed][DIAGONALS] and BISHOP_RAYS[landing] & target and not BETWEEN[landing][king] & occ:
            return True
        if PIECE_SETS[placed][ORTHOGONALS] and ROOK_RAYS[landing] & target and not BETWEEN[landing][king] & occ:
            return True
    return is_hit(pos, us, king, occ, stay, friends)


cdef void find_check_squares(const Pos* pos, CheckSquares* checks) noexcept nogil:
    cdef int us = pos.turn, king = pos.kings[1 - us], other
    cdef bb_t occ = occupied(pos), snipers
    cdef set_t knight = <set_t>KNIGHT_ATTACKS[king], diagonal = <set_t>bishop_attacks(king, occ)
    cdef set_t orthogonal = <set_t>rook_attacks(king, occ), own = <set_t>pos.sets[us], between
    checks.by_type[PAWN] = <set_t>PAWN_ATTACKS[1 - us][king]
    checks.by_type[KNIGHT] = knight
    checks.by_type[BISHOP] = diagonal
    checks.by_type[ROOK] = orthogonal
    checks.by_type[QUEEN] = diagonal | orthogonal
    checks.by_type[KING] = to_set(0)
    checks.by_type[ARCHBISHOP] = diagonal | knight
    checks.by_type[CHANCELLOR] = orthogonal | knight
    checks.angels = meet(own & <set_t>pos.sets[ANGELS], <set_t>ANGEL_NEAR[king])
    checks.blockers = to_set(0)
    snipers = to_bb(rays_to(pos, king) & own)
    while snipers:
        other = lsb(snipers)
        snipers &= snipers - 1
        between = <set_t>BETWEEN[king][other] & to_set(occ)
        if not more_than_one(to_bb(between)):
            checks.blockers |= between & own


cdef bb_t watched_squares(const Pos* pos) noexcept nogil:
    cdef int them = 1 - pos.turn, at
    # Seen through the King, which may not step back along a slider's line.
    cdef bb_t enemies = pos.sets[them], occ = occupied(pos) ^ bit(pos.kings[pos.turn])
    cdef bb_t rest = pos.sets[KNIGHT_MOVERS] & enemies
    cdef set_t watched = to_set(pawn_attacks(them, pos.sets[PAWNS] & enemies)) | <set_t>KING_ATTACKS[pos.kings[them]]
    while rest:
        watched |= <set_t>KNIGHT_ATTACKS[lsb(rest)]
        rest &= rest - 1
    rest = pos.sets[DIAGONALS] & enemies
    while rest:
        watched |= <set_t>bishop_attacks(lsb(rest), occ)
        rest &= rest - 1
    rest = pos.sets[ORTHOGONALS] & enemies
    while rest:
        watched |= <set_t>rook_attacks(lsb(rest), occ)
        rest &= rest - 1
    rest = (pos.sets[ANGELS] | pos.sets[DEVILS]) & enemies
    while rest:
        at = lsb(rest)
        rest &= rest - 1
        watched |= <set_t>DEVIL_REACH[at] if has(pos.sets[DEVILS], at) else <set_t>ANGEL_REACH[at]
    return to_bb(watched)


cdef bb_t attackers_of(const Pos* pos, int color, int square) noexcept nogil:
    """Pieces of `color` that could remove an enemy on `square`, be it empty, own or the enemy's now."""
    cdef bb_t own = pos.sets[color], occ = occupied(pos), side = own & ~bit(square), result, leapers
    cdef int other
    result = (KNIGHT_ATTACKS[square] & pos.sets[KNIGHT_MOVERS] | PAWN_ATTACKS[1 - color][square] & pos.sets[PAWNS]
              | KING_ATTACKS[square] & pos.sets[KINGS]
              | bishop_attacks(square, occ) & pos.sets[DIAGONALS] | rook_attacks(square, occ) & pos.sets[ORTHOGONALS]
              | ANGEL_TARGETS[square] & pos.sets[ANGELS]) & own
    leapers = ANGEL_NEAR[square] & pos.sets[ANGELS] & own
    while leapers:
        other = lsb(leapers)
        leapers &= leapers - 1
        if ANGEL_LANDINGS[other][square] & ~side:
            result |= bit(other)
    leapers = DEVIL_HITS[square] & pos.sets[DEVILS] & own
    while leapers:
        other = lsb(leapers)
        leapers &= leapers - 1
        if not bit(DEVIL_LANDING[other][square]) & pos.sets[KINGS] & side:
            result |= bit(other)
    return result


cdef bb_t attacks_from(const Pos* pos, int square) noexcept nogil:
    """Squares on which the piece on `square` could remove an enemy; empty for an empty square."""
    cdef int code = pos.board[square], color = code >> 4, target
    cdef bb_t occ = occupied(pos), result = 0, reach
    if not code:
        return 0
    if code & 15 == PAWN:
        return PAWN_ATTACKS[color][square]
    if code & 15 == KING:
        return KING_ATTACKS[square]
    if code & 15 == ANGEL or code & 15 == DEVIL:
        reach = ANGEL_REACH[square] if code & 15 == ANGEL else DEVIL_REACH[square]
        while reach:
            target = lsb(reach)
            reach &= reach - 1
            if has_attacker(pos, color, square, target):
                result |= bit(target)
        return result
    if PIECE_SETS[code][KNIGHT_MOVERS]:
        result |= KNIGHT_ATTACKS[square]
    if PIECE_SETS[code][DIAGONALS]:
        result |= bishop_attacks(square, occ)
    if PIECE_SETS[code][ORTHOGONALS]:
        result |= rook_attacks(square, occ)
    return result


cdef inline bint has_attacker(const Pos* pos, int color, int attacker, int square) noexcept nogil:
    return (attackers_of(pos, color, square) & bit(attacker)) != 0


cdef int find_repetition(const Pos* pos, int before) noexcept nogil:
    """The last ply before `before` at which this position stood on the board, or -1.

    It looks as far back as the stack, a pass and the last irreversible move allow.
    """
    cdef int end = max(0, pos.ply - pos.details.reversible)
    while before >= end:
        if pos.stack[before].details.key == pos.details.key:
            return before
        before -= 2
    return -1


cdef int repetitions(const Pos* pos) noexcept nogil:
    """How often this position stood on the board before."""
    cdef int count = 0, at = find_repetition(pos, pos.ply - 4)
    while at >= 0:
        count += 1
        at = find_repetition(pos, at - 4)
    return count


cdef bint is_repetition(const Pos* pos, int root_ply) noexcept nogil:
    """Whether a search may call this a draw: the game's third occurrence, or the second behind the root.

    Who can come back to a position once in the tree can do it again; of the game before the root that is not so.
    """
    cdef int at = find_repetition(pos, pos.ply - 4)
    return at > root_ply or (at >= 0 and find_repetition(pos, at - 4) >= 0)


cdef bint is_dead_without_pawns(const Pos* pos) noexcept nogil:
    cdef bb_t others = occupied(pos) & ~pos.sets[KINGS]
    if not others:
        return True
    if others & (pos.sets[ORTHOGONALS] | pos.sets[ANGELS] | pos.sets[DEVILS]):
        return False
    if others & pos.sets[KNIGHT_MOVERS]:
        return not more_than_one(others) and not others & pos.sets[DIAGONALS]
    return not others & LIGHT_SQUARES or not others & ~LIGHT_SQUARES
