"""The search's face to Python: iterative deepening, limits, clock, lines, and the threads of one search."""

import threading

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from abdiel.core.bitboard cimport splitmix64
from abdiel.core.evaluate cimport free_cache, init_cache, static_eval
from abdiel.core.history cimport node_at
from abdiel.core.memory cimport map_block, unmap_block
from abdiel.core.movegen cimport ALL_MOVES, generate
from abdiel.core.movepick cimport score_all
from abdiel.core.position cimport Position
from abdiel.core.root cimport Window, forget, open_window, reset_worker, sort_root, try_window
from abdiel.core.search cimport now
from abdiel.core.state cimport in_check, make_move, move_t, reserve, unmake_move
from abdiel.core.tt cimport Hit, Table, clear_table, free_table, hashfull, new_generation, probe, resize_table
from abdiel.core.worker cimport (
    INFINITE_SCORE, MATE_IN_MAX, MATE_SCORE, MAX_DEPTH, MAX_PLY, RootMove, Shared, Worker, load_flag, lock, store_flag,
    unlock,
)

MATE = MATE_SCORE
FULL_SKILL = 20.0

cdef enum:
    MIN_HASH = 1                # MB
    SKILL_LINES = 5             # moves among which weak play chooses
    HURRIED_NODES = 200         # a fraction of a millisecond
    EXACT = 0                   # bounds as reports name them
    LOWER = 1
    UPPER = 2
    BOUNDS_AFTER = 3000         # ms before which nobody wants to read about bounds
    LOOK_MS = 10                # a search that is shorter does not tell its end


cdef void help_out(Worker* w, int lead) noexcept nogil:
    """Deepen on a thread of its own until the search is stopped: for the table's sake (Lazy SMP), and for the iterations
    that it finishes before the first thread does.

    It stays `lead` plies ahead of the first thread, which then finds more in the table than it would beside it.
    """
    cdef int depth = min(1 + lead, w.shared.depth_limit)
    cdef Window window
    while True:
        open_window(w, &window, depth)
        while not try_window(w, &window, depth):
            pass
        if load_flag(&w.shared.stop):
            return
        publish(w, depth)
        depth = max(depth + 1, load_flag(&w.shared.workers[0].root_depth)) + lead
        depth = min(depth, w.shared.depth_limit)


cdef void publish(Worker* w, int depth) noexcept nogil:
    lock(&w.shared.finished_lock)
    if depth > w.shared.finished:
        memcpy(w.shared.finished_root, w.root, w.root_count * sizeof(RootMove))
        store_flag(&w.shared.finished, depth)
    unlock(&w.shared.finished_lock)


cdef int adopt(Worker* w) noexcept nogil:
    """Take over what a helper has finished; returns its depth."""
    cdef int depth
    lock(&w.shared.finished_lock)
    memcpy(w.root, w.shared.finished_root, w.root_count * sizeof(RootMove))
    depth = w.shared.finished
    unlock(&w.shared.finished_lock)
    w.overtaken = False
    return depth


cdef class Searcher:
    """A transposition table and the one search that may run on it at a time."""

    cdef Shared shared
    cdef Table table
    cdef Worker** workers
    cdef object wake            # set when a waiting search has to look at its flags
    cdef bint prepared
    cdef uint64_t began         # ms; ponderhit starts the clock anew, but not this
    cdef uint64_t seed          # of weak play; another one each game
    cdef list told              # what was reported last of each line

    def __cinit__(self):
        memset(&self.table, 0, sizeof(self.table))
        memset(&self.shared, 0, sizeof(self.shared))
        self.workers = NULL
        self.shared.table = &self.table

    def __dealloc__(self):
        self.free_workers(self.workers, self.shared.threads)
        free_table(&self.table)

    def __init__(self, int hash_mb=16, int threads=1):
        self.wake = threading.Event()
        self.resize(hash_mb)
        self.set_threads(threads)

    cdef free_workers(self, Worker** workers, int count):
        cdef int i
        if workers == NULL:
            return
        for i in range(count):
            if workers[i] != NULL:
                free_cache(&workers[i].cache)
                unmap_block(workers[i], sizeof(Worker))
        free(workers)

    def set_threads(self, int threads):
        """Search with that many threads. Raises MemoryError, and keeps those there are, if there is no room."""
        cdef int i
        if threads < 1:
            raise ValueError(f"threads: found {threads}, expected at least 1")
        cdef Worker** workers = <Worker**>calloc(threads, sizeof(Worker*))
        if workers == NULL:
            raise MemoryError(f"no memory for {threads} search threads")
        for i in range(threads):
            workers[i] = <Worker*>map_block(sizeof(Worker))
            if workers[i] == NULL or not init_cache(&workers[i].cache):
                self.free_workers(workers, threads)
                raise MemoryError(f"no memory for {threads} search threads")
            workers[i].shared = &self.shared
            workers[i].leads = i == 0
        self.free_workers(self.workers, self.shared.threads)
        self.workers = self.shared.workers = workers
        self.shared.threads = threads

    def resize(self, int hash_mb):
        """Replace the table by an empty one of `hash_mb` MB. Raises MemoryError, and keeps it, if that is too much."""
        if hash_mb < MIN_HASH:
            raise ValueError(f"hash: found {hash_mb} MB, expected at least {MIN_HASH}")
        if not resize_table(&self.table, hash_mb):
            raise MemoryError(f"hash: the system has no {hash_mb} MB of memory")

    def clear(self):
        """Forget everything that earlier searches learned."""
        cdef int i
        splitmix64(&self.seed)
        clear_table(&self.table)
        for i in range(self.shared.threads):
            forget(self.workers[i])

    def prepare(self, *, bint ponder=False):
        """Take the flags of an earlier search down: `stop` and `ponderhit` from now on mean the next one, whose time
        counts from here.

        A `search` that was not prepared does this itself when it begins.
        """
        store_flag(&self.shared.stop, False)
        store_flag(&self.shared.asked, False)
        store_flag(&self.shared.pondering, ponder)
        self.wake.clear()
        self.began = self.shared.started = now()
        self.prepared = True

    def stop(self):
        """End the search as soon as possible; it still returns its best move. From any thread."""
        store_flag(&self.shared.asked, True)
        store_flag(&self.shared.stop, True)
        self.wake.set()

    def ponderhit(self):
        """The pondered move was played: the clock runs from now on. From any thread."""
        self.shared.started = now()
        store_flag(&self.shared.pondering, False)
        self.wake.set()

    @property
    def nodes(self):
        cdef int i
        return sum([self.workers[i].nodes for i in range(self.shared.threads)])

    def search(self, Position position, *, int depth=0, uint64_t nodes=0, int mate=0, movetime=0, time_left=0,
               increment=0, int movestogo=0, overhead=10, bint infinite=False, bint ponder=False, searchmoves=(),
               int multipv=1, double skill=FULL_SKILL, on_info=None):
        """Search and return (best move, expected reply), 0 for none; blocks and leaves the GIL while it thinks.

        Times are milliseconds and 0 stands for "not given", of `depth`, `nodes`, `mate` and `movestogo` as well;
        `time_left` and `increment` are those of the side to move. With `infinite` or `ponder` it does not return
        before `stop`, or `ponderhit` and what limits there are. After each finished iteration `on_info` gets, for each of
        the `multipv` best lines, (depth, seldepth, line from 1, score, bound, nodes, ms, hashfull per mille, moves);
        bound is 0 exact, 1 lower, 2 upper; score centipawns, or MATE less the plies to mate. With less than FULL_SKILL
        (20, down to 0) it thinks as little and errs as much as weaker players do; see `Skill`.
        """
        cdef Worker* w = self.workers[0]
        cdef int i, limit, lines, told, iteration, line
        cdef Window window
        cdef Skill weakness = Skill(skill, position.key ^ self.seed) if skill < FULL_SKILL else None
        cdef move_t best = 0
        cdef Clock clock = None
        if not self.prepared:
            self.prepare(ponder=ponder)
        self.prepared = False
        self.shared.exhaustive = mate > 0
        self.shared.node_limit = nodes if nodes else ~<uint64_t>0
        self.shared.hard_limit = 0
        memset(self.shared.busy, 0, sizeof(self.shared.busy))
        new_generation(&self.table)
        if mate > 0:
            clear_table(&self.table)    # of what other searches pruned
        if movetime:
            self.shared.hard_limit = max(1, movetime - min(overhead, movetime // 2))
        elif time_left:
            clock = Clock(time_left, increment, movestogo, overhead)
            self.shared.hard_limit = clock.hard
            if time_left < (4 if increment > overhead else 15) * overhead:
                # A few delays of a busy machine away from losing: no more than a look, so that increments pile up,
                # which takes long where each is shorter than such a delay.
                self.shared.node_limit = min(self.shared.node_limit, <uint64_t>HURRIED_NODES)
        limit = min(depth if depth > 0 else MAX_DEPTH, MAX_DEPTH)
        if mate > 0:
            # A mate in n is 2n - 1 plies; nothing is pruned, so a search that deep finds it or there is none.
            limit = min(limit, 2 * mate - 1)

        positions = self.place(position)
        self.fill_root(searchmoves)
        told = min(max(multipv, 1), w.root_count)
        lines = told if weakness is None else min(max(told, SKILL_LINES), w.root_count)
        if not w.root_count:
            if on_info is not None:
                on_info((0, 0, 1, -MATE if in_check(w.pos) else 0, 0, 0, 0, 0, []))
            self.wait(infinite)
            return 0, 0
        ranked = []
        self.shared.depth_limit = limit
        self.shared.finished = self.shared.finished_lock = 0
        self.shared.adopts = self.shared.threads > 1 and lines == 1 and not mate
        helpers = self.start_helpers()
        iteration = 0
        cut_short = False
        try:
            while iteration < limit:
                iteration += 1
                for line in range(lines):
                    w.pv_index = line
                    with nogil:
                        open_window(w, &window, iteration)
                    while True:
                        with nogil:
                            done = try_window(w, &window, iteration)
                        if done:
                            break
                        if lines == 1 and now() - self.began >= BOUNDS_AFTER:
                            self.report(on_info, iteration, 1, LOWER if window.fails else UPPER)
                    if load_flag(&self.shared.stop):
                        break
                    if w.overtaken:
                        iteration = adopt(w)
                    sort_root(w, 0, line + 1)
                w.pv_index = 0
                if load_flag(&self.shared.stop):
                    cut_short = True
                    break
                best = w.root[0].move
                if weakness is not None:
                    ranked = [(w.root[i].move, w.root[i].score) for i in range(lines)]
                    if not mate:
                        # Not before: whoever has not compared the moves once cannot misjudge them.
                        self.shared.node_limit = min(self.shared.node_limit, weakness.nodes)
                        w.next_check = 0
                self.report(on_info, iteration, told, EXACT)
                if load_flag(&self.shared.stop):
                    break
                if clock is not None:
                    clock.iteration(best, w.root[0].score, w.root[0].nodes, w.nodes)
                if not load_flag(&self.shared.pondering) and not infinite:
                    if mate > 0 and w.root[0].score >= MATE_SCORE - 2 * mate:
                        break
                    if clock is not None and self.enough(clock, iteration):
                        break
        finally:
            store_flag(&self.shared.stop, True)
            for thread in helpers:
                thread.join()
        if not best:
            # Stopped inside the first iteration: the best move searched, or the first by move ordering.
            best = w.root[0].move
            if w.root[0].score == -INFINITE_SCORE:
                w.root[0].score = static_eval(w.pos, &w.cache)
            self.report(on_info, 0, 1, EXACT)
        elif weakness is not None:
            best = weakness.choose(ranked)
        elif lines == 1 and w.root[0].move != best and w.root[0].score > -INFINITE_SCORE:
            # The iteration that was cut short had found a better move.
            best = w.root[0].move
            self.report(on_info, iteration, 1, LOWER)
        elif cut_short and now() - self.began >= LOOK_MS:
            # Nothing new, but for the nodes of the iteration that was cut short.
            self.tell(on_info, self.told)
        self.wait(infinite)
        for i in range(w.root_count):
            if w.root[i].move == best:
                return best, w.root[i].pv[1] if w.root[i].pv_length > 1 else self.expected_reply(w, best)
        return best, 0

    cdef bint enough(self, Clock clock, int iteration):
        """Whether a game's move has been thought over: time, a single reply, or a mate searched well past its end."""
        cdef Worker* w = self.workers[0]
        if w.root_count == 1 or now() - self.shared.started >= clock.soft():
            return True
        return abs(w.root[0].score) >= MATE_IN_MAX and iteration >= MATE_SCORE - abs(w.root[0].score) + 4

    cdef move_t expected_reply(self, Worker* w, move_t move):
        """What the table has as the answer to `move`, for pondering."""
        cdef Hit hit
        cdef move_t reply = 0
        make_move(w.pos, move)
        if probe(&self.table, w.pos, &hit):
            reply = hit.move
        unmake_move(w.pos)
        return reply

    cdef place(self, Position position):
        """Give each worker a position of its own; they live as long as the list that is returned."""
        cdef int i
        cdef Position own
        positions = []
        for i in range(self.shared.threads):
            own = position.copy()
            if not reserve(&own.pos, MAX_PLY + 8):
                raise MemoryError("no memory for the list of moves made")
            positions.append(own)
            self.workers[i].pos = &own.pos
            reset_worker(self.workers[i])
        return positions

    cdef fill_root(self, searchmoves):
        """The legal moves, or those of them in `searchmoves`, in the order of a first shallow look."""
        cdef Worker* w = self.workers[0]
        cdef int count = generate(w.pos, w.moves, ALL_MOVES), i, j, place
        cdef RootMove* root
        wanted = set(searchmoves)
        w.root_count = 0
        score_all(w, node_at(w, 0), 0, count)
        for i in sorted(range(count), key=lambda i: -w.scores[i]):
            if wanted and w.moves[i] not in wanted:
                continue
            root = &w.root[w.root_count]
            memset(root, 0, sizeof(RootMove))
            root.score = -INFINITE_SCORE
            root.move = root.pv[0] = w.moves[i]
            root.pv_length = 1
            w.root_count += 1
        for j in range(1, self.shared.threads):
            self.workers[j].root_count = w.root_count
            self.workers[j].pv_index = 0
            for place in range(w.root_count):
                self.workers[j].root[place] = w.root[place]

    def _help(self, int index):
        with nogil:
            help_out(self.workers[index], index % 2)

    cdef start_helpers(self):
        cdef int i
        helpers = []
        for i in range(1, self.shared.threads):
            thread = threading.Thread(target=self._help, args=(i,), name=f"abdiel-helper-{i}", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                break       # the system has no more threads: search with those there are
            helpers.append(thread)
        return helpers

    cdef wait(self, bint infinite):
        """Hold the answer back while the rules of `infinite` and `ponder` ask for it."""
        while not load_flag(&self.shared.asked) and (infinite or load_flag(&self.shared.pondering)):
            self.wake.wait()
            self.wake.clear()

    cdef report(self, on_info, int depth, int lines, int bound):
        cdef Worker* w = self.workers[0]
        cdef int line, i
        if on_info is None:
            return
        self.told = []
        for line in range(lines):
            moves = [w.root[line].pv[i] for i in range(w.root[line].pv_length)]
            self.told.append(((depth, w.root[line].seldepth, line + 1, w.root[line].score, bound), moves))
        self.tell(on_info, self.told)

    cdef tell(self, on_info, list reports):
        if on_info is None:
            return
        elapsed = now() - self.began
        for facts, moves in reports:
            on_info((*facts, self.nodes, elapsed, hashfull(&self.table), moves))


cdef class Skill:
    """Weak play: few nodes, so that deeper tactics are missed, and a liking for moves that are not quite the best.

    Each of the best lines gets a random bonus or malus of the size of the player's misjudgement; what is chosen is the
    best by that. Nobody overlooks a mate in one that the search has seen, or gives up more than `margin`.
    """

    cdef readonly uint64_t nodes
    cdef readonly double misjudgement   # centipawns
    cdef readonly int margin
    cdef object random

    def __init__(self, double skill, seed):
        from random import Random   # seldom needed, and slow to import
        self.nodes = <uint64_t>(300 * 1.45 ** max(0.0, skill))
        self.misjudgement = 220 * 0.87 ** max(0.0, skill)
        self.margin = <int>(40 + 2 * self.misjudgement)
        self.random = Random(seed)

    def choose(self, lines):
        """The move to play out of (move, score) pairs, best first."""
        best = lines[0][1]
        if best >= MATE_IN_MAX:
            return lines[0][0]
        near = [(score + self.random.gauss(0, self.misjudgement), move)
                for move, score in lines if score >= best - self.margin]
        return max(near)[1]


cdef class Clock:
    """How long to think: less while the best move stays, more when it changes or the score falls."""

    cdef readonly double aim
    cdef readonly int hard
    cdef move_t best
    cdef int stable             # iterations since the best move changed
    cdef int score              # moving average
    cdef double falling, effort
    cdef int iterations

    def __init__(self, time_left, increment, movestogo, overhead):
        self.aim, self.hard = budget(time_left, increment, movestogo, overhead)
        self.falling = self.effort = 1.0

    cdef iteration(self, move_t best, int score, uint64_t nodes, uint64_t all_nodes):
        self.stable = self.stable + 1 if best == self.best else 0
        self.best = best
        score = max(-2000, min(2000, score))
        if self.iterations:
            self.falling = max(0.75, min(1.6, 1.0 + (self.score - score) / 120.0))
            self.score = (2 * self.score + score) // 3
        else:
            self.score = score
        self.iterations += 1
        # Where one move took nearly all nodes, the others had nothing to say.
        self.effort = max(0.55, 1.6 - 1.2 * nodes / <double>(all_nodes + 1)) if self.iterations > 6 else 1.0

    cdef uint64_t soft(self):
        cdef double factor = 1.3 - 0.09 * min(self.stable, 6)
        return <uint64_t>min(self.hard, self.aim * factor * self.falling * self.effort)


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
