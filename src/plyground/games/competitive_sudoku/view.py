"""The board as shapes: values in their owners' colours, blocks framed, open squares shaded."""

from __future__ import annotations

from plyground.core.view import Glyph, Shape, View
from plyground.games.competitive_sudoku.notation import PLAYERS
from plyground.games.competitive_sudoku.position_data import PositionData

OWNER_STYLES = ("ink-first", "ink-second")
MARGIN = 0.5
"""Room for the numbers of rows and columns."""
SHADES = {1: "shade-first", 2: "shade-second", 3: "shade"}


def draw(data: PositionData, over: bool) -> View:
    """Squares are one unit; row and column numbers, from 0, stand outside the board."""
    size = data.size
    shapes: list[Shape] = []
    reach = _reach(data)
    for cell in range(size * size):
        row, column = divmod(cell, size)
        style = SHADES.get(reach[cell], "background")
        place, x, y = f"{row},{column}", column + MARGIN, row + MARGIN
        value = data.cells[cell]
        label = f"row {row}, column {column}: {value or 'empty'}"
        shapes.append(Shape("rect", x, y, 1, 1, style, cell=place, label=label))
        height = 0.6 if size < 10 else 0.5
        ink = _style(data, cell)
        text = str(value) if value else ""
        shapes.append(Shape("text", x + 0.5, y + 0.5, 0, height, ink, text, cell=place))
    for step in range(size + 1):
        thick = step % data.rows == 0
        shapes.append(_line(MARGIN, step + MARGIN, size, 0, thick))
        thick = step % data.columns == 0
        shapes.append(_line(step + MARGIN, MARGIN, 0, size, thick))
    for step in range(size):
        middle = MARGIN + step + 0.5
        shapes.append(Shape("text", middle, MARGIN / 2, 0, 0.28, "muted", str(step)))
        shapes.append(Shape("text", MARGIN / 2, middle, 0, 0.28, "muted", str(step)))
    side = size + 1.2 * MARGIN
    return View(side, side, tuple(shapes), _rows(data, reach), _caption(data, over))


def _line(x: float, y: float, width: float, height: float, thick: bool) -> Shape:
    style, stroke = ("frame", 0.06) if thick else ("line", 0.02)
    return Shape("line", x, y, width, height, style, stroke=stroke)


def _reach(data: PositionData) -> list[int]:
    """For each square 1 if the first player may play there, plus 2 if the second may."""
    reach = [0] * len(data.cells)
    if data.allowed is not None:
        for player in (0, 1):
            for cell in data.squares_of(player):
                reach[cell] += player + 1
    return reach


def _style(data: PositionData, cell: int) -> str:
    for player, style in enumerate(OWNER_STYLES):
        if cell in data.occupied[player]:
            return style
    return "given"


def _rows(data: PositionData, reach: list[int]) -> tuple[tuple[Glyph, ...], ...]:
    size = data.size
    width = 2 if size < 10 else 3
    margin = " " * 3
    head = [Glyph(margin, "muted")]
    for column in range(size):
        head.append(Glyph(f"{column:>{width}}", "muted"))
        if (column + 1) % data.columns == 0:
            head.append(Glyph("  "))
    rule = Glyph(margin + ("-" * (width * data.columns + 1) + "+") * data.rows, "frame")
    rows = [tuple(head)]
    for row in range(size):
        glyphs = [Glyph(f"{row:>2} ", "muted")]
        for column in range(size):
            cell = row * size + column
            value = data.cells[cell]
            # An open square shows who may play there: the first player, the second, or both.
            mark = ".+-*"[reach[cell]]
            text, style = (str(value), _style(data, cell)) if value else (mark, "muted")
            glyphs.append(Glyph(f"{text:>{width}}", style))
            if (column + 1) % data.columns == 0:
                glyphs.append(Glyph(" |", "frame"))
        rows.append(tuple(glyphs))
        if (row + 1) % data.rows == 0 and row + 1 < size:
            rows.append((rule,))
    return tuple(rows)


def _caption(data: PositionData, over: bool) -> str:
    first, second = data.scores
    score = f"score {first} - {second}"
    if over:
        if first == second:
            return f"{score}, draw"
        return f"{score}, the {PLAYERS[first < second]} player has won"
    taboo = f", {len(data.taboo)} taboo" if data.taboo else ""
    return f"{score}, the {PLAYERS[data.player]} player is to move{taboo}"
