# Large zeroed blocks, in huge pages where the system has them: tables that are read all over cost a page walk a look
# otherwise.

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <sys/mman.h>

    #define ABDIEL_HUGE ((size_t)1 << 21)
    #ifndef MAP_ANONYMOUS
    #define MAP_ANONYMOUS MAP_ANON
    #endif

    static size_t abdiel_round(size_t bytes) { return (bytes + ABDIEL_HUGE - 1) & ~(ABDIEL_HUGE - 1); }

    static void *abdiel_map(size_t bytes)
    {
        size_t size = abdiel_round(bytes);
        char *start, *block;
        if (size < bytes || size > SIZE_MAX - ABDIEL_HUGE)
            return NULL;
        start = mmap(NULL, size + ABDIEL_HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (start == MAP_FAILED)
            return NULL;
        block = (char *)abdiel_round((size_t)start);
        if (block > start)
            munmap(start, (size_t)(block - start));
        if (block < start + ABDIEL_HUGE)
            munmap(block + size, (size_t)(start + ABDIEL_HUGE - block));
    #ifdef MADV_HUGEPAGE
        madvise(block, size, MADV_HUGEPAGE);
    #endif
        return block;
    }

    static void abdiel_unmap(void *block, size_t bytes)
    {
        if (block != NULL)
            munmap(block, abdiel_round(bytes));
    }
    """
    # NULL if there is no memory.
    void* map_block "abdiel_map" (size_t bytes) noexcept nogil
    void unmap_block "abdiel_unmap" (void* block, size_t bytes) noexcept nogil
