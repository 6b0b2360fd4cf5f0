"""Boards as text: one line a board, or a board file of the course (see `boardfile`).

A line has N*N characters: `.` or `0` empty, then 1-9 and, for larger boards, A-P.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from plyground.sudoku.board import Board, BoardError, Digits
from plyground.sudoku.boardfile import cell_name, is_board_file, read_board_file
from plyground.sudoku.geometry import Geometry, GeometryError, geometry_of_size

SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"


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
    if is_board_file(text):
        file = read_board_file(text)
        yield file.line, file.board
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.partition("#")[0].strip():
            yield number, _read_line(line.strip(), number, shape)


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
                f"line {number}, {cell_name(place, size)}: {line[place]!r} is not a digit of this "
                f"board (. or 0 for empty, {SYMBOLS[1]} to {SYMBOLS[size]})"
            )
        digits.append(value)
    return Board.of(digits, shape)


def board_line(digits: Digits) -> str:
    """A board as one line of N*N characters."""
    return "".join(SYMBOLS[digit] for digit in digits.tolist())
