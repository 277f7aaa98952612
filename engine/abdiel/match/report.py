"""What a person sees of a match: a live table on a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from abdiel.match.game import FORFEITS

if TYPE_CHECKING:
    from typing import TextIO

    from rich.console import RenderableType

    from abdiel.match.game import GameRecord
    from abdiel.match.runner import Results
    from abdiel.match.statistics import Estimate
    from abdiel.match.tally import Counts

DEFAULT_INTERVAL = 10


def number(value: float, digits: int = 1, *, sign: bool = True) -> str:
    """Return a number for a table; `-` for what is not known."""
    if math.isnan(value):
        return "-"
    text = f"{value:{'+' if sign else ''}.{digits}f}"
    return text.replace("+inf", "inf")


def elo_text(estimate: Estimate) -> str:
    """Return Elo with its error bar."""
    return f"{number(estimate.elo)} ± {number(estimate.elo_error, sign=False)}"


def percent(share: float) -> str:
    """Return a share of 0 to 1 in per cent."""
    return "-" if math.isnan(share) else f"{100 * share:.1f}%"


def duration(seconds: float) -> str:
    """Return hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def forfeit_lines(record: GameRecord) -> list[str]:
    """Return what there is to say of a game that an engine forfeited."""
    return [
        f"forfeit: game {record.number + 1}, {record.white} - {record.black}: {record.reason}",
        f"  line: {record.line or '(none)'}",
        f"  FEN: {record.last_fen}",
        *(f"  {line}" for line in record.dialogue),
    ]


def summary_lines(results: Results) -> list[str]:
    """Return the statistics of a match as plain lines."""
    tally = results.tally
    names = tally.names
    lines = []
    if len(names) == 2:
        counts = tally.between(0, 1)
        found = counts.estimate()
        lines += [
            f"{names[0]} - {names[1]}: {_wdl(counts)}, {percent(found.score)} of {counts.games}"
            " games",
            f"Elo {elo_text(found)}, LOS {percent(found.los)}, draws {percent(found.draw_rate)},"
            f" normalized Elo {number(found.normalized_elo)}"
            f" ± {number(found.normalized_error, sign=False)}",
        ]
        if counts.pairs.pairs:
            lines.append(f"pairs by points (0, 1/2, 1, 3/2, 2): {_pairs(counts)}")
    else:
        for rank, engine in enumerate(tally.ranking(), 1):
            counts = tally.of(engine)
            found = counts.estimate()
            lines.append(
                f"{rank}. {names[engine]}: {_wdl(counts)}, {percent(found.score)} of"
                f" {counts.games} games, Elo {elo_text(found)}, draws {percent(found.draw_rate)}"
            )
    white = tally.white
    share = white.points / white.games if white.games else math.nan
    lines.append(f"White: {_wdl(white)}, {percent(share)}")
    if results.match.sprt is not None:
        lines.append(_sprt(results))
    return lines


def end_lines(results: Results) -> list[str]:
    """Return how the games of a match ended."""
    tally = results.tally
    if not tally.games:
        return []
    endings = ", ".join(f"{word} {count}" for word, count in tally.terminations.most_common())
    lines = [f"ends: {endings}", f"length: {tally.plies / tally.games:.1f} half-moves a game"]
    if tally.forfeits:
        forfeits = ", ".join(f"{name} {count}" for name, count in tally.forfeits.most_common())
        lines.append(f"forfeits: {forfeits}")
    return lines


def _wdl(counts: Counts) -> str:
    return f"+{counts.wins} ={counts.draws} -{counts.losses}"


def _pairs(counts: Counts) -> str:
    return " ".join(map(str, counts.pairs))


def _sprt(results: Results) -> str:
    sprt = results.match.sprt
    assert sprt is not None
    accepted = f", {results.decision} accepted" if results.decision else ""
    return (
        f"SPRT ({sprt.elo0:g}, {sprt.elo1:g}) {sprt.model}: LLR {results.llr:+.2f}"
        f" ({sprt.lower:.2f}, {sprt.upper:.2f}){accepted}"
    )


class Report:
    """A listener that tells a person; see `runner.Listener`. A context manager."""

    def __init__(
        self,
        console: Console | None = None,
        *,
        interval: int = DEFAULT_INTERVAL,
        log: TextIO | None = None,
    ) -> None:
        """`interval` is the number of games between two summaries where there is no live table.

        `log` gets the plain lines too, on a terminal and elsewhere.
        """
        self._console = console or Console(highlight=False, markup=False)
        self._interval = interval
        self._log = log
        self._live: Live | None = None
        self._progress = Progress(
            BarColumn(),  # of fixed width: where a line is full, the echo of Ctrl-C begins another
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]}"),
            console=self._console,
        )
        self._task = self._progress.add_task("", total=None, left="")
        self._begin = time.monotonic()
        self._told = 0  # games in the last summary

    def __enter__(self) -> Report:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop_live()

    def _stop_live(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    # A listener's methods.

    def on_start(self, results: Results) -> None:
        """Tell what is played."""
        match = results.match
        self._begin = time.monotonic()
        names = ", ".join(
            name if own in ("", name) else f"{name} ({own})"
            for name, own in (
                (engine.name, results.engine_names.get(engine.name, "")) for engine in match.engines
            )
        )
        self._say(
            f"{match.variant}: {names}; {results.total} games, {len(match.openings)} openings,"
            f" concurrency {match.concurrency}"
        )
        if results.before:
            self._say(f"{results.before} games are finished already")
        if self._console.is_terminal and not results.finished:
            self._live = Live(
                self._table(results), console=self._console, refresh_per_second=4, transient=True
            )
            self._live.start()

    def on_game(self, results: Results, record: GameRecord) -> None:
        """Tell how a game ended."""
        if record.termination in FORFEITS:
            for line in forfeit_lines(record):
                self._say(line)
        line = (
            f"game {record.number + 1}: {record.white} - {record.black} {record.result}"
            f" {{{record.reason}}}"
        )
        if self._live is not None:
            self._write_log(line)
            self._live.update(self._table(results))
            return
        self._say(line)
        if results.tally.games - self._told >= self._interval:
            self._summarize(results)

    def on_tick(self, results: Results) -> None:
        """Let the time left run on."""
        if self._live is not None:
            self._live.update(self._table(results))

    def on_warning(self, text: str) -> None:
        """Tell it."""
        self._say(f"warning: {text}")

    def on_end(self, results: Results) -> None:
        """Tell the result."""
        live = self._live is not None
        self._stop_live()
        tally = results.tally
        if not tally.games:
            return
        if live:
            self._console.print(self._tables(results))
        if live or self._told < tally.games:
            self._summarize(results, quiet=live)
        for line in end_lines(results):
            self._say(line)
        if not results.finished:
            self._say(f"broken off after {tally.games} of {results.total} games")

    # Lines and tables.

    def _say(self, line: str) -> None:
        self._console.print(line, soft_wrap=True)
        self._write_log(line)

    def _write_log(self, line: str) -> None:
        if self._log is not None:
            self._log.write(f"{line}\n")
            self._log.flush()

    def _summarize(self, results: Results, *, quiet: bool = False) -> None:
        self._told = results.tally.games
        for line in [*summary_lines(results), self._time_left(results)]:
            if quiet:
                self._write_log(line)
            elif line:
                self._say(line)

    def _time_left(self, results: Results) -> str:
        played = results.tally.games - results.before
        spent = time.monotonic() - self._begin
        left = results.total - results.tally.games
        if not played or not left or results.decision:
            return f"time {duration(spent)}"
        most = "at most " if results.match.sprt is not None else ""
        return f"time {duration(spent)}, left {most}{duration(spent / played * left)}"

    def _table(self, results: Results) -> RenderableType:
        self._progress.update(
            self._task,
            completed=results.tally.games,
            total=results.total,
            left=self._time_left(results),
        )
        return Group(self._tables(results), self._progress)

    def _tables(self, results: Results) -> RenderableType:
        tally = results.tally
        table = Table()
        for heading in ("engine", "games", "+", "=", "-", "score", "Elo", "LOS", "draws", "pairs"):
            table.add_column(heading, justify="left" if heading == "engine" else "right")
        # Of two engines one row says it all.
        engines = [0] if len(tally.names) == 2 else tally.ranking()
        for engine in engines:
            counts = tally.of(engine)
            found = counts.estimate()
            table.add_row(
                Text(tally.names[engine]),
                str(counts.games),
                str(counts.wins),
                str(counts.draws),
                str(counts.losses),
                percent(found.score),
                elo_text(found),
                percent(found.los),
                percent(found.draw_rate),
                _pairs(counts),
            )
        white = tally.white
        share = white.points / white.games if white.games else math.nan
        lines = [f"White: {_wdl(white)}, {percent(share)}"]
        if results.match.sprt is not None:
            lines.append(_sprt(results))
        if tally.forfeits:
            lines.append(f"forfeits: {sum(tally.forfeits.values())}")
        return Group(table, Text("\n".join(lines)))
