"""Sudoku on every board size: solve, count, enumerate, judge."""

from plyground.sudoku.board import Board, BoardError
from plyground.sudoku.geometry import Geometry, GeometryError, geometry, geometry_of_size
from plyground.sudoku.solver import (
    count,
    enumerate_solutions,
    is_unique,
    solvable,
    solve,
    true_candidates,
)

__all__ = [
    "Board",
    "BoardError",
    "Geometry",
    "GeometryError",
    "count",
    "enumerate_solutions",
    "geometry",
    "geometry_of_size",
    "is_unique",
    "solvable",
    "solve",
    "true_candidates",
]
