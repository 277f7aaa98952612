"""The PettingZoo environments, by PettingZoo's own tests and ours."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

from card_games import Setting, every_setting
from pettingzoo.test import api_test, seed_test

from abdiel.cards import ActionError
from abdiel.cards.rl import CardsEnv

# PettingZoo warns of every observation that has an action mask beside it.
masks_are_meant = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]
pytestmark = masks_are_meant


def make(setting: Setting, **settings: Any) -> CardsEnv:
    return CardsEnv(setting.game, setting.players, **settings, **setting.options)


def play_out(env: CardsEnv, seed: int) -> dict[str, float]:
    """Play a game at random; what each agent got in all."""
    got = dict.fromkeys(env.possible_agents, 0.0)
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + seat)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        got[agent] += reward
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
    return got


@every_setting
def test_the_interface_is_pettingzoos(setting: Setting) -> None:
    api_test(make(setting), num_cycles=50)


@every_setting
def test_a_seed_gives_the_same_game(setting: Setting) -> None:
    seed_test(lambda: make(setting), num_cycles=20)


@every_setting
def test_rewards_are_the_returns_of_the_game(setting: Setting) -> None:
    env = make(setting)
    env.reset(seed=3)
    got = play_out(env, seed=3)
    state = env.unwrapped._state
    assert list(got.values()) == state.returns()
    assert any(got.values()) == (len(state.winners()) < setting.players)
    assert env.agents == []


@every_setting
def test_an_agent_sees_the_same_in_states_it_cannot_tell_apart(setting: Setting) -> None:
    env = make(setting)
    env.reset(seed=5)
    for number in range(60):
        agent = env.agent_selection
        seat = env.possible_agents.index(agent)
        seen = env.observe(agent)
        state = env._state
        env._state = state.resample_from_infostate(seat, env._rng)
        again = env.observe(agent)
        env._state = state
        for key, value in seen.items():
            assert (value == again[key]).all()
        legal = state.legal_actions()
        env.step(legal[number % len(legal)])
        if not env.agents or env.terminations[env.agent_selection]:
            break


def test_an_illegal_action_is_told_and_changes_nothing() -> None:
    env = CardsEnv("auf-teufel", 3)
    env.reset(seed=1)
    held = set(env.observe("seat_0")["action_mask"].nonzero()[0])
    missing = next(action for action in range(6) if action not in held)
    with pytest.raises(ActionError, match=f"no Devil {missing} is in the hand"):
        env.step(missing)
    assert env.agent_selection == "seat_0"


def test_what_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 3 to 5 players, found '6'"):
        CardsEnv("nakayoshi", 6)
    with pytest.raises(ValueError, match="render_mode: expected ansi or None, found 'human'"):
        CardsEnv("nakayoshi", render_mode="human")


def test_a_table_can_be_rendered() -> None:
    env = CardsEnv("nakayoshi", render_mode="ansi")
    env.reset(seed=1)
    drawn = env.render()
    assert drawn is not None and drawn.isascii()
    assert "round 1 of 4" in drawn and "Your hand:" in drawn
    silent = CardsEnv("nakayoshi")
    silent.reset(seed=1)
    assert silent.render() is None
