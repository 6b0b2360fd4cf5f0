"""Boards as text, for the helpers of the course's framework that some submissions call."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.sudoku.board import BoardError
from plyground.sudoku.boardfile import read_board_file


def plain_board(rows: int, columns: int, squares: Sequence[int]) -> str:
    """The older board file: block size, then a line for each row, `.` for an empty square."""
    size = rows * columns
    lines = [f"{rows} {columns}"]
    for start in range(0, size * size, size):
        row = squares[start : start + size]
        lines.append("".join((str(value) if value else ".").rjust(4) for value in row))
    return "\n".join(lines) + "\n"


def framed_board(rows: int, columns: int, squares: Sequence[int]) -> str:
    """A board with numbered rows and columns and lines between the regions."""
    size = rows * columns
    rule = "   " + ("+" + "---" * columns) * rows + "+"
    lines = ["   " + "".join(" " * (c % columns == 0) + f"{c:>3}" for c in range(size))]
    for r in range(size):
        if r % rows == 0:
            lines.append(rule)
        values = squares[r * size : (r + 1) * size]
        text = "".join(
            "|" * (c % columns == 0) + (str(value) if value else ".").rjust(3)
            for c, value in enumerate(values)
        )
        lines.append(f"{r:>2} {text}|")
    return "\n".join([*lines, rule]) + "\n"


def read_plain_board(text: str) -> tuple[int, int, list[int]]:
    """Block rows, block columns and squares of an older board file; ValueError if it is none."""
    try:
        board = read_board_file(text).board
    except BoardError as error:
        raise ValueError(f"this is no board: {error}") from error
    return board.geometry.rows, board.geometry.columns, board.digits.tolist()
