"""EPD: a position as FEN's first four fields, and operations upon it.

An operation is an opcode with an operand, ended by `;`. The operand of `bm` and `am` is a list
of moves, of `pv` a variation, of any other opcode nothing, text, a number or a move.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from abdiel.draft import MAX_FULLMOVE_NUMBER, MAX_HALFMOVE_CLOCK
from abdiel.errors import EpdError, FenError, MoveError, SanError, shown
from abdiel.moves import Move
from abdiel.notation.san import split_moves

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from abdiel.board import Board

    BoardT = TypeVar("BoardT", bound=Board)

Operand: TypeAlias = "str | int | float | Move | list[Move] | None"

MOVE_LISTS = frozenset(("bm", "am"))
VARIATION = "pv"
HALFMOVE_CLOCK = "hmvc"
FULLMOVE_NUMBER = "fmvn"
MAX_DIGITS = 18

_OPCODE = re.compile(r"[A-Za-z][A-Za-z0-9_]*$")
_INTEGER = re.compile(r"[+-]?[0-9]+$")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$")
# One operation up to its semicolon, which may stand in a quoted string. A backslash takes the next
# character as it is; a string that is not closed runs to the end.
_OPERATION = re.compile(r'((?:[^;"]|"(?:[^"\\]|\\.)*(?:"|\\?$))*)(?:;|$)', re.DOTALL)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"$', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def parse_epd(board_class: type[BoardT], epd: str) -> tuple[BoardT, dict[str, Operand]]:
    """Return the board and the operations of an EPD line. Raises `EpdError`.

    `hmvc` and `fmvn` are operations and set the board's counters too. The counters of a FEN
    before the operations are read as well.
    """
    # The fields end at the first semicolon at the latest: "fen ;D1 20" has no space after it.
    fields = epd.partition(";")[0].split()
    if len(fields) < 4:
        raise EpdError(f"EPD: found {len(fields)} fields in {shown(epd)}, expected four")
    count = 6 if len(fields) >= 6 and all(field.isdecimal() for field in fields[4:6]) else 4
    try:
        board = board_class(" ".join(fields[:count]))
    except FenError as error:
        raise EpdError(f"EPD: {error}") from None
    text = epd.strip().split(maxsplit=count - 1)[count - 1]
    # The last field is cut off by what ended it, so that operations begin behind it.
    text = text[len(fields[count - 1]) :]
    operations: dict[str, Operand] = {}
    at = 0
    while at < len(text):
        match = _OPERATION.match(text, at)
        assert match is not None  # it matches anything, the empty text as well
        if not match[0]:
            break
        at = match.end()
        words = match[1].strip().split(maxsplit=1)
        if not words or words == ["-"]:
            continue
        opcode = words[0]
        _check_opcode(opcode)
        if opcode in operations:
            raise EpdError(f"EPD: opcode {opcode} is there twice, expected it once")
        operations[opcode] = _parse_operand(board, opcode, words[1] if len(words) > 1 else "")
    _set_counters(board, operations)
    return board, operations


def _check_opcode(opcode: str) -> None:
    if not _OPCODE.match(opcode):
        raise EpdError(
            f"EPD: opcode {shown(opcode)}, expected a letter, then letters, digits and _"
        )


def _parse_operand(board: Board, opcode: str, text: str) -> Operand:
    try:
        if opcode in MOVE_LISTS:
            return [board.parse_san(san) for san in split_moves(text)]
        if opcode == VARIATION:
            return _parse_variation(board, text)
    except (SanError, MoveError) as error:
        raise EpdError(f"EPD {opcode}: {error}") from None
    if not text:
        return None
    string = _STRING.match(text)
    if string:
        return _ESCAPE.sub(r"\1", string[1])
    if text.startswith('"'):
        raise EpdError(f"EPD {opcode}: {shown(text)}, expected one text in double quotes")
    if _INTEGER.match(text):
        if len(text) > MAX_DIGITS:
            raise EpdError(f"EPD {opcode}: {shown(text)}, expected at most {MAX_DIGITS} digits")
        return int(text)
    if _FLOAT.match(text):
        number = float(text)
        if not math.isfinite(number):
            raise EpdError(f"EPD {opcode}: {shown(text)}, expected a finite number")
        return number
    try:
        return board.parse_san(text)
    except SanError:
        # Text without quotes is common, and EPD does not say which opcodes take moves.
        return text


def _parse_variation(board: Board, text: str) -> list[Move]:
    line = board.copy(stack=False)
    return [line.push_san(san) for san in split_moves(text)]


def _set_counters(board: Board, operations: Mapping[str, Operand]) -> None:
    for opcode, least, most in (
        (HALFMOVE_CLOCK, 0, MAX_HALFMOVE_CLOCK),
        (FULLMOVE_NUMBER, 1, MAX_FULLMOVE_NUMBER),
    ):
        if opcode not in operations:
            continue
        value = operations[opcode]
        if not isinstance(value, int) or not least <= value <= most:
            raise EpdError(
                f"EPD {opcode}: found {shown(str(value))}, expected a number {least} to {most}"
            )
        if opcode == HALFMOVE_CLOCK:
            board.halfmove_clock = value
        else:
            board.fullmove_number = value


def format_operations(board: Board, operations: Mapping[str, Operand | Iterable[Move]]) -> str:
    """Return operations as EPD writes them, in the order given. Raises `EpdError`."""
    return " ".join(
        _format_operation(board, opcode, operand) for opcode, operand in operations.items()
    )


def _format_operation(board: Board, opcode: str, operand: Operand | Iterable[Move]) -> str:
    _check_opcode(opcode)
    try:
        text = _format_operand(board, opcode, operand)
    except MoveError as error:
        raise EpdError(f"EPD {opcode}: {error}") from None
    return f"{opcode} {text};" if text else f"{opcode};"


def _format_operand(board: Board, opcode: str, operand: Operand | Iterable[Move]) -> str:
    if operand is None:
        return ""
    if isinstance(operand, str):
        if len(operand.splitlines()) > 1 or operand[-1:] in ("\n", "\r"):
            raise EpdError(f"EPD {opcode}: {shown(operand)}, expected text without a line break")
        escaped = operand.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(operand, int | float):
        if not math.isfinite(operand) or len(str(operand)) > MAX_DIGITS + 6:
            raise EpdError(
                f"EPD {opcode}: {shown(str(operand))}, expected a number of moderate size"
            )
        return str(int(operand)) if isinstance(operand, int) else repr(operand)
    moves = [operand] if isinstance(operand, Move) else list(operand)
    if opcode == VARIATION:
        line = board.copy(stack=False)
        words = []
        for move in moves:
            words.append(line.san(move))
            line.push(move)
        return " ".join(words)
    if opcode not in MOVE_LISTS and not isinstance(operand, Move):
        raise EpdError(f"EPD {opcode}: found several moves, expected them in bm, am or pv")
    # In the order of their text, so that a set of moves has one spelling.
    return " ".join(sorted(board.san(move) for move in moves))
