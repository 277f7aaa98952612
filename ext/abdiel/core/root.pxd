from abdiel.core.worker cimport Worker

# The window round the score of the iteration before.
cdef struct Window:
    int alpha
    int beta
    int width
    int fails               # times in a row that the score came out above; 0 when it came out below

# Set a worker up for a new search; its position, root moves and limits are the caller's.
cdef void reset_worker(Worker* w) noexcept nogil
# Forget all that earlier searches have learned.
cdef void forget(Worker* w) noexcept nogil
cdef void open_window(Worker* w, Window* window, int depth) noexcept nogil
# Search once; True if the score lies in the window, or the search was stopped.
cdef bint try_window(Worker* w, Window* window, int depth) noexcept nogil
# Stable sort of the root moves [first, end) by score, then by the iteration before.
cdef void sort_root(Worker* w, int first, int end) noexcept nogil
