"""Static exchange evaluation (https://www.chessprogramming.org/Static_Exchange_Evaluation) for all variants.

A move counts all that it removes. Then the other side removes the piece that has just moved, the target, wherever it
stands, with all that goes with it, or stops; and so on in turn. So the target is gone after the next removal, and all
others still stand where they stood at first: the set of those alive and the target's square and value are the board.
A side uses its least valuable ordinary piece, or any Angel or Devil with any of its landings.

The search has a window, which `see` leaves open and `see_ge` closes around its threshold: both walk the same tree, so
they never disagree. Where no Angel or Devil reaches the target, and so none ever will, the tree is a single line.

Of check, it sees what sliders do: pinned pieces stay, and who is in check by a slider that the target uncovered may only
answer that. Who would lose the King in the exchange stops before.
"""

from abdiel.core.bitboard cimport (
    BLACK, BLACK_PIECE, FILES, KING, PAWN, PIECE_TYPES, SQUARES, WHITE, any_of, bb_t, bit, has, likely, lsb, meet,
    set_t, to_bb, to_set, unlikely,
)
from abdiel.core.attacks cimport (
    ANGEL_LANDINGS, ANGEL_NEAR, ANGEL_TARGETS, BETWEEN, BISHOP_RAYS, BITS, BURN, DEVIL_HITS, DEVIL_LANDING, KING_ATTACKS,
    KNIGHT_ATTACKS, PAWN_ATTACKS, ROOK_RAYS,
)
from abdiel.core.evaluate cimport PIECE_VALUES
from abdiel.core.position cimport Position
from abdiel.core.state cimport (
    ANGELS, DEVILS, DOUBLE_STEP, KINGS, KNIGHT_MOVERS, PAWNS, REMOVAL, Pos, from_square, is_plain, move_kind, move_t,
    occupied_set, promotion_type, rays_to, removed_by, sliders_hit, to_square,
)

cdef enum:
    # More than all other pieces: who loses the King has made an illegal move, and would rather have stopped.
    KING_VALUE = 1 << 20
    UNBOUNDED = 1 << 28


cdef void fill_tables() noexcept nogil:
    cdef int kind
    for kind in range(1, PIECE_TYPES):
        VALUES[kind] = KING_VALUE if kind == KING else PIECE_VALUES[kind]
        VALUES[kind + BLACK_PIECE] = VALUES[kind]


fill_tables()


cdef inline int sum_values(const Pos* pos, bb_t pieces) noexcept nogil:
    cdef int total = 0
    while pieces:
        total += VALUES[pos.board[lsb(pieces)]]
        pieces &= pieces - 1
    return total


cdef int full_gain(const Pos* pos, move_t move) noexcept nogil:
    cdef int us = pos.turn, gain = 0
    cdef bb_t removed
    if promotion_type(move):
        gain = VALUES[promotion_type(move)] - VALUES[PAWN]
    if move & REMOVAL:
        removed = removed_by(pos, move)
        gain += sum_values(pos, removed & pos.sets[1 - us]) - sum_values(pos, removed & pos.sets[us])
    return gain


cdef inline int promotion_gain(const Pos* pos, int side, int square) noexcept nogil:
    """What a pawn of `side` gains by landing on `square`: nothing but on the last rank."""
    if likely(square < SQUARES - FILES if side == WHITE else square >= FILES):
        return 0
    return best_promotion(pos, side)


cdef int best_promotion(const Pos* pos, int side) noexcept nogil:
    cdef int best = 0, i
    for i in range(pos.rules.promotion_count[side]):
        best = max(best, VALUES[pos.rules.promotions[side][i]] - VALUES[PAWN])
    return best


cdef inline bb_t specials_near(const Pos* pos, int square) noexcept nogil:
    """Angels and Devils of both sides that might remove a piece on `square`, by geometry alone."""
    return (ANGEL_TARGETS[square] | ANGEL_NEAR[square]) & pos.sets[ANGELS] | DEVIL_HITS[square] & pos.sets[DEVILS]


cdef bint sliders_hit_king(const Pos* pos, int side, set_t alive, int square) noexcept nogil:
    """Whether a slider attacks the King of `side` while the target on `square` is only in the way."""
    cdef int king = pos.kings[side]
    return sliders_hit(pos, king, to_bb(alive | <set_t>BITS[square]), <set_t>pos.sets[1 - side] & alive)


cdef inline bint is_exposed(const Pos* pos, int side, set_t emptied, set_t alive, int square) noexcept nogil:
    """Whether a slider attacks the King of `side` after a move to `square`, `emptied` being all that could have let it."""
    cdef int king = pos.kings[side]
    return meet(emptied, <set_t>BISHOP_RAYS[king] | <set_t>ROOK_RAYS[king]) and sliders_hit_king(
        pos, side, alive, square)


cdef inline set_t ordinary_near(const Pos* pos, int square) noexcept nogil:
    """Ordinary pieces of both sides that attack `square` unless something stands between."""
    return (<set_t>KNIGHT_ATTACKS[square] & <set_t>pos.sets[KNIGHT_MOVERS]
            | rays_to(pos, square)
            | <set_t>KING_ATTACKS[square] & <set_t>pos.sets[KINGS]
            | (<set_t>PAWN_ATTACKS[BLACK][square] & <set_t>pos.sets[WHITE]
               | <set_t>PAWN_ATTACKS[WHITE][square] & <set_t>pos.sets[BLACK]) & <set_t>pos.sets[PAWNS])


cdef inline int least_attacker(const Pos* pos, int side, int square, int value, set_t near, set_t alive,
                               set_t emptied) noexcept nogil:
    """Where the cheapest ordinary piece of `side` stands that may remove the target, or -1; the King comes last.

    `near` are those that `ordinary_near` names, `emptied` the squares that the target's move emptied. A King as the
    target may be removed in spite of pins.
    """
    cdef set_t own = near & <set_t>pos.sets[side] & alive
    cdef bb_t attackers, rest
    cdef int at, best, least
    if not any_of(own):
        return -1
    attackers = to_bb(own & <set_t>pos.sets[PAWNS])
    while attackers:
        at = lsb(attackers)
        attackers &= attackers - 1
        if value == KING_VALUE or not is_exposed(pos, side, emptied | <set_t>BITS[at], alive ^ <set_t>BITS[at], square):
            return at
    attackers = to_bb(own & ~(<set_t>pos.sets[PAWNS] | <set_t>pos.sets[KINGS]))
    while attackers:
        best = -1
        least = KING_VALUE
        rest = attackers
        while rest:
            at = lsb(rest)
            rest &= rest - 1
            # Nothing stands between squares that are no slider's line apart.
            if meet(<set_t>BETWEEN[square][at], alive):
                attackers ^= bit(at)
            elif VALUES[pos.board[at]] < least:
                least = VALUES[pos.board[at]]
                best = at
        if best < 0:
            break
        if value == KING_VALUE or not is_exposed(pos, side, emptied | <set_t>BITS[best], alive ^ <set_t>BITS[best], square):
            return best
        attackers ^= bit(best)
    return pos.kings[side] if meet(own, <set_t>pos.sets[KINGS]) else -1


cdef int exchange_line(const Pos* pos, int square, int value, set_t near, set_t alive, set_t emptied, int side, int alpha,
                       int beta) noexcept nogil:
    """What `side` wins by removing the target of this value on `square`, or 0 for stopping, within the window.

    `alive` holds the other pieces on the board; no Angel and no Devil among them reaches the square. `near` are those
    that `ordinary_near` names.
    """
    cdef int stand = 0, sign = 1, at, bonus
    cdef bint pawns = meet(near, <set_t>pos.sets[PAWNS])
    while True:
        alpha = max(alpha, stand)
        if alpha >= beta:
            return sign * beta
        bonus = promotion_gain(pos, side, square) if pawns else 0
        if stand + value + bonus <= alpha:
            return sign * alpha
        at = least_attacker(pos, side, square, value, near, alive, emptied)
        if at < 0:
            return sign * alpha
        if bonus and pos.board[at] & 15 != PAWN:
            bonus = 0
        stand = -(stand + value + bonus)
        value = VALUES[pos.board[at]] + bonus
        emptied = <set_t>BITS[at]
        alive ^= emptied
        side = 1 - side
        sign = -sign
        alpha, beta = -beta, -alpha


cdef inline bb_t special_landings(const Pos* pos, int at, int square, bb_t own) noexcept nogil:
    """Where the Angel or Devil on `at` may land to remove the target, its own side standing on `own`."""
    cdef bb_t landings
    cdef int beyond = 2 * square - at
    if has(pos.sets[DEVILS], at):
        return bit(DEVIL_LANDING[at][square]) & ~(pos.sets[KINGS] & own)
    if not has(ANGEL_TARGETS[at], square):
        return ANGEL_LANDINGS[at][square] & ~own
    # Two squares away, an Angel may also jump over it and land as far behind.
    landings = bit(square)
    if 0 <= beyond < SQUARES:
        landings |= bit(beyond) & ANGEL_TARGETS[at]
    return landings & ~own


cdef inline bb_t special_removes(const Pos* pos, int at, int landing, bb_t own, bb_t enemies) noexcept nogil:
    """The pieces, apart from the target, that the Angel or Devil on `at` removes by landing there."""
    if has(pos.sets[DEVILS], at):
        return (BURN[landing] & enemies) | (bit(landing) & (own | enemies))
    return (BETWEEN[at][landing] | bit(landing)) & enemies


cdef int exchange_tree(const Pos* pos, int square, int value, bb_t alive, bb_t emptied, int side, int alpha,
                       int beta) noexcept nogil:
    """The same where Angels and Devils may take part, so that there is more than one way to go on."""
    cdef bb_t specials = specials_near(pos, square) & alive, own, enemies, landings, removed, left
    cdef int at, landing, gain, bonus
    if not specials:
        return exchange_line(pos, square, value, ordinary_near(pos, square), to_set(alive), to_set(emptied), side, alpha,
                             beta)
    alpha = max(alpha, 0)
    if alpha >= beta:
        return beta
    own = pos.sets[side] & alive
    enemies = pos.sets[1 - side] & alive
    bonus = promotion_gain(pos, side, square)
    if value + bonus > alpha:
        at = least_attacker(pos, side, square, value, ordinary_near(pos, square), to_set(alive), to_set(emptied))
        if at >= 0:
            if not has(pos.sets[PAWNS], at):
                bonus = 0
            gain = value + bonus
            alpha = max(alpha, gain - exchange_tree(pos, square, VALUES[pos.board[at]] + bonus, alive ^ bit(at), bit(at),
                                                    1 - side, gain - beta, gain - alpha))
            if alpha >= beta:
                return beta
    specials &= own
    while specials:
        at = lsb(specials)
        specials &= specials - 1
        landings = special_landings(pos, at, square, own)
        while landings:
            landing = lsb(landings)
            landings &= landings - 1
            removed = special_removes(pos, at, landing, own, enemies)
            gain = value + sum_values(pos, removed & enemies) - sum_values(pos, removed & own)
            if gain <= alpha:
                continue
            removed |= bit(at)
            left = alive & ~removed
            if value != KING_VALUE and is_exposed(pos, side, to_set(emptied | removed), to_set(left), landing):
                continue
            alpha = max(alpha, gain - exchange_tree(pos, landing, VALUES[pos.board[at]], left, removed, 1 - side,
                                                    gain - beta, gain - alpha))
            if alpha >= beta:
                return beta
    return alpha


cdef int passing_capture(const Pos* pos, move_t step, int value, bb_t alive, int alpha, int beta) noexcept nogil:
    """What an en passant capture of the pawn that makes this double step wins, no less than `alpha`."""
    cdef int us = pos.turn, them = 1 - us, square = (from_square(step) + to_square(step)) // 2, at
    cdef bb_t pawns = PAWN_ATTACKS[us][square] & pos.sets[PAWNS] & pos.sets[them], emptied
    while pawns:
        at = lsb(pawns)
        pawns &= pawns - 1
        emptied = bit(at) | bit(to_square(step))
        if not is_exposed(pos, them, to_set(emptied | bit(from_square(step))), to_set(alive ^ bit(at)), square):
            alpha = max(alpha, value - exchange_tree(pos, square, value, alive ^ bit(at), emptied, us, value - beta,
                                                     value - alpha))
    return alpha


cdef int answer(const Pos* pos, move_t move, int alpha, int beta) noexcept nogil:
    cdef int them = 1 - pos.turn, origin = from_square(move), landing = to_square(move), value
    cdef bb_t specials = 0
    cdef set_t near, alive, emptied
    if pos.board[origin] & 15 == KING:
        return alpha        # the move is legal
    if unlikely(any_of(<set_t>pos.sets[ANGELS] | <set_t>pos.sets[DEVILS])):
        specials = specials_near(pos, landing)
    value = VALUES[promotion_type(move) if promotion_type(move) else pos.board[origin]]
    if not specials & pos.sets[them] and value + promotion_gain(pos, them, landing) <= alpha:
        return alpha
    emptied = <set_t>BITS[origin]
    if move & REMOVAL:
        emptied |= <set_t>BITS[landing] if is_plain(move) else to_set(removed_by(pos, move))
    alive = occupied_set(pos) & ~(emptied | <set_t>BITS[landing])
    if unlikely(move_kind(move) == DOUBLE_STEP):
        alpha = passing_capture(pos, move, value, to_bb(alive), alpha, beta)
    if unlikely(specials != 0):
        return exchange_tree(pos, landing, value, to_bb(alive), to_bb(emptied), them, alpha, beta)
    near = ordinary_near(pos, landing)
    if not meet(near & <set_t>pos.sets[them], alive):
        return alpha
    return exchange_line(pos, landing, value, near, alive, emptied, them, alpha, beta)


cdef int see(const Pos* pos, move_t move) noexcept nogil:
    return move_gain(pos, move) - answer(pos, move, 0, UNBOUNDED)


def static_exchange(Position position, move_t move):
    """Centipawns that a legal move wins."""
    return see(&position.pos, move)


def static_exchange_ge(Position position, move_t move, int threshold):
    """Whether a legal move wins at least so many centipawns."""
    return bool(see_ge(&position.pos, move, threshold))


def moves_safely(Position position, move_t move):
    """Whether nobody can remove the piece that a legal quiet move moves, by `is_safe`."""
    cdef bb_t watched = 0
    return bool(is_safe(&position.pos, move, &watched))


def piece_values():
    """Centipawns by piece type, as exchanges count them; a King counts nothing."""
    return tuple([PIECE_VALUES[kind] for kind in range(PIECE_TYPES)])
