"""The Work of Angels: draw, lay sets of your Jack's suit, and run out of cards in time.

A card is rank * 4 + suit, ranks A23456789TQK and suits CDHS from 0; many cards are a mask of bits.
Actions, in order: draw from the deck; draw a card from the table; discard a card; end the turn; lay
cards of one number; lay a run; add a card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from abdiel.cards.errors import ActionError, RecordError
from abdiel.cards.fields import expect_int, read_card, read_cards, read_list
from abdiel.cards.masks import cards_of, mask_of
from abdiel.cards.state import SEAT_BITS, SEAT_MASK, Option, State
from abdiel.errors import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random
    from typing import Self

RANKS = "A23456789TQK"
SUITS = "CDHS"
CARD_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
CARDS = {name: card for card, name in enumerate(CARD_NAMES)}
_SUIT_NUMBERS = {name: suit for suit, name in enumerate(SUITS)}
NUM_CARDS = len(CARD_NAMES)
ALL_CARDS = (1 << NUM_CARDS) - 1
HAND_SIZE = 6
TABLE_SIZE = 3
FULL_HAND = HAND_SIZE + 1
RUN_LENGTH = 5

SUIT_MASKS = tuple(sum(1 << card for card in range(suit, NUM_CARDS, 4)) for suit in range(4))
# Queens and Kings count double.
COURT_MASK = sum(1 << card for card in range(RANKS.index("Q") * 4, NUM_CARDS))
CARD_VALUE = 10

DRAW_DECK = 0
DRAW_TABLE = 1
DISCARD = DRAW_TABLE + NUM_CARDS
END = DISCARD + NUM_CARDS
LAY_NUMBER = END + 1
_CHOICES_OF_NUMBER = 5  # all but one of the suits, or all four
LAY_RUN = LAY_NUMBER + len(RANKS) * _CHOICES_OF_NUMBER
_RUNS = (len(RANKS) - RUN_LENGTH + 1) * 4
ADD = LAY_RUN + _RUNS

# The lowest cards of runs: with the gap open those that have both 10 and Queen are none.
_RUN_STARTS = {"closed": (1 << _RUNS) - 1, "open": (1 << 4 * (RANKS.index("T") - 3)) - 1}

_LOW_BITS = SUIT_MASKS[0]  # one bit for each rank


def card_points(mask: int) -> int:
    """Return what cards count in a hand: 10 each, and 20 for Queen and King."""
    return CARD_VALUE * (mask.bit_count() + (mask & COURT_MASK).bit_count())


def _names(mask: int) -> str:
    return " ".join(CARD_NAMES[card] for card in cards_of(mask))


def _set_masks() -> dict[int, int]:
    """Return the cards of each action that lays a set."""
    masks = {}
    for rank in range(len(RANKS)):
        for choice in range(_CHOICES_OF_NUMBER):
            # The last choice leaves no suit out.
            suits = 0b1111 & ~(1 << choice)
            masks[LAY_NUMBER + rank * _CHOICES_OF_NUMBER + choice] = suits << 4 * rank
    for start in range(_RUNS):
        masks[LAY_RUN + start] = sum(1 << start + 4 * i for i in range(RUN_LENGTH))
    return masks


SET_MASKS = _set_masks()
_SET_ACTIONS = {mask: action for action, mask in SET_MASKS.items()}

# For four bits that tell which suits of a number are in hand: the choices that can be laid.
_NUMBER_CHOICES = tuple(
    tuple(choice for choice in range(_CHOICES_OF_NUMBER) if not 0b1111 & ~(1 << choice) & ~suits)
    for suits in range(16)
)

_TEXTS = (
    "draw deck",
    *(f"draw {name}" for name in CARD_NAMES),
    *(f"discard {name}" for name in CARD_NAMES),
    "end",
    *(f"set {_names(mask)}" for mask in SET_MASKS.values()),
    *(f"add {name}" for name in CARD_NAMES),
)
_ACTIONS = {text: action for action, text in enumerate(_TEXTS)}


class Deal(NamedTuple):
    """A round's deal: each seat's Jack as its suit, hands and table as masks, and the deck."""

    jacks: tuple[int, ...]
    hands: tuple[int, ...]
    table: int
    deck: tuple[int, ...]


class RoundResult(NamedTuple):
    """What all know of a finished round."""

    jacks: tuple[int, ...]
    scores: tuple[int, ...]


class Observation(NamedTuple):
    """What a player sees and remembers. After a round's end the table lies as it was left."""

    seat: int
    current_player: int
    round: int
    """Counted from 1."""
    dealer: int
    phase: str
    """"draw", "lay", or "" when nobody is to move."""
    last_turn: bool
    jack: int
    """The suit of the own Jack."""
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    """Cards that all know to be in each hand, drawn from the table and still held."""
    table: tuple[int, ...]
    deck_left: int
    sets: tuple[tuple[tuple[int, ...], ...], ...]
    """Each seat's sets."""
    quiet_turns: int
    """How many turns running nobody drew from the deck, laid a set or added to one."""
    totals: tuple[int, ...]
    results: tuple[RoundResult, ...]


class WorkOfAngels(State):
    """A game of The Work of Angels."""

    name = "work-of-angels"
    title = "The Work of Angels"
    player_counts = range(2, 5)
    option_specs = (
        Option("gap", "closed", "whether 10 and Queen are neighbours in runs", ("closed", "open")),
        Option("target", 500, "the total that ends the game", least=1, most=1_000_000),
        Option("rounds", 20, "the most rounds", least=1, most=1000),
    )
    num_distinct_actions = len(_TEXTS)
    deal_keys = ("dealer", "jacks", "hands", "table", "deck")

    __slots__ = (
        "_run_starts", "active", "addable", "deck_at", "drawing", "hands", "known",
        "laid", "last_turn", "quiet", "sets", "table",
    )  # fmt: skip

    hands: list[int]
    known: list[int]
    laid: list[int]
    addable: list[int]
    sets: list[tuple[int, ...]]
    table: int
    deck_at: int
    drawing: bool
    active: bool
    last_turn: bool
    quiet: int
    _run_starts: int

    def _set_up(self) -> None:
        self._run_starts = _RUN_STARTS[str(self.options["gap"])]
        self._clear()

    def _clear(self) -> None:
        players = self.num_players
        self.hands = [0] * players
        self.known = [0] * players  # what all know to be in each hand
        self.laid = [0] * players  # the cards of each seat's sets,
        self.addable = [0] * players  # the cards that complete a three of a number,
        self.sets = [()] * players  # and the masks of the sets
        self.table = 0
        self.deck_at = 0  # how many cards of the deck have been drawn
        self.drawing = False
        self.active = False  # whether this turn is not a quiet one
        self.last_turn = False  # whether nothing is left to draw
        self.quiet = 0  # quiet turns running

    def clone(self) -> Self:
        """Return a copy; neither notices what becomes of the other."""
        twin = self._copy()
        twin._run_starts = self._run_starts
        twin.hands = self.hands[:]
        twin.known = self.known[:]
        twin.laid = self.laid[:]
        twin.addable = self.addable[:]
        twin.sets = self.sets[:]
        twin.table = self.table
        twin.deck_at = self.deck_at
        twin.drawing = self.drawing
        twin.active = self.active
        twin.last_turn = self.last_turn
        twin.quiet = self.quiet
        return twin

    def _shuffled(self, rng: Random) -> Deal:
        players = self.num_players
        cards = list(range(NUM_CARDS))
        rng.shuffle(cards)
        dealt = players * HAND_SIZE
        return Deal(
            jacks=tuple(rng.sample(range(4), players)),
            hands=tuple(mask_of(cards[at : at + HAND_SIZE]) for at in range(0, dealt, HAND_SIZE)),
            table=mask_of(cards[dealt : dealt + TABLE_SIZE]),
            deck=tuple(cards[dealt + TABLE_SIZE :]),
        )

    def jack(self, seat: int) -> int:
        """Return the suit of a seat's Jack, its secret."""
        jacks: tuple[int, ...] = self._deal.jacks
        return jacks[seat]

    @property
    def deck_left(self) -> int:
        """How many cards the deck has."""
        return len(self._deal.deck) - self.deck_at

    @property
    def run_starts(self) -> int:
        """The mask of the cards that can be the lowest of a run."""
        return self._run_starts

    def _dealer(self, number: int) -> int:
        return number % self.num_players

    def deal_from_json(self, data: Mapping[str, object], place: str) -> Deal:
        """Return the deal of a record's fields. Raises `RecordError`."""
        players = self.num_players
        dealer = self._dealer(len(self.past))
        expect_int(data["dealer"], f"{place}, dealer", dealer)
        where = f"{place}, jacks"
        jacks = [
            read_card(jack, where, _SUIT_NUMBERS)
            for jack in read_list(data["jacks"], where, players)
        ]
        if len(set(jacks)) < players:
            raise RecordError(where, "two seats have the same")
        hands = [
            read_cards(hand, f"{place}, hand {seat}", HAND_SIZE, CARDS)
            for seat, hand in enumerate(read_list(data["hands"], f"{place}, hands", players))
        ]
        table = read_cards(data["table"], f"{place}, table", TABLE_SIZE, CARDS)
        left = NUM_CARDS - TABLE_SIZE - players * HAND_SIZE
        deck = read_cards(data["deck"], f"{place}, deck", left, CARDS)
        seen: set[int] = set()
        for card in [card for cards in (*hands, table, deck) for card in cards]:
            if card in seen:
                raise RecordError(place, f"{CARD_NAMES[card]} is there twice")
            seen.add(card)
        return Deal(tuple(jacks), tuple(map(mask_of, hands)), mask_of(table), tuple(deck))

    def _deal_to_json(self, number: int, deal: Deal) -> dict[str, object]:
        return {
            "dealer": self._dealer(number),
            "jacks": [SUITS[jack] for jack in deal.jacks],
            "hands": [[CARD_NAMES[card] for card in cards_of(hand)] for hand in deal.hands],
            "table": [CARD_NAMES[card] for card in cards_of(deal.table)],
            "deck": [CARD_NAMES[card] for card in deal.deck],
        }

    def _begin(self) -> None:
        self._clear()
        self.hands = list(self._deal.hands)
        self.table = self._deal.table
        self.drawing = True
        self._player = (self._dealer(len(self.past)) + 1) % self.num_players

    def _find_legal(self) -> tuple[int, ...]:
        hand = self.hands[self._player]
        if self.drawing:
            actions = [DRAW_TABLE + card for card in cards_of(self.table)]
            if self.deck_at < len(self._deal.deck):
                actions.insert(0, DRAW_DECK)
            return tuple(actions)
        actions = [DISCARD + card for card in cards_of(hand)] if self._must_discard() else [END]
        actions += self._sets_of(hand)
        actions += [ADD + card for card in cards_of(hand & self.addable[self._player])]
        return tuple(actions)

    def _must_discard(self) -> bool:
        return self.hands[self._player].bit_count() == FULL_HAND and not self.last_turn

    def _sets_of(self, hand: int) -> list[int]:
        """Return the actions that lay sets of a hand, sorted."""
        actions = []
        # The suits of each number counted, all numbers at once: 5 more than 3 or 4 is 8 or 9.
        counts = (
            (hand & _LOW_BITS)
            + (hand >> 1 & _LOW_BITS)
            + (hand >> 2 & _LOW_BITS)
            + (hand >> 3 & _LOW_BITS)
        )
        for three in cards_of(counts + 5 * _LOW_BITS & 8 * _LOW_BITS):
            first = three & ~3
            base = LAY_NUMBER + first // 4 * _CHOICES_OF_NUMBER
            actions += [base + choice for choice in _NUMBER_CHOICES[hand >> first & 15]]
        runs = hand & hand >> 4 & hand >> 8 & hand >> 12 & hand >> 16 & self._run_starts
        actions += [LAY_RUN + start for start in cards_of(runs)]
        return actions

    def _apply(self, action: int) -> None:
        if action < DISCARD:
            self._draw(action)
        elif action < END:
            bit = 1 << action - DISCARD
            self._take_from_hand(bit)
            self.table |= bit
            self._end_turn()
        elif action == END:
            self._end_turn()
        elif action < ADD:
            self._lay(SET_MASKS[action])
        else:
            self._add(action - ADD)

    def _draw(self, action: int) -> None:
        player = self._player
        deck = self._deal.deck
        if action == DRAW_DECK:
            self.hands[player] |= 1 << deck[self.deck_at]
            self.deck_at += 1
            self.active = True
        else:
            bit = 1 << action - DRAW_TABLE
            self.table ^= bit
            self.hands[player] |= bit
            self.known[player] |= bit
        self.last_turn = not self.table and self.deck_at == len(deck)
        if self.last_turn or self.hands[player].bit_count() == FULL_HAND:
            self.drawing = False

    def _take_from_hand(self, mask: int) -> None:
        self.hands[self._player] ^= mask
        self.known[self._player] &= ~mask

    def _lay(self, mask: int) -> None:
        player = self._player
        self._take_from_hand(mask)
        self.laid[player] |= mask
        self.sets[player] += (mask,)
        self.active = True
        if mask.bit_count() == 3:
            number = 15 << ((mask & -mask).bit_length() - 1 & ~3)
            self.addable[player] |= number & ~mask

    def _add(self, card: int) -> None:
        player = self._player
        bit = 1 << card
        self._take_from_hand(bit)
        self.laid[player] |= bit
        self.addable[player] ^= bit
        three = (15 << (card & ~3)) & ~bit
        sets = self.sets[player]
        self.sets[player] = tuple(mask | bit if mask == three else mask for mask in sets)
        self.active = True

    def _end_turn(self) -> None:
        self.quiet = 0 if self.active else self.quiet + 1
        if self.last_turn or self.quiet == 2 * self.num_players:
            self._finish()
            return
        self.active = False
        self.drawing = True
        self._player = (self._player + 1) % self.num_players

    def round_scores(self) -> list[int]:
        """Return what the round would score if it ended now, all cards known."""
        return [
            card_points(laid) + card_points(laid & SUIT_MASKS[jack]) - card_points(hand)
            for laid, hand, jack in zip(self.laid, self.hands, self._deal.jacks, strict=True)
        ]

    def _is_over(self) -> bool:
        if len(self.past) == self.options["rounds"]:
            return True
        best = max(self.totals)
        return best >= int(self.options["target"]) and self.totals.count(best) == 1

    def _text(self, deal: Deal, player: int, action: int) -> str:
        return _TEXTS[action]

    def _parse(self, player: int, text: str) -> int:
        if text in _ACTIONS:
            return _ACTIONS[text]
        verb, *names = text.split(" ")
        if verb in ("draw", "discard", "add", "set") and names:
            for name in names:
                if name not in CARDS:
                    raise ActionError(f"{shown(name)} is no card; one is such as 7H")
            mask = mask_of({CARDS[name] for name in names})
            if verb == "set" and len(names) == mask.bit_count() and mask in _SET_ACTIONS:
                return _SET_ACTIONS[mask]
            if verb == "set":
                raise ActionError("a set is 3 or 4 cards of a number, or 5 of a suit in a row")
        raise ActionError(
            'expected "draw deck", "draw 3C", "set 7H 7S 7D", "add 7C", "discard 9H" or "end"'
        )

    def _reason(self, player: int, action: int) -> str:
        hand = self.hands[player]
        if action < DISCARD:
            if not self.drawing:
                return "drawing is done"
            if action == DRAW_DECK:
                return "the deck is empty"
            return f"{CARD_NAMES[action - DRAW_TABLE]} is not on the table"
        if self.drawing:
            return "draw first, until the hand holds 7"
        if action == END:
            return "the hand holds 7, discard one"
        if action < END:
            if hand >> action - DISCARD & 1:
                why = "on the last turn" if self.last_turn else "with 6 or fewer in hand"
                return f"nothing is discarded {why}"
            return f"{CARD_NAMES[action - DISCARD]} is not in the hand"
        wanted = SET_MASKS[action] if action < ADD else 1 << action - ADD
        missing = wanted & ~hand
        if missing:
            names = _names(missing)
            return f"{names} {'are' if ' ' in names else 'is'} not in the hand"
        if action < ADD:
            return "10 and Queen are no neighbours with gap=open"
        return "you have laid no three of that number"

    def _log(self, deal: Deal, moves: Iterable[int], player: int, number: int) -> list[str]:
        events = [
            f"jack {SUITS[deal.jacks[player]]}",
            f"hand {_names(deal.hands[player])}",
            f"table {_names(deal.table)}",
        ]
        deck = iter(deal.deck)
        for move in moves:
            seat, action = move & SEAT_MASK, move >> SEAT_BITS
            event = f"{seat} {_TEXTS[action]}"
            if action == DRAW_DECK:
                card = next(deck)
                event += f" {CARD_NAMES[card]}" if seat == player else ""
            events.append(event)
        return events

    def _reveal(self, deal: Deal) -> str:
        return "; jacks " + " ".join(SUITS[jack] for jack in deal.jacks)

    def _resample(self, player: int, rng: Random) -> None:
        deal: Deal = self._deal
        others = [seat for seat in range(self.num_players) if seat != player]
        unseen = ALL_CARDS & ~self.hands[player] & ~self.table
        for seat in range(self.num_players):
            unseen &= ~self.laid[seat] & ~self.known[seat]
        cards = cards_of(unseen)
        rng.shuffle(cards)
        hidden: list[list[int]] = [[] for _ in self.hands]
        for seat in others:
            known = self.known[seat]
            count = self.hands[seat].bit_count() - known.bit_count()
            hidden[seat] = [cards.pop() for _ in range(count)]
            self.hands[seat] = known | mask_of(hidden[seat])
        suits = [suit for suit in range(4) if suit != deal.jacks[player]]
        rng.shuffle(suits)
        jacks = [deal.jacks[player] if s == player else suits.pop() for s in range(len(hidden))]
        hands, drawn = self._reinvent(player, rng, hidden)
        self._deal = Deal(tuple(jacks), hands, deal.table, (*drawn, *cards))

    def _reinvent(
        self, player: int, rng: Random, hidden: Sequence[list[int]]
    ) -> tuple[tuple[int, ...], list[int]]:
        """Return hands dealt and cards drawn from the deck that lead to the `hidden` cards.

        A card that left a hand, and had not come there from the table, had been dealt to it or
        drawn from the deck before: from one of the places that are not used up yet.
        """
        deal: Deal = self._deal
        drawn = list(deal.deck[: self.deck_at])
        dealt = -1
        hands: list[int] = [hand if s == player else 0 for s, hand in enumerate(deal.hands)]
        places: list[list[int]] = [[dealt] * HAND_SIZE for _ in hands]
        open_cards = [0] * len(hands)
        at = 0

        def put(seat: int, card: int) -> None:
            free = places[seat]
            i = int(rng.random() * len(free))
            place = free[i]
            free[i] = free[-1]
            free.pop()
            if place == dealt:
                hands[seat] |= 1 << card
            else:
                drawn[place] = card

        for move in self.moves:
            seat, action = move & SEAT_MASK, move >> SEAT_BITS
            if action == DRAW_DECK:
                places[seat].append(at)
                at += 1
            elif seat == player or action == END:
                continue
            elif action < DISCARD:
                open_cards[seat] |= 1 << action - DRAW_TABLE
            else:
                for card in _cards_given_up(action):
                    if open_cards[seat] >> card & 1:
                        open_cards[seat] ^= 1 << card
                    else:
                        put(seat, card)
        for seat, cards in enumerate(hidden):
            for card in cards:
                put(seat, card)
        return tuple(hands), drawn

    def observation(self, player: int) -> Observation:
        """Return what a player sees and remembers. Raises `ValueError` if there is no such seat.

        Before the first deal everything is empty, and the Jack's suit -1.
        """
        self.check_seat(player)
        deal: Deal | None = self._deal
        running = self._player >= 0
        number = len(self.past) - (not running and deal is not None)
        return Observation(
            seat=player,
            current_player=self._player,
            round=number + 1,
            dealer=self._dealer(number),
            phase=("draw" if self.drawing else "lay") if running else "",
            last_turn=self.last_turn,
            jack=deal.jacks[player] if deal else -1,
            hand=tuple(cards_of(self.hands[player])),
            hand_sizes=tuple(hand.bit_count() for hand in self.hands),
            known=tuple(tuple(cards_of(known)) for known in self.known),
            table=tuple(cards_of(self.table)),
            deck_left=len(deal.deck) - self.deck_at if deal else 0,
            sets=tuple(tuple(tuple(cards_of(mask)) for mask in sets) for sets in self.sets),
            quiet_turns=self.quiet,
            totals=tuple(self.totals),
            results=tuple(self._results()),
        )

    def _results(self) -> Iterator[RoundResult]:
        for past in self.past:
            yield RoundResult(past.deal.jacks, past.scores)


def _cards_given_up(action: int) -> Sequence[int]:
    """Return the cards that leave the hand by a discard, a set or an addition."""
    if action < END:
        return (action - DISCARD,)
    return cards_of(SET_MASKS[action]) if action < ADD else (action - ADD,)
