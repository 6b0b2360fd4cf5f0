"""The machine code does what the plain Python of the same kernels does, board by board."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from plyground import kernels, sudoku
from plyground.sudoku import witness_search
from plyground.sudoku.board import Board
from plyground.sudoku.general import make_workspace
from plyground.sudoku.search import Desk, GeneralSearch, classic_engine, general_engine
from plyground.sudoku.solvability import witness_engine

from .oracle import cells_in_union, is_valid_solution, naive_solutions, random_board


def nine_trace(engine: ModuleType, board: Board, steps: int) -> list[bytes]:
    """Everything that a search leaves behind after each node."""
    desk = Desk(engine)
    room = np.zeros((1, 81), np.uint8)
    engine.begin(board.digits, desk.stack, desk.control)
    trace = []
    for _ in range(steps):
        found = engine.advance(
            desk.stack, desk.control, desk.no_preference, np.int64(1), np.int64(1), room
        )
        boards = int(desk.control[0])
        trace.append(desk.stack[: 96 * boards].tobytes() + desk.control.tobytes() + room.tobytes())
        trace.append(bytes([found]))
        if boards == 0:
            break
    return trace


@pytest.mark.parametrize("seed", range(6))
def test_9x9_search_in_plain_python(seed: int) -> None:
    board = random_board(sudoku.geometry(3, 3), seed, 0.3)
    plain = kernels.plain("plyground.sudoku.classic")
    assert nine_trace(plain, board, 12) == nine_trace(classic_engine(), board, 12)


def test_true_candidates_in_plain_python() -> None:
    plain = Desk(kernels.plain("plyground.sudoku.classic"))
    board = sudoku.puzzle(sudoku.geometry(3, 3), 3)
    for cell in np.flatnonzero(board.digits)[:2]:
        board.digits[cell] = 0
    verdict, masks = plain.true_candidates(board.digits, 10**6)
    assert verdict == 1
    assert np.array_equal(masks, Desk().true_candidates(board.digits, 10**6)[1])


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 4)])
def test_general_search_in_plain_python(shape: tuple[int, int]) -> None:
    board = random_board(sudoku.geometry(*shape), 4)
    plain = GeneralSearch(board, kernels.plain("plyground.sudoku.general"))
    compiled = GeneralSearch(board, general_engine())
    rooms = [np.zeros((5, board.geometry.cells), np.uint8) for _ in range(2)]
    assert plain.advance(5, 40, rooms[0]) == compiled.advance(5, 40, rooms[1])
    assert np.array_equal(rooms[0], rooms[1])
    assert plain.nodes == compiled.nodes


def test_a_node_budget_bounds_true_candidates() -> None:
    desk = Desk()
    verdict, masks = desk.true_candidates(np.zeros(81, np.uint8), 40)
    assert verdict == -1
    assert desk.control[1] <= 40
    assert (masks <= 0o777).all()


def test_kernels_say_when_the_budget_is_too_small() -> None:
    engine = witness_engine()
    work = make_workspace(sudoku.geometry(4, 4).tables)
    empty, known = np.zeros(256, np.uint8), np.zeros(256, np.uint32)
    solution = np.zeros(256, np.uint8)
    for budget, found in ((1, False), (10**6, True)):
        depth = engine.first_solution(work, empty, known, np.int64(budget), solution)
        assert (depth >= 0) == found
    assert depth != witness_search.UNKNOWN
    assert is_valid_solution(sudoku.Board.empty(4, 4), solution)
    few = np.zeros((3, 256), np.uint8)
    assert engine.list_solutions(work, empty, known, np.int64(10**6), few) == witness_search.UNKNOWN


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2)])
def test_solvable_values_are_those_of_a_slow_solver(shape: tuple[int, int]) -> None:
    geometry = sudoku.geometry(*shape)
    plain = kernels.plain(witness_search.__name__)
    for seed in range(6):
        board = random_board(geometry, seed, 0.4)
        solutions = np.array([list(row) for row in naive_solutions(board, 10**6)])
        expected = cells_in_union(solutions, geometry.cells)
        expected[board.digits > 0] = 0
        for engine in (plain, witness_engine()):
            work = make_workspace(geometry.tables)
            answers = witness_search.Answers(
                np.zeros(geometry.cells, np.uint32),
                np.zeros(geometry.cells, np.uint32),
                np.zeros((len(solutions) + 1, geometry.cells), np.int64),
            )
            last, budget = np.int64(geometry.cells), np.int64(10**6)
            verdict = engine.solvable_values(work, board.digits, np.int64(0), last, budget, answers)
            assert verdict == (
                witness_search.CERTAIN if len(solutions) else witness_search.NO_SOLUTION
            )
            if len(solutions):
                assert np.array_equal(answers.solvable, expected)
            kept = np.argmax(answers.witnesses[:, 0] == 0)
            known = {tuple(row) for row in solutions.tolist()}
            assert all(tuple(row) in known for row in answers.witnesses[:kept].tolist())
            rows = np.zeros((len(solutions) + 1, geometry.cells), np.uint8)
            masks = np.zeros(geometry.cells, np.uint32)
            number = engine.list_solutions(work, board.digits, masks, budget, rows)
            assert {tuple(row) for row in rows[:number].tolist()} == known
