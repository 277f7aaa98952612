"""One game between two engines: plain data in, plain data out, `Board` as the referee."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from abdiel.board import find_variant
from abdiel.errors import MoveError
from abdiel.match import pool
from abdiel.match.adjudication import Adjudicator, Rules
from abdiel.match.client import STARTPOS, EngineFailure, printable
from abdiel.match.clock import Clock, go_command
from abdiel.match.openings import Opening

if TYPE_CHECKING:
    from abdiel.board import Board
    from abdiel.match.client import Client
    from abdiel.match.engines import EngineConfig

WIN = ("1-0", "0-1")  # of White, of Black
DRAW = "1/2-1/2"
SIDES = ("White", "Black")

# How games end, besides the kinds of `EngineFailure`.
TIME = "time forfeit"
ILLEGAL = "illegal move"
DRAW_ADJUDICATION = "draw adjudication"
RESIGN_ADJUDICATION = "resign adjudication"
MAX_LENGTH = "maximal length"
FORFEITS = frozenset((TIME, ILLEGAL, EngineFailure.CRASH, EngineFailure.EXIT, EngineFailure.STALL))

# python-chess's terminations in the words of a match, and why nobody has won.
_ENDINGS = {
    "CHECKMATE": ("checkmate", ""),
    "STALEMATE": ("stalemate", "Draw by stalemate"),
    "INSUFFICIENT_MATERIAL": ("insufficient material", "Draw by insufficient mating material"),
    "FIFTY_MOVES": ("fifty moves", "Draw by fifty moves rule"),
    "THREEFOLD_REPETITION": ("threefold repetition", "Draw by 3-fold repetition"),
}

MATE_SCORE = 32_000


class GameJob(NamedTuple):
    """A game to be played. `number` counts the games of a match from 0."""

    number: int
    round: int
    variant: str
    opening: Opening
    white: EngineConfig
    black: EngineConfig
    rules: Rules = Rules()


class MoveRecord(NamedTuple):
    """A move as its engine gave it: the score from its own view, in centipawns or moves to mate."""

    uci: str
    ms: float = 0.0
    depth: int | None = None
    score: int | None = None
    mate: int | None = None
    nodes: int | None = None

    def centipawns(self) -> int | None:
        """Return the score as one number, a mate as 32,000 less the moves to it."""
        if self.mate is not None:
            return MATE_SCORE - self.mate if self.mate > 0 else -MATE_SCORE - self.mate
        return self.score


class GameRecord(NamedTuple):
    """A game that was played.

    - `fen`: the position from which it starts; `book`: how many of `moves` are the opening's.
    - `result`: "1-0", "0-1" or "1/2-1/2"; `termination`: a word for how it came about, `reason`
      the same as a sentence.
    - `controls`: White's and Black's time control.
    - of a game that an engine forfeited: `line`, what it sent at last (of a crash, to stderr),
      `last_fen`, the position before it, `dialogue`, the last lines to and from it.
    - `started`: date and time in UTC; `seconds`: how long it took; `own_ms`: what of this neither
      engine used.
    """

    number: int
    round: int
    variant: str
    white: str
    black: str
    opening: str
    fen: str
    book: int
    moves: tuple[MoveRecord, ...]
    result: str
    termination: str
    reason: str
    controls: tuple[str, str] = ("?", "?")
    line: str = ""
    last_fen: str = ""
    dialogue: tuple[str, ...] = ()
    started: str = ""
    seconds: float = 0.0
    own_ms: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON knows it; a move as a list without its empty end."""
        data = self._asdict()
        data["moves"] = [_move_to_json(move) for move in self.moves]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> GameRecord:
        """Return the record that `to_json` wrote. Raises `ValueError` or `TypeError`."""
        fields = dict(data)
        fields["moves"] = tuple(MoveRecord(*move) for move in data["moves"])
        white, black = data["controls"]
        fields["controls"] = (white, black)
        fields["dialogue"] = tuple(data["dialogue"])
        return cls(**fields)


def _move_to_json(move: MoveRecord) -> list[Any]:
    fields = list(move)
    while fields[-1] is None:
        fields.pop()
    return fields


class _End(Exception):
    """The game is over."""

    def __init__(self, result: str, termination: str, reason: str, line: str = "") -> None:
        super().__init__(reason)
        self.result = result
        self.termination = termination
        self.reason = reason
        self.line = line


class _Side:
    """One side of a game in progress."""

    def __init__(self, config: EngineConfig, client: Client) -> None:
        self.client = client
        self.clock = Clock(config.control)


def probe(config: EngineConfig, variant: str) -> str:
    """Return how an engine names itself, and keep it for its first game.

    Raises `StartError` if it cannot play the variant as it is configured.
    """
    pool.begin()
    client = pool.start(config, variant)
    pool.give_back(client)
    return client.name


def play_game(job: GameJob) -> GameRecord:
    """Play a game with engines of this process, and keep them for the next.

    Raises `StartError` if an engine cannot be started: then nothing has been played.
    """
    board = find_variant(job.variant)(job.opening.fen or None)
    fen = board.fen()
    moves = [MoveRecord(uci) for uci in job.opening.moves]
    for move in moves:
        board.push_uci(move.uci)
    book = len(moves)
    pool.begin()
    white = pool.take(job.white, job.variant)
    clients = [white]
    failed: Client | None = None
    try:
        clients.append(pool.take(job.black, job.variant))
        started = datetime.now(UTC).isoformat(timespec="seconds")
        begin = time.perf_counter()
        sides = (_Side(job.white, white), _Side(job.black, clients[1]))
        try:
            _play(board, moves, sides, Adjudicator(job.rules))
        except _End as end:
            seconds = time.perf_counter() - begin
            mover = 0 if board.turn else 1
            forfeited = end.termination in FORFEITS
            if forfeited:
                failed = clients[mover]
            return GameRecord(
                number=job.number,
                round=job.round,
                variant=job.variant,
                white=job.white.name,
                black=job.black.name,
                opening=job.opening.name,
                fen=fen,
                book=book,
                moves=tuple(moves),
                result=end.result,
                termination=end.termination,
                reason=end.reason,
                controls=(str(job.white.control), str(job.black.control)),
                line=printable(end.line),
                last_fen=board.fen() if forfeited else "",
                dialogue=tuple(map(printable, failed.dialogue)) if failed else (),
                started=started,
                seconds=round(seconds, 3),
                own_ms=round(1000 * seconds - sum(move.ms for move in moves), 3),
            )
        raise AssertionError("a game goes on until it ends")
    except BaseException:
        # Interrupted in the middle: nobody knows in which state the engines are.
        while clients:
            pool.drop(clients.pop())
        raise
    finally:
        for client in clients:
            if client is failed:
                pool.drop(client)
            else:
                pool.give_back(client)


def _play(
    board: Board,
    moves: list[MoveRecord],
    sides: tuple[_Side, _Side],
    adjudicator: Adjudicator,
) -> None:
    """Play on until `_End`."""
    start = board.root().fen()
    position = STARTPOS if start == board.starting_fen else f"position fen {start}"
    if moves:
        position += " moves " + " ".join(move.uci for move in moves)
    _check_end(board)
    while True:
        mover = 0 if board.turn else 1
        move, line = _ask(board, mover, sides, position)
        try:
            board.push(board.parse_uci(move.uci))
        except MoveError as error:
            raise _End(
                WIN[1 - mover],
                ILLEGAL,
                f"{SIDES[mover]} makes an illegal move: {error}",
                line,
            ) from None
        position += f" {move.uci}" if moves else f" moves {move.uci}"
        moves.append(move)
        adjudicator.add(mover, move.centipawns())
        _check_end(board)
        _adjudicate(adjudicator, len(moves))


def _ask(
    board: Board, mover: int, sides: tuple[_Side, _Side], position: str
) -> tuple[MoveRecord, str]:
    """Return the move of the side to move, unchecked, and the line with it."""
    side = sides[mover]
    go = go_command(sides[0].clock, sides[1].clock, board.turn)
    try:
        answer = side.client.think(position, go, side.clock.allowed_ms())
    except EngineFailure as failure:
        verb = "'s connection stalls" if failure.kind == EngineFailure.STALL else " disconnects"
        raise _End(
            WIN[1 - mover], failure.kind, f"{SIDES[mover]}{verb}: {failure}", failure.line
        ) from None
    left_ms = side.clock.left_ms
    if not side.clock.spend(answer.elapsed_ms) or answer.late:
        allowed = "" if side.clock.control.movetime_ms else f", had {left_ms / 1000:.3f} s"
        raise _End(
            WIN[1 - mover],
            TIME,
            f"{SIDES[mover]} loses on time: took {answer.elapsed_ms / 1000:.3f} s{allowed}",
            answer.line,
        )
    words = answer.line.split()
    uci = words[1] if len(words) > 1 else ""
    return read_info(uci, answer.elapsed_ms, answer.info), answer.line


def read_info(uci: str, ms: float, info: str) -> MoveRecord:
    """Return the record of a move and of the `info` line that goes with it.

    What the line does not tell, or not as UCI has it, is None.
    """
    words = info.split()
    found: dict[str, int | None] = {}
    for key, keyword in _KEYWORDS:
        if keyword in words:
            at = words.index(keyword)
            text = words[at + 1] if at + 1 < len(words) else ""
            try:
                # A number of more digits than Python reads is none either.
                found[key] = int(text) if len(text) < 20 else None
            except ValueError:
                found[key] = None
    return MoveRecord(
        uci,
        round(ms, 3),
        found.get("depth"),
        found.get("score"),
        found.get("mate"),
        found.get("nodes"),
    )


_KEYWORDS = (("depth", "depth"), ("score", "cp"), ("mate", "mate"), ("nodes", "nodes"))


def _check_end(board: Board) -> None:
    """Raise `_End` if the game has ended by its rules."""
    outcome = board.outcome()
    if outcome is None:
        return
    termination, reason = _ENDINGS[outcome.termination.name]
    if outcome.winner is None:
        raise _End(DRAW, termination, reason)
    winner = 0 if outcome.winner else 1
    raise _End(WIN[winner], termination, f"{SIDES[winner]} mates")


def _adjudicate(adjudicator: Adjudicator, plies: int) -> None:
    """Raise `_End` if the game is to be broken off."""
    loser = adjudicator.loser()
    if loser is not None:
        said = "both scores say so"
        if adjudicator.rules.resign is not None and not adjudicator.rules.resign.twosided:
            said = f"{SIDES[loser]}'s score says so"
        reason = f"{SIDES[1 - loser]} wins by adjudication: {said}"
        raise _End(WIN[1 - loser], RESIGN_ADJUDICATION, reason)
    if adjudicator.is_draw(plies):
        raise _End(DRAW, DRAW_ADJUDICATION, "Draw by adjudication: both scores say so")
    if adjudicator.is_too_long(plies):
        moves = adjudicator.rules.maxmoves
        raise _End(DRAW, MAX_LENGTH, f"Draw by adjudication: {moves} moves are played")
