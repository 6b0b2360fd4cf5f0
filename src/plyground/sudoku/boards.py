"""The boards that Competitive Sudoku players know by name, made from fixed seeds."""

from __future__ import annotations

import re

import numpy as np

from plyground.core.errors import UnknownNameError
from plyground.sudoku.board import Board
from plyground.sudoku.generator import partly_filled, puzzle
from plyground.sudoku.geometry import geometry

NAMED_BOARDS = (
    "easy-2x2",
    "easy-3x3",
    "hard-3x3",
    "random-2x3",
    "random-3x3",
    "random-3x4",
    "random-4x4",
    "empty-2x2",
    "empty-2x3",
    "empty-3x3",
    "empty-3x4",
    "empty-4x4",
)
HALF_FILLED = 0.5


def named_board(name: str, seed: int = 0) -> Board:
    """A board by name; the same seed gives the same board.

    `empty-MxN`; `random-MxN`: half filled and solvable; `easy-MxN`: a puzzle that singles solve, a
    few clues more than needed; `hard-MxN`: a minimal puzzle that needs guesses. Every size works.
    """
    parts = re.fullmatch(r"(empty|random|easy|hard)-(\d+)x(\d+)", name)
    if parts is None:
        raise UnknownNameError.of("board", name, NAMED_BOARDS)
    shape = geometry(int(parts[2]), int(parts[3]))
    if parts[1] == "empty":
        return Board(shape, np.zeros(shape.cells, np.uint8))
    if parts[1] == "random":
        return partly_filled(shape, HALF_FILLED, seed)
    if parts[1] == "hard":
        return puzzle(shape, seed, level="hard", minimal=True)
    return puzzle(shape, seed, level="easy", clues=round(0.45 * shape.cells))
