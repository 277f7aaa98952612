"""Reads, checks and writes records of card games: one JSON object a line, one line a game."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Self

from abdiel.cards.errors import ActionError, RecordError
from abdiel.cards.fields import check_keys, read_int, read_ints, read_list, told
from abdiel.cards.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from abdiel.cards.state import State

_RESULTS = ("scores",)
_OF_GAME = ("game", "players")


def record_line(state: State) -> str:
    """Return the record of a finished game as a line. Raises `ValueError` before the end."""
    return _dump(state.record())


def _dump(data: object) -> str:
    return json.dumps(data, separators=(",", ":")) + "\n"


def read_line(text: str) -> State:
    """Return the finished game of a record, every move and score of which is right.

    Raises `RecordError`, which tells of the first fault.
    """
    try:
        return replay(parse_line(text))
    except RecursionError:
        raise RecordError("", "not a record: nested too deeply") from None


def parse_line(text: str) -> object:
    """Return the JSON value of a line. Raises `RecordError`."""
    if not text.strip():
        raise RecordError("", "an empty line, expected a game")
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise RecordError("", f"not JSON: {error.msg}, column {error.colno}") from None
    except RecordError:
        raise
    except ValueError as error:  # a number with too many digits
        raise RecordError("", f"not a record: {str(error).partition(';')[0]}") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make an object, in which no key may be twice."""
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise RecordError("", f"{told(twice)} is there twice")
    return data


def _no_constant(name: str) -> object:
    raise RecordError("", f"not JSON: {name} is no number")


def check_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, RecordError | None]]:
    """Judge the lines of a file of records: yield each line's number and its first fault.

    A file without lines is a fault too, of line 1.
    """
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            read_line(_decode(line))
        except RecordError as error:
            yield number, error
        else:
            yield number, None
    if not number:
        yield 1, RecordError("", "the file is empty, expected a game a line")


def _decode(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise RecordError("", f"not UTF-8: byte {error.start + 1}") from None


def replay(data: object, *, finished: bool = True) -> State:
    """Return the game of a record, judged move by move.

    With `finished` false it is a snapshot, which may end anywhere. Raises `RecordError`.
    """
    state = _new_state(data)
    assert isinstance(data, dict)
    if state.has_rounds:
        _replay_rounds(state, data, finished)
    elif "deal" in data or finished:
        _replay_only_round(state, data, finished)
    else:
        check_keys(data, "", _OF_GAME, ("options",))
    if finished and not state.is_terminal():
        raise RecordError("", f"the game is not over: round {len(state.past) + 1} is missing")
    _check_end(state, data, finished)
    return state


def _new_state(data: object) -> State:
    if not isinstance(data, dict):
        raise RecordError("", f"expected an object, found {told(data)}")
    for key in _OF_GAME:
        if key not in data:
            raise RecordError("", f'"{key}" is missing')
    name = data["game"]
    try:
        if not isinstance(name, str):
            raise ValueError(f"expected a name, found {told(name)}")
        game = find_game(name)
    except ValueError as error:
        raise RecordError("game", str(error)) from None
    players = read_int(data["players"], "players")
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise RecordError("options", f"expected an object, found {told(options)}")
    try:
        state = game(players)
    except ValueError as error:
        raise RecordError("players", str(error)) from None
    try:
        return game(players, **options) if options else state
    except ValueError as error:
        raise RecordError("options", str(error)) from None


def _replay_rounds(state: State, data: dict[str, object], finished: bool) -> None:
    check_keys(data, "", (*_OF_GAME, "rounds"), ("options", "totals", "winners"))
    rounds = read_list(data["rounds"], "rounds")
    for number, item in enumerate(rounds, 1):
        place = f"round {number}"
        if state.is_terminal():
            raise RecordError(place, f"the game was over after round {number - 1}")
        fields = check_keys(item, place, (*state.deal_keys, "moves"), _RESULTS)
        state.deal_record(fields, place)
        _replay_moves(state, fields, f"{place}, ", finished)
        if not state.is_chance_node() and not state.is_terminal() and number < len(rounds):
            raise RecordError(place, "the round is not over")
        _check_scores(state, fields, f"{place}, ")


def _replay_only_round(state: State, data: dict[str, object], finished: bool) -> None:
    check_keys(data, "", (*_OF_GAME, "deal", "moves"), ("options", *_RESULTS, "winners"))
    state.deal_record(check_keys(data["deal"], "deal", state.deal_keys))
    _replay_moves(state, data, "", finished)
    _check_scores(state, data, "")


def _replay_moves(state: State, fields: dict[str, object], where: str, finished: bool) -> None:
    """Play the moves of a round, which must end it if the game is to be finished."""
    begun = len(state.past)
    moves = read_list(fields["moves"], f"{where}moves")
    for number, move in enumerate(moves, 1):
        place = f"{where}move {number}"
        seat, text = read_list(move, place, 2)
        seat = read_int(seat, place)
        if not 0 <= seat < state.num_players:
            seats = f"0 to {state.num_players - 1}"
            raise RecordError(place, f"expected a seat from {seats}, found {told(seat)}")
        if not isinstance(text, str):
            raise RecordError(place, f"expected a text, found {told(text)}")
        if len(state.past) > begun:
            raise RecordError(place, f"the round was over after move {number - 1}")
        try:
            state.apply_action(state.string_to_action(seat, text))
        except ActionError as error:
            raise RecordError(place, str(error)) from None
    if finished and len(state.past) == begun:
        raise RecordError(
            f"{where}moves",
            f"they end too early: it is seat {state.current_player()}'s move {len(moves) + 1}",
        )


def _check_scores(state: State, fields: dict[str, object], where: str) -> None:
    """Compare the scores of the round that has just been played, or see that there are none."""
    place = f"{where}scores"
    if not state.is_chance_node() and not state.is_terminal():
        if "scores" in fields:
            raise RecordError(place, "the round is not over")
        return
    if "scores" not in fields:
        raise RecordError(where.removesuffix(", "), '"scores" is missing')
    _compare(fields["scores"], list(state.past[-1].scores), place)


def _check_end(state: State, data: dict[str, object], finished: bool) -> None:
    """Compare the results of the game, or see that there are none."""
    results = {"totals": state.scores()} if state.has_rounds else {}
    results["winners"] = state.winners()
    for key, expected in results.items():
        if state.is_terminal():
            if key not in data:
                raise RecordError("", f'"{key}" is missing')
            _compare(data[key], expected, key)
        elif key in data:
            raise RecordError(key, "the game is not over")


def _compare(found: object, expected: Sequence[int], place: str) -> None:
    if read_ints(found, place, len(expected)) != list(expected):
        raise RecordError(place, f"expected {told(list(expected))}, found {told(found)}")


class RecordFile:
    """A file to which records are added whole or not at all; a context manager."""

    def __init__(self, path: Path | str) -> None:
        """Open or make the file. Raises `OSError`, or `ValueError` if it ends within a line."""
        self._path = Path(path)
        self._file = self._path.open("ab+", buffering=0)
        end = self._file.seek(0, os.SEEK_END)
        if end:
            self._file.seek(end - 1)
            if self._file.read(1) != b"\n":
                self._file.close()
                raise ValueError(f"{self._path}: the last line is not finished; move it away")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def write(self, line: str) -> None:
        """Add a line, as `record_line` makes it. Raises `OSError`; then nothing is added."""
        data = line.encode()
        end = self._file.seek(0, os.SEEK_END)
        try:
            written = 0
            while written < len(data):
                written += self._file.write(data[written:])
        except BaseException:
            self._file.truncate(end)
            raise


def write_file(path: Path, text: str) -> None:
    """Put a text into a file, in place of an earlier one, at once. Raises `OSError`."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def save_game(path: Path, state: State) -> None:
    """Save a game, finished or not, so that `load_game` has it again. Raises `OSError`."""
    write_file(path, _dump(state.snapshot()))


def load_game(path: Path) -> State:
    """Return a saved game. Raises `OSError`, or `RecordError` if the file is damaged."""
    return replay(parse_line(_decode(path.read_bytes())), finished=False)
