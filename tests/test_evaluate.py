"""The evaluation: symmetric between the sides, its terms adding up to it, and of the right sign."""

import random

import pytest
from hypothesis import given, settings
from random_boards import boards

import abdiel
from abdiel.core.evaluate import after_pass, evaluate, terms, trace
from abdiel.core.searcher import MATE
from abdiel.core.weights import GAMES, parameters, weights


def games(variant: str, seed: int, plies: int) -> list[abdiel.Board]:
    rng = random.Random(seed)
    board = abdiel.find_variant(variant)()
    seen = []
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
        seen.append(board.copy(stack=False))
    return seen


def score(fen: str, variant: str = "angelsanddevils") -> int:
    """The evaluation from White's view, the side to move's bonus left out."""
    position = abdiel.find_variant(variant)(fen)._position
    return sum(white - black for term, (white, black) in terms(position).items() if term != "tempo")


def counts(board: abdiel.Board) -> list[tuple[int, int, int]]:
    return trace(board._position)[4]


def check_laws(board: abdiel.Board) -> None:
    found = evaluate(board._position)
    mirrored = board.mirror()
    assert abs(found) < MATE // 2
    assert evaluate(board._position) == found, "the same again"
    assert evaluate(board._position, cached=True) == found, "into the cache"
    assert evaluate(board._position, cached=True) == found, "out of the cache"
    assert evaluate(mirrored._position) == found
    assert evaluate(mirrored._position, cached=True) == found
    assert counts(mirrored) == [(weight, black, white) for weight, white, black in counts(board)]
    shares = terms(board._position).values()
    total = sum(white - black for white, black in shares)
    # Each share is rounded on its own.
    assert abs((total if board.turn == abdiel.WHITE else -total) - found) <= 2 * len(shares)


@pytest.mark.parametrize("variant", list(abdiel.VARIANTS))
def test_laws_in_games(variant: str) -> None:
    for seed in range(4):
        for board in games(variant, seed, 120):
            check_laws(board)


@settings(max_examples=300, deadline=None)
@given(boards())
def test_laws(board: abdiel.Board) -> None:
    check_laws(board)


def test_a_cache_keeps_the_games_apart() -> None:
    # Their pawns, and so the pawns' keys, are the same; their weights are not.
    for _ in range(2):
        for variant in ("angelsanddevils", "capablanca"):
            position = abdiel.find_variant(variant)()._position
            assert evaluate(position, cached=True) == evaluate(position)


def test_the_cache_sees_the_king_move() -> None:
    for king in ("RA1BQ1KNAR", "RA1BQK1NAR", "R1KABQ1NAR"):
        board = abdiel.Board(f"rdnbqkbndr/pppppppppp/10/10/10/10/PPPP3PPP/{king} w - - 0 1")
        assert evaluate(board._position, cached=True) == evaluate(board._position)


def test_a_piece_more_is_worth_more() -> None:
    for removed in ("a8", "b8", "c8", "d8", "e8", "e7"):
        board = abdiel.Board()
        level = evaluate(board._position)
        board.remove_piece_at(abdiel.parse_square(removed))
        assert evaluate(board._position) > level + (25 if removed == "e7" else 150)


def test_what_cannot_be_won_is_worth_little() -> None:
    for army in ("A", "D", "N", "B"):
        assert abs(score(f"5k4/10/10/10/10/10/10/{army}4K4 w - - 0 1")) < 60
    assert score("5k4/10/10/10/10/10/10/R4K4 w - - 0 1") > 300


def test_no_progress_is_worth_less() -> None:
    fen = "r4k4/pppp6/10/10/10/10/PPPPP5/R4K4 w - - {} 90"
    assert 0 < score(fen.format(80)) < score(fen.format(0))


@pytest.mark.parametrize("variant", [name for name in abdiel.VARIANTS if name != "angelsanddevils"])
def test_a_pass_changes_the_tempo(variant: str) -> None:
    errors = []
    for seed in range(10):
        for board in games(variant, seed, 40):
            if not board.is_check():
                pieces, turn, *_ = board.fen().split()
                passed = f"{pieces} {'b' if turn == 'w' else 'w'} - - 0 1"
                found = evaluate(type(board)(f"{pieces} {turn} - - 0 1")._position)
                errors.append(abs(after_pass(found) - evaluate(type(board)(passed)._position)))
    assert len(errors) > 200
    assert max(errors) <= 3


def test_a_passed_pawn_grows() -> None:
    ranks = ["10"] * 8
    scores = []
    for rank in range(2, 7):
        rows = [*ranks]
        rows[0] = "9k"
        rows[7] = "9K"
        rows[7 - rank] = "P9"
        scores.append(score("/".join(rows) + " w - - 0 1"))
    assert scores == sorted(scores)


def test_a_cluster_before_a_devil_costs() -> None:
    # The Devil's landing on e4 burns what stands around it: d4 and f4, or one of them elsewhere.
    close = "5k4/pppppppppp/4d5/10/3N1B4/10/PPPPPPPPPP/5K4 w - - 0 1"
    apart = "5k4/pppppppppp/4d5/10/3N6/5B4/PPPPPPPPPP/5K4 w - - 0 1"
    _, before = terms(abdiel.Board(apart)._position)["clusters"]
    _, after = terms(abdiel.Board(close)._position)["clusters"]
    assert before < after


def test_weights_are_listed() -> None:
    listed = parameters()
    assert len({name for name, *_ in listed}) == len(listed)
    for game in range(len(GAMES)):
        assert len(weights(game)) == sum(count for _, count, *_ in listed)
