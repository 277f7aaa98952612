"""abdiel tune."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from abdiel.board import find_variant
from abdiel.commands.arguments import WholeNumber, variant_option
from abdiel.tuning.selfplay import Settings, generate

_file = click.Path(path_type=Path)


@click.command("tune", short_help="Tune the evaluation's weights on games.")
@variant_option
@click.option(
    "--generate", "games", type=WholeNumber(1, 10**7), help="Play so many games into --out."
)
@click.option(
    "--nodes", type=WholeNumber(1, 10**9), default=5000, show_default=True, help="Of each move."
)
@click.option("--seed", type=WholeNumber(0, 10**9), default=1, show_default=True)
@click.option("--jobs", type=WholeNumber(1, 256), default=1, show_default=True, help="Processes.")
@click.option(
    "--positions",
    type=_file,
    multiple=True,
    metavar="FILE",
    help="Tune on these: EPD that --generate made, or a match's PGN. Give it for each.",
)
@click.option(
    "--mix",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Share of the games' results in what is foretold; the rest is the searches' scores.",
)
@click.option("--steps", type=WholeNumber(1, 10**6), default=400, show_default=True)
@click.option(
    "--rate",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="Centipawns of a step at first.",
)
@click.option(
    "--hold",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="How firmly the weights keep to what they were, in positions.",
)
@click.option("--out", type=_file, metavar="FILE", required=True, help="What is written.")
def command(
    variant: str,
    games: int | None,
    nodes: int,
    seed: int,
    jobs: int,
    positions: tuple[Path, ...],
    mix: float,
    steps: int,
    rate: float,
    hold: float,
    out: Path,
) -> None:
    """Tune the evaluation's weights on games, or play such games.

    With --generate the engine plays itself and adds the quiet positions to the EPD file --out; an
    interrupted run goes on from there. With --positions it writes the weights' header to --out:
    ext/abdiel/core/weights.h, which counts after the next build.
    """
    if (games is None) == (not positions):
        raise ValueError("give one of --generate and --positions")
    variant = find_variant(variant).uci_variant
    if games is None:
        _tune(variant, positions, mix, steps, rate, hold, out)
        return
    start = time.perf_counter()
    for count in generate(Settings(variant, nodes, seed), games, out, jobs):
        if count % 20 == 0 or count == games:
            seconds = time.perf_counter() - start
            print(f"{count} of {games} games, {seconds:.0f} s", file=sys.stderr, flush=True)


def _tune(
    variant: str,
    files: tuple[Path, ...],
    mix: float,
    steps: int,
    rate: float,
    hold: float,
    out: Path,
) -> None:
    # NumPy is heavy, and an extra.
    from abdiel.tuning.samples import read_samples
    from abdiel.tuning.tuner import tune

    samples = [sample for file in files for sample in read_samples(file, variant)]
    text = tune(
        samples,
        mix=mix,
        steps=steps,
        rate=rate,
        hold=hold,
        say=lambda line: print(line, flush=True),
    )
    out.write_text(text, encoding="utf-8")
