"""The boards that Competitive Sudoku players know by name, made from a seed."""

from __future__ import annotations

import re
from functools import lru_cache

from plyground.core.errors import UnknownNameError
from plyground.sudoku.board import Board
from plyground.sudoku.generator import easy_puzzle, hard_puzzle, partly_filled
from plyground.sudoku.geometry import Geometry, geometry

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
EASY_SHARE = 0.45


def named_board(name: str, seed: int = 0) -> Board:
    """A board by name; the same seed gives the same board.

    `empty-MxN`; `random-MxN`: half filled and solvable; `easy-MxN`: a puzzle that singles solve,
    with clues in 45 of 100 cells; `hard-MxN`: a puzzle whose clues are all needed, and which needs
    guesses where the size has such. Every size works.
    """
    parts = re.fullmatch(r"(empty|random|easy|hard)-(\d{1,3})x(\d{1,3})", name, re.ASCII)
    if parts is None:
        raise UnknownNameError.of("board", name, NAMED_BOARDS)
    made = _make_board(parts[1], geometry(int(parts[2]), int(parts[3])), seed)
    return Board(made.geometry, made.digits.copy())


@lru_cache(maxsize=256)
def _make_board(kind: str, shape: Geometry, seed: int) -> Board:
    if kind == "random":
        return partly_filled(shape, HALF_FILLED, seed)
    if kind == "hard":
        return hard_puzzle(shape, seed)
    if kind == "easy":
        return easy_puzzle(shape, seed, round(EASY_SHARE * shape.cells))
    return Board.empty(shape.rows, shape.columns)
