# What the search learns about moves and evaluations, thread by thread: tables with gravity, so that a value never leaves
# its bounds and the past fades (https://www.chessprogramming.org/History_Heuristic).

from libc.stdint cimport int16_t

from abdiel.core.bitboard cimport PIECE_TYPES, SQUARES
from abdiel.core.state cimport Pos, from_square, move_t, to_square
from abdiel.core.worker cimport (
    CORRECTIONS, LOOK_BACK, MATE_IN_MAX, Node, Worker,
)

cdef enum:
    HISTORY_MAX = 16384
    CORRECTION_UNIT = 8         # parts of a centipawn
    CORRECTION_MAX = 128 * CORRECTION_UNIT


cdef inline int piece_index(int code) noexcept nogil:
    return (code & 15) + (PIECE_TYPES if code >> 4 else 0)


cdef inline Node* node_at(Worker* w, int ply) noexcept nogil:
    """The line's node at `ply`, which may be down to -LOOK_BACK."""
    return &w.line[LOOK_BACK + ply]


cdef inline int reply_slot(const Pos* pos, move_t move) noexcept nogil:
    """The place of a quiet move in a continuation history."""
    return (pos.board[from_square(move)] & 15) * SQUARES + to_square(move)


cdef inline void push(int16_t* entry, int bonus) noexcept nogil:
    entry[0] += bonus - entry[0] * abs(bonus) // HISTORY_MAX


# Where a node's quiet moves look up how they have done: by themselves, and as answers to the last moves.
cdef struct Histories:
    const int16_t* quiets       # [from * SQUARES + to]
    const int16_t* replies      # [reply_slot]
    const int16_t* follow_ups
    const int16_t* far_follow_ups


cdef inline void find_histories(const Worker* w, const Node* node, Histories* h) noexcept nogil:
    h.quiets = w.quiets[w.pos.turn][0]
    h.replies = (node - 1).replies
    h.follow_ups = (node - 2).follow_ups
    h.far_follow_ups = (node - 4).follow_ups


cdef inline int quiet_history(const Histories* h, const Pos* pos, move_t move) noexcept nogil:
    cdef int slot = reply_slot(pos, move)
    return (h.quiets[from_square(move) * SQUARES + to_square(move)] + h.replies[slot] + h.follow_ups[slot]
            + h.far_follow_ups[slot] // 2)


cdef inline void push_quiet(Worker* w, Node* node, move_t move, int bonus) noexcept nogil:
    cdef int slot = reply_slot(w.pos, move)
    push(&w.quiets[w.pos.turn][from_square(move)][to_square(move)], bonus)
    push_continuations(w, node, slot, bonus)


cdef inline void push_continuations(Worker* w, Node* node, int slot, int bonus) noexcept nogil:
    """For the move in `slot` made at `node`; the entry that stands for "no move" learns nothing."""
    if (node - 1).move:
        push(&(node - 1).replies[slot], bonus)
    if (node - 2).move:
        push(&(node - 2).follow_ups[slot], bonus)
    if (node - 4).move:
        push(&(node - 4).follow_ups[slot], bonus // 2)


cdef inline void enter(Worker* w, Node* node, move_t move) noexcept nogil:
    """Note the move that is about to be made from `node`."""
    cdef int piece
    node.move = move
    if move:
        piece = piece_index(w.pos.board[from_square(move)])
        node.replies = w.continuations[0][piece][to_square(move)]
        node.follow_ups = w.continuations[1][piece][to_square(move)]
    else:
        node.replies = node.follow_ups = w.nothing


# Correction history: by how much searches have found the static evaluation wrong, by pawns, by material and by the
# last move (https://www.chessprogramming.org/Static_Evaluation_Correction_History).

cdef inline int16_t* pawn_correction(Worker* w) noexcept nogil:
    return &w.pawn_corrections[w.pos.turn][w.pos.details.pawn_key & (CORRECTIONS - 1)]


cdef inline int16_t* material_correction(Worker* w) noexcept nogil:
    return &w.material_corrections[w.pos.turn][w.pos.details.material_key >> 40 & (CORRECTIONS - 1)]


cdef inline int16_t* move_correction(Worker* w, const Node* node) noexcept nogil:
    cdef move_t last = (node - 1).move
    cdef int piece = piece_index(w.pos.board[to_square(last)]) if last else 0
    return &w.move_corrections[w.pos.turn][piece * SQUARES + to_square(last)]


cdef inline int corrected(Worker* w, const Node* node, int evaluation) noexcept nogil:
    cdef int sum = (2 * pawn_correction(w)[0] + material_correction(w)[0] + move_correction(w, node)[0])
    evaluation += sum // (5 * CORRECTION_UNIT)
    return max(-MATE_IN_MAX + 1, min(MATE_IN_MAX - 1, evaluation))


cdef inline void learn(int16_t* entry, int error, int weight) noexcept nogil:
    entry[0] = max(-CORRECTION_MAX, min(CORRECTION_MAX, (entry[0] * (256 - weight) + error * weight) // 256))


cdef inline void correct(Worker* w, const Node* node, int depth, int error) noexcept nogil:
    """Learn from a search of `depth` plies that found the evaluation too low by `error` centipawns."""
    cdef int weight = min(1 + depth, 16)
    error = max(-CORRECTION_MAX, min(CORRECTION_MAX, error * CORRECTION_UNIT))
    learn(pawn_correction(w), error, weight)
    learn(material_correction(w), error, weight)
    learn(move_correction(w, node), error, weight)
