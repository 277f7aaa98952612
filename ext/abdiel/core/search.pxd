from libc.stdint cimport int16_t, uint64_t

from abdiel.core.bitboard cimport SQUARES
from abdiel.core.evaluate cimport EvalCache
from abdiel.core.movegen cimport MAX_MOVES
from abdiel.core.state cimport Pos, move_t
from abdiel.core.tt cimport Table

cdef enum:
    MAX_PLY = 128
    MATE_SCORE = 32000      # less the plies to it
    MATE_IN_MAX = MATE_SCORE - 256
    INFINITE_SCORE = 32001

cdef struct RootMove:
    move_t move
    int score
    int previous
    int pv_length
    move_t pv[MAX_PLY]

# One search's working memory. The tree below the root touches nothing else.
cdef struct Worker:
    Pos* pos
    Table* table
    EvalCache cache
    int stop                # leave the tree: set by other threads and by limits
    int asked               # somebody asked for that: what ends a search that must wait
    int pondering           # cleared by other threads
    bint exhaustive         # a mate search: nothing is pruned or reduced
    uint64_t nodes
    uint64_t next_check     # node count at which limits are looked at again
    uint64_t node_limit
    uint64_t started        # ms on the monotonic clock
    uint64_t hard_limit     # ms, 0 = none
    int seldepth
    int pv_index
    int root_ply            # moves of the game before the root
    int root_count
    RootMove root[MAX_MOVES]
    int pv_length[MAX_PLY + 1]
    move_t pv[MAX_PLY + 1][MAX_PLY + 1]
    move_t killers[MAX_PLY + 1][2]
    int16_t history[2][SQUARES][SQUARES]
    move_t moves[MAX_PLY + 1][MAX_MOVES]
    int scores[MAX_PLY + 1][MAX_MOVES]
