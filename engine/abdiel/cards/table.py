"""Draws the table of a card game: cards as small boxes, the seats, and what was done.

Each game has a `Presenter`, in `presenters`; here is what they have in common. Everything is drawn
from what a seat may know.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rich import box
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import Console

    from abdiel.cards.state import State

_INSIDE = 3  # characters within a card
_CARD_WIDTH = _INSIDE + 3  # with its edges and the gap to the next

# The titles, and for each seat what stands below them.
Columns: TypeAlias = "tuple[Sequence[str], Sequence[Sequence[str]]]"

CURRENT = ">"  # before the seat whose turn it is


class Face(NamedTuple):
    """A card to be drawn; each text has three characters at most."""

    value: str
    suit: str = ""
    style: str = ""
    label: str = ""
    """What stands below the card, such as the number that chooses it."""
    starred: bool = False


class Row(NamedTuple):
    """Cards beside each other, with a title above them."""

    title: str
    faces: Sequence[Face]


class _Edges(NamedTuple):
    """The characters of a card's edge."""

    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    flat: str
    upright: str
    star: str


_ROUND = _Edges("╭", "╮", "╰", "╯", "─", "│", "★")
_PLAIN = _Edges("+", "+", "+", "+", "-", "|", "*")


def can_show_boxes(encoding: str) -> bool:
    """Tell whether an encoding has the characters that `ascii` does without."""
    try:
        "".join((*_ROUND, "♣♦♥♠")).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def cards_text(faces: Sequence[Face], *, width: int, ascii: bool = False) -> Text:
    """Return cards as boxes, as many beside each other as `width` columns can hold."""
    per_row = max(1, (width + 1) // _CARD_WIDTH)
    text = Text()
    for at in range(0, len(faces), per_row):
        row = faces[at : at + per_row]
        for line in _card_lines(row, _PLAIN if ascii else _ROUND):
            line.rstrip()
            text.append_text(line).append("\n")
    text.right_crop(1)
    return text


def _card_lines(faces: Sequence[Face], edges: _Edges) -> Iterator[Text]:
    """Yield the lines of a row of cards; lines that would be empty in all are left out."""
    flat = edges.flat * _INSIDE
    starred = edges.star.center(_INSIDE, edges.flat)
    tops = [starred if face.starred else flat for face in faces]
    yield _line(faces, [edges.top_left + top + edges.top_right for top in tops])
    for texts in [face.value for face in faces], [face.suit for face in faces]:
        if any(texts):
            sides = [edges.upright + text.center(_INSIDE) + edges.upright for text in texts]
            yield _line(faces, sides)
    yield _line(faces, [edges.bottom_left + flat + edges.bottom_right] * len(faces))
    if any(face.label for face in faces):
        yield Text(" ".join(face.label.center(_CARD_WIDTH - 1) for face in faces))


def _line(faces: Sequence[Face], texts: Sequence[str]) -> Text:
    parts = [Text(text, face.style) for face, text in zip(faces, texts, strict=True)]
    return Text(" ").join(parts)


def numbered(faces: Sequence[Face]) -> list[Face]:
    """Return the cards with the numbers from 1 below them."""
    return [face._replace(label=str(number)) for number, face in enumerate(faces, 1)]


class Presenter(ABC):
    """Shows a game to the people who play it, and reads what they type.

    `viewer` is the seat that is shown something; nothing that it does not know is in the answer.
    """

    def __init__(self, state: State, kinds: Sequence[str], *, ascii: bool) -> None:
        """`kinds` tells who plays each seat, such as "greedy"."""
        self._kinds = kinds
        self._players = state.num_players
        self._ascii = ascii

    @abstractmethod
    def heading(self, state: State, viewer: int) -> str:
        """Return how far the game is."""

    @abstractmethod
    def seats(self, state: State, viewer: int) -> Columns:
        """Return titles, and what stands below them for each seat."""

    @abstractmethod
    def rows(self, state: State, viewer: int) -> Iterator[Row | str]:
        """Yield what lies on the table and in the viewer's hand, top to bottom."""

    @abstractmethod
    def asks(self, state: State, viewer: int) -> Iterator[str]:
        """Yield what the viewer, whose turn it is, can do."""

    @abstractmethod
    def record_text(self, state: State, text: str) -> str:
        """Return in a record's words what the seat to move has typed. Raises `ActionError`."""

    @abstractmethod
    def tell_deal(self, state: State, viewer: int) -> Iterator[str]:
        """Yield what a viewer is told of a round just dealt."""

    @abstractmethod
    def tell(self, before: State, action: int, after: State, viewer: int) -> Iterator[str]:
        """Yield what a viewer sees of an action."""

    @abstractmethod
    def shows_hidden(self, before: State, action: int, after: State, viewer: int) -> bool:
        """Tell whether an action shows the viewer a card, or a choice, that was hidden."""

    def tell_tie(self, state: State) -> str:
        """Return how equal totals were decided at the game's end, nothing if they were not."""
        return ""

    def name(self, seat: int, viewer: int) -> str:
        """Return what a seat is called in a sentence, within which "you" is small."""
        return "you" if seat == viewer else f"seat {seat}"

    def does(self, seat: int, viewer: int, verb: str, rest: str = "") -> str:
        """Return a sentence such as "Seat 1 passes it on." or "You pass it on."."""
        if seat != viewer:
            verb += "es" if verb.endswith("s") else "s"
        name = self.name(seat, viewer).capitalize()
        return f"{name} {verb} {rest}".rstrip() + "."

    def draw(self, state: State, viewer: int, console: Console) -> None:
        """Draw the whole table as a viewer sees it."""
        self.draw_seats(state, viewer, console)
        for row in self.rows(state, viewer):
            if isinstance(row, str):
                console.print(row)
                continue
            console.print(f"{row.title}:" + ("" if row.faces else " none"))
            if row.faces:
                console.print(cards_text(row.faces, width=console.width, ascii=self._ascii))

    def draw_seats(self, state: State, viewer: int, console: Console) -> None:
        """Draw a table of the seats below the heading."""
        console.print(self.heading(state, viewer), style="bold")
        titles, rows = self.seats(state, viewer)
        table = Table(
            box=box.ASCII if self._ascii else box.ROUNDED,
            header_style="",
        )
        # An ellipsis is not ASCII.
        for title in ("Seat", *titles):
            table.add_column(title, overflow="fold")
        for seat, row in enumerate(rows):
            mark = CURRENT if seat == state.current_player() else " "
            who = "you" if seat == viewer else self._kinds[seat]
            style = "bold" if seat == state.current_player() else ""
            table.add_row(f"{mark} {seat} {who}", *row, style=style)
        console.print(table)


def count(number: int, thing: str) -> str:
    """Return a number of things in words."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def scores_text(scores: Sequence[int]) -> str:
    """Return the scores of a round in a sentence."""
    return f"It scores, seat by seat: {', '.join(map(str, scores))}."


def parts_text(parts: Iterable[tuple[str, int]]) -> str:
    """Return in a sentence what a score of one's own consists of, without what is 0."""
    words = [f"{name} {points:+d}" for name, points in parts if points]
    return f"Yours: {', '.join(words) or '0'}."
