"""The 47 pieces and every table that follows from them.

A board is two 64-bit words: rows 0-5 in the first (cell `9 * row + column`), rows 6-8 in the
second. A *placement index* is `81 * piece + anchor`, where the anchor is the cell of the piece's
top-left corner. Piece 47 is the empty piece: a hand with fewer than three pieces is padded with it.
"""

from __future__ import annotations

from functools import cache

import numpy as np

PIECE_COUNT = 47
EMPTY_PIECE = 47
CELL_COUNT = 81
WORD_CELLS = 54
LINE_COUNT = 27

_CELL_TEXT = """\
00
00 01
00 10
00 11
01 10
00 01 02
00 10 20
00 11 22
02 11 20
00 01 10
00 10 11
01 10 11
00 01 11
00 01 02 03
00 10 20 30
00 01 10 11
00 10 20 21
02 10 11 12
00 01 11 21
00 01 02 10
00 01 10 20
00 01 02 12
01 11 20 21
00 10 11 12
01 10 11 12
00 10 11 20
01 10 11 21
00 01 02 11
00 01 11 12
01 10 11 20
00 10 11 21
01 02 10 11
00 01 02 03 04
00 10 20 30 40
00 10 11 12 20
00 01 02 11 21
01 11 20 21 22
02 10 11 12 22
00 01 02 10 12
00 01 11 20 21
00 01 10 20 21
00 02 10 11 12
00 01 02 10 20
00 01 02 12 22
02 12 20 21 22
00 10 20 21 22
01 10 11 12 21"""

CELLS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((int(cell[0]), int(cell[1])) for cell in text.split()) for text in _CELL_TEXT.splitlines()
)
"""The (row, column) cells of each piece, relative to its top-left corner."""


def board_words(cells: list[int]) -> tuple[int, int]:
    """The two words of a set of cells."""
    low = sum(1 << cell for cell in cells if cell < WORD_CELLS)
    high = sum(1 << (cell - WORD_CELLS) for cell in cells if cell >= WORD_CELLS)
    return low, high


def line_cells(line: int) -> list[int]:
    """The nine cells of a line: rows are lines 0-8, columns 9-17, boxes 18-26."""
    kind, index = divmod(line, 9)
    if kind == 0:
        return [9 * index + column for column in range(9)]
    if kind == 1:
        return [9 * row + index for row in range(9)]
    top, left = 3 * (index // 3), 3 * (index % 3)
    return [9 * (top + row) + left + column for row in range(3) for column in range(3)]


LINES = np.array([board_words(line_cells(line)) for line in range(LINE_COUNT)], dtype=np.uint64)
"""(27, 2): the cells of every row, column and box."""

SIZES = np.array([len(cells) for cells in CELLS] + [0], dtype=np.int64)
"""Cells of each piece; the empty piece has none."""

OFFSETS = np.array(
    [[9 * row + column for row, column in cells] + [0] * (5 - len(cells)) for cells in CELLS]
    + [[0] * 5],
    dtype=np.uint64,
)
"""(48, 5): distance of each cell from the anchor, padded with 0."""


SHAPES = np.array(
    [board_words([9 * row + column for row, column in cells])[0] for cells in CELLS] + [0],
    dtype=np.uint64,
)
"""(48,): each piece at anchor 0. No piece reaches into the second word there."""


def _extent(piece: int) -> tuple[int, int]:
    return max(r for r, _ in CELLS[piece]) + 1, max(c for _, c in CELLS[piece]) + 1


def _anchors(piece: int) -> list[int]:
    if piece == EMPTY_PIECE:
        return [0]
    height, width = _extent(piece)
    return [9 * row + column for row in range(10 - height) for column in range(10 - width)]


ANCHORS = np.array([board_words(_anchors(piece)) for piece in range(48)], dtype=np.uint64)
"""(48, 2): the anchors at which a piece lies on the board."""


def _segments(piece: int) -> int:
    """Maximal horizontal plus maximal vertical runs of the cells of a piece."""
    cells = set(CELLS[piece]) if piece != EMPTY_PIECE else set()
    starts = [(r, c - 1) not in cells for r, c in cells] + [
        (r - 1, c) not in cells for r, c in cells
    ]
    return sum(starts)


SEGMENTS = np.array([_segments(piece) for piece in range(48)], dtype=np.int64)
"""How many runs of open cells a piece can remove at most when it is placed without a clear."""


LEFT_END, RIGHT_END, UPPER_END, LOWER_END = range(4)


def _ends(piece: int) -> list[tuple[int, int]]:
    """(side, offset) of every end of a run of the piece's cells."""
    cells = set(CELLS[piece]) if piece != EMPTY_PIECE else set()
    steps = {LEFT_END: (0, -1), RIGHT_END: (0, 1), UPPER_END: (-1, 0), LOWER_END: (1, 0)}
    return [
        (side, 9 * row + column)
        for side, (down, right) in steps.items()
        for row, column in sorted(cells)
        if (row + down, column + right) not in cells
    ]


END_SIDES = np.full((48, 12), -1, dtype=np.int64)
END_OFFSETS = np.zeros((48, 12), dtype=np.uint64)
for _piece in range(PIECE_COUNT):
    for _index, (_side, _offset) in enumerate(_ends(_piece)):
        END_SIDES[_piece, _index] = _side
        END_OFFSETS[_piece, _index] = _offset


def _placement_table() -> np.ndarray:
    table = np.zeros((48 * CELL_COUNT, 4), dtype=np.uint64)
    for piece in range(PIECE_COUNT):
        for anchor in _anchors(piece):
            cells = [anchor + 9 * row + column for row, column in CELLS[piece]]
            counts = [0, 0]
            for cell in cells:
                row, column = divmod(cell, 9)
                for line in (row, 9 + column, 18 + 3 * (row // 3) + column // 3):
                    counts[line // 16] += 1 << (4 * (line % 16))
            table[81 * piece + anchor] = (*board_words(cells), *counts)
    return table


def _cover_table() -> np.ndarray:
    table = np.zeros((48 * CELL_COUNT, 2), dtype=np.uint64)
    for piece in range(PIECE_COUNT):
        covering: dict[int, list[int]] = {}
        for anchor in _anchors(piece):
            for row, column in CELLS[piece]:
                covering.setdefault(anchor + 9 * row + column, []).append(anchor)
        for cell, anchors in covering.items():
            table[81 * piece + cell] = board_words(anchors)
    return table


@cache
def placement_tables() -> tuple[np.ndarray, np.ndarray]:
    """`(placements, covers)`, built once and passed to the kernels that need them.

    `placements[81 * piece + anchor]` is (first word, second word, line counts of lines 0-15, of
    lines 16-26), a line count being four bits. `covers[81 * piece + cell]` holds the anchors at
    which the piece covers the cell.
    """
    return _placement_table(), _cover_table()
