"""`Board`: a game in progress, with python-chess's names and habits.

Where this differs from python-chess, it is because the rules or the compiled core ask for it:
`push` takes only legal moves, and the draws by repetition and fifty moves need no claim.
"""

from __future__ import annotations

from abdiel.baseboard import BaseBoard
from abdiel.core.position import (
    BLACK_PIECE,
    FILES,
    KING,
    PAWN,
    SQUARES,
    Position,
    move_from,
    move_promotion,
    move_to,
)
from abdiel.draft import NO_SQUARE, Draft
from abdiel.errors import MoveError
from abdiel.legality import why_illegal
from abdiel.moves import NULL_UCI, Move, check_move
from abdiel.pieces import BLACK, WHITE
from abdiel.squares import SQUARE_NAMES, SquareSet, square_mirror
from abdiel.variants import ANGELS_AND_DEVILS, VARIANTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    import chess

    from abdiel.baseboard import EnPassantSpec
    from abdiel.notation.epd import Operand
    from abdiel.pieces import Color, PieceType
    from abdiel.squares import Square


_ALL = ~0  # a set of squares as bits, with all of them


class LegalMoves:
    """The legal moves of a board as they are now: iterates, counts and tests membership."""

    __slots__ = ("_board",)

    def __init__(self, board: Board) -> None:
        self._board = board

    def __iter__(self) -> Iterator[Move]:
        return map(self._board._from_core, self._board._position.legal_moves())

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self._board._find(move) != 0

    def __reduce__(self) -> tuple[object, ...]:
        return LegalMoves, (self._board,)

    def count(self) -> int:
        """Return how many there are, without making them."""
        return self._board._position.count_legal()

    __len__ = count

    def __bool__(self) -> bool:
        return self.count() != 0

    def __repr__(self) -> str:
        moves = ", ".join(self._board.san(move) for move in self)
        return f"<LegalMoves ({moves})>"


class Board(BaseBoard, variant=ANGELS_AND_DEVILS, aliases=["Angels and Devils", "Angels & Devils"]):
    """A position of Angels and Devils and the moves that led to it.

    `Board()` is the start position and `Board(fen)` any other; the siblings for the other games
    are found with `find_variant`. Raises `FenError` for a FEN that is none or cannot be played.

    `chess.engine` can drive these boards. It reads an engine's lines of moves (`pv`) only up to
    the first move that touches the files i or j, which it does not know.
    """

    # EPD.

    def epd(self, *, en_passant: EnPassantSpec = "legal", **operations: Operand) -> str:
        """Return the position as EPD: FEN's first four fields, then `operations`.

        An operand is None, text, a number or a move, for `bm` and `am` several moves, for `pv`
        a variation. Raises `EpdError` for what EPD cannot hold.
        """
        fields = self._epd_fields(self._fields(), en_passant)
        if not operations:
            return fields
        from abdiel.notation.epd import format_operations

        return f"{fields} {format_operations(self, operations)}"

    def set_epd(self, epd: str) -> dict[str, Operand]:
        """Set up an EPD line and return its operations; `hmvc` and `fmvn` set the counters.

        Raises `EpdError` and leaves the board as it was.
        """
        from abdiel.notation.epd import parse_epd

        board, operations = parse_epd(type(self), epd)
        self._adopt(Draft.of(board._position), self._core)
        return operations

    @classmethod
    def from_epd(cls, epd: str) -> tuple[Self, dict[str, Operand]]:
        """Return the board and the operations of an EPD line. Raises `EpdError`."""
        from abdiel.notation.epd import parse_epd

        return parse_epd(cls, epd)

    # Moves.

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves: `for move in board.legal_moves`, `move in board.legal_moves`, ..."""
        return LegalMoves(self)

    def generate_legal_moves(
        self, from_mask: SquareSet | int = _ALL, to_mask: SquareSet | int = _ALL
    ) -> Iterator[Move]:
        """Yield the legal moves that go from squares of one set to squares of another."""
        return self._generate(self._position.legal_moves(), int(from_mask), int(to_mask))

    def generate_legal_captures(
        self, from_mask: SquareSet | int = _ALL, to_mask: SquareSet | int = _ALL
    ) -> Iterator[Move]:
        """Yield those of the legal moves that take anything off, as `is_capture` tells."""
        position = self._position
        captures = [core for core in position.removals() if position.removed(core)]
        return self._generate(captures, int(from_mask), int(to_mask))

    def _generate(self, moves: list[int], from_mask: int, to_mask: int) -> Iterator[Move]:
        for core in moves:
            if from_mask >> move_from(core) & 1 and to_mask >> move_to(core) & 1:
                yield self._from_core(core)

    def _from_core(self, core: int) -> Move:
        """Return the move of the core's number for one."""
        move = self._moves.get(core)
        if move is None:
            promotion = move_promotion(core)
            letter = self.variant.letters[promotion].lower() if promotion else None
            move = Move(move_from(core), move_to(core), promotion or None, letter)
            self._moves[core] = move
        return move

    def _find(self, move: Move) -> int:
        """Return the core's number for a move, 0 if it is not legal."""
        check_move(move)
        from_square, to_square, promotion = move.from_square, move.to_square, move.promotion or 0
        if 0 <= from_square < SQUARES and 0 <= to_square < SQUARES and 0 <= promotion < BLACK_PIECE:
            return self._position.find_move(from_square, to_square, promotion)
        return 0

    def _core_move(self, move: Move) -> int:
        """Return the core's number for a legal move; raise `MoveError` for any other.

        Raises `TypeError` for what is no `Move`, as every method does that takes one.
        """
        core = self._find(move)
        if not core:
            raise self._illegal(move)
        return core

    def _illegal(self, move: Move) -> MoveError:
        if not move:
            return MoveError(f"move {NULL_UCI}: the null move is not possible here")
        squares = (move.from_square, move.to_square)
        text = self.uci(move) if min(squares) >= 0 and max(squares) < SQUARES else "?"
        reason = why_illegal(self._position, move, self.variant)
        return MoveError(f"move {text} is not legal: {reason}")

    def is_legal(self, move: Move) -> bool:
        """Tell whether a move is legal."""
        return self._find(move) != 0

    def find_move(
        self, from_square: Square, to_square: Square, promotion: PieceType | None = None
    ) -> Move:
        """Return the legal move between two squares, a Queen promotion if none is named.

        Raises `MoveError` if there is none.
        """
        position = self._position
        move = Move(from_square, to_square, promotion)
        core = self._find(move)
        if not core and promotion is None:
            queen = self.variant.promotions[position.turn][0]
            core = self._find(Move(from_square, to_square, queen))
        if not core:
            raise self._illegal(move)
        return self._from_core(core)

    def push(self, move: Move) -> None:
        """Play a move, or pass with the null move.

        Raises `MoveError` for a move that is not legal, which python-chess would play, and for
        passing while in check; `TypeError` for what is no `Move`, be it python-chess's.
        """
        check_move(move)
        position = self._position
        if move:
            core = self._core_move(move)
            position.make(core)
            move = self._from_core(core)
        else:
            if position.is_check():
                raise MoveError(f"move {NULL_UCI}: passing is not possible while in check")
            position.make_null()
        self.move_stack.append(move)

    def pop(self) -> Move:
        """Take back the last move and return it. Raises `IndexError` if there is none."""
        move = self.move_stack.pop()
        if move:
            self._core.unmake()
        else:
            self._core.unmake_null()
        return move

    def peek(self) -> Move:
        """Return the last move. Raises `IndexError` if there is none."""
        return self.move_stack[-1]

    def removed(self, move: Move) -> SquareSet:
        """Return the squares from which a legal move takes pieces off the board.

        They are those of captured, jumped and burned pieces, of the pawn that is taken en
        passant, and of the own piece on which a Devil lands. Raises `MoveError`.
        """
        check_move(move)
        return SquareSet(self._position.removed(self._core_move(move)) if move else 0)

    def is_capture(self, move: Move) -> bool:
        """Tell whether a legal move takes anything off the board, be it one's own piece."""
        return bool(self.removed(move))

    def is_zeroing(self, move: Move) -> bool:
        """Tell whether a legal move resets the count to fifty moves."""
        check_move(move)
        return self.piece_type_at(move.from_square) == PAWN or self.is_capture(move)

    def is_en_passant(self, move: Move) -> bool:
        """Tell whether a move is an en passant capture."""
        check_move(move)
        return (
            move.to_square == self.ep_square
            and (move.to_square - move.from_square) % FILES != 0
            and self.piece_type_at(move.from_square) == PAWN
        )

    def is_castling(self, move: Move) -> bool:
        """Tell whether a move is castling."""
        check_move(move)
        files = move.to_square % FILES - move.from_square % FILES
        return abs(files) > 1 and self.piece_type_at(move.from_square) == KING

    def is_kingside_castling(self, move: Move) -> bool:
        """Tell whether a move is castling towards the j-file."""
        return self.is_castling(move) and move.to_square > move.from_square

    def is_queenside_castling(self, move: Move) -> bool:
        """Tell whether a move is castling towards the a-file."""
        return self.is_castling(move) and move.to_square < move.from_square

    def gives_check(self, move: Move) -> bool:
        """Tell whether a legal move attacks the other King. Raises `MoveError`."""
        return self._position.gives_check(self._core_move(move))

    def perft(self, depth: int) -> int:
        """Return the number of ways to play `depth` half-moves, counted by the core."""
        if depth < 0:
            raise ValueError(f"depth {depth}: expected 0 or more")
        return self._position.perft(depth)

    # Attacks and the end of the game.

    def attackers(self, color: Color, square: Square) -> SquareSet:
        """Return the pieces of a colour that could remove what stands on a square.

        They do it by landing there, by jumping over it or by burning it.
        """
        self._code_at(square)  # raises for what is no square
        return SquareSet(self._position.attackers(int(not color), square))

    def attacks(self, square: Square) -> SquareSet:
        """Return the squares on which the piece on a square could remove an enemy.

        Of an Angel and a Devil they are also those that it would jump over or burn. Empty where
        no piece stands.
        """
        self._code_at(square)  # raises for what is no square
        return SquareSet(self._position.attacks(square))

    def is_pinned(self, color: Color, square: Square) -> bool:
        """Tell whether a colour's piece alone screens its King from a Queen, Rook or the like.

        Angels and Devils jump, so that nothing is pinned by them.
        """
        self._code_at(square)  # raises for what is no square
        position = self._position
        if color != self.turn:
            position = position.copy()
            position.make_null()
        return bool(position.pinned() >> square & 1)

    def is_attacked_by(self, color: Color, square: Square) -> bool:
        """Tell whether `attackers` finds any."""
        return bool(self.attackers(color, square))

    def checkers(self) -> SquareSet:
        """Return the pieces that attack the King of the side to move."""
        return SquareSet(self._position.checkers())

    def is_check(self) -> bool:
        """Tell whether the King of the side to move is attacked."""
        return self._position.is_check()

    def is_checkmate(self) -> bool:
        """Tell whether the side to move is in check and has no legal move."""
        position = self._position
        return position.is_check() and not position.count_legal()

    def is_stalemate(self) -> bool:
        """Tell whether the side to move has no legal move and is not in check."""
        position = self._position
        return not position.is_check() and not position.count_legal()

    def is_insufficient_material(self) -> bool:
        """Tell whether neither side can ever mate, which is a draw at once."""
        return self._position.is_dead()

    def is_repetition(self, count: int = 3) -> bool:
        """Tell whether the position stands on the board for the third (or `count`th) time.

        It is the same with the same pieces, side to move, castling rights and legal en passant
        capture. Only the moves on the `move_stack` count.
        """
        return self._position.repetitions() + 1 >= count

    def is_fifty_moves(self) -> bool:
        """Tell whether each side made fifty moves without a pawn move or a removal.

        Not when the last of them was checkmate, which wins.
        """
        return self._position.halfmove_clock >= 100 and not self.is_checkmate()

    def can_claim_fifty_moves(self) -> bool:
        """Tell the same as `is_fifty_moves`: by these rules the draw needs no claim."""
        return self.is_fifty_moves()

    def can_claim_threefold_repetition(self) -> bool:
        """Tell the same as `is_repetition()`: by these rules the draw needs no claim."""
        return self.is_repetition()

    def can_claim_draw(self) -> bool:
        """Tell whether the game is drawn by fifty moves or by repetition."""
        return self.is_fifty_moves() or self.is_repetition()

    def _ending(self) -> tuple[str, Color | None] | None:
        """Return the name of python-chess's termination and the winner, None in mid-game."""
        position = self._position
        if not position.count_legal():
            if position.is_check():
                return "CHECKMATE", not self.turn
            return "STALEMATE", None
        if position.is_dead():
            return "INSUFFICIENT_MATERIAL", None
        if position.halfmove_clock >= 100:
            return "FIFTY_MOVES", None
        if position.repetitions() >= 2:
            return "THREEFOLD_REPETITION", None
        return None

    def outcome(self, *, claim_draw: bool = False) -> chess.Outcome | None:
        """Return how the game has ended, None while it goes on.

        Fifty moves and threefold repetition end it without a claim: `claim_draw` is there for
        python-chess's callers and changes nothing.
        """
        ending = self._ending()
        if ending is None:
            return None
        import chess

        return chess.Outcome(chess.Termination[ending[0]], ending[1])

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Tell whether the game has ended."""
        return self._ending() is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """Return `1-0`, `0-1` or `1/2-1/2`, and `*` while the game goes on."""
        ending = self._ending()
        if ending is None:
            return "*"
        return {WHITE: "1-0", BLACK: "0-1", None: "1/2-1/2"}[ending[1]]

    # Moves as text.

    def uci(self, move: Move) -> str:
        """Return a move's UCI text, with the letters of this variant."""
        check_move(move)
        if not move.promotion:
            return move.uci()
        letter = self.variant.letters.get(move.promotion, "?").lower()
        return SQUARE_NAMES[move.from_square] + SQUARE_NAMES[move.to_square] + letter

    def parse_uci(self, uci: str) -> Move:
        """Return the legal move, or the null move, of UCI text. Raises `MoveError`."""
        move = Move.from_uci(uci, self.variant)
        return self._from_core(self._core_move(move)) if move else move

    def push_uci(self, uci: str) -> Move:
        """Play the move of UCI text and return it. Raises `MoveError`."""
        move = self.parse_uci(uci)
        self.push(move)
        return move

    def xboard(self, move: Move) -> str:
        """Return a move's text for the XBoard protocol."""
        check_move(move)
        return self.uci(move) if move else move.xboard()

    def parse_xboard(self, xboard: str) -> Move:
        """Return the legal move of XBoard text: coordinates or SAN. Raises `SanError`."""
        return self.parse_san(xboard)

    def push_xboard(self, xboard: str) -> Move:
        """Play the move of XBoard text and return it. Raises `SanError`."""
        return self.push_san(xboard)

    def san(self, move: Move) -> str:
        """Return a legal move in standard algebraic notation, `--` for the null move.

        `x` is written when the move removes anything at all. Raises `MoveError`.
        """
        from abdiel.notation.san import format_san

        return format_san(self, move)

    def lan(self, move: Move) -> str:
        """Return a legal move in long algebraic notation, like `Ab1-b5`. Raises `MoveError`."""
        from abdiel.notation.san import format_san

        return format_san(self, move, long=True)

    def parse_san(self, san: str) -> Move:
        """Return the legal move of SAN, read tolerantly. Raises `SanError`.

        `x`, `+`, `#` and `=` may be missing or too many, `0-0` castles, full coordinates
        (`b1b5`) name any move, and `--` is the null move.
        """
        from abdiel.notation.san import parse_san

        return parse_san(self, san)

    def push_san(self, san: str) -> Move:
        """Play the move of SAN and return it. Raises `SanError`."""
        move = self.parse_san(san)
        self.push(move)
        return move

    def variation_san(self, variation: Iterable[Move]) -> str:
        """Return moves that follow one another as text like `1. e4 e5 2. Nd3`.

        Raises `MoveError` if one of them is not legal where it comes.
        """
        board = self.copy(stack=False)
        words = []
        for index, move in enumerate(variation):
            if board.turn:
                words.append(f"{board.fullmove_number}. {board.san(move)}")
            elif index == 0:
                words.append(f"{board.fullmove_number}... {board.san(move)}")
            else:
                words.append(board.san(move))
            board.push(move)
        return " ".join(words)

    # Copies, comparison and pictures.

    def copy(self, *, stack: bool | int = True) -> Self:
        """Return a board that can be played on alone, with all its moves, the last few or none.

        A repetition counts only among the moves that are kept. Raises `ValueError` for less than
        no moves.
        """
        if stack < 0:
            raise ValueError(f"stack {stack}: expected True, False or a number of moves from 0")
        if self._draft is not None:
            self._settle()
        board = type(self).__new__(type(self))
        board.move_stack = []
        board._draft = None
        if self._draft is not None:
            board._core = Position(self.variant.castling, self.variant.promotions)
            board._draft = self._draft.copy()
        elif stack is True or (stack and stack >= len(self.move_stack)):
            board._core = self._core.copy()
            board._start = self._start
            board.move_stack = self.move_stack[:]
        elif not stack:
            position = Position(self.variant.castling, self.variant.promotions)
            board._adopt(Draft.of(self._core), position)
        else:
            moves = self.move_stack[-stack:]
            earlier = self.copy()
            for _ in moves:
                earlier.pop()
            board = earlier.copy(stack=False)
            for move in moves:
                board.push(move)
        return board

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        editing = self._draft is not None
        fields = self._draft if self._draft is not None else self._start
        return _unpickled, (type(self), fields, editing, self.move_stack)

    def root(self) -> Self:
        """Return a board of the position before the first move of the `move_stack`."""
        if self._draft is not None:
            return self.copy()
        board = type(self).__new__(type(self))
        board._adopt(self._start, Position(self.variant.castling, self.variant.promotions))
        return board

    def mirror(self) -> Self:
        """Return the position with the colours changed, seen from the other side."""
        fields = self._fields()
        board = type(self)()
        draft = board._edit()
        draft.pieces = Draft.empty().pieces
        for square, code in enumerate(fields.pieces):
            draft.pieces[square_mirror(square)] = code ^ BLACK_PIECE if code else code
        draft.turn = 1 - fields.turn
        draft.castling = fields.castling >> 2 | (fields.castling & 3) << 2
        if fields.ep_square != NO_SQUARE:
            draft.ep_square = square_mirror(fields.ep_square)
        draft.halfmove_clock = fields.halfmove_clock
        draft.fullmove_number = fields.fullmove_number
        return board

    def __eq__(self, other: object) -> bool:
        """Compare variant, position and counters; an en passant square counts if it is legal."""
        if isinstance(other, Board):
            return self.uci_variant == other.uci_variant and self.fen() == other.fen()
        return NotImplemented

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.fen()!r})"

    def __str__(self) -> str:
        """Draw the board with FEN's letters, rank 8 first."""
        from abdiel.text import plain

        return plain(self)

    def unicode(
        self,
        *,
        invert_color: bool = False,
        borders: bool = False,
        empty_square: str = "·",
        orientation: Color = WHITE,
    ) -> str:
        """Draw the board for a terminal, with a margin of coordinates if `borders`."""
        from abdiel.text import unicode

        return unicode(
            self,
            invert_color=invert_color,
            borders=borders,
            empty_square=empty_square,
            orientation=orientation,
        )

    def _marks(self) -> tuple[Move | None, SquareSet]:
        """Return what drawings mark: the last move, and the squares from which it removed."""
        if not self.move_stack or not self.peek():
            return None, SquareSet()
        before = self.copy()
        last = before.pop()
        return last, before.removed(last)

    def _repr_svg_(self) -> str:
        from abdiel.svg import picture

        return picture(self, size=480)


def _unpickled(board_class: type[Board], fields: Draft, editing: bool, moves: list[Move]) -> Board:
    board = board_class()
    if editing:
        board._draft = fields
    else:
        board._adopt(fields, board._core)
        for move in moves:
            board.push(move)
    return board


class CapablancaBoard(
    Board,
    variant=VARIANTS["capablanca"],
    aliases=["Capablanca", "Capablanca Chess", "Capablanca's Chess"],
):
    """A board of Capablanca Chess."""


class GothicBoard(Board, variant=VARIANTS["gothic"], aliases=["Gothic", "Gothic Chess"]):
    """A board of Gothic Chess."""


class EmbassyBoard(Board, variant=VARIANTS["embassy"], aliases=["Embassy", "Embassy Chess"]):
    """A board of Embassy Chess."""


class JanusBoard(Board, variant=VARIANTS["janus"], aliases=["Janus", "Janus Chess"]):
    """A board of Janus Chess."""


BOARDS: list[type[Board]] = [Board, CapablancaBoard, GothicBoard, EmbassyBoard, JanusBoard]


def _plain_name(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


_BOARD_OF_NAME = {
    _plain_name(name): board for board in BOARDS for name in (board.uci_variant, *board.aliases)
}


def find_variant(name: str) -> type[Board]:
    """Return the board class of a variant, by its UCI name or an alias, in any case.

    Raises `ValueError` for an unknown name.
    """
    try:
        return _BOARD_OF_NAME[_plain_name(name)]
    except KeyError:
        raise ValueError(f"variant {name!r}: expected one of {', '.join(VARIANTS)}") from None
