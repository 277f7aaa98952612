"""The options that `uci` offers, in one table, and how their values are read."""

from __future__ import annotations

from abdiel.engine import (
    DEFAULT_HASH_MB,
    DEFAULT_MOVE_OVERHEAD,
    DEFAULT_THREADS,
    MAX_SKILL,
    SETTING_RANGES,
)
from abdiel.errors import shown
from abdiel.variants import VARIANTS

Value = int | bool | str | None


class OptionError(ValueError):
    """An option that does not exist, or a value that it does not take."""


def whole_number(text: str) -> int | None:
    """The number that `text` is, None if it is none; huge ones are cut to 18 digits.

    Stricter than int(), which takes underscores, blanks and other scripts' digits and refuses
    what has thousands of digits.
    """
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdecimal()):
        return None
    return int(text) if len(digits) <= 18 else int(text[: len(text) - len(digits)] + "9" * 18)


class Option:
    """One option: `type` is check, spin, combo or button, as the UCI names them."""

    __slots__ = ("choices", "default", "max", "min", "name", "type")

    def __init__(
        self,
        name: str,
        type: str,
        default: Value = None,
        min: int = 0,
        max: int = 0,
        choices: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.type = type
        self.default = default
        self.min = min
        self.max = max
        self.choices = choices

    def describe(self) -> str:
        """The line that answers `uci`."""
        words = [f"option name {self.name} type {self.type}"]
        if self.type == "check":
            words.append(f"default {str(self.default).lower()}")
        elif self.type == "spin":
            words.append(f"default {self.default} min {self.min} max {self.max}")
        elif self.type == "combo":
            words.append(f"default {self.default}")
            words += [f"var {choice}" for choice in self.choices]
        return " ".join(words)

    def parse(self, text: str | None) -> Value:
        """The value that `text` stands for, None for a button. OptionError if for none."""
        if self.type == "button":
            if text is not None:
                raise OptionError(f"{self.name} is a button and takes no value")
            return None
        if text is not None:
            if self.type == "spin":
                number = whole_number(text)
                if number is not None and self.min <= number <= self.max:
                    return number
            elif self.type == "check":
                if text.lower() in ("true", "false"):
                    return text.lower() == "true"
            elif text.lower() in self.choices:
                return text.lower()
        found = "no value" if text is None else shown(text)
        raise OptionError(f"{self.name} takes {self._domain()}, found {found}")

    def _domain(self) -> str:
        if self.type == "spin":
            return f"a whole number from {self.min} to {self.max}"
        if self.type == "check":
            return "true or false"
        return "one of " + ", ".join(self.choices)


OPTIONS = (
    Option("Hash", "spin", DEFAULT_HASH_MB, *SETTING_RANGES["hash_mb"]),
    Option("Clear Hash", "button"),
    Option("Threads", "spin", DEFAULT_THREADS, *SETTING_RANGES["threads"]),
    Option("Ponder", "check", False),
    Option("MultiPV", "spin", 1, *SETTING_RANGES["multipv"]),
    Option("Move Overhead", "spin", DEFAULT_MOVE_OVERHEAD, *SETTING_RANGES["move_overhead"]),
    Option("UCI_Variant", "combo", next(iter(VARIANTS)), choices=tuple(VARIANTS)),
    Option("UCI_AnalyseMode", "check", False),
    Option("UCI_ShowWDL", "check", False),
    Option("Skill Level", "spin", MAX_SKILL, *SETTING_RANGES["skill"]),
    Option("UCI_LimitStrength", "check", False),
    Option("UCI_Elo", "spin", SETTING_RANGES["elo"][0], *SETTING_RANGES["elo"]),
)

_BY_NAME = {option.name.lower(): option for option in OPTIONS}


def find_option(name: str) -> Option:
    """The option of that name, in whatever case. OptionError if there is none."""
    option = _BY_NAME.get(name.lower())
    if option is None:
        known = ", ".join(option.name for option in OPTIONS)
        raise OptionError(f"no option {shown(name)}; there are {known}")
    return option
