"""Iterative-deepening alpha-beta search; the strength issue replaces what is inside, the door stays.

Principal variation search with a transposition table, quiescence over removals, null move
(https://www.chessprogramming.org/Null_Move_Pruning), late-move reductions, ordering by table move, most valuable
victims, killers and history.
"""

import threading

from libc.math cimport log
from libc.stdint cimport int16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from abdiel.core.bitboard cimport PAWN, SQUARES
from abdiel.core.evaluate cimport PIECE_VALUES, free_cache, has_pieces, init_cache, removal_gain, static_eval
from abdiel.core.movegen cimport ALL_MOVES, MAX_MOVES, REMOVALS, generate, has_legal_move
from abdiel.core.position cimport Position
from abdiel.core.state cimport (
    REMOVAL, Pos, from_square, in_check, is_dead, is_repetition, make_move, make_null, move_t, promotion_type, reserve,
    to_square, unmake_move, unmake_null,
)
from abdiel.core.tt cimport (
    BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, Hit, Table, clear_table, free_table, hashfull, probe, resize_table, store,
)

cdef extern from *:
    """
    #define abdiel_load(p) __atomic_load_n((p), __ATOMIC_RELAXED)
    #define abdiel_store(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
    """
    int load_flag "abdiel_load" (int* flag) noexcept nogil
    void store_flag "abdiel_store" (int* flag, int value) noexcept nogil

MATE = MATE_SCORE

cdef enum:
    CHECK_INTERVAL = 256        # nodes between looks at the clock: well under a millisecond
    MAX_DEPTH = MAX_PLY - 8
    HISTORY_MAX = 8192
    MIN_HASH = 1                # MB

cdef int REDUCTIONS[64][64]     # [depth][move number]


cdef void fill_tables() noexcept nogil:
    cdef int depth, number
    for depth in range(1, 64):
        for number in range(1, 64):
            REDUCTIONS[depth][number] = <int>(0.5 + log(depth) * log(number) / 2.2)


fill_tables()


cdef uint64_t now() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <uint64_t>t.tv_sec * 1000 + t.tv_nsec // 1000000


cdef inline bint stopped(Worker* w) noexcept nogil:
    """Whether to leave the tree: asked at every node, and exact for a node limit."""
    if w.nodes >= w.next_check:
        look_at_limits(w)
    return load_flag(&w.stop) != 0


cdef void look_at_limits(Worker* w) noexcept nogil:
    if w.nodes >= w.node_limit:
        store_flag(&w.stop, True)
    elif w.hard_limit and not load_flag(&w.pondering) and now() - w.started >= w.hard_limit:
        store_flag(&w.stop, True)
    w.next_check = min(w.nodes + CHECK_INTERVAL, w.node_limit)


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


cdef inline bint is_noisy(move_t move) noexcept nogil:
    return (move & REMOVAL) != 0 or promotion_type(move) != 0


cdef void score_moves(Worker* w, int ply, int count, move_t first) noexcept nogil:
    cdef int i, gain
    cdef move_t move
    cdef Pos* pos = w.pos
    for i in range(count):
        move = w.moves[ply][i]
        if move == first:
            w.scores[ply][i] = 1 << 30
        elif is_noisy(move):
            gain = removal_gain(pos, move)
            # A cheap mover first among equal gains; what only loses goes behind the quiet moves.
            w.scores[ply][i] = (1 << 20 if gain > 0 else -(1 << 20)) + 16 * gain - PIECE_VALUES[
                pos.board[from_square(move)] & 15] // 16
        elif move == w.killers[ply][0]:
            w.scores[ply][i] = 1 << 18
        elif move == w.killers[ply][1]:
            w.scores[ply][i] = (1 << 18) - 1
        else:
            w.scores[ply][i] = w.history[pos.turn][from_square(move)][to_square(move)]


cdef inline move_t pick(Worker* w, int ply, int i, int count) noexcept nogil:
    """The best of the moves from `i` on, swapped to place `i`."""
    cdef int best = i, j
    cdef move_t* moves = w.moves[ply]
    cdef int* scores = w.scores[ply]
    for j in range(i + 1, count):
        if scores[j] > scores[best]:
            best = j
    moves[i], moves[best] = moves[best], moves[i]
    scores[i], scores[best] = scores[best], scores[i]
    return moves[i]


cdef inline void reward(int16_t* entry, int bonus) noexcept nogil:
    """Gravity keeps the value within HISTORY_MAX (https://www.chessprogramming.org/History_Heuristic)."""
    entry[0] += bonus - entry[0] * abs(bonus) // HISTORY_MAX


cdef inline void keep_pv(Worker* w, int ply, move_t move) noexcept nogil:
    cdef int i
    w.pv[ply][0] = move
    for i in range(w.pv_length[ply + 1]):
        w.pv[ply][i + 1] = w.pv[ply + 1][i]
    w.pv_length[ply] = w.pv_length[ply + 1] + 1


cdef int quiesce(Worker* w, int alpha, int beta, int ply) noexcept nogil:
    cdef Pos* pos = w.pos
    cdef int best, score, count, i, start = alpha
    cdef bint check
    cdef move_t move, first = 0, best_move = 0
    cdef Hit hit
    w.pv_length[ply] = 0
    if stopped(w):
        return 0
    w.nodes += 1
    if ply > w.seldepth:
        w.seldepth = ply
    if is_dead(pos):
        return 0
    if ply >= MAX_PLY:
        return static_eval(pos, &w.cache)
    if probe(w.table, pos.details.key, &hit) and (hit.current or not w.exhaustive):
        first = hit.move
        score = from_table(hit.score, ply)
        if beta - alpha == 1 and (hit.bound == BOUND_EXACT or (hit.bound == BOUND_LOWER and score >= beta)
                                  or (hit.bound == BOUND_UPPER and score <= alpha)):
            return score
    check = in_check(pos)
    if check:
        best = -MATE_SCORE + ply
        count = generate(pos, w.moves[ply], ALL_MOVES)
        if not count:
            return best
        if pos.details.halfmove_clock >= 100 or is_repetition(pos, w.root_ply):
            return 0
    else:
        if pos.details.halfmove_clock >= 100:
            return 0
        best = static_eval(pos, &w.cache)
        if best >= beta:
            return best
        if best > alpha:
            alpha = best
        count = generate(pos, w.moves[ply], REMOVALS)
    score_moves(w, ply, count, first)
    for i in range(count):
        move = pick(w, ply, i, count)
        if not check and w.scores[ply][i] < 0:
            break
        make_move(pos, move)
        score = -quiesce(w, -beta, -alpha, ply + 1)
        unmake_move(pos)
        if load_flag(&w.stop):
            return 0
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_move = move
                keep_pv(w, ply, move)
                if score >= beta:
                    break
    store(w.table, pos.details.key, best_move, to_table(best, ply), 0,
          BOUND_LOWER if best >= beta else BOUND_EXACT if best > start and check else BOUND_UPPER if best <= start
          else BOUND_LOWER)
    return best


cdef int search(Worker* w, int alpha, int beta, int depth, int ply, bint null_allowed) noexcept nogil:
    cdef Pos* pos = w.pos
    cdef bint check, pv_node = beta - alpha > 1, quiet, gives
    cdef int best = -INFINITE_SCORE, score, count, i, j, evaluation, reduction, new_depth, start = alpha
    cdef move_t move, first = 0, best_move = 0
    cdef Hit hit

    w.pv_length[ply] = 0
    if depth <= 0:
        return quiesce(w, alpha, beta, ply)
    if stopped(w):
        return 0
    w.nodes += 1
    if ply > w.seldepth:
        w.seldepth = ply
    check = in_check(pos)
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

    if probe(w.table, pos.details.key, &hit) and (hit.current or not w.exhaustive):
        first = hit.move
        score = from_table(hit.score, ply)
        if not pv_node and hit.depth >= depth and (
                hit.bound == BOUND_EXACT or (hit.bound == BOUND_LOWER and score >= beta)
                or (hit.bound == BOUND_UPPER and score <= alpha)):
            return score

    if check:
        # A mate search counts its plies exactly.
        depth += not w.exhaustive
    elif not pv_node and not w.exhaustive and null_allowed and depth >= 3 and beta < MATE_IN_MAX and has_pieces(
            pos, pos.turn):
        evaluation = static_eval(pos, &w.cache)
        if evaluation >= beta:
            make_null(pos)
            score = -search(w, -beta, -beta + 1, depth - 3 - depth // 4, ply + 1, False)
            unmake_null(pos)
            if load_flag(&w.stop):
                return 0
            if score >= beta:
                return beta if score >= MATE_IN_MAX else score

    count = generate(pos, w.moves[ply], ALL_MOVES)
    if not count:
        return -MATE_SCORE + ply if check else 0
    score_moves(w, ply, count, first)
    w.killers[ply + 1][0] = 0
    w.killers[ply + 1][1] = 0
    for i in range(count):
        move = pick(w, ply, i, count)
        quiet = not is_noisy(move)
        new_depth = depth - 1
        reduction = 0
        make_move(pos, move)
        if depth >= 3 and i >= 3 + 2 * pv_node and (quiet or w.scores[ply][i] < 0) and not check and not w.exhaustive:
            gives = in_check(pos)
            if not gives:
                reduction = REDUCTIONS[min(depth, 63)][min(i, 63)]
                if w.scores[ply][i] > HISTORY_MAX // 2:
                    reduction -= 1
                reduction = max(0, min(reduction, new_depth - 1))
        if i == 0:
            score = -search(w, -beta, -alpha, new_depth, ply + 1, True)
        else:
            score = -search(w, -alpha - 1, -alpha, new_depth - reduction, ply + 1, True)
            if score > alpha and reduction:
                score = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, True)
            if alpha < score < beta:
                score = -search(w, -beta, -alpha, new_depth, ply + 1, True)
        unmake_move(pos)
        if load_flag(&w.stop):
            return 0
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_move = move
                keep_pv(w, ply, move)
                if score >= beta:
                    if quiet:
                        if w.killers[ply][0] != move:
                            w.killers[ply][1] = w.killers[ply][0]
                            w.killers[ply][0] = move
                        reward_quiets(w, ply, i, depth)
                    break
    store(w.table, pos.details.key, best_move, to_table(best, ply), min(depth, 255),
          BOUND_LOWER if best >= beta else BOUND_EXACT if best > start else BOUND_UPPER)
    return best


cdef void reward_quiets(Worker* w, int ply, int cut, int depth) noexcept nogil:
    """Reward the quiet move that cut, and blame those tried before it."""
    cdef int bonus = min(depth * depth, 400), i
    cdef move_t move
    for i in range(cut + 1):
        move = w.moves[ply][i]
        if not is_noisy(move):
            reward(&w.history[w.pos.turn][from_square(move)][to_square(move)], bonus if i == cut else -bonus)


cdef int search_root(Worker* w, int alpha, int beta, int depth) noexcept nogil:
    """Search the root moves from pv_index on; their scores and lines are kept in `root`."""
    cdef Pos* pos = w.pos
    cdef int best = -INFINITE_SCORE, score, i
    cdef RootMove* root
    for i in range(w.pv_index, w.root_count):
        w.root[i].score = -INFINITE_SCORE       # until it is searched
    for i in range(w.pv_index, w.root_count):
        root = &w.root[i]
        make_move(pos, root.move)
        if i == w.pv_index:
            score = -search(w, -beta, -alpha, depth - 1, 1, True)
        else:
            score = -search(w, -alpha - 1, -alpha, depth - 1, 1, True)
            if alpha < score < beta:
                score = -search(w, -beta, -alpha, depth - 1, 1, True)
        unmake_move(pos)
        if load_flag(&w.stop):
            break
        if i == w.pv_index or score > alpha:
            root.score = score
            keep_root_pv(w, root)
        if score > best:
            best = score
            alpha = max(alpha, score)
            if score >= beta:
                break
    return best


cdef void keep_root_pv(Worker* w, RootMove* root) noexcept nogil:
    cdef int i
    root.pv[0] = root.move
    for i in range(min(w.pv_length[1], MAX_PLY - 1)):
        root.pv[i + 1] = w.pv[1][i]
    root.pv_length = min(w.pv_length[1], MAX_PLY - 1) + 1


cdef void sort_root(Worker* w, int first, int end) noexcept nogil:
    """Stable insertion sort by score, then by the score of the iteration before."""
    cdef int i, j
    cdef RootMove held
    for i in range(first + 1, end):
        j = i
        while j > first and (w.root[j].score > w.root[j - 1].score
                             or (w.root[j].score == w.root[j - 1].score and w.root[j].previous > w.root[j - 1].previous)):
            held = w.root[j]
            w.root[j] = w.root[j - 1]
            w.root[j - 1] = held
            j -= 1


cdef class Searcher:
    """A transposition table and the one search that may run on it at a time."""

    cdef Worker* worker
    cdef Table table
    cdef object wake            # set when a waiting search has to look at its flags
    cdef bint prepared
    cdef uint64_t began         # ms; ponderhit starts the clock anew, but not this

    def __cinit__(self):
        memset(&self.table, 0, sizeof(self.table))
        self.worker = <Worker*>calloc(1, sizeof(Worker))
        if self.worker == NULL or not init_cache(&self.worker.cache):
            raise MemoryError("no memory for the search")

    def __dealloc__(self):
        free_table(&self.table)
        if self.worker != NULL:
            free_cache(&self.worker.cache)
        free(self.worker)

    def __init__(self, int hash_mb=16):
        self.wake = threading.Event()
        self.worker.table = &self.table
        self.resize(hash_mb)

    def resize(self, int hash_mb):
        """Replace the table by an empty one of `hash_mb` MB. Raises MemoryError, and keeps it, if that is too much."""
        if hash_mb < MIN_HASH:
            raise ValueError(f"hash: found {hash_mb} MB, expected at least {MIN_HASH}")
        if not resize_table(&self.table, hash_mb):
            raise MemoryError(f"hash: the system has no {hash_mb} MB of memory")

    def clear(self):
        """Forget everything that earlier searches learned."""
        clear_table(&self.table)
        memset(self.worker.history, 0, sizeof(self.worker.history))
        memset(self.worker.killers, 0, sizeof(self.worker.killers))

    def prepare(self, *, bint ponder=False):
        """Take the flags of an earlier search down: `stop` and `ponderhit` from now on mean the next one, whose time
        counts from here.

        A `search` that was not prepared does this itself when it begins.
        """
        store_flag(&self.worker.stop, False)
        store_flag(&self.worker.asked, False)
        store_flag(&self.worker.pondering, ponder)
        self.wake.clear()
        self.began = self.worker.started = now()
        self.prepared = True

    def stop(self):
        """End the search as soon as possible; it still returns its best move. From any thread."""
        store_flag(&self.worker.asked, True)
        store_flag(&self.worker.stop, True)
        self.wake.set()

    def ponderhit(self):
        """The pondered move was played: the clock runs from now on. From any thread."""
        self.worker.started = now()
        store_flag(&self.worker.pondering, False)
        self.wake.set()

    @property
    def nodes(self):
        return self.worker.nodes

    def search(self, Position position, *, int depth=0, uint64_t nodes=0, int mate=0, movetime=0, time_left=0,
               increment=0, int movestogo=0, overhead=10, bint infinite=False, bint ponder=False, searchmoves=(),
               int multipv=1, on_info=None):
        """Search and return (best move, expected reply), 0 for none; blocks and leaves the GIL while it thinks.

        Times are milliseconds and 0 stands for "not given", of `depth`, `nodes`, `mate` and `movestogo` as well;
        `time_left` and `increment` are those of the side to move. With `infinite` or `ponder` it does not return
        before `stop`, or `ponderhit` and what limits there are. After each finished iteration `on_info` gets, for each of
        the `multipv` best lines, (depth, seldepth, line from 1, score, bound, nodes, ms, hashfull per mille, moves);
        bound is 0 exact, 1 lower, 2 upper; score centipawns, or MATE less the plies to mate.
        """
        cdef Worker* w = self.worker
        cdef Position own = position.copy()
        cdef int i, limit, lines, iteration, alpha, beta, window, score, changes = 0
        cdef uint64_t soft = 0
        cdef move_t best = 0
        if not self.prepared:
            self.prepare(ponder=ponder)
        self.prepared = False
        if not reserve(&own.pos, MAX_PLY + 8):
            raise MemoryError("no memory for the list of moves made")
        w.pos = &own.pos
        w.root_ply = own.pos.ply
        w.exhaustive = mate > 0
        w.nodes = 0
        w.node_limit = nodes if nodes else ~<uint64_t>0
        w.next_check = 0
        w.hard_limit = 0
        self.table.generation = (self.table.generation + 1) & 255
        if movetime:
            w.hard_limit = max(1, movetime - min(overhead, movetime // 2))
        elif time_left:
            soft, hard = budget(time_left, increment, movestogo, overhead)
            w.hard_limit = hard
        limit = min(depth if depth > 0 else MAX_DEPTH, MAX_DEPTH)
        if mate > 0:
            # A mate in n is 2n - 1 plies; nothing is pruned, so a search that deep finds it or there is none.
            limit = min(limit, 2 * mate - 1)

        self.fill_root(searchmoves)
        lines = min(max(multipv, 1), w.root_count)
        if not w.root_count:
            if on_info is not None:
                on_info((0, 0, 1, -MATE if in_check(w.pos) else 0, 0, 0, 0, 0, []))
            self.wait(infinite)
            return 0, 0

        for iteration in range(1, limit + 1):
            for i in range(w.root_count):
                w.root[i].previous = w.root[i].score
            for w.pv_index in range(lines):
                w.seldepth = 0
                window = 25
                score = w.root[w.pv_index].previous
                alpha = -INFINITE_SCORE
                beta = INFINITE_SCORE
                if iteration >= 5 and abs(score) < MATE_IN_MAX:
                    alpha = score - window
                    beta = score + window
                while True:
                    with nogil:
                        score = search_root(w, alpha, beta, iteration)
                        sort_root(w, w.pv_index, w.root_count)
                    if load_flag(&w.stop):
                        break
                    window *= 3
                    if score <= alpha and alpha > -INFINITE_SCORE:
                        alpha = score - window if window < 1000 else -INFINITE_SCORE
                    elif score >= beta and beta < INFINITE_SCORE:
                        beta = score + window if window < 1000 else INFINITE_SCORE
                    else:
                        break
                if load_flag(&w.stop):
                    break
                sort_root(w, 0, w.pv_index + 1)
            if load_flag(&w.stop):
                break
            if best and w.root[0].move != best:
                changes += 1
            best = w.root[0].move
            self.report(on_info, iteration, lines)
            if load_flag(&w.stop):
                break
            if not load_flag(&w.pondering) and not infinite:
                if mate > 0 and w.root[0].score >= MATE_SCORE - 2 * mate:
                    break
                if soft and (w.root_count == 1 or now() - w.started >= soft * min(2 + changes, 4) // 4):
                    break
                # Searched well past the mate it ends in, a game's move needs no further proof.
                if soft and abs(w.root[0].score) >= MATE_IN_MAX and iteration >= MATE_SCORE - abs(w.root[0].score) + 4:
                    break
            changes = changes // 2 if iteration % 2 else changes
        if not best:
            # Stopped inside the first iteration: the best move searched, or the first by move ordering.
            best = w.root[0].move
            if w.root[0].score == -INFINITE_SCORE:
                w.root[0].score = static_eval(w.pos, &w.cache)
            self.report(on_info, 0, 1)
        self.wait(infinite)
        for i in range(w.root_count):
            if w.root[i].move == best:
                return best, w.root[i].pv[1] if w.root[i].pv_length > 1 else 0
        return best, 0

    cdef fill_root(self, searchmoves):
        """The legal moves, or those of them in `searchmoves`, in the order of a first shallow look."""
        cdef Worker* w = self.worker
        cdef int count = generate(w.pos, w.moves[0], ALL_MOVES), i
        wanted = set(searchmoves)
        w.root_count = 0
        score_moves(w, 0, count, 0)
        for i in range(count):
            pick(w, 0, i, count)
            if wanted and w.moves[0][i] not in wanted:
                continue
            memset(&w.root[w.root_count], 0, sizeof(w.root[0]))
            w.root[w.root_count].move = w.moves[0][i]
            w.root[w.root_count].pv[0] = w.moves[0][i]
            w.root[w.root_count].pv_length = 1
            w.root_count += 1

    cdef wait(self, bint infinite):
        """Hold the answer back while the rules of `infinite` and `ponder` ask for it."""
        while not load_flag(&self.worker.asked) and (infinite or load_flag(&self.worker.pondering)):
            self.wake.wait()
            self.wake.clear()

    cdef report(self, on_info, int depth, int lines):
        cdef Worker* w = self.worker
        cdef int line, i
        if on_info is None:
            return
        elapsed = now() - self.began
        for line in range(lines):
            moves = [w.root[line].pv[i] for i in range(w.root[line].pv_length)]
            on_info((depth, w.seldepth, line + 1, w.root[line].score, 0, w.nodes, elapsed, hashfull(&self.table), moves))


def budget(time_left, increment, movestogo, overhead):
    """Milliseconds for a move: (what to aim at, what never to exceed).

    The overhead is charged for every move that is still to come, not only for this one: with increments about as
    long as the delay of a busy machine, a clock would otherwise run down to nothing and never recover.
    """
    moves = min(movestogo, 40) if movestogo > 0 else 30
    usable = max(1, time_left + increment * (moves - 1) - overhead * (moves + 1))
    reserve = (0.75 if moves > 1 else 0.9) * time_left - overhead
    aim = max(1, min(usable / moves, 0.6 * reserve))
    return int(aim), int(max(1, min(4 * aim, reserve)))
