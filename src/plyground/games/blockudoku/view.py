"""The board as shapes, with the pieces in hand below it."""

from __future__ import annotations

from plyground.core.game import Words
from plyground.core.view import Glyph, Shape, View
from plyground.games.blockudoku import rules
from plyground.games.blockudoku.notation import FILLED, board_text, hand_pieces
from plyground.games.blockudoku.pieces import CELLS, EMPTY_PIECE

HAND_TOP = 9.6
SLOT_WIDTH = 3.0
PIECE_SCALE = 0.5
HAND_ROWS = 5


def draw(state: Words, over: bool) -> View:
    """Nine by nine cells with shaded boxes; the hand in three places below."""
    cells = board_text(int(state[rules.LOW]), int(state[rules.HIGH]))
    hand = hand_pieces(state)
    shapes = [Shape("rect", 0, 0, 9, 9, "thin")]
    for cell, mark in enumerate(cells):
        row, column = divmod(cell, 9)
        shaded = (row // 3 + column // 3) % 2 == 0
        style = "filled" if mark == FILLED else "shade" if shaded else "empty"
        what = "filled" if mark == FILLED else "empty"
        shapes.append(
            Shape(
                "rect",
                column + 0.03,
                row + 0.03,
                0.94,
                0.94,
                style,
                cell=f"{row},{column}",
                radius=0.12,
                label=f"row {row}, column {column}: {what}",
            )
        )
    for line in range(0, 10, 3):
        shapes.append(Shape("line", line, 0, 0, 9, "line", stroke=0.05))
        shapes.append(Shape("line", 0, line, 9, 0, "line", stroke=0.05))
    for slot, piece in enumerate(hand):
        left = slot * SLOT_WIDTH
        shapes.append(Shape("text", left + 0.2, HAND_TOP, 0, 0.4, "muted", text=str(slot + 1)))
        if piece != EMPTY_PIECE:
            rows, columns = _extent(piece)
            top = HAND_TOP + PIECE_SCALE * (HAND_ROWS - rows) / 2
            left += (SLOT_WIDTH - PIECE_SCALE * columns) / 2
            shapes.extend(
                Shape(
                    "rect",
                    left + PIECE_SCALE * column,
                    top + PIECE_SCALE * row,
                    PIECE_SCALE * 0.94,
                    PIECE_SCALE * 0.94,
                    "filled",
                    cell=f"slot{slot + 1}",
                    radius=0.08,
                    label=f"piece {slot + 1}: {describe_piece(piece)}" if not number else "",
                )
                for number, (row, column) in enumerate(CELLS[piece])
            )
    height = HAND_TOP + HAND_ROWS * PIECE_SCALE + 0.2
    return View(9, height, tuple(shapes), _rows(cells, hand), caption(state, over))


def _extent(piece: int) -> tuple[int, int]:
    rows, columns = zip(*CELLS[piece], strict=True)
    return 1 + max(rows), 1 + max(columns)


def describe_piece(piece: int) -> str:
    """A piece in words: its name, or the cells of each of its rows."""
    cells = CELLS[piece]
    height, width = _extent(piece)
    count = len(cells)
    if count == 1:
        return "a single cell"
    if height == 1:
        return f"a line of {count} across"
    if width == 1:
        return f"a line of {count} down"
    if count == height * width:
        return f"a block {width} wide and {height} high"
    rows = []
    for row in range(height):
        columns = [str(column + 1) for at, column in cells if at == row]
        rows.append(f"row {row + 1} cell{'s' * (len(columns) > 1)} {' and '.join(columns)}")
    return f"{count} cells, {width} wide and {height} high: {', '.join(rows)}"


def caption(state: Words, over: bool) -> str:
    """Turn and score, and whether the game is over."""
    turns, score = int(state[rules.TURNS]), int(state[rules.SCORE])
    return (
        "game over after " if over else ""
    ) + f"{turns} turn{'' if turns == 1 else 's'}, score {score}"


def _rows(cells: str, hand: list[int]) -> tuple[tuple[Glyph, ...], ...]:
    rows: list[tuple[Glyph, ...]] = [
        (Glyph("   " + "   ".join(" ".join("012345678"[i : i + 3]) for i in (0, 3, 6)), "muted"),)
    ]
    for row in range(9):
        if row in (3, 6):
            rows.append((Glyph("   ------+-------+------", "muted"),))
        glyphs = [Glyph(f"{row}  ", "muted")]
        for column in range(9):
            mark = cells[9 * row + column]
            if column in (3, 6):
                glyphs.append(Glyph("| ", "muted"))
            glyphs.append(Glyph("# ", "filled") if mark == FILLED else Glyph(". ", "muted"))
        rows.append(tuple(glyphs))
    rows.append(())
    height = max((max(r for r, _ in CELLS[p]) + 1 for p in hand if p != EMPTY_PIECE), default=0)
    rows.extend(
        tuple(glyph for slot in range(3) for glyph in _hand_row(hand[slot], slot, row))
        for row in range(height)
    )
    return tuple(rows)


def _hand_row(piece: int, slot: int, row: int) -> list[Glyph]:
    label = Glyph(f"{slot + 1}: " if row == 0 else "   ", "muted")
    cells = set(CELLS[piece]) if piece != EMPTY_PIECE else set()
    marks = "".join("# " if (row, column) in cells else "  " for column in range(5))
    return [label, Glyph(marks + " ", "filled")]
