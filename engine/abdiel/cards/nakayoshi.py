"""Nakayoshi Friends ~Renewal~: tricks in which nobody wants the cards of other suits.

A number card is suit * 12 + value - 1; Tenshi is 60, Akuma 61. Many cards are a mask of bits.
Actions, in order: play a card; play a Nakayoshi card with an extra; drop a card; give three cards,
named by their places in the sorted hand of 12.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from abdiel.cards.dealing import deal_unseen
from abdiel.cards.errors import ActionError, RecordError
from abdiel.cards.fields import expect_int, read_cards, read_list
from abdiel.cards.masks import cards_of, mask_of
from abdiel.cards.state import SEAT_BITS, SEAT_MASK, Option, State
from abdiel.errors import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random
    from typing import Self

SUITS = "BDRHC"
SUIT_TITLES = ("Bear", "Dog", "Rabbit", "Hamster", "Cat")
VALUES = 12
HAND_SIZE = 12
GIVEN = 3
REMOVED = 2
TENSHI = len(SUITS) * VALUES
AKUMA = TENSHI + 1
NUM_CARDS = AKUMA + 1
CARD_NAMES = (*(f"{suit}{value}" for suit in SUITS for value in range(1, VALUES + 1)), "T", "A")
CARDS = {name: card for card, name in enumerate(CARD_NAMES)}

SUIT_OF = (*(card // VALUES for card in range(TENSHI)), len(SUITS), len(SUITS))
VALUE_OF = (*(card % VALUES + 1 for card in range(TENSHI)), 0, 0)
SUIT_MASKS = tuple((1 << VALUES) - 1 << VALUES * suit for suit in range(len(SUITS)))
NUMBERS = (1 << TENSHI) - 1
SPECIALS = 1 << TENSHI | 1 << AKUMA
NAKAYOSHI = frozenset(card for card in range(TENSHI) if VALUE_OF[card] % 3 == 0)
NO_SUIT = len(SUITS)

SPECIAL_LEFT = -20
TENSHI_TAKEN = 40
AKUMA_TAKEN = -40


def _extras_of(card: int) -> int:
    """Return the number cards of other suits and smaller value, for a Nakayoshi card."""
    if card not in NAKAYOSHI:
        return 0
    return mask_of(
        other
        for other in range(TENSHI)
        if SUIT_OF[other] != SUIT_OF[card] and VALUE_OF[other] < VALUE_OF[card]
    )


EXTRAS = tuple(map(_extras_of, range(NUM_CARDS)))
_PAIRS = tuple((card, extra) for card in range(TENSHI) for extra in cards_of(EXTRAS[card]))

PLAY = 0
PLAY_PAIR = PLAY + NUM_CARDS
DROP = PLAY_PAIR + len(_PAIRS)
GIVE = DROP + NUM_CARDS
_PAIR_ACTIONS = {pair: PLAY_PAIR + i for i, pair in enumerate(_PAIRS)}
_PAIRS_OF: tuple[dict[int, int], ...] = tuple(
    {extra: _PAIR_ACTIONS[card, extra] for extra in cards_of(EXTRAS[card])}
    for card in range(NUM_CARDS)
)
# The main card and the mask of all cards of each action that plays.
MAIN = (*range(NUM_CARDS), *(card for card, _ in _PAIRS))
PLAYED = (*(1 << card for card in range(NUM_CARDS)), *(1 << c | 1 << e for c, e in _PAIRS))

_GIFTS = tuple(combinations(range(HAND_SIZE), GIVEN))
_GIFT_ACTIONS = {places: GIVE + i for i, places in enumerate(_GIFTS)}
_ALL_GIFTS = tuple(range(GIVE, GIVE + len(_GIFTS)))

_TEXTS = (
    *(f"play {name}" for name in CARD_NAMES),
    *(f"play {CARD_NAMES[card]}+{CARD_NAMES[extra]}" for card, extra in _PAIRS),
    *(f"drop {name}" for name in CARD_NAMES),
)
_ACTIONS = {text: action for action, text in enumerate(_TEXTS)}


# The sum of the values of each set of cards of a suit.
_SUIT_POINTS = tuple(
    sum(value for value in range(1, VALUES + 1) if cards >> value - 1 & 1)
    for cards in range(1 << VALUES)
)


def points_of(mask: int) -> int:
    """Return the sum of the values of cards; Tenshi and Akuma have none."""
    mask &= NUMBERS
    points = 0
    while mask:
        points += _SUIT_POINTS[mask & SUIT_MASKS[0]]
        mask >>= VALUES
    return points


def gift_of(hand: int, action: int) -> int:
    """Return the mask of the three cards that an action gives from a hand of 12."""
    cards = cards_of(hand)
    return mask_of(cards[place] for place in _GIFTS[action - GIVE])


def gift_action(hand: int, gift: int) -> int:
    """Return the action that gives three cards, a mask, from a hand of 12."""
    places = [place for place, card in enumerate(cards_of(hand)) if gift >> card & 1]
    first, second, third = places
    return _GIFT_ACTIONS[first, second, third]


class Deal(NamedTuple):
    """A round's deal as masks: the hands before cards are given, and the cards removed."""

    hands: tuple[int, ...]
    removed: int


class Play(NamedTuple):
    """What a seat has played to a trick; no extra is None."""

    seat: int
    card: int
    extra: int | None


class Observation(NamedTuple):
    """What a player sees and remembers. After a round's end the table lies as it was left."""

    seat: int
    current_player: int
    round: int
    """Counted from 1."""
    phase: str
    """"give", "play", "drop", or "" when nobody is to move."""
    hand: tuple[int, ...]
    given: tuple[int, ...]
    received: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    leader: int
    trick: tuple[Play, ...]
    """The running trick."""
    last_trick: tuple[Play, ...]
    shown: tuple[tuple[int, ...], ...]
    """The cards that each seat has played or dropped in this round."""
    void: tuple[tuple[int, ...], ...]
    """The suits of which each seat has shown to have no card."""
    penalties: tuple[int, ...]
    """The value of each penalty pile."""
    tenshi: int | None
    """The seat that has taken Tenshi."""
    akuma: int | None
    totals: tuple[int, ...]
    results: tuple[tuple[int, ...], ...]
    """The scores of the finished rounds."""


class Nakayoshi(State):
    """A game of Nakayoshi Friends ~Renewal~."""

    name = "nakayoshi"
    title = "Nakayoshi Friends ~Renewal~"
    player_counts = range(3, 6)
    option_specs = (Option("specials", True, "whether Tenshi and Akuma are in the deck"),)
    num_distinct_actions = GIVE + len(_GIFTS)
    deal_keys = ("leader", "removed", "hands")

    __slots__ = (
        "akuma", "droppers", "given", "giving", "hands", "leader", "led",
        "penalties", "shown", "tenshi", "trick", "voids",
    )  # fmt: skip

    hands: list[int]
    given: list[int]
    giving: bool
    leader: int
    led: int
    trick: list[int]
    droppers: list[int]
    penalties: list[int]
    tenshi: int
    akuma: int
    shown: list[int]
    voids: list[int]

    def _set_up(self) -> None:
        players = self.num_players
        self.hands = [0] * players
        self.given = [0] * players  # what each seat has given, 0 before
        self.giving = False
        self.leader = 0
        self.led = NO_SUIT  # the suit led, NO_SUIT with Tenshi and Akuma
        self.trick = []  # the actions of the running trick
        self.droppers = []  # the seats that are to drop a card, the first at the end
        self.penalties = [0] * players
        self.tenshi = self.akuma = -1  # the seat that has taken it
        self.shown = [0] * players  # what each seat has played or dropped
        self.voids = [0] * players  # bits of the suits that a seat did not follow

    def clone(self) -> Self:
        """Return a copy; neither notices what becomes of the other."""
        twin = self._copy()
        twin.hands = self.hands[:]
        twin.given = self.given[:]
        twin.giving = self.giving
        twin.leader = self.leader
        twin.led = self.led
        twin.trick = self.trick[:]
        twin.droppers = self.droppers[:]
        twin.penalties = self.penalties[:]
        twin.tenshi = self.tenshi
        twin.akuma = self.akuma
        twin.shown = self.shown[:]
        twin.voids = self.voids[:]
        return twin

    def _cards_in_play(self) -> int:
        """Return the mask of the deck before any card is removed."""
        numbers = (1 << VALUES * self.num_players) - 1
        return numbers | SPECIALS if self.options["specials"] else numbers

    def _shuffled(self, rng: Random) -> Deal:
        removed = 0
        deck = self._cards_in_play()
        if self.options["specials"]:
            removed = mask_of(rng.sample(range(VALUES * self.num_players), REMOVED))
            deck ^= removed
        cards = cards_of(deck)
        rng.shuffle(cards)
        starts = range(0, len(cards), HAND_SIZE)
        return Deal(tuple(mask_of(cards[at : at + HAND_SIZE]) for at in starts), removed)

    def deal_from_json(self, data: Mapping[str, object], place: str) -> Deal:
        """Return the deal of a record's fields. Raises `RecordError`."""
        expect_int(data["leader"], f"{place}, leader", len(self.past))
        deck = self._cards_in_play()
        length = REMOVED if self.options["specials"] else 0
        removed = read_cards(data["removed"], f"{place}, removed", length, CARDS)
        hands = [
            read_cards(hand, f"{place}, hand {seat}", HAND_SIZE, CARDS)
            for seat, hand in enumerate(
                read_list(data["hands"], f"{place}, hands", self.num_players)
            )
        ]
        if max(removed, default=0) >= TENSHI:
            raise RecordError(f"{place}, removed", "Tenshi and Akuma cannot be removed")
        seen = 0
        for card in [card for cards in (removed, *hands) for card in cards]:
            if not deck >> card & 1:
                raise RecordError(place, f"{CARD_NAMES[card]} is not in this game")
            if seen >> card & 1:
                raise RecordError(place, f"{CARD_NAMES[card]} is there twice")
            seen |= 1 << card
        return Deal(tuple(map(mask_of, hands)), mask_of(removed))

    def _deal_to_json(self, number: int, deal: Deal) -> dict[str, object]:
        return {
            "leader": number,
            "removed": [CARD_NAMES[card] for card in cards_of(deal.removed)],
            "hands": [[CARD_NAMES[card] for card in cards_of(hand)] for hand in deal.hands],
        }

    def _begin(self) -> None:
        self._set_up()
        self.hands = list(self._deal.hands)
        self.giving = True
        self.leader = len(self.past)
        self._player = 0

    def _find_legal(self) -> tuple[int, ...]:
        if self.giving:
            return _ALL_GIFTS
        hand = self.hands[self._player]
        if self.droppers:
            return tuple(DROP + card for card in cards_of(hand))
        mains = cards_of(self._following(hand))
        actions = mains[:]
        for card in mains:
            extras = hand & EXTRAS[card]
            if extras:
                pairs = _PAIRS_OF[card]
                actions += [pairs[extra] for extra in cards_of(extras)]
        return tuple(actions)

    def _following(self, hand: int) -> int:
        """Return the cards of a hand that may be main cards now."""
        if self.trick and self.led != NO_SUIT:
            return hand & SUIT_MASKS[self.led] or hand
        return hand

    def _apply(self, action: int) -> None:
        if action < DROP:
            self._play(action)
        elif action < GIVE:
            self._drop(action - DROP)
        else:
            self._give(action)

    def _give(self, action: int) -> None:
        seat = self._player
        self.given[seat] = gift_of(self.hands[seat], action)
        if seat + 1 < self.num_players:
            self._player = seat + 1
            return
        self._pass_on()
        self.giving = False
        self._player = self.leader

    def _pass_on(self) -> None:
        """Move what has been given to the left neighbours."""
        self.hands = [
            hand ^ self.given[seat] | self.given[seat - 1] for seat, hand in enumerate(self.hands)
        ]

    def _play(self, action: int) -> None:
        seat = self._player
        suit = SUIT_OF[MAIN[action]]
        if not self.trick:
            self.led = suit
        elif suit != self.led != NO_SUIT:
            self.voids[seat] |= 1 << self.led
        self.hands[seat] ^= PLAYED[action]
        self.shown[seat] |= PLAYED[action]
        self.trick.append(action)
        if len(self.trick) < self.num_players:
            self._player = (seat + 1) % self.num_players
        else:
            self._take_trick()

    def _winner(self) -> int:
        """Return who wins the full trick."""
        if self.led == NO_SUIT:
            return self.leader
        mains = [MAIN[action] for action in self.trick]
        # Cards of one suit are ordered as their values; no two are equal.
        followers = [card for card in mains if SUIT_OF[card] == self.led]
        best = min(followers) if AKUMA in mains else max(followers)
        return (self.leader + mains.index(best)) % self.num_players

    def _take_trick(self) -> None:
        """Let the winner take the trick, and go on with drops, the next trick or the end."""
        winner = self._winner()
        cards = 0
        for action in self.trick:
            cards |= PLAYED[action]
        if cards >> TENSHI & 1:
            self.tenshi = winner
        else:
            off = NUMBERS if self.led == NO_SUIT else NUMBERS & ~SUIT_MASKS[self.led]
            self.penalties[winner] += points_of(cards & off)
        if cards >> AKUMA & 1:
            self.akuma = winner
        mains = self.trick
        self.trick = []
        self.leader = winner
        if self.num_players == 5 and all(SUIT_OF[MAIN[a]] == self.led != NO_SUIT for a in mains):
            order = [(winner + i) % 5 for i in range(5)]
            self.droppers = [seat for seat in reversed(order) if self.hands[seat]]
        self._go_on()

    def _go_on(self) -> None:
        if self.droppers:
            self._player = self.droppers[-1]
        elif all(self.hands):
            self._player = self.leader
        else:
            self._finish()

    def _drop(self, card: int) -> None:
        seat = self.droppers.pop()
        self.hands[seat] ^= 1 << card
        self.shown[seat] |= 1 << card
        self._go_on()

    def round_scores(self) -> list[int]:
        """Return what the round would score if it ended now, all cards known."""
        scores = []
        for seat, hand in enumerate(self.hands):
            score = -self.penalties[seat] - points_of(hand)
            score += SPECIAL_LEFT * (hand & SPECIALS).bit_count()
            score += TENSHI_TAKEN * (self.tenshi == seat) + AKUMA_TAKEN * (self.akuma == seat)
            scores.append(min(score, 0))
        return scores

    def _is_over(self) -> bool:
        return len(self.past) == self.num_players

    def _text(self, deal: Deal, player: int, action: int) -> str:
        if action < GIVE:
            return _TEXTS[action]
        gift = gift_of(deal.hands[player], action)
        return "give " + " ".join(CARD_NAMES[card] for card in cards_of(gift))

    def _parse(self, player: int, text: str) -> int:
        if text in _ACTIONS:
            return _ACTIONS[text]
        verb, *names = text.replace("+", " ").split(" ")
        for name in names if verb in ("give", "play", "drop") else ():
            if name not in CARDS:
                raise ActionError(f"{shown(name)} is no card; one is such as B9, T or A")
        if verb == "give" and "+" not in text:
            return self._parse_gift(player, [CARDS[name] for name in names])
        if verb == "play" and len(names) == 2 and text == f"play {names[0]}+{names[1]}":
            raise ActionError(self._why_no_extra(*(CARDS[name] for name in names)))
        raise ActionError('expected "give B3 D12 T", "play B4", "play B9+D3" or "drop C4"')

    def _parse_gift(self, player: int, cards: list[int]) -> int:
        gift = mask_of(set(cards))
        if len(cards) != GIVEN or gift.bit_count() != GIVEN:
            raise ActionError("three different cards are given")
        hand = self._deal.hands[player]
        for card in cards:
            if not hand >> card & 1:
                raise ActionError(f"{CARD_NAMES[card]} is not in the hand")
        return gift_action(hand, gift)

    def _why_no_extra(self, card: int, extra: int) -> str:
        if card not in NAKAYOSHI:
            return f"only 3, 6, 9 and 12 bring an extra, not {CARD_NAMES[card]}"
        if extra >= TENSHI:
            return "Tenshi and Akuma are never an extra"
        if SUIT_OF[card] == SUIT_OF[extra]:
            return "an extra is of another suit"
        return "an extra is of a smaller value"

    def _reason(self, player: int, action: int) -> str:
        if self.giving:
            return "three cards are to be given first"
        if action >= GIVE:
            return "giving is done"
        if (action >= DROP) != bool(self.droppers):
            return "a card is to be dropped" if self.droppers else "no card is to be dropped"
        hand = self.hands[player]
        wanted = 1 << action - DROP if action >= DROP else PLAYED[action]
        missing = cards_of(wanted & ~hand)
        if missing:
            return f"{CARD_NAMES[missing[0]]} is not in the hand"
        return f"the suit led, {SUIT_TITLES[self.led]}, must be followed"

    def _log(self, deal: Deal, moves: Iterable[int], player: int, number: int) -> list[str]:
        def names(mask: int) -> str:
            return " ".join(CARD_NAMES[card] for card in cards_of(mask))

        events = [f"hand {names(deal.hands[player])}"]
        neighbour = (player - 1) % self.num_players
        received = ""
        for move in moves:
            seat, action = move & SEAT_MASK, move >> SEAT_BITS
            if action < GIVE:
                events.append(f"{seat} {_TEXTS[action]}")
                continue
            gift = names(gift_of(deal.hands[seat], action))
            events.append(f"{seat} give {gift if seat == player else '?'}")
            if seat == neighbour:
                received = gift
            if seat == self.num_players - 1:
                events.append(f"get {received}")
        return events

    def _resample(self, player: int, rng: Random) -> None:
        if self.giving:
            self._resample_gifts(player, rng)
        else:
            self._resample_hands(player, rng)

    def _deal_to(
        self, rng: Random, unseen: int, needs: Mapping[int, int], voids: Mapping[int, int]
    ) -> dict[int, int]:
        """Return random hands of so many unseen cards for each seat; what is left is removed.

        `voids` are bits of the suits that a seat does not have.
        """
        seats = list(needs)
        kinds = []
        for suit, suit_mask in enumerate(SUIT_MASKS[: self.num_players]):
            allowed = mask_of(i for i, s in enumerate(seats) if not voids.get(s, 0) >> suit & 1)
            kinds.append((cards_of(unseen & suit_mask), allowed | 1 << len(seats)))
        kinds.append((cards_of(unseen & SPECIALS), (1 << len(seats)) - 1))
        left = unseen.bit_count() - sum(needs.values())
        dealt = deal_unseen(rng, kinds, [*needs.values(), left])
        return {seat: mask_of(hand) for seat, hand in zip(seats, dealt, strict=False)}

    def _resample_gifts(self, player: int, rng: Random) -> None:
        hands: list[int] = list(self._deal.hands)
        unseen = self._cards_in_play() & ~hands[player]
        others = [seat for seat in range(self.num_players) if seat != player]
        for seat, hand in self._deal_to(rng, unseen, dict.fromkeys(others, HAND_SIZE), {}).items():
            hands[seat] = hand
            if self.given[seat]:
                self.given[seat] = mask_of(rng.sample(cards_of(hand), GIVEN))
        self.hands = hands[:]
        self._rewrite(hands)

    def _resample_hands(self, player: int, rng: Random) -> None:
        players = self.num_players
        left = (player + 1) % players
        known = [0] * players
        known[left] = self.given[player] & self.hands[left]
        unseen = self._cards_in_play() & ~self.hands[player] & ~known[left]
        for cards in self.shown:
            unseen &= ~cards
        needs = {
            seat: hand.bit_count() - known[seat].bit_count()
            for seat, hand in enumerate(self.hands)
            if seat != player
        }
        voids = {seat: void for seat, void in enumerate(self.voids) if void}
        for seat, hand in self._deal_to(rng, unseen, needs, voids).items():
            self.hands[seat] = hand | known[seat]
        full = [hand | shown for hand, shown in zip(self.hands, self.shown, strict=True)]
        for seat in range(players):
            taker = (seat + 1) % players
            if player not in (seat, taker):
                self.given[seat] = mask_of(rng.sample(cards_of(full[taker]), GIVEN))
        self._rewrite(
            [full[seat] ^ self.given[seat - 1] | self.given[seat] for seat in range(players)]
        )

    def _rewrite(self, hands: list[int]) -> None:
        """Put hands, and the gifts from them, into the deal and the moves."""
        removed = self._cards_in_play()
        for hand in hands:
            removed &= ~hand
        self._deal = Deal(tuple(hands), removed)
        for seat, gift in enumerate(self.given):
            if gift:
                self.moves[seat] = gift_action(hands[seat], gift) << SEAT_BITS | seat

    def observation(self, player: int) -> Observation:
        """Return what a player sees and remembers. Raises `ValueError` if there is no such seat."""
        self.check_seat(player)
        running = self._player >= 0
        started = self._deal is not None
        phase = "give" if self.giving else "drop" if self.droppers else "play"
        got = 0 if self.giving else self.given[player - 1]
        tricks = self._tricks()
        return Observation(
            seat=player,
            current_player=self._player,
            round=len(self.past) + (running or not started),
            phase=phase if running else "",
            hand=tuple(cards_of(self.hands[player])),
            given=tuple(cards_of(self.given[player])),
            received=tuple(cards_of(got)),
            hand_sizes=tuple(hand.bit_count() for hand in self.hands),
            leader=self.leader,
            trick=tricks[-1],
            last_trick=tricks[-2] if len(tricks) > 1 else (),
            shown=tuple(tuple(cards_of(shown)) for shown in self.shown),
            void=tuple(tuple(cards_of(void)) for void in self.voids),
            penalties=tuple(self.penalties),
            tenshi=None if self.tenshi < 0 else self.tenshi,
            akuma=None if self.akuma < 0 else self.akuma,
            totals=tuple(self.totals),
            results=tuple(past.scores for past in self.past),
        )

    def _tricks(self) -> list[tuple[Play, ...]]:
        """Return the tricks of the round, the last of them the running one, which may be empty."""
        plays = []
        for move in self.moves:
            action = move >> SEAT_BITS
            if action < DROP:
                main = MAIN[action]
                extra = cards_of(PLAYED[action] ^ 1 << main)
                plays.append(Play(move & SEAT_MASK, main, extra[0] if extra else None))
        players = self.num_players
        starts = range(0, len(plays) + 1, players)
        return [tuple(plays[at : at + players]) for at in starts]
