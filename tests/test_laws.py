"""Laws of the core, tried on drawn positions and games and compared with the slow reference."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest
import strategies
from bridge import find, from_core, squares, text, to_core
from hypothesis import assume, given
from hypothesis import strategies as st
from reference import Move, Reference
from strategies import choose, codes, positions, starts

from abdiel import find_variant
from abdiel.core import position as core
from abdiel.core.position import Position


def _keys(position: Position) -> tuple[int, int, int]:
    return position.key, position.pawn_key, position.material_key


def _agree(position: Position, reference: Reference) -> dict[str, tuple[int, Move]]:
    """Core and reference agree about a position and its moves; the moves of both by UCI text."""
    variant = reference.variant
    assert from_core(position, variant).fen() == reference.fen()
    assert _keys(position) == position.fresh_keys()
    assert position.is_check() == reference.is_check()
    assert squares(position.checkers()) == reference.checkers()

    legal = {reference.uci(move): move for move in reference.legal_moves()}
    moves = {text(reference, move): move for move in position.legal_moves()}
    assert sorted(moves) == sorted(legal)
    assert len(position.legal_moves()) == len(moves) == position.count_legal()
    assert position.perft(1) == len(moves)
    for uci, move in moves.items():
        assert squares(position.removed(move)) == set(legal[uci].removed), uci
        # What the hash table keeps of a move is enough to know it again.
        assert position.find_move(*_ends(move)) == position.complete_move(*_ends(move)) == move

    removals, quiets = position.removals(), position.quiets()
    checks = [move for move in quiets if position.gives_check(move)]
    assert position.quiet_checks() == checks
    assert sorted(removals + quiets) == sorted(position.legal_moves())
    for uci, move in moves.items():
        assert (move in removals) == bool(legal[uci].removed or legal[uci].promotion), uci
    return {uci: (move, legal[uci]) for uci, move in moves.items()}


def _ends(move: int) -> tuple[int, int, int]:
    return core.move_from(move), core.move_to(move), core.move_promotion(move)


# What each theme of positions is there for, in the words of `_sights`.
PROMISES: dict[strategies.Theme, set[str]] = {
    strategies.scattered: {"check"},
    strategies.castling: {
        "castling",
        "own piece eaten",
        "right lost by own Devil",
        "right lost by burn or jump",
        "right lost by capture",
    },
    strategies.promotion: {"promotion", "promotion to A or D"},
    strategies.passing: {"en passant", "en passant square of no use"},
    strategies.gates: {"would open an Angel's landing square", "check by opening such a square"},
    strategies.fuses: {"would open a line by removing two"},
    strategies.crowds: {"three or more removed", "own piece eaten"},
    strategies.corner: {"double check", "triple check", "mate"},
    strategies.lines: {"discovered check", "double check made"},
}


@pytest.mark.parametrize("theme", PROMISES, ids=lambda theme: theme.__name__)
def test_every_move_of_a_position(theme: strategies.Theme) -> None:
    seen: set[str] = set()

    @given(positions(themes=[theme]))
    def law(reference: Reference) -> None:
        position = to_core(reference)
        before = position.state()
        moves = _agree(position, reference)
        afters = {slow: reference.make(slow) for _, slow in moves.values()}
        for uci, (move, slow) in moves.items():
            after = afters[slow]
            checks = position.gives_check(move)
            position.make(move)
            assert from_core(position, reference.variant).fen() == after.fen(), uci
            assert position.is_check() == checks == after.is_check(), uci
            assert squares(position.checkers()) == after.checkers(), uci
            assert _keys(position) == position.fresh_keys() == _keys(to_core(after)), uci
            assert position.has_legal_ep == (after.usable_passed() is not None), uci
            assert position.last_move() == move
            position.unmake()
            assert position.state() == before, uci
        seen.update(_sights(reference, afters))

    law()
    assert PROMISES[theme] <= seen  # the law is worth what it was tried on


@given(positions(), codes(12))
def test_games_from_positions(reference: Reference, numbers: list[int]) -> None:
    _play(reference, numbers)


@given(starts(), codes(40))
def test_games_from_the_start(reference: Reference, numbers: list[int]) -> None:
    _play(reference, numbers)


def _play(reference: Reference, numbers: list[int]) -> None:
    """A whole game forth and back, the core in step with the reference."""
    position = to_core(reference)
    past: list[Move] = []
    states = [position.state()]
    for number in numbers:
        moves = _agree(position, reference)
        if not moves:
            break
        slow = choose(reference, [slow for _, slow in moves.values()], past, number)
        move, _ = moves[reference.uci(slow)]
        checks = position.gives_check(move)
        position.make(move)
        reference = reference.make(slow)
        assert checks == reference.is_check()
        past.append(slow)
        states.append(position.state())
    _agree(position, reference)
    assert position.ply == len(past)
    while past:
        assert position.state() == states.pop()
        position.unmake()
        past.pop()
    assert position.state() == states.pop()


@given(positions())
def test_texts_of_a_board(reference: Reference) -> None:
    """FEN and UCI texts are read and written as the reference does, and no other move is taken."""
    kind = find_variant(reference.variant)
    board = kind(reference.fen())
    assert board.fen(en_passant="fen") == reference.fen()
    assert board.fen() == reference.fen(always_passed=False)
    legal = {reference.uci(move): move for move in reference.legal_moves()}
    assert sorted(map(board.uci, board.legal_moves)) == sorted(legal)
    for uci, slow in legal.items():
        move = board.parse_uci(uci)
        assert board.uci(move) == uci
        assert set(board.removed(move)) == set(slow.removed)
        board.push(move)
        assert board.fen(en_passant="fen") == reference.make(slow).fen()
        board.pop()
    for slow in set(reference.pseudo_legal_moves()) - set(legal.values()):
        with pytest.raises(ValueError, match=reference.uci(slow)):
            board.parse_uci(reference.uci(slow))
    assert board == kind(reference.fen())


@given(positions())
def test_perft_equals_walking(reference: Reference) -> None:
    position = to_core(reference)
    before = position.state()
    leaves = 0
    for move in position.legal_moves():
        position.make(move)
        leaves += position.count_legal()
        position.unmake()
    assert position.perft(2) == leaves
    assert position.state() == before


@given(positions())
def test_attackers_of_every_square(reference: Reference) -> None:
    position = to_core(reference)
    for white in (True, False):
        color = core.WHITE if white else core.BLACK
        for target in range(80):
            found = squares(position.attackers(color, target))
            assert found == reference.attackers(white, target), (white, target)


@given(positions())
def test_attacks_of_every_piece(reference: Reference) -> None:
    position = to_core(reference)
    for start in range(80):
        assert squares(position.attacks(start)) == reference.attacks(start), start


@given(positions(), st.lists(st.tuples(*[st.integers(0, 79)] * 2, st.integers(0, 10)), max_size=60))
def test_find_move_finds_no_other(
    reference: Reference, guesses: list[tuple[int, int, int]]
) -> None:
    position = to_core(reference)
    legal = {_ends(move): move for move in position.legal_moves()}
    for guess in guesses:
        assert position.find_move(*guess) == legal.get(guess, 0)
    for (start, end, _), promotion in itertools.product(legal, range(11)):
        guess = (start, end, promotion)
        assert position.find_move(*guess) == legal.get(guess, 0)


@given(positions())
def test_null_move(reference: Reference) -> None:
    assume(not reference.is_check())
    position = to_core(reference)
    before = position.state()
    position.make_null()
    passed = reference.fen().split()
    passed[1] = "b" if reference.turn else "w"
    passed[3] = "-"
    other = Reference(" ".join(passed), reference.variant)
    assert _keys(position) == position.fresh_keys() == _keys(to_core(other))
    assert from_core(position, reference.variant).fen().split()[:4] == passed[:4]
    moves = sorted(text(reference, move) for move in position.legal_moves())
    assert moves == sorted(other.uci(move) for move in other.legal_moves())
    position.unmake_null()
    assert position.state() == before


@given(positions(), codes(10))
def test_a_copy_is_independent(reference: Reference, numbers: list[int]) -> None:
    position = to_core(reference)
    states = [position.state()]
    for number in numbers:
        if not position.count_legal():
            break
        legal = sorted(position.legal_moves())
        position.make(legal[number % len(legal)])
        states.append(position.state())
    twin = position.copy()
    assert twin.state() == position.state()
    for move in position.legal_moves():
        twin.make(move)
        break
    assert position.state() == states[-1]
    while position.ply:
        position.unmake()
        states.pop()
        assert position.state() == states[-1]
    while twin.ply:
        twin.unmake()
    assert twin.state() == states[0]


@given(
    positions(themes=(strategies.scattered, strategies.passing, strategies.castling), most=4),
    codes(40),
)
def test_repetition_and_keys(reference: Reference, numbers: list[int]) -> None:
    """Keys are equal exactly when positions are the same; repetitions are counted so."""
    position = to_core(reference)
    past: list[Move] = []
    seen: Counter[object] = Counter()
    by_key: dict[int, object] = {}
    for number in numbers:
        same = reference.same()
        assert position.repetitions() == seen[same]
        seen[same] += 1
        assert by_key.setdefault(position.key, same) == same
        legal = reference.legal_moves()
        if not legal:
            break
        # Mostly back and forth, or nothing would ever come again.
        slow = choose(reference, legal, past, number if number % 8 == 1 else number // 8 * 8)
        position.make(find(position, slow))
        reference = reference.make(slow)
        past.append(slow)
    assert len(by_key) == len(seen)


@given(positions(themes=[strategies.passing]))
def test_the_passed_square_counts_only_if_usable(reference: Reference) -> None:
    """An en passant square that allows no legal capture makes no other position."""
    assume(reference.passed is not None)
    position = to_core(reference)
    usable = reference.usable_passed() is not None
    assert position.has_legal_ep == usable
    without = Reference(reference.fen(), reference.variant)
    without.passed = None
    assert (to_core(without).key != position.key) == usable


@given(
    st.lists(
        st.tuples(st.integers(0, 79), st.sampled_from("NnBbBb"), st.integers(0, 7)), max_size=5
    ),
    st.sampled_from(["angelsanddevils", "capablanca"]),
    st.sampled_from("PRQAD"),
    st.booleans(),
)
def test_dead_positions(
    pieces: list[tuple[int, str, int]], variant: str, other: str, with_other: bool
) -> None:
    reference = Reference("10/10/10/10/10/10/10/K8k w - - 0 1", variant)
    for at, piece, same_shade in pieces:
        # Most on one square colour, or hardly any position would be dead.
        if same_shade and (at + at // 10) % 2:
            at ^= 1
        if at not in (0, 9):
            reference.board[at] = piece
    if with_other and (other != "D" or variant == "angelsanddevils"):
        reference.board[34] = other if other != "A" or variant == "angelsanddevils" else "H"
    assert to_core(reference).is_dead() == reference.is_dead()


@given(positions())
def test_pinned_pieces_are_on_a_line_with_the_king(reference: Reference) -> None:
    """A piece of the side to move is pinned when without it a slider would attack the King."""
    position = to_core(reference)
    white = reference.turn
    king = reference.king(white)
    pinned = set()
    for at in range(80):
        if reference.owns(white, at) and at != king:
            other = Reference(reference.fen(), reference.variant)
            other.board[at] = "."
            new = other.checkers() - reference.checkers()
            if any(other.board[slider].upper() in "BRQHC" for slider in new):
                pinned.add(at)
    assert squares(position.pinned()) == pinned


def _sights(reference: Reference, afters: dict[Move, Reference]) -> Iterator[str]:
    """What the rules of this family make special, as far as a position and its moves show it."""
    checkers = len(reference.checkers())
    yield ("", "check", "double check", "triple check")[min(checkers, 3)]
    if checkers and not afters:
        yield "mate"
    if reference.passed is not None and reference.usable_passed() is None:
        yield "en passant square of no use"
    for move, after in afters.items():
        piece = reference.board[move.start].upper()
        if move.castling:
            yield "castling"
        if move.promotion:
            yield "promotion to A or D" if move.promotion in "AD" else "promotion"
        if piece == "P" and move.removed and move.end not in move.removed:
            yield "en passant"
        if len(move.removed) > 2:
            yield "three or more removed"
        if reference.owns(reference.turn, move.end):
            yield "own piece eaten"
        for right in reference.castling - after.castling:
            rook = (0 if right.isupper() else 70) + (9 if right in "Kk" else 0)
            if piece == "D" and right.isupper() == reference.turn:
                yield "right lost by own Devil"
            elif rook in move.removed:
                yield "right lost by " + ("capture" if rook == move.end else "burn or jump")
        checkers_made = after.checkers()
        if checkers_made - {move.end} and not move.castling:
            yield "discovered check"
        if any(after.board[at] in "Aa" for at in checkers_made - {move.end}):
            yield "check by opening such a square"
        if len(checkers_made) > 1:
            yield "double check made"
    if not checkers:
        king = reference.king(reference.turn)
        for move in set(reference.pseudo_legal_moves()) - set(afters):
            after = reference.make(move)
            attackers = after.removers(after.turn, after.king(reference.turn))
            if move.start == king:
                continue
            for at in attackers:
                if after.board[at] in "Aa":
                    yield "would open an Angel's landing square"
                elif len(move.removed) > 1 and reference.board[move.start] in "Dd":
                    yield "would open a line by removing two"
