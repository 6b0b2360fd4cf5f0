"""The grid as shapes: thick lines around boxes, letters at the edges as in the notation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plyground.core.view import Glyph, Shape, View
from plyground.games.codecup_sudoku.notation import COLUMNS, ROWS

MARGIN = 0.5


def draw(digits: NDArray[np.uint8], caption: str) -> View:
    """Cells are one unit; row letters stand to the left, column letters above."""
    shapes = [Shape("rect", MARGIN, MARGIN, 9, 9, "background")]
    for index in range(9):
        middle = MARGIN + index + 0.5
        shapes.append(Shape("text", middle, MARGIN / 2, 0, 0.28, "muted", text=COLUMNS[index]))
        shapes.append(Shape("text", MARGIN / 2, middle, 0, 0.28, "muted", text=ROWS[index]))
    for cell, digit in enumerate(digits.tolist()):
        row, column = divmod(cell, 9)
        place = f"{ROWS[row]}{COLUMNS[column]}"
        x, y = MARGIN + column, MARGIN + row
        label = f"{place}: {digit or 'empty'}"
        shapes.append(Shape("rect", x, y, 1, 1, "thin", stroke=0.03, cell=place, label=label))
        shown = str(digit) if digit else ""
        shapes.append(Shape("text", x + 0.5, y + 0.5, 0, 0.6, "text", text=shown, cell=place))
    for index in range(0, 10, 3):
        shapes.append(Shape("line", MARGIN + index, MARGIN, 0, 9, "frame", stroke=0.07))
        shapes.append(Shape("line", MARGIN, MARGIN + index, 9, 0, "frame", stroke=0.07))
    return View(9 + 1.2 * MARGIN, 9 + 1.2 * MARGIN, tuple(shapes), _rows(digits), caption)


def _rows(digits: NDArray[np.uint8]) -> tuple[tuple[Glyph, ...], ...]:
    letters = "   ".join(" ".join(COLUMNS[box : box + 3]) for box in (0, 3, 6))
    lines: list[tuple[Glyph, ...]] = [(Glyph("   " + letters, "muted"),)]
    for row in range(9):
        if row in (3, 6):
            lines.append((Glyph("   ------+-------+------", "muted"),))
        glyphs = [Glyph(f"{ROWS[row]}  ", "muted")]
        for column in range(9):
            if column in (3, 6):
                glyphs.append(Glyph("| ", "muted"))
            digit = int(digits[9 * row + column])
            text = f"{digit} " if digit else ". "
            glyphs.append(Glyph(text, "text" if digit else "muted"))
        lines.append(tuple(glyphs))
    return tuple(lines)
