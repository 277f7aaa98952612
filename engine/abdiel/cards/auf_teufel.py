"""Auf Teufel komm raus: accept the Angel before too many Devils are on it.

An Angel is its value, 1 to 10, and a Devil its magnitude, 1 to 5. Action 0 accepts, action 1 to 5
passes the card with that Devil.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from abdiel.cards.errors import ActionError, RecordError
from abdiel.cards.fields import read_ints, read_list, told
from abdiel.cards.state import SEAT_BITS, SEAT_MASK, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from random import Random
    from typing import Self

ANGELS = tuple(value for value in range(1, 11) for _ in range(3))
DEVILS = tuple(value for value in range(1, 6) for _ in range(4))
HAND_SIZE = 3
ACCEPT = 0

# A hand is a number with two bits for each Devil: how many there are of it.
_UNIT = (0, 1, 1 << 2, 1 << 4, 1 << 6, 1 << 8)


def _hand(devils: Iterable[int]) -> int:
    return sum(_UNIT[devil] for devil in devils)


_DEVILS_OF = {
    _hand(v for v, n in enumerate(counts, 1) for _ in range(n)): tuple(
        v for v, n in enumerate(counts, 1) for _ in range(n)
    )
    for counts in product(range(HAND_SIZE + 1), repeat=5)
    if sum(counts) <= HAND_SIZE
}
_CHOICES = {hand: (ACCEPT, *sorted(set(devils))) for hand, devils in _DEVILS_OF.items()}
_FORCED = (ACCEPT,)
_TEXTS = ("accept", *(f"pass {devil}" for devil in range(1, 6)))
_ACTIONS = {text: action for action, text in enumerate(_TEXTS)}


class Deal(NamedTuple):
    """The Angels in drawing order, and the hands."""

    angels: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]


class Turn(NamedTuple):
    """An Angel's way, as a player knows it; None stands for what the player has not seen."""

    drawer: int
    angel: int | None
    devils: tuple[int | None, ...]
    accepted_by: int | None


class Observation(NamedTuple):
    """What a player sees and remembers. The last of `turns` is the running one."""

    seat: int
    current_player: int
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    pile_sizes: tuple[int, ...]
    angels_left: int
    turns: tuple[Turn, ...]
    total: int
    """The value of the own pile."""
    scores: tuple[int, ...] | None
    """All totals, at the end."""


class AufTeufel(State):
    """A game of Auf Teufel komm raus."""

    name = "auf-teufel"
    title = "Auf Teufel komm raus"
    player_counts = range(2, 7)
    num_distinct_actions = len(_TEXTS)
    has_rounds = False
    deal_keys = ("angels", "hands")

    __slots__ = ("attached", "devils", "hands", "piles", "taken", "turn")

    turn: int
    attached: list[int]
    hands: list[int]
    piles: list[int]
    devils: list[int]
    taken: list[int]

    def _set_up(self) -> None:
        players = self.num_players
        self.turn = 0  # how many Angels have been accepted
        self.attached = []  # the Devils on the card, in the order in which they came
        self.hands = [0] * players
        self.piles = [0] * players  # the value of each pile,
        self.devils = [0] * players  # how many Devils
        self.taken = [0] * players  # and how many Angels there are in it

    def clone(self) -> Self:
        """Return a copy; neither notices what becomes of the other."""
        twin = self._copy()
        twin.turn = self.turn
        twin.attached = self.attached[:]
        twin.hands = self.hands[:]
        twin.piles = self.piles[:]
        twin.devils = self.devils[:]
        twin.taken = self.taken[:]
        return twin

    def _shuffled(self, rng: Random) -> Deal:
        angels = list(ANGELS)
        rng.shuffle(angels)
        devils = list(DEVILS)
        rng.shuffle(devils)
        starts = range(0, self.num_players * HAND_SIZE, HAND_SIZE)
        return Deal(tuple(angels), tuple(tuple(devils[at : at + HAND_SIZE]) for at in starts))

    def deal_from_json(self, data: Mapping[str, object], place: str) -> Deal:
        """Return the deal of a record's fields. Raises `RecordError`."""
        angels = read_ints(data["angels"], f"{place}, angels", len(ANGELS))
        if sorted(angels) != list(ANGELS):
            raise RecordError(f"{place}, angels", "expected each of 1 to 10 three times")
        hands = [
            tuple(read_ints(hand, f"{place}, hand {seat}", HAND_SIZE))
            for seat, hand in enumerate(
                read_list(data["hands"], f"{place}, hands", self.num_players)
            )
        ]
        dealt = [devil for hand in hands for devil in hand]
        for devil in dealt:
            if devil not in DEVILS:
                raise RecordError(f"{place}, hands", f"Devils are 1 to 5, found {told(devil)}")
            if dealt.count(devil) > DEVILS.count(devil):
                raise RecordError(f"{place}, hands", f"there are only four Devils of {devil}")
        return Deal(tuple(angels), tuple(hands))

    def _deal_to_json(self, number: int, deal: Deal) -> dict[str, object]:
        return {"angels": list(deal.angels), "hands": [list(hand) for hand in deal.hands]}

    def _begin(self) -> None:
        self.hands = [_hand(hand) for hand in self._deal.hands]
        self._player = 0

    @property
    def drawer(self) -> int:
        """The seat that drew, or draws next, the running turn's Angel."""
        return self.turn % self.num_players

    @property
    def angel(self) -> int:
        """The running turn's Angel, which only those know who hold or have held it."""
        angels: tuple[int, ...] = self._deal.angels
        return angels[self.turn]

    def hand_size(self, seat: int) -> int:
        """Return how many Devils a seat has in hand, which all know."""
        return len(_DEVILS_OF[self.hands[seat]])

    def _find_legal(self) -> tuple[int, ...]:
        if len(self.attached) == self.num_players:
            return _FORCED
        return _CHOICES[self.hands[self._player]]

    def _apply(self, action: int) -> None:
        holder = self._player
        if action:
            self.hands[holder] -= _UNIT[action]
            self.attached.append(action)
            self._player = (holder + 1) % self.num_players
            return
        self._accept(holder)
        if self.turn == len(ANGELS):
            self._finish()
        else:
            self._player = self.turn % self.num_players

    def _accept(self, holder: int) -> None:
        """Put the card and its Devils into the holder's pile."""
        self.piles[holder] += self._deal.angels[self.turn] - sum(self.attached)
        self.devils[holder] += len(self.attached)
        self.taken[holder] += 1
        self.attached = []
        self.turn += 1

    def _is_over(self) -> bool:
        return True

    def round_scores(self) -> list[int]:
        """Return the values of the piles; nobody knows all of them before the end."""
        return self.piles[:]

    def devil_cards(self) -> list[int]:
        """Return how many Devils each seat has, in pile and hand together."""
        hands = (len(_DEVILS_OF[hand]) for hand in self.hands)
        return [pile + hand for pile, hand in zip(self.devils, hands, strict=True)]

    def _ranks(self) -> list[tuple[int, ...]]:
        # Of equal totals the fewest Devil cards win.
        return [
            (total, -cards) for total, cards in zip(self.totals, self.devil_cards(), strict=True)
        ]

    def _text(self, deal: Deal, player: int, action: int) -> str:
        return _TEXTS[action]

    def _parse(self, player: int, text: str) -> int:
        if text not in _ACTIONS:
            raise ActionError('expected "accept" or "pass" and a Devil, such as "pass 3"')
        return _ACTIONS[text]

    def _reason(self, player: int, action: int) -> str:
        if len(self.attached) == self.num_players:
            return "the card has come back to the one who drew it"
        if not self.hands[player]:
            return "no Devil is left in the hand"
        return f"no Devil {action} is in the hand"

    def _log(self, deal: Deal, moves: Iterable[int], player: int, number: int) -> list[str]:
        events = ["hand " + " ".join(map(str, sorted(deal.hands[player])))]
        turn = 0
        attached: list[int] = []

        def see() -> None:
            holder = (turn + len(attached)) % self.num_players
            if holder == player and turn < len(ANGELS):
                card = "-".join(map(str, (deal.angels[turn], *attached)))
                events.append(f"see {card}")

        see()
        for move in moves:
            seat, action = move & SEAT_MASK, move >> SEAT_BITS
            if action:
                attached.append(action)
                events.append(f"{seat} pass {action if seat == player else '?'}")
            else:
                attached = []
                turn += 1
                events.append(f"{seat} accept")
            see()
        return events

    def _spans(self) -> Iterator[tuple[int, int]]:
        """Yield for each turn begun where its passes start and end in `moves`."""
        start = 0
        for at, move in enumerate(self.moves):
            if not move >> SEAT_BITS:
                yield start, at
                start = at + 1
        if self._player >= 0:
            yield start, len(self.moves)

    def _seen(self, player: int, turn: int, passes: int) -> int:
        """Return how many Devils of a turn's card a player knows, the own one included.

        -1 if the player has not held the card, whose Angel is unknown then.
        """
        before = (player - turn) % self.num_players
        if passes < before:
            return -1
        if passes == self.num_players and not before:
            return passes
        return min(passes, before + 1)

    def _turns(self, player: int) -> Iterator[Turn]:
        players = self.num_players
        for turn, (start, end) in enumerate(self._spans()):
            seen = self._seen(player, turn, end - start)
            devils = [move >> SEAT_BITS for move in self.moves[start:end]]
            yield Turn(
                drawer=turn % players,
                angel=None if seen < 0 else self._deal.angels[turn],
                devils=tuple(d if i < seen else None for i, d in enumerate(devils)),
                accepted_by=(turn + end - start) % players if turn < self.turn else None,
            )

    def _resample(self, player: int, rng: Random) -> None:
        angels = list(self._deal.angels)
        hidden_angels = list(range(self.turn + 1, len(ANGELS)))
        hidden_moves: list[int] = []
        known: list[list[int]] = [[] for _ in self.hands]
        for turn, (start, end) in enumerate(self._spans()):
            seen = self._seen(player, turn, end - start)
            if seen < 0:
                hidden_angels.append(turn)
                seen = 0
            for move in self.moves[start : start + seen]:
                known[move & SEAT_MASK].append(move >> SEAT_BITS)
            hidden_moves += range(start + seen, end)
        # Sorted, so that the same numbers make the same world of any that the player could be in.
        values = sorted(angels[turn] for turn in hidden_angels)
        rng.shuffle(values)
        for turn, value in zip(hidden_angels, values, strict=True):
            angels[turn] = value
        self._redeal_devils(player, rng, hidden_moves, known)
        self._deal = Deal(tuple(angels), tuple(map(tuple, known)))
        self._replay()

    def _redeal_devils(
        self, player: int, rng: Random, hidden_moves: list[int], hands: list[list[int]]
    ) -> None:
        """Give the moves that `player` has not seen new Devils, and complete the `hands` dealt."""
        hands[player] = list(self._deal.hands[player])
        unseen = list(DEVILS)
        for hand in hands:
            for devil in hand:
                unseen.remove(devil)
        rng.shuffle(unseen)
        for at in hidden_moves:
            seat = self.moves[at] & SEAT_MASK
            devil = unseen.pop()
            self.moves[at] = devil << SEAT_BITS | seat
            hands[seat].append(devil)
        for hand in hands:
            while len(hand) < HAND_SIZE:
                hand.append(unseen.pop())

    def _replay(self) -> None:
        """Set hands and piles as they are after all moves."""
        moves = self.moves
        self._set_up()
        self.hands = [_hand(hand) for hand in self._deal.hands]
        for move in moves:
            action = move >> SEAT_BITS
            if action:
                self.hands[move & SEAT_MASK] -= _UNIT[action]
                self.attached.append(action)
            else:
                self._accept(move & SEAT_MASK)

    def observation(self, player: int) -> Observation:
        """Return what a player sees and remembers. Raises `ValueError` if there is no such seat."""
        self.check_seat(player)
        hands = [_DEVILS_OF[hand] for hand in self.hands]
        piles = zip(self.devils, self.taken, strict=True)
        return Observation(
            seat=player,
            current_player=self._player,
            hand=hands[player],
            hand_sizes=tuple(map(len, hands)),
            pile_sizes=tuple(devils + taken for devils, taken in piles),
            angels_left=len(ANGELS) - self.turn - (self._player >= 0),
            turns=tuple(self._turns(player)),
            total=self.piles[player],
            scores=tuple(self.totals) if self.is_terminal() else None,
        )
