"""abdiel match."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

INTERRUPTED = 130

_GROUPS = ("each", "openings", "draw", "resign", "sprt")


@click.command("match", short_help="Play UCI engines against each other.")
@click.option(
    "--engine",
    multiple=True,
    metavar="WORDS",
    help='An engine: "name=A cmd=abdiel option.Hash=64 tc=8+0.08". Give it for each.',
)
@click.option("--each", metavar="WORDS", help="What holds for every engine.")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A TOML file with any of these options.",
)
@click.option("--variant", metavar="NAME", help="The game.  [default: angelsanddevils]")
@click.option(
    "--tournament",
    metavar="NAME",
    help="round-robin, or gauntlet: the first against the others.  [default: round-robin]",
)
@click.option("--seeds", metavar="N", help="Engines that play the gauntlet.")
@click.option("--rounds", metavar="N", help="How often each meets each.  [default: 1]")
@click.option("--games", metavar="N", help="Games whenever two meet.  [default: 2]")
@click.option("--repeat", metavar="N", help="Games with each opening.  [default: 2]")
@click.option(
    "--openings",
    metavar="WORDS",
    help='"file=F format=epd|pgn order=sequential|random seed=N plies=N start=N", or none;'
    " the variant's own set if not given.",
)
@click.option("--concurrency", metavar="N", help="Games at the same time.  [default: 1]")
@click.option("--draw", metavar="WORDS", help='Call draws: "movenumber=40 movecount=8 score=10".')
@click.option(
    "--resign", metavar="WORDS", help='Call losses: "movecount=3 score=600 twosided=true".'
)
@click.option("--maxmoves", metavar="N", help="Call longer games drawn; 0 for never.")
@click.option(
    "--sprt",
    metavar="WORDS",
    help='Stop by test: "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized".',
)
@click.option(
    "--out",
    metavar="NAME",
    help="Keep all in NAME.pgn, .jsonl, .json and .log, and go on from there.",
)
@click.option("--event", metavar="TEXT", help="PGN's tag Event.")
@click.option("--site", metavar="TEXT", help="PGN's tag Site.")
@click.option("--interval", metavar="N", help="Games between two summaries in plain output.")
@click.pass_context
def command(
    context: click.Context,
    /,
    engine: tuple[str, ...],
    config: Path | None,
    **options: str | None,
) -> None:
    """Play UCI engines against each other; docs/match.md tells more."""
    try:
        from abdiel.match.report import Report
        from abdiel.match.runner import run_match
        from abdiel.match.settings import read_settings
        from abdiel.match.store import Store
    except ModuleNotFoundError as error:
        raise ValueError(str(error)) from None

    groups = {key: text for key in _GROUPS if (text := options[key]) is not None}
    plain = {key: value for key, value in options.items() if key not in _GROUPS}
    settings = read_settings(plain, groups, engine, config)
    with contextlib.ExitStack() as stack:
        store = log = None
        if settings.out:
            store = stack.enter_context(Store(settings.out, settings.match))
            log = stack.enter_context(store.open_log())
        report = stack.enter_context(Report(interval=settings.interval, log=log))
        results = run_match(settings.match, report, store)
    if results.interrupted:
        context.exit(INTERRUPTED)
