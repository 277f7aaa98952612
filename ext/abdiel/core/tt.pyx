"""Transposition table shared by the searches of one engine; scores in it count mates from the stored node.

An entry's 64 bits of data: from-square 7, to-square 7, promotion 4, score 16, static evaluation 16, depth 7, bound 2,
open window 1, generation 4. What else a move says follows from the position (`complete`).
"""

from libc.stdint cimport int16_t, uint64_t
from libc.string cimport memset

from abdiel.core.memory cimport map_block, unmap_block
from abdiel.core.movegen cimport complete
from abdiel.core.state cimport Pos, from_square, move_t, promotion_type, to_square

cdef extern from *:
    """
    #define abdiel_prefetch(p) __builtin_prefetch(p)
    """
    ctypedef unsigned long long u128 "unsigned __int128"
    void prefetch_line "abdiel_prefetch" (const void* p) noexcept nogil

cdef enum:
    MOVE_BITS = 18
    SCORE_SHIFT = 18
    EVAL_SHIFT = 34
    DEPTH_SHIFT = 50
    BOUND_SHIFT = 57
    PV_SHIFT = 59
    GENERATION_SHIFT = 60
    GENERATIONS = 16
    DEEPEST = 127
    # An entry counts as this much shallower for each search that has begun since, when one must go.
    AGE_WEIGHT = 4
    # The same position's entry stays if it is deeper by this much.
    KEEP_DEPTH = 4


cdef inline uint64_t size_of(uint64_t clusters) noexcept nogil:
    return clusters * CLUSTER * sizeof(Entry)


cdef bint resize_table(Table* table, uint64_t megabytes) noexcept nogil:
    """Replace the table by an empty one of that size; False, and the old one stays, if there is no memory."""
    cdef uint64_t clusters = (megabytes << 20) // size_of(1)
    cdef Entry* entries = <Entry*>map_block(size_of(clusters))
    if entries == NULL:
        return False
    free_table(table)
    table.entries = entries
    table.clusters = clusters
    table.generation = 0
    return True


cdef void free_table(Table* table) noexcept nogil:
    unmap_block(table.entries, size_of(table.clusters))
    table.entries = NULL


cdef void clear_table(Table* table) noexcept nogil:
    memset(table.entries, 0, size_of(table.clusters))
    table.generation = 0


cdef inline Entry* cluster_of(const Table* table, uint64_t key) noexcept nogil:
    # The high half of key * clusters spreads any number of clusters evenly, without a division.
    return &table.entries[CLUSTER * <uint64_t>((<u128>key * table.clusters) >> 64)]


cdef void new_generation(Table* table) noexcept nogil:
    table.generation = (table.generation + 1) % GENERATIONS


cdef void prefetch(const Table* table, uint64_t key) noexcept nogil:
    prefetch_line(cluster_of(table, key))


cdef inline int data_depth(uint64_t data) noexcept nogil:
    return <int>(data >> DEPTH_SHIFT & DEEPEST)


cdef inline int data_generation(uint64_t data) noexcept nogil:
    return <int>(data >> GENERATION_SHIFT)


cdef bint probe(const Table* table, const Pos* pos, Hit* hit) noexcept nogil:
    cdef uint64_t key = pos.details.key, data
    cdef const Entry* entry = cluster_of(table, key)
    cdef int i
    for i in range(CLUSTER):
        data = entry[i].data
        if entry[i].check ^ data == key and data:
            hit.move = complete(pos, data & 127, data >> 7 & 127, data >> 14 & 15) if data & ((1 << MOVE_BITS) - 1) else 0
            hit.score = <int16_t>(data >> SCORE_SHIFT & 0xFFFF)
            hit.evaluation = <int16_t>(data >> EVAL_SHIFT & 0xFFFF)
            hit.depth = data_depth(data)
            hit.bound = data >> BOUND_SHIFT & 3
            hit.pv = data >> PV_SHIFT & 1
            return True
    return False


cdef void store(Table* table, uint64_t key, move_t move, int score, int evaluation, int depth, int bound,
                bint pv) noexcept nogil:
    """Overwrite the same position's entry unless it is much deeper, else the cluster's least worthy one."""
    cdef Entry* cluster = cluster_of(table, key)
    cdef Entry* target = NULL
    cdef uint64_t data, packed = from_square(move) | to_square(move) << 7 | promotion_type(move) << 14
    cdef int i, worth, least = 1 << 30
    for i in range(CLUSTER):
        data = cluster[i].data
        if cluster[i].check ^ data == key:
            target = &cluster[i]
            if not move:
                packed = data & ((1 << MOVE_BITS) - 1)
            if bound != BOUND_EXACT and data_depth(data) >= depth + KEEP_DEPTH and data_generation(data) == table.generation:
                return
            break
        worth = data_depth(data) - AGE_WEIGHT * (
            (table.generation - data_generation(data)) & (GENERATIONS - 1)) if data else -(1 << 20)
        if worth < least:
            least = worth
            target = &cluster[i]
    data = (packed | <uint64_t>(score & 0xFFFF) << SCORE_SHIFT | <uint64_t>(evaluation & 0xFFFF) << EVAL_SHIFT
            | <uint64_t>min(depth, DEEPEST) << DEPTH_SHIFT | <uint64_t>bound << BOUND_SHIFT | <uint64_t>pv << PV_SHIFT
            | <uint64_t>table.generation << GENERATION_SHIFT)
    target.data = data
    target.check = key ^ data


cdef int hashfull(const Table* table) noexcept nogil:
    """Entries of the present search per mille, by a sample from the table's start."""
    cdef int i, used = 0, sample = 1000
    if table.clusters * CLUSTER < 1000:
        sample = table.clusters * CLUSTER
    for i in range(sample):
        if table.entries[i].data and data_generation(table.entries[i].data) == table.generation:
            used += 1
    return used * 1000 // sample
