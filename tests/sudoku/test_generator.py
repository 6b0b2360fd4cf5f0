"""Generated boards keep what they promise, and come from the seed alone."""

from __future__ import annotations

import numpy as np
import pytest

from plyground import sudoku
from plyground.core.errors import InputError

from .oracle import is_valid_solution, naive_solutions

NINE = sudoku.geometry(3, 3)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 4), (5, 5)])
def test_full_grids_are_solved_and_differ(shape: tuple[int, int]) -> None:
    board = sudoku.Board.empty(*shape)
    grids = [sudoku.full_grid(board.geometry, seed) for seed in range(6)]
    assert all(is_valid_solution(board, grid) for grid in grids)
    assert len({grid.tobytes() for grid in grids}) > 4
    assert np.array_equal(grids[3], sudoku.full_grid(board.geometry, 3))


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3)])
def test_minimal_puzzles_need_every_clue(shape: tuple[int, int]) -> None:
    for seed in range(5):
        board = sudoku.puzzle(sudoku.geometry(*shape), seed, minimal=True)
        assert len(naive_solutions(board, 2)) == 1
        for cell in np.flatnonzero(board.digits):
            fewer = sudoku.Board(board.geometry, board.digits.copy())
            fewer.digits[cell] = 0
            assert len(naive_solutions(fewer, 2)) == 2


@pytest.mark.parametrize("clues", [24, 30, 40, 81])
def test_clue_count_is_kept(clues: int) -> None:
    board = sudoku.puzzle(NINE, 1, clues=clues)
    assert board.clues == clues
    assert len(naive_solutions(board, 2)) == 1


@pytest.mark.parametrize("level", sudoku.LEVELS)
def test_level_is_kept(level: str) -> None:
    for seed in range(3):
        board = sudoku.puzzle(NINE, seed, level=level)
        assert sudoku.difficulty(board) == level
        assert sudoku.is_unique(board)
        assert board == sudoku.puzzle(NINE, seed, level=level)


def test_easy_puzzles_fall_to_singles() -> None:
    """Checked with an own solver that knows naked and hidden singles only."""
    for seed in range(5):
        board = sudoku.puzzle(NINE, seed, level="easy")
        digits = board.digits.copy()
        progress = True
        while progress:
            progress = False
            fits = {
                cell: set(range(1, 10)) - {int(digits[peer]) for peer in NINE.peers[cell]}
                for cell in np.flatnonzero(digits == 0).tolist()
            }
            for cell, possible in fits.items():
                alone = [
                    digit
                    for digit in possible
                    if any(
                        not any(
                            digit in fits.get(o, ()) for o in NINE.units[u].tolist() if o != cell
                        )
                        for u in NINE.units_of[cell]
                    )
                ]
                single = list(possible) if len(possible) == 1 else alone
                if single:
                    digits[cell] = single[0]
                    progress = True
                    break
        assert (digits > 0).all()


@pytest.mark.parametrize("shape", [(2, 3), (3, 3), (4, 4), (5, 5)])
@pytest.mark.parametrize("fill", [0.0, 0.3, 0.5, 1.0])
def test_partly_filled_boards_are_solvable(shape: tuple[int, int], fill: float) -> None:
    board = sudoku.partly_filled(sudoku.geometry(*shape), fill, 7)
    assert board.clues == round(fill * board.geometry.cells)
    assert board.conflict() is None
    assert sudoku.solvable(board)


@pytest.mark.parametrize("name", sudoku.NAMED_BOARDS)
def test_named_boards(name: str) -> None:
    board = sudoku.named_board(name)
    assert str(board.geometry) == name.partition("-")[2]
    assert sudoku.solvable(board)
    if name.startswith(("easy", "hard")):
        assert sudoku.is_unique(board)
        assert sudoku.difficulty(board) == name.partition("-")[0]
    if name.startswith("random"):
        assert board.clues == board.geometry.cells // 2
    assert board == sudoku.named_board(name)


def test_wishes_that_cannot_be_met_are_refused() -> None:
    for wish in ({"clues": 0}, {"clues": 82}, {"clues": 5}, {"level": "silly"}):
        with pytest.raises(InputError):
            sudoku.puzzle(NINE, 0, **wish)
    with pytest.raises(InputError):
        sudoku.partly_filled(NINE, 1.5, 0)
    with pytest.raises(InputError, match="easy-3x3"):
        sudoku.named_board("easy3x3")


def test_batches_agree_with_single_boards_whatever_the_number_of_threads() -> None:
    boards = [sudoku.puzzle(NINE, seed) for seed in range(600)]
    for board in boards[::3]:
        board.digits[np.flatnonzero(board.digits)[0]] = 0
    expected = [sudoku.count(board, 10) for board in boards[:60]]
    alone = sudoku.count_many(boards, 10, jobs=1)
    assert alone[:60].tolist() == expected
    assert np.array_equal(alone, sudoku.count_many(boards, 10, jobs=3))
    counts, solutions = sudoku.solve_many(boards, 2, jobs=2)
    assert np.array_equal(counts, np.minimum(alone, 2))
    assert all(is_valid_solution(b, s) for b, s in zip(boards, solutions, strict=True))
