"""The card games with all counts of players and some options, and how the tests play them."""

from __future__ import annotations

import os
from random import Random
from typing import Any, NamedTuple, TypeVar

import pytest

from abdiel.cards import State, find_game
from abdiel.cards.players import RandomPlayer, play_out

# Random games of each game in all; `ABDIEL_CARD_GAMES=20000 pytest tests/cards` is for the night.
GAMES = int(os.environ.get("ABDIEL_CARD_GAMES", "100"))

S = TypeVar("S", bound=State)


class Setting(NamedTuple):
    game: str
    players: int
    options: dict[str, Any]

    def __str__(self) -> str:
        options = "".join(f"-{value}" for value in self.options.values())
        return f"{self.game}-{self.players}{options}"

    def start(self) -> State:
        return find_game(self.game)(self.players, **self.options)


SETTINGS = [
    *(Setting("auf-teufel", players, {}) for players in range(2, 7)),
    *(
        Setting("work-of-angels", players, {"gap": gap, "target": target, "rounds": 3})
        for players in range(2, 5)
        for gap, target in (("closed", 60), ("open", 20))
    ),
    *(
        Setting("nakayoshi", players, {"specials": specials})
        for players in range(3, 6)
        for specials in (True, False)
    ),
]

every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)


def share(setting: Setting) -> int:
    """How many of the random games of its game a setting gets."""
    settings = [other for other in SETTINGS if other.game == setting.game]
    return GAMES // len(settings) + (settings.index(setting) < GAMES % len(settings))


def random_game(setting: Setting, seed: int) -> State:
    """A finished game between random players."""
    rng = Random(f"{setting} {seed}")
    state = setting.start()
    play_out(state, [RandomPlayer(rng)] * setting.players, rng)
    return state


def random_states(setting: Setting, seed: int, every: int = 1) -> list[State]:
    """States of a random game, each `every`th of those in which a player is to move."""
    rng = Random(f"{setting} {seed}")
    state = setting.start()
    player = RandomPlayer(rng)
    states = []
    count = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.deal(rng)
            continue
        if count % every == 0:
            states.append(state.clone())
        count += 1
        state.apply_action(player.step(state))
    return states


def play(state: S, *moves: str) -> S:
    """Play moves such as "0 pass 3", each of which must be legal."""
    for move in moves:
        seat, _, text = move.partition(" ")
        state.apply_action(state.string_to_action(int(seat), text))
    return state


def legal_texts(state: State) -> list[str]:
    player = state.current_player()
    return [state.action_to_string(player, action) for action in state.legal_actions()]
