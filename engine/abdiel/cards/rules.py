"""The rules of the games in our own words; what the games' descriptions leave open is marked."""

from __future__ import annotations

_AUF_TEUFEL = """\
AUF TEUFEL KOMM RAUS, for 2 to 6 players

There are 30 Angels, worth 1 to 10, three of each, and 20 Devils, which take
away 1 to 5, four of each. The Angels are shuffled and lie face down. Everyone
gets three Devils; the others are put aside unseen.

A turn. You draw the top Angel and look at it alone. Whoever holds the card has
the choice:
  accept   take it, and all Devils on it, into the own pile;
  pass 3   put one Devil of your hand on it and hand it to the next player.
Without a Devil you must accept. Everyone passes a card once at most: when it
comes back to the player who drew it, that player must accept it.

The holder sees the Angel and all Devils on it, the others only how many Devils
there are (ruling). Devils lie in the order in which they came, so the holder
knows who added which (ruling). Accepted cards lie face down; you remember what
has been in your hands (ruling).

Seat 0 draws first. The next turn is that of the player after the one who drew,
whoever accepted the card (ruling). So with four players seats 0 and 1 draw one
Angel more than the others.

The end. The game is over when the last Angel has been accepted. Each Angel
counts its value less that of its Devils, below zero too. Devils left in the
hand cost nothing. The highest total wins. Of equals the one with the fewest
Devil cards, in pile and hand together, wins (ruling); still equal, they share
the win. How many cards hands and piles have is open to all, the totals are not
before the end (ruling).
"""

_WORK_OF_ANGELS = """\
THE WORK OF ANGELS, for 2 to 4 players

A deck of 52 cards. The Jacks are taken out; everyone gets one face down, whose
suit is that player's secret assignment. Jacks that are left over stay unseen.
Of the other 48 cards everyone gets six, three lie face up on the table, and
the rest is the deck.

A turn has three parts.
  1. Draw cards one at a time, from the deck or any face-up card, until you
     hold seven or nothing is left to draw. You must draw, and sets wait.
       draw deck / draw 3C
  2. Lay down sets, as many as you like or none. Sets lie in front of you.
       set 7H 7S 7D      three or four cards of one number
       set 3H 4H 5H 6H 7H    exactly five cards of one suit in a row
       add 7C            the fourth card to your three, in the same turn too
                         (ruling); nobody adds to another's sets
  3. If you still hold seven, discard one face up, a card just drawn from the
     table if you like; this closes the turn. With six or fewer you discard
     nothing and close it by "end". An empty hand does not end the round.
       discard 9H / end

The Ace is low. Jacks being out, 10 and Queen are neighbours in a run (ruling);
with the option gap=open they are not. Runs have five cards, no more, and are
never changed.

A round ends with the turn in which the last card of deck and table is drawn;
nothing is discarded in that turn. It also ends when twice as many turns as
there are players have passed in a row in which nobody drew from the deck, laid
a set or added to one, whoever began (ruling).

Score. In your sets Ace to 10 count 10, Queen and King 20, and cards of your
Jack's suit double. Each card left in your hand costs 10 or 20, never doubled.
Jacks are shown at a round's end, the left over ones are not, and are dealt
anew for the next (ruling).

The end. When somebody has 500 or more (option target) at a round's end, the
highest total wins; equal at the top, another round is played (ruling). After
20 rounds (option rounds) the highest total wins in any case, and equals share
the win (ruling). Seat 0 deals the first round, then the next seat; the seat
after the dealer begins (ruling).

Cards are written rank and suit: A 2 to 9 T Q K, then C D H S.
"""

_NAKAYOSHI = """\
NAKAYOSHI FRIENDS ~RENEWAL~, for 3 to 5 players

The suits are Bear, Dog, Rabbit, Hamster and Cat, as many of them as there are
players, each from 1 to 12. The values 3, 6, 9 and 12 are Nakayoshi cards. Two
number cards are removed at random, unseen, and Tenshi and Akuma join the deck;
with the option specials=false neither is done. Everyone gets 12 cards. There
are as many rounds as players.

Giving. Everyone chooses three cards for the left neighbour, the next seat, all
at once: you see what you get when all have chosen.
    give B3 D12 T

Tricks. Seat 0 leads the first trick of round 1, seat 1 that of round 2, and so
on (ruling); then whoever won the last trick leads. You may lead any card. The
others follow the suit led if they can, and else play anything, Tenshi and
Akuma too. When Tenshi or Akuma is led nobody has to follow, and all number
cards in the trick count as of another suit (ruling).
    play B4
Whoever plays a Nakayoshi card may add one extra card: a number card of another
suit and of a smaller value. It may be a Nakayoshi card, which brings no further
extra, and it may be your last card.
    play B9+D3

The highest card of the suit led wins, the lowest if Akuma is in the trick;
extras do not compete. If Tenshi or Akuma was led the leader wins. Then the
cards of the suit led are discarded, and the number cards of other suits go
face down on the winner's penalty pile; with Tenshi in the trick they are
discarded too. The winner keeps Tenshi and Akuma.

With five players, when all five main cards were of one suit, everyone who still
has cards discards one, face up, Tenshi or Akuma too, which then count nothing:
the winner of the trick first, then clockwise (ruling). Who has no card is
passed over.
    drop C4

A round ends after a trick, and such a discard, once anybody has no cards.

Score. The values on your penalty pile and in your hand count against you;
Tenshi and Akuma in your hand cost 20 each; Akuma taken costs 40. Tenshi taken
brings 40, but never more than 0 for the round. After the last round the highest
total wins, and equals share the win (ruling).

Cards are written suit and value, B D R H C for the suits; T Tenshi, A Akuma.
"""

RULES = {
    "auf-teufel": _AUF_TEUFEL,
    "work-of-angels": _WORK_OF_ANGELS,
    "nakayoshi": _NAKAYOSHI,
}
