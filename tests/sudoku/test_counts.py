"""Counts and solutions against an independent, slow solver and against known facts."""

from __future__ import annotations

import numpy as np
import pytest

from plyground import sudoku

from .oracle import naive_solutions, random_board


@pytest.mark.parametrize(
    ("rows", "columns", "boards"), [(2, 2, 300), (2, 3, 200), (3, 2, 200), (3, 3, 150)]
)
def test_solutions_equal_those_of_a_slow_solver(rows: int, columns: int, boards: int) -> None:
    shape = sudoku.geometry(rows, columns)
    seen = set()
    for seed in range(boards):
        board = random_board(shape, seed)
        expected = naive_solutions(board, 300)
        found = sudoku.enumerate_solutions(board, 300)
        assert len(found) == len(expected) == sudoku.count(board, 300)
        if len(expected) < 300:
            assert {row.tobytes() for row in found} == {bytes(row) for row in expected}
        assert len({row.tobytes() for row in found}) == len(found)
        seen.add(min(len(expected), 2))
    assert seen == {0, 1, 2}


def test_number_of_4x4_grids() -> None:
    assert sudoku.count(sudoku.Board.empty(2, 2)) == 288


def test_true_candidates_are_the_union_of_all_solutions() -> None:
    for seed in range(40):
        board = random_board(sudoku.geometry(2, 3), seed)
        solutions = sudoku.enumerate_solutions(board)
        expected = np.zeros(36, np.uint32)
        for solution in solutions:
            expected |= np.uint32(1) << (solution - 1).astype(np.uint32)
        assert np.array_equal(sudoku.true_candidates(board), expected)
