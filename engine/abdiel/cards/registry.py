"""The card games by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abdiel.cards.auf_teufel import AufTeufel
from abdiel.cards.nakayoshi import Nakayoshi
from abdiel.cards.work_of_angels import WorkOfAngels
from abdiel.errors import shown

if TYPE_CHECKING:
    from abdiel.cards.state import State

GAMES: dict[str, type[State]] = {game.name: game for game in (AufTeufel, WorkOfAngels, Nakayoshi)}


def find_game(name: str) -> type[State]:
    """Return the class of a game, such as "auf-teufel". Raises `ValueError` if there is none."""
    if name not in GAMES:
        raise ValueError(f"no game {shown(name)}; expected one of {', '.join(GAMES)}")
    return GAMES[name]
