"""`Game`: a tree of moves with tags, comments and variations, as PGN holds it.

The names are those of `chess.pgn`. That module itself cannot carry these boards: it reads squares
of eight files only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from abdiel.board import Board, find_variant
from abdiel.errors import FenError
from abdiel.moves import check_move

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from abdiel.moves import Move
    from abdiel.pieces import Color

    # The number of the parent, the move, the comments before and after it, the glyphs.
    _FlatNode: TypeAlias = tuple[int, Move | None, str, str, list[int]]

# The tags that every game has, in their order, with what stands for the unknown.
ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
RESULTS = frozenset(("1-0", "0-1", "1/2-1/2", "*"))


class GameNode:
    """A position of a game: the root, or what a move leads to.

    - `parent`: the node before, None at the root; `move`: the move from there, None at the root.
    - `variations`: the nodes after, the main line first.
    - `comment`: what is said after the move (at the root: before the first move);
      `starting_comment`: what is said before it, where it begins a variation.
    - `nags`: numeric annotation glyphs, such as 1 for `!`.
    """

    __slots__ = ("comment", "move", "nags", "parent", "starting_comment", "variations")

    def __init__(self, parent: GameNode | None = None, move: Move | None = None) -> None:
        self.parent = parent
        self.move = move
        self.variations: list[GameNode] = []
        self.comment = ""
        self.starting_comment = ""
        self.nags: set[int] = set()

    # Copies and pickles go through a flat list of nodes: a chain of nodes that hold one another is
    # deeper than Python's recursion. A node takes its whole game along.

    def __reduce__(self) -> tuple[object, ...]:
        path = []
        root = self
        while root.parent is not None:
            siblings = root.parent.variations
            path.append(next(at for at, node in enumerate(siblings) if node is root))
            root = root.parent
        if root is not self:
            return _node_at, (root, path[::-1])
        return _tree, (type(self), self._flat())

    def _flat(self) -> list[_FlatNode]:
        """Return this node and all that follow, each after its parent, which it names."""
        found: list[_FlatNode] = []
        ahead = [(self, 0)]
        while ahead:
            node, parent = ahead.pop()
            number = len(found)
            nags = sorted(node.nags)
            found.append((parent, node.move, node.comment, node.starting_comment, nags))
            ahead += [(child, number) for child in reversed(node.variations)]
        return found

    def game(self) -> Game:
        """Return the root."""
        node = self
        while node.parent is not None:
            node = node.parent
        assert isinstance(node, Game)
        return node

    def moves(self) -> list[Move]:
        """Return the moves from the root to here."""
        found = []
        node = self
        while node.parent is not None and node.move is not None:
            found.append(node.move)
            node = node.parent
        return found[::-1]

    def board(self) -> Board:
        """Return a board with this node's position and the moves that led to it."""
        board = self.game().start_board()
        for move in self.moves():
            board.push(move)
        return board

    def ply(self) -> int:
        """Return the number of half-moves from the root to here."""
        return len(self.moves())

    def turn(self) -> Color:
        """Return the side to move here."""
        return self.game().start_board().turn == (self.ply() % 2 == 0)

    def san(self) -> str:
        """Return the move that led here in SAN. Raises `ValueError` at the root."""
        if self.parent is None or self.move is None:
            raise ValueError("the root of a game has no move")
        return self.parent.board().san(self.move)

    def next(self) -> GameNode | None:
        """Return the next node of the main line, None at its end."""
        return self.variations[0] if self.variations else None

    def end(self) -> GameNode:
        """Return the last node of the main line from here."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def is_end(self) -> bool:
        """Tell whether no move follows."""
        return not self.variations

    def mainline(self) -> Iterator[GameNode]:
        """Yield the nodes of the main line after this one."""
        node = self
        while node.variations:
            node = node.variations[0]
            yield node

    def mainline_moves(self) -> Iterator[Move]:
        """Yield the moves of the main line after this node."""
        for node in self.mainline():
            assert node.move is not None
            yield node.move

    def variation(self, move: Move | int) -> GameNode:
        """Return the node that a move leads to, or the one of an index.

        Raises `KeyError` if there is none.
        """
        if isinstance(move, int):
            if not 0 <= move < len(self.variations):
                raise KeyError(move)
            return self.variations[move]
        for node in self.variations:
            if node.move == move:
                return node
        raise KeyError(move)

    def add_variation(
        self,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> GameNode:
        """Append a move and return its node. Whether it is legal shows when it is played.

        Raises `TypeError` for what is no `Move`.
        """
        check_move(move)
        node = GameNode(self, move)
        node.comment = comment
        node.starting_comment = starting_comment
        node.nags = set(nags)
        self.variations.append(node)
        return node

    def add_line(self, moves: Iterable[Move], *, comment: str = "") -> GameNode:
        """Append moves that follow one another and return the last node, which is commented."""
        node = self
        for move in moves:
            node = node.add_variation(move)
        if comment:
            node.comment = f"{node.comment} {comment}" if node.comment else comment
        return node


def _node_at(node: GameNode, path: list[int]) -> GameNode:
    """Return the node that a path of variations leads to, for copies and pickles."""
    for at in path:
        node = node.variations[at]
    return node


def _tree(
    root_class: type[GameNode], flat: list[_FlatNode], headers: dict[str, str] | None = None
) -> GameNode:
    """Return the root of a tree that `GameNode._flat` has flattened, for copies and pickles."""
    root = root_class.__new__(root_class)
    GameNode.__init__(root)
    _, _, root.comment, root.starting_comment, nags = flat[0]
    root.nags = set(nags)
    if isinstance(root, Game):
        root.headers = dict(headers or ROSTER)
    nodes = [root]
    for parent, move, comment, starting_comment, nags in flat[1:]:
        assert move is not None
        nodes.append(
            nodes[parent].add_variation(
                move, comment=comment, starting_comment=starting_comment, nags=nags
            )
        )
    return root


class Game(GameNode):
    """A game of PGN: its tags in `headers`, and the root of its moves.

    `str(game)` is the game in canonical PGN.
    """

    __slots__ = ("headers",)

    headers: dict[str, str]

    def __init__(self, board: Board | None = None) -> None:
        """Make a game without moves that starts from `board`, or from Angels and Devils' start."""
        super().__init__()
        self.headers = dict(ROSTER)
        self.setup(Board() if board is None else board)

    @classmethod
    def from_board(cls, board: Board) -> Game:
        """Return the game of a board: its root, the moves of its stack, its result."""
        game = cls(board.root())
        game.add_line(board.move_stack)
        game.headers["Result"] = board.result()
        return game

    def setup(self, board: Board) -> None:
        """Let the game start from a board's position: the tags Variant, SetUp and FEN."""
        self.headers["Variant"] = board.uci_variant
        fen = board.fen()
        if fen == board.starting_fen:
            self.headers.pop("SetUp", None)
            self.headers.pop("FEN", None)
        else:
            self.headers["SetUp"] = "1"
            self.headers["FEN"] = fen

    def __reduce__(self) -> tuple[object, ...]:
        return _tree, (type(self), self._flat(), self.headers)

    def start_board(self) -> Board:
        """Return a board of the start position that the tags name.

        A game without the tag Variant is one of Angels and Devils. Raises `ValueError` for an
        unknown variant and `FenError` for a bad FEN.
        """
        board_class = find_variant(self.headers.get("Variant") or Board.uci_variant)
        fen = self.headers.get("FEN")
        try:
            return board_class(fen)
        except FenError as error:
            raise FenError(f"tag FEN: {error}") from None

    def __str__(self) -> str:
        from abdiel.notation.pgn import format_game

        return format_game(self)

    def __repr__(self) -> str:
        names = " - ".join(self.headers.get(tag, "?") for tag in ("White", "Black"))
        return f"<Game {names}, {self.headers.get('Result', '*')}>"
