"""Options given as words, `key=value`, as users of tournament programs write them.

A word that holds blanks is quoted as in a shell: `cmd="python -m abdiel"`.
"""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING

from abdiel.errors import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Pair = tuple[str, str]


def split_words(text: str, source: str) -> list[Pair]:
    """Return the keys and values of words. `source` says in errors where they stand.

    Raises `ValueError`.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{source} {shown(text)}: {str(error).lower()}") from None
    pairs = []
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise ValueError(f"{source}: found {shown(word)}, expected words like key=value")
        pairs.append((key, value))
    return pairs


def table_words(table: Mapping[str, object], source: str) -> list[Pair]:
    """Return a TOML table as words: `hash = 64` in `[option]` is the word `option.hash=64`.

    An array is a word repeated. Raises `ValueError` for a date or the like.
    """
    pairs: list[Pair] = []
    for key, value in table.items():
        if isinstance(value, dict):
            pairs += [(f"{key}.{name}", text) for name, text in table_words(value, source)]
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, bool):
                pairs.append((key, str(item).lower()))
            elif isinstance(item, str | int | float):
                pairs.append((key, str(item)))
            else:
                raise ValueError(f"{source}: {key} is {shown(str(item))}, expected text or number")
    return pairs


class Words:
    """The values of words by their keys, read by type; every error names the word."""

    def __init__(
        self, source: str, pairs: Iterable[Pair], known: Sequence[str], repeated: Sequence[str] = ()
    ) -> None:
        """`known` are the keys that there are, `x.` for all that begin so.

        Later words replace earlier ones, those of `repeated` add up. Raises `ValueError`.
        """
        self.source = source
        self._values: dict[str, list[str]] = {}
        prefixes = tuple(key for key in known if key.endswith("."))
        for key, value in pairs:
            if key not in known and not (prefixes and key.startswith(prefixes)):
                names = ", ".join(key + "NAME" if key.endswith(".") else key for key in known)
                raise ValueError(f"{source}: no key {shown(key)}; there are {names}")
            if key in repeated:
                self._values.setdefault(key, []).append(value)
            else:
                self._values[key] = [value]

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def wrong(self, key: str, expected: str) -> ValueError:
        """Return the error for a word's value."""
        return ValueError(f"{self.source}: {key}={self._values[key][-1]}, expected {expected}")

    def all(self, key: str) -> list[str]:
        """Return the values of a repeated word, in their order."""
        return self._values.get(key, [])

    def starting(self, prefix: str) -> list[Pair]:
        """Return what follows `prefix` in keys, and the values."""
        return [
            (key.removeprefix(prefix), values[-1])
            for key, values in self._values.items()
            if key.startswith(prefix)
        ]

    def text(self, key: str, default: str = "") -> str:
        """Return a value as it is."""
        return self._values[key][-1] if key in self._values else default

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        """Return a value that must be one of `choices`."""
        value = self.text(key, default)
        if value not in choices:
            raise self.wrong(key, " or ".join(choices))
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        return self.choice(key, ("true", "false"), str(default).lower()) == "true"

    def integer(self, key: str, default: int, least: int, most: int = 10**12) -> int:
        """Return a whole number from `least` to `most`."""
        if key not in self._values:
            return default
        value = self.text(key)
        digits = value.removeprefix("-")
        if digits.isascii() and digits.isdecimal() and len(digits) < 18:
            number = int(value)
            if least <= number <= most:
                return number
        limits = f"{least} or more" if most >= 10**12 else f"from {least} to {most}"
        raise self.wrong(key, f"a whole number, {limits}")

    def decimal(self, key: str, default: float, least: float, most: float) -> float:
        """Return a number from `least` to `most`."""
        if key not in self._values:
            return default
        try:
            number = float(self.text(key))
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise self.wrong(key, f"a number from {least:g} to {most:g}")
        return number
