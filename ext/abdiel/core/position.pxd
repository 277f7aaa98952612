from abdiel.core.state cimport Pos

cdef class Position:
    cdef Pos pos
