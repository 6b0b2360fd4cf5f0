"""Text of moves and positions: `Dg7`, `Dg7!`, `!`; 81 characters, or the moves so far."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from plyground.core.errors import InvalidMoveError, PositionError
from plyground.games.codecup_sudoku import rules

ROWS = "ABCDEFGHI"
COLUMNS = "abcdefghi"
_MOVE = re.compile(r"([A-I])([a-i])([1-9])(!?)", re.ASCII)
_GRID = re.compile(r"[.0-9]{81}(!{0,2})", re.ASCII)


def format_move(code: int) -> str:
    """The text of a move code."""
    if code == rules.CLAIM:
        return "!"
    cell, digit = divmod(code % rules.CLAIMED, 9)
    claim = "!" if code >= rules.CLAIMED else ""
    return f"{ROWS[cell // 9]}{COLUMNS[cell % 9]}{digit + 1}{claim}"


def parse_move(text: str) -> int:
    """The code of a turn; letters are case-sensitive, white space around it does not matter."""
    stripped = text.strip()
    if stripped == "!":
        return rules.CLAIM
    match = _MOVE.fullmatch(stripped)
    if match is None:
        shown = text if len(text) <= 40 else text[:40] + "..."
        raise InvalidMoveError(
            f"{shown!r} is not a move: write row A-I, column a-i and digit 1-9 as in Dg7, "
            "with ! for a claim, or ! alone"
        )
    row, column, digit, claim = match.groups()
    pair = 81 * ROWS.index(row) + 9 * COLUMNS.index(column) + int(digit) - 1
    return pair + (rules.CLAIMED if claim else 0)


def looks_like_grid(text: str) -> bool:
    """Whether a position's text is a grid and not a list of moves."""
    return " " not in text.strip() and len(text.strip()) > 4


def parse_grid(text: str) -> tuple[NDArray[np.uint8], int]:
    """The digits of 81 characters, and the number of claims after them.

    One `!` says that the last move was a correct claim, two that a claim alone came after it.
    """
    stripped = text.strip()
    match = _GRID.fullmatch(stripped)
    if match is None:
        cells = stripped.rstrip("!")
        wrong = next((i for i, c in enumerate(cells) if c not in ".0123456789"), None)
        reason = (
            f"{len(cells)} characters instead of 81"
            if wrong is None
            else f"character {wrong + 1} is {cells[wrong]!r}, not a digit or ."
        )
        raise PositionError(f"position: {reason}")
    digits = [0 if c == "." else int(c) for c in stripped[:81]]
    return np.array(digits, np.uint8), len(match.group(1))


def format_grid(digits: NDArray[np.uint8], claims: int) -> str:
    """The standard text: 81 characters with `.` for empty, and the claims that were made."""
    return "".join(str(digit) if digit else "." for digit in digits.tolist()) + "!" * claims
