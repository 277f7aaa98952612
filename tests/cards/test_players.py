"""The players: what they choose is legal, theirs to know, and the same for the same seed."""

from __future__ import annotations

from random import Random

import pytest
from card_games import SETTINGS, Setting, every_setting, random_game, random_states

from abdiel.cards.auf_teufel import AufTeufel
from abdiel.cards.greedy import policy_of, search_policy_of
from abdiel.cards.greedy.work_of_angels import BY_MATCHES, WorkOfAngelsPolicy
from abdiel.cards.ismcts import Search, rewards
from abdiel.cards.players import PLAYERS, make_player
from abdiel.cards.simulate import Simulation, play_job
from abdiel.cards.work_of_angels import WorkOfAngels

# With so few iterations each action is tried a few times at most.
NAMES = ("random", "greedy", "strong:20")


@every_setting
def test_choices_are_legal_and_change_nothing(setting: Setting) -> None:
    for state in random_states(setting, 20, every=23):
        for name in NAMES:
            before = state.snapshot()
            one, other = (make_player(name, Random(3)).step(state) for _ in range(2))
            assert one == other
            assert one in state.legal_actions()
            assert state.snapshot() == before


@every_setting
def test_nobody_peeks(setting: Setting) -> None:
    """In two worlds that its seat cannot tell apart a player does the same."""
    rng = Random(21)
    for state in random_states(setting, 21, every=23):
        world = state.resample_from_infostate(state.current_player(), rng)
        for name in NAMES:
            one, other = (make_player(name, Random(4)).step(s) for s in (state, world))
            assert one == other


@every_setting
def test_policies_know_what_is_worth_a_thought(setting: Setting) -> None:
    rng = Random(22)
    for number, state in enumerate(random_states(setting, 22)):
        policy = (policy_of, search_policy_of)[number % 2](state)
        found = list(policy.candidates(state))
        assert found[0] == policy.choose(state)
        assert len(set(found)) == len(found)
        assert set(found) <= set(state.legal_actions())
        seat = state.current_player()
        world = state.resample_from_infostate(seat, rng)
        assert list(policy.candidates(world)) == found
        assert policy.sight(world, seat) == policy.sight(state, seat)
        assert policy.sight(state, (seat + 1) % setting.players) == 0


@every_setting
def test_rewards_are_shares(setting: Setting) -> None:
    for seed in range(5):
        state = random_game(setting, seed)
        scale = policy_of(state).SCALE
        found = rewards(state, scale)
        assert sum(found) == pytest.approx(1)
        assert all(0 <= reward <= 1 for reward in found)
        winners = state.winners()
        assert max(found) == found[winners[0]]
        order = sorted(range(setting.players), key=state.scores().__getitem__)
        assert [found[seat] for seat in order] == sorted(found)
        assert rewards(setting.start(), scale) == pytest.approx([1 / setting.players] * len(found))


@pytest.mark.parametrize("setting", SETTINGS[::3], ids=str)
def test_budgets_are_kept(setting: Setting) -> None:
    for state in random_states(setting, 23, every=25):
        search = Search(state, Random(5))
        search.run(50)
        choices = len(search_policy_of(state).candidates(state))
        tried = sum(search.visits.values())
        assert tried <= 50
        # Spent as far as there are worlds for all actions, or there is one action left.
        assert tried > 50 - choices or len(search.choices) == 1
        assert search.best() in search.choices
        assert make_player("strong:1ms", Random(1)).step(state) in state.legal_actions()
        # Too few iterations to try everything: the policy's own choice.
        assert make_player("strong:1", Random(1)).step(state) == search_policy_of(state).choose(
            state
        )


def test_worths_of_numbers_are_those_of_the_weights() -> None:
    """By match weights most worths come from a table; it tells what the weights do."""
    policy = WorkOfAngelsPolicy(BY_MATCHES)
    for setting in SETTINGS:
        if setting.game != "work-of-angels":
            continue
        for state in random_states(setting, 25, every=7):
            assert isinstance(state, WorkOfAngels)
            player = state.current_player()
            hand, gone = state.hands[player], 0
            for laid in state.laid:
                gone |= laid
            cards = [card for card in range(48) if not (gone >> card & 1)]
            wanted = [
                policy._worth_of(
                    card, hand, gone, state.run_starts, state.jack(player), state.deck_left < 12
                )
                for card in cards
            ]
            assert policy._worths(state, cards) == wanted


def test_a_search_ends_when_the_choice_is_clear() -> None:
    """With an Angel of 10 in the last turn, nothing can be better than to accept it."""
    state = AufTeufel(3)
    state.deal(Random(1))
    while state.turn < 29 or state.current_player() != state.drawer:
        state.apply_action(0)
    angels = state.snapshot()["deal"]["angels"]
    hands = state.snapshot()["deal"]["hands"]
    angels.insert(29, angels.pop(angels.index(10)))
    state = AufTeufel(3)
    state.deal_record({"angels": angels, "hands": hands})
    for _ in range(29):
        state.apply_action(0)
    search = Search(state, Random(2))
    search.run(1000)
    assert search.choices == [search.best()] == [0]
    assert sum(search.visits.values()) < 200


def simulation_of(setting: Setting, name: str) -> Simulation:
    options = tuple(setting.options.items())
    names = (name, *["greedy"] * (setting.players - 1))
    return Simulation(setting.game, options, names, games=2, seed=9)


@pytest.mark.parametrize("name", NAMES[:2])
@every_setting
def test_whole_games_are_the_same_for_a_seed(setting: Setting, name: str) -> None:
    simulation = simulation_of(setting, name)
    assert play_job(simulation.job(1)) == play_job(simulation.job(1))
    assert play_job(simulation.job(1)) != play_job(simulation.job(0))


@pytest.mark.parametrize("setting", SETTINGS[::3], ids=str)
def test_a_search_plays_the_same_game_for_a_seed(setting: Setting) -> None:
    simulation = simulation_of(setting, "strong:2")
    assert play_job(simulation.job(1)) == play_job(simulation.job(1))


@pytest.mark.parametrize("budget", ["", "x", "0", "-1", "1.5", "ms", "0ms", "9" * 30, "٣", "1 ms"])
def test_wrong_budgets_are_told(budget: str) -> None:
    with pytest.raises(ValueError, match=r"such as strong:500 or strong:50ms$") as raised:
        make_player(f"strong:{budget}", Random(1))
    assert "\n" not in str(raised.value)


def test_only_a_search_has_a_budget() -> None:
    with pytest.raises(ValueError, match="expected a budget for strong"):
        make_player("greedy:5", Random(1))
    with pytest.raises(ValueError, match=f"expected one of {', '.join(PLAYERS)}"):
        make_player("weak:5", Random(1))


def gain_on_greedy(game: str, players: int, name: str, deals: int) -> float:
    """Return how many points a player makes more than greedy on the same seats and deals."""
    names = (name, *["greedy"] * (players - 1))
    simulation = Simulation(game, (), names, deals * players, seed=2)
    gain = 0
    for deal in range(deals):
        alone = play_job(simulation._replace(players=("greedy",) * players).job(deal * players))
        for number in range(deal * players, (deal + 1) * players):
            result = play_job(simulation.job(number))
            seat = result.seats.index(0)
            gain += result.scores[seat] - alone.scores[seat]
    return gain / simulation.games


@pytest.mark.parametrize("players", AufTeufel.player_counts)
def test_a_search_knows_that_cards_come_back(players: int) -> None:
    """In Auf Teufel komm raus, greedy is hit by what it passed on; a short search is not."""
    assert gain_on_greedy("auf-teufel", players, "strong:20", 6) > 1


@every_setting
def test_greedy_beats_random(setting: Setting) -> None:
    """Alone among random players, with the same deals on each seat, it wins twice its share."""
    names = ("greedy", *["random"] * (setting.players - 1))
    simulation = Simulation(
        setting.game, tuple(setting.options.items()), names, 4 * setting.players, 1
    )
    wins = 0.0
    for number in range(simulation.games):
        result = play_job(simulation.job(number))
        seat = result.seats.index(0)
        wins += (seat in result.winners) / len(result.winners)
    assert wins >= 1.6 * simulation.games / setting.players
