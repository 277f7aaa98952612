"""The card games as PettingZoo environments, for learners; needs the optional extra `rl`.

>>> env = CardsEnv("auf-teufel", players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     action = None
...     if not termination:
...         action = env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)
"""

from __future__ import annotations

import io
from random import Random
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from rich.console import Console

from abdiel.cards import auf_teufel, nakayoshi, work_of_angels
from abdiel.cards.presenters import make_presenter
from abdiel.cards.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from abdiel.cards.state import State

_MOST = 2**31 - 1  # no number of an observation is larger
_COLUMNS = 80


def _flags(cards: Iterable[int], length: int) -> list[int]:
    """Return 1 for each card that is there, else 0; a negative one is none."""
    flags = [0] * length
    for card in cards:
        if card >= 0:
            flags[card] = 1
    return flags


def _counts(values: Iterable[int], most: int) -> list[int]:
    """Return how often each of the values 1 to `most` is there."""
    values = list(values)
    return [values.count(value) for value in range(1, most + 1)]


def _from(seat: int, items: Sequence[Any]) -> list[Any]:
    """Return what each seat has, `seat` first and then clockwise."""
    return [*items[seat:], *items[:seat]]


def _auf_teufel_numbers(state: State, seat: int) -> Iterator[int]:
    seen: auf_teufel.Observation = state.observation(seat)
    players = state.num_players
    running = seen.current_player >= 0
    turn = seen.turns[-1] if running else auf_teufel.Turn(seat, None, (), None)
    devils = [devil or 0 for devil in turn.devils]
    yield from _counts(seen.hand, 5)
    yield from _from(seat, seen.hand_sizes)
    yield from _from(seat, seen.pile_sizes)
    yield from (seen.angels_left, seen.total)
    yield from _flags([(turn.drawer - seat) % players], players)
    yield turn.angel or 0
    yield len(devils)
    yield from (*devils, *[0] * (players - len(devils)))
    yield from _counts([t.angel for t in seen.turns if t.angel], 10)
    yield from _counts([devil for t in seen.turns for devil in t.devils if devil], 5)


def _work_of_angels_numbers(state: State, seat: int) -> Iterator[int]:
    seen: work_of_angels.Observation = state.observation(seat)
    number = work_of_angels.NUM_CARDS
    yield from _flags(seen.hand, number)
    yield from _flags(seen.table, number)
    for cards in _from(seat, seen.known):
        yield from _flags(cards, number)
    for sets in _from(seat, seen.sets):
        yield from _flags([card for cards in sets for card in cards], number)
    yield from _from(seat, seen.hand_sizes)
    yield from (seen.deck_left, seen.quiet_turns, int(seen.last_turn))
    yield from (int(seen.phase == phase) for phase in ("draw", "lay"))
    yield from _flags([seen.jack], len(work_of_angels.SUITS))
    yield from _flags([(seen.dealer - seat) % state.num_players], state.num_players)
    yield seen.round
    yield from _from(seat, seen.totals)


def _nakayoshi_numbers(state: State, seat: int) -> Iterator[int]:
    seen: nakayoshi.Observation = state.observation(seat)
    players, number = state.num_players, nakayoshi.NUM_CARDS
    yield from _flags(seen.hand, number)
    yield from _flags(seen.given, number)
    yield from _flags(seen.received, number)
    for cards in _from(seat, seen.shown):
        yield from _flags(cards, number)
    played = {play.seat: (play.card, play.extra) for play in seen.trick}
    for other in _from(seat, range(players)):
        for card in played.get(other, (None, None)):
            yield from _flags([] if card is None else [card], number)
    for suits in _from(seat, seen.void):
        yield from _flags(suits, len(nakayoshi.SUITS))
    yield from _from(seat, seen.hand_sizes)
    yield from _from(seat, seen.penalties)
    for taker in (seen.tenshi, seen.akuma, seen.leader):
        yield from _flags([] if taker is None else [(taker - seat) % players], players)
    yield from (int(seen.phase == phase) for phase in ("give", "play", "drop"))
    yield seen.round
    yield from _from(seat, seen.totals)


_NUMBERS: dict[str, Callable[[State, int], Iterator[int]]] = {
    auf_teufel.AufTeufel.name: _auf_teufel_numbers,
    work_of_angels.WorkOfAngels.name: _work_of_angels_numbers,
    nakayoshi.Nakayoshi.name: _nakayoshi_numbers,
}


class CardsEnv(AECEnv[str, dict[str, Any], int | None]):  # type: ignore[misc]
    """A card game as an environment with the agents seat_0, seat_1 and so on.

    An observation has "observation", the numbers that a seat knows as a vector of int32, its own
    seat before the others clockwise, and "action_mask", an int8 for each action, 1 if it is legal
    now. The reward comes at the game's end: what `State.returns` says.
    """

    def __init__(
        self, game: str, players: int = 4, render_mode: str | None = None, **options: object
    ) -> None:
        """Raises `ValueError` for what the game does not have. `render_mode` is "ansi" or None."""
        super().__init__()
        kind = find_game(game)
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode: expected ansi or None, found {render_mode!r}")
        self._new: Callable[[], State] = lambda: kind(players, **options)
        self._state = self._new()
        self._rng = Random()
        self._numbers = _NUMBERS[kind.name]
        self.metadata = {
            "name": f"{kind.name}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions = kind.num_distinct_actions
        length = self._vector(0).shape
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-_MOST, _MOST, length, np.int32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def _vector(self, seat: int) -> NDArray[np.int32]:
        return np.array(list(self._numbers(self._state, seat)), np.int32)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return what observations an agent can have."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        """Return the actions; which are legal is in the observation."""
        return self._action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent knows, and the mask of its legal actions."""
        seat = self._seats[agent]
        mask = np.array(self._state.legal_actions_mask(seat), np.int8)
        return {"observation": self._vector(seat), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game anew; with a seed all deals from now on come from it."""
        if seed is not None:
            self._rng = Random(seed)
        self._state = self._new()
        self._state.deal(self._rng)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self._state.current_player()]

    def step(self, action: int | None) -> None:
        """Carry out an action of the selected agent, None once the game is over.

        Raises `ActionError`, which says what is legal.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._state.apply_action(cast("int", action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self._state.is_chance_node():
            self._state.deal(self._rng)
        if self._state.is_terminal():
            self.rewards = dict(zip(self.possible_agents, self._state.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return, with the mode "ansi", the table as the selected agent sees it."""
        if self.render_mode is None:
            return None
        state = self._state
        text = io.StringIO()
        presenter = make_presenter(state, ["agent"] * state.num_players, ascii=True)
        presenter.draw(state, self._seats[self.agent_selection], Console(file=text, width=_COLUMNS))
        return text.getvalue()

    def close(self) -> None:
        """Do nothing: there is nothing to be freed."""
