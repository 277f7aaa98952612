# Transposition table: 16-byte entries, four to a cache line (https://www.chessprogramming.org/Transposition_Table).

from libc.stdint cimport uint64_t

from abdiel.core.state cimport Pos, move_t

cdef enum:
    BOUND_NONE = 0
    BOUND_LOWER = 1
    BOUND_UPPER = 2
    BOUND_EXACT = 3
    CLUSTER = 4
    NO_EVAL = 32767     # no static evaluation: in check, or a guess was enough

# `check` is the key mixed with the data, so that a torn write by another thread reads as a miss
# (Hyatt and Mann, "A lock-less transposition table implementation for parallel search", 2002).
cdef struct Entry:
    uint64_t check
    uint64_t data       # see tt.pyx

cdef struct Table:
    Entry* entries
    uint64_t clusters
    int generation

cdef struct Hit:
    move_t move
    int score
    int evaluation
    int depth
    int bound
    bint pv             # searched with an open window once

cdef bint resize_table(Table* table, uint64_t megabytes) noexcept nogil
cdef void free_table(Table* table) noexcept nogil
cdef void clear_table(Table* table) noexcept nogil
cdef void new_generation(Table* table) noexcept nogil
# The move is whole again only on the position that the key belongs to.
cdef bint probe(const Table* table, const Pos* pos, Hit* hit) noexcept nogil
cdef void store(Table* table, uint64_t key, move_t move, int score, int evaluation, int depth, int bound,
                bint pv) noexcept nogil
cdef void prefetch(const Table* table, uint64_t key) noexcept nogil
cdef int hashfull(const Table* table) noexcept nogil
