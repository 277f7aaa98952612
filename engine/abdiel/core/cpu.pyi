"""The processor check: what the core was compiled for, and whether this processor runs it."""

from collections.abc import Iterable

MARCH: str
"""The ``-march`` of the build: ``native`` or what ``ABDIEL_MARCH`` said; empty if it has none."""

FEATURES: tuple[str, ...]
"""What that turned on beyond the baseline, by the compiler's macros: ``avx2``, ``bmi2``, ..."""

def supports(feature: str) -> bool | None:
    """Tell whether this processor runs a feature; None if the check does not know it."""

def missing(features: Iterable[str] = ...) -> tuple[str, ...]:
    """Return those of the features (default: the build's) that this processor lacks."""
