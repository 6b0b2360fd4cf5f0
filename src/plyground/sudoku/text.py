"""Boards as text: one line a board, and the two board files of the Competitive Sudoku course.

- One line of N*N characters: `.` or `0` empty, then 1-9 and, for larger boards, A-P.
- Older course files: a line `m n`, then N*N tokens separated by white space, `.` (or 0) empty.
- Newer course files: `key = value` lines, of which `rows`, `columns` and `board` are read; further
  lines of a value begin with a space, `#` starts a comment, a digit may carry `+` or `-`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from plyground.sudoku.board import Board, BoardError, Digits
from plyground.sudoku.geometry import Geometry, GeometryError, geometry, geometry_of_size

SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"
_SIZE_LINE = re.compile(r"\s*(\d+)\s+(\d+)\s*$")
_KEY_LINE = re.compile(r"([A-Za-z][\w-]*)\s*=(.*)$")


def read_board(text: str, shape: Geometry | None = None) -> Board:
    """The one board in a text, in any of the formats. Digits may clash; see `Board.check`."""
    boards = list(read_boards(text, shape))
    if len(boards) != 1:
        raise BoardError(f"expected one board, found {len(boards)}")
    return boards[0][1]


def read_boards(text: str, shape: Geometry | None = None) -> Iterator[tuple[int, Board]]:
    """All boards in a text with the number of the line where each begins, from 1.

    A course file holds one board; otherwise every line that is not empty or a `#` comment is one.
    `shape` settles the blocks of one-line boards whose size allows several (6x6: 2x3 or 3x2).
    """
    lines = text.splitlines()
    first = next((n for n, line in enumerate(lines) if _content(line)), None)
    if first is None:
        return
    if _SIZE_LINE.match(lines[first]):
        yield first + 1, _read_older(lines, first)
    elif _KEY_LINE.match(lines[first]):
        yield first + 1, _read_newer(lines)
    else:
        for number, line in enumerate(lines, 1):
            if _content(line):
                yield number, _read_line(line.strip(), number, shape)


def _content(line: str) -> str:
    return line.partition("#")[0].strip()


def _read_line(line: str, number: int, shape: Geometry | None) -> Board:
    size = shape.size if shape else math.isqrt(len(line))
    if size * size != len(line):
        near = size if len(line) - size * size <= size else size + 1
        expected = f"a {size} x {size} board has {size * size}"
        if shape is None and near >= 4:
            expected = f"a {near} x {near} board has {near * near}"
        raise BoardError(f"line {number}: {len(line)} characters, but {expected}")
    try:
        shape = shape or geometry_of_size(size)
    except GeometryError as error:
        raise BoardError(f"line {number}: {error}") from error
    digits = []
    for place, symbol in enumerate(line.upper().replace("0", ".")):
        value = SYMBOLS.find(symbol)
        if not 0 <= value <= size:
            raise BoardError(
                f"line {number}, {_cell(place, size)}: {line[place]!r} is not a digit of this "
                f"board (. or 0 for empty, {SYMBOLS[1]} to {SYMBOLS[size]})"
            )
        digits.append(value)
    return Board.of(digits, shape)


def _read_older(lines: list[str], first: int) -> Board:
    size_line = _SIZE_LINE.match(lines[first])
    assert size_line is not None
    shape = _geometry(int(size_line[1]), int(size_line[2]), first + 1)
    return _read_tokens([(n, lines[n - 1]) for n in range(first + 2, len(lines) + 1)], shape)


def _read_newer(lines: list[str]) -> Board:
    values: dict[str, list[tuple[int, str]]] = {}
    current: list[tuple[int, str]] | None = None
    for number, line in enumerate(lines, 1):
        if not _content(line):
            continue
        key_line = _KEY_LINE.match(line)
        if key_line:
            current = values.setdefault(key_line[1], [])
            current.append((number, _content(key_line[2])))
        elif line[:1].isspace() and current is not None:
            current.append((number, _content(line)))
        else:
            raise BoardError(
                f"line {number}: expected 'key = value' or a continuation that begins with a space"
            )
    for key in ("rows", "columns", "board"):
        if key not in values:
            raise BoardError(f"the key {key!r} is missing; a board file needs rows, columns, board")
    sides = []
    for key in ("rows", "columns"):
        number, value = values[key][0]
        if not value.isdigit():
            raise BoardError(f"line {number}: {key} = {value!r} is not a number")
        sides.append(int(value))
    return _read_tokens(values["board"], _geometry(sides[0], sides[1], values["columns"][0][0]))


def _geometry(rows: int, columns: int, number: int) -> Geometry:
    try:
        return geometry(rows, columns)
    except GeometryError as error:
        raise BoardError(f"line {number}: {error}") from error


def _read_tokens(lines: list[tuple[int, str]], shape: Geometry) -> Board:
    digits: list[int] = []
    number = lines[-1][0] if lines else 1
    for number, line in lines:
        for token in _content(line).split():
            if len(digits) == shape.cells:
                raise BoardError(f"line {number}: more than {shape.cells} cells on a {shape} board")
            plain = token.rstrip("+-")
            value = 0 if plain == "." else int(plain) if plain.isascii() and plain.isdigit() else -1
            if not 0 <= value <= shape.size:
                raise BoardError(
                    f"line {number}, {_cell(len(digits), shape.size)}: {token!r} is not a digit "
                    f"from 1 to {shape.size}, nor . for empty"
                )
            digits.append(value)
    if len(digits) != shape.cells:
        raise BoardError(
            f"line {number}: the board ends after {len(digits)} cells; "
            f"a {shape} board has {shape.cells}"
        )
    return Board.of(digits, shape)


def _cell(place: int, size: int) -> str:
    return f"row {place // size + 1}, column {place % size + 1}"


def board_line(digits: Digits) -> str:
    """A board as one line of N*N characters."""
    return "".join(SYMBOLS[digit] for digit in digits.tolist())


def board_file(board: Board) -> str:
    """A board as an older course file."""
    shape = board.geometry
    width = len(str(shape.size))
    tokens = [str(digit) if digit else "." for digit in board.digits.tolist()]
    rows = [
        " ".join(token.rjust(width) for token in tokens[start : start + shape.size])
        for start in range(0, shape.cells, shape.size)
    ]
    return "\n".join([f"{shape.rows} {shape.columns}", *rows]) + "\n"
