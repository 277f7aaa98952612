"""The tree: principal variation search and quiescence.

Techniques are named as in https://www.chessprogramming.org/Search; margins are centipawns.
"""

from libc.math cimport log
from libc.stdint cimport uint64_t
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from abdiel.core.bitboard cimport likely, popcount, unlikely
from abdiel.core.busy cimport busy_key, is_busy, set_busy, set_free
from abdiel.core.evaluate cimport eval_after_pass, has_pieces, static_eval
from abdiel.core.history cimport (
    Histories, correct, corrected, enter, find_histories, node_at, piece_index, push, push_quiet, quiet_history,
)
from abdiel.core.movegen cimport has_legal_move
from abdiel.core.movepick cimport (
    AND_CHECKS, EVERYTHING, ONLY_REMOVALS, WINNING_REMOVALS, Picker, finish, pick, removal_entry, start,
)
from abdiel.core.see cimport is_safe, move_gain, see_ge
from abdiel.core.state cimport (
    CheckSquares, Pos, checks_by, find_check_squares, gives_check, is_dead, is_quiet, is_repetition, make_null, move_t,
    occupied, promotion_type, to_square, unmake_move, unmake_null,
)
from abdiel.core.tt cimport (
    BOUND_EXACT, BOUND_LOWER, BOUND_NONE, BOUND_UPPER, NO_EVAL, Hit, prefetch, probe, store,
)
from abdiel.core.worker cimport (
    INFINITE_SCORE, MATE_IN_MAX, MATE_SCORE, MAX_DEPTH, MAX_PLY, Node, Worker, halted, load_count, load_flag,
    store_flag,
)

cdef enum:
    CHECK_INTERVAL = 512        # nodes between looks at the clock: well under a millisecond
    TRIED = 64                  # moves remembered to be blamed when a later one cuts, or put off
    DEFER_DEPTH = 3             # plies from which a move is worth waiting for
    PLENTY = 85                 # centipawns a ply that reverse futility asks for
    # Where the evaluation may be guessed from the parent's: what a move is worth besides what it takes, and by how much
    # the guess must be beyond the window to do, Angels and Devils being less predictable. One in a hundred is wrong.
    MOVE_WORTH = 60
    GUESS_SPECIALS = 100        # on top of the two below
    GUESS_PIECES = 16           # on the board at least
    GUESS_BELOW = 150
    GUESS_ABOVE = 110
    GUESS_ERROR = 100           # what a bound by a guess allows for


cdef void fill_tables() noexcept nogil:
    cdef int depth, number
    for depth in range(1, 64):
        for number in range(1, 64):
            REDUCTIONS[depth][number] = <int>(1024 * (0.4 + log(depth) * log(number) / 2.1))


fill_tables()


cdef uint64_t now() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <uint64_t>t.tv_sec * 1000 + t.tv_nsec // 1000000


cdef inline bint stopped(Worker* w) noexcept nogil:
    """Whether to leave the tree: asked at every node, and exact for one thread's node limit."""
    if w.nodes >= w.next_check and w.leads:
        look_at_limits(w)
    return halted(w)


cdef void look_at_limits(Worker* w) noexcept nogil:
    cdef uint64_t nodes = 0
    cdef int i
    for i in range(w.shared.threads):
        nodes += load_count(&w.shared.workers[i].nodes)
    if nodes >= w.shared.node_limit:
        store_flag(&w.shared.stop, True)
    elif w.shared.hard_limit and not load_flag(&w.shared.pondering) and (
            now() - w.shared.started >= w.shared.hard_limit):
        store_flag(&w.shared.stop, True)
    elif w.shared.adopts and load_flag(&w.shared.finished) >= w.root_depth:
        w.overtaken = True
    w.next_check = w.nodes + min(<uint64_t>CHECK_INTERVAL, (w.shared.node_limit - nodes) // w.shared.threads)


cdef inline int to_table(int score, int ply) noexcept nogil:
    """Mate scores count from the root in the tree and from the node in the table."""
    if score >= MATE_IN_MAX:
        return score + ply
    if score <= -MATE_IN_MAX:
        return score - ply
    return score


cdef inline int from_table(int score, int ply) noexcept nogil:
    if score >= MATE_IN_MAX:
        return score - ply
    if score <= -MATE_IN_MAX:
        return score + ply
    return score


cdef inline bint cuts(const Hit* hit, int score, int alpha, int beta) noexcept nogil:
    """Whether the table's bound settles the window."""
    return (hit.bound == BOUND_EXACT or (hit.bound == BOUND_LOWER and score >= beta)
            or (hit.bound == BOUND_UPPER and score <= alpha))


cdef inline int better_guess(const Hit* hit, int score, int evaluation) noexcept nogil:
    """The table's score where its bound says more than the static evaluation."""
    if hit.bound == BOUND_EXACT or (hit.bound == BOUND_LOWER and score > evaluation) or (
            hit.bound == BOUND_UPPER and score < evaluation):
        return score
    return evaluation


cdef inline int bonus_of(int depth) noexcept nogil:
    return min(150 * depth - 50, 1600)


cdef inline void keep_pv(Worker* w, int ply, move_t move) noexcept nogil:
    cdef int i
    w.pv[ply][0] = move
    for i in range(w.pv_length[ply + 1]):
        w.pv[ply][i + 1] = w.pv[ply + 1][i]
    w.pv_length[ply] = w.pv_length[ply + 1] + 1


cdef inline bint is_below(const Pos* pos, int rough, int alpha) noexcept nogil:
    """Whether a guess is safely below the window."""
    return rough != NO_EVAL and rough <= alpha - GUESS_BELOW - (GUESS_SPECIALS if pos.rules.specials else 0)


cdef inline bint is_above(const Pos* pos, int rough, int beta) noexcept nogil:
    return rough != NO_EVAL and rough >= beta + GUESS_ABOVE + (GUESS_SPECIALS if pos.rules.specials else 0)


cdef inline int guess(const Pos* pos, const Node* node) noexcept nogil:
    """The static evaluation by that of the parent or, if it is in check, of its parent; else NO_EVAL.

    With few pieces left a single move may change all.
    """
    if popcount(occupied(pos)) < GUESS_PIECES:
        return NO_EVAL
    if (node - 1).evaluation != NO_EVAL:
        return MOVE_WORTH - (node - 1).evaluation - (node - 1).gain
    if (node - 1).check and (node - 2).evaluation != NO_EVAL:
        return MOVE_WORTH // 2 + (node - 2).evaluation + (node - 2).gain - (node - 1).gain
    return NO_EVAL


cdef inline int evaluate(Worker* w, const Node* node) noexcept nogil:
    """The static evaluation, known but for the tempo after a pass."""
    if not (node - 1).move and (node - 1).raw != NO_EVAL and not w.pos.rules.specials:
        return eval_after_pass((node - 1).raw)
    return static_eval(w.pos, &w.cache)


cdef int quiesce(Worker* w, int alpha, int beta, int ply, bint with_checks) noexcept nogil:
    """Search removals, and checks at the first ply, until the position is quiet; in check all evasions."""
    cdef Pos* pos = w.pos
    cdef Node* node = node_at(w, ply)
    cdef bint check = node.check, pv_node = beta - alpha > 1, found, gives
    cdef int best, rough, score, value = 0, evaluation = NO_EVAL, floor = -INFINITE_SCORE, count = 0, quiet_evasions = 0, need
    cdef move_t move, best_move = 0
    cdef Hit hit
    cdef Picker picker
    cdef CheckSquares checks
    w.pv_length[ply] = 0
    if stopped(w):
        return 0
    w.nodes += 1
    if ply > w.seldepth:
        w.seldepth = ply
    if is_dead(pos) or is_repetition(pos, w.root_ply):
        return 0
    if pos.details.halfmove_clock >= 100:
        return -MATE_SCORE + ply if check and not has_legal_move(pos) else 0
    if ply >= MAX_PLY:
        return static_eval(pos, &w.cache)
    node.evaluation = NO_EVAL
    rough = NO_EVAL if check or pv_node else guess(pos, node)
    if is_above(pos, rough, beta):
        return rough - GUESS_ERROR
    found = probe(w.shared.table, pos, &hit)
    if found:
        value = from_table(hit.score, ply)
        if not pv_node and cuts(&hit, value, alpha, beta):
            return value
    if check:
        best = -MATE_SCORE + ply
    else:
        evaluation = hit.evaluation if found else NO_EVAL
        if evaluation == NO_EVAL and is_below(pos, rough, alpha):
            best = rough + GUESS_ERROR
        else:
            if evaluation == NO_EVAL:
                evaluation = evaluate(w, node)
            best = node.evaluation = corrected(w, node, evaluation)
        if found:
            best = better_guess(&hit, value, best)
        if best >= beta:
            if not found:
                store(w.shared.table, pos.details.key, 0, to_table(best, ply), evaluation, 0, BOUND_LOWER, False)
            return best
        if best > alpha:
            alpha = best
        floor = best + 140
    find_check_squares(pos, &checks)
    start(w, &picker, EVERYTHING if check else AND_CHECKS if with_checks else ONLY_REMOVALS,
          hit.move if found and (check or not is_quiet(hit.move)) else 0, 0)
    picker.checks = &checks
    while True:
        move = pick(w, node, &picker)
        if not move:
            break
        count += 1
        gives = checks_by(pos, &checks, move)
        if best > -MATE_IN_MAX:
            if not check:
                need = 0
                if not gives and not promotion_type(move):
                    # Not even all that it takes brings the score up to the window.
                    score = floor + move_gain(pos, move)
                    if score <= alpha:
                        best = max(best, score)
                        continue
                    need = floor <= alpha
                if not see_ge(pos, move, need):
                    if need:
                        best = max(best, floor)
                    continue
            elif is_quiet(move):
                quiet_evasions += 1
                if quiet_evasions > 2:
                    continue
        go_on(w, node, move, gives, False)
        score = -quiesce(w, -beta, -alpha, ply + 1, False)
        unmake_move(pos)
        if unlikely(halted(w)):
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                if pv_node:
                    keep_pv(w, ply, move)
                if score >= beta:
                    break
                alpha = score
    finish(w, &picker)
    store(w.shared.table, pos.details.key, best_move, to_table(best, ply), evaluation, 0,
          BOUND_LOWER if best >= beta else BOUND_UPPER, found and hit.pv)
    return best


cdef int search(Worker* w, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil:
    """The score of the position, exact between alpha and beta, else a bound (fail-soft)."""
    cdef Pos* pos = w.pos
    cdef Node* node = node_at(w, ply)
    cdef bint pv_node = beta - alpha > 1, exhaustive = w.shared.exhaustive, check = node.check
    cdef bint found, table_pv, improving, quiet, gives
    cdef int best = -INFINITE_SCORE, score, value = 0, evaluation = NO_EVAL, raw = NO_EVAL, first_alpha
    cdef int count = 0, extension, new_depth, reduced, reduction, history, quiet_count = 0, removal_count = 0, bound, late
    cdef move_t move, table_move = 0, best_move = 0, excluded = node.excluded
    cdef move_t quiets[TRIED]
    cdef move_t deferred[TRIED]
    cdef int deferred_numbers[TRIED]
    cdef int deferred_count = 0, deferred_at = 0, number = 0
    cdef bint shares = w.shared.threads > 1 and depth >= DEFER_DEPTH and not excluded and not exhaustive
    cdef bint again = False     # what is left are moves that had been put off
    cdef uint64_t busy = 0
    cdef move_t removals[TRIED]
    cdef Hit hit
    cdef Picker picker
    cdef CheckSquares checks
    cdef Histories histories

    if depth <= 0:
        return quiesce(w, alpha, beta, ply, True)
    depth = min(depth, MAX_DEPTH)
    w.pv_length[ply] = 0
    if stopped(w):
        return 0
    w.nodes += 1
    if ply > w.seldepth:
        w.seldepth = ply
    if is_repetition(pos, w.root_ply) or is_dead(pos):
        return 0
    if pos.details.halfmove_clock >= 100:
        return -MATE_SCORE + ply if check and not has_legal_move(pos) else 0
    if ply >= MAX_PLY:
        return static_eval(pos, &w.cache)
    # No line from here can be better than mating, or worse than being mated, at once.
    alpha = max(alpha, -MATE_SCORE + ply)
    beta = min(beta, MATE_SCORE - ply - 1)
    if alpha >= beta:
        return alpha
    first_alpha = alpha

    found = not excluded and probe(w.shared.table, pos, &hit)
    table_pv = pv_node
    if found:
        table_move = hit.move
        table_pv = pv_node or hit.pv
        value = from_table(hit.score, ply)
        # Close to the fifty-move rule the same position may be worth less than it was.
        if not pv_node and hit.depth >= depth and cuts(&hit, value, alpha, beta) and pos.details.halfmove_clock < 90:
            if value >= beta and table_move and is_quiet(table_move):
                push_quiet(w, node, table_move, bonus_of(depth) // 2)
            return value

    (node + 2).killers[0] = 0
    (node + 2).killers[1] = 0
    (node + 2).cuts = 0
    improving = False
    if check:
        node.evaluation = NO_EVAL
    else:
        if excluded:
            raw = evaluation = node.evaluation
        else:
            if not found and not pv_node and depth <= 8 and not exhaustive and beta > -MATE_IN_MAX:
                # Reverse futility as below, where a guess is enough.
                score = guess(pos, node)
                if is_above(pos, score, beta + PLENTY * depth):
                    node.evaluation = NO_EVAL
                    return (score + beta) // 2
            raw = hit.evaluation if found and hit.evaluation != NO_EVAL else evaluate(w, node)
            evaluation = node.evaluation = corrected(w, node, raw)
            if not found:
                store(w.shared.table, pos.details.key, 0, 0, raw, 0, BOUND_NONE, table_pv)
            else:
                evaluation = better_guess(&hit, value, evaluation)
        if (node - 2).evaluation != NO_EVAL:
            improving = node.evaluation > (node - 2).evaluation
        elif (node - 4).evaluation != NO_EVAL:
            improving = node.evaluation > (node - 4).evaluation

    if not pv_node and not check and not excluded and not exhaustive:
        # Razoring: hopeless, unless a removal saves it.
        if depth <= 4 and evaluation + 150 + 150 * depth * depth < alpha < MATE_IN_MAX:
            score = quiesce(w, alpha, alpha + 1, ply, True)
            if score <= alpha:
                return score
        # Reverse futility: so good that a move more will not spoil it. Not where a main line has been, which a
        # quiet threat may decide.
        if not table_pv and depth <= 8 and evaluation - PLENTY * (depth - improving) >= beta and evaluation < MATE_IN_MAX and (
                beta > -MATE_IN_MAX):
            return (evaluation + beta) // 2
        if (node - 1).move and evaluation >= beta and node.evaluation >= beta + 120 - 20 * depth and (
                depth >= 2 and ply >= w.null_from and beta > -MATE_IN_MAX and has_pieces(pos, pos.turn)):
            node.raw = raw
            score = pass_turn(w, node, beta, depth, ply, evaluation, cut_node)
            if score >= beta or halted(w):
                return score
        if depth >= 5 and -MATE_IN_MAX < beta < MATE_IN_MAX - 200 and not (
                found and hit.depth >= depth - 3 and hit.bound & BOUND_UPPER and value < beta + 190):
            score = probcut(w, node, beta + 190 - 50 * improving, depth, ply, table_move, cut_node, raw)
            if score > -INFINITE_SCORE:
                return score

    # Internal iterative reduction: without a table move this node will be visited again, with one.
    if depth >= 4 and not table_move and (pv_node or cut_node) and not excluded and not exhaustive:
        depth -= 1

    # Of many pieces more quiet moves are worth a look.
    late = (4 + depth * depth) * max(1, popcount(occupied(pos)) // 10) // (2 - improving)
    find_check_squares(pos, &checks)
    find_histories(w, node, &histories)
    start(w, &picker, EVERYTHING, table_move, 0)
    while True:
        if likely(not again):
            move = pick(w, node, &picker)
            again = not move
        if not again:
            if move == excluded:
                continue
            count += 1
            number = count
        elif deferred_at < deferred_count:
            move = deferred[deferred_at]
            number = deferred_numbers[deferred_at]
            deferred_at += 1
        else:
            break
        quiet = is_quiet(move)
        gives = checks_by(pos, &checks, move)
        if unlikely(MATE_SCORE - alpha - ply <= 3) and not gives:
            # Only a mate on the spot would do.
            best = max(best, alpha)
            continue
        new_depth = depth - 1
        reduction = REDUCTIONS[min(depth, 63)][min(number, 63)]
        history = quiet_history(&histories, pos, move) if quiet else removal_entry(w, move)[0]

        if best > -MATE_IN_MAX and not exhaustive and not again:
            reduced = max(0, new_depth - reduction // 1024)
            if quiet:
                # Late-move pruning.
                if count >= late:
                    picker.skip_quiets = True
                if not gives:
                    if reduced <= 6 and history < -4000 * depth:
                        continue
                    # Futility pruning.
                    if not check and alpha < MATE_IN_MAX and reduced <= 8 and (
                            node.evaluation + 110 + 90 * reduced + history // 128 <= alpha):
                        continue
                if not is_safe(pos, move, &picker.watched) and not see_ge(pos, move, -22 * reduced * reduced):
                    continue
            else:
                if not gives and not check and reduced <= 6 and alpha < MATE_IN_MAX and (
                        node.evaluation + 220 + 200 * reduced + move_gain(pos, move) <= alpha):
                    continue
                if not see_ge(pos, move, -90 * depth):
                    continue

        busy = busy_key(pos, move) if shares and count > 1 else 0
        if unlikely(busy != 0):
            if not again and deferred_count < TRIED and is_busy(w.shared, busy):
                deferred[deferred_count] = move
                deferred_numbers[deferred_count] = number
                deferred_count += 1
                continue

        extension = 0
        if not exhaustive and ply < 2 * w.root_depth:
            if unlikely(move == table_move) and not excluded and depth >= 6 + pv_node and hit.depth >= depth - 3 and (
                    hit.bound & BOUND_LOWER and -MATE_IN_MAX < value < MATE_IN_MAX):
                # Singular extension: nothing else comes near to the table's move.
                score = value - 2 * depth
                node.excluded = move
                reduced = search(w, score - 1, score, new_depth // 2, ply, cut_node)
                node.excluded = 0
                if halted(w):
                    return 0
                if reduced < score:
                    extension = 1
                    if not pv_node and reduced < score - 20 and node.extensions <= 6:
                        extension = 2
                elif score >= beta:
                    # Multi-cut: a second move fails high, too.
                    finish(w, &picker)
                    return score
                elif value >= beta:
                    extension = -2
                elif cut_node:
                    extension = -1
            elif gives and see_ge(pos, move, 0):
                extension = 1
        new_depth += extension

        if unlikely(busy != 0):
            set_busy(w.shared, busy)
        go_on(w, node, move, gives, extension == 2)
        if depth >= 2 and count > 1 + pv_node and not exhaustive:
            if cut_node:
                reduction += 1024 + (0 if table_move else 512)
            if table_pv:
                reduction -= 1024
            if not improving:
                reduction += 512
            if (node + 1).cuts > 3:
                reduction += 768
            if table_move and quiet and not is_quiet(table_move):
                reduction += 512
            if gives or check:
                reduction -= 768
            if move == node.killers[0] or move == node.killers[1]:
                reduction -= 1024
            reduction -= history // 10
            if not quiet:
                reduction -= 512
            reduced = max(1, min(new_depth, new_depth - reduction // 1024))
            score = -search(w, -alpha - 1, -alpha, reduced, ply + 1, True)
            if score > alpha and reduced < new_depth:
                # What did better than expected is looked at longer, what barely did, shorter.
                if score > best + 70 and best > -INFINITE_SCORE:
                    new_depth += 1
                elif score < best + 10:
                    new_depth -= 1
                if reduced < new_depth:
                    score = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
        elif not pv_node or count > 1:
            score = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
        else:
            score = alpha + 1
        if pv_node and (count == 1 or score > alpha):
            score = -search(w, -beta, -alpha, new_depth, ply + 1, False)
        unmake_move(pos)
        if unlikely(busy != 0):
            set_free(w.shared, busy)
        if unlikely(halted(w)):
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                if pv_node:
                    keep_pv(w, ply, move)
                if score >= beta:
                    node.cuts += 1
                    break
                alpha = score
        if move != best_move:
            if quiet:
                if quiet_count < TRIED:
                    quiets[quiet_count] = move
                    quiet_count += 1
            elif removal_count < TRIED:
                removals[removal_count] = move
                removal_count += 1
    finish(w, &picker)

    if not count:
        return alpha if excluded else -MATE_SCORE + ply if check else 0
    if best >= beta:
        reward(w, node, best_move, depth + (best > beta + 80), quiets, quiet_count, removals, removal_count)
    if excluded:
        return best
    bound = BOUND_LOWER if best >= beta else BOUND_EXACT if best > first_alpha and pv_node else BOUND_UPPER
    store(w.shared.table, pos.details.key, best_move, to_table(best, ply), raw, depth, bound, table_pv)
    if not check and (not best_move or is_quiet(best_move)) and not (
            bound == BOUND_LOWER and best <= node.evaluation) and not (bound == BOUND_UPPER and best >= node.evaluation):
        correct(w, node, depth, best - node.evaluation)
    return best


cdef int pass_turn(Worker* w, Node* node, int beta, int depth, int ply, int evaluation, bint cut_node) noexcept nogil:
    """Null move: if even passing keeps the score above beta, so will a move. Below beta if it does not.

    Where passing may be a gift, with few pieces or at high depth, a search without it must confirm the cut.
    """
    cdef int reduced = depth - 4 - depth // 4 - min(3, (evaluation - beta) // 180), score
    enter(w, node, 0)
    node.gain = 0
    make_null(w.pos)
    prefetch(w.shared.table, w.pos.details.key)
    (node + 1).check = False
    (node + 1).extensions = node.extensions
    score = -search(w, -beta, -beta + 1, reduced, ply + 1, not cut_node)
    unmake_null(w.pos)
    if halted(w) or score < beta:
        return score
    if score >= MATE_IN_MAX:
        score = beta
    if w.null_from or depth < 12:
        return score
    w.null_from = ply + 3 * reduced // 4
    evaluation = search(w, beta - 1, beta, reduced, ply, False)
    w.null_from = 0
    return score if evaluation >= beta else beta - 1


cdef int probcut(Worker* w, Node* node, int goal, int depth, int ply, move_t first, bint cut_node, int raw) noexcept nogil:
    """ProbCut: a removal that a shallow search puts well above beta. -INFINITE_SCORE if there is none."""
    cdef Pos* pos = w.pos
    cdef Picker picker
    cdef move_t move
    cdef int score, need = goal - node.evaluation
    if first and (is_quiet(first) or not see_ge(pos, first, need)):
        first = 0
    start(w, &picker, WINNING_REMOVALS, first, need)
    while True:
        move = pick(w, node, &picker)
        if not move:
            break
        go_on(w, node, move, gives_check(pos, move), False)
        score = -quiesce(w, -goal, -goal + 1, ply + 1, False)
        if score >= goal:
            score = -search(w, -goal, -goal + 1, depth - 4, ply + 1, not cut_node)
        unmake_move(pos)
        if halted(w):
            return 0
        if score >= goal:
            finish(w, &picker)
            store(w.shared.table, pos.details.key, move, to_table(score, ply), raw, depth - 3, BOUND_LOWER, False)
            return score
    finish(w, &picker)
    return -INFINITE_SCORE


cdef void reward(Worker* w, Node* node, move_t best, int depth, const move_t* quiets, int quiet_count,
                 const move_t* removals, int removal_count) noexcept nogil:
    """Reward the move that cut, and blame those tried before it."""
    cdef Pos* pos = w.pos
    cdef int bonus = bonus_of(depth), i
    cdef move_t last = (node - 1).move
    if is_quiet(best):
        if node.killers[0] != best:
            node.killers[1] = node.killers[0]
            node.killers[0] = best
        if last:
            w.counters[piece_index(pos.board[to_square(last)])][to_square(last)] = best
        push_quiet(w, node, best, bonus)
        for i in range(quiet_count):
            push_quiet(w, node, quiets[i], -bonus)
    else:
        push(removal_entry(w, best), bonus)
    for i in range(removal_count):
        push(removal_entry(w, removals[i]), -bonus)
