"""The picture of a board game: squares, pieces as discs or letters, coordinates."""

from __future__ import annotations

import numpy as np

from plyground.board import plain
from plyground.board.description import BoardGame
from plyground.board.notation import Notation, column_name
from plyground.core.view import Glyph, Shape, View

MARGIN = 0.5


def draw(position: BoardGame, notation: Notation, caption: str) -> View:
    """The board as shapes; each cell carries its name, so that a page can react to clicks."""
    layout = notation.layout
    columns = layout.shape[-1]
    rows = layout.cells // columns
    board = plain.picture(position, layout).reshape(rows, columns)
    slant = notation.cls.slant
    shapes: list[Shape] = []
    for row in range(rows):
        for column in range(columns):
            name = notation.squares[row * columns + column]
            if is_hole(int(board[row, column]), notation):
                continue
            x, y, value = column + MARGIN + slant * row, row + 0.1, int(board[row, column])
            label = f"{name}: {_told(value, notation)}"
            shapes.append(Shape("rect", x, y, 1, 1, "empty", cell=name, label=label))
            shapes.append(Shape("rect", x, y, 1, 1, "line", stroke=0.03, cell=name))
            shapes.extend(_piece(value, x + 0.5, y + 0.5, name, notation))
    for column in range(columns):
        label = column_name(column) if len(layout.shape) == 2 else notation.squares[column]
        shapes.append(
            Shape(
                "text",
                column + MARGIN + 0.5 + slant * (rows - 1),
                rows + 0.35,
                0,
                0.3,
                "muted",
                label,
            )
        )
    if len(layout.shape) == 2:
        for row in range(rows):
            shapes.append(
                Shape("text", 0.25 + slant * row, row + 0.6, 0, 0.3, "muted", str(rows - row))
            )
    width, height = columns + MARGIN + 0.1 + slant * (rows - 1), rows + 0.7
    glyphs = _glyphs(board, notation)
    if note := plain.caption(position):
        size = min(0.3, 1.8 * width / len(note))
        shapes.append(Shape("text", width / 2, height + size / 2, 0, size, "text", note))
        height += size + 0.1
        glyphs = (*glyphs, (Glyph(note, "text"),))
    return View(width, height, tuple(shapes), glyphs, caption)


def is_hole(value: int, notation: Notation) -> bool:
    """Whether a cell is not part of the board: a space is its letter, but it is not just empty."""
    return value != 0 and notation.letter(value) == " "


def _is_empty(value: int, notation: Notation) -> bool:
    return value == 0 and notation.cls.pieces[:1] in (".", " ", "_", "-")


def _told(value: int, notation: Notation) -> str:
    """What stands in a cell, in words: its letter, and the player whose piece it is."""
    if _is_empty(value, notation):
        return "empty"
    letter = notation.letter(value).strip("()")
    owner = {"first": 0, "second": 1}.get(_style(value, notation))
    return letter if owner is None else f"{letter}, {notation.cls.player_names[owner]}"


def _piece(value: int, x: float, y: float, cell: str, notation: Notation) -> list[Shape]:
    if _is_empty(value, notation):
        return []
    letter = notation.letter(value).strip("()")
    style = _style(value, notation)
    if style != "text" and letter.lower() in "xobw":
        disc = Shape("circle", x, y, 0.76, 0, style, cell=cell)
        crown = Shape("circle", x, y, 0.3, 0, "empty", cell=cell)
        return [disc, crown] if value > 2 else [disc]
    return [Shape("text", x, y, 0, 0.55 if len(letter) < 3 else 0.35, style, letter, cell=cell)]


def _style(value: int, notation: Notation) -> str:
    """The colour of a piece: of the player whose it is, or of plain text.

    By the class's `owners`; without them 1 and 2 are the players' if `pieces` has letters for them,
    and so are the capitals of these letters.
    """
    cls = notation.cls
    if cls.players != 2 or value <= 0:
        return "text"
    if cls.owners is not None:
        owner = cls.owners[value] if value < len(cls.owners) else ""
    else:
        letter = notation.letter(value)
        crowned = value > 2 and letter.isupper()
        owner = str(cls.pieces.find(letter.lower()) if crowned else value)
        owner = "" if letter.strip("()").isdigit() else owner
    return {"1": "first", "2": "second"}.get(owner, "text")


def owned_letter(player: int, notation: Notation) -> str:
    """The letter of a player's pieces, if the number of the player is one of them."""
    owner = {"first": 1, "second": 2}.get(_style(player, notation))
    return notation.letter(player) if owner == player else ""


def _glyphs(board: np.ndarray, notation: Notation) -> tuple[tuple[Glyph, ...], ...]:
    """The board for a terminal, a letter a cell, with coordinates."""
    rows, columns = board.shape
    letters = [[notation.letter(int(cell)).strip("()") for cell in row] for row in board]
    wide = max(len(letter) for row in letters for letter in row)
    named = bool(notation.cls.squares) or len(notation.layout.shape) == 1
    if named:
        wide = max(wide, *map(len, notation.squares))
    side = 0 if named else 3
    lines: list[tuple[Glyph, ...]] = []
    for row in range(rows):
        label = f"{rows - row:>2} " if side else ""
        label = " " * round(notation.cls.slant * row * (wide + 1)) + label
        cells = [
            Glyph(letters[row][c].rjust(wide) + " ", _style(int(board[row, c]), notation))
            for c in range(columns)
        ]
        lines.append((Glyph(label, "muted"), *cells))
        if named:
            squares = notation.squares[row * columns : (row + 1) * columns]
            below = "".join(name.rjust(wide) + " " for name in squares)
            lines.append((Glyph(" " * len(label) + below, "muted"),))
    if named:
        return tuple(lines)
    names = "".join(column_name(column).rjust(wide) + " " for column in range(columns))
    side += round(notation.cls.slant * (rows - 1) * (wide + 1))
    lines.append((Glyph(" " * side + names, "muted"),))
    return tuple(lines)
