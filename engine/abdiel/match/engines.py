"""What a match must know of an engine, read from words or from a TOML table."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from abdiel.match.clock import TimeControl, parse_tc
from abdiel.match.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from abdiel.match.words import Pair

OPTION = "option."
KEYS = (
    "name",
    "cmd",
    "arg",
    "dir",
    "stderr",
    "proto",
    "restart",
    "tc",
    "st",
    "nodes",
    "depth",
    "timemargin",
    "timeout",
    "stall",
    OPTION,
)
DEFAULT_TIMEOUT_S = 15.0
DEFAULT_STALL_S = 600.0
MAX_S = 1e7
# By UCI an engine is to search exactly as long as movetime says, so its answer comes after that.
MOVETIME_MARGIN_MS = 100


class EngineConfig(NamedTuple):
    """An engine of a match, as plain data.

    - `command`: program and arguments; `directory`: where it runs, "" for the current one;
      `stderr`: the file to which what it writes to stderr is appended, "" for none.
    - `options`: names and values of UCI options, as given.
    - `restart`: start it anew for each game.
    - `timeout_s`: how long it may take to answer `uci`, `isready` and `stop`; `stall_s`: how long
      for a move when no clock limits it.
    """

    name: str
    command: tuple[str, ...]
    control: TimeControl
    directory: str = ""
    stderr: str = ""
    options: tuple[tuple[str, str], ...] = ()
    restart: bool = False
    timeout_s: float = DEFAULT_TIMEOUT_S
    stall_s: float = DEFAULT_STALL_S


def read_engine(pairs: Iterable[Pair], source: str) -> EngineConfig:
    """Return the engine that words describe, those that hold for each engine first.

    Raises `ValueError`, which names the word.
    """
    words = Words(source, pairs, KEYS, repeated=("arg",))
    if not words.text("cmd"):
        raise ValueError(f"{source}: no cmd, expected cmd=PROGRAM")
    words.choice("proto", ("uci",), "uci")
    command = (*_program(words), *words.all("arg"))
    name = words.text("name") or Path(command[0]).stem
    return EngineConfig(
        name=name,
        command=command,
        control=_control(words),
        directory=words.text("dir"),
        stderr=words.text("stderr"),
        options=tuple(words.starting(OPTION)),
        restart=words.choice("restart", ("auto", "on", "off"), "auto") == "on",
        timeout_s=words.decimal("timeout", DEFAULT_TIMEOUT_S, 0.001, MAX_S),
        stall_s=words.decimal("stall", DEFAULT_STALL_S, 0.001, MAX_S),
    )


def _program(words: Words) -> list[str]:
    command = words.text("cmd")
    if len(command.split()) == 1 or Path(words.text("dir"), command).exists():
        return [command]
    try:
        return shlex.split(command)
    except ValueError:
        raise words.wrong("cmd", "a program and its arguments, quoted as in a shell") from None


def _control(words: Words) -> TimeControl:
    try:
        control = parse_tc(words.text("tc", "inf"))
    except ValueError as error:
        raise ValueError(f"{words.source}: tc={error}") from None
    control = control._replace(
        movetime_ms=round(1000 * words.decimal("st", 0, 0.001, MAX_S)),
        nodes=words.integer("nodes", 0, 1),
        depth=words.integer("depth", 0, 1, 1000),
        margin_ms=words.integer("timemargin", MOVETIME_MARGIN_MS if "st" in words else 0, 0),
    )
    if control.has_clock and control.movetime_ms:
        raise ValueError(f"{words.source}: tc and st exclude one another: give one of them")
    if control == TimeControl(margin_ms=control.margin_ms):
        raise ValueError(
            f"{words.source}: nothing ends a search; give tc, st, nodes or depth, such as tc=8+0.08"
        )
    return control


def read_engines(
    engines: Sequence[tuple[str, Sequence[Pair]]], each: tuple[str, Sequence[Pair]]
) -> tuple[EngineConfig, ...]:
    """Return the engines of a match, from where their words stand and the words themselves.

    `each` holds for every engine that does not say otherwise. Raises `ValueError`.
    """
    where, common = each
    Words(where, common, KEYS, repeated=("arg",))  # for errors that name it
    if any(key == "name" for key, _ in common):
        raise ValueError(f"{where}: name is each engine's own")
    found = tuple(read_engine(_defaulted(pairs, common), source) for source, pairs in engines)
    names = [engine.name for engine in found]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two engines are named {name}: give each its own name=")
    return found


# An engine that says how long it thinks means it: no limit of another kind is added from --each.
_TIMES = ("tc", "st")


def _defaulted(pairs: Sequence[Pair], each: Sequence[Pair]) -> list[Pair]:
    own = {key for key, _ in pairs} - {"arg"}  # arguments add up
    hidden = own | (set(_TIMES) if own & set(_TIMES) else set())
    return [pair for pair in each if pair[0] not in hidden] + list(pairs)
