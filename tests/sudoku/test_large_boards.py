"""Boards that the search may not settle: the SAT solver gives the certain answer."""

from __future__ import annotations

import numpy as np
import pytest

from plyground import sudoku
from plyground.sudoku import solver
from plyground.sudoku.sat import SatJudge, visible_candidates

from .oracle import is_valid_solution, naive_solutions, random_board


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3)])
def test_sat_agrees_with_the_slow_solver(shape: tuple[int, int]) -> None:
    for seed in range(60):
        board = random_board(sudoku.geometry(*shape), seed)
        judge = SatJudge(board)
        answer = judge.solve()
        judge.close()
        if naive_solutions(board, 1):
            assert isinstance(answer, np.ndarray)
            assert is_valid_solution(board, answer)
        else:
            assert answer is False


@pytest.mark.parametrize("shape", [(3, 4), (4, 4), (4, 5), (5, 5)])
def test_search_and_sat_agree_on_large_boards(
    shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts = set()
    for seed in range(10):
        board = sudoku.partly_filled(sudoku.geometry(*shape), 0.45, seed)
        open_cells = np.argwhere(visible_candidates(board) & (board.digits == 0)[:, None])
        chance = np.random.default_rng(seed)
        for cell, digit in chance.permutation(open_cells)[:2] if seed % 2 else []:
            board.digits[cell] = digit + 1
        answers = []
        for nodes in (1, 3000):
            monkeypatch.setattr(solver, "SEARCH_NODES", nodes)
            answer = sudoku.judge(board)
            answers.append(isinstance(answer, np.ndarray) and is_valid_solution(board, answer))
        assert answers[0] == answers[1]
        verdicts.add(answers[0])
        assert answers[0] or seed % 2
    assert True in verdicts


def test_stop_ends_the_work_without_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "SEARCH_NODES", 1)
    assert sudoku.judge(sudoku.Board.empty(4, 4), stop=lambda: True) is None


def test_true_candidates_of_a_12x12_board() -> None:
    board = sudoku.puzzle(sudoku.geometry(3, 4), 1)
    solution = sudoku.solve(board)
    assert solution is not None
    assert np.array_equal(
        sudoku.true_candidates(board), np.uint32(1) << (solution - 1).astype(np.uint32)
    )


@pytest.mark.parametrize("size", [(2, 2), (2, 5), (3, 4), (3, 5), (4, 4), (2, 12), (5, 5)])
def test_empty_boards_of_every_size_have_a_solution(size: tuple[int, int]) -> None:
    board = sudoku.Board.empty(*size)
    solution = sudoku.solve(board)
    assert solution is not None
    assert is_valid_solution(board, solution)
