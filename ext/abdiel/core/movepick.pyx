"""Staged move ordering: table move, winning removals, quiet moves by history, losing removals.

https://www.chessprogramming.org/Move_Ordering
"""

from abdiel.core.bitboard cimport NO_PIECE, bb_t, lsb
from abdiel.core.evaluate cimport PIECE_VALUES
from abdiel.core.history cimport Histories, find_histories, piece_index, quiet_history
from abdiel.core.movegen cimport ALL_MOVES, REMOVALS, generate, generate_checks, generate_quiets
from abdiel.core.see cimport move_gain, see_ge
from abdiel.core.state cimport Pos, is_quiet, move_t, removed_by, to_square, watched_squares

cdef enum:
    FIRST
    MAKE_REMOVALS
    GOOD_REMOVALS
    MAKE_QUIETS
    QUIET_MOVES
    BAD_REMOVALS
    MAKE_EVASIONS
    EVASIONS
    MAKE_CHECKS
    CHECKS
    DONE

cdef enum:
    REMOVAL_FIRST = 1 << 24     # lifts removals above quiet moves where both are in one list
    KILLER = 20000
    COUNTER = 10000


cdef void start(Worker* w, Picker* p, int purpose, move_t first, int threshold) noexcept nogil:
    p.purpose = purpose
    p.threshold = threshold
    p.skip_quiets = False
    p.first = first
    p.watched = 0
    p.begin = p.at = p.end = p.bad_end = w.top
    p.stage = FIRST


cdef void finish(Worker* w, Picker* p) noexcept nogil:
    w.top = p.begin


cdef inline int removal_score(Worker* w, move_t move) noexcept nogil:
    """What it takes, by and large, and how that has done before."""
    return 8 * move_gain(w.pos, move) + removal_entry(w, move)[0] // 4


cdef int find_victim(const Pos* pos, move_t move) noexcept nogil:
    cdef bb_t removed = removed_by(pos, move) & pos.sets[1 - pos.turn]
    cdef int best = NO_PIECE, kind
    while removed:
        kind = pos.board[lsb(removed)] & 15
        removed &= removed - 1
        if PIECE_VALUES[kind] >= PIECE_VALUES[best]:
            best = kind
    return best


cdef inline int quiet_score(const Histories* histories, const Pos* pos, const Node* node, move_t move) noexcept nogil:
    cdef int score = quiet_history(histories, pos, move)
    if move == node.killers[0]:
        score += KILLER
    elif move == node.killers[1]:
        score += KILLER // 2
    return score


cdef void score_removals(Worker* w, int begin, int end) noexcept nogil:
    cdef int i
    for i in range(begin, end):
        w.scores[i] = removal_score(w, w.moves[i])


cdef void score_quiets(Worker* w, Node* node, int begin, int end) noexcept nogil:
    cdef int i, score
    cdef const Pos* pos = w.pos
    cdef const move_t* moves = w.moves
    cdef int* scores = w.scores
    cdef move_t counter = 0, last = (node - 1).move
    cdef Histories histories
    find_histories(w, node, &histories)
    if last:
        counter = w.counters[piece_index(pos.board[to_square(last)])][to_square(last)]
    for i in range(begin, end):
        score = quiet_score(&histories, pos, node, moves[i])
        if moves[i] == counter:
            score += COUNTER
        scores[i] = score


cdef void score_all(Worker* w, Node* node, int begin, int end) noexcept nogil:
    score_mixed(w, node, begin, end, True)


cdef void score_mixed(Worker* w, Node* node, int begin, int end, bint losing_last) noexcept nogil:
    """Removals before quiet moves; those that lose by exchange behind them, if so wanted."""
    cdef int i
    cdef move_t move
    cdef Histories histories
    find_histories(w, node, &histories)
    for i in range(begin, end):
        move = w.moves[i]
        if is_quiet(move):
            w.scores[i] = quiet_score(&histories, w.pos, node, move)
        elif losing_last and not see_ge(w.pos, move, 0):
            w.scores[i] = removal_score(w, move) - REMOVAL_FIRST
        else:
            w.scores[i] = removal_score(w, move) + REMOVAL_FIRST


cdef inline move_t next_best(Worker* w, Picker* p) noexcept nogil:
    # Seldom are more than a few moves wanted, so choosing the best again and again costs less than sorting. Compilers
    # turn the first loop into vectors as long as it does not ask where the best is.
    cdef const int* scores = w.scores
    cdef int best = p.at, i, most = scores[best]
    for i in range(p.at + 1, p.end):
        most = scores[i] if scores[i] > most else most
    while scores[best] != most:
        best += 1
    w.moves[p.at], w.moves[best] = w.moves[best], w.moves[p.at]
    w.scores[p.at], w.scores[best] = w.scores[best], w.scores[p.at]
    p.at += 1
    return w.moves[p.at - 1]


cdef inline void take_in(Worker* w, Picker* p, int count) noexcept nogil:
    """Go on with so many moves, just generated behind what there is."""
    p.at = p.end
    p.end += count
    w.top = p.end


cdef move_t pick(Worker* w, Node* node, Picker* p) noexcept nogil:
    """The next move, or 0 when there is none."""
    cdef move_t move
    if p.stage == FIRST:
        p.stage = MAKE_EVASIONS if node.check and p.purpose != WINNING_REMOVALS else MAKE_REMOVALS
        if p.first:
            return p.first
    if p.stage == MAKE_REMOVALS:
        take_in(w, p, generate(w.pos, &w.moves[p.end], REMOVALS))
        score_removals(w, p.at, p.end)
        p.stage = GOOD_REMOVALS
    if p.stage == GOOD_REMOVALS:
        while p.at < p.end:
            move = next_best(w, p)
            if move == p.first:
                continue
            if p.purpose == ONLY_REMOVALS or p.purpose == AND_CHECKS:
                return move     # quiescence judges the exchange itself
            if see_ge(w.pos, move, p.threshold if p.purpose == WINNING_REMOVALS else -(w.scores[p.at - 1] // 32)):
                return move
            if p.purpose == EVERYTHING:
                w.moves[p.bad_end] = move
                p.bad_end += 1
        p.stage = MAKE_QUIETS if p.purpose == EVERYTHING else MAKE_CHECKS if p.purpose == AND_CHECKS else DONE
    if p.stage == MAKE_QUIETS:
        if not p.skip_quiets:
            if not p.watched:
                p.watched = watched_squares(w.pos)
            take_in(w, p, generate_quiets(w.pos, &w.moves[p.end], p.watched))
            score_quiets(w, node, p.at, p.end)
        p.stage = QUIET_MOVES
    if p.stage == QUIET_MOVES:
        while p.at < p.end and not p.skip_quiets:
            move = next_best(w, p)
            if move != p.first:
                return move
        p.stage = BAD_REMOVALS
        p.at = p.begin
    if p.stage == BAD_REMOVALS:
        if p.at < p.bad_end:
            p.at += 1
            return w.moves[p.at - 1]
        p.stage = DONE
    if p.stage == MAKE_EVASIONS:
        take_in(w, p, generate(w.pos, &w.moves[p.end], ALL_MOVES))
        score_mixed(w, node, p.at, p.end, False)
        p.stage = EVASIONS
    if p.stage == EVASIONS:
        while p.at < p.end:
            move = next_best(w, p)
            if move != p.first:
                return move
        p.stage = DONE
    if p.stage == MAKE_CHECKS:
        take_in(w, p, generate_checks(w.pos, &w.moves[p.end], p.checks))
        p.stage = CHECKS
    if p.stage == CHECKS:
        while p.at < p.end:
            move = w.moves[p.at]
            p.at += 1
            if move != p.first:
                return move
        p.stage = DONE
    return 0
