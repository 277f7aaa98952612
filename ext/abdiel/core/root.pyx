"""The root: its moves, their lines, and aspiration windows (https://www.chessprogramming.org/Aspiration_Windows)."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from abdiel.core.history cimport node_at
from abdiel.core.search cimport REDUCTIONS, go_on, search
from abdiel.core.state cimport Pos, gives_check, in_check, is_quiet, unmake_move
from abdiel.core.tt cimport NO_EVAL
from abdiel.core.worker cimport (
    INFINITE_SCORE, LOOK_BACK, MATE_IN_MAX, MAX_PLY, Node, RootMove, Worker, halted,
)


cdef int search_root(Worker* w, int alpha, int beta, int depth) noexcept nogil:
    """Search the root moves from pv_index on; their scores and lines are kept in `root`."""
    cdef Pos* pos = w.pos
    cdef Node* node = node_at(w, 0)
    cdef int best = -INFINITE_SCORE, score, i, reduced, reduction
    cdef uint64_t before
    cdef bint gives
    cdef RootMove* root
    w.top = 0
    w.pv_length[0] = 0
    for i in range(w.pv_index, w.root_count):
        w.root[i].score = -INFINITE_SCORE       # until it is searched
    for i in range(w.pv_index, w.root_count):
        root = &w.root[i]
        before = w.nodes
        gives = gives_check(pos, root.move)
        go_on(w, node, root.move, gives, False)
        reduced = depth - 1
        if i - w.pv_index >= 3 and depth >= 3 and not w.shared.exhaustive and is_quiet(root.move) and not gives:
            reduction = REDUCTIONS[min(depth, 63)][min(i - w.pv_index, 63)] // 1024 - 1
            reduced = max(1, min(reduced, reduced - reduction))
        if i > w.pv_index:
            score = -search(w, -alpha - 1, -alpha, reduced, 1, True)
            if score > alpha and reduced < depth - 1:
                score = -search(w, -alpha - 1, -alpha, depth - 1, 1, False)
        else:
            score = alpha + 1
        if score > alpha:
            score = -search(w, -beta, -alpha, depth - 1, 1, False)
        unmake_move(pos)
        root.nodes += w.nodes - before
        if halted(w):
            break
        if i == w.pv_index or score > alpha:
            root.score = score
            root.seldepth = w.seldepth
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


cdef void open_window(Worker* w, Window* window, int depth) noexcept nogil:
    cdef int i, score
    if not w.pv_index:
        for i in range(w.root_count):
            w.root[i].previous = w.root[i].score
    w.seldepth = 0
    w.root_depth = depth
    score = w.root[w.pv_index].previous
    window.alpha = -INFINITE_SCORE
    window.beta = INFINITE_SCORE
    window.width = 14 + score * score // 20000
    window.fails = 0
    if depth >= 5 and abs(score) < MATE_IN_MAX and not w.shared.exhaustive:
        window.alpha = score - window.width
        window.beta = score + window.width


cdef bint try_window(Worker* w, Window* window, int depth) noexcept nogil:
    cdef int score = search_root(w, window.alpha, window.beta, max(1, depth - window.fails))
    sort_root(w, w.pv_index, w.root_count)
    if halted(w):
        return True
    if score <= window.alpha and window.alpha > -INFINITE_SCORE:
        window.beta = (window.alpha + window.beta) // 2
        window.alpha = score - window.width
        window.fails = 0
    elif score >= window.beta and window.beta < INFINITE_SCORE:
        window.beta = score + window.width
        window.fails = min(window.fails + 1, 3)
    else:
        return True
    window.width += window.width // 2 + 5
    if window.width > 800:
        window.alpha = -INFINITE_SCORE
        window.beta = INFINITE_SCORE
    return False


cdef void reset_worker(Worker* w) noexcept nogil:
    cdef int i
    w.nodes = 0
    w.next_check = 0
    w.null_from = 0
    w.overtaken = False
    w.top = 0
    w.seldepth = 0
    w.root_ply = w.pos.ply
    memset(w.line, 0, sizeof(w.line))
    for i in range(LOOK_BACK + 1):
        w.line[i].evaluation = w.line[i].raw = NO_EVAL
        w.line[i].replies = w.line[i].follow_ups = w.nothing
    node_at(w, 0).check = in_check(w.pos)


cdef void forget(Worker* w) noexcept nogil:
    memset(w.quiets, 0, <char*>(w + 1) - <char*>w.quiets)
