"""A match as users describe it: words on the command line, a TOML file, or both."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast, get_args

from abdiel.board import Board, find_variant
from abdiel.errors import shown
from abdiel.match.adjudication import DrawRule, ResignRule, Rules
from abdiel.match.engines import read_engines
from abdiel.match.openings import Format, Opening, Order, load_openings
from abdiel.match.report import DEFAULT_INTERVAL
from abdiel.match.runner import Match
from abdiel.match.schedule import ROUND_ROBIN, TOURNAMENTS
from abdiel.match.statistics import LARGEST_BOUND, Model, Sprt
from abdiel.match.words import Words, split_words, table_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from abdiel.match.words import Pair

# Where words stand, and the words.
Group: TypeAlias = "tuple[str, Sequence[Pair]]"

# What is one value, and what is a group of words.
PLAIN = (
    "variant",
    "tournament",
    "seeds",
    "rounds",
    "games",
    "repeat",
    "maxmoves",
    "concurrency",
    "event",
    "site",
    "out",
    "interval",
)
GROUPS = ("each", "openings", "draw", "resign", "sprt")
ENGINE = "engine"

NO_OPENINGS = "none"
SPRT_ROUNDS = 50_000  # if SPRT is to decide when it is enough
DEFAULT_SEED = 1
DEFAULT_EVENT = "Abdiel match"
MAX_CONCURRENCY = 4096


class Settings(NamedTuple):
    """A match, and what its report and its files are to be like: `out` is "" for no files."""

    match: Match
    out: str
    interval: int


def read_settings(
    plain: Mapping[str, object],
    groups: Mapping[str, str],
    engines: Sequence[str],
    config: Path | None = None,
) -> Settings:
    """Return the settings of the command line, before which those of a TOML file hold.

    `plain` are the single values by name, `groups` and `engines` the words. A group of the
    command line replaces the file's, engines are added. Raises `ValueError`, which says where
    the fault is, or `OSError`.
    """
    table = _read_toml(config) if config is not None else {}
    source = str(config)
    tables: dict[str, Group] = {}
    described: list[tuple[str, list[Pair]]] = []
    values = {}
    for key, value in table.items():
        if key == ENGINE:
            described += _toml_engines(value, source)
        elif key in GROUPS:
            where = f"{source}, [{key}]"
            if key == "openings" and value == NO_OPENINGS:
                tables[key] = where, [("file", NO_OPENINGS)]
            elif isinstance(value, dict):
                tables[key] = where, table_words(value, where)
            else:
                raise ValueError(
                    f"{source}: {key} is {shown(str(value))}, expected a table [{key}]"
                )
        else:
            values[key] = value
    Words(source, table_words(values, source), PLAIN)
    for key, text in groups.items():
        if key == "openings" and text == NO_OPENINGS:
            tables[key] = f"--{key}", [("file", NO_OPENINGS)]
        else:
            tables[key] = f"--{key}", split_words(text, f"--{key}")
    described += [
        (_source(number, text), split_words(text, "--engine"))
        for number, text in enumerate(engines, 1)
    ]
    given = {key: value for key, value in plain.items() if value is not None}
    top = Words("match", table_words(values | given, "match"), PLAIN)
    return _settings(top, described, tables)


def _source(number: int, text: str) -> str:
    names = [value for key, value in split_words(text, "--engine") if key == "name"]
    return f"--engine {names[-1] if names else number}"


def _read_toml(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: {error}") from None


def _toml_engines(value: object, source: str) -> list[tuple[str, list[Pair]]]:
    tables = value if isinstance(value, list) else [value]
    found = []
    for number, table in enumerate(tables, 1):
        if not isinstance(table, dict):
            raise ValueError(f"{source}: engine is no table, expected tables [[engine]]")
        where = f"{source}, engine {table.get('name', number)}"
        found.append((where, table_words(table, where)))
    return found


def _settings(
    top: Words,
    engines: Sequence[tuple[str, Sequence[Pair]]],
    groups: Mapping[str, Group],
) -> Settings:
    board_class = find_variant(top.text("variant", Board.uci_variant))
    sprt = _sprt(groups["sprt"]) if "sprt" in groups else None
    match = Match(
        variant=board_class.uci_variant,
        engines=read_engines(engines, groups.get("each", ("--each", ()))),
        openings=_openings(groups.get("openings", ("--openings", ())), board_class),
        tournament=top.choice("tournament", TOURNAMENTS, ROUND_ROBIN),
        seeds=top.integer("seeds", 1, 1),
        rounds=top.integer("rounds", SPRT_ROUNDS if sprt else 1, 1, 10**9),
        games=top.integer("games", 2, 1, 10**6),
        repeat=top.integer("repeat", 2, 1, 10**6),
        rules=Rules(
            _draw(groups["draw"]) if "draw" in groups else None,
            _resign(groups["resign"]) if "resign" in groups else None,
            top.integer("maxmoves", 0, 0),
        ),
        sprt=sprt,
        concurrency=top.integer("concurrency", 1, 1, MAX_CONCURRENCY),
        event=top.text("event", DEFAULT_EVENT),
        site=top.text("site", "?"),
    )
    match.check()
    return Settings(match, top.text("out"), top.integer("interval", DEFAULT_INTERVAL, 1))


def _openings(group: Group, board_class: type[Board]) -> tuple[Opening, ...]:
    words = Words(*group, ("file", "format", "order", "seed", "plies", "start"))
    file = words.text("file", board_class.uci_variant)
    if file == NO_OPENINGS:
        return (Opening(board_class.starting_fen),)
    format = words.choice("format", ("auto", *get_args(Format)), "auto")
    found = load_openings(
        file,
        board_class,
        format=None if format == "auto" else cast(Format, format),
        # A file is read in its order unless one says otherwise, the shipped set is shuffled.
        order=cast(
            Order,
            words.choice("order", get_args(Order), "sequential" if "file" in words else "random"),
        ),
        seed=words.integer("seed", DEFAULT_SEED, 0),
        plies=words.integer("plies", 0, 0) if "plies" in words else None,
    )
    start = words.integer("start", 1, 1, len(found)) - 1
    return tuple(found[start:] + found[:start])


def _draw(group: Group) -> DrawRule:
    words = Words(*group, ("movenumber", "movecount", "score"))
    return DrawRule(
        words.integer("movenumber", 40, 0),
        words.integer("movecount", 8, 1),
        words.integer("score", 10, 0),
    )


def _resign(group: Group) -> ResignRule:
    words = Words(*group, ("movecount", "score", "twosided"))
    return ResignRule(
        words.integer("movecount", 3, 1),
        words.integer("score", 600, 1),
        words.flag("twosided", True),
    )


def _sprt(group: Group) -> Sprt:
    words = Words(*group, ("elo0", "elo1", "alpha", "beta", "model"))
    for key in ("elo0", "elo1"):
        if key not in words:
            raise ValueError(f'{words.source}: no {key}, expected words like "elo0=0 elo1=5"')
    return Sprt(
        words.decimal("elo0", 0, -LARGEST_BOUND, LARGEST_BOUND),
        words.decimal("elo1", 0, -LARGEST_BOUND, LARGEST_BOUND),
        words.decimal("alpha", 0.05, 0, 1),
        words.decimal("beta", 0.05, 0, 1),
        cast(Model, words.choice("model", get_args(Model), "normalized")),
    )
