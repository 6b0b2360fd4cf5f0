"""Counts and solutions against an independent, slow solver and against known facts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from plyground import sudoku
from plyground.sudoku.search import GeneralSearch, search_of

from .oracle import cells_in_union, is_valid_solution, naive_solutions, random_board


@pytest.mark.parametrize(
    ("rows", "columns", "boards", "limit"),
    [(2, 2, 1200, 300), (2, 3, 500, 200), (3, 2, 300, 200), (2, 4, 60, 100), (3, 3, 250, 60)],
)
def test_solutions_equal_those_of_a_slow_solver(
    rows: int, columns: int, boards: int, limit: int
) -> None:
    shape = sudoku.geometry(rows, columns)
    kinds = set()
    for seed in range(boards):
        board = random_board(shape, seed)
        expected = naive_solutions(board, limit)
        found = sudoku.enumerate_solutions(board, limit)
        assert len(found) == len(expected) == sudoku.count(board, limit)
        distinct = {row.tobytes() for row in found}
        assert len(distinct) == len(found)
        if len(expected) < limit:
            assert distinct == set(expected)
        assert all(is_valid_solution(board, solution) for solution in found[:5])
        assert sudoku.solvable(board) == bool(expected)
        assert sudoku.is_unique(board) == (len(expected) == 1)
        kinds.add(min(len(expected), 2))
    assert kinds == {0, 1, 2}


def test_general_engine_agrees_with_the_9x9_engine() -> None:
    for seed in range(300):
        board = random_board(sudoku.geometry(3, 3), seed, 0.33)
        search = GeneralSearch(board)
        room = np.empty((500, 81), np.uint8)
        found = search.advance(500, 10**9, room)
        other = sudoku.enumerate_solutions(board, 500)
        assert found == len(other)
        if found < 500:
            assert {row.tobytes() for row in room[:found]} == {row.tobytes() for row in other}


def test_number_of_4x4_grids() -> None:
    empty = sudoku.Board.empty(2, 2)
    assert sudoku.count(empty) == 288
    assert len({row.tobytes() for row in sudoku.enumerate_solutions(empty)}) == 288


def test_number_of_6x6_grids() -> None:
    first_row = [1, 2, 3, 4, 5, 6]
    fixed = GeneralSearch(sudoku.Board.of(first_row + [0] * 30))
    assert fixed.advance(10**9, 10**9) * math.factorial(6) == 28_200_960
    assert sudoku.count(sudoku.Board.empty(2, 3)) == 28_200_960
    assert sudoku.count(sudoku.Board.empty(3, 2)) == 28_200_960


def test_known_hard_puzzle_with_one_solution() -> None:
    """An old 17-clue puzzle; its solution was found with the slow solver."""
    puzzle = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
    solution = "693784512487512936125963874932651487568247391741398625319475268856129743274836159"
    assert sudoku.board_line(sudoku.solve(puzzle)) == solution
    assert sudoku.count(puzzle) == 1


@pytest.mark.parametrize("limit", [1, 2, 7, 1000])
def test_limit_is_never_exceeded(limit: int) -> None:
    assert sudoku.count("." * 81, limit) == limit
    assert len(sudoku.enumerate_solutions("." * 81, limit)) == limit


@pytest.mark.parametrize("shape", [(3, 3), (2, 3)])
def test_a_search_can_stop_anywhere_and_go_on(shape: tuple[int, int]) -> None:
    boards = (random_board(sudoku.geometry(*shape), seed) for seed in range(1, 1000))
    board = next(board for board in boards if 300 < sudoku.count(board, 500) < 500)
    whole = sudoku.enumerate_solutions(board)
    search = search_of(board)
    pieces = []
    room = np.empty((3, board.geometry.cells), np.uint8)
    nodes = 0
    while not search.finished:
        found = search.advance(3, 5, room)
        pieces.append(room[:found].copy())
        assert search.nodes - nodes <= 5
        nodes = search.nodes
    together = np.concatenate(pieces)
    assert {row.tobytes() for row in together} == {row.tobytes() for row in whole}
    assert len(together) == len(whole)


@pytest.mark.parametrize(("rows", "columns", "boards"), [(2, 2, 60), (2, 3, 60), (3, 3, 150)])
def test_true_candidates_are_the_union_of_all_solutions(
    rows: int, columns: int, boards: int
) -> None:
    shape = sudoku.geometry(rows, columns)
    for seed in range(boards):
        board = random_board(shape, seed)
        solutions = sudoku.enumerate_solutions(board, 20_000)
        if len(solutions) < 20_000:
            expected = cells_in_union(solutions, shape.cells)
            assert np.array_equal(sudoku.true_candidates(board), expected)


def test_true_candidates_of_an_empty_board() -> None:
    assert (sudoku.true_candidates("." * 81) == 0o777).all()


def test_equal_digits_in_a_unit_leave_no_solution() -> None:
    for first, second in ((0, 8), (0, 72), (0, 10), (79, 80)):
        digits = [0] * 81
        digits[first] = digits[second] = 5
        assert sudoku.count(digits) == 0
        assert not sudoku.solvable(digits)
        assert not sudoku.true_candidates(digits).any()
