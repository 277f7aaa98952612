"""Three card games: Auf Teufel komm raus, The Work of Angels, Nakayoshi Friends Renewal.

`find_game` gives a game's class; an object of it is a game at some moment:

>>> from random import Random
>>> from abdiel.cards import find_game
>>> state = find_game("auf-teufel")(players=3)
>>> state.is_chance_node()
True
>>> rng = Random(7)
>>> state.deal(rng)
>>> state.current_player()
0
>>> [state.action_to_string(0, action) for action in state.legal_actions()]
['accept', 'pass 1', 'pass 2', 'pass 4']
>>> state.apply_action(state.string_to_action(0, "pass 4"))
>>> state.observation(2).hand_sizes
(2, 3, 3)
"""

from abdiel.cards.errors import ActionError, RecordError
from abdiel.cards.registry import GAMES, find_game
from abdiel.cards.state import CHANCE, TERMINAL, State

__all__ = [
    "CHANCE",
    "GAMES",
    "TERMINAL",
    "ActionError",
    "RecordError",
    "State",
    "find_game",
]
