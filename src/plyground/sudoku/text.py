"""Boards as text."""

from __future__ import annotations

import math

from plyground.sudoku.board import Board, BoardError
from plyground.sudoku.geometry import geometry_of_size

LETTERS = ".123456789ABCDEFGHIJKLMNOP"


def read_board(text: str) -> Board:
    """One line of N*N characters: `.` or `0` empty, then 1-9 and A-P."""
    line = text.strip()
    size = math.isqrt(len(line))
    if size * size != len(line):
        raise BoardError(f"{len(line)} characters are not a square board")
    shape = geometry_of_size(size)
    digits = []
    for place, letter in enumerate(line.upper().replace("0", ".")):
        value = LETTERS.find(letter)
        if not 0 <= value <= size:
            raise BoardError(
                f"row {place // size + 1}, column {place % size + 1}: "
                f"{letter!r} is not a digit of this board"
            )
        digits.append(value)
    return Board.of(digits, shape)
