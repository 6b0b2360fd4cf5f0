"""Positions, moves and board files as the referee writes them, read into plain values.

The referee has checked all of it, so nothing is checked again here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

Placement = tuple[int, int]
"""A square (flat index) and a value."""

_LETTERS = ".123456789ABCDEFGHIJKLMNOP"
_VALUES = {letter: value for value, letter in enumerate(_LETTERS)}
_OWNERS = "+-"


class Position(NamedTuple):
    """A position. `allowed` is None when every empty square is open to both players."""

    rows: int
    columns: int
    cells: list[int]
    scores: list[int]
    player: int
    taboo: list[Placement]
    allowed: tuple[set[int], set[int]] | None
    occupied: tuple[set[int], set[int]]

    @property
    def size(self) -> int:
        """Values, and squares on a side."""
        return self.rows * self.columns


class History(NamedTuple):
    """The moves before the first one that was announced, and the board before them (or nothing)."""

    moves: list[Placement]
    initial: list[int]


def read_position(text: str) -> Position:
    """The one-line form of a position (`2x3 1..4../... first 0-0 taboo=... allowed1=...`)."""
    shape, board, player, scores, *rest = text.split()
    rows, columns = (int(number) for number in shape.split("x"))
    size = rows * columns
    cells: list[int] = []
    occupied: tuple[set[int], set[int]] = (set(), set())
    for letter in board:
        if letter in _VALUES:
            cells.append(_VALUES[letter])
        elif letter in _OWNERS:
            occupied[_OWNERS.index(letter)].add(len(cells) - 1)
    words = dict(word.split("=", 1) for word in rest)
    allowed = None
    if "allowed1" in words:
        first, second = (
            {_square(size, item) for item in filter(None, words[name].split(";"))}
            for name in ("allowed1", "allowed2")
        )
        allowed = (first, second)
    taboo = []
    for item in filter(None, words.get("taboo", "").split(";")):
        square, value = item.split("=")
        taboo.append((_square(size, square), int(value)))
    return Position(
        rows,
        columns,
        cells,
        [int(number) for number in scores.split("-")],
        ("first", "second").index(player),
        taboo,
        allowed,
        occupied,
    )


def _square(size: int, text: str) -> int:
    row, column = text.split(",")
    return int(row) * size + int(column)


def read_move(size: int, text: str) -> tuple[Placement, bool]:
    """A move `(r,c) -> v`, and whether it is marked as a pass by `!`."""
    square, _, value = text.rstrip("!").partition("->")
    return (_square(size, square.strip("() ")), int(value)), text.endswith("!")


def read_history(text: str) -> History:
    """What a board file of the newer format tells of earlier moves; nothing in the older one."""
    keys: dict[str, str] = {}
    for line in re.sub(r"#.*", "", text).replace("\n ", " ").replace("\n\t", " ").split("\n"):
        key, equals, value = line.partition("=")
        if equals:
            keys[key.strip()] = value
    initial = [
        0 if word == "." else int(word.rstrip(_OWNERS))
        for word in keys.get("initial-board", "").split()
    ]
    if "moves" not in keys:
        return History([], initial)
    size = int(keys["rows"]) * int(keys["columns"])
    moves = [
        (int(row) * size + int(column), int(value))
        for row, column, value in re.findall(
            r"\(\s*(\d+)\s*,\s*(\d+)\s*\)\s*->\s*(\d+)", keys["moves"]
        )
    ]
    return History(moves, initial)
