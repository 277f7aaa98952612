"""The core's face towards Python: a position in plain integers. board.py gives it letters and names."""

from operator import index

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from abdiel.core cimport bitboard as bb
from abdiel.core cimport movegen, state
from abdiel.core.attacks cimport BETWEEN
from abdiel.core.bitboard cimport bb_t, bit, has
from abdiel.core.state cimport KingState, Pos, Undo, move_t

FILES = bb.FILES
RANKS = bb.RANKS
SQUARES = bb.SQUARES
WHITE = bb.WHITE
BLACK = bb.BLACK
BLACK_PIECE = bb.BLACK_PIECE
PAWN = bb.PAWN
KNIGHT = bb.KNIGHT
BISHOP = bb.BISHOP
ROOK = bb.ROOK
QUEEN = bb.QUEEN
KING = bb.KING
ARCHBISHOP = bb.ARCHBISHOP
CHANCELLOR = bb.CHANCELLOR
ANGEL = bb.ANGEL
DEVIL = bb.DEVIL

# How many moves ahead of the present one push makes room for.
cdef enum:
    SPARE_PLIES = 64
    MAX_PERFT_DEPTH = 99
    # What a perft counts in one go if the tree grows like its root: a fraction of a second.
    UNIT_NODES = 100_000_000


def move_from(move_t move):
    return state.from_square(move)


def move_to(move_t move):
    return state.to_square(move)


def move_promotion(move_t move):
    return state.promotion_type(move)


cdef int make_room(Pos* pos, int plies) except -1:
    if not state.reserve(pos, plies):
        raise MemoryError("no memory for the list of moves made")
    return 0


cdef list to_list(const move_t* moves, int count):
    return [moves[i] for i in range(count)]


cdef class Position:
    def __cinit__(self):
        memset(&self.pos, 0, sizeof(self.pos))
        self.pos.details.ep_square = -1

    def __dealloc__(self):
        free(self.pos.stack)

    def __init__(self, castling, promotions):
        cdef int side, color, square
        cdef bb_t path
        cdef state.Rules* rules = &self.pos.rules
        if len(castling) != state.CASTLINGS:
            raise ValueError(f"castling: found {len(castling)} entries, expected 4 (K, Q, k, q)")
        memset(rules.rights_kept, 15, sizeof(rules.rights_kept))
        for side, geometry in enumerate(castling):
            king_from, king_to, rook_from, rook_to = geometry
            for square in geometry:
                check_square(square)
            rules.king_from[side] = king_from
            rules.king_to[side] = king_to
            rules.rook_from[side] = rook_from
            rules.rook_to[side] = rook_to
            rules.castling_empty[side] = BETWEEN[<int>king_from][<int>rook_from]
            path = BETWEEN[<int>king_from][<int>king_to] | bit(king_from) | bit(king_to)
            rules.castling_path[side] = path
            rules.rights_kept[<int>king_from] &= ~(1 << side)
            rules.rights_kept[<int>rook_from] &= ~(1 << side)
        for color in range(2):
            if len(promotions[color]) > state.MAX_PROMOTIONS:
                raise ValueError(f"promotions: found {len(promotions[color])} types, at most 8 fit")
            rules.promotion_count[color] = len(promotions[color])
            for square, kind in enumerate(promotions[color]):
                rules.promotions[color][square] = kind
                if kind == bb.ANGEL or kind == bb.DEVIL:
                    rules.specials = True
        make_room(&self.pos, SPARE_PLIES)

    def set(self, pieces, int turn, int castling, int ep_square, int halfmove_clock, int fullmove_number):
        """Set up a position and forget the moves made. Needs exactly one King a side; the caller sees to legality."""
        cdef uint8_t codes[bb.SQUARES]
        cdef int square, white = 0, black = 0
        if len(pieces) != bb.SQUARES:
            raise ValueError(f"pieces: found {len(pieces)}, expected {bb.SQUARES}")
        for square in range(bb.SQUARES):
            codes[square] = pieces[square]
            if codes[square] and not (0 < codes[square] & 15 < bb.PIECE_TYPES and codes[square] < bb.PIECE_CODES):
                raise ValueError(f"pieces: {codes[square]} on square {square} is no piece code")
            white += codes[square] == bb.KING
            black += codes[square] == bb.KING + bb.BLACK_PIECE
        if white != 1 or black != 1:
            raise ValueError(f"pieces: found {white} white and {black} black Kings, expected one each")
        if turn not in (0, 1) or not 0 <= castling < 16 or not -1 <= ep_square < bb.SQUARES:
            raise ValueError(f"turn {turn}, castling {castling} or en passant square {ep_square} is out of range")
        if not 0 <= halfmove_clock < 1 << 15:
            raise ValueError(f"halfmove clock: found {halfmove_clock}, expected 0 to 32767")
        if not 0 <= fullmove_number < 1 << 30:
            raise ValueError(f"fullmove number: found {fullmove_number}, expected 0 to {(1 << 30) - 1}")
        state.set_position(&self.pos, codes, turn, castling, ep_square, halfmove_clock, fullmove_number)

    def piece_at(self, int square):
        check_square(square)
        return self.pos.board[square]

    def pieces(self):
        """The 80 piece codes from a1 to j8."""
        return [self.pos.board[i] for i in range(bb.SQUARES)]

    @property
    def turn(self):
        return self.pos.turn

    @property
    def castling(self):
        return self.pos.details.castling

    @property
    def ep_square(self):
        return self.pos.details.ep_square

    @property
    def has_legal_ep(self):
        return bool(self.pos.details.ep_legal)

    @property
    def halfmove_clock(self):
        return self.pos.details.halfmove_clock

    @property
    def fullmove_number(self):
        return self.pos.fullmove_number

    @property
    def ply(self):
        """Moves made since the position was set."""
        return self.pos.ply

    @property
    def key(self):
        return self.pos.details.key

    @property
    def pawn_key(self):
        return self.pos.details.pawn_key

    @property
    def material_key(self):
        return self.pos.details.material_key

    def fresh_keys(self):
        """The three keys computed anew from the pieces."""
        cdef uint64_t keys[3]
        state.compute_keys(&self.pos, keys)
        return keys[0], keys[1], keys[2]

    def state(self):
        """Every field of the position, for comparisons."""
        cdef Pos* p = &self.pos
        return (
            tuple([p.sets[i] for i in range(state.SETS)]), tuple(self.pieces()), (p.kings[0], p.kings[1]), p.turn,
            p.details.castling, p.details.ep_square, p.details.ep_legal, p.details.halfmove_clock,
            p.details.reversible, p.fullmove_number, p.details.key, p.details.pawn_key, p.details.material_key, p.ply,
        )

    def legal_moves(self):
        cdef move_t moves[movegen.MAX_MOVES]
        return to_list(moves, movegen.generate(&self.pos, moves, movegen.ALL_MOVES))

    def removals(self):
        """Legal moves that remove anything, and promotions."""
        cdef move_t moves[movegen.MAX_MOVES]
        return to_list(moves, movegen.generate(&self.pos, moves, movegen.REMOVALS))

    def quiets(self):
        """Legal moves that are not among `removals`."""
        cdef move_t moves[movegen.MAX_MOVES]
        return to_list(moves, movegen.generate_quiets(&self.pos, moves, state.watched_squares(&self.pos)))

    def quiet_checks(self):
        """Those of `quiets` that give check, in the same order."""
        cdef move_t moves[movegen.MAX_MOVES]
        cdef state.CheckSquares checks
        state.find_check_squares(&self.pos, &checks)
        return to_list(moves, movegen.generate_checks(&self.pos, moves, &checks))

    def count_legal(self):
        return movegen.count_moves(&self.pos)

    def find_move(self, int from_square, int to_square, int promotion=0):
        """The legal move with these squares and promotion type, or 0."""
        return movegen.find_legal(&self.pos, from_square, to_square, promotion)

    def complete_move(self, int from_square, int to_square, int promotion=0):
        """The legal move of which these are the squares and the promotion; not checked, and 0 only by chance if none."""
        return movegen.complete(&self.pos, from_square, to_square, promotion)

    def make(self, move_t move):
        """Make a legal move of this position, as `legal_moves` or `find_move` gave it; it is not checked again."""
        make_room(&self.pos, SPARE_PLIES)
        state.make_move(&self.pos, move)

    def unmake(self):
        if self.pos.ply == 0:
            raise IndexError("unmake: no move has been made")
        if self.pos.stack[self.pos.ply - 1].move:
            state.unmake_move(&self.pos)
        else:
            state.unmake_null(&self.pos)

    def make_null(self):
        make_room(&self.pos, SPARE_PLIES)
        state.make_null(&self.pos)

    def unmake_null(self):
        if self.pos.ply == 0 or self.pos.stack[self.pos.ply - 1].move:
            raise IndexError("unmake_null: the last move made is not a null move")
        state.unmake_null(&self.pos)

    def last_move(self):
        """The last move made, or 0 (at the start, and after a null move)."""
        return self.pos.stack[self.pos.ply - 1].move if self.pos.ply else 0

    def removed(self, move_t move):
        """Set of the squares whose piece, other than the mover, a legal move takes off."""
        return state.removed_by(&self.pos, move)

    def gives_check(self, move_t move):
        cdef state.CheckSquares checks
        state.find_check_squares(&self.pos, &checks)
        return bool(state.checks_by(&self.pos, &checks, move))

    def is_check(self):
        return bool(state.in_check(&self.pos))

    def checkers(self):
        """Set of the enemy pieces that attack the King of the side to move."""
        cdef KingState king
        state.find_king_state(&self.pos, self.pos.turn, &king)
        return king.checkers

    def pinned(self):
        """Set of the own pieces that alone screen their King from a slider."""
        cdef KingState king
        state.find_king_state(&self.pos, self.pos.turn, &king)
        return king.pinned

    def attackers(self, int color, int square):
        """Set of the pieces of `color` that could remove an enemy standing on `square`."""
        check_square(square)
        return state.attackers_of(&self.pos, color & 1, square)

    def attacks(self, int square):
        """Set of the squares on which the piece on `square` could remove an enemy."""
        check_square(square)
        return state.attacks_from(&self.pos, square)

    def repetitions(self):
        """How often this position occurred before in the moves made since it was set."""
        return state.repetitions(&self.pos)

    def is_dead(self):
        """Whether neither side can ever mate."""
        return bool(state.is_dead(&self.pos))

    def perft(self, depth, should_stop=None):
        """Leaf nodes of the legal move tree `depth` plies deep, 0 to 99; ValueError for another depth.

        Runs on a copy and, but for short looks around, without the GIL. About every hundred million nodes at
        the most it lets signals in and asks `should_stop`; InterruptedError if that says yes.
        """
        plies = index(depth)
        if not 0 <= plies <= MAX_PERFT_DEPTH:
            raise ValueError(f"perft depth: found {plies}, expected 0 to {MAX_PERFT_DEPTH}")
        cdef Position own = self.copy()
        cdef int unit = 1, moves = max(2, self.count_legal())
        while <uint64_t>moves ** (unit + 1) < UNIT_NODES:
            unit += 1
        make_room(&own.pos, MAX_PERFT_DEPTH)
        return perft_in_units(own, plies, unit, should_stop)

    def copy(self):
        """An independent copy, its list of moves made included."""
        cdef Position other = Position.__new__(Position)
        cdef Undo* stack
        other.pos.ply = self.pos.ply
        make_room(&other.pos, SPARE_PLIES)
        stack = other.pos.stack
        memcpy(stack, self.pos.stack, self.pos.ply * sizeof(Undo))
        capacity = other.pos.capacity
        other.pos = self.pos
        other.pos.stack = stack
        other.pos.capacity = capacity
        return other


cdef check_square(int square):
    if not 0 <= square < bb.SQUARES:
        raise ValueError(f"square: found {square}, expected 0 (a1) to {bb.SQUARES - 1} (j8)")


cdef perft_in_units(Position position, int depth, int unit, should_stop):
    """Perft whose last `unit` plies run in one go; between the goes whoever waits may interrupt."""
    cdef uint64_t nodes
    if depth <= unit:
        with nogil:
            nodes = movegen.perft(&position.pos, depth)
        PyErr_CheckSignals()
        if should_stop is not None and should_stop():
            raise InterruptedError("perft was stopped")
        return nodes
    total = 0
    for move in position.legal_moves():
        state.make_move(&position.pos, move)
        total += perft_in_units(position, depth - 1, unit, should_stop)
        state.unmake_move(&position.pos)
    return total
