"""Mines tactical positions from games, proves them, and proves a finished suite again.

    python tests/make_tactics.py mine games.pgn pool.epd --seed 1 --count 16
    python tests/make_tactics.py select pool.epd tests/data/tactics.epd --count 14
    python tests/make_tactics.py prove tests/data/tactics.epd --nodes 6000000

Candidates are positions of the games; for some themes their mirror images too, with a Devil, an
Angel or a Pawn moved to where it may be of use. A quick search with two lines says
whether one move stands out, and slower ones whether it is true: see `prove_mate` and `prove_win`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from tactics import (
    LONGEST,
    MARGIN,
    NOT_WINNING,
    THEMES,
    WINNING,
    Tactic,
    ask,
    features,
    is_solved,
    mates_within,
    plain_mates_within,
    read_suite,
    value,
)

from abdiel import ANGEL, BLACK, DEVIL, KNIGHT, PAWN, QUEEN, SQUARES, WHITE, Board, Move, Piece
from abdiel.engine import Engine, Info, Limits
from abdiel.notation import pgn
from abdiel.squares import square_file, square_rank

GLANCE = 2_000  # nodes that should not suffice
QUICK = 10_000  # nodes for the first look at a candidate
HOPELESS = 600  # centipawns of advantage with which several moves win, or none does
DEEP = 6_000_000  # nodes of the proof of a win, spent on the key and on the other moves each
FIND = 1_000_000  # nodes in which even today's engine must find it
FEWEST_PIECES = 11
PLACINGS = 8  # tries to place a piece well
ALIKE = 2  # records of a theme with one and the same key
EASY = "easy"  # marks in a pool what was seen at a glance
FEW_MOVES = 40  # with fewer a mate in two is found by anybody
MATE_NODES = 6_000_000
LINE = 9  # half-moves of a winning line that are kept


# How many are still to be found of each theme, side to move, and with a mate or without.
Wanted: TypeAlias = Counter[tuple[str, bool, bool]]


class Rejected(Exception):
    """The candidate is not what it looked like."""


class Engines:
    """One for many short searches, whose table is emptied quickly, and one for long ones."""

    def __init__(self, look: int = QUICK) -> None:
        self.look = look
        self.quick = Engine(2)
        self.quick.configure(multipv=2)
        self.single = Engine(2)
        self.deep = Engine(64)
        self.deep.configure(multipv=2)
        self.prover = Engine(64)


# Candidates


def game_positions(
    path: Path, rng: random.Random, share: float, last: int
) -> Iterator[tuple[int, Board]]:
    """The number of the game and a position, in random order.

    A share of the positions is taken, of a game's `last` half-moves only unless that is 0.
    """
    found: list[tuple[int, str]] = []
    with path.open(encoding="utf-8") as file:
        for number, game in enumerate(pgn.read_games(file), 1):
            board = game.board()
            moves = list(game.mainline_moves())
            for left, move in enumerate(moves, 1 - len(moves)):
                board.push(move)
                taken = (not last or left > -last) and rng.random() < share
                if taken and not board.is_game_over():
                    found.append((number, board.epd()))
    rng.shuffle(found)
    for number, epd in found:
        yield number, Board(f"{epd} 0 1")


def with_pawn(board: Board, rng: random.Random) -> Board | None:
    """Move a Pawn of the side to move to one step before promotion; None if that is of no use.

    It is of use if the special piece that it may become checks where a Queen would not.
    """
    rank = 6 if board.turn == WHITE else 1
    special = ANGEL if board.turn == WHITE else DEVIL
    pawns = list(board.pieces(PAWN, board.turn))
    if not pawns:
        return None
    changed = board.copy(stack=False)
    changed.ep_square = None
    square = rng.choice([square for square in SQUARES if square_rank(square) == rank])
    old = changed.piece_at(square)
    if old is not None and (old.color == board.turn or old.piece_type != PAWN):
        return None
    changed.remove_piece_at(rng.choice(pawns))
    changed.set_piece_at(square, Piece(PAWN, board.turn))
    if not changed.is_valid():
        return None
    for move in changed.legal_moves:
        if move.from_square == square and move.promotion == special:
            queen = Move(square, move.to_square, QUEEN)
            if changed.gives_check(move) and not changed.gives_check(queen):
                return Board(changed.fen())
    return None


def with_special(board: Board, rng: random.Random, *, friend: bool) -> Board | None:
    """Put a special piece of the side to move where it may remove several; None if that fails.

    With `friend` a Devil may land on an own piece, put there too, next to an enemy.
    """
    devils, angels = board.pieces(DEVIL, board.turn), board.pieces(ANGEL, board.turn)
    specials = list(devils) if friend else list(devils) + list(angels)
    if not specials:
        return None
    old = rng.choice(specials)
    empty = [square for square in SQUARES if board.piece_at(square) is None]
    new = rng.choice(empty)
    changed = board.copy(stack=False)
    changed.set_piece_at(new, changed.remove_piece_at(old))
    if friend:
        reached = [at for at in empty if _leaps(new, at)]
        lent = [*board.pieces(KNIGHT, board.turn), *board.pieces(PAWN, board.turn)]
        if not reached or not lent:
            return None
        landing = rng.choice(reached)
        if square_rank(landing) in (0, 7):
            return None
        changed.set_piece_at(landing, changed.remove_piece_at(rng.choice(lent)))
    changed.ep_square = None
    if not changed.is_valid() or changed.is_game_over():
        return None
    changed = Board(changed.fen())
    wanted = {"friend", "burn"} if friend else {"multi"}
    shots = (move for move in changed.legal_moves if move.from_square == new)
    return changed if any(wanted <= features(changed, move) for move in shots) else None


def _leaps(one: int, other: int) -> bool:
    """Whether a Devil gets from one square to the other: two squares along a rank or file."""
    files = abs(square_file(one) - square_file(other))
    return {files, abs(square_rank(one) - square_rank(other))} == {0, 2}


# Proofs


def prove_mate(engines: Engines, board: Board, key: Move, moves: int) -> dict[str, Any]:
    """One move mates in so many, no other does, and none is faster. Raises Rejected.

    Nothing is pruned in the searches behind this; up to three moves a second solver without table
    and ordering has to agree.
    """
    others = tuple(move for move in board.legal_moves if move != key)
    try:
        if mates_within(engines.prover, board, moves, (key,), MATE_NODES) != moves:
            raise Rejected("another length")
        size = engines.prover.nodes
        if mates_within(engines.prover, board, moves, others, MATE_NODES) is not None:
            raise Rejected("another move mates as well")
        size += engines.prover.nodes
    except RuntimeError as error:
        raise Rejected(str(error)) from None
    twice = moves <= 2 or (moves == 3 and len(others) <= 30)
    if twice and (
        not plain_mates_within(board, moves, (key,))
        or plain_mates_within(board, moves - 1, (key,))
        or plain_mates_within(board, moves, others)
    ):
        raise SystemExit(f"the two solvers disagree about {board.fen()}")
    return {
        "dm": moves,
        "acn": size,
        "proof": "exhaustive, by two solvers" if twice else "exhaustive",
        "pv": mate_line(engines.prover, board, key, moves),
    }


def mate_line(engine: Engine, board: Board, key: Move, moves: int) -> list[Move]:
    """A line to the mate in which the defence holds out as long as it can."""
    line = [key]
    after = board.copy(stack=False)
    after.push(key)
    while moves > 1:
        moves -= 1
        for reply in after.legal_moves:
            after.push(reply)
            if moves == 1 or mates_within(engine, after, moves - 1) is None:
                break
            after.pop()
        answer = ask(engine, after, Limits(mate=moves))[0].pv[0]
        line += [after.peek(), answer]
        after.push(answer)
    if not after.is_checkmate():
        raise Rejected("the line does not mate")
    return line


def stands_out(best: Info, rival: Info, *, slack: int = 0) -> bool:
    """Whether the first wins, the second does not, and there is the margin between them."""
    return (
        value(best) >= WINNING - slack
        and value(rival) <= NOT_WINNING + slack
        and value(best) - value(rival) >= MARGIN - slack
    )


def prove_win(engines: Engines, board: Board, key: Move, nodes: int = DEEP) -> dict[str, Any]:
    """Only the key wins, and by a wide margin. Raises Rejected.

    It stands out in searches of a twentieth and of half the nodes with two lines, and where key
    and other moves are searched apart with all the nodes each.
    """
    for share in (20, 2):
        reports = ask(engines.deep, board, Limits(nodes=nodes // share))
        if len(reports) < 2 or reports[0].pv[0] != key or not stands_out(reports[0], reports[1]):
            raise Rejected(f"not at {nodes // share} nodes")
    others = tuple(move for move in board.legal_moves if move != key)
    best, rival = (
        ask(engines.prover, board, Limits(nodes=nodes, searchmoves=first))[0]
        for first in ((key,), others)
    )
    if not stands_out(best, rival):
        raise Rejected(f"not at {nodes} nodes")
    return {
        "ce": value(best),
        "rival": value(rival),
        "acd": min(best.depth, rival.depth),
        "acn": nodes,
        "proof": f"next best {board.san(rival.pv[0])}; also at 1/20 and 1/2 of the nodes",
        "pv": list(best.pv[:LINE]),
    }


# Mining


def look(engines: Engines, board: Board, wanted: Wanted) -> tuple[Move, int | None, bool]:
    """The move that seems to stand out, the length of its mate, whether it was seen at a glance.

    Raises Rejected, as early as it can.
    """
    glance = ask(engines.single, board, Limits(nodes=GLANCE))[0]
    mates_wanted = any(number > 0 for (_, _, mates), number in wanted.items() if mates)
    if abs(value(glance)) > HOPELESS and not mates_wanted:
        raise Rejected("decided already")
    best = ask(engines.single, board, Limits(nodes=engines.look))[0]
    if best.mate is not None and 1 < best.mate <= LONGEST:
        easy = glance.pv[0] == best.pv[0] and glance.mate == best.mate
        return best.pv[0], best.mate, easy
    if best.mate is not None or value(best) < WINNING - MARGIN // 4:
        raise Rejected("nothing stands out")
    best, *others = ask(engines.quick, board, Limits(nodes=2 * engines.look))
    if best.mate or not others or not stands_out(best, others[0], slack=MARGIN // 4):
        raise Rejected("nothing stands out")
    return best.pv[0], None, glance.pv[0] == best.pv[0]


def examine(engines: Engines, board: Board, wanted: Wanted) -> str | None:
    """The record of a position that some theme wants, or None if it wants it no more."""
    key, mate, easy = look(engines, board, wanted)
    true = features(board, key)
    fitting = [
        theme
        for theme in ("angel", "devil", "friend", "multi", "quiet", "mate")
        if theme in true or (theme == "mate" and mate)
    ]
    # A promotion or a friend's capture is rare enough to be welcome when it is easy.
    easy_mate = mate == 2 and board.legal_moves.count() < FEW_MOVES
    if (easy or easy_mate) and not {"angel", "devil", "friend"} & set(fitting):
        raise Rejected("too easy")
    fitting = [theme for theme in fitting if wanted[theme, board.turn, mate is not None] > 0]
    if not fitting:
        return None
    proven = prove_mate(engines, board, key, mate) if mate else prove_win(engines, board, key)
    if not is_solved(engines.single, Tactic("", board, key, mate), FIND):
        raise Rejected("too hard")
    wanted[fitting[0], board.turn, mate is not None] -= 1
    words = sorted(true | ({"mate"} if mate else set())) + ([EASY] if easy else [])
    return record(board, key, fitting[0], words, proven)


def record(board: Board, key: Move, name: str, words: list[str], proven: dict[str, Any]) -> str:
    line = proven.pop("pv")
    return board.epd(bm=[key], pv=line, id=name, theme=" ".join(words), **proven)


def quotas(count: int, themes: Sequence[str] = THEMES) -> Wanted:
    """How many of each theme, side to move and with mate or without; Pawns promote as they can."""
    wanted: Wanted = Counter()
    for theme in themes:
        for turn in (WHITE, BLACK):
            if (theme, turn) in (("angel", BLACK), ("devil", WHITE)):
                continue
            share = count if theme in ("angel", "devil") else (count + 1) // 2
            # More than needed, since the one kind or the other is rare.
            wanted[theme, turn, True] = share if theme == "mate" else 3 * share // 4
            wanted[theme, turn, False] = 0 if theme == "mate" else 3 * share // 4
    return wanted


def mine(
    positions: Iterable[tuple[int, Board]],
    pool: Path,
    wanted: Wanted,
    rng: random.Random,
    engines: Engines,
) -> None:
    """Append the records that are wanted to a pool; at most two from a game."""
    if pool.exists():
        wanted -= Counter(
            (tactic.theme, tactic.board.turn, tactic.mate is not None)
            for tactic in read_suite(pool)
        )
    from_game: Counter[int] = Counter()
    refused: Counter[str] = Counter()
    tried = 0
    with pool.open("a", encoding="utf-8") as file:
        for game, board in positions:
            for candidate in candidates(board, wanted, rng):
                if from_game[game] >= 2 or candidate.legal_moves.count() < 5:
                    continue
                if len(candidate.piece_map()) < FEWEST_PIECES:
                    continue
                tried += 1
                try:
                    found = examine(engines, candidate, wanted)
                except Rejected as error:
                    refused[str(error)] += 1
                    continue
                if found:
                    from_game[game] += 1
                    file.write(found + "\n")
                    file.flush()
                    print(tried, sum(wanted.values()), found, file=sys.stderr)
                    break  # not its mirror image as well
            if not +wanted:
                break
    print(tried, "tried;", dict(refused), "still wanted:", dict(+wanted), file=sys.stderr)


def candidates(board: Board, wanted: Wanted, rng: random.Random) -> Iterator[Board]:
    """The position, and what can be made of it or of its mirror image for the other themes."""
    open_themes = {(theme, turn) for (theme, turn, _), number in wanted.items() if number > 0}
    turned = board.mirror()
    if any((theme, board.turn) in open_themes for theme in ("mate", "multi", "quiet", "friend")):
        yield board
    for theme in ("friend", "multi"):
        for source in (board, turned):
            if (theme, source.turn) in open_themes:
                placed = (
                    with_special(source, rng, friend=theme == "friend") for _ in range(PLACINGS)
                )
                yield from islice(filter(None, placed), 1)
    if ("angel" if board.turn == WHITE else "devil", board.turn) in open_themes:
        yield from islice(filter(None, (with_pawn(board, rng) for _ in range(PLACINGS))), 1)


# Selection and new proofs


def select(pool: Path, suite: Path, count: int) -> None:
    """Take so many of each theme, the colours in turn, hard ones first, few with the same key."""
    lines = pool.read_text(encoding="utf-8").splitlines()
    records = list(zip(read_suite(pool), lines, strict=True))
    records.sort(key=lambda pair: EASY in pair[0].themes)
    chosen = []
    for theme in THEMES:
        sides: list[list[str]] = [[], []]
        alike: Counter[Move] = Counter()
        ends: set[tuple[Move, Move]] = set()
        for tactic, line in records:
            end = (tactic.key, tactic.line[-1])
            if tactic.theme == theme and end not in ends and alike[tactic.key] < ALIKE:
                ends.add(end)
                alike[tactic.key] += 1
                sides[tactic.board.turn].append(line)
        taken: list[str] = []
        while any(sides) and len(taken) < count:
            sides.reverse()
            if sides[0]:
                taken.append(sides[0].pop(0))
        chosen += [
            line.replace(f'id "{theme}"', f'id "{theme}.{number:02}"').replace(f' {EASY}"', '"')
            for number, line in enumerate(taken, 1)
        ]
    suite.write_text("".join(f"{line}\n" for line in chosen), encoding="utf-8")


def prove(suite: Path, nodes: int) -> int:
    """Prove every record again with the engine as it is; returns how many fail."""
    engines = Engines()
    failures = 0
    for tactic in read_suite(suite):
        try:
            if tactic.mate:
                prove_mate(engines, tactic.board, tactic.key, tactic.mate)
            else:
                prove_win(engines, tactic.board, tactic.key, nodes)
        except Rejected as error:
            failures += 1
            print(f"{tactic.name}: {error}: {tactic.board.epd()}")
    print(f"{failures} not proven")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    mining = commands.add_parser("mine", help="append what a pool lacks, proven")
    mining.add_argument("games", type=Path, help="PGN of Angels and Devils")
    mining.add_argument("pool", type=Path)
    mining.add_argument("--seed", type=int, default=1)
    mining.add_argument("--count", type=int, default=16, help="positions of each theme")
    mining.add_argument("--themes", nargs="+", choices=THEMES, default=THEMES)
    mining.add_argument("--share", type=float, default=1.0, help="of the games' positions")
    mining.add_argument("--last", type=int, default=0, help="half-moves of each game only")
    mining.add_argument(
        "--look", type=int, default=QUICK, help="nodes of the first look; more finds harder ones"
    )
    selection = commands.add_parser("select", help="write a balanced suite from a pool")
    selection.add_argument("pool", type=Path)
    selection.add_argument("suite", type=Path)
    selection.add_argument("--count", type=int, default=14, help="positions of each theme")
    proof = commands.add_parser("prove", help="prove a suite again")
    proof.add_argument("suite", type=Path)
    proof.add_argument("--nodes", type=int, default=DEEP)
    given = parser.parse_args()
    if given.command == "mine":
        wanted = quotas(given.count, given.themes)
        rng = random.Random(given.seed)
        positions = game_positions(given.games, rng, given.share, given.last)
        mine(positions, given.pool, wanted, rng, Engines(given.look))
    elif given.command == "select":
        select(given.pool, given.suite, given.count)
    else:
        return min(prove(given.suite, given.nodes), 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
