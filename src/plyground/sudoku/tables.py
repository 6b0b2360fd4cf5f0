"""Which cells share a row, column or block: the geometry of a board as arrays for kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.kernels.marker import kernel


class Tables(NamedTuple):
    """The neighbourhoods of a board of N x N cells, numbered row by row; units are numbered too."""

    units: np.ndarray
    """(3N, N) uint16: the cells of each row, then of each column, then of each block."""
    units_of: np.ndarray
    """(N*N, 3) uint16: the row, column and block of each cell, as indices into `units`."""
    peers: np.ndarray
    """(N*N, P) uint16: the other cells of the row, column and block of each cell, in order."""


@kernel
def make_tables(block_rows: np.int64, block_columns: np.int64) -> Tables:
    """The tables of a board with blocks of this size."""
    size = np.int64(block_rows * block_columns)
    units = np.zeros((3 * size, size), np.uint16)
    units_of = np.zeros((size * size, 3), np.uint16)
    count = 2 * (size - 1) + (block_rows - 1) * (block_columns - 1)
    peers = np.zeros((size * size, count), np.uint16)
    for cell in range(size * size):
        row, column = cell // size, cell % size
        top, left = row - row % block_rows, column - column % block_columns
        units[row, column] = cell
        units[size + column, row] = cell
        block = 2 * size + top + column // block_columns
        units[block, (row - top) * block_columns + column - left] = cell
        units_of[cell, 0] = row
        units_of[cell, 1] = size + column
        units_of[cell, 2] = block
        found = 0
        for other in range(size):
            first, last = column, column + 1
            if other == row:
                first, last = np.int64(0), size
            elif top <= other < top + block_rows:
                first, last = left, left + block_columns
            for near in range(first, last):
                if other != row or near != column:
                    peers[cell, found] = other * size + near
                    found += 1
    return Tables(units, units_of, peers)
