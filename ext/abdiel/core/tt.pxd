# Transposition table: 16-byte entries, four to a cache line (https://www.chessprogramming.org/Transposition_Table).

from libc.stdint cimport uint64_t

from abdiel.core.state cimport move_t

cdef enum:
    BOUND_NONE = 0
    BOUND_LOWER = 1
    BOUND_UPPER = 2
    BOUND_EXACT = 3
    CLUSTER = 4

# `check` is the key mixed with the data, so that a torn write by another thread reads as a miss
# (Hyatt and Mann, "A lock-less transposition table implementation for parallel search", 2002).
cdef struct Entry:
    uint64_t check
    uint64_t data       # move 22 bits, score 16, depth 8, generation 8, bound 2, from bit 0 on

cdef struct Table:
    void* memory
    Entry* entries
    uint64_t clusters
    int generation

cdef struct Hit:
    move_t move
    int score
    int depth
    int bound
    bint current        # written by the present search

cdef bint resize_table(Table* table, uint64_t megabytes) noexcept nogil
cdef void free_table(Table* table) noexcept nogil
cdef void clear_table(Table* table) noexcept nogil
cdef bint probe(const Table* table, uint64_t key, Hit* hit) noexcept nogil
cdef void store(Table* table, uint64_t key, move_t move, int score, int depth, int bound) noexcept nogil
cdef int hashfull(const Table* table) noexcept nogil
