"""README tells the truth: its commands, its example, its table and its picture."""

import doctest
import re
import shlex
from pathlib import Path

import abdiel
import abdiel.svg
from abdiel.variants import VARIANTS

CHECKOUT = Path(__file__).parents[1]
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
PICTURE = CHECKOUT / "docs" / "start.svg"

# Where the King stands and lands: K, Q of the four castlings.
CASTLINGS = slice(0, 2)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def name(square: int) -> str:
    return "abcdefghij"[square % 10] + str(square // 10 + 1)


def test_set_up_is_two_commands_of_one_line() -> None:
    commands = [block for block in blocks("sh") if block.startswith("python3 -m venv .venv && ")]
    assert len(commands) == 2
    assert all(command.count("\n") == 1 for command in commands)
    run, test = (shlex.split(command) for command in commands)
    assert run[run.index("install") + 1] == "."
    assert run[-2:] == [".venv/bin/abdiel", "bench"]
    assert test[test.index("install") + 1 :] == ["-e", ".[dev]", "&&", ".venv/bin/pytest"]


def test_the_example_prints_what_it_says() -> None:
    (example,) = blocks("python")
    parsed = doctest.DocTestParser().get_doctest(example, {}, "README.md", "README.md", 0)
    assert len(parsed.examples) > 5
    results = doctest.DocTestRunner().run(parsed)
    assert results.failed == 0


def test_the_table_is_that_of_the_games() -> None:
    rows = re.findall(
        r"^\| `(\w+)` +\| ([^|]+?) +\| `(\w+)` +\| (\S+), (\S+) +\|$", README, re.MULTILINE
    )
    assert rows == [
        (
            variant.name,
            variant.title,
            variant.start_fen.split()[0].rsplit("/", 1)[1],
            *(f"{name(king)}–{name(to)}" for king, to, _, _ in variant.castling[CASTLINGS]),
        )
        for variant in VARIANTS.values()
    ]


def test_the_files_it_links_to_exist() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert "docs/start.svg" in links
    assert [link for link in links if not (CHECKOUT / link).exists()] == []


def test_the_picture_is_current() -> None:
    drawn = abdiel.svg.board(abdiel.Board())
    assert PICTURE.read_text(encoding="utf-8") == drawn + "\n", (
        "draw it anew: python -c 'import abdiel; print(abdiel.svg.board(abdiel.Board()))'"
    )
