"""Whole games at the table, with scripted input: what is shown, read, taken back and saved."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from card_games import Setting, every_setting
from rich.console import Console

from abdiel.cards import State, find_game
from abdiel.cards.greedy import policy_of
from abdiel.cards.nakayoshi import CARD_NAMES
from abdiel.cards.players import PLAYERS
from abdiel.cards.records import parse_line
from abdiel.cards.session import Session, Settings, load_session
from abdiel.cards.table import Face, cards_text
from abdiel.commands import main

COLUMNS = 80
HIDDEN = "Press Enter when you are there> "

ANGELS = Setting("work-of-angels", 3, {})

# What is typed next, given the session; None is the end of the input.
Typist = Callable[[Session], "str | None"]


a_setting_of_each = pytest.mark.parametrize(
    "setting",
    [
        Setting("auf-teufel", 3, {}),
        Setting("work-of-angels", 2, {"target": 20, "rounds": 2}),
        Setting("nakayoshi", 3, {}),
    ],
    ids=str,
)


def play(
    monkeypatch: pytest.MonkeyPatch, session: Session, seen: io.StringIO, typist: Typist
) -> str:
    """Let `typist` play a game; returns all that was shown."""

    def ask(prompt: str) -> str:
        seen.write(prompt)
        text = typist(session)
        if text is None:
            raise EOFError
        return text

    monkeypatch.setattr("builtins.input", ask)
    session.play()
    return seen.getvalue()


def new_session(
    setting: Setting,
    path: Path,
    seats: tuple[int, ...] = (0,),
    seed: int = 7,
    ascii: bool = True,
) -> tuple[Session, io.StringIO]:
    seen = io.StringIO()
    console = Console(file=seen, width=COLUMNS, highlight=False, markup=False, emoji=False)
    settings = Settings(seats, "random", seed, path)
    return Session(setting.start(), settings, ascii=ascii, console=console), seen


def typing(seed: int) -> Typist:
    """Type any legal action, by its text in the record, in capitals or not."""
    rng = Random(seed)

    def typed(session: Session) -> str:
        state = session.state
        action = rng.choice(state.legal_actions())
        text = state.action_to_string(state.current_player(), action)
        return rng.choice([text, text.upper(), text.lower()])

    return typed


def script(*lines: str) -> Typist:
    """Type some lines, then end the input."""
    left: Iterator[str] = iter(lines)
    return lambda _: next(left, None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


@every_setting
def test_a_whole_game_in_80_columns_of_ascii(
    setting: Setting, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, seen = new_session(setting, path)
    said = play(monkeypatch, session, seen, typing(1))
    assert session.state.is_terminal()
    assert said.isascii()
    assert max(map(len, said.splitlines())) <= COLUMNS
    assert said.splitlines()[-1].startswith("The game is over. ")
    assert "is not legal" not in said
    for score in session.state.scores():
        assert re.search(rf"\| +{score} +\|", said.rpartition("Total")[2])
    assert not path.exists()


@pytest.mark.parametrize("game", ["auf-teufel", "work-of-angels", "nakayoshi"])
def test_boxes_and_colours(game: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(game, 4, {})
    session, seen = new_session(setting, path, ascii=False)
    said, _, _ = play(monkeypatch, session, seen, script()).partition("Saved to")
    assert "╭───╮" in said
    assert "\x1b" not in said  # the console is no terminal
    assert max(map(len, said.splitlines())) <= COLUMNS


def test_the_encoding_may_lack_boxes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="latin-1", write_through=True)
    console = Console(file=file, width=COLUMNS)
    state = find_game("nakayoshi")(4)
    session = Session(state, Settings((0,), "random", 1, path), console=console)
    monkeypatch.setattr("builtins.input", lambda _: (_ for _ in ()).throw(EOFError))
    session.play()
    file.seek(0)
    assert file.read().isascii()


def test_cards_go_to_the_next_row_when_the_width_is_full() -> None:
    faces = [Face(str(number), "H", label=str(number)) for number in range(1, 16)]
    lines = cards_text(faces, width=COLUMNS, ascii=True).plain.splitlines()
    assert len(lines) == 10
    assert max(map(len, lines)) <= COLUMNS
    assert "13" in lines[1] and "14" in lines[6]
    narrow = cards_text(faces, width=3, ascii=True).plain.splitlines()
    assert len(narrow) == 75


# Illegal entries: what is typed when the game begins with seed 7, and what is told

ILLEGAL = [
    (Setting("auf-teufel", 4, {}), "9", 'expected "accept" or "pass"'),
    (Setting("auf-teufel", 4, {}), "pass 2", "no Devil 2 is in the hand"),
    (Setting("auf-teufel", 4, {}), "hello", "type 0 to accept the card or a Devil's number"),
    (Setting("auf-teufel", 4, {}), "", "type a number or a card"),
    (Setting("work-of-angels", 3, {}), "9", "the cards of the table are 1 to 3"),
    (Setting("work-of-angels", 3, {}), "end", "draw first, until the hand holds 7"),
    (Setting("work-of-angels", 3, {}), "draw 2d", "2D is not on the table"),
    (Setting("work-of-angels", 3, {}), "draw", "name a card, too"),
    (Setting("work-of-angels", 3, {}), "99999999", "the cards of the table are 1 to 3"),
    (Setting("nakayoshi", 4, {}), "1 2", "three different cards are given"),
    (Setting("nakayoshi", 4, {}), "1 1 2", "three different cards are given"),
    (Setting("nakayoshi", 4, {}), "1 2 13", "the cards of your hand are 1 to 12"),
    (Setting("nakayoshi", 4, {}), "b3 c1 zz", "'ZZ' is no card"),
    (Setting("nakayoshi", 4, {}), "play b2", "three cards are to be given first"),
    (Setting("nakayoshi", 4, {}), ",", "nothing was typed"),
]


@pytest.mark.parametrize(("setting", "typed", "told"), ILLEGAL)
def test_an_illegal_entry_is_explained_and_asked_again(
    setting: Setting, typed: str, told: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, seen = new_session(setting, path)
    said = play(monkeypatch, session, seen, script(typed))
    assert told in " ".join(said.split())
    assert said.count("Your turn, seat 0> ") == 2
    assert not [move for move in session.state.moves if not move & 7]


WORDS = (
    "0 1 2 3 12 13 -1 + , T A B3 b3+d2 7h 10H ♥ 7♥ ² ٣ play draw deck set add end drop give"
    " discard pass accept undo table ? help rules save"
)


@pytest.mark.parametrize("game", ["auf-teufel", "work-of-angels", "nakayoshi"])
def test_nothing_that_is_typed_breaks_the_game(
    game: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(game)
    players = 3
    words = f"{WORDS} \x00".split(" ")
    legal = typing(3)
    lines = 0

    def typed(session: Session) -> str | None:
        nonlocal lines
        lines += 1
        if lines > 300:
            return None
        if lines % 3 == 0:
            return legal(session)
        return rng.choice([" ", "+", ","]).join(rng.choices(words, k=rng.randint(1, 4)))

    session, seen = new_session(Setting(game, players, {}), path)
    said = play(monkeypatch, session, seen, typed)
    assert session.state.is_terminal() or lines > 300
    assert said.count("Your turn, seat 0> ") > 20


def test_numbers_and_cards_mean_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting("nakayoshi", 4, {})
    played = []
    lines = ("1 5 7", "3"), ("b2 D9,r2", "d8"), ("GIVE B2 D9 R2", "Play D8")
    for typist in (script(*typed) for typed in lines):
        session, seen = new_session(setting, path)
        play(monkeypatch, session, seen, typist)
        played.append(session.state.information_state_string(0))
    assert played[0] == played[1] == played[2]
    assert "0 give B2 D9 R2" in played[0] and "0 play D8" in played[0]


def test_the_hint_is_that_of_the_best_player(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, seen = new_session(Setting("auf-teufel", 3, {}), path)
    said = play(monkeypatch, session, seen, script("?"))
    best = list(PLAYERS)[-1]
    assert re.search(rf"^Hint: {best} would choose: (accept|pass \d)$", said, re.MULTILINE)


@every_setting
def test_a_round_s_score_is_told_in_parts_that_add_up(
    setting: Setting, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, seen = new_session(setting, path)
    said = " ".join(play(monkeypatch, session, seen, typing(6)).split())
    found = re.findall(r"Yours: ([^.]*)\.( It is never above 0\.)?", said)
    scores = [past.scores[0] for past in session.state.past]
    if setting.game == "auf-teufel":  # where the total is on the table all the time
        assert not found
        return
    assert len(found) == len(scores)
    for (parts, capped), score in zip(found, scores, strict=True):
        whole = sum(int(number) for number in re.findall(r"[+-]\d+", parts))
        assert (min(whole, 0) if capped else whole) == score
        assert bool(capped) == (whole > 0 and setting.game == "nakayoshi")


def test_the_star_is_explained(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for ascii, star in ((True, "*"), (False, "★")):
        session, seen = new_session(Setting("nakayoshi", 4, {}), path, ascii=ascii)
        said = play(monkeypatch, session, seen, script())
        assert f"{star} A Nakayoshi card may bring an extra: a smaller one of another suit." in said


def test_tens_are_written_as_on_the_cards(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is offered to be typed can be typed."""
    session, seen = new_session(Setting("work-of-angels", 3, {"rounds": 1}), path, seed=1)
    told = []

    def typed(session: Session) -> str:
        offers = re.findall(r'or "((?:set|add) [^"]*)"', seen.getvalue().rpartition("Your hand")[2])
        if offers:
            told.extend(offers)
            return str(offers[0])
        state = session.state
        action = policy_of(state).choose(state)
        return state.action_to_string(state.current_player(), action)

    said = play(monkeypatch, session, seen, typed)
    assert any("10" in text for text in told)
    assert session.state.is_terminal()
    assert "not legal" not in said and "is no card" not in said
    shown = [line for line in said.splitlines() if "Your turn" not in line]
    assert re.search(r"\b10[CDHS]\b", " ".join(shown))
    assert not re.search(r"\bT[CDHS]\b", " ".join(shown))


def test_quiet_turns_are_explained(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, seen = new_session(Setting("work-of-angels", 2, {}), path)

    def typed(session: Session) -> str:
        legal = session.state.legal_actions()
        action = legal[1] if legal[0] == 0 and len(legal) > 1 else legal[0]
        return session.state.action_to_string(0, action)

    session._settings = session._settings._replace(level="quiet")
    monkeypatch.setitem(PLAYERS, "quiet", QuietPlayer)
    said = " ".join(play(monkeypatch, session, seen, typed).split())
    assert "3 quiet turns of 4 " in said
    assert "Quiet turns: 4 running end the round; a turn is not quiet if somebody draws" in said
    assert "Round 1 is over: for 4 turns nobody has drawn from the deck" in said


class QuietPlayer:
    """Draws from the table while it can, and lays nothing."""

    def __init__(self, rng: Random) -> None:
        pass

    def step(self, state: State) -> int:
        legal = state.legal_actions()
        return legal[1] if legal[0] == 0 and len(legal) > 1 else legal[0]


def test_drawing_is_done_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, seen = new_session(ANGELS, path)
    said = play(monkeypatch, session, seen, script("1", "deck", "draw deck"))
    assert said.count('"draw deck" is not legal: drawing is done.') == 2


# Taking back


def test_undo_takes_back_what_has_shown_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, seen = new_session(ANGELS, path)
    said = play(monkeypatch, session, seen, script("1", "undo", "2"))
    assert "Your last action is taken back." in said
    texts = [text for _, text in session.state.snapshot()["rounds"][0]["moves"]]
    assert texts[-1].startswith("draw ") and texts[-1] != "draw deck"
    assert len(session.state.observation(0).hand) == 7


@pytest.mark.parametrize(
    ("setting", "typed"),
    [
        (ANGELS, ["undo"]),
        (ANGELS, ["0", "undo"]),
        (Setting("auf-teufel", 3, {}), ["0", "undo"]),
        (Setting("nakayoshi", 4, {}), ["1 2 3", "undo"]),
    ],
    ids=str,
)
def test_undo_is_refused_when_a_hidden_card_was_shown(
    setting: Setting, typed: list[str], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, seen = new_session(setting, path)
    said = play(monkeypatch, session, seen, script(*typed))
    assert "Nothing can be taken back" in said
    assert "is taken back." not in said


@a_setting_of_each
def test_undo_never_lets_a_person_know_more(
    setting: Setting, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What undo leads back to cannot be told from what the person has seen by then."""
    session, seen = new_session(setting, path)
    legal = typing(5)

    def typed(session: Session) -> str | None:
        state = session.state
        if session._undo:
            old = session._undo[-1].state
            # All that is new is the person's own action, and what others did with open cards.
            rng = Random(len(state.moves))
            other = old.resample_from_infostate(0, rng)
            for move in state.moves[len(old.moves) :]:
                if state.name == "nakayoshi" or move & 7 == 0:
                    other.apply_action(move >> 3)
                else:
                    break
            else:
                assert other.information_state_string(0) == state.information_state_string(0)
        return legal(session)

    play(monkeypatch, session, seen, typed)
    assert session.state.is_terminal()


# Leaving and going on


@a_setting_of_each
def test_a_game_that_was_left_goes_on_as_if_it_had_not_been(
    setting: Setting, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, seen = new_session(setting, path)
    play(monkeypatch, session, seen, typing(2))
    whole = session.state.record()

    legal = typing(2)
    lines = 0

    def some(session: Session) -> str | None:
        nonlocal lines
        lines += 1
        return None if lines % 9 == 0 else legal(session)

    session, seen = new_session(setting, path)
    said = play(monkeypatch, session, seen, some)
    while not session.state.is_terminal():
        assert "Saved to" in said and "--resume" in said
        console = Console(file=(seen := io.StringIO()), width=COLUMNS)
        session = Session.resume(path, ascii=True, console=console)
        news = session._news[0]
        said = play(monkeypatch, session, seen, some)
        assert news or "Your turn" in said
    assert session.state.record() == whole
    assert load_session(path)[0].is_terminal()


def test_ctrl_c_leaves_with_the_game_saved(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, seen = new_session(ANGELS, path)

    def interrupt(_: Session) -> str:
        raise KeyboardInterrupt

    said = play(monkeypatch, session, seen, interrupt)
    assert f"Saved to {path}." in said.replace("\n", "")
    assert load_session(path)[0].snapshot() == session.state.snapshot()


def test_quit_stays_where_it_cannot_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, seen = new_session(ANGELS, tmp_path / "missing" / "game.json")
    with pytest.raises(OSError, match="missing"):  # the end of the input leaves in any case
        play(monkeypatch, session, seen, script("quit"))
    assert "Cannot save to" in seen.getvalue()
    assert seen.getvalue().count("Your turn, seat 0> ") == 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda data: data.pop("table"), '"table" is missing'),
        (lambda data: data["table"].update(seats=[4]), "seat 4: seats are 0 to 2"),
        (lambda data: data["table"].update(seats=[]), "expected a seat of a person"),
        (lambda data: data["table"].update(seats=[0, 0]), "a seat is given twice"),
        (lambda data: data["table"].update(seed="x"), "expected a whole number"),
        (lambda data: data["table"].update(level="best"), "no player 'best'"),
        (lambda data: data["table"].update(level=3), "expected a name"),
        (lambda data: data["state"].update(players=9), "expected 2 to 4 players"),
        (
            lambda data: data["state"]["rounds"][0]["moves"].append([0, "end"]),
            "seat 0 is not to move",
        ),
    ],
)
def test_a_damaged_save_is_one_line(
    change: Callable[[dict[str, object]], object],
    told: str,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    session, seen = new_session(Setting("work-of-angels", 3, {}), path, seats=(1,))
    play(monkeypatch, session, seen, script("1", "1"))
    data = parse_line(path.read_text(encoding="utf-8"))
    assert isinstance(data, dict)
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")
    assert main(["cards", "play", "--resume", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"abdiel: {path}: ")
    assert told in line


# Several people


@pytest.mark.parametrize("players", [3, 5])
def test_several_people_never_see_each_others_cards(
    players: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = Setting("nakayoshi", players, {})
    seats = tuple(range(players - 1))
    session, seen = new_session(setting, path, seats=seats)
    legal = typing(4)
    looked = 0
    last = -1

    def typed(session: Session) -> str | None:
        nonlocal looked, last
        state = session.state
        seat = state.current_player()
        # The first line is what the last person typed; a terminal is cleared after it.
        shown = seen.getvalue()[looked:].partition("\n")[2]
        looked = len(seen.getvalue())
        if shown.endswith(HIDDEN):
            # Nothing but who is to come.
            assert not re.findall(r"\b[BDRHC]\d+\b", shown)
            last = seat
            return ""
        assert seat == last  # nobody is asked before the screen was handed over
        assert shown.endswith(f"Your turn, seat {seat}> ")
        drawn = shown.partition("Your hand:")[2]
        held = {CARD_NAMES[card] for card in state.observation(seat).hand}
        for name in re.findall(r"\| ?([BDRHC]\d+)\|?", drawn):
            assert name in held
        known = state.information_state_string(seat)
        for name in re.findall(r"\b[BDRHC]\d+\b", shown):
            assert re.search(rf"\b{name}\b", known)
        return None if len(state.past) == 2 else legal(session)

    said = play(monkeypatch, session, seen, typed)
    assert said.count(HIDDEN) > 10
    assert "Seat 0's turn" not in said


def test_a_person_alone_is_not_asked_to_hand_over(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, seen = new_session(ANGELS, path)
    assert HIDDEN not in play(monkeypatch, session, seen, script("1"))


# The command


def run(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    typed: str,
    *arguments: str,
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    status = main(["cards", "play", *arguments])
    done = capsys.readouterr()
    return status, done.out, done.err


def test_the_command_plays_saves_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = ("auf-teufel", "--players", "3", "--level", "random", "--seed", "7", "--ascii")
    status, said, complaints = run(monkeypatch, capsys, "0\n0\nquit\n", *settings)
    assert (status, complaints) == (0, "")
    assert said.isascii()
    assert "Go on with: abdiel cards play --resume auf-teufel.json" in said
    # A second game does not take the first one's file.
    assert "Saved to auf-teufel-2.json." in run(monkeypatch, capsys, "", *settings)[1]
    resumed = run(monkeypatch, capsys, "0\n" * 40, "--resume", "auf-teufel.json", "--ascii")
    assert resumed[0] == 0
    assert "The game is over. " in resumed[1]
    assert load_session(tmp_path / "auf-teufel.json")[0].is_terminal()
    again = run(monkeypatch, capsys, "", "--resume", "auf-teufel.json", "--ascii")
    assert again[0] == 0 and "The game is over. " in again[1]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "name a game, one of auf-teufel, work-of-angels, nakayoshi"),
        (["chess"], "no game 'chess'"),
        (["nakayoshi", "--players", "6"], "nakayoshi: expected 3 to 5 players, found '6'"),
        (["nakayoshi", "--players", "9"], "expected a whole number from 2 to 6, found '9'"),
        (["nakayoshi", "--seat", "4"], "seat 4: seats are 0 to 3"),
        (["nakayoshi", "--seat", "1", "--seat", "1"], "a seat is given twice"),
        (["nakayoshi", "--level", "weak"], "no player 'weak'; expected one of random"),
        (["nakayoshi", "--option", "gap=open"], "nakayoshi takes specials=VALUE"),
        (["nakayoshi", "--option", "specials=2"], "specials: expected true or false, found '2'"),
        (["nakayoshi", "--save", "/"], "/ is there already"),
        (["nakayoshi", "--resume", "x.json"], "only --ascii goes with it"),
        (["--resume", "/no/such/file"], "/no/such/file: No such file or directory"),
    ],
)
def test_wrong_usage_is_one_line(
    arguments: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, said, complaints = run(monkeypatch, capsys, "", *arguments)
    assert (status, said) == (2, "")
    (line,) = complaints.splitlines()
    assert told in line
