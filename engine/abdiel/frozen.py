"""What moves, pieces and sets of squares share: they are values, which do not change."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Never, Self


class Frozen:
    """An object whose attributes are set once, in `__init__` by `_set`.

    Such objects stand in many places at once, in boards, caches and dicts. A subclass says in
    `__reduce__` how it is made again; a copy is the object itself.
    """

    __slots__ = ()

    _set = object.__setattr__

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"{name}: a {type(self).__name__} cannot be changed, make another")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"{name}: a {type(self).__name__} cannot be changed, make another")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self
