"""`BaseBoard`: the position under a `Board`, with its set-up, its edits and its FEN."""

from __future__ import annotations

from abdiel.core.position import BLACK_PIECE, KING, Position
from abdiel.draft import MAX_FULLMOVE_NUMBER, MAX_HALFMOVE_CLOCK, NO_SQUARE, Draft
from abdiel.errors import BoardError, FenError
from abdiel.moves import Move
from abdiel.notation import fen as _fen
from abdiel.pieces import Piece
from abdiel.squares import SquareSet, check_number, check_square

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar, Literal, Self, TypeAlias

    import chess

    from abdiel.pieces import Color, PieceType
    from abdiel.squares import Square
    from abdiel.variants import Variant

    EnPassantSpec: TypeAlias = Literal["legal", "fen", "xfen"]


class BaseBoard:
    """The pieces on a board and the other fields of a position.

    While it is edited (`set_piece_at` and the like) it may be no position to play in, say with a
    King missing. Asking it for moves then raises `BoardError`.
    """

    variant: ClassVar[Variant]
    uci_variant: ClassVar[str]
    xboard_variant: ClassVar[str]
    aliases: ClassVar[list[str]]
    starting_fen: ClassVar[str]
    chess960: ClassVar[bool] = False  # read by chess.engine

    # The moves and pieces that boards of a class have made already, by the core's number.
    _moves: ClassVar[dict[int, Move]]
    _pieces: ClassVar[dict[int, Piece]]
    _start_draft: ClassVar[Draft]

    __hash__ = None  # type: ignore[assignment]  # it changes, as a list does

    move_stack: list[Move]
    """The moves since the start or the last `set_fen` or edit. Not to be changed by hand."""

    def __init__(self, fen: str | None = None) -> None:
        self.move_stack = []
        self._core = Position(self.variant.castling, self.variant.promotions)
        # The fields under edit; None while the core holds the position.
        self._draft: Draft | None = None
        if fen is None:
            self.reset()
        else:
            self.set_fen(fen)

    def __init_subclass__(
        cls, variant: Variant | None = None, aliases: list[str] | None = None
    ) -> None:
        """Make a class of boards for a variant, or of its base's if none is given."""
        if variant is not None:
            cls.variant = variant
            cls.uci_variant = cls.xboard_variant = variant.name
            cls.aliases = aliases or [variant.title]
            cls.starting_fen = variant.start_fen
            cls._moves = {}
            cls._pieces = {}
            cls._start_draft = _fen.parse_fen(variant.start_fen, variant)

    # Setting up.

    @classmethod
    def empty(cls) -> Self:
        """Return a board without pieces, White to move."""
        board = cls()
        board.clear()
        return board

    def reset(self) -> None:
        """Set up the start position, and forget the moves."""
        self._adopt(self._start_draft, self._core)

    def clear(self) -> None:
        """Take all pieces off: White to move, no castling rights, counters at their start."""
        self._draft = Draft.empty()
        self.move_stack = []

    def set_fen(self, fen: str) -> None:
        """Set up a FEN, and forget the moves.

        Fields after the placement may be missing. Castling rights without their King and Rook
        and an en passant square without a pawn that passed it are dropped. Raises `FenError`
        and leaves the board as it was.
        """
        self._set_fields(_fen.parse_fen(fen, self.variant))

    def _set_fields(self, draft: Draft) -> None:
        draft.clean(self.variant)
        position = Position(self.variant.castling, self.variant.promotions)
        fault = next(draft.faults(), None)
        if fault is None:
            draft.set_on(position)
            fault = draft.opposite_check(position)
        if fault is not None:
            raise FenError(f"FEN ({fault[1]}): {fault[2]}")
        self._core = position
        self._start = draft
        self._draft = None
        self.move_stack = []

    def _adopt(self, draft: Draft, position: Position) -> None:
        """Take over a draft that is known to be sound."""
        draft.set_on(position)
        self._core = position
        self._start = draft
        self._draft = None
        self.move_stack = []

    @property
    def _position(self) -> Position:
        """The core's position. Raises `BoardError` while an edit has left none."""
        if self._draft is not None:
            fault = self._settle()
            if fault is not None:
                raise BoardError(f"the board cannot be played on: {fault[1]}: {fault[2]}")
        return self._core

    def _settle(self) -> tuple[str, str, str] | None:
        """End an edit by giving its fields to the core, or return what is wrong with them."""
        draft = self._draft
        assert draft is not None
        fault = next(draft.faults(), None)
        if fault is not None:
            return fault
        cleaned = draft.copy()
        cleaned.clean(self.variant)
        cleaned.set_on(self._core)
        fault = cleaned.opposite_check(self._core)
        if fault is None:
            self._start = cleaned
            self._draft = None
        return fault

    def _fields(self) -> Draft:
        """Return the fields as they are, under edit or not."""
        return self._draft if self._draft is not None else Draft.of(self._core)

    def _edit(self) -> Draft:
        """Return the fields to be changed; the moves are forgotten."""
        if self._draft is None:
            self._draft = Draft.of(self._core)
            self.move_stack = []
        return self._draft

    def status(self) -> chess.Status:
        """Return what is wrong with the position, as python-chess's flags.

        Castling rights and en passant squares are never wrong: bad ones are dropped.
        """
        import chess

        flags = chess.STATUS_VALID
        if self._draft is not None:
            faults = list(self._draft.faults())
            fault = None if faults else self._settle()
            for name, _, _ in [*faults, fault] if fault else faults:
                flags |= chess.Status[name]
        return flags

    def is_valid(self) -> bool:
        """Tell whether the position can be played; only edits can make it otherwise."""
        return self._draft is None or self._settle() is None

    # Pieces.

    def piece_at(self, square: Square) -> Piece | None:
        """Return the piece on a square, None if it is empty."""
        return self._piece_of(self._code_at(square))

    def piece_type_at(self, square: Square) -> PieceType | None:
        """Return the type of the piece on a square, None if it is empty."""
        return self._code_at(square) & ~BLACK_PIECE or None

    def color_at(self, square: Square) -> Color | None:
        """Return the colour of the piece on a square, None if it is empty."""
        code = self._code_at(square)
        return not code & BLACK_PIECE if code else None

    def _code_at(self, square: Square) -> int:
        check_square(square)
        if self._draft is not None:
            return self._draft.pieces[square]
        return self._core.piece_at(square)

    def _piece_of(self, code: int) -> Piece | None:
        if not code:
            return None
        piece = self._pieces.get(code)
        if piece is None:
            piece_type = code & ~BLACK_PIECE
            piece = Piece(piece_type, not code & BLACK_PIECE, self.variant.letters[piece_type])
            self._pieces[code] = piece
        return piece

    def piece_map(self) -> dict[Square, Piece]:
        """Return the pieces by their squares."""
        pieces = self._fields().pieces
        found = ((square, self._piece_of(code)) for square, code in enumerate(pieces))
        return {square: piece for square, piece in found if piece is not None}

    def pieces(self, piece_type: PieceType, color: Color) -> SquareSet:
        """Return the squares of a colour's pieces of one type."""
        wanted = piece_type if color else piece_type | BLACK_PIECE
        pieces = self._fields().pieces
        return SquareSet(square for square, code in enumerate(pieces) if code == wanted)

    def king(self, color: Color) -> Square | None:
        """Return the square of a colour's King, None while it has none."""
        return next(iter(self.pieces(KING, color)), None)

    def set_piece_at(self, square: Square, piece: Piece | None) -> None:
        """Put a piece on a square, or nothing with None. The moves are forgotten.

        Raises `ValueError` for a piece that the variant does not have.
        """
        self._code_at(square)  # raises for what is no square
        code = 0
        if piece is not None:
            if piece.piece_type not in self.variant.letters:
                raise ValueError(
                    f"{piece!r}: {self.variant.name} has {' '.join(self.variant.types)}"
                )
            code = piece.piece_type if piece.color else piece.piece_type | BLACK_PIECE
        self._edit().pieces[square] = code

    def remove_piece_at(self, square: Square) -> Piece | None:
        """Empty a square and return what stood there. The moves are forgotten."""
        piece = self.piece_at(square)
        self.set_piece_at(square, None)
        return piece

    def set_piece_map(self, pieces: Mapping[Square, Piece]) -> None:
        """Put these pieces on the board instead of all others. The moves are forgotten."""
        self._edit().pieces = Draft.empty().pieces
        for square, piece in pieces.items():
            self.set_piece_at(square, piece)

    def board_fen(self) -> str:
        """Return FEN's first field."""
        return _fen.format_placement(self._fields().pieces, self.variant)

    def set_board_fen(self, fen: str) -> None:
        """Put the pieces of FEN's first field on the board. The moves are forgotten."""
        pieces = _fen.parse_placement(fen, self.variant)
        self._edit().pieces = pieces

    # The other fields of the position. Setting one is an edit: the moves are forgotten. What no
    # FEN could hold raises `ValueError` or `TypeError`.

    @property
    def turn(self) -> Color:
        """The side to move."""
        draft = self._draft
        return not (self._core.turn if draft is None else draft.turn)

    @turn.setter
    def turn(self, color: Color) -> None:
        self._edit().turn = int(not color)

    @property
    def ep_square(self) -> Square | None:
        """The square that a pawn has just passed over, whether it can be captured there or not."""
        draft = self._draft
        square = self._core.ep_square if draft is None else draft.ep_square
        return None if square == NO_SQUARE else square

    @ep_square.setter
    def ep_square(self, square: Square | None) -> None:
        if square is not None:
            check_square(square, "ep_square")
        self._edit().ep_square = NO_SQUARE if square is None else square

    @property
    def halfmove_clock(self) -> int:
        """The half-moves since a pawn moved or anything was removed."""
        draft = self._draft
        return self._core.halfmove_clock if draft is None else draft.halfmove_clock

    @halfmove_clock.setter
    def halfmove_clock(self, count: int) -> None:
        check_number(count, "halfmove_clock", 0, MAX_HALFMOVE_CLOCK)
        self._edit().halfmove_clock = int(count)

    @property
    def fullmove_number(self) -> int:
        """The number of the move, which grows after Black's."""
        draft = self._draft
        return self._core.fullmove_number if draft is None else draft.fullmove_number

    @fullmove_number.setter
    def fullmove_number(self, number: int) -> None:
        check_number(number, "fullmove_number", 1, MAX_FULLMOVE_NUMBER)
        self._edit().fullmove_number = int(number)

    def ply(self) -> int:
        """Return the half-moves that the move number stands for."""
        return 2 * (self.fullmove_number - 1) + (not self.turn)

    @property
    def castling_rights(self) -> SquareSet:
        """The squares of the Rooks with which castling is still possible."""
        bits = self._castling_bits()
        sides = enumerate(self.variant.castling)
        return SquareSet(castling[2] for side, castling in sides if bits >> side & 1)

    @castling_rights.setter
    def castling_rights(self, rooks: SquareSet) -> None:
        sides = enumerate(self.variant.castling)
        self._edit().castling = sum(1 << side for side, one in sides if one[2] in rooks)

    def _castling_bits(self) -> int:
        if self._draft is None:
            return self._core.castling
        cleaned = self._draft.copy()
        cleaned.clean(self.variant)
        return cleaned.castling

    def set_castling_fen(self, castling_fen: str) -> None:
        """Set the castling rights as FEN writes them. The moves are forgotten."""
        bits = _fen.parse_castling(castling_fen)
        self._edit().castling = bits

    def has_castling_rights(self, color: Color) -> bool:
        """Tell whether a colour may still castle to either side, now or later."""
        return bool(self._castling_bits() & (3 if color else 12))

    def has_kingside_castling_rights(self, color: Color) -> bool:
        """Tell whether a colour may still castle towards the j-file."""
        return bool(self._castling_bits() & (1 if color else 4))

    def has_queenside_castling_rights(self, color: Color) -> bool:
        """Tell whether a colour may still castle towards the a-file."""
        return bool(self._castling_bits() & (2 if color else 8))

    def has_legal_en_passant(self) -> bool:
        """Tell whether a legal en passant capture exists."""
        return self._position.has_legal_ep

    # FEN.

    def fen(
        self,
        *,
        shredder: bool = False,
        en_passant: EnPassantSpec = "legal",
        promoted: bool | None = None,
    ) -> str:
        """Return the FEN.

        The en passant square is written when a capture there is legal (`"legal"`), when a pawn
        stands ready for it (`"xfen"`) or after every double step (`"fen"`). `shredder` and
        `promoted` are there for `chess.engine` and change nothing in these games.
        """
        fields = self._fields()
        return (
            f"{self._epd_fields(fields, en_passant)} "
            f"{fields.halfmove_clock} {fields.fullmove_number}"
        )

    def _epd_fields(self, fields: Draft, en_passant: EnPassantSpec) -> str:
        castling, ep_square = fields.castling, fields.ep_square
        if self._draft is not None:
            fields = fields.copy()
            fields.clean(self.variant)
            castling, ep_square = fields.castling, fields.ep_square
        if ep_square != NO_SQUARE and en_passant != "fen":
            if en_passant == "legal" and self.is_valid():
                kept = self._core.has_legal_ep
            else:
                kept = fields.has_pseudo_legal_ep()
            ep_square = ep_square if kept else NO_SQUARE
        return _fen.format_epd_fields(fields.pieces, fields.turn, castling, ep_square, self.variant)
