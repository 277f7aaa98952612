# Moves that some thread is searching (simplified ABDADA, T. Kerrigan,
# https://www.tckerrigan.com/Chess/Parallel_Search/Simplified_ABDADA/): another thread puts such a move off, to find its
# result in the table later. Threads race for the slots without harm: at worst two of them search the same.

from libc.stdint cimport uint64_t

from abdiel.core.state cimport Pos, move_t
from abdiel.core.worker cimport BUSY_SETS, BUSY_WAYS, Shared, load_count, store_count


cdef inline uint64_t busy_key(const Pos* pos, move_t move) noexcept nogil:
    return pos.details.key ^ (<uint64_t>move * 0x9E3779B97F4A7C15ULL)


cdef inline uint64_t* slots_of(Shared* shared, uint64_t key) noexcept nogil:
    return shared.busy[key & (BUSY_SETS - 1)]


cdef inline bint is_busy(Shared* shared, uint64_t key) noexcept nogil:
    cdef uint64_t* slots = slots_of(shared, key)
    cdef int way
    for way in range(BUSY_WAYS):
        if load_count(&slots[way]) == key:
            return True
    return False


cdef inline void set_busy(Shared* shared, uint64_t key) noexcept nogil:
    cdef uint64_t* slots = slots_of(shared, key)
    cdef uint64_t found
    cdef int way, chosen = 0
    for way in range(BUSY_WAYS):
        found = load_count(&slots[way])
        if found == key:
            return
        if not found:
            chosen = way
    store_count(&slots[chosen], key)


cdef inline void set_free(Shared* shared, uint64_t key) noexcept nogil:
    cdef uint64_t* slots = slots_of(shared, key)
    cdef int way
    for way in range(BUSY_WAYS):
        if load_count(&slots[way]) == key:
            store_count(&slots[way], 0)
