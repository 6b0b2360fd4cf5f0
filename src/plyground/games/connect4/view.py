"""The board as shapes: discs in a frame, the winning line marked."""

from __future__ import annotations

from functools import lru_cache

from plyground.core.game import Words
from plyground.core.view import Glyph, Shape, View
from plyground.games.connect4 import rules
from plyground.games.connect4.notation import EMPTY, FIRST, cells

LINES = ((0, 1), (1, 0), (1, 1), (1, -1))


def draw(params: Words, state: Words) -> View:
    """Cells are one unit; column numbers stand below the board."""
    width, height = int(params[rules.WIDTH]), int(params[rules.HEIGHT])
    board = cells(params, state)
    discs = {(row, column): board[row][column] for row in range(height) for column in range(width)}
    fours = _winning_cells(discs)
    shapes = [Shape("rect", 0, 0, width, height, "board", radius=0.28)]
    for (row, column), disc in discs.items():
        shapes.append(_disc(row, column, height, disc))
        if (row, column) in fours:
            x, y = column + 0.5, height - row - 0.5
            shapes.append(Shape("circle", x, y, 0.5, 0.5, "mark", stroke=0.08))
    shapes.extend(_number(column, height) for column in range(width))
    rows = [
        tuple(_glyph(discs[row, column], (row, column) in fours) for column in range(width))
        for row in reversed(range(height))
    ]
    numbers = tuple(Glyph(f" {column + 1:<2}"[:3], "muted") for column in range(width))
    return View(width, height + 0.5, tuple(shapes), (*rows, numbers), caption(state))


def caption(state: Words) -> str:
    """Who moves, or how it ended."""
    result = int(state[2]) >> int(rules.RESULT_SHIFT)
    plies = int(state[2]) >> int(rules.PLY_SHIFT) & int(rules.PLY_MASK)
    endings = {
        rules.RESULT_FIRST: "x (red) has won",
        rules.RESULT_SECOND: "o (yellow) has won",
        rules.RESULT_DRAW: "draw",
    }
    side = "o (yellow)" if int(state[2]) & 1 else "x (red)"
    return endings.get(result, f"{side} to move") + f" after {plies} plies"


@lru_cache(maxsize=4096)
def _disc(row: int, column: int, height: int, disc: str) -> Shape:
    style = "hole" if disc == EMPTY else "first" if disc == FIRST else "second"
    x, y = column + 0.5, height - row - 0.5
    what = {"hole": "empty", "first": "red disc", "second": "yellow disc"}[style]
    label = f"column {column + 1}, row {row + 1}: {what}"
    return Shape("circle", x, y, 0.82, 0.82, style, cell=f"{row},{column}", label=label)


@lru_cache(maxsize=256)
def _number(column: int, height: int) -> Shape:
    return Shape("text", column + 0.5, height + 0.26, 0, 0.28, "muted", text=str(column + 1))


@lru_cache(maxsize=16)
def _glyph(disc: str, marked: bool) -> Glyph:
    if disc == EMPTY:
        return Glyph(" . ", "muted")
    shown = f"({disc})" if marked else f" {disc} "
    return Glyph(shown, "mark" if marked else "first" if disc == FIRST else "second")


def _winning_cells(discs: dict[tuple[int, int], str]) -> set[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    for (row, column), disc in discs.items():
        if disc == EMPTY:
            continue
        for up, right in LINES:
            if discs.get((row + 3 * up, column + 3 * right)) != disc:
                continue
            line = [(row + step * up, column + step * right) for step in range(4)]
            if all(discs.get(place) == disc for place in line):
                found.update(line)
    return found
