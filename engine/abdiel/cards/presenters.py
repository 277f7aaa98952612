"""How each card game looks at the table, and how what is typed there is read.

A number stands for the card that has it below: so "3" may be the third card of the hand. 0 is what
is no card: to accept, the deck, the end of a turn. The record's texts are read too, in any case and
with or without the verb.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from abdiel.cards import auf_teufel, nakayoshi, work_of_angels
from abdiel.cards.auf_teufel import AufTeufel
from abdiel.cards.errors import ActionError
from abdiel.cards.masks import cards_of, mask_of
from abdiel.cards.nakayoshi import Nakayoshi
from abdiel.cards.table import Face, Presenter, Row, count, numbered, parts_text, scores_text
from abdiel.cards.work_of_angels import WorkOfAngels, card_points
from abdiel.errors import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from abdiel.cards.state import State
    from abdiel.cards.table import Columns

_RED, _GREEN, _YELLOW = "red", "green", "yellow"


def _words(text: str) -> list[str]:
    """Return what was typed as words in upper case; cards may be joined by + or commas."""
    return text.upper().replace("+", " ").replace(",", " ").split()


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal()


def _numbered_card(word: str, names: Sequence[str], where: str) -> str:
    """Return the name of the card that a number stands for; other words are names."""
    if not _is_number(word):
        return word
    if len(word) > 3 or not 1 <= int(word) <= len(names):
        if not names:
            raise ActionError(f"{where} has no card")
        raise ActionError(f"{shown(word)}: the cards of {where} are 1 to {len(names)}")
    return names[int(word) - 1]


class AufTeufelPresenter(Presenter):
    """The table of Auf Teufel komm raus; a Devil's number is its magnitude."""

    def heading(self, state: State, viewer: int) -> str:
        """Return how far the game is."""
        number = len(auf_teufel.ANGELS) - state.observation(viewer).angels_left
        return f"{state.title}: Angel {number} of {len(auf_teufel.ANGELS)}"

    def seats(self, state: State, viewer: int) -> Columns:
        """Return titles, and what stands below them for each seat."""
        seen = state.observation(viewer)
        totals = seen.scores or [
            seen.total if seat == viewer else "?" for seat in range(state.num_players)
        ]
        rows = [
            (str(hand), str(pile), str(total))
            for hand, pile, total in zip(seen.hand_sizes, seen.pile_sizes, totals, strict=True)
        ]
        return ("Devils in hand", "Cards in pile", "Total"), rows

    def rows(self, state: State, viewer: int) -> Iterator[Row | str]:
        """Yield the card that the viewer holds, and the viewer's Devils."""
        seen = state.observation(viewer)
        if seen.current_player == viewer:
            turn = seen.turns[-1]
            faces = [Face(str(turn.angel), style=_YELLOW)]
            faces += [Face(f"-{devil}", style=_RED) for devil in turn.devils]
            yield Row("The card you hold" + (", with its Devils" if turn.devils else ""), faces)
            own = [seat for seat, _ in self._givers(turn)].count(viewer)
            who = ", ".join(f"-{d} by {self.name(s, viewer)}" for s, d in self._givers(turn))
            if own or len(turn.devils) > 1:
                yield f"In their order: {who}."
        faces = [Face(f"-{devil}", style=_RED, label=str(devil)) for devil in seen.hand]
        yield Row("Your Devils", faces)

    def _givers(self, turn: auf_teufel.Turn) -> list[tuple[int, int | None]]:
        """Return who added which Devil."""
        return [((turn.drawer + i) % self._players, devil) for i, devil in enumerate(turn.devils)]

    def asks(self, state: State, viewer: int) -> Iterator[str]:
        """Yield what the viewer, whose turn it is, can do."""
        turn = state.observation(viewer).turns[-1]
        worth = f"take it, worth {turn.angel - sum(turn.devils):+d} as it is"
        devils = [str(action) for action in state.legal_actions() if action]
        if devils:
            following = self.name((viewer + 1) % self._players, viewer)
            numbers = " or ".join(", ".join(devils).rsplit(", ", 1))
            yield f"0 or accept: {worth}."
            yield f"{numbers}: pass it to {following} with that Devil of yours on it."
        else:
            came_back = len(turn.devils) == self._players
            why = "it has come back to you" if came_back else "you have no Devil"
            yield f"0, accept or Enter: {worth}; you must: {why}."

    def record_text(self, state: State, text: str) -> str:
        """Return in a record's words what the seat to move has typed. Raises `ActionError`."""
        words = _words(text.replace("-", " "))
        if words in (["0"], ["A"], ["ACCEPT"], ["TAKE"]):
            return "accept"
        if words[:1] == ["PASS"]:
            words = words[1:]
        if len(words) == 1 and _is_number(words[0]) and len(words[0]) < 3:
            return f"pass {int(words[0])}"
        raise ActionError("type 0 to accept the card or a Devil's number to pass it")

    def tell_deal(self, state: State, viewer: int) -> Iterator[str]:
        """Yield nothing: the hand is on the table."""
        yield from ()

    def tell(self, before: State, action: int, after: State, viewer: int) -> Iterator[str]:
        """Yield what a viewer sees of an action."""
        turn = before.observation(viewer).turns[-1]
        seat = before.current_player()
        devils = len(turn.devils)
        if not devils:
            yield self.does(seat, viewer, "draw", "an Angel")
        if action:
            with_which = f"with your Devil -{action}" if seat == viewer else "with a Devil on it"
            following = self.name((seat + 1) % self._players, viewer)
            yield self.does(seat, viewer, "pass", f"it to {following} {with_which}")
        elif seat == viewer:
            yield self.does(seat, viewer, "accept", f"it for {turn.angel - sum(turn.devils):+d}")
        else:
            rest = f"it with {count(devils, 'Devil')}" if devils else "it without a Devil"
            yield self.does(seat, viewer, "accept", rest)

    def shows_hidden(self, before: State, action: int, after: State, viewer: int) -> bool:
        """Tell whether the viewer gets a card to see, or the totals."""
        return after.current_player() == viewer or after.is_terminal()

    def tell_tie(self, state: State) -> str:
        """Return the Devils of those who have the best total, if they are several."""
        assert isinstance(state, auf_teufel.AufTeufel)
        best = max(state.totals)
        tied = [seat for seat in range(self._players) if state.totals[seat] == best]
        if len(tied) == 1:
            return ""
        devils = [f"seat {seat} {state.devil_cards()[seat]}" for seat in tied]
        return f"Of equal totals the fewest Devils, in pile and hand, win: {', '.join(devils)}."


_SUIT_WORDS = {"C": "Clubs", "D": "Diamonds", "H": "Hearts", "S": "Spades"}
_SUIT_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class WorkOfAngelsPresenter(Presenter):
    """The table of The Work of Angels."""

    def heading(self, state: State, viewer: int) -> str:
        """Return how far the game is."""
        seen = state.observation(viewer)
        text = f"{state.title}: round {seen.round}, {count(seen.deck_left, 'card')} in the deck"
        if seen.last_turn:
            text += ", last turn"
        elif seen.quiet_turns:
            text += f", {count(seen.quiet_turns, 'quiet turn')} of {2 * self._players}"
        return text

    def seats(self, state: State, viewer: int) -> Columns:
        """Return titles, and what stands below them for each seat."""
        seen = state.observation(viewer)
        rows = [
            (
                str(seen.totals[seat]),
                str(seen.hand_sizes[seat]),
                _names(seen.known[seat]) if seat != viewer else "",
                ", ".join(map(_set_name, seen.sets[seat])),
            )
            for seat in range(state.num_players)
        ]
        return ("Total", "Hand", "In it, as all know", "Sets"), rows

    def rows(self, state: State, viewer: int) -> Iterator[Row | str]:
        """Yield the face-up cards, the viewer's Jack and hand."""
        seen = state.observation(viewer)
        table, hand = self._faces(seen.table), self._faces(seen.hand)
        if seen.current_player == viewer:
            table, hand = (
                (numbered(table), hand) if seen.phase == "draw" else (table, numbered(hand))
            )
        yield Row("Face up on the table", table)
        yield Row("Your hand", hand)
        jack = _SUIT_WORDS[work_of_angels.SUITS[seen.jack]]
        yield f"Your secret Jack: {jack} count double in your sets."
        if seen.quiet_turns >= self._players and not seen.last_turn:
            yield (
                f"Quiet turns: {2 * self._players} running end the round; a turn is not quiet if"
                " somebody draws from the deck, lays a set or adds to one."
            )

    def _faces(self, cards: Iterable[int]) -> list[Face]:
        faces = []
        for card in cards:
            name = work_of_angels.CARD_NAMES[card]
            rank, suit = name[0], name[1]
            symbol = suit if self._ascii else _SUIT_SYMBOLS[suit]
            faces.append(Face(_rank(rank), symbol, _RED if suit in "DH" else ""))
        return faces

    def asks(self, state: State, viewer: int) -> Iterator[str]:
        """Yield what the viewer, whose turn it is, can do."""
        seen = state.observation(viewer)
        if seen.phase == "draw":
            ways = ["0 or deck: draw from the deck"] if seen.deck_left else []
            ways += ["a number: draw that face-up card"] if seen.table else []
            missing = work_of_angels.FULL_HAND - len(seen.hand)
            yield f"Draw ({missing} to go): {'; '.join(ways)}."
            return
        names = [work_of_angels.CARD_NAMES[card] for card in seen.hand]
        for action in state.legal_actions():
            if action > work_of_angels.END:
                yield f"You can {self._lay_text(state, action, names)}."
        if work_of_angels.END in state.legal_actions():
            yield "0 or end: end your turn."
        else:
            yield "A number: discard that card; this ends your turn."

    def _lay_text(self, state: State, action: int, hand: Sequence[str]) -> str:
        """Return an action that lays cards with the numbers that do it."""
        verb, *cards = state.action_to_string(state.current_player(), action).split()
        numbers = " ".join(str(hand.index(card) + 1) for card in cards)
        names = " ".join(map(_spoken, cards))
        if verb == "add":
            return f'add {names} to your three: type "add {numbers}" or "add {names}"'
        return f'lay {names}: type "{numbers}" or "set {names}"'

    def record_text(self, state: State, text: str) -> str:
        """Return in a record's words what the seat to move has typed. Raises `ActionError`."""
        seen = state.observation(state.current_player())
        verb, *words = _words(text) or [""]
        if verb.lower() not in ("draw", "set", "lay", "add", "discard", "end", "deck"):
            verb, words = "", [verb, *words]
        drawing = seen.phase == "draw"
        if verb == "DECK" or (verb in ("", "DRAW") and words == ["DECK"]):
            return "draw deck"
        if drawing and verb in ("", "DRAW") and words == ["0"]:
            return "draw deck"
        if verb == "END" or (not drawing and not verb and words == ["0"]):
            return "end"
        where = "the table" if drawing else "your hand"
        names = [work_of_angels.CARD_NAMES[card] for card in (seen.table if drawing else seen.hand)]
        cards = [_card_name(_numbered_card(word, names, where)) for word in words]
        if not cards:
            raise ActionError("name a card, too" if verb else "nothing was typed")
        if not verb:
            verb = "DRAW" if drawing else self._verb(state, cards)
        return " ".join([{"LAY": "set"}.get(verb, verb.lower()), *cards])

    def _verb(self, state: State, cards: Sequence[str]) -> str:
        """Return what cards of the hand are meant for."""
        if len(cards) > 1:
            return "SET"
        legal = {
            verb: work_of_angels.CARDS.get(cards[0], -1) + first in state.legal_actions()
            for verb, first in (("ADD", work_of_angels.ADD), ("DISCARD", work_of_angels.DISCARD))
            if cards[0] in work_of_angels.CARDS
        }
        if all(legal.values()) and legal:
            raise ActionError(f'type "add {cards[0]}" or "discard {cards[0]}"')
        return "ADD" if legal.get("ADD") else "DISCARD"

    def tell_deal(self, state: State, viewer: int) -> Iterator[str]:
        """Yield what a viewer is told of a round just dealt."""
        seen = state.observation(viewer)
        dealer = self.does(seen.dealer, viewer, "deal").removesuffix(".")
        yield f"Round {seen.round}. {dealer}; {self.name(state.current_player(), viewer)} begin" + (
            "." if state.current_player() == viewer else "s."
        )

    def tell(self, before: State, action: int, after: State, viewer: int) -> Iterator[str]:
        """Yield what a viewer sees of an action."""
        seat = before.current_player()
        verb, *cards = before.action_to_string(seat, action).split()
        names = " ".join(map(_spoken, cards))
        if action == work_of_angels.DRAW_DECK:
            what = "from the deck"
            if seat == viewer:
                old, new = (set(s.observation(viewer).hand) for s in (before, after))
                what = f"{_names(new - old)} {what}"
            yield self.does(seat, viewer, "draw", what)
        elif verb == "draw":
            yield self.does(seat, viewer, "take", f"{names} from the table")
        elif verb == "set":
            yield self.does(seat, viewer, "lay", names)
        elif verb == "end":
            left = before.observation(viewer).hand_sizes[seat]
            yield self.does(seat, viewer, "end", f"the turn with {count(left, 'card')} in hand")
        else:
            yield self.does(seat, viewer, verb, names + (" to a set" if verb == "add" else ""))
        if after.current_player() < 0:
            yield from self._tell_round(before, after, viewer)

    def _tell_round(self, before: State, after: State, viewer: int) -> Iterator[str]:
        last = after.observation(viewer)
        quiet = before.observation(viewer).quiet_turns + 1 == 2 * self._players
        why = "all cards are drawn"
        if quiet and not last.last_turn:
            turns = 2 * self._players
            why = f"for {turns} turns nobody has drawn from the deck, laid a set or added to one"
        yield f"Round {last.round} is over: {why}."
        result = last.results[-1]
        jacks = ", ".join(
            f"{self.name(seat, viewer)}: {_SUIT_WORDS[work_of_angels.SUITS[jack]]}"
            for seat, jack in enumerate(result.jacks)
        )
        yield f"The Jacks were: {jacks}."
        yield scores_text(result.scores)
        laid = [card for cards in last.sets[viewer] for card in cards]
        own = [card for card in laid if card % 4 == last.jack]
        sets, doubled, hand = (card_points(mask_of(cards)) for cards in (laid, own, last.hand))
        yield parts_text([("sets", sets), ("your Jack's suit", doubled), ("hand", -hand)])

    def shows_hidden(self, before: State, action: int, after: State, viewer: int) -> bool:
        """Tell whether the viewer draws from the deck, or another shows a card of the hand."""
        if after.current_player() < 0:
            return True
        if before.current_player() == viewer:
            return action == work_of_angels.DRAW_DECK
        seat = before.current_player()
        game, later = cast("WorkOfAngels", before), cast("WorkOfAngels", after)
        return bool(game.hands[seat] & ~later.hands[seat] & ~game.known[seat])


def _rank(rank: str) -> str:
    return "10" if rank == "T" else rank


def _card_name(word: str) -> str:
    """Return a card's name for "10H", "7♥" and the like."""
    for suit, symbol in _SUIT_SYMBOLS.items():
        word = word.replace(symbol, suit)
    return f"T{word[2:]}" if word.startswith("10") else word


def _spoken(name: str) -> str:
    """Return a card's name with the 10 as it stands on the card."""
    return f"{_rank(name[0])}{name[1:]}"


def _names(cards: Iterable[int]) -> str:
    return " ".join(_spoken(work_of_angels.CARD_NAMES[card]) for card in cards)


def _set_name(cards: Sequence[int]) -> str:
    """Return a set in short: all its cards, or where a run begins and ends."""
    if len(cards) < work_of_angels.RUN_LENGTH:
        return _names(cards)
    return f"{_names(cards[:1])}-{_names(cards[-1:])}"


_NAKAYOSHI_STYLES = ("yellow", "cyan", "magenta", "green", "red")


class NakayoshiPresenter(Presenter):
    """The table of Nakayoshi Friends Renewal."""

    def heading(self, state: State, viewer: int) -> str:
        """Return how far the game is."""
        return f"{state.title}: round {state.observation(viewer).round} of {self._players}"

    def seats(self, state: State, viewer: int) -> Columns:
        """Return titles, and what stands below them for each seat."""
        seen = state.observation(viewer)
        rows = []
        for seat in range(state.num_players):
            taken = ["Tenshi"] if seen.tenshi == seat else []
            taken += ["Akuma"] if seen.akuma == seat else []
            lacks = (nakayoshi.SUIT_TITLES[suit] for suit in seen.void[seat])
            rows.append(
                (
                    str(seen.totals[seat]),
                    str(seen.hand_sizes[seat]),
                    str(-seen.penalties[seat]),
                    ", ".join(taken),
                    ", ".join(lacks),
                )
            )
        return ("Total", "Hand", "Penalties", "Took", "Has no"), rows

    def rows(self, state: State, viewer: int) -> Iterator[Row | str]:
        """Yield the trick and the viewer's hand."""
        seen = state.observation(viewer)
        if seen.trick:
            faces = []
            for play in seen.trick:
                who = "you" if play.seat == viewer else f"s.{play.seat}"
                faces += [
                    self._face(card)._replace(label=who)
                    for card in (play.card, play.extra)
                    if card is not None
                ]
            yield Row("The trick, s. is the seat", faces)
        faces = [self._face(card) for card in seen.hand]
        if seen.current_player == viewer:
            usable = self._usable(state, seen.hand)
            faces = [
                face if usable >> card & 1 else face._replace(label="")
                for card, face in zip(seen.hand, numbered(faces), strict=True)
            ]
        yield Row("Your hand", faces)
        if any(card in nakayoshi.NAKAYOSHI for card in seen.hand):
            star = "*" if self._ascii else "★"
            yield f"{star} A Nakayoshi card may bring an extra: a smaller one of another suit."

    def _face(self, card: int) -> Face:
        name = nakayoshi.CARD_NAMES[card]
        if card >= nakayoshi.TENSHI:
            return Face(name, {"T": "Ten", "A": "Aku"}[name], "bold")
        suit = nakayoshi.SUIT_OF[card]
        title = nakayoshi.SUIT_TITLES[suit][:3]
        starred = card in nakayoshi.NAKAYOSHI
        return Face(name, title, _NAKAYOSHI_STYLES[suit], starred=starred)

    def _usable(self, state: State, hand: Iterable[int]) -> int:
        """Return the mask of the cards that the seat to move can choose, alone or as an extra."""
        if state.observation(state.current_player()).phase != "play":
            return mask_of(hand)
        usable = 0
        for action in state.legal_actions():
            usable |= nakayoshi.PLAYED[action]
        return usable

    def asks(self, state: State, viewer: int) -> Iterator[str]:
        """Yield what the viewer, whose turn it is, can do."""
        seen = state.observation(viewer)
        if seen.phase == "give":
            to = self.name((viewer + 1) % self._players, viewer)
            yield f"Give three cards to {to}, by their numbers: such as 1 5 12."
            return
        if seen.phase == "drop":
            yield "All five cards were of one suit: drop one card of your hand, by its number."
            return
        actions = state.legal_actions()
        mains = [action for action in actions if action < nakayoshi.PLAY_PAIR]
        if not seen.trick:
            what = "You lead: play any card"
        else:
            led = nakayoshi.SUIT_OF[seen.trick[0].card]
            if led == nakayoshi.NO_SUIT:
                what = "No suit is led: play any card"
            elif nakayoshi.SUIT_OF[mains[0]] == led:
                what = f"Follow {nakayoshi.SUIT_TITLES[led]}"
            else:
                what = f"You have no {nakayoshi.SUIT_TITLES[led]}: play any card"
        only = " Enter does it." if len(actions) == 1 else ""
        yield f"{what}, by its number.{only}"
        yield from self._ask_extras(actions, seen.hand)

    def _ask_extras(self, actions: Sequence[int], hand: Sequence[int]) -> Iterator[str]:
        """Yield which cards may come with which Nakayoshi cards."""
        extras: dict[int, list[int]] = {}
        for action in actions:
            if nakayoshi.PLAY_PAIR <= action < nakayoshi.DROP:
                main = nakayoshi.MAIN[action]
                extras.setdefault(main, []).extend(cards_of(nakayoshi.PLAYED[action] ^ 1 << main))
        if not extras:
            return
        parts = []
        for main, others in extras.items():
            names = " ".join(nakayoshi.CARD_NAMES[card] for card in others)
            parts.append(f"{nakayoshi.CARD_NAMES[main]} with {names}")
        main, (other, *_) = next(iter(extras.items()))
        example = f"{hand.index(main) + 1}+{hand.index(other) + 1}"
        yield f"An extra card may come along, such as {example}: {'; '.join(parts)}."

    def record_text(self, state: State, text: str) -> str:
        """Return in a record's words what the seat to move has typed. Raises `ActionError`."""
        seen = state.observation(state.current_player())
        words = _words(text)
        verb = ""
        if words and words[0].lower() in ("give", "play", "drop"):
            verb = words.pop(0).lower()
        if not words:
            raise ActionError("name a card, too" if verb else "nothing was typed")
        names = [nakayoshi.CARD_NAMES[card] for card in seen.hand]
        longer = {"TENSHI": "T", "AKUMA": "A"}
        cards = [longer.get(w, _numbered_card(w, names, "your hand")) for w in words]
        verb = verb or seen.phase
        return f"{verb} " + ("+" if verb == "play" else " ").join(cards)

    def tell_deal(self, state: State, viewer: int) -> Iterator[str]:
        """Yield what a viewer is told of a round just dealt."""
        seen = state.observation(viewer)
        led = self.does(seen.leader, viewer, "lead", "the first trick")
        yield f"Round {seen.round}: everyone gives three cards to the next seat. {led}"

    def tell(self, before: State, action: int, after: State, viewer: int) -> Iterator[str]:
        """Yield what a viewer sees of an action."""
        seat = before.current_player()
        text = before.action_to_string(seat, action)
        verb, _, cards = text.partition(" ")
        seen = before.observation(viewer)
        if verb == "give":
            if seat == viewer:
                to = self.name((seat + 1) % self._players, viewer)
                yield self.does(seat, viewer, "give", f"{cards} to {to}")
            if after.observation(viewer).phase != "give":
                got = " ".join(
                    nakayoshi.CARD_NAMES[card] for card in after.observation(viewer).received
                )
                giver = (viewer - 1) % self._players
                yield self.does(giver, viewer, "give", f"you {got}")
            return
        if verb == "play":
            verb = "play" if seen.trick else "lead"
            cards = cards.replace("+", " and adds " if seat != viewer else " and add ")
        yield self.does(seat, viewer, verb, cards)
        if len(seen.trick) + 1 == self._players:
            yield from self._tell_trick(before, action, after, viewer)
        if after.current_player() < 0:
            last = after.observation(viewer)
            yield f"Round {seen.round} is over. {scores_text(last.results[-1])}"
            yield self._parts_of_score(last, viewer)

    def _parts_of_score(self, last: nakayoshi.Observation, viewer: int) -> str:
        """Return how the viewer's score of a finished round came about."""
        hand = mask_of(last.hand)
        specials = (hand & nakayoshi.SPECIALS).bit_count()
        tenshi = nakayoshi.TENSHI_TAKEN * (last.tenshi == viewer)
        parts = [
            ("penalties", -last.penalties[viewer]),
            ("hand", nakayoshi.SPECIAL_LEFT * specials - nakayoshi.points_of(hand)),
            ("Akuma taken", nakayoshi.AKUMA_TAKEN * (last.akuma == viewer)),
            ("Tenshi taken", tenshi),
        ]
        capped = sum(points for _, points in parts) > 0
        return parts_text(parts) + (" It is never above 0." if capped else "")

    def _tell_trick(self, before: State, action: int, after: State, viewer: int) -> Iterator[str]:
        """Yield who takes a full trick, and what it costs."""
        old, new = before.observation(viewer), after.observation(viewer)
        winner = new.leader
        penalty = new.penalties[winner] - old.penalties[winner]
        played = [play.card for play in old.trick] + [nakayoshi.MAIN[action]]
        parts = [f"{count(penalty, 'penalty point')}" if penalty else "no penalty points"]
        if nakayoshi.TENSHI in played:
            parts = ["Tenshi, so no penalty points"]
        if nakayoshi.AKUMA in played:
            parts.append("Akuma")
        rest = f"the trick with {', and with '.join(parts)}"
        yield self.does(winner, viewer, "win", rest)

    def shows_hidden(self, before: State, action: int, after: State, viewer: int) -> bool:
        """Tell whether another plays a card, or cards are given on, or the round ends."""
        if action >= nakayoshi.GIVE:
            return bool(after.observation(viewer).phase != "give")
        return before.current_player() != viewer or after.current_player() < 0


_PRESENTERS: dict[str, type[Presenter]] = {
    AufTeufel.name: AufTeufelPresenter,
    WorkOfAngels.name: WorkOfAngelsPresenter,
    Nakayoshi.name: NakayoshiPresenter,
}


def make_presenter(state: State, kinds: Sequence[str], *, ascii: bool) -> Presenter:
    """Return the presenter of a game; `kinds` tells who plays each seat."""
    return _PRESENTERS[state.name](state, kinds, ascii=ascii)
