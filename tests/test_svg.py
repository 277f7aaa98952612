"""Boards as SVG."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from random_boards import boards

from abdiel import BLACK, WHITE, Board, Move, Piece, svg
from abdiel.board import BOARDS
from abdiel.drawings import BOX, DRAWINGS
from abdiel.pieces import PIECE_TYPES
from abdiel.squares import A1, B1, B5, C4, D4, E4, F1, J8

SVG = "{http://www.w3.org/2000/svg}"


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def places(drawing: ElementTree.Element) -> dict[tuple[float, float], str]:
    return {
        (float(use.attrib["x"]), float(use.attrib["y"])): use.attrib["href"]
        for use in drawing.iter(f"{SVG}use")
    }


@pytest.mark.parametrize("board_class", BOARDS)
def test_every_piece_is_drawn_on_its_square(board_class: type[Board]) -> None:
    drawing = parse(svg.board(board_class(), coordinates=False))
    found = places(drawing)
    assert len(found) == 40
    assert found[0, 0] == "#black-rook"
    assert found[0, 7 * BOX] == "#white-rook"
    names = (group.get("id") for group in drawing.iter(f"{SVG}g"))
    defined = {f"#{name}" for name in names if name is not None}
    assert defined == set(found.values())
    flipped = places(parse(svg.board(board_class(), coordinates=False, orientation=BLACK)))
    assert flipped[0, 0] == "#white-rook"
    king = board_class().king(WHITE)
    assert king is not None
    assert flipped[(9 - king) * BOX, 0] == "#white-king"


def test_drawings_are_distinct() -> None:
    assert set(DRAWINGS) == set(PIECE_TYPES)
    drawn = {svg.piece(Piece(kind, color)) for kind in PIECE_TYPES for color in (WHITE, BLACK)}
    assert len(drawn) == 20
    bodies = [tuple(path for way, path in layers if way == "body") for layers in DRAWINGS.values()]
    assert len(set(bodies)) == len(bodies)


def test_size_and_coordinates() -> None:
    drawing = parse(svg.board(size=500))
    assert drawing.attrib["width"] == "500"
    assert drawing.attrib["viewBox"] == "0 0 520 424"
    labels = [label.text for label in drawing.iter(f"{SVG}text")]
    assert sorted(filter(None, labels)) == sorted(2 * "abcdefghij12345678")
    bare = parse(svg.board(coordinates=False))
    assert "width" not in bare.attrib
    assert bare.attrib["viewBox"] == "0 0 480 384"
    assert not list(bare.iter(f"{SVG}text"))
    assert parse(svg.piece(Piece(PIECE_TYPES[0], WHITE), size=45)).attrib["height"] == "45"


def test_marks() -> None:
    board = Board()
    plain = svg.board(board)
    assert svg.LAST_MOVE not in plain
    assert svg.REMOVED not in plain
    assert "url(#check)" not in plain
    move = board.parse_uci("b1b5")
    lit = svg.board(board, lastmove=move)
    assert lit.count(svg.LAST_MOVE) == 2
    assert "url(#check)" in svg.board(board, check=F1)
    assert svg.board(board, removed=[C4, D4, E4]).count(svg.REMOVED) == 3
    arrows = svg.board(board, arrows=[(B1, B5), (A1, J8, '"<red>'), (A1, A1)])
    assert len(list(parse(arrows).iter(f"{SVG}polygon"))) == 2
    assert arrows.count(svg.ARROW) == 3


def test_notebook_picture_shows_the_last_move() -> None:
    board = Board()
    assert svg.LAST_MOVE not in board._repr_svg_()
    for uci in ("b1b5", "b8b6"):
        board.push_uci(uci)
    picture = board._repr_svg_()
    assert picture == svg.picture(board, size=480)
    assert picture.count(svg.LAST_MOVE) == 2
    assert picture.count(svg.REMOVED) == 1  # the Angel on b5, burned from b6
    checked = Board("5k4/10/10/10/10/10/10/r4K4 w - - 0 1")
    assert "url(#check)" in checked._repr_svg_()
    checked.remove_piece_at(F1)
    assert "url(#check)" not in checked._repr_svg_()


def test_what_has_landed_is_not_crossed_out() -> None:
    board = Board()
    for san in ("Ab5", "a5", "Axb7"):
        board.push_san(san)
    assert svg.REMOVED not in svg.picture(board)
    board.push(Move.null())
    assert svg.LAST_MOVE not in svg.picture(board)


def test_numbers_off_the_board() -> None:
    board = Board()
    with pytest.raises(ValueError, match=r"^size -5: expected 1 pixel or more$"):
        svg.board(board, size=-5)
    with pytest.raises(ValueError, match=r"^size 0: expected 1 pixel or more$"):
        svg.piece(Piece(PIECE_TYPES[0], WHITE), size=0)
    with pytest.raises(ValueError, match=r"^lastmove: square 99: expected 0 to 79$"):
        svg.board(board, lastmove=Move(99, 100))
    with pytest.raises(ValueError, match=r"^check: square -1: expected 0 to 79$"):
        svg.board(board, check=-1)
    with pytest.raises(ValueError, match=r"^removed: square 80: expected 0 to 79$"):
        svg.board(board, removed=[80])
    with pytest.raises(ValueError, match=r"^arrows: square 99: expected 0 to 79$"):
        svg.board(board, arrows=[(1, 99)])


@settings(max_examples=20)
@given(boards())
def test_any_board_is_well_formed(board: Board) -> None:
    assert len(places(parse(board._repr_svg_()))) == len(board.piece_map())
