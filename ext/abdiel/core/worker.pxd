# One search thread's working memory, and what the threads of one search share.

from libc.stdint cimport int16_t, uint64_t

from abdiel.core.bitboard cimport PIECE_TYPES, SQUARES
from abdiel.core.evaluate cimport EvalCache
from abdiel.core.movegen cimport MAX_MOVES
from abdiel.core.state cimport Pos, move_t
from abdiel.core.tt cimport Table

cdef enum:
    MAX_PLY = 128
    MATE_SCORE = 32000      # less the plies to it
    MATE_IN_MAX = MATE_SCORE - 256
    INFINITE_SCORE = 32001
    MAX_DEPTH = MAX_PLY - 8
    ALL_PIECES = 2 * PIECE_TYPES    # history's piece index: type, plus PIECE_TYPES if black
    LOOK_BACK = 6           # plies before the root that the tree may ask about
    BUSY_SETS = 4096        # a power of two
    BUSY_WAYS = 4
    CORRECTIONS = 1 << 14   # slots of a correction history

cdef extern from *:
    """
    #define abdiel_load(p) __atomic_load_n((p), __ATOMIC_RELAXED)
    #define abdiel_store(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
    #define abdiel_lock(p) while (__atomic_exchange_n((p), 1, __ATOMIC_ACQUIRE)) { }
    #define abdiel_unlock(p) __atomic_store_n((p), 0, __ATOMIC_RELEASE)
    """
    int load_flag "abdiel_load" (int* flag) noexcept nogil
    void store_flag "abdiel_store" (int* flag, int value) noexcept nogil
    void lock "abdiel_lock" (int* flag) noexcept nogil          # spins, so hold it for microseconds
    void unlock "abdiel_unlock" (int* flag) noexcept nogil
    uint64_t load_count "abdiel_load" (uint64_t* count) noexcept nogil
    void store_count "abdiel_store" (uint64_t* count, uint64_t value) noexcept nogil

cdef struct RootMove:
    move_t move
    int score
    int previous            # the score of the iteration before
    int seldepth
    uint64_t nodes          # below this move, in all iterations
    int pv_length
    move_t pv[MAX_PLY]

# What a thread knows of one node of the line that it is in.
cdef struct Node:
    move_t move             # being searched from here; 0 is a pass
    move_t excluded         # left out, in a singular extension's test
    move_t killers[2]
    int evaluation          # corrected static evaluation; NO_EVAL in check or where a guess was enough
    int raw                 # the same uncorrected; known where a pass is being searched
    int gain                # centipawns that `move` takes by itself
    int extensions          # double extensions from the root to here
    int cuts                # fail highs among the children
    bint check              # the side to move is in check
    int16_t* replies        # continuation histories of `move`: for the answer to it,
    int16_t* follow_ups     # and for the same side's next move

cdef struct Worker

cdef struct Shared:
    Table* table
    Worker** workers
    int threads
    int stop                # leave the tree: set by limits and by other threads
    int asked               # somebody asked for that: what ends a search that must wait
    int pondering           # cleared by other threads
    bint exhaustive         # a mate search: nothing is pruned or reduced
    uint64_t node_limit
    uint64_t started        # ms on the monotonic clock
    uint64_t hard_limit     # ms, 0 = none
    uint64_t busy[BUSY_SETS][BUSY_WAYS]     # see busy.pxd
    int depth_limit
    # What helpers have finished that the first thread has not, for it to go on from.
    bint adopts             # whether it does
    int finished            # depth of the deepest iteration
    int finished_lock       # of `finished_root`
    RootMove finished_root[MAX_MOVES]

cdef struct Worker:
    Pos* pos
    Shared* shared
    EvalCache cache
    bint leads              # the thread that looks at limits and whose answer counts
    uint64_t nodes
    uint64_t next_check     # node count at which limits are looked at again
    bint overtaken          # another thread has finished the iteration that this one is in
    int seldepth
    int root_depth
    int null_from           # no null move before this ply: a search that verifies one is running
    int pv_index
    int root_ply            # moves of the game before the root
    int root_count
    RootMove root[MAX_MOVES]
    Node line[LOOK_BACK + MAX_PLY + 4]
    int pv_length[MAX_PLY + 2]
    move_t pv[MAX_PLY + 2][MAX_PLY + 2]
    # Moves and their scores of all nodes of the line, one behind the other.
    int top
    move_t moves[(MAX_PLY + 2) * MAX_MOVES]
    int scores[(MAX_PLY + 2) * MAX_MOVES]
    # Histories; `history.pxd` has their laws. They follow each other in memory, and are cleared in one go.
    int16_t quiets[2][SQUARES][SQUARES]                         # [turn][from][to]
    int16_t removals[ALL_PIECES][SQUARES][PIECE_TYPES]          # [piece][to][most valuable removed]
    int16_t continuations[2][ALL_PIECES][SQUARES][PIECE_TYPES * SQUARES]  # [reply, follow-up][moved][to][type, to]
    int16_t nothing[PIECE_TYPES * SQUARES]                      # stands for no move; stays empty
    move_t counters[ALL_PIECES][SQUARES]
    int16_t pawn_corrections[2][CORRECTIONS]
    int16_t material_corrections[2][CORRECTIONS]
    int16_t move_corrections[2][ALL_PIECES * SQUARES]


cdef inline bint halted(Worker* w) noexcept nogil:
    """Whether to leave the tree."""
    return w.overtaken or load_flag(&w.shared.stop)
