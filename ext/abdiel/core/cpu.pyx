"""The processor check: what the core was compiled for, and whether this processor runs it.

Compiled for the baseline processor (setup.py), imported before any tuned module.
"""

cdef extern from "build_record.h":
    const char *ABDIEL_MARCH
    const char *ABDIEL_FEATURES

cdef extern from "processor.h":
    int abdiel_cpu_has(const char *name) noexcept nogil

MARCH = ABDIEL_MARCH.decode()
FEATURES = tuple(ABDIEL_FEATURES.decode().split())


def supports(str feature not None):
    cdef int answer = abdiel_cpu_has(feature.encode())
    return None if answer < 0 else answer == 1


def missing(features=FEATURES):
    return tuple([name for name in features if supports(name) is False])
