"""Where things are in a 9x9 board of three values of 32 lanes (see `band_vectors`)."""

from __future__ import annotations

import numpy as np

BOARDS, NODES = np.uint64(0), np.uint64(1)
CONTROL_WORDS = 2
BOARD_WORDS = np.uint64(96)
STACK_WORDS = 96 * 330
"""Every split settles a cell, a digit of a row, or its part in a box: 324 boards are enough."""

BY_BANDS = np.uint64(STACK_WORDS - 1)
"""The word of the stack that says how to split: 0 by cells, 1 by bands, 2 by bands with a
solution found already."""

START_BOARD = np.uint64(STACK_WORDS - 128)
"""Where the stack keeps the board that the search began with."""

SPARE_BOARD = np.uint64(STACK_WORDS - 224)
"""Room for one more board, free for callers of the search."""

USED = np.uint32(0x15FFFFFF)
"""The 27 lanes that carry a band and a digit."""

EVERY_LANE = np.uint32(0xFFFFFFFF)
IDLE = np.uint32(0xFF000000)
"""The last quarter, which has no row when rows are laid out by `over_digits`."""

ROW_LANES = np.uint32(0x00151515)
"""The lanes of the nine rows in that layout."""

ROW = np.uint16(0o777)
BOX_MARKS = np.uint16(0o444)
FIRST_COLUMNS = np.uint16(0o333)
FIRST_COLUMN = np.uint16(0o111)
S1, S2, S3, S6, S8, S9 = (np.uint16(shift) for shift in (1, 2, 3, 6, 8, 9))
STACK_COLUMNS = np.array([0o007, 0o070, 0o700], np.uint16)
BAND_LANES = np.array([0x010000FF, 0x0400FF00, 0x10FF0000], np.uint32)

LANE_OF = np.array(
    [[8 * band + digit if digit < 8 else 24 + 2 * band for digit in range(9)] for band in range(3)],
    np.uint8,
).ravel()
DIGIT_OF = np.zeros(32, np.uint8)
DIGIT_OF[LANE_OF] = np.tile(np.arange(1, 10, dtype=np.uint8), 3)

BAND_OF = np.array(
    [lane // 8 if lane < 24 else min((lane - 24) // 2, 2) for lane in range(32)], np.uint8
)

ONE_LANE = (np.eye(32, dtype=np.uint16) * np.uint16(0xFFFF)).ravel()
"""At 32 * i: a mask of lane i."""

SAME_BAND = np.array(
    [[0xFFFF if BAND_LANES[band] >> lane & 1 else 0 for lane in range(32)] for band in range(3)],
    np.uint16,
).ravel()
"""At 32 * b: a mask of the lanes of band b."""

FIRST_CELLS = np.array(
    [[27 * int(BAND_OF[lane]) + 9 * row for lane in range(32)] for row in range(3)],
    np.uint16,
).ravel()
"""At 32 * i: for each lane the first cell of row i of its band."""

WHOLE_ROWS = np.array([0o777 if USED >> lane & 1 else 0 for lane in range(32)], np.uint16)
