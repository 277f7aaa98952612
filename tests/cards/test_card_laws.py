"""Laws that every card game keeps, with every count of players and several options."""

from __future__ import annotations

import doctest
import json
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from card_games import SETTINGS, Setting, every_setting, legal_texts, random_game, random_states
from hypothesis import given
from hypothesis import strategies as st

from abdiel import cards
from abdiel.cards import CHANCE, GAMES, TERMINAL, ActionError, State, find_game
from abdiel.cards.players import PLAYERS, RandomPlayer, make_player, play_out
from abdiel.cards.records import load_game, replay, save_game


def views(state: State) -> list[tuple[str, object]]:
    """What each seat knows."""
    return [
        (state.information_state_string(seat), state.observation(seat))
        for seat in range(state.num_players)
    ]


def everything(state: State) -> tuple[object, ...]:
    return json.dumps(state.snapshot()), state.current_player(), state.legal_actions(), views(state)


@every_setting
def test_before_the_deal(setting: Setting) -> None:
    state = setting.start()
    assert state.current_player() == CHANCE
    assert state.is_chance_node() and not state.is_terminal()
    assert state.legal_actions() == ()
    assert state.scores() == [0] * setting.players
    assert state.returns() == [0.0] * setting.players
    assert state.winners() == []
    assert len(views(state)) == setting.players
    with pytest.raises(ActionError, match="to be dealt first"):
        state.apply_action(0)
    with pytest.raises(ActionError, match="before the deal"):
        state.action_to_string(0, 0)
    with pytest.raises(ValueError, match="only finished games have a record"):
        state.record()


@every_setting
def test_legal_actions_are_sorted_numbers_of_the_seat_to_move(setting: Setting) -> None:
    for state in random_states(setting, 1):
        player = state.current_player()
        actions = state.legal_actions()
        assert actions
        assert list(actions) == sorted(set(actions))
        assert actions[0] >= 0 and actions[-1] < state.num_distinct_actions
        assert all(type(action) is int for action in actions)
        assert state.legal_actions(player) == actions
        for other in range(setting.players):
            if other != player:
                assert state.legal_actions(other) == ()
                assert sum(state.legal_actions_mask(other)) == 0
        mask = state.legal_actions_mask(player)
        assert len(mask) == state.num_distinct_actions
        assert [action for action, legal in enumerate(mask) if legal] == list(actions)


@every_setting
def test_actions_have_texts_that_name_them(setting: Setting) -> None:
    for state in random_states(setting, 2, every=3):
        player = state.current_player()
        texts = legal_texts(state)
        assert len(set(texts)) == len(texts)
        for action, text in zip(state.legal_actions(), texts, strict=True):
            assert state.string_to_action(player, text) == action


@every_setting
def test_what_is_not_legal_is_refused_and_changes_nothing(setting: Setting) -> None:
    rng = Random(3)
    for state in random_states(setting, 3, every=5):
        before = everything(state)
        player = state.current_player()
        other = (player + 1) % setting.players
        legal = set(state.legal_actions())
        refused = [a for a in range(state.num_distinct_actions) if a not in legal]
        for action in [-1, state.num_distinct_actions, *rng.sample(refused, min(12, len(refused)))]:
            with pytest.raises(ActionError, match=f"seat {player}: .* is not legal: .*; legal: "):
                state.apply_action(action)
        for action in rng.sample(refused, min(12, len(refused))):
            text = state.action_to_string(player, action)
            with pytest.raises(ActionError, match=rf"seat {player}: .*; legal: "):
                state.string_to_action(player, text)
        for none in (None, 1.0, "accept"):
            with pytest.raises(ActionError, match="actions are whole numbers"):
                state.apply_action(none)  # type: ignore[arg-type]
        action = min(legal)
        told = f"seat {other} is not to move: it is seat {player}'s move; legal: "
        with pytest.raises(ActionError, match=told):
            state.apply_action(action, other)
        with pytest.raises(ActionError, match=told):
            state.string_to_action(other, "anything")
        for text in ("", "nonsense", "accept ", "play  B1", "\n", "discard ZZ", "give B1 B1 B1"):
            with pytest.raises(ActionError) as raised:
                state.string_to_action(player, text)
            assert "\n" not in str(raised.value)
            assert state.action_to_string(player, action) in str(raised.value)
        with pytest.raises(ActionError, match="no round is to be dealt"):
            state.deal(rng)
        for call in (state.observation, state.information_state_string):
            with pytest.raises(ValueError, match=f"seats are 0 to {setting.players - 1}"):
                call(setting.players)
        assert everything(state) == before


@every_setting
def test_nothing_is_forgotten(setting: Setting) -> None:
    """Perfect recall: what a player knew begins what it knows later."""
    states = random_states(setting, 4)
    for seat in range(setting.players):
        strings = [state.information_state_string(seat) for state in states]
        for earlier, later in pairwise(strings):
            assert later.startswith(earlier)


@every_setting
def test_a_player_remembers_what_it_did(setting: Setting) -> None:
    for state in random_states(setting, 5, every=7):
        player = state.current_player()
        before = state.information_state_string(player)
        after = set()
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            after.add(child.information_state_string(player))
        assert len(after) == len(state.legal_actions())
        assert all(string.startswith(before) and string != before for string in after)


@every_setting
def test_what_a_player_cannot_know_changes_nothing_for_it(setting: Setting) -> None:
    """Worlds that a player cannot tell apart look the same, and any could be the real one."""
    rng = Random(6)
    differs = 0
    for state in random_states(setting, 6, every=7):
        for player in range(setting.players):
            world = state.resample_from_infostate(player, rng)
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.observation(player) == state.observation(player)
            assert world.current_player() == state.current_player()
            assert world.legal_actions(player) == state.legal_actions(player)
            assert world.legal_actions()
            # The other world's history is one by the rules, and leads where it says.
            again = replay(world.snapshot(), finished=False)
            assert everything(again) == everything(world)
            differs += world.snapshot() != state.snapshot()
            if player == state.current_player():
                action = state.legal_actions()[-1]
                text = state.action_to_string(player, action)
                assert world.action_to_string(player, action) == text
    assert differs


@every_setting
def test_worlds_have_worlds_of_their_own(setting: Setting) -> None:
    rng = Random(7)
    for state in random_states(setting, 7, every=9):
        world = state
        for player in range(setting.players):
            shared = world
            world = world.resample_from_infostate(player, rng)
            assert world.information_state_string(player) == shared.information_state_string(player)
        play_out(world, [RandomPlayer(rng)] * setting.players, rng)
        assert replay(world.record()).scores() == world.scores()


@every_setting
def test_a_resampled_game_can_be_played_to_its_end(setting: Setting) -> None:
    rng = Random(8)
    for state in random_states(setting, 8, every=6):
        world = state.resample_from_infostate(state.current_player(), rng)
        play_out(world, [RandomPlayer(rng)] * setting.players, rng)
        again = replay(world.record())
        assert (again.scores(), again.winners()) == (world.scores(), world.winners())


@every_setting
def test_the_same_seed_gives_the_same_world(setting: Setting) -> None:
    for state in random_states(setting, 9, every=20):
        one, other = (state.resample_from_infostate(0, Random(5)).snapshot() for _ in range(2))
        assert one == other
    assert random_game(setting, 1).record() == random_game(setting, 1).record()
    assert random_game(setting, 1).record() != random_game(setting, 2).record()


@every_setting
def test_clones_are_independent(setting: Setting) -> None:
    rng = Random(10)
    for state in random_states(setting, 10, every=8):
        before = everything(state)
        clone = state.clone()
        assert everything(clone) == before
        play_out(clone, [RandomPlayer(rng)] * setting.players, rng)
        assert everything(state) == before
        other = state.clone()
        state.apply_action(state.legal_actions()[0])
        assert everything(other) == before
    ended = random_game(setting, 3)
    clone = ended.clone()
    assert everything(clone) == everything(ended)


@every_setting
def test_games_can_be_saved_at_any_moment(setting: Setting, tmp_path: Path) -> None:
    path = tmp_path / "game"
    fresh = setting.start()
    states = [fresh, *random_states(setting, 11, every=11), random_game(setting, 11)]
    for state in states:
        save_game(path, state)
        assert everything(load_game(path)) == everything(state)
        assert everything(pickle.loads(pickle.dumps(state))) == everything(state)
    assert [entry.name for entry in tmp_path.iterdir()] == ["game"]


@every_setting
def test_the_end(setting: Setting) -> None:
    for seed in range(5):
        state = random_game(setting, seed)
        assert state.current_player() == TERMINAL
        assert state.is_terminal() and not state.is_chance_node()
        assert state.legal_actions() == ()
        returns = state.returns()
        assert sum(returns) == pytest.approx(0)
        assert max(returns) <= 1
        winners = state.winners()
        assert winners == [seat for seat, value in enumerate(returns) if value == max(returns)]
        assert all(state.scores()[seat] == max(state.scores()) for seat in winners)
        sums = [sum(scores) for scores in zip(*(past.scores for past in state.past), strict=True)]
        assert sums == state.scores()
        rng = Random(1)
        assert everything(state.resample_from_infostate(0, rng)) == everything(state)
        with pytest.raises(ActionError, match="nobody is to move: the game is over"):
            state.apply_action(0)
        with pytest.raises(ActionError, match="the game is over"):
            state.deal(rng)


@given(data=st.data())
@every_setting
def test_any_row_of_actions_keeps_the_laws(setting: Setting, data: st.DataObject) -> None:
    """Hypothesis chooses the deals and the actions, and shrinks what fails."""
    state = setting.start()
    rng = Random(data.draw(st.integers(0, 2**32)))
    state.deal(rng)
    known = [""] * setting.players
    for code in data.draw(st.lists(st.integers(0, 999), max_size=60)):
        if state.is_chance_node():
            state.deal(rng)
        if state.is_terminal():
            break
        actions = state.legal_actions()
        state.apply_action(actions[code % len(actions)])
        now = [state.information_state_string(seat) for seat in range(setting.players)]
        assert all(a.startswith(b) for a, b in zip(now, known, strict=True))
        known = now
    assert everything(replay(state.snapshot(), finished=False)) == everything(state)
    for seat in range(setting.players):
        world = state.resample_from_infostate(seat, rng)
        assert world.information_state_string(seat) == known[seat] or not known[seat]
        assert replay(world.snapshot(), finished=False).totals == state.totals


@pytest.mark.parametrize("name", GAMES)
def test_counts_of_players_and_options_are_checked(name: str) -> None:
    game = find_game(name)
    counts = game.player_counts
    for players in (counts[0] - 1, counts[-1] + 1, 0, -1, True, 2.0, "3", None):
        with pytest.raises(ValueError, match=f"{name}: expected {counts[0]} to {counts[-1]} play"):
            game(players)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=f"{name}: no option 'colour'; there are? "):
        game(counts[0], colour=1)
    for option in game.option_specs:
        wrong: tuple[object, ...] = (None, 1.5, "maybe", [], 0, 10**9)
        for value in wrong:
            with pytest.raises(ValueError, match=f"{option.name}: expected {option.expected}"):
                game(counts[0], **{option.name: value})
        assert option.parse(str(option.default).lower()) == option.default
        for text in ("", "maybe", "-1", "1e3", "٣", "9" * 30):
            with pytest.raises(ValueError, match=option.name):
                option.parse(text)
        state = game(counts[0])
        assert state.options[option.name] == option.default


def test_names_are_checked() -> None:
    with pytest.raises(ValueError, match="no game 'bridge'; expected one of auf-teufel, work-of"):
        find_game("bridge")
    with pytest.raises(ValueError, match="no player 'me'; expected one of random"):
        make_player("me", Random(1))
    assert [find_game(name).name for name in GAMES] == list(GAMES)


def test_players_are_made_by_name() -> None:
    state = SETTINGS[0].start()
    players = [make_player(name, Random(1)) for name in PLAYERS] * 2
    play_out(state, players[:2], Random(1))
    assert state.is_terminal()


def test_cards_know_nothing_of_chess() -> None:
    code = "import sys, abdiel.cards.simulate, abdiel.cards.tally; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.split(".")[0] == "abdiel"}
    ours = {name for name in loaded if name.startswith("abdiel.cards")}
    assert loaded - ours == {"abdiel", "abdiel.version", "abdiel.errors", "abdiel.workers"}
    assert not {"chess", "rich", "click"} & set(done.stdout.split())


def test_chess_knows_nothing_of_cards() -> None:
    import abdiel

    package = Path(abdiel.__file__).parent
    for path in package.rglob("*.py"):
        if package / "cards" not in path.parents and path.name != "cards.py":
            assert "abdiel.cards" not in path.read_text(encoding="utf-8"), path


def test_the_example_of_the_package_is_right() -> None:
    results = doctest.testmod(cards)
    assert results.attempted > 5
    assert results.failed == 0
