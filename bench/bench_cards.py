"""The card games: random rounds, copies, and worlds that a player cannot tell from the real one."""

import random

import pytest

from abdiel.cards import GAMES, State, find_game
from abdiel.cards.ismcts import Search
from abdiel.cards.players import RandomPlayer
from bench.conftest import Rate

TABLES = [(name, players) for name, game in GAMES.items() for players in game.player_counts]
WORLDS = 100


def play_round(state: State, rng: random.Random, moves: int | None = None) -> int:
    """Play a random round, or so many moves of it; returns how many were made."""
    state.deal(rng)
    player = RandomPlayer(rng)
    made = 0
    while state.current_player() >= 0 and made != moves:
        state.apply_action(player.step(state))
        made += 1
    return made


@pytest.mark.parametrize(("game", "players"), TABLES)
def bench_random_rounds(rate: Rate, game: str, players: int) -> None:
    """A game of Auf Teufel is one round."""
    state_class = find_game(game)

    def rounds() -> None:
        rng = random.Random(1)
        for _ in range(20):
            play_round(state_class(players), rng)

    rate(rounds, 20, "rounds")


@pytest.mark.parametrize(("game", "players"), TABLES)
def bench_worlds(rate: Rate, game: str, players: int) -> None:
    """From the middle of a round, as a search makes them."""
    rng = random.Random(1)
    length = play_round(find_game(game)(players), rng)
    state = find_game(game)(players)
    play_round(state, random.Random(1), length // 2)

    def worlds() -> None:
        for _ in range(WORLDS):
            state.resample_from_infostate(state.current_player(), rng)

    rate(worlds, WORLDS, "worlds")


@pytest.mark.parametrize(("game", "players"), TABLES)
def bench_clone(rate: Rate, game: str, players: int) -> None:
    state = find_game(game)(players)
    play_round(state, random.Random(1), 20)

    def clones() -> None:
        for _ in range(WORLDS):
            state.clone()

    rate(clones, WORLDS, "clones")


@pytest.mark.parametrize(("game", "players"), TABLES)
def bench_search(rate: Rate, game: str, players: int) -> None:
    """Iterations of `strong`, from the last choice in the first half of a round."""
    length = play_round(find_game(game)(players), random.Random(1))
    for moves in range(length // 2, -1, -1):
        state = find_game(game)(players)
        play_round(state, random.Random(1), moves)
        if state.current_player() >= 0 and len(Search(state, random.Random(1)).choices) > 1:
            break

    def search() -> int:
        """Search; return how many iterations it took, for it ends when the choice is clear."""
        tree = Search(state, random.Random(1))
        tree.run(WORLDS)
        return sum(tree.visits.values())

    rate(search, search(), "iterations")
