"""Moves and positions as text.

A move is `(r,c) -> v` or `r,c=v`, rows and columns from 0; a pass may carry `!` at its end. The
one-line form of a position is words separated by spaces:

    2x3 1..4../....../...... ... first 0-0 taboo=0,1=3;2,2=5 allowed1=0,0;0,1 allowed2=... ply=4

Rows are separated by `/`; values are 1-9 and A-P; in games with allowed squares `+` or `-` after
a value says that the first or second player occupies the square.
"""

from __future__ import annotations

import re

from plyground.core.errors import InvalidMoveError, PositionError
from plyground.core.numbers import whole_number
from plyground.games.competitive_sudoku.position_data import Placement, PositionData, check_block
from plyground.sudoku.boardfile import OWNERS
from plyground.sudoku.text import SYMBOLS

PLAYERS = ("first", "second")

_NUMBER = r"[+-]?\d{1,6}"
_LONG = re.compile(rf"\(\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\)\s*->\s*({_NUMBER})\s*!?", re.ASCII)
_SHORT = re.compile(rf"({_NUMBER})\s*,\s*({_NUMBER})\s*=\s*({_NUMBER})\s*!?", re.ASCII)
MOST_PLIES = 1 << 16
_SHAPE = re.compile(r"(\d)x(\d)", re.ASCII)
_SCORES = re.compile(r"(\d{1,5})-(\d{1,5})", re.ASCII)


def parse_triple(text: str) -> tuple[int, int, int]:
    """Row, column and value of a move, as written: they may be off the board."""
    match = _LONG.fullmatch(text.strip()) or _SHORT.fullmatch(text.strip())
    if not match:
        raise InvalidMoveError(f"{text!r} is not a move; write (row,column) -> value or r,c=v")
    row, column, value = (int(number) for number in match.groups())
    return row, column, value


def format_placement(size: int, cell: int, value: int) -> str:
    """The course's text of a move."""
    return f"{format_square(size, cell)} -> {value}"


def format_square(size: int, cell: int) -> str:
    """The course's text of a square."""
    return f"({cell // size},{cell % size})"


def format_position(data: PositionData) -> str:
    """The one-line form."""
    size = data.size
    texts = [SYMBOLS[value] for value in data.cells]
    if data.allowed is not None:
        for sign, own in zip(OWNERS, data.occupied, strict=True):
            for cell in own:
                texts[cell] += sign
    board = "/".join("".join(texts[start : start + size]) for start in range(0, size * size, size))
    words = [
        f"{data.rows}x{data.columns}",
        board,
        PLAYERS[data.player],
        f"{data.scores[0]}-{data.scores[1]}",
    ]
    if data.taboo:
        words.append("taboo=" + ";".join(f"{_square(size, c)}={v}" for c, v in data.taboo))
    for player, squares in enumerate(data.allowed or ()):
        words.append(f"allowed{player + 1}=" + ";".join(_square(size, c) for c in sorted(squares)))
    if data.plies:
        words.append(f"ply={data.plies}")
    return " ".join(words)


def _square(size: int, cell: int) -> str:
    return f"{cell // size},{cell % size}"


def looks_like_position(text: str) -> bool:
    """Whether a text is meant as a one-line position (and not as a name or a file)."""
    return bool(_SHAPE.match(text.strip())) and "/" in text and " " in text.strip()


def parse_position(text: str) -> PositionData:
    """Read the one-line form; PositionError names the word that is wrong."""
    words = text.split()
    shape = _SHAPE.fullmatch(words[0]) if words else None
    if not shape or len(words) < 2:
        raise PositionError(
            f"position {text!r}: begins with the block size and the rows, as 2x3 ..."
        )
    rows, columns = int(shape[1]), int(shape[2])
    check_block(rows, columns, "position")
    size = rows * columns
    cells, occupied, signed = _parse_rows(size, words[1])
    player, scores, plies = 0, (0, 0), 0
    taboo: tuple[Placement, ...] = ()
    allowed: dict[str, frozenset[int]] = {}
    for word in words[2:]:
        name, equals, rest = word.partition("=")
        if word in PLAYERS:
            player = PLAYERS.index(word)
        elif match := _SCORES.fullmatch(word):
            scores = (int(match[1]), int(match[2]))
        elif equals and name == "taboo":
            taboo = tuple(_parse_taboo(size, item) for item in rest.split(";"))
        elif equals and name in ("allowed1", "allowed2"):
            items = filter(None, rest.split(";"))
            allowed[name] = frozenset(_parse_square(size, item, name) for item in items)
        elif equals and name == "ply" and whole_number(rest, MOST_PLIES) is not None:
            plies = int(rest)
        else:
            raise PositionError(
                f"position: {word!r} is not first, second, a score as 3-1, taboo=, allowed1=, "
                "allowed2= or ply="
            )
    if len(allowed) == 1 or (signed and not allowed):
        raise PositionError("position: give allowed1= and allowed2=, also where one is empty")
    return PositionData(
        rows,
        columns,
        cells,
        scores,
        player,
        plies,
        taboo,
        (allowed["allowed1"], allowed["allowed2"]) if allowed else None,
        occupied,
    )


def _parse_rows(
    size: int, text: str
) -> tuple[tuple[int, ...], tuple[frozenset[int], frozenset[int]], bool]:
    lines = text.split("/")
    if len(lines) != size:
        raise PositionError(f"position: {len(lines)} rows, a board of this size has {size}")
    cells: list[int] = []
    owners: tuple[set[int], set[int]] = (set(), set())
    for number, line in enumerate(lines):
        for letter in line.upper():
            value = SYMBOLS.find(letter)
            if letter in OWNERS and len(cells) > number * size and cells[-1]:
                owners[OWNERS.index(letter)].add(len(cells) - 1)
            elif 0 <= value <= size:
                cells.append(value)
            else:
                raise PositionError(f"position: row {number}: {letter!r} is not a value 1..{size}")
        if len(cells) != (number + 1) * size:
            found = len(cells) - number * size
            raise PositionError(f"position: row {number} has {found} squares instead of {size}")
    return tuple(cells), (frozenset(owners[0]), frozenset(owners[1])), bool(owners[0] or owners[1])


def _parse_square(size: int, item: str, name: str) -> int:
    parts = item.split(",")
    if len(parts) == 2 and all(whole_number(part, size) is not None for part in parts):
        return int(parts[0]) * size + int(parts[1])
    raise PositionError(f"position: {name}: {item!r} is not a square of the board (row,column)")


def _parse_taboo(size: int, item: str) -> Placement:
    square, _, value = item.partition("=")
    if not whole_number(value, size + 1):
        raise PositionError(f"position: taboo: {item!r} is not of the form r,c=v")
    return _parse_square(size, square, "taboo"), int(value)
