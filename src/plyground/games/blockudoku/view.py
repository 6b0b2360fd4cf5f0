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


def draw(state: Words, over: bool) -> View:
    """Nine by nine cells with shaded boxes; the hand in three places below."""
    cells = board_text(int(state[rules.LOW]), int(state[rules.HIGH]))
    hand = hand_pieces(state)
    shapes = [Shape("rect", 0, 0, 9, 9, "empty")]
    for cell, mark in enumerate(cells):
        row, column = divmod(cell, 9)
        shaded = (row // 3 + column // 3) % 2 == 0
        style = "filled" if mark == FILLED else "shade" if shaded else "empty"
        shapes.append(
            Shape("rect", column + 0.03, row + 0.03, 0.94, 0.94, style, cell=f"{row},{column}")
        )
    for line in range(10):
        thick = 0.06 if line % 3 == 0 else 0.02
        style = "frame" if line % 3 == 0 else "thin"
        shapes.append(Shape("line", line, 0, 0, 9, style, stroke=thick))
        shapes.append(Shape("line", 0, line, 9, 0, style, stroke=thick))
    for slot, piece in enumerate(hand):
        left = slot * SLOT_WIDTH
        shapes.append(Shape("text", left + 0.2, HAND_TOP, 0, 0.4, "muted", text=str(slot + 1)))
        if piece != EMPTY_PIECE:
            shapes.extend(
                Shape(
                    "rect",
                    left + 0.5 + PIECE_SCALE * column,
                    HAND_TOP + PIECE_SCALE * row,
                    PIECE_SCALE * 0.94,
                    PIECE_SCALE * 0.94,
                    "filled",
                    cell=f"slot{slot + 1}",
                )
                for row, column in CELLS[piece]
            )
    height = HAND_TOP + 5 * PIECE_SCALE + 0.2
    return View(9, height, tuple(shapes), _rows(cells, hand), caption(state, over))


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
