"""The search by itself: limits, mates, draws and answers that can be repeated."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

import abdiel
from abdiel.core.searcher import FULL_SKILL, MATE, Searcher, budget

MATES = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "ad_mates.jsonl").read_text().splitlines()
]


def search(
    board: abdiel.Board, searcher: Searcher | None = None, **limits: Any
) -> tuple[str, list[tuple[Any, ...]]]:
    """Return the best move and the reports."""
    reports: list[tuple[Any, ...]] = []
    searcher = searcher or Searcher(4)
    best, _ = searcher.search(board._position, on_info=reports.append, **limits)
    return board._from_core(best).uci() if best else "0000", reports


@pytest.mark.parametrize("case", MATES, ids=lambda case: f"{case['bm']}-in-{case['dm']}")
def test_a_mate_search_finds_the_proven_mate_at_its_length(case: dict[str, Any]) -> None:
    board = abdiel.Board(case["fen"])
    best, reports = search(board, mate=case["dm"])
    assert best == case["bm"]
    assert reports[-1][3] == MATE - (2 * case["dm"] - 1)


@pytest.mark.parametrize("case", MATES[::4], ids=lambda case: case["bm"])
def test_a_mate_search_that_is_too_short_finds_none_and_ends(case: dict[str, Any]) -> None:
    _, reports = search(abdiel.Board(case["fen"]), mate=case["dm"] - 1)
    # A line that ends in captures may show the longer mate: it must not be called the shorter one.
    assert reports[-1][3] < MATE - (2 * (case["dm"] - 1) - 1)


def test_node_limits_are_exact() -> None:
    for limit in (1, 2, 1000, 1023, 1024, 1025, 4321):
        searcher = Searcher(4)
        best, reports = search(abdiel.Board(), searcher, nodes=limit)
        assert searcher.nodes == limit
        assert reports[-1][5] <= limit
        assert abdiel.Board()._from_core(reports[-1][8][0]).uci() == best
        assert abdiel.Move.from_uci(best) in abdiel.Board().legal_moves


def test_the_same_search_gives_the_same_answer() -> None:
    answers = []
    searcher = Searcher(4)
    for _ in range(2):
        searcher.clear()
        best, reports = search(abdiel.Board(), searcher, depth=6)
        answers.append((best, searcher.nodes, [(r[:4], r[8]) for r in reports]))
    assert answers[0] == answers[1]
    assert answers[0][1] > 0


def test_lines_are_legal_to_the_end_and_ordered_by_score() -> None:
    for variant in abdiel.VARIANTS:
        board = abdiel.find_variant(variant)()
        _, reports = search(board, depth=5, multipv=4)
        deepest = [r for r in reports if r[0] == 5]
        assert [r[2] for r in deepest] == [1, 2, 3, 4]
        assert [r[3] for r in deepest] == sorted((r[3] for r in deepest), reverse=True)
        assert len({r[8][0] for r in deepest}) == 4
        for report in deepest:
            line = board.copy()
            for move in report[8]:
                line.push(line._from_core(move))


def test_only_the_moves_asked_for_are_searched() -> None:
    board = abdiel.Board()
    wanted = board._position.legal_moves()[3:5]
    best, reports = search(board, depth=4, searchmoves=wanted, multipv=9)
    assert {r[8][0] for r in reports} == set(wanted)
    assert best in {board._from_core(move).uci() for move in wanted}


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("k9/10/1QK7/10/10/10/10/10 b - - 0 1", 0),  # stalemate
        ("k9/1Q8/2K7/10/10/10/10/10 b - - 0 1", -MATE),
    ],
)
def test_without_a_legal_move_the_report_says_how_it_stands(fen: str, score: int) -> None:
    best, reports = search(abdiel.Board(fen), depth=3)
    assert best == "0000"
    assert [(r[0], r[3]) for r in reports] == [(0, score)]


def test_a_repetition_saves_the_lost_side() -> None:
    # White is a Queen against a Rook behind, yet one move makes the third occurrence.
    board = abdiel.Board("q5k3/10/10/10/10/10/10/1K5R2 w - - 0 1")
    for uci in ["h1j1", "g8h8", "j1i1", "h8g8", "i1j1", "g8h8", "j1h1", "h8g8"]:
        board.push_uci(uci)
    best, reports = search(board, depth=4)
    assert best == "h1j1"
    assert reports[-1][3] == 0


@pytest.mark.parametrize(
    ("fen", "shuffle"),
    [
        ("10/10/10/10/K9/3R6/10/k9 w - - 0 1", "a4b3 a1b1 b3a4 b1a1"),
        ("10/5R4/10/10/10/6K3/10/9k w - - 0 1", "g3h2 j1j2 h2g3 j2j1"),
        ("10/10/10/10/2R7/10/k9/2K7 w - - 0 1", "c4c3 a2a1 c3c4 a1a2"),
    ],
)
def test_what_stood_on_the_board_once_is_no_draw_yet(fen: str, shuffle: str) -> None:
    board = abdiel.Board(fen)
    for uci in shuffle.split():
        board.push_uci(uci)
    _, reports = search(board, mate=2)
    assert reports[-1][3] == MATE - 3


def test_a_first_iteration_cut_short_keeps_the_best_move_searched() -> None:
    board = abdiel.Board("1rr2k4/10/10/q9/10/10/10/Q4K4 w - - 0 1")
    for limit in (3, 5, 10, 20):
        best, reports = search(board, nodes=limit)
        assert best == "a1a5"
        assert board._from_core(reports[-1][8][0]).uci() == best


def test_the_fifty_move_rule_is_seen() -> None:
    board = abdiel.Board("9k/10/10/10/10/10/R9/K9 w - - 99 80")
    _, reports = search(board, depth=4)
    assert reports[-1][3] == 0


def test_mate_on_the_hundredth_half_move_wins() -> None:
    board = abdiel.Board("k9/10/1K8/10/10/10/10/9R w - - 99 80")
    best, reports = search(board, depth=3)
    assert best == "j1j8"
    assert reports[-1][3] == MATE - 1


def test_stop_ends_an_infinite_search_and_a_stop_that_came_early_is_not_lost() -> None:
    searcher = Searcher(4)
    for delay in (0.0, 0.05):
        searcher.prepare()
        timer = threading.Timer(delay, searcher.stop)
        timer.start()
        best, _ = search(abdiel.Board(), searcher, infinite=True)
        timer.join()
        assert abdiel.Move.from_uci(best) in abdiel.Board().legal_moves
    searcher.prepare()
    searcher.stop()
    best, _ = search(abdiel.Board(), searcher, infinite=True)
    assert abdiel.Move.from_uci(best) in abdiel.Board().legal_moves


def test_pondering_waits_for_the_hit_even_when_its_depth_is_reached() -> None:
    searcher = Searcher(4)
    searcher.prepare(ponder=True)
    answered = threading.Event()

    def think() -> None:
        search(abdiel.Board(), searcher, depth=2, ponder=True)
        answered.set()

    thread = threading.Thread(target=think)
    thread.start()
    assert not answered.wait(0.3)
    searcher.ponderhit()
    assert answered.wait(60)
    thread.join()


def test_too_large_a_table_is_refused_and_the_old_one_stays() -> None:
    searcher = Searcher(4)
    search(abdiel.Board(), searcher, depth=5)
    first = searcher.nodes
    with pytest.raises(MemoryError, match="memory"):
        searcher.resize(1 << 30)
    search(abdiel.Board(), searcher, depth=5)
    assert 0 < searcher.nodes < first  # what was learned is still there
    searcher.clear()
    search(abdiel.Board(), searcher, depth=5)
    assert searcher.nodes == first
    with pytest.raises(ValueError, match="at least 1"):
        searcher.resize(0)


def test_an_error_in_the_callback_reaches_the_caller_and_the_next_search_works() -> None:
    searcher = Searcher(4)

    def fail(report: tuple[Any, ...]) -> None:
        raise KeyError(report[0])

    with pytest.raises(KeyError):
        searcher.search(abdiel.Board()._position, depth=3, on_info=fail)
    best, _ = search(abdiel.Board(), searcher, depth=3)
    assert abdiel.Move.from_uci(best) in abdiel.Board().legal_moves


@pytest.mark.parametrize("overhead", [0, 10, 50])
@pytest.mark.parametrize("increment", [0, 10, 100, 5000])
def test_the_clock_lasts_if_every_move_is_delayed_by_the_overhead(
    increment: int, overhead: int
) -> None:
    """Simulated games: each move takes the most that it may and the delay that was foretold."""
    for clock in (500, 2_000, 60_000, 3_600_000):
        left = float(clock)
        for _ in range(400):
            aim, most = budget(int(left), increment, 0, overhead)
            assert 1 <= aim <= max(most, 1)
            # Without an increment that pays for the delays every clock runs out in the end.
            if left < 10 * (overhead + 1) and increment <= overhead + 1:
                break
            assert most + overhead < left
            left += increment - aim - overhead
        for togo in (1, 2, 5, 40):
            aim, most = budget(clock, increment, togo, overhead)
            assert 1 <= aim <= most < clock


def test_a_longer_clock_is_used() -> None:
    aims = [budget(clock, 0, 0, 10)[0] for clock in (1_000, 10_000, 100_000, 1_000_000)]
    assert aims == sorted(aims)
    assert aims[-1] > 20_000
    assert budget(10_000, 1_000, 0, 10)[0] > budget(10_000, 0, 0, 10)[0]
    assert budget(10_000, 0, 5, 10)[0] > budget(10_000, 0, 0, 10)[0]


@pytest.mark.parametrize("variant", abdiel.VARIANTS)
def test_several_threads_search_the_same_game(variant: str) -> None:
    board = abdiel.find_variant(variant)()
    searcher = Searcher(8, threads=3)
    best, reports = search(board, searcher, depth=9)
    assert abdiel.Move.from_uci(best) in board.legal_moves
    assert reports[-1][0] == 9
    depths = [report[0] for report in reports]
    assert depths == sorted(set(depths))  # what a helper finished first may leave gaps
    assert searcher.nodes >= reports[-1][5] > 0
    for report in reports:
        line = board.copy()
        for move in report[8]:
            line.push(line._from_core(move))


def test_threads_find_mates_and_obey_limits_and_stop() -> None:
    case = MATES[0]
    searcher = Searcher(8, threads=2)
    best, reports = search(abdiel.Board(case["fen"]), searcher, mate=case["dm"])
    assert best == case["bm"]
    assert reports[-1][3] == MATE - (2 * case["dm"] - 1)
    searcher.prepare()
    threading.Timer(0.05, searcher.stop).start()
    best, _ = search(abdiel.Board(), searcher, infinite=True)
    assert best != "0000"
    search(abdiel.Board(), searcher, nodes=5000)
    assert 5000 <= searcher.nodes < 50_000


def test_the_number_of_threads_can_change_and_one_is_the_same_as_ever() -> None:
    searcher = Searcher(4)
    answers = []
    for threads in (1, 2, 1):
        searcher.set_threads(threads)
        searcher.clear()
        answers.append((search(abdiel.Board(), searcher, depth=7)[0], searcher.nodes))
    assert answers[0] == answers[2]
    with pytest.raises(ValueError, match="threads: found 0, expected at least 1"):
        searcher.set_threads(0)


def test_weak_play_thinks_less_varies_and_takes_a_mate_in_one() -> None:
    board = abdiel.Board()
    nodes = []
    for skill in (0, 5, 10, 15):
        searcher = Searcher(4)
        best, _ = search(board, searcher, skill=float(skill), depth=30)
        assert abdiel.Move.from_uci(best) in board.legal_moves
        nodes.append(searcher.nodes)
    assert nodes == sorted(nodes)
    assert nodes[0] < 500 < nodes[-1]

    searcher = Searcher(4)
    played = set()
    for _ in range(20):
        searcher.clear()
        played.add(search(board, searcher, skill=1.0, depth=30)[0])
    assert len(played) > 2

    mate = abdiel.Board("k9/10/1K8/10/10/10/10/9R w - - 0 1")
    for _ in range(5):
        searcher.clear()
        assert search(mate, searcher, skill=0.0, depth=30)[0] == "j1j8"


def test_weak_play_answers_the_same_from_the_same_seed() -> None:
    games = []
    for _ in range(2):
        searcher = Searcher(4)
        board = abdiel.Board()
        for _ in range(8):
            board.push_uci(search(board, searcher, skill=3.0, depth=30)[0])
        games.append(board.fen())
    assert games[0] == games[1]


def test_full_skill_is_the_search_itself() -> None:
    searcher = Searcher(4)
    best, _ = search(abdiel.Board(), searcher, depth=7)
    nodes = searcher.nodes
    searcher.clear()
    assert search(abdiel.Board(), searcher, skill=FULL_SKILL, depth=7)[0] == best
    assert searcher.nodes == nodes


@pytest.mark.parametrize(("left", "increment"), [(3, 2), (90, 2), (30, 100)])
def test_with_next_to_no_time_left_it_only_looks(left: int, increment: int) -> None:
    board = abdiel.Board()
    searcher = Searcher(4)
    best, _ = search(board, searcher, time_left=left, increment=increment, overhead=10)
    assert abdiel.Move.from_uci(best) in board.legal_moves
    assert searcher.nodes <= 200
