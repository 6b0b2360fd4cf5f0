"""Sudoku on every board size: solve, count, enumerate, judge, generate."""

from plyground.sudoku.batch import count_many, solve_many
from plyground.sudoku.board import Board, BoardError
from plyground.sudoku.boardfile import board_file
from plyground.sudoku.boards import NAMED_BOARDS, named_board
from plyground.sudoku.generator import GeneratorError, full_grid, partly_filled, puzzle
from plyground.sudoku.geometry import Geometry, GeometryError, geometry, geometry_of_size
from plyground.sudoku.rating import LEVELS, difficulty
from plyground.sudoku.solver import (
    count,
    enumerate_solutions,
    is_unique,
    judge,
    solvable,
    solve,
    true_candidates,
)
from plyground.sudoku.text import board_line, read_board, read_boards

__all__ = [
    "LEVELS",
    "NAMED_BOARDS",
    "Board",
    "BoardError",
    "GeneratorError",
    "Geometry",
    "GeometryError",
    "board_file",
    "board_line",
    "count",
    "count_many",
    "difficulty",
    "enumerate_solutions",
    "full_grid",
    "geometry",
    "geometry_of_size",
    "is_unique",
    "judge",
    "named_board",
    "partly_filled",
    "puzzle",
    "read_board",
    "read_boards",
    "solvable",
    "solve",
    "solve_many",
    "true_candidates",
]
