"""No damaged record passes: every field, and many kinds of damage.

Left out is only what makes a right record of another game, such as other Devils in a hand that are
never played, or an option whose other value would have changed nothing.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abdiel.cards import RecordError
from abdiel.cards.records import RecordFile, check_lines, read_line, record_line, replay

RECORDS = Path(__file__).with_name("records")
Place = tuple[str | int, ...]

# One record of each kind, the shortest ones with several rounds.
LINES = {
    name: (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[0]
    for name in (
        "auf-teufel-2-random",
        "auf-teufel-5-random",
        "work-of-angels-2-random-open",
        "work-of-angels-3-eager",
        "nakayoshi-3-random",
        "nakayoshi-5-plain",
    )
}
every_record = pytest.mark.parametrize("line", LINES.values(), ids=LINES)


def faults(line: str) -> str:
    """The fault of a line, which is one line itself."""
    with pytest.raises(RecordError) as raised:
        read_line(line)
    message = str(raised.value)
    assert message and len(message) < 400
    assert message.isprintable()
    return message


def passes(data: object) -> bool:
    try:
        replay(data)
    except RecordError as error:
        assert str(error).isprintable()
        return False
    return True


def walk(data: Any, path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value of a record with its place."""
    yield path, data
    items: Any = ()
    if isinstance(data, dict):
        items = data.items()
    elif isinstance(data, list):
        items = enumerate(data)
    for key, value in items:
        yield from walk(value, (*path, key))


def changed(data: Any, path: Place, value: object) -> Any:
    """A copy with another value at a place."""
    if not path:
        return value
    copied = data.copy()
    copied[path[0]] = changed(data[path[0]], path[1:], value)
    return copied


def places(data: Any) -> list[tuple[Place, Any]]:
    """The places of the game, the first round and the last one's fields; of long lists some."""
    last = len(data.get("rounds", [0])) - 1

    def wanted(path: Place) -> bool:
        if path[:1] == ("rounds",) and len(path) > 1 and path[1] != 0:
            return path[1] == last and len(path) < 4
        return all(key < 2 or key % 11 == 0 for key in path[2:] if isinstance(key, int))

    return [(path, value) for path, value in walk(data) if wanted(path)]


@every_record
def test_whole_records_pass(line: str) -> None:
    assert passes(json.loads(line))


@every_record
def test_values_of_other_types(line: str) -> None:
    data = json.loads(line)
    others: tuple[object, ...] = (
        *(None, True, False, 1.5, 10**30, -1),
        *("", "x", "\n", "\ud800", [], {}, [[]], {"x": 1}),
    )
    for path, value in places(data):
        for other in (*others, [value], {"0": value}, str(value)):
            if path == ("options",) and other == {}:
                continue
            if type(other) is type(value) and other == value:
                continue
            if path == ("options", "specials") and other is value:
                continue
            assert not passes(changed(data, path, other)), (path, value, other)
        if type(value) is int:
            assert not passes(changed(data, path, float(value))), path


@every_record
def test_numbers_that_are_off(line: str) -> None:
    data = json.loads(line)
    for path, value in places(data):
        if type(value) is not int or path[:1] == ("options",):
            continue
        for other in (value + 1, value - 1, value + 10, value - 100):
            # Another Devil in a hand may be right, see above.
            if path[:2] != ("deal", "hands") or not 1 <= other <= 5:
                assert not passes(changed(data, path, other)), (path, value, other)


@every_record
def test_keys_that_are_missing_wrong_or_too_many(line: str) -> None:
    data = json.loads(line)
    for path, value in places(data):
        if not isinstance(value, dict):
            continue
        assert not passes(changed(data, path, {**value, "extra": 1})), path
        for key in value:
            less = {k: v for k, v in value.items() if k != key}
            if path == ():
                if key != "options":
                    assert not passes(changed(data, path, less)), key
            elif path != ("options",):
                assert not passes(changed(data, path, less)), (path, key)
            for name in (key.upper(), key + " ", key[1:], ""):
                assert not passes(changed(data, path, {**less, name: value[key]})), (path, key)


def test_missing_options_take_their_defaults() -> None:
    for name, options in (("auf-teufel-2-random", {}), ("nakayoshi-3-random", {"specials": True})):
        data = json.loads(LINES[name])
        assert data["options"] == options
        del data["options"]
        assert passes(data)
    data = json.loads(LINES["nakayoshi-5-plain"])
    data["options"] = {}
    assert not passes(data)
    data = json.loads(LINES["work-of-angels-3-eager"])
    data["options"].pop("gap")
    assert passes(data)
    data["options"].pop("target")
    assert not passes(data)


@every_record
def test_entries_that_are_missing_doubled_added_or_in_another_order(line: str) -> None:
    data = json.loads(line)
    for path, value in places(data):
        if not isinstance(value, list):
            continue
        for at, item in enumerate(value[:20]):
            less = value[:at] + value[at + 1 :]
            assert not passes(changed(data, path, less)), (path, at)
            assert not passes(changed(data, path, [*value[:at], item, *value[at:]])), (path, at)
            others = value[at + 1 : at + 2]
            in_order = path[-1] in ("moves", "rounds") or (len(path) > 2 and path[-2] == "moves")
            if others and in_order and others[0] != item:
                if path[-1] == "moves" and others[0][0] == item[0]:
                    continue
                swapped = [*value[:at], others[0], item, *value[at + 2 :]]
                assert not passes(changed(data, path, swapped)), (path, at)
        assert not passes(changed(data, path, [*value, None])), path
        assert not value or not passes(changed(data, path, [])), path


@every_record
def test_moves_of_other_seats_or_with_other_texts(line: str) -> None:
    data = json.loads(line)
    for path, value in places(data):
        if len(path) > 1 and path[-2] == "moves":
            seat, text = value
            for other in range(data["players"]):
                if other != seat:
                    assert not passes(changed(data, path, [other, text])), path
            verb, _, rest = text.partition(" ")
            for wrong in (
                f"{text} ", f" {text}", f"{text}\n", text.upper(), text.title(), f"{text} {rest}!",
                f"{verb}  {rest}", verb, f"{verb} {rest}0", f"{verb} 0{rest}", f"x{text}", rest,
                f"{verb}\t{rest}", f"{verb} {rest.lower()}", f"{verb} Z{rest[1:]}", text * 50,
            ):  # fmt: skip
                if wrong != text:
                    assert not passes(changed(data, path, [seat, wrong])), (path, wrong)


@every_record
def test_cards_dealt_to_another_place(line: str) -> None:
    """A card that is there twice, or is none of the game."""
    data = json.loads(line)
    for number, dealt in enumerate(data.get("rounds", [])[:1]):
        cards = [*dealt["hands"][0], *dealt["hands"][-1]]
        for key in ("table", "deck", "removed"):
            cards += dealt.get(key, [])
        places = [p for p, v in walk(dealt) if {"hands", "table", "deck", "removed"} & {*p}]
        for path in [p for p in places if isinstance(p[-1], int) and p != ("hands", p[-1])]:
            value = next(v for p, v in walk(dealt) if p == path)
            for other in (*cards[::5], "JH", "1H", "B0", "B13", "X1", value.lower(), value + " "):
                if other != value:
                    damaged = changed(data, ("rounds", number, *path), other)
                    assert not passes(damaged), (path, value, other)


@every_record
def test_lines_that_are_cut(line: str) -> None:
    for end in range(0, len(line), 1 + len(line) // 500):
        faults(line[:end])


@every_record
def test_single_characters_that_are_gone(line: str) -> None:
    start = line.index("options")
    end = line.index("}", start)
    for at in range(0, len(line), 1 + len(line) // 500):
        if not start <= at <= end:
            faults(line[:at] + line[at + 1 :])


@every_record
def test_lines_that_are_no_json(line: str) -> None:
    for damaged in (
        line + "}", line + line, line + ",", "[" + line, f"[{line}]", line + " x", "\ufeff" + line,
        line.replace("[", "(", 1), line.replace('"', "'"), line.replace(":", "=", 1), "null", "7",
        line.replace("{", "{,", 1), line.replace("[", "[,", 1), "", " ", "\x00", "[" * 100_000,
        '{"game":' * 100_000, "9" * 5000, "NaN", "-Infinity", '"' + "x" * 100_000,
        line.replace('"game"', '"game":"x","game"', 1),
        line.replace('"moves"', '"moves":[],"moves"', 1),
        line.replace('"players":', '"players":' + "9" * 5000, 1), f"// {line}",
    ):  # fmt: skip
        if damaged != line:
            faults(damaged)
    for number in ("NaN", "Infinity", "1e400", "2.0", "02", "+2", "0x2"):
        faults(line.replace(f'"players":{json.loads(line)["players"]}', f'"players":{number}'))


def test_what_is_told() -> None:
    line = LINES["work-of-angels-3-eager"]
    data = json.loads(line)

    def told(path: Place, value: object) -> str:
        return faults(json.dumps(changed(data, path, value)))

    assert told(("game",), "bridge").startswith("game: no game 'bridge'; expected one of auf-")
    assert told(("game",), []) == "game: expected a name, found []"
    assert told(("players",), 7) == ("players: work-of-angels: expected 2 to 4 players, found '7'")
    assert told(("options", "gap"), "ajar") == "options: gap: expected closed or open, found 'ajar'"
    assert told(("options",), {"speed": 1}).startswith("options: work-of-angels: no option 'speed'")
    assert told(("rounds", 0, "moves", 1), 7) == "round 1, move 2: expected a list, found 7"
    assert told(("rounds", 0, "moves", 1, 0), 9) == (
        "round 1, move 2: expected a seat from 0 to 2, found 9"
    )
    seat, text = data["rounds"][0]["moves"][0]
    assert told(("rounds", 0, "moves", 0, 0), 2).startswith(
        f"round 1, move 1: seat 2 is not to move: it is seat {seat}'s move; legal: draw deck, draw"
    )
    assert told(("rounds", 0, "moves", 0, 1), "end").startswith(
        'round 1, move 1: seat 1: "end" is not legal: draw first, until the hand holds 7; legal: '
    )
    assert told(("rounds", 0, "scores", 0), 5).startswith("round 1, scores: expected [")
    assert told(("totals", 0), 5).startswith("totals: expected [")
    assert told(("winners",), []).startswith("winners: expected ")
    last = len(data["rounds"]) - 1
    less = data["rounds"][last]["moves"][:-1]
    assert told(("rounds", last, "moves"), less).startswith(
        f"round {last + 1}, moves: they end too early: it is seat "
    )
    more = [*data["rounds"][last]["moves"], [0, "end"]]
    assert told(("rounds", last, "moves"), more) == (
        f"round {last + 1}, move {len(more)}: the round was over after move {len(more) - 1}"
    )
    assert told(("rounds",), data["rounds"] * 2) == (
        f"round {last + 2}: the game was over after round {last + 1}"
    )
    assert text.startswith("draw ")


def test_a_file_is_judged_line_by_line() -> None:
    right = LINES["auf-teufel-2-random"].encode()
    assert [fault for _, fault in check_lines([right, right])] == [None, None]
    judged = list(check_lines([right, b"\n", b"\xff\xfe\n", right[:50], right]))
    assert [number for number, fault in judged if fault] == [2, 3, 4]
    told = [str(fault).split(":")[0] for _, fault in judged if fault]
    assert told == ["an empty line, expected a game", "not UTF-8", "not JSON"]
    assert [str(fault) for _, fault in check_lines([])] == [
        "the file is empty, expected a game a line"
    ]


def test_a_record_error_knows_its_place() -> None:
    data = json.loads(LINES["auf-teufel-2-random"])
    data["moves"][4][1] = "pass 9"
    with pytest.raises(RecordError) as raised:
        replay(data)
    assert raised.value.place == "move 5"
    assert str(copy.copy(raised.value)) == str(raised.value)


def test_records_are_added_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = record_line(read_line(LINES["auf-teufel-2-random"]))
    path = tmp_path / "games.jsonl"
    with RecordFile(path) as file:
        file.write(line)
    with RecordFile(path) as file:
        file.write(line)

        class Full:
            """A disk on which ten bytes are left."""

            def __init__(self, inner: Any) -> None:
                self.inner = inner
                self.left = 10

            def write(self, data: bytes) -> int:
                if not self.left:
                    raise OSError(28, "No space left on device")
                self.left = 0
                return int(self.inner.write(data[:10]))

            def __getattr__(self, name: str) -> Any:
                return getattr(self.inner, name)

        monkeypatch.setattr(file, "_file", Full(file._file))
        with pytest.raises(OSError, match="No space left"):
            file.write(line)
    assert path.read_text(encoding="utf-8") == line + line
    path.write_text(line + line[:10], encoding="utf-8")
    with pytest.raises(ValueError, match="the last line is not finished; move it away"):
        RecordFile(path)
    with pytest.raises(OSError, match="No such file"):
        RecordFile(tmp_path / "none" / "games.jsonl")


def test_only_finished_games_are_records() -> None:
    data = json.loads(LINES["auf-teufel-2-random"])
    part = {**data, "moves": data["moves"][:5]}
    del part["scores"], part["winners"]
    state = replay(part, finished=False)
    assert len(state.moves) == 5
    with pytest.raises(ValueError, match="only finished games have a record: it is seat"):
        record_line(state)
    for key, value in (("scores", [0, 0]), ("winners", [0])):
        with pytest.raises(RecordError, match="is not over"):
            replay({**part, key: value}, finished=False)
