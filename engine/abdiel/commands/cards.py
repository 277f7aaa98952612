"""abdiel cards."""

from __future__ import annotations

import click

from abdiel.cards import GAMES, find_game
from abdiel.cards.records import check_lines


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
