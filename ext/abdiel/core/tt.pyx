"""Transposition table shared by the searches of one engine; scores in it count mates from the stored node."""

from libc.stdint cimport int16_t, uint8_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from abdiel.core.state cimport move_t

cdef extern from *:
    ctypedef unsigned long long u128 "unsigned __int128"

cdef enum:
    SCORE_SHIFT = 22
    DEPTH_SHIFT = 38
    GENERATION_SHIFT = 46
    BOUND_SHIFT = 54
    CACHE_LINE = 64
    # An entry of the search before counts as this much shallower when one must go.
    AGE_WEIGHT = 4


cdef bint resize_table(Table* table, uint64_t megabytes) noexcept nogil:
    """Replace the table by an empty one of that size; False, and the old one stays, if there is no memory."""
    cdef uint64_t clusters = (megabytes << 20) // (CLUSTER * sizeof(Entry))
    cdef void* memory = calloc(clusters * CLUSTER * sizeof(Entry) + CACHE_LINE, 1)
    if memory == NULL:
        return False
    free(table.memory)
    table.memory = memory
    table.entries = <Entry*>((<uintptr_t>memory + CACHE_LINE - 1) & ~<uintptr_t>(CACHE_LINE - 1))
    table.clusters = clusters
    table.generation = 0
    return True


cdef void free_table(Table* table) noexcept nogil:
    free(table.memory)
    table.memory = NULL


cdef void clear_table(Table* table) noexcept nogil:
    memset(table.entries, 0, table.clusters * CLUSTER * sizeof(Entry))
    table.generation = 0


cdef inline Entry* cluster_of(const Table* table, uint64_t key) noexcept nogil:
    # The high half of key * clusters spreads any number of clusters evenly, without a division.
    return &table.entries[CLUSTER * <uint64_t>((<u128>key * table.clusters) >> 64)]


cdef inline int data_depth(uint64_t data) noexcept nogil:
    return <int>(data >> DEPTH_SHIFT & 255)


cdef inline int data_generation(uint64_t data) noexcept nogil:
    return <int>(data >> GENERATION_SHIFT & 255)


cdef bint probe(const Table* table, uint64_t key, Hit* hit) noexcept nogil:
    cdef const Entry* entry = cluster_of(table, key)
    cdef uint64_t data
    cdef int i
    for i in range(CLUSTER):
        data = entry[i].data
        if entry[i].check ^ data == key and data:
            hit.move = data & ((1 << SCORE_SHIFT) - 1)
            hit.score = <int16_t>(data >> SCORE_SHIFT & 0xFFFF)
            hit.depth = data_depth(data)
            hit.bound = data >> BOUND_SHIFT & 3
            hit.current = data_generation(data) == table.generation
            return True
    return False


cdef void store(Table* table, uint64_t key, move_t move, int score, int depth, int bound) noexcept nogil:
    """Overwrite the same position's entry if it is shallower or not exact, else the cluster's least worthy one."""
    cdef Entry* cluster = cluster_of(table, key)
    cdef Entry* target = NULL
    cdef uint64_t data
    cdef int i, worth, least = 1 << 30
    for i in range(CLUSTER):
        data = cluster[i].data
        if cluster[i].check ^ data == key:
            target = &cluster[i]
            if not move:
                move = data & ((1 << SCORE_SHIFT) - 1)
            if bound != BOUND_EXACT and data_depth(data) > depth + 3 and data_generation(data) == table.generation:
                return
            break
        worth = data_depth(data) - AGE_WEIGHT * ((table.generation - data_generation(data)) & 255) if data else -(1 << 20)
        if worth < least:
            least = worth
            target = &cluster[i]
    data = (<uint64_t>move | (<uint64_t>(score & 0xFFFF) << SCORE_SHIFT) | (<uint64_t>depth << DEPTH_SHIFT)
            | (<uint64_t>table.generation << GENERATION_SHIFT) | (<uint64_t>bound << BOUND_SHIFT))
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
