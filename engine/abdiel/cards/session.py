"""A card game in the terminal: people at one keyboard, the other seats played by the program."""

from __future__ import annotations

import json
import shlex
import sys
from itertools import groupby
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console

from abdiel.cards.errors import ActionError, RecordError
from abdiel.cards.fields import check_keys, read_int, read_list, told
from abdiel.cards.players import PLAYERS, make_player
from abdiel.cards.presenters import make_presenter
from abdiel.cards.records import parse_line, replay, write_file
from abdiel.cards.rules import RULES
from abdiel.cards.table import can_show_boxes

try:
    import readline  # input() then edits lines and remembers them
except ImportError:
    readline = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from abdiel.cards.state import State

_HELP = """\
A number chooses the card that has it below; 0 is what is no card. Cards may be
named, too, in capitals or not. Besides there are
  ?        a hint: what the best of the players would do
  undo     take back your last action, if no hidden card was shown since
  table    draw the table again
  rules    tell the rules
  save     write the game to its file
  quit     leave and save; the end of the input and Ctrl-C do the same
In The Work of Angels the card 10 is written T, too: TH or 10H."""

_PERSON = "person"
_NO_TEXT = "\N{REPLACEMENT CHARACTER}"  # stands for what is no text; nothing legal is like it


class Settings(NamedTuple):
    """Who plays, and where the game is saved."""

    seats: tuple[int, ...]
    """The seats of people."""
    level: str
    """The name of the player who has the other seats."""
    seed: int
    path: Path


class _Moment(NamedTuple):
    """What undo brings back."""

    state: State
    news: dict[int, list[str]]


class Session:
    """One game between people and players of the program.

    Chance is drawn from the seed anew for each deal and each action: so a game that was left goes
    on as if it had not been.
    """

    def __init__(
        self,
        state: State,
        settings: Settings,
        *,
        ascii: bool = False,
        console: Console | None = None,
    ) -> None:
        """Raises `ValueError` if a seat or the level is not there."""
        self.state = state
        self._settings = settings
        _check_settings(state, settings)
        self._console = console or Console(highlight=False, markup=False, emoji=False)
        self._ascii = ascii or not can_show_boxes(self._console.encoding)
        kinds = [
            _PERSON if seat in settings.seats else settings.level
            for seat in range(state.num_players)
        ]
        self._presenter = make_presenter(state, kinds, ascii=self._ascii)
        # What each person is to be told when it is their turn.
        self._news: dict[int, list[str]] = {seat: [] for seat in settings.seats}
        self._undo: list[_Moment] = []
        self._at_screen = settings.seats[0] if len(settings.seats) == 1 else -1

    @classmethod
    def resume(cls, path: Path, *, ascii: bool = False, console: Console | None = None) -> Session:
        """Return the session of a saved game. Raises `OSError`, or `ValueError` if damaged."""
        state, settings = load_session(path)
        session = cls(
            type(state)(state.num_players, **state.options),
            settings,
            ascii=ascii,
            console=console,
        )
        session._catch_up(state)
        return session

    def _catch_up(self, played: State) -> None:
        """Play what was played before the game was left, so that people are told of it."""
        for deal, moves in _rounds_of(played):
            dealt = self.state.clone()
            dealt.deal_record(deal)
            self._start_round(dealt)
            for seat, text in moves:
                self._apply(self.state.string_to_action(seat, text))
        self._undo = []

    def play(self) -> None:
        """Play until the game is over or somebody leaves.

        Raises `OSError` if it cannot be saved then.
        """
        try:
            self._greet()
            while not self.state.is_terminal():
                self._go_on()
            self._tell_end()
        except (EOFError, KeyboardInterrupt):
            self._say("")
            self._leave()
        except _Leave:
            pass

    def _greet(self) -> None:
        game = self.state
        options = "".join(f", {name}={value}" for name, value in game.options.items())
        self._say(f"{game.title}, {game.num_players} players{options.lower()}.")
        seats = self._settings.seats
        whose = "Your seat is" if len(seats) == 1 else "The seats of people are"
        others = f"; the others are {self._settings.level}" if len(seats) < game.num_players else ""
        numbers = ", ".join(map(str, seats))
        self._say(f"{whose} {numbers}{others}. Seed {self._settings.seed}.")
        self._say("Type help for what can be typed, ? for a hint, rules for the rules.")

    def _say(self, text: str) -> None:
        self._console.print(self._shown(text))

    def _shown(self, text: str) -> str:
        """Return a text, which may repeat what was typed, in characters that can be written."""
        encoding = "ascii" if self._ascii else self._console.encoding
        return text.encode(encoding, "backslashreplace").decode(encoding)

    def _go_on(self) -> None:
        """Deal, let a player of the program act, or ask a person."""
        state = self.state
        if state.is_chance_node():
            dealt = state.clone()
            dealt.deal(self._random("deal"))
            self._start_round(dealt)
        elif state.current_player() in self._settings.seats:
            self._take_turn(state.current_player())
        else:
            self._apply(self._choose(self._settings.level))

    def _random(self, what: str) -> Random:
        moment = f"{len(self.state.past)} {len(self.state.moves)}"
        return Random(f"{self._settings.seed} {what} {moment}")

    def _choose(self, level: str) -> int:
        seat = self.state.current_player()
        player = make_player(level, self._random(f"seat {seat}"))
        if not self._console.is_terminal:
            return player.step(self.state)
        who = "Looking for a hint" if seat in self._settings.seats else f"Seat {seat} thinks"
        with self._console.status(who, spinner="line"):
            return player.step(self.state)

    def _start_round(self, dealt: State) -> None:
        self.state = dealt
        self._undo = []
        for seat, news in self._news.items():
            news += self._presenter.tell_deal(dealt, seat)

    def _apply(self, action: int) -> None:
        """Carry out an action, and note what each person sees of it."""
        before = self.state
        after = before.clone()
        after.apply_action(action)
        actor = before.current_player()
        if actor in self._settings.seats:
            self._undo.append(_Moment(before, {s: news[:] for s, news in self._news.items()}))
            self._news[actor] = []
        for seat, news in self._news.items():
            news += self._presenter.tell(before, action, after, seat)
        # Whoever is at the screen sees no more before the turn is theirs again or the game over.
        viewer = self._at_screen if self._at_screen >= 0 else actor
        if self._presenter.shows_hidden(before, action, after, viewer):
            self._undo = []
        self.state = after

    # A person's turn

    def _take_turn(self, seat: int) -> None:
        if self._at_screen != seat:
            self._hand_over(seat)
        self._show(seat)
        state = self.state
        while self.state is state:
            self._answer(seat, self._ask(seat))

    def _hand_over(self, seat: int) -> None:
        """Hide what the last person saw, and wait for the next."""
        self._undo = []
        self._clear()
        if readline:
            readline.clear_history()  # what others typed names their cards
        self._say(f"It is seat {seat}'s turn: nobody else may look at the screen now.")
        self._input("Press Enter when you are there> ")
        self._at_screen = seat
        self._clear()

    def _clear(self) -> None:
        if self._console.is_terminal:
            self._console.clear()
            # The lines that have been scrolled out of sight, too.
            print("\x1b[3J", end="", file=self._console.file, flush=True)
        else:
            self._rule()

    def _rule(self) -> None:
        self._console.rule(characters="-" if self._ascii else "─", style="")

    def _show(self, seat: int) -> None:
        """Tell what happened since the seat's last action, and draw its table."""
        self._say("")
        self._tell_news(self._news[seat])
        self._presenter.draw(self.state, seat, self._console)
        self._tell_asks(seat)

    def _tell_news(self, news: Iterable[str]) -> None:
        for line, same in groupby(news):
            times = len(list(same))
            self._say(line if times == 1 else f"{line.removesuffix('.')}, {times} times.")

    def _tell_asks(self, seat: int) -> None:
        for line in self._presenter.asks(self.state, seat):
            self._say(line)

    def _ask(self, seat: int) -> str:
        return self._input(f"Your turn, seat {seat}> ")

    def _input(self, prompt: str) -> str:
        self._console.file.flush()
        try:
            text = input(prompt).strip()
        except UnicodeDecodeError:
            text = _NO_TEXT
        if not sys.stdin.isatty():
            self._say(text)  # so the lines of a transcript are whole
        return text

    def _answer(self, seat: int, text: str) -> None:
        """Do what was asked."""
        word = text.lower()
        if word in ("quit", "exit", "q"):
            self._quit()
        elif word in ("help", "h"):
            self._say(_HELP)
        elif word in ("?", "hint"):
            self._hint()
        elif word in ("undo", "u"):
            self._take_back()
        elif word == "table":
            self._show(seat)
        elif word == "rules":
            self._say(RULES[self.state.name].rstrip())
        elif word == "save":
            self._try_to_save()
        else:
            self._act(seat, text)

    def _act(self, seat: int, text: str) -> None:
        state = self.state
        legal = state.legal_actions()
        try:
            if text:
                action = state.string_to_action(seat, self._presenter.record_text(state, text))
            elif len(legal) == 1:
                action = legal[0]
            else:
                raise ActionError("type a number or a card; help tells what else")
        except ActionError as error:
            # The table tells what is legal.
            self._say(f"{str(error).removeprefix(f'seat {seat}: ').partition('; legal: ')[0]}.")
            self._tell_asks(seat)
            return
        self._apply(action)

    def _hint(self) -> None:
        best = list(PLAYERS)[-1]
        action = self._choose(best)
        text = self.state.action_to_string(self.state.current_player(), action)
        self._say(f"Hint: {best} would choose: {text}")

    def _take_back(self) -> None:
        if not self._undo:
            self._say(
                "Nothing can be taken back: you have not acted, or a hidden card was shown since."
            )
            return
        self.state, news = self._undo.pop()
        self._news = {seat: lines[:] for seat, lines in news.items()}
        self._say("Your last action is taken back.")

    # The end, and files

    def _tell_end(self) -> None:
        seats = self._settings.seats
        viewer = seats[0]
        if len(seats) > 1:
            self._clear()
            self._say(f"The end as seat {viewer} sees it:")
        else:
            self._say("")
        self._tell_news(self._news[viewer])
        self._presenter.draw_seats(self.state, viewer, self._console)
        if tie := self._presenter.tell_tie(self.state):
            self._say(tie)
        self._say(self._winners_text())
        if self._settings.path.exists():
            self._try_to_save()

    def _winners_text(self) -> str:
        winners = self.state.winners()
        seats = self._settings.seats
        names = ["you" if (seat,) == seats else f"seat {seat}" for seat in winners]
        if len(names) > 1:
            return f"The game is over. {' and '.join(names).capitalize()} share the win."
        return f"The game is over. {names[0].capitalize()} win{'' if names == ['you'] else 's'}."

    def _quit(self) -> None:
        if self._try_to_save():
            raise _Leave

    def _try_to_save(self) -> bool:
        """Save and tell so; False if it did not work."""
        try:
            self._leave()
        except OSError as error:
            self._say(f"Cannot save to {self._settings.path}: {error.strerror}.")
            return False
        return True

    def _leave(self) -> None:
        path = self._settings.path
        save_session(path, self.state, self._settings)
        self._console.print(self._shown(f"Saved to {path}."), soft_wrap=True)
        if not self.state.is_terminal():
            command = f"abdiel cards play --resume {shlex.quote(str(path))}"
            self._console.print(self._shown(f"Go on with: {command}"), soft_wrap=True)


class _Leave(Exception):
    """Somebody has left the game, which is saved."""


def _check_settings(state: State, settings: Settings) -> None:
    for seat in settings.seats:
        state.check_seat(seat)
    if not settings.seats:
        raise ValueError("expected a seat of a person, found none")
    if len(set(settings.seats)) < len(settings.seats):
        raise ValueError("a seat is given twice")
    make_player(settings.level, Random(0))


def _rounds_of(state: State) -> Iterator[tuple[Mapping[str, object], Sequence[tuple[int, str]]]]:
    """Yield the deal and the moves of each round begun, as a record has them."""
    data = state.snapshot()
    if state.has_rounds:
        yield from ((fields, fields["moves"]) for fields in data["rounds"])
    elif "deal" in data:
        yield data["deal"], data["moves"]


def save_session(path: Path, state: State, settings: Settings) -> None:
    """Save a game with its settings, in place of what the file had. Raises `OSError`."""
    table = {"seats": settings.seats, "level": settings.level, "seed": settings.seed}
    write_file(path, json.dumps({"table": table, "state": state.snapshot()}) + "\n")


def load_session(path: Path) -> tuple[State, Settings]:
    """Return a saved game and its settings.

    Raises `OSError`, or `ValueError` that names the file if it is damaged.
    """
    try:
        data = check_keys(parse_line(path.read_text(encoding="utf-8")), "", ("table", "state"))
        table = check_keys(data["table"], "table", ("seats", "level", "seed"))
        state = replay(data["state"], finished=False)
        seats = tuple(read_int(seat, "seats") for seat in read_list(table["seats"], "seats"))
        if not isinstance(table["level"], str):
            raise RecordError("level", f"expected a name, found {told(table['level'])}")
        settings = Settings(seats, table["level"], read_int(table["seed"], "seed"), path)
        _check_settings(state, settings)
    except (RecursionError, UnicodeDecodeError):
        raise ValueError(f"{path}: not a saved game") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return state, settings


def unused_path(game: str) -> Path:
    """Return a path in this folder where a game can be saved, such as nakayoshi.json."""
    path = Path(f"{game}.json")
    number = 1
    while path.exists():
        number += 1
        path = Path(f"{game}-{number}.json")
    return path
