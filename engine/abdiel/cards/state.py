"""The contract of the card games, after OpenSpiel.

A game is a row of rounds. A round is dealt, at a chance node, by a generator of random numbers or
from a record; then the players act one after the other until it is scored. Actions are small whole
numbers, cards too; texts are made and read at the edges only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from abdiel.cards.errors import ActionError
from abdiel.errors import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random
    from typing import Self

CHANCE = -1  # the player to move when a round is to be dealt
TERMINAL = -4  # when the game is over

SEAT_BITS = 3  # a move is kept as action << SEAT_BITS | seat
SEAT_MASK = (1 << SEAT_BITS) - 1

_LISTED = 12  # legal actions that an error lists

OptionValue = bool | int | str


class Option(NamedTuple):
    """An option of a game: a word, a number from `least` to `most`, or true or false."""

    name: str
    default: OptionValue
    help: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    @property
    def expected(self) -> str:
        """What the option takes, in words."""
        if self.choices:
            return " or ".join(self.choices)
        if isinstance(self.default, bool):
            return "true or false"
        return f"{self.least} to {self.most}"

    def check(self, value: object) -> OptionValue:
        """Return `value`. Raises `ValueError` if the option cannot have it."""
        if self.choices:
            right = isinstance(value, str) and value in self.choices
        elif isinstance(self.default, bool):
            right = isinstance(value, bool)
        else:
            right = type(value) is int and self.least <= value <= self.most
        if not right:
            raise ValueError(f"{self.name}: expected {self.expected}, found {shown(str(value))}")
        assert isinstance(value, bool | int | str)
        return value

    def parse(self, text: str) -> OptionValue:
        """Return the value that a text of the command line means. Raises `ValueError`."""
        value: OptionValue = text
        if isinstance(self.default, bool):
            value = {"true": True, "false": False}.get(text, text)
        elif not self.choices and text.isascii() and text.isdecimal() and len(text) < 18:
            value = int(text)
        return self.check(value)


class Round(NamedTuple):
    """A finished round."""

    deal: Any
    moves: tuple[int, ...]
    scores: tuple[int, ...]


class State(ABC):
    """A game at some moment: who is to move and what may be done, and what each player knows.

    The object knows all cards. What a seat may know of them is `observation`,
    `information_state_string` and any state made by `resample_from_infostate`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    player_counts: ClassVar[range]
    option_specs: ClassVar[tuple[Option, ...]] = ()
    num_distinct_actions: ClassVar[int]
    # The record has a list of rounds; else there is one round, and its fields are the record's own.
    has_rounds: ClassVar[bool] = True
    deal_keys: ClassVar[tuple[str, ...]]

    __slots__ = ("_deal", "_legal", "_past", "_player", "moves", "num_players", "options", "totals")

    num_players: int
    options: dict[str, OptionValue]
    totals: list[int]
    moves: list[int]
    _deal: Any
    _legal: tuple[int, ...]
    _past: tuple[Round, ...]
    _player: int

    def __init__(self, players: int, **options: object) -> None:
        """Make a game whose first round is to be dealt. Raises `ValueError`."""
        counts = self.player_counts
        if type(players) is not int or players not in counts:
            raise ValueError(
                f"{self.name}: expected {counts[0]} to {counts[-1]} players,"
                f" found {shown(str(players))}"
            )
        self.num_players = players
        self.options = self._complete(options)
        self.totals = [0] * players
        self.moves = []
        self._deal = None
        self._legal = ()
        self._past = ()
        self._player = CHANCE
        self._set_up()

    @classmethod
    def _complete(cls, options: Mapping[str, object]) -> dict[str, OptionValue]:
        """Return the options with the defaults of those that are not given."""
        specs = {spec.name: spec for spec in cls.option_specs}
        for name in options:
            if name not in specs:
                there = f"there are {', '.join(specs)}" if specs else "there are none"
                raise ValueError(f"{cls.name}: no option {shown(name)}; {there}")
        return {
            name: spec.check(options[name]) if name in options else spec.default
            for name, spec in specs.items()
        }

    # What each game tells about itself.

    @abstractmethod
    def _set_up(self) -> None:
        """Set the game's own fields before the first deal."""

    @abstractmethod
    def _shuffled(self, rng: Random) -> Any:
        """Return a random deal of the next round."""

    @abstractmethod
    def deal_from_json(self, data: Mapping[str, object], place: str) -> Any:
        """Return the next round's deal from a record's fields. Raises `RecordError`."""

    @abstractmethod
    def _deal_to_json(self, number: int, deal: Any) -> dict[str, object]:
        """Return the fields of a record for the deal of a round, counted from 0."""

    @abstractmethod
    def _begin(self) -> None:
        """Lay out the round of `_deal`, and set `_player`."""

    @abstractmethod
    def _find_legal(self) -> tuple[int, ...]:
        """Return the legal actions of `_player`, sorted; there is always one."""

    @abstractmethod
    def _apply(self, action: int) -> None:
        """Carry out a legal action; at a round's end call `_finish`."""

    @abstractmethod
    def _is_over(self) -> bool:
        """Tell, when a round has just been scored, whether it was the last."""

    @abstractmethod
    def _text(self, deal: Any, player: int, action: int) -> str:
        """Return the record's text of an action that exists."""

    @abstractmethod
    def _parse(self, player: int, text: str) -> int:
        """Return the action of a text, legal or not. Raises `ActionError` with the reason."""

    @abstractmethod
    def _reason(self, player: int, action: int) -> str:
        """Return why an action is not legal for the player to move."""

    @abstractmethod
    def _log(self, deal: Any, moves: Iterable[int], player: int, number: int) -> list[str]:
        """Return what a player has seen of a round so far, one event after the other.

        More moves add events and change none. The end of the round is not among them.
        """

    def _reveal(self, deal: Any) -> str:
        """Return what all are shown of the hidden cards at a round's end."""
        return ""

    @abstractmethod
    def _resample(self, player: int, rng: Random) -> None:
        """Deal what `player` cannot know anew; the round is running."""

    @abstractmethod
    def observation(self, player: int) -> Any:
        """Return what a player sees and remembers, as the game's own kind of tuple.

        Cards are numbers. Raises `ValueError` if there is no such seat.
        """

    @abstractmethod
    def round_scores(self) -> list[int]:
        """Return what the round would score if it ended now, all cards known."""

    @abstractmethod
    def clone(self) -> Self:
        """Return a copy; neither notices what becomes of the other."""

    # What they have in common.

    def _copy(self) -> Self:
        """Return a copy of the common fields, for `clone`."""
        twin = object.__new__(type(self))
        twin.num_players = self.num_players
        twin.options = self.options
        twin.totals = self.totals[:]
        twin.moves = self.moves[:]
        twin._deal = self._deal
        twin._legal = self._legal
        twin._past = self._past
        twin._player = self._player
        return twin

    def current_player(self) -> int:
        """Return the seat to move; `CHANCE` if a round is to be dealt, `TERMINAL` at the end."""
        return self._player

    def is_chance_node(self) -> bool:
        """Tell whether a round is to be dealt."""
        return self._player == CHANCE

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self._player == TERMINAL

    @property
    def past(self) -> tuple[Round, ...]:
        """The finished rounds."""
        return self._past

    def deal(self, rng: Random) -> None:
        """Deal a round at random. Raises `ActionError` if none is to be dealt."""
        self._check_chance()
        self._start(self._shuffled(rng))

    def deal_record(self, data: Mapping[str, object], place: str = "deal") -> None:
        """Deal a round as a record has it, an object with the keys `deal_keys`.

        Raises `RecordError`, which tells of `place`, or `ActionError` if no round is to be dealt.
        """
        self._check_chance()
        self._start(self.deal_from_json(data, place))

    def _check_chance(self) -> None:
        if self._player != CHANCE:
            raise ActionError(f"no round is to be dealt: {self._turn_text()}")

    def _start(self, deal: Any) -> None:
        self._deal = deal
        self.moves = []
        self._begin()

    def _finish(self) -> None:
        """Score the round that has just ended."""
        scores = self.round_scores()
        self._past += (Round(self._deal, tuple(self.moves), tuple(scores)),)
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        self._player = TERMINAL if self._is_over() else CHANCE

    def legal_actions(self, player: int | None = None) -> tuple[int, ...]:
        """Return the legal actions, sorted; none for a player who is not to move."""
        if self._player < 0 or (player is not None and player != self._player):
            return ()
        if not self._legal:
            self._legal = self._find_legal()
        return self._legal

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Return for each action 1 if it is legal, else 0."""
        mask = [0] * self.num_distinct_actions
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int, player: int | None = None) -> None:
        """Carry out an action of the seat to move, which `player` must be if given.

        Raises `ActionError`, which says what is legal; then nothing has changed.
        """
        if self._player < 0 or (player is not None and player != self._player):
            raise ActionError(self._not_to_move(player))
        try:
            action = int(index(action))  # arrays have numbers of their own kinds
        except TypeError:
            raise ActionError(f"{action!r}: actions are whole numbers") from None
        if action not in (self._legal or self.legal_actions()):
            raise ActionError(self._illegal(action))
        self.apply_legal(action)

    def apply_legal(self, action: int) -> None:
        """Carry out an action of the seat to move that is known to be legal, as searches do."""
        self._legal = ()
        self.moves.append(action << SEAT_BITS | self._player)
        self._apply(action)

    def _turn_text(self) -> str:
        if self._player == TERMINAL:
            return "the game is over"
        if self._player == CHANCE:
            return "the next round is to be dealt first"
        return f"it is seat {self._player}'s move"

    def _not_to_move(self, player: int | None) -> str:
        who = "nobody is to move" if player is None else f"seat {player} is not to move"
        legal = f"; {self._legal_text()}" if self._player >= 0 else ""
        return f"{who}: {self._turn_text()}{legal}"

    def _illegal(self, action: int) -> str:
        player = self._player
        if not 0 <= action < self.num_distinct_actions:
            what, reason = str(action)[:20], f"actions are 0 to {self.num_distinct_actions - 1}"
        else:
            what = f'"{self._text(self._deal, player, action)}"'
            reason = self._reason(player, action)
        return f"seat {player}: {what} is not legal: {reason}; {self._legal_text()}"

    def _legal_text(self) -> str:
        """Return the legal actions in words; many are cut short."""
        actions = self.legal_actions()
        texts = [self._text(self._deal, self._player, action) for action in actions[:_LISTED]]
        if len(actions) > _LISTED:
            texts.append(f"and {len(actions) - _LISTED} more")
        return "legal: " + ", ".join(texts)

    def action_to_string(self, player: int, action: int) -> str:
        """Return an action's text, as records have it. Raises `ActionError`."""
        self.check_seat(player)
        if self._deal is None:
            raise ActionError("before the deal there are no actions")
        if not 0 <= action < self.num_distinct_actions:
            raise ActionError(f"{action}: actions are 0 to {self.num_distinct_actions - 1}")
        return self._text(self._deal, player, action)

    def string_to_action(self, player: int, text: str) -> int:
        """Return the legal action that a text names. Raises `ActionError`, which says what is."""
        if player != self._player:
            raise ActionError(self._not_to_move(player))
        try:
            action = self._parse(player, text)
        except ActionError as error:
            raise ActionError(
                f"seat {player}: {shown(text)}: {error}; {self._legal_text()}"
            ) from None
        if action not in self.legal_actions():
            raise ActionError(self._illegal(action))
        return action

    def check_seat(self, player: int) -> None:
        """Raise `ValueError` if there is no such seat."""
        if type(player) is not int or not 0 <= player < self.num_players:
            raise ValueError(f"seat {player}: seats are 0 to {self.num_players - 1}")

    def information_state_string(self, player: int) -> str:
        """Return all that a player has seen and done, from the start of the game.

        What happens later is added at the end, so the string of an earlier moment begins that of
        a later one.
        """
        self.check_seat(player)
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        parts = [f"{self.name} {self.num_players} {options} seat {player}"]
        for number, (deal, moves, scores) in enumerate(self._past):
            parts.append(f"\nround {number + 1}")
            parts += self._log(deal, moves, player, number)
            parts.append("scores " + " ".join(map(str, scores)) + self._reveal(deal))
        if self._player >= 0:
            parts.append(f"\nround {len(self._past) + 1}")
            parts += self._log(self._deal, self.moves, player, len(self._past))
        return "; ".join(parts) + ";"

    def resample_from_infostate(self, player: int, rng: Random) -> Self:
        """Return a state that `player` could not tell from this one, a random one of all.

        Each deal that fits what the player has seen is as likely as any other: what the others'
        choices may tell of their cards is not weighed. Finished rounds stay as they were, since
        nothing in them bears on what is to come.
        """
        self.check_seat(player)
        twin = self.clone()
        if twin._player >= 0:
            twin._legal = ()  # those of another player may depend on what is hidden
            twin._resample(player, rng)
        return twin

    def scores(self) -> list[int]:
        """Return each seat's total of the finished rounds."""
        return self.totals[:]

    def winners(self) -> list[int]:
        """Return the seats that win, several if they share it; none before the end."""
        if self._player != TERMINAL:
            return []
        ranks = self._ranks()
        best = max(ranks)
        return [seat for seat, rank in enumerate(ranks) if rank == best]

    def _ranks(self) -> list[tuple[int, ...]]:
        """Return for each seat what the highest of which wins."""
        return [(total,) for total in self.totals]

    def returns(self) -> list[float]:
        """Return each seat's utility, which add up to 0: 1 for who wins alone, less for a share.

        Before the end they are 0.
        """
        winners = self.winners()
        if not winners:
            return [0.0] * self.num_players
        others = self.num_players - 1
        shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(self.num_players)]
        return [(share * self.num_players - 1) / others for share in shares]

    def record(self) -> dict[str, Any]:
        """Return the record of a finished game. Raises `ValueError` before the end."""
        if self._player != TERMINAL:
            raise ValueError(f"only finished games have a record: {self._turn_text()}")
        return self.snapshot()

    def snapshot(self) -> dict[str, Any]:
        """Return the record, as JSON has it, of the game so far.

        Until the end it lacks the results, and the last of its rounds those of the round.
        """
        rounds = [
            self._round_to_json(number, deal, moves) | {"scores": list(scores)}
            for number, (deal, moves, scores) in enumerate(self._past)
        ]
        if self._player >= 0:
            rounds.append(self._round_to_json(len(rounds), self._deal, self.moves))
        data: dict[str, Any] = {
            "game": self.name,
            "players": self.num_players,
            "options": dict(self.options),
        }
        if self.has_rounds:
            data["rounds"] = rounds
        elif rounds:
            (only,) = rounds
            data["deal"] = {key: only.pop(key) for key in self.deal_keys}
            data |= only
        if self._player == TERMINAL:
            if self.has_rounds:
                data["totals"] = self.scores()
            data["winners"] = self.winners()
        return data

    def _round_to_json(self, number: int, deal: Any, moves: Iterable[int]) -> dict[str, object]:
        texts = [
            [move & SEAT_MASK, self._text(deal, move & SEAT_MASK, move >> SEAT_BITS)]
            for move in moves
        ]
        return self._deal_to_json(number, deal) | {"moves": texts}
