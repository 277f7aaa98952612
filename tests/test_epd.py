"""EPD: positions with operations, both ways."""

import json
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_boards import boards

from abdiel import Board, EpdError, Move, find_variant
from abdiel.board import BOARDS

BARE = "5k4/10/10/10/10/10/10/R4K4 w - -"
START = "rdnbqkbndr/pppppppppp/10/10/10/10/PPPPPPPPPP/RANBQKBNAR w KQkq -"


def write(board: Board, operations: dict[str, Any]) -> str:
    return board.epd(**operations)


def test_fields_alone() -> None:
    assert Board().epd() == START
    board, operations = Board.from_epd(START)
    assert board == Board()
    assert operations == {}
    pawns = Board("5k4/10/10/3p6/10/10/10/5K4 w - d6 0 1")
    assert pawns.epd().split()[3] == "-"
    assert pawns.epd(en_passant="fen").split()[3] == "d6"


def test_operations() -> None:
    board = Board(f"{BARE} 0 1")
    mate, other = Move.from_uci("a1a8"), Move.from_uci("a1a7")
    line = [mate, Move.from_uci("f8f7"), other.from_uci("a8a7")]
    epd = board.epd(
        bm=[mate, other],
        am=Move.from_uci("f1e1"),
        pv=line,
        id='a "b" \\ c; d',
        dm=5,
        ce=-31,
        acs=1.5,
        sm=mate,
        draw_offer=None,
        c0="",
    )
    assert epd == (
        f"{BARE} bm Ra7 Ra8+; am Ke1; pv Ra8+ Kf7 Ra7+; "
        r'id "a \"b\" \\ c; d"; dm 5; ce -31; acs 1.5; sm Ra8+; draw_offer; c0 "";'
    )
    again, operations = Board.from_epd(epd)
    assert again == board
    assert operations == {
        "bm": [other, mate],
        "am": [Move.from_uci("f1e1")],
        "pv": line,
        "id": 'a "b" \\ c; d',
        "dm": 5,
        "ce": -31,
        "acs": 1.5,
        "sm": mate,
        "draw_offer": None,
        "c0": "",
    }
    assert write(again, operations) == epd


@pytest.mark.parametrize(
    ("text", "operations"),
    [
        ("bm Ra8; id mate in two;", {"bm": ["a1a8"], "id": "mate in two"}),
        ("bm Ra8", {"bm": ["a1a8"]}),
        ("bm a1a8 Rxa7!?;", {"bm": ["a1a8", "a1a7"]}),
        (" ;D1 15 ;D2 67", {"D1": 15, "D2": 67}),
        (";D1 15;D2 67;", {"D1": 15, "D2": 67}),
        ("-; ;; dm +3 ;", {"dm": 3}),
        ('id "open', None),
        ("eco;", {"eco": None}),
        ("3 7 dm 2;", {"dm": 2}),
        ("3 7", {}),
        ("ce 1e3; acs .5;", {"ce": 1000.0, "acs": 0.5}),
    ],
)
def test_tolerance(text: str, operations: dict[str, object] | None) -> None:
    line = f"{BARE}{'' if text.startswith(';') else ' '}{text}"
    if operations is None:
        with pytest.raises(EpdError):
            Board.from_epd(line)
        return
    board, found = Board.from_epd(line)
    assert board.epd() == BARE
    plain = {
        opcode: [move.uci() for move in operand] if isinstance(operand, list) else operand
        for opcode, operand in found.items()
    }
    assert plain == operations
    if text.startswith("3 7"):
        assert board.fen() == f"{BARE} 3 7"


def test_counters() -> None:
    board = Board()
    board.push_uci("b1b5")
    operations = board.set_epd(f"{BARE} hmvc 17; fmvn 40;")
    assert operations == {"hmvc": 17, "fmvn": 40}
    assert board.fen() == f"{BARE} 17 40"
    assert not board.move_stack
    assert board.legal_moves
    assert board.epd(hmvc=board.halfmove_clock, fmvn=board.fullmove_number) == (
        f"{BARE} hmvc 17; fmvn 40;"
    )


@pytest.mark.parametrize(
    ("epd", "words"),
    [
        ("", "found 0 fields"),
        ("5k4/10/10/10/10/10/10/R4K4 w -", "found 3 fields"),
        ("5k4/10/10/10/10/10/10/R4K4 w -; -", "found 3 fields"),
        ("5k4/10/10/10/10/10/R4K4 w - -", "FEN field 1 (placement): found 7 ranks"),
        (f"{BARE} bm Ra9;", "EPD bm: move 'Ra9': expected SAN"),
        (f"{BARE} am Rb2;", "EPD am: move 'Rb2' is not legal"),
        (f"{BARE} pv Ra8 Ra7;", "EPD pv: move 'Ra7' is not legal"),
        (f"{BARE} 9x 1;", "opcode '9x'"),
        (f"{BARE} a-b 1;", "opcode 'a-b'"),
        (f"{BARE} dm 1; dm 2;", "opcode dm is there twice"),
        (f'{BARE} id "a" b;', "EPD id"),
        (f"{BARE} ce {'9' * 50};", "at most 18 digits"),
        (f"{BARE} ce 1e999;", "expected a finite number"),
        (f"{BARE} hmvc -1;", "EPD hmvc: found '-1', expected a number 0 to 9999"),
        (f"{BARE} fmvn x;", "EPD fmvn: found 'x', expected a number 1 to 99999"),
    ],
)
def test_refused(epd: str, words: str) -> None:
    board = Board()
    with pytest.raises(EpdError) as caught:
        board.set_epd(epd)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert board == Board()


def test_writing_refused() -> None:
    board = Board()
    with pytest.raises(EpdError, match="EPD bm: move b1b4 is not legal"):
        board.epd(bm=[Move.from_uci("b1b4")])
    with pytest.raises(EpdError, match="without a line break"):
        board.epd(id="a\nb")
    with pytest.raises(EpdError, match="expected a number of moderate size"):
        board.epd(ce=float("nan"))
    with pytest.raises(EpdError, match="opcode 'a b'"):
        write(board, {"a b": 1})
    with pytest.raises(EpdError, match="found several moves"):
        board.epd(sm=[Move.from_uci("b1b3")])


@given(boards(), st.data())
def test_round_trip(board: Board, data: st.DataObject) -> None:
    moves = list(board.legal_moves)
    lists = st.lists(st.sampled_from(moves), unique=True, max_size=3) if moves else st.just([])
    operations: dict[str, Any] = data.draw(
        st.fixed_dictionaries(
            {},
            optional={
                "bm": lists,
                "am": lists,
                "id": st.text(st.characters(exclude_categories=["C", "Z"]), max_size=20),
                "ce": st.integers(-32000, 32000),
                "acs": st.floats(0, 1e6),
                "dm": st.none(),
            },
        )
    )
    epd = write(board, operations)
    again, found = type(board).from_epd(epd)
    assert again.epd() == board.epd()
    assert write(again, found) == epd
    assert found.keys() == operations.keys()
    for opcode, operand in operations.items():
        if isinstance(operand, list):
            assert set(cast(list[Move], found[opcode])) == set(operand)
        else:
            assert found[opcode] == operand


OPERATIONS = st.text(alphabet='bmaidpvce "\\;-+.0129RakKf8 \t\n', max_size=40)


@given(st.sampled_from(BOARDS), st.text() | OPERATIONS.map(f"{BARE} ".__add__))
def test_any_text_is_read_or_refused(board_class: type[Board], text: str) -> None:
    try:
        board, operations = board_class.from_epd(text)
    except EpdError as error:
        assert "\n" not in str(error)
    else:
        assert board.legal_moves.count() >= 0
        assert all(opcode.isidentifier() for opcode in operations)


def test_known_mates() -> None:
    """The best moves of a test suite go through EPD and come back."""
    path = Path(__file__).parent / "data" / "ad_mates.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(rows) == 40
    for row in rows:
        board = find_variant("angelsanddevils")(row["fen"])
        move = board.parse_uci(row["bm"])
        epd = board.epd(bm=[move], dm=row["dm"], id=" ".join(row["tags"]))
        again, operations = Board.from_epd(epd)
        assert operations == {"bm": [move], "dm": row["dm"], "id": " ".join(row["tags"])}
        assert again.epd() == board.epd()


def test_numbers_of_moves_are_passed_over() -> None:
    board, operations = Board.from_epd(f"{' '.join(Board().fen().split()[:4])} pv 1. Ab5 a5 2.e4;")
    assert board.variation_san(cast(Any, operations["pv"])) == "1. Ab5 a5 2. e4"
