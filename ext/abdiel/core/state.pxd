# The position as the search sees it: bitboards, mailbox, keys, make and unmake.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from abdiel.core.bitboard cimport (
    BLACK, PIECE_TYPES, SQUARES, WHITE, bb_t, bit, lsb, meet, more_than_one, set_t, to_bb, to_set, unlikely,
)
from abdiel.core.attacks cimport (
    ANGEL_LANDINGS, ANGEL_NEAR, ANGEL_TARGETS, BETWEEN, BISHOP_RAYS, BITS, BURN, DEVIL_HITS, KING_ATTACKS,
    KNIGHT_ATTACKS, PAWN_ATTACKS, ROOK_RAYS, bishop_attacks, rook_attacks,
)

# Bitboards by attribute: compound pieces stand in several, whose targets never overlap, so that generation needs
# no dispatch by type. The first two are the colours, indexed by Color.
cdef enum:
    PAWNS = 2
    KNIGHT_MOVERS = 3
    DIAGONALS = 4
    ORTHOGONALS = 5
    KINGS = 6
    ANGELS = 7
    DEVILS = 8
    SETS = 9
    PADDED_SETS = 10         # a whole number of vectors

# A move in 32 bits: from (7), to (7), promotion type (4), kind (3), whether it removes anything (1).
ctypedef uint32_t move_t

cdef enum:
    NORMAL = 0
    DOUBLE_STEP = 1
    EN_PASSANT = 2
    CASTLING = 3
    ANGEL_MOVE = 4
    DEVIL_MOVE = 5

cdef enum:
    TO_SHIFT = 7
    PROMOTION_SHIFT = 14
    KIND_SHIFT = 18
    REMOVAL = 1 << 21
    # A Devil's landing, or its own friend there, and four burns: no move removes more.
    MAX_REMOVED = 5
    CASTLINGS = 4
    MAX_PROMOTIONS = 8


cdef inline move_t encode(int from_square, int to_square, int kind) noexcept nogil:
    return from_square | to_square << TO_SHIFT | kind << KIND_SHIFT


cdef inline int from_square(move_t move) noexcept nogil:
    return move & 127


cdef inline int to_square(move_t move) noexcept nogil:
    return move >> TO_SHIFT & 127


cdef inline int promotion_type(move_t move) noexcept nogil:
    return move >> PROMOTION_SHIFT & 15


cdef inline bint is_quiet(move_t move) noexcept nogil:
    """Whether it removes nothing and promotes nothing."""
    return not move & REMOVAL and not promotion_type(move)


cdef inline int move_kind(move_t move) noexcept nogil:
    return move >> KIND_SHIFT & 7


cdef inline bint is_plain(move_t move) noexcept nogil:
    """Whether it promotes nothing and removes no more than what stands where it lands."""
    return not move >> PROMOTION_SHIFT & 127


# What a variant changes: castling geometry (in the order K Q k q of the rights' bits) and promotions.
cdef struct Rules:
    bb_t castling_empty[CASTLINGS]   # between King and Rook
    bb_t castling_path[CASTLINGS]    # where the King may not be attacked
    uint8_t king_from[CASTLINGS]
    uint8_t king_to[CASTLINGS]
    uint8_t rook_from[CASTLINGS]
    uint8_t rook_to[CASTLINGS]
    uint8_t rights_kept[SQUARES]     # rights that survive when this square's piece leaves or is removed
    uint8_t promotions[2][MAX_PROMOTIONS]
    int promotion_count[2]
    bint specials                    # Angels and Devils take part

# What a move changes besides the pieces, in one block that is saved and restored whole.
cdef struct Details:
    uint64_t key             # Zobrist key of the whole position
    uint64_t pawn_key
    uint64_t material_key
    uint16_t halfmove_clock
    uint16_t reversible      # moves since the last that cannot be repeated (or a null move)
    uint8_t castling
    signed char ep_square    # behind the pawn that just made a double step, else -1
    uint8_t ep_legal         # an en passant capture on ep_square is legal
    uint8_t unused

# Everything that unmake cannot work out again.
cdef struct Undo:
    bb_t sets[PADDED_SETS]
    Details details
    move_t move
    uint8_t moved
    uint8_t removed_count
    uint8_t removed_squares[MAX_REMOVED]
    uint8_t removed_pieces[MAX_REMOVED]

cdef struct Pos:
    bb_t sets[PADDED_SETS]
    Details details
    uint8_t board[SQUARES]
    uint8_t kings[2]
    uint8_t turn
    int fullmove_number
    int ply                  # moves made, the entries used of `stack`
    int capacity
    Undo* stack
    Rules rules

# What the King's square says about the side to move.
cdef struct KingState:
    bb_t checkers
    bb_t pinned              # own pieces that alone stand between the King and a slider
    bb_t exposing            # enemies here screen the King; a move that removes one needs a full test
    bb_t forbidden           # enemies on an Angel's only landings: who captures one there opens the jump

# Where a piece of the side to move, by type, would attack the enemy King from, and whose leaving may open an attack.
cdef struct CheckSquares:
    set_t by_type[PIECE_TYPES]
    set_t blockers
    bint angels              # near Angels: any move may open a jump

cdef bb_t LIGHT_SQUARES

cdef void make_move(Pos* pos, move_t move) noexcept nogil
cdef void unmake_move(Pos* pos) noexcept nogil
cdef uint64_t likely_key(const Pos* pos, move_t move) noexcept nogil
cdef void make_null(Pos* pos) noexcept nogil
cdef void unmake_null(Pos* pos) noexcept nogil
cdef bint reserve(Pos* pos, int plies) noexcept nogil
cdef void set_position(Pos* pos, const uint8_t* pieces, int turn, int castling, int ep_square,
                       int halfmove_clock, int fullmove_number) noexcept nogil
cdef void compute_keys(const Pos* pos, uint64_t* keys) noexcept nogil
cdef bint gives_check(const Pos* pos, move_t move) noexcept nogil
cdef void find_check_squares(const Pos* pos, CheckSquares* checks) noexcept nogil
# Squares on which the side not to move might remove a piece, a King's step back included; some on which a pin or a lack
# of landings forbids it, too.
cdef bb_t watched_squares(const Pos* pos) noexcept nogil
cdef bb_t attackers_of(const Pos* pos, int color, int square) noexcept nogil
cdef bb_t attacks_from(const Pos* pos, int square) noexcept nogil
cdef int repetitions(const Pos* pos) noexcept nogil
cdef bint is_repetition(const Pos* pos, int root_ply) noexcept nogil
cdef bint is_dead_without_pawns(const Pos* pos) noexcept nogil


cdef inline bb_t occupied(const Pos* pos) noexcept nogil:
    return pos.sets[WHITE] | pos.sets[BLACK]


cdef inline set_t occupied_set(const Pos* pos) noexcept nogil:
    return <set_t>pos.sets[WHITE] | <set_t>pos.sets[BLACK]


cdef inline bint is_dead(const Pos* pos) noexcept nogil:
    """Whether neither side can ever mate: Kings alone, one Knight, or Bishops all on one square colour."""
    return not pos.sets[PAWNS] and is_dead_without_pawns(pos)


cdef inline bb_t devil_removes(const Pos* pos, int us, int landing) noexcept nogil:
    """Enemies that a Devil of `us` burns or captures by landing, and an own piece under it."""
    return (BURN[landing] & pos.sets[1 - us]) | (bit(landing) & occupied(pos))


cdef inline bb_t angel_removes(const Pos* pos, int us, int origin, int landing) noexcept nogil:
    return (BETWEEN[origin][landing] | bit(landing)) & pos.sets[1 - us]


cdef inline bb_t removed_by(const Pos* pos, move_t move) noexcept nogil:
    """Squares of other pieces that the move empties; its landing square if something stood there."""
    cdef int origin = from_square(move), landing = to_square(move), us = pos.turn, kind = move_kind(move)
    if not move & REMOVAL:
        return 0
    if kind == NORMAL:
        return bit(landing)
    if kind == ANGEL_MOVE:
        return angel_removes(pos, us, origin, landing)
    if kind == DEVIL_MOVE:
        return devil_removes(pos, us, landing)
    return bit(ep_victim(us, landing))


cdef inline int ep_victim(int us, int landing) noexcept nogil:
    return landing - 10 if us == WHITE else landing + 10


cdef inline set_t rays_to(const Pos* pos, int square) noexcept nogil:
    """Sliders of both sides that attack `square` unless something stands between."""
    return <set_t>BISHOP_RAYS[square] & <set_t>pos.sets[DIAGONALS] | <set_t>ROOK_RAYS[square] & <set_t>pos.sets[ORTHOGONALS]


cdef inline bint sliders_hit(const Pos* pos, int square, bb_t occ, set_t by) noexcept nogil:
    cdef set_t sliders = <set_t>pos.sets[DIAGONALS] & by
    if meet(<set_t>BISHOP_RAYS[square], sliders) and meet(<set_t>bishop_attacks(square, occ), sliders):
        return True
    sliders = <set_t>pos.sets[ORTHOGONALS] & by
    return meet(<set_t>ROOK_RAYS[square], sliders) and meet(<set_t>rook_attacks(square, occ), sliders)


cdef inline bint angels_hit(int square, bb_t angels, bb_t side) noexcept nogil:
    """Whether one of `angels` can remove an enemy on `square`, its own side standing on `side`."""
    cdef int angel
    if angels & ANGEL_TARGETS[square]:
        return True
    angels &= ANGEL_NEAR[square]
    while angels:
        angel = lsb(angels)
        angels &= angels - 1
        if ANGEL_LANDINGS[angel][square] & ~side:
            return True
    return False


cdef inline set_t leapers_to(const Pos* pos, int them, int square) noexcept nogil:
    """Knights, compounds as Knights, and Devils that attack `square`, and pawns where those of `them` would.

    The pieces are both sides': the caller picks out those of `them`.
    """
    return (<set_t>KNIGHT_ATTACKS[square] & <set_t>pos.sets[KNIGHT_MOVERS]
            | <set_t>PAWN_ATTACKS[1 - them][square] & <set_t>pos.sets[PAWNS]
            | <set_t>DEVIL_HITS[square] & <set_t>pos.sets[DEVILS])


cdef inline bint is_hit(const Pos* pos, int them, int square, bb_t occ, bb_t by, bb_t side) noexcept nogil:
    """Whether a King on `square` would be attacked by the pieces of `them` in `by`.

    `occ` and `side` are all pieces and those of `them` as they stand when the attack is asked for. A Devil may not
    land on its own King, but whoever stands beside that King is attacked by it already, so this needs no look.
    """
    cdef set_t enemies = to_set(by)
    if meet(leapers_to(pos, them, square) | <set_t>KING_ATTACKS[square] & <set_t>pos.sets[KINGS], enemies):
        return True
    if unlikely(meet(<set_t>pos.sets[ANGELS], enemies)) and angels_hit(square, pos.sets[ANGELS] & by, side):
        return True
    return sliders_hit(pos, square, occ, enemies)


cdef inline bint in_check(const Pos* pos) noexcept nogil:
    cdef int them = 1 - pos.turn
    return is_hit(pos, them, pos.kings[pos.turn], occupied(pos), pos.sets[them], pos.sets[them])


cdef inline void find_king_state(const Pos* pos, int us, KingState* state) noexcept nogil:
    cdef int them = 1 - us, king = pos.kings[us], other
    cdef bb_t occ = occupied(pos), enemies = pos.sets[them], screen, snipers, angels, landings
    state.checkers = to_bb(leapers_to(pos, them, king) & <set_t>pos.sets[them])
    state.pinned = 0
    state.exposing = 0
    state.forbidden = 0
    snipers = to_bb(rays_to(pos, king) & <set_t>pos.sets[them])
    while snipers:
        other = lsb(snipers)
        snipers &= snipers - 1
        screen = BETWEEN[king][other] & occ
        if not screen:
            state.checkers |= bit(other)
        else:
            state.exposing |= screen
            if not more_than_one(screen):
                state.pinned |= screen & pos.sets[us]
    angels = pos.sets[ANGELS] & enemies
    if unlikely(angels != 0):
        state.checkers |= angels & ANGEL_TARGETS[king]
        angels &= ANGEL_NEAR[king]
        while angels:
            other = lsb(angels)
            angels &= angels - 1
            landings = ANGEL_LANDINGS[other][king]
            if landings & ~enemies:
                state.checkers |= bit(other)
            else:
                state.forbidden |= landings
        state.exposing |= state.forbidden


cdef inline bint checks_by(const Pos* pos, const CheckSquares* checks, move_t move) noexcept nogil:
    """`gives_check`, fast where the move is ordinary."""
    cdef int origin = from_square(move)
    if unlikely(move_kind(move) > DOUBLE_STEP or promotion_type(move) or checks.angels
                or meet(checks.blockers, <set_t>BITS[origin])):
        return gives_check(pos, move)
    return meet(checks.by_type[pos.board[origin] & 15], <set_t>BITS[to_square(move)])
