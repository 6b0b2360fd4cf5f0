"""The machine code does what the plain Python of the same kernels does, board by board."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from plyground import kernels, sudoku
from plyground.sudoku.board import Board
from plyground.sudoku.search import Desk, GeneralSearch, classic_engine, general_engine

from .oracle import random_board


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


def test_general_kernel_says_when_the_budget_is_too_small() -> None:
    shape = sudoku.geometry(4, 4)
    search = GeneralSearch(sudoku.Board.empty(4, 4))
    engine = general_engine()
    for budget, expected in ((1, -1), (10**6, 1)):
        verdict = engine.solvable(
            np.zeros(256, np.uint8),
            *(shape.units, shape.units_of, shape.peers),
            *(search._stack, search._control, search._queue, search._dirty),
            np.int64(budget),
            np.zeros((0, 256), np.uint8),
        )
        assert verdict == expected
