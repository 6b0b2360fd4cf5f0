"""Boards as text, for the helpers of the course's framework that some submissions call."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def plain_board(rows: int, columns: int, squares: Sequence[int]) -> str:
    """The older board file: block size, then a line for each row, `.` for an empty square."""
    size = rows * columns
    lines = [f"{rows} {columns}"]
    for start in range(0, size * size, size):
        row = squares[start : start + size]
        lines.append("".join((str(value) if value else ".").rjust(4) for value in row))
    return "\n".join(lines) + "\n"


def rows_of_text(size: int, squares: Sequence[int], owners: Mapping[int, str]) -> str:
    """The lines of a board in the newer format: indented, values with the sign of their owner."""
    texts = [
        (str(value) if value else ".") + owners.get(cell, "") for cell, value in enumerate(squares)
    ]
    width = max(map(len, texts))
    return "".join(
        "\n  " + " ".join(text.rjust(width) for text in texts[start : start + size])
        for start in range(0, size * size, size)
    )


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
    tokens = text.split()
    try:
        rows, columns = int(tokens[0]), int(tokens[1])
        squares = [0 if token == "." else int(token) for token in tokens[2:]]
    except (IndexError, ValueError) as error:
        raise ValueError(f"this is no board: {error}") from error
    if len(squares) != (rows * columns) ** 2:
        raise ValueError(
            f"a board of {rows}x{columns} blocks has {(rows * columns) ** 2} squares, "
            f"not {len(squares)}"
        )
    return rows, columns, squares
