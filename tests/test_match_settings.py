"""How matches are described: words and TOML files, and what is said of mistakes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from abdiel.board import Board, GothicBoard
from abdiel.match.adjudication import DrawRule, ResignRule
from abdiel.match.clock import TimeControl
from abdiel.match.engines import KEYS, EngineConfig, read_engine, read_engines
from abdiel.match.settings import GROUPS, PLAIN, Settings, read_settings
from abdiel.match.words import split_words

ENGINES = ("name=A cmd=a", "name=B cmd=b")


def read(words: str) -> EngineConfig:
    return read_engine(split_words(words, "--engine"), "--engine 1")


def settings(
    engines: tuple[str, ...] = ENGINES, config: Path | None = None, **options: object
) -> Settings:
    groups = ("each", "openings", "draw", "resign", "sprt")
    words = {"each": "tc=1", "openings": "none"} if config is None else {}
    words |= {key: str(value) for key, value in options.items() if key in groups}
    plain = {key: value for key, value in options.items() if key not in groups}
    return read_settings(plain, words, engines, config)


def test_an_engine_in_words() -> None:
    config = read(
        "name='The First' cmd=./engine arg=-x 'arg=a b' dir=some/where stderr=log option.Hash=64"
        " 'option.Move Overhead=10' option.Empty= tc=40/60+0.5 nodes=9 timemargin=20 restart=on"
        " timeout=5 stall=60.5 proto=uci"
    )
    assert config == EngineConfig(
        name="The First",
        command=("./engine", "-x", "a b"),
        control=TimeControl(40, 60_000, 500, nodes=9, margin_ms=20),
        directory="some/where",
        stderr="log",
        options=(("Hash", "64"), ("Move Overhead", "10"), ("Empty", "")),
        restart=True,
        timeout_s=5,
        stall_s=60.5,
    )


def test_short_forms() -> None:
    assert read("cmd=/usr/bin/engine st=0.5").name == "engine"
    assert read("cmd='python -m abdiel' depth=3").command == ("python", "-m", "abdiel")
    assert read("cmd=x st=0.5").control == TimeControl(movetime_ms=500, margin_ms=100)
    assert read("cmd=x st=0.5 timemargin=0").control == TimeControl(movetime_ms=500)
    assert not read("cmd=x st=1 restart=auto").restart


def test_each_holds_where_an_engine_says_nothing_else() -> None:
    each = split_words("cmd=x arg=-1 tc=8+0.08 option.Hash=64 option.Threads=1", "--each")
    engines = [
        ("--engine A", split_words("name=A option.Hash=32", "--engine")),
        ("--engine B", split_words("name=B st=1 cmd=y arg=-2", "--engine")),
    ]
    one, other = read_engines(engines, ("--each", each))
    assert dict(one.options) == {"Hash": "32", "Threads": "1"}
    assert one.control == TimeControl(time_ms=8000, increment_ms=80)
    assert one.command == ("x", "-1")
    assert other.command == ("y", "-1", "-2")
    assert other.control == TimeControl(movetime_ms=1000, margin_ms=100)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("cmd=x tc=8 hash=64", "--engine 1: no key 'hash'; there are name, cmd,"),
        ("cmd=x tc=8 name", "--engine: found 'name', expected words like key=value"),
        ("cmd=x tc=8 =y", "found '=y'"),
        ("cmd='x", "no closing quotation"),
        ("name=A tc=8", "--engine 1: no cmd, expected cmd=PROGRAM"),
        ("cmd=x tc=fast", "--engine 1: tc='fast', expected moves/time"),
        ("cmd=x st=0", "st=0, expected a number from 0.001"),
        ("cmd=x st=nan", "st=nan, expected a number"),
        ("cmd=x nodes=0", "nodes=0, expected a whole number, 1 or more"),
        ("cmd=x depth=1.5", "depth=1.5, expected a whole number, from 1 to 1000"),
        ("cmd=x tc=8 timemargin=-1", "timemargin=-1, expected"),
        ("cmd=x tc=8 restart=maybe", "restart=maybe, expected auto or on or off"),
        ("cmd=x tc=8 proto=xboard", "proto=xboard, expected uci"),
        ("cmd=x tc=8 st=1", "tc and st exclude one another"),
        ("cmd=x tc=inf", "nothing ends a search"),
        ("cmd=x", "nothing ends a search"),
        ("cmd=x tc=8 timeout=never", "timeout=never, expected a number"),
    ],
)
def test_mistakes_in_the_words_of_an_engine(words: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)) as caught:
        read(words)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"engines": ("name=A cmd=a",)}, "a match takes two engines or more, found 1"),
        ({"engines": ()}, "add --engine"),
        ({"engines": ("cmd=a", "cmd=a")}, "two engines are named a"),
        ({"each": "name=A tc=1"}, "--each: name is each engine's own"),
        ({"each": "tc=1 hash=1"}, "--each: no key 'hash'"),
        ({"variant": "chess"}, "variant 'chess': expected one of angelsanddevils"),
        ({"tournament": "swiss"}, "tournament=swiss, expected round-robin or gauntlet"),
        ({"tournament": "gauntlet", "seeds": 2}, "--seeds 2: expected 1 to 1"),
        ({"concurrency": 10**9}, "concurrency=1000000000, expected a whole number"),
        ({"draw": "score=x"}, "--draw: score=x, expected a whole number"),
        ({"draw": "moves=1"}, "--draw: no key 'moves'; there are movenumber, movecount, score"),
        ({"resign": "twosided=perhaps"}, "--resign: twosided=perhaps, expected true or false"),
        ({"sprt": "elo0=0"}, "--sprt: no elo1"),
        ({"sprt": "elo0=5 elo1=0"}, "expected elo0 < elo1"),
        ({"sprt": "elo0=0 elo1=5 model=other"}, "--sprt: model=other, expected logistic or"),
        ({"sprt": "elo0=0 elo1=5", "games": 1}, "SPRT counts pairs"),
        ({"sprt": "elo0=0 elo1=5", "repeat": 3}, "SPRT counts pairs"),
        ({"sprt": "elo0=0 elo1=5", "engines": (*ENGINES, "cmd=c")}, "SPRT compares two engines"),
        ({"openings": "file=/no/such.epd"}, "/no/such.epd"),
        ({"openings": "fil=x"}, "--openings: no key 'fil'"),
        ({"openings": "file=none order=up"}, "none"),
    ],
)
def test_mistakes_in_a_match(options: dict[str, object], told: str) -> None:
    if told == "none":
        settings(**options)  # type: ignore[arg-type]  # nothing is wrong with it
        return
    with pytest.raises(ValueError, match=re.escape(told)) as caught:
        settings(**options)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_defaults() -> None:
    match, out, _ = settings()
    assert match.variant == "angelsanddevils"
    assert (match.rounds, match.games, match.repeat, match.concurrency) == (1, 2, 2, 1)
    assert [opening.fen for opening in match.openings] == [Board.starting_fen]
    assert out == ""
    assert settings(sprt="elo0=0 elo1=5").match.rounds > 1000


def test_openings_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "some.epd"
    boards = []
    for move in list(Board().legal_moves)[:8]:
        board = Board()
        board.push(move)
        boards.append(board)
    file.write_text("\n".join(board.epd() for board in boards))
    fens = [board.fen() for board in boards]

    def read(words: str) -> list[str]:
        openings = settings(openings=f"file={file} {words}").match.openings
        return [opening.fen.rsplit(" ", 2)[0] for opening in openings]

    expected = [fen.rsplit(" ", 2)[0] for fen in fens]
    assert read("") == expected
    assert read("start=3") == expected[2:] + expected[:2]
    shuffled = read("order=random seed=5")
    assert shuffled != expected
    assert sorted(shuffled) == sorted(expected)
    assert read("order=random seed=5") == shuffled
    assert read("order=random seed=6") != shuffled


TOML = """
variant = "gothic"
rounds = 7
concurrency = 2
openings = "none"
out = "some"

[each]
tc = "8+0.08"
option.Hash = 64

[[engine]]
name = "A"
cmd = "abdiel"
arg = ["-x", "-y"]
option."Move Overhead" = 5

[[engine]]
name = "B"
cmd = "other"
nodes = 1000
restart = "on"

[draw]
movenumber = 30

[resign]
twosided = false

[sprt]
elo0 = -3
elo1 = 1.5
"""


def test_a_toml_file(tmp_path: Path) -> None:
    file = tmp_path / "match.toml"
    file.write_text(TOML)
    match, out, _ = settings(engines=(), config=file, rounds=9, resign="score=700")
    assert out == "some"
    assert match.variant == "gothic"
    assert match.rounds == 9
    assert match.openings[0].fen == GothicBoard.starting_fen
    one, other = match.engines
    assert one.command == ("abdiel", "-x", "-y")
    assert one.options == (("Hash", "64"), ("Move Overhead", "5"))
    assert other.control == TimeControl(time_ms=8000, increment_ms=80, nodes=1000)
    assert other.restart
    assert match.rules.draw == DrawRule(30, 8, 10)
    assert match.rules.resign == ResignRule(3, 700, True)
    assert match.sprt is not None
    assert (match.sprt.elo0, match.sprt.elo1) == (-3, 1.5)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rounds =", "match.toml: Invalid value"),
        ("round = 1", "match.toml: no key 'round'; there are variant,"),
        ("draw = 3", "match.toml: draw is '3', expected a table [draw]"),
        ("engine = 3", "match.toml: engine is no table, expected tables [[engine]]"),
        ("[[engine]]\nname = 'A'\ncmd = 1979-05-27", "match.toml, engine A: cmd is '1979-05-27'"),
        ("[[engine]]\nname = 'A'\nhash = 4", "match.toml, engine A: no key 'hash'"),
        ("[draw]\nscore = 'x'", "match.toml, [draw]: score=x, expected"),
        ("[each]\nname = 'x'\ntc = 1", "match.toml, [each]: name is"),
    ],
)
def test_mistakes_in_a_toml_file(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "match.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=re.escape(told)) as caught:
        read_settings({}, {"openings": "none"}, ("cmd=x tc=1", "cmd=y tc=1"), file)
    assert "\n" not in str(caught.value)


DOCS = Path(__file__).parents[1] / "docs" / "match.md"


def test_the_docs_name_every_word(tmp_path: Path) -> None:
    text = DOCS.read_text(encoding="utf-8")
    for key in KEYS:
        assert f"`{key.removesuffix('.')}" in text, key
    for option in set(PLAIN) | set(GROUPS) - {"event", "site", "interval"}:
        assert option in text, option


def test_the_example_of_the_docs_is_a_match(tmp_path: Path) -> None:
    (toml,) = re.findall(r"^```toml\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.M | re.S)
    file = tmp_path / "match.toml"
    file.write_text(toml)
    match, _, _ = settings(engines=(), config=file, openings="none")
    assert [engine.name for engine in match.engines] == ["Abdiel", "Fairy"]
    (command,) = re.findall(r"^```sh\n(abdiel match .*?)^```$", DOCS.read_text(), re.M | re.S)
    words = shlex.split(command.replace("\\\n", ""))
    pairs = list(zip(words[2::2], words[3::2], strict=True))
    match, out, _ = read_settings(
        {key[2:]: value for key, value in pairs if key[2:] in PLAIN},
        {"each": dict(pairs)["--each"], "openings": "none"},
        [value for key, value in pairs if key == "--engine"],
    )
    assert (match.variant, len(match.schedule()), match.concurrency) == ("gothic", 200, 2)
    assert out == "first"
