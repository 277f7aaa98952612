"""PGN: read tolerantly, written canonically, and no bad game takes others with it."""

import copy
import gc
import io
import pickle
import weakref
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_boards import boards

from abdiel import Board, Move, PgnError, find_variant, pgn
from abdiel.board import JanusBoard
from abdiel.notation.game import Game

CANONICAL = r"""[Event "Friendly"]
[Site "?"]
[Date "2026.01.31"]
[Round "?"]
[White "Raphael \"the healer\""]
[Black "Back\\slash"]
[Result "1/2-1/2"]
[Annotator "Ann"]
[Variant "angelsanddevils"]

{Before the first move.} 1. Ab5 $1 (1. e4 $2 $10 {too plain} 1... e5 ({why not}
1... d5 2. exd5) 2. Nd3) (1. -- d5) 1... Dxb6 {The Devil burns the Angel, and
this is said at such length that the line must break.} 2. e4 e5 3. Nd3 1/2-1/2"""


def test_canonical_text_is_kept() -> None:
    game = pgn.read_game(CANONICAL)
    assert game is not None
    assert str(game) == CANONICAL
    assert game.headers["White"] == 'Raphael "the healer"'
    assert game.headers["Black"] == "Back\\slash"
    assert " ".join(move.uci() for move in game.mainline_moves()) == "b1b5 b8b6 e2e4 e7e5 c1d3"
    first = game.variations[0]
    assert first.nags == {1}
    assert first.san() == "Ab5"
    assert first.ply() == 1
    assert first.turn() is False
    assert game.variations[1].comment == "too plain"
    assert game.variations[1].variations[1].starting_comment == "why not"
    assert game.variation(Move.null()) is game.variation(2)
    assert game.end().is_end()
    assert game.end().board().fen() == game.end().game().end().board().fen()
    assert max(map(len, CANONICAL.splitlines())) <= 79


TOLERANT = """\ufeff% an escaped line
; a line of comment

[Event "Friendly"]\r
[White "Raphael "the healer""]
[Black "Back\\\\slash"]  [ Date   "2026.01.31" ]
[Annotator "Ann"]
[Variant "Angels & Devils"]
[Result "1/2-1/2"]

{Before the
  first move.}  1.Axb5+! ( 1 e2e4?= {too
plain} 1...e7-e5 (1. ... {why not} d5 2.ed5) 2 N1d3 *) (1.Z0 d5)
% escaped (

1. ... Db6 ; The Devil burns the Angel, and
{this is said at such length that the line must break.}
2. e4 e5 3 Ncd3 <reserved>
"""


def test_tolerance() -> None:
    game = pgn.read_game(TOLERANT)
    assert game is not None
    assert str(game) == CANONICAL


def test_results() -> None:
    for text, result in [
        ("1. e4 1-0", "1-0"),
        ("1. e4 0-1", "0-1"),
        ("1. e4 1/2-1/2", "1/2-1/2"),
        ("1. e4 1/2", "1/2-1/2"),
        ("1. e4 ½-½", "1/2-1/2"),
        ("1. e4 *", "*"),
        ("1. e4", "*"),
        ('[Result "0-1"]\n\n1. e4 1-0', "0-1"),
        ('[Result "bad"]\n\n1. e4 1-0', "1-0"),
        ("0-1", "0-1"),
    ]:
        game = pgn.read_game(text)
        assert game is not None
        assert str(game).split()[-1] == result
        assert game.headers["Result"] == result


@pytest.mark.parametrize("text", ["", " \n\n", "\ufeff", "; a remark\n", "% escaped\n", "{x}"])
def test_no_game(text: str) -> None:
    assert pgn.read_game(text) is None
    assert list(pgn.read_games(text)) == []


def test_fen_and_variant() -> None:
    board = JanusBoard("10/2P2k4/10/10/10/10/10/5K4 b - - 3 12")
    board.push_uci("f7g7")
    board.push_uci("c7c8j")
    game = Game.from_board(board)
    text = str(game)
    assert '[FEN "10/2P2k4/10/10/10/10/10/5K4 b - - 3 12"]\n[SetUp "1"]\n' in text
    assert '[Variant "janus"]' in text
    assert "12... Kg7 13. c8=J" in text
    again = pgn.read_game(text)
    assert again is not None
    assert str(again) == text
    assert again.end().board() == board
    assert isinstance(again.board(), JanusBoard)
    again.setup(find_variant("gothic")())
    assert again.headers["Variant"] == "gothic"
    assert "FEN" not in again.headers


BAD_GAMES = """\
[Event "one"]

1. e4 e5 1-0

[Event "bad move"]

1. e4 e5
2. Nd3 Nk9 3. h3 {unread (} (
1-0

[Event "three"]

1. e4 e5 2. f4 *

[Event "bad position"]
[FEN "9/9 w"]

1. e4 1-0

[Event "bad variant"]
[Variant "chess"]

1. e4 *

[Event "bad tag"]
[Round 3]

1. e4 *

[Event "open variation"]

1. e4 (1. d4 d5

[Event "closed too often"]

1. e4 ) e5 0-1

[Event "open comment"]

1. e4 { e5 0-1

[Event "ten, without moves"]

[Event "eleven"]
1. e4 e5
[Event "twelve"]

(1. e4) *

1. d4 d5 1-0

1. d4 ?? wrong 1-0

1. d4 d6 0-1 1. d4 c6 * {and a comment}

1. d4 wrong {the rest of the comment
[White "is not a tag"]
} c5 1-0

1. d4 b6 *
"""


def test_a_bad_game_does_not_take_others_with_it() -> None:
    errors: list[PgnError] = []
    games = list(pgn.read_games(BAD_GAMES, on_error=errors.append))
    assert [game.headers["Event"] for game in games] == [
        "one",
        "three",
        "ten, without moves",
        "eleven",
        "?",
        "?",
        "?",
        "?",
    ]
    assert [str(game).splitlines()[-1] for game in games[-4:]] == [
        "1. d4 d5 1-0",
        "1. d4 d6 0-1",
        "1. d4 c6 {and a comment} *",
        "1. d4 b6 *",
    ]
    assert [(error.line, error.ply) for error in errors] == [
        (8, 3),
        (16, None),
        (21, None),
        (26, None),
        (32, 2),
        (36, 1),
        (40, 1),
        (48, 0),
        (52, 1),
        (56, 1),
    ]
    messages = [str(error) for error in errors]
    for message, words in zip(
        messages,
        [
            "line 8, at Black's move 2: move 'Nk9': expected SAN",
            "line 16: tag FEN: FEN field 1 (placement): found 2 ranks in '9/9', expected 8",
            "line 21: tag Variant: variant 'chess': expected one of angelsanddevils",
            "line 26: tag '[Round 3]', expected [Name \"value\"]",
            "line 32, at White's move 2: a variation opens that is never closed with )",
            "found ) though no variation is open",
            "line 40, at Black's move 1: a comment opens that is never closed with }",
            "found ( before a move",
            "move 'wrong': expected SAN",
            "line 56, at Black's move 1: move 'wrong': expected SAN",
        ],
        strict=True,
    ):
        assert words in message
        assert "\n" not in message


def test_errors_are_raised_and_reading_goes_on() -> None:
    reader = pgn.read_games(BAD_GAMES)
    found = failed = 0
    while True:
        try:
            next(reader)
            found += 1
        except PgnError:
            failed += 1
        except StopIteration:
            break
    assert (found, failed) == (8, 10)


def test_read_game_after_game_from_one_file(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(BAD_GAMES)
    found = failed = 0
    with path.open() as file:
        while True:
            try:
                game = pgn.read_game(file)
            except PgnError:
                failed += 1
                continue
            if game is None:
                break
            found += 1
        assert pgn.read_game(file) is None
    assert (found, failed) == (8, 10)


def test_files_are_not_kept_alive() -> None:
    file = io.StringIO(BAD_GAMES)
    pgn.read_game(file)
    gone = weakref.ref(file)
    del file
    gc.collect()
    assert gone() is None


def test_building_and_writing() -> None:
    game = Game()
    assert str(game).splitlines()[-1] == "*"
    node = game.add_variation(Move.from_uci("e2e4"), comment="best } by test", nags=[1])
    node.add_line([Move.from_uci("e7e5"), Move.from_uci("c1d3")], comment="end")
    side = game.add_variation(Move.from_uci("d2d4"), starting_comment="or")
    assert game.variation(Move.from_uci("d2d4")) is side
    assert [child.san() for child in game.mainline()] == ["e4", "e5", "Nd3"]
    for missing in (Move.from_uci("a2a3"), 7):
        with pytest.raises(KeyError):
            game.variation(missing)
    with pytest.raises(ValueError, match="the root of a game has no move"):
        game.san()
    file = io.StringIO()
    pgn.write_game(game, file)
    pgn.write_game(game, file)
    moves = "1. e4 $1 {best by test} ({or} 1. d4) 1... e5 2. Nd3 {end} *"
    assert file.getvalue().endswith(f"\n\n{moves}\n\n")
    assert [str(one) for one in pgn.read_games(file.getvalue())] == [str(game)] * 2
    game.headers["Bad name"] = "x"
    with pytest.raises(ValueError, match="tag 'Bad name'"):
        str(game)
    game = Game()
    game.add_variation(Move.from_uci("e2e5"))
    with pytest.raises(ValueError, match="cannot go to e5"):
        str(game)


def test_nesting_has_a_limit() -> None:
    deep = "1. e4 e5 " + "(1... d5 " * 60 + ")" * 60 + "*"
    game = pgn.read_game(deep)
    assert game is not None
    assert len(game.variations[0].variations) == 61
    with pytest.raises(PgnError, match="nested more than 64 deep"):
        pgn.read_game("1. e4 e5 " + "(1... d5 " * 5000)


def test_long_texts_take_no_long_time() -> None:
    game = pgn.read_game("1. e4 " + "{a} $1 " * 20_000 + "*")
    assert game is not None
    assert len(game.variations[0].comment) == 39_999
    game = pgn.read_game("1. e4 {" + "a\n" * 20_000 + "} *")
    assert game is not None
    assert len(game.variations[0].comment) == 39_999


def test_errors_in_long_lines_are_short() -> None:
    with pytest.raises(PgnError) as caught:
        pgn.read_game("1. " + "Q" * 100_000)
    assert len(str(caught.value)) < 200


@given(boards(plies=120))
def test_round_trip(board: Board) -> None:
    game = Game.from_board(board)
    text = str(game)
    again = pgn.read_game(text)
    assert again is not None
    assert str(again) == text
    assert again.end().board() == board
    assert list(again.mainline_moves()) == board.move_stack
    assert again.headers["Result"] == board.result()
    assert max(map(len, text.partition("\n\n")[2].splitlines())) <= 79


WORDS = st.text(st.characters(exclude_characters="}", exclude_categories=["C"]), max_size=30)


@given(boards(plies=12), st.data())
def test_trees_round_trip(board: Board, data: st.DataObject) -> None:
    game = Game.from_board(board)
    game.comment = data.draw(WORDS)
    game.headers["White"] = data.draw(WORDS)
    for node in list(game.mainline()):
        assert node.parent is not None
        node.comment = data.draw(WORDS)
        node.nags = data.draw(st.sets(st.integers(0, 139), max_size=2))
        others: list[Move] = [move for move in node.parent.board().legal_moves if move != node.move]
        if data.draw(st.booleans()) and others:
            side = node.parent.add_variation(data.draw(st.sampled_from(others)))
            side.starting_comment = data.draw(WORDS)
            side.comment = data.draw(WORDS)
    text = str(game)
    again = pgn.read_game(text)
    assert again is not None
    assert str(again) == text
    assert again.comment.split() == game.comment.split()
    for one, two in zip(game.mainline(), again.mainline(), strict=True):
        assert one.move == two.move
        assert one.nags == two.nags
        assert one.comment.split() == two.comment.split()
        assert len(one.variations) == len(two.variations)


SCRAPS = [
    *("1.", "2", "...", "e4", "e5", "Ab5", "Dxb6", "Nd3", "O-O", "--", "c8=A", "e.p.", "é", "ab"),
    *("(", ")", "{", "}", ";", "%", "[", "]", "<x>", "$1", "!", "??", "=", "+-"),
    *("*", "1-0", "0-1", "1/2-1/2", "\n", "\n\n"),
    *('\n[Event "x"]\n', '[FEN "10/10"]\n', '[Variant "janus"]\n', '[A "b'),
]


@given(st.text() | st.lists(st.sampled_from(SCRAPS), max_size=30).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    errors: list[PgnError] = []
    games = list(pgn.read_games(text, on_error=errors.append))
    for game in games:
        again = pgn.read_game(str(game))
        assert again is not None
        assert str(again) == str(game)
    for error in errors:
        assert "\n" not in str(error)
        assert error.line >= 1


def copies(game: Game) -> list[Game]:
    protocols = range(pickle.HIGHEST_PROTOCOL + 1)
    pickled = [pickle.loads(pickle.dumps(game, protocol)) for protocol in protocols]
    return [copy.copy(game), copy.deepcopy(game), *pickled]


def test_copies_of_a_game() -> None:
    game = pgn.read_game(CANONICAL)
    assert game is not None
    for twin in copies(game):
        assert isinstance(twin, Game)
        assert str(twin) == CANONICAL
        twin.headers["White"] = "Another"
        twin.variations[0].nags.add(5)
        twin.end().add_line([Move.null()])
        assert twin.variations[0].parent is twin
        assert str(game) == CANONICAL


def test_a_node_is_copied_with_its_game() -> None:
    game = pgn.read_game(CANONICAL)
    assert game is not None
    node = game.variations[1].variations[1]
    for twin in (copy.deepcopy(node), pickle.loads(pickle.dumps(node, 0))):
        assert twin is not node
        assert twin.starting_comment == "why not"
        assert str(twin.game()) == CANONICAL
        assert twin.game().variations[1].variations[1] is twin
    both = copy.deepcopy([node, game])
    assert both[0].game() is both[1]


def test_long_games_are_copied() -> None:
    board = Board()
    for ply in range(3000):
        board.push_san(("Nd3", "Nd6", "Nc1", "Nc8")[ply % 4])
    game = Game.from_board(board)
    for twin in copies(game):
        assert list(twin.mainline_moves()) == board.move_stack
    end = copy.deepcopy(game.end())
    assert end.ply() == 3000


def test_errors_reach_other_processes() -> None:
    with pytest.raises(PgnError) as caught:
        pgn.read_game("1. e4 e5 2. Ke5")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line, again.ply) == (str(caught.value), 1, 2)


def test_every_null_move_is_read() -> None:
    for null in ("--", "0000", "@@@@", "Z0"):
        game = pgn.read_game(f"1. {null} e5 2. {null} (2. e4 {null}) *")
        assert game is not None
        assert next(game.mainline_moves()) == Move.null()
        assert game.end().ply() == 3
