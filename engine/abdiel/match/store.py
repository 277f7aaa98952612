"""The files of a match: games as PGN, what it continues from, its results and its log.

`NAME.json` has the results, `NAME.log` what was told. `NAME.jsonl` has a line for the match and
one for each finished game, with all that is known of it, and `NAME.pgn` the games in the same
order, that of their ends. A game is written to the PGN first; its line in the other file, which
says where it ends in the PGN, makes it count. So after a sudden end the PGN is cut after the last
game that counts, and nothing is lost or there twice.
"""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from abdiel.match.game import GameRecord
from abdiel.match.gamepgn import game_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import IO, Self, TextIO

    from abdiel.match.runner import Match

FORMAT = 1
_GAME_START = b"[Event "


class StoreError(ValueError):
    """The files cannot be used for this match."""


class Store:
    """The files of one match, kept by one process at a time; a context manager."""

    def __init__(self, name: str, match: Match) -> None:
        """Open or make the files. Raises `StoreError`, or `OSError`."""
        self.games_path = Path(f"{name}.jsonl")
        self.pgn_path = Path(f"{name}.pgn")
        self.results_path = Path(f"{name}.json")
        self.log_path = Path(f"{name}.log")
        self._identity = json.loads(json.dumps(match.identity()))
        self._event, self._site = match.event, match.site
        self._pgn: IO[bytes] | None = None
        self._games = self.games_path.open("a+b")
        try:
            self._lock()
        except BaseException:
            self._games.close()
            raise

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
        """Close the files."""
        self._games.close()
        if self._pgn is not None:
            self._pgn.close()

    def open_log(self) -> TextIO:
        """Open the file of what was told, to add to it. Raises `OSError`."""
        return self.log_path.open("a", encoding="utf-8")

    def _lock(self) -> None:
        try:
            fcntl.flock(self._games, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"{self.games_path}: another match is writing it") from None

    def load(self, on_game: Callable[[GameRecord], None]) -> None:
        """Read the games that were finished before, and make ready to write more.

        Raises `StoreError` if the files are another match's or are damaged.
        """
        size = self.pgn_path.stat().st_size if self.pgn_path.exists() else 0
        self._games.seek(0)
        end = pgn_end = 0
        for number, line in enumerate(iter(self._games.readline, b""), 1):
            try:
                if number == 1 and self._is_unused(line, size):
                    break
                if not line.endswith(b"\n"):
                    break  # the last line, which was not finished
                data = json.loads(line)
                if number == 1:
                    self._check(data)
                else:
                    on_game(GameRecord.from_json(data["game"]))
                pgn_end = int(data["pgn"])
                end += len(line)
            except (KeyError, TypeError, ValueError) as error:
                if isinstance(error, StoreError):
                    raise
                raise StoreError(
                    f"{self.games_path}, line {number}: not a line of a match; give another --out"
                ) from None
        self._games.truncate(end)
        if not end:
            self._begin(size)
        else:
            self._continue(size, pgn_end, pgn_end > size)

    def _is_unused(self, line: bytes, size: int) -> bool:
        """Tell whether nothing came after the first line, which may then be replaced.

        So it is where an engine could not be started and its words are put right after that.
        """
        ours = _json_line(self._first_line())
        begins = line.startswith(_json_line({"abdiel match": FORMAT})[:-2])
        if line.endswith(b"\n"):
            used = self._games.readline() or size
            self._games.seek(len(line))
            return begins and not used and line != ours
        if not ours.startswith(line[: len(ours)]) and not begins:
            raise StoreError(f"{self.games_path}: not the file of a match; give another --out")
        return True

    def _first_line(self) -> dict[str, Any]:
        return {"abdiel match": FORMAT, "pgn": 0, "identity": self._identity}

    def _begin(self, size: int) -> None:
        if size:
            raise StoreError(
                f"{self.pgn_path}: exists, but no match to continue; give another --out"
            )
        self._pgn = self.pgn_path.open("ab")
        self._write_line(self._first_line())

    def _continue(self, size: int, pgn_end: int, lost: bool) -> None:
        if lost:
            self._rewrite()
        self._pgn = self.pgn_path.open("a+b")
        if not lost and size > pgn_end:
            self._pgn.seek(pgn_end)
            if self._pgn.read().count(_GAME_START) > 1:
                raise StoreError(f"{self.pgn_path}: games of others follow; move it away")
            self._pgn.truncate(pgn_end)

    def _rewrite(self) -> None:
        """Write a PGN that lacks games anew, and the other file with the new ends."""
        there = self.pgn_path.read_bytes() if self.pgn_path.exists() else b""
        self._games.seek(0)
        lines = [json.loads(line) for line in self._games]
        pgn = bytearray()
        for line in lines:
            if "game" in line:
                pgn += self._format(GameRecord.from_json(line["game"]))
                line["pgn"] = len(pgn)
        if not pgn.startswith(there):
            raise StoreError(f"{self.pgn_path}: has not the games of this match; move it away")
        _replace(self.pgn_path, bytes(pgn))
        _replace(self.games_path, b"".join(map(_json_line, lines)))
        self._games.close()
        self._games = self.games_path.open("a+b")
        self._lock()

    def _check(self, data: dict[str, Any]) -> None:
        if data["abdiel match"] != FORMAT:
            raise StoreError(f"{self.games_path}: of another version; give another --out")
        difference = _difference(data["identity"], self._identity)
        if difference:
            raise StoreError(
                f"{self.games_path}: holds another match ({difference}); give another --out"
            )

    def write(self, record: GameRecord) -> None:
        """Write a finished game to both files. Raises `OSError`."""
        end = self._write_pgn(record)
        self._write_line({"pgn": end, "game": record.to_json()})

    def _write_pgn(self, record: GameRecord) -> int:
        assert self._pgn is not None
        self._pgn.write(self._format(record))
        self._pgn.flush()
        return self._pgn.tell()

    def _format(self, record: GameRecord) -> bytes:
        return f"{game_of(record, self._event, self._site)}\n\n".encode()

    def _write_line(self, data: dict[str, Any]) -> None:
        self._games.write(_json_line(data))
        self._games.flush()
        os.fsync(self._games.fileno())

    def write_results(self, results: dict[str, Any]) -> None:
        """Write the results, in place of earlier ones. Raises `OSError`."""
        text = json.dumps(results, indent=2, ensure_ascii=False, allow_nan=False)
        _replace(self.results_path, f"{text}\n".encode())


def _replace(path: Path, data: bytes) -> None:
    """Put a file in place of another at once, so that there is always a whole one."""
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _json_line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _difference(there: Any, here: Any, where: str = "") -> str:
    """Return the first place where two JSON values differ, "" if they are equal."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in [*there, *(key for key in here if key not in there)]:
            place = f"{where} {key}".strip()
            found = _difference(there.get(key), here.get(key), place)
            if found:
                return found
        return ""
    if there == here:
        return ""
    return f"{where}: {json.dumps(there)} there, {json.dumps(here)} here"
