"""abdiel cards."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import click

from abdiel.cards import GAMES, find_game
from abdiel.cards.records import check_lines
from abdiel.commands.arguments import WholeNumber, ascii_option
from abdiel.errors import shown

if TYPE_CHECKING:
    from abdiel.cards import State
    from abdiel.cards.simulate import Simulation
    from abdiel.cards.state import OptionValue
    from abdiel.cards.tally import Tally


@click.group("cards", short_help="Three card games.", no_args_is_help=False)
def command() -> None:
    """Auf Teufel komm raus, The Work of Angels and Nakayoshi Friends Renewal."""


@command.command("list")
def list_games() -> None:
    """Name the games, their players and options."""
    for game in GAMES.values():
        counts = game.player_counts
        print(f"{game.name:<16}{game.title}, {counts[0]} to {counts[-1]} players")
        for option in game.option_specs:
            default = str(option.default).lower()
            print(f"    {f'{option.name}={default}':<16}{option.expected}: {option.help}")


@command.command("rules")
@click.argument("game")
def show_rules(game: str) -> None:
    """Tell the rules of GAME."""
    from abdiel.cards.rules import RULES

    print(RULES[find_game(game).name], end="")


@command.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def check_records(context: click.Context, files: tuple[str, ...]) -> None:
    """Judge every move and score of recorded games; - is standard input.

    Tells the first fault of each game that has one, by file and line; then the status is 1.
    """
    games = wrong = 0
    for name in files:
        with click.open_file(name, "rb") as file:
            for number, fault in check_lines(file):
                games += 1
                if fault:
                    wrong += 1
                    print(f"{name}:{number}: {fault}")
    found = f"{wrong} wrong" if wrong else "all right"
    print(f"{games} {'game' if games == 1 else 'games'}, {found}")
    if wrong:
        context.exit(1)


INTERRUPTED = 130
_MOST_GAMES = 10_000_000
_MOST_JOBS = 1024


def _read_options(game: type[State], texts: tuple[str, ...]) -> dict[str, OptionValue]:
    """Return a game's options, given as NAME=VALUE. Raises `ValueError`."""
    specs = {spec.name: spec for spec in game.option_specs}
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name not in specs:
            there = " or ".join(f"{spec.name}=VALUE" for spec in specs.values()) or "none"
            raise ValueError(f"option {shown(text)}: {game.name} takes {there}")
        options[name] = specs[name].parse(value)
    return options


@command.command("simulate")
@click.argument("game")
@click.option(
    "-n", "--games", type=click.IntRange(1, _MOST_GAMES), default=100, show_default=True,
    help="How many games.",
)  # fmt: skip
@click.option(
    "--players",
    required=True,
    metavar="NAMES",
    help="A player for each seat, by commas: random, greedy, strong; strong:500 searches 500"
    " games a move, strong:50ms for 50 milliseconds.",
)
@click.option("--seed", type=click.IntRange(0), help="Of all chance.  [default: any]")
@click.option(
    "--rotate/--no-rotate",
    default=True,
    help="Let each player have each seat with the same cards.  [default: rotate]",
)
@click.option("--option", "texts", multiple=True, metavar="NAME=VALUE", help="Of the game's.")
@click.option(
    "--record", type=click.Path(path_type=Path), metavar="FILE", help="Add the games to a file."
)
@click.option(
    "--jobs", type=click.IntRange(1, _MOST_JOBS), default=1, show_default=True,
    help="Games at a time.",
)  # fmt: skip
@click.pass_context
def simulate_games(
    context: click.Context,
    game: str,
    games: int,
    players: str,
    seed: int | None,
    rotate: bool,
    texts: tuple[str, ...],
    record: Path | None,
    jobs: int,
) -> None:
    """Let players play GAME many times and count how it ends.

    The same seed gives the same games, whatever the number of jobs, unless a search is timed.
    """
    from random import SystemRandom

    from rich.console import Console

    from abdiel.cards.report import print_tally
    from abdiel.cards.simulate import Simulation
    from abdiel.cards.tally import Tally

    if seed is None:
        seed = SystemRandom().randrange(1 << 32)
    names = tuple(name.strip() for name in players.split(","))
    options = tuple(_read_options(find_game(game), texts).items())
    simulation = Simulation(game, options, names, games, seed, rotate)
    simulation.check()
    tally = Tally(names)
    finished = _run(simulation, tally, record, jobs)
    print(f"{game}, {len(names)} players, {tally.games} of {games} games, seed {seed}\n")
    print_tally(Console(), tally)
    if not finished:
        context.exit(INTERRUPTED)


def _run(simulation: Simulation, tally: Tally, record: Path | None, jobs: int) -> bool:
    """Play, count and keep the games; tells whether all were played."""
    from contextlib import ExitStack

    from rich.console import Console
    from rich.progress import track

    from abdiel.cards.records import RecordFile
    from abdiel.cards.simulate import executor_for, simulate

    console = Console(stderr=True)
    with ExitStack() as stack:
        file = stack.enter_context(RecordFile(record)) if record else None
        try:
            with executor_for(jobs) as executor:
                for result in track(
                    simulate(simulation, executor, jobs),
                    "playing",
                    total=simulation.games,
                    console=console,
                    transient=True,
                    disable=not console.is_terminal,
                ):
                    if file:
                        file.write(result.record)
                    tally.add(result)
        except KeyboardInterrupt:
            return False
        except BrokenExecutor:
            raise ValueError("a process that played games was killed; try fewer --jobs") from None
    return True


@command.command("play")
@click.argument("game", required=False)
@click.option("--players", type=WholeNumber(2, 6), help="How many play; 4 if not given.")
@click.option("--level", metavar="NAME", help="Who plays the other seats; the best if not given.")
@click.option(
    "--seat",
    "seats",
    type=WholeNumber(0, 5),
    multiple=True,
    help="Your seat, 0 if not given; several times for several people.",
)
@click.option("--seed", type=WholeNumber(0, 2**63 - 1), help="Gives the same deals again.")
@click.option("--option", "texts", multiple=True, metavar="NAME=VALUE", help="Of the game's.")
@click.option("--save", type=click.Path(path_type=Path), help="The file for a game that is left.")
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with a saved game.")
@ascii_option
def play_game(
    game: str | None,
    players: int | None,
    level: str | None,
    seats: tuple[int, ...],
    seed: int | None,
    texts: tuple[str, ...],
    save: Path | None,
    resume: Path | None,
    ascii: bool,
) -> None:
    """Play GAME in the terminal, against the program or several people at one keyboard.

    A game that is left is saved to GAME.json, or a name like it that is free, in this folder.
    """
    from random import SystemRandom

    from abdiel.cards.players import PLAYERS
    from abdiel.cards.session import Session, Settings, unused_path

    if resume is not None:
        if (game, players, level, seed, save) != (None,) * 5 or seats or texts:
            raise ValueError("--resume FILE goes on as the game was: only --ascii goes with it")
        Session.resume(resume, ascii=ascii).play()
        return
    if game is None:
        raise ValueError(f"name a game, one of {', '.join(GAMES)}, or give --resume FILE")
    kind = find_game(game)
    if save is not None and save.exists():
        raise ValueError(f"{save} is there already: --resume {save} goes on with it")
    settings = Settings(
        seats=seats or (0,),
        level=list(PLAYERS)[-1] if level is None else level,
        seed=SystemRandom().randrange(1_000_000) if seed is None else seed,
        path=unused_path(kind.name) if save is None else save,
    )
    state = kind(4 if players is None else players, **_read_options(kind, texts))
    Session(state, settings, ascii=ascii).play()
