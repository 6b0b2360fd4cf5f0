"""The submissions' solver in plain Python, beside the compiled one and brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.course.host import solving
from plyground.course.host.solving import solvable, units
from plyground.sudoku import geometry, named_board
from plyground.sudoku.solvability import solvability


def grids_of_four() -> list[tuple[int, ...]]:
    """All 288 solutions of the 2x2 board, by trying every arrangement of rows."""
    rows = list(itertools.permutations((1, 2, 3, 4)))
    found = []
    for lines in itertools.product(rows, repeat=4):
        cells = sum(lines, ())
        if all(
            len({cells[cell] for cell in region}) == 4
            for square in range(16)
            for region in units(2, 2)[square][1:]
        ):
            found.append(cells)
    return found


def fitting(rows: int, columns: int, cells: tuple[int, ...], square: int) -> list[int]:
    """The values that no region of a square has yet."""
    near = {cells[other] for region in units(rows, columns)[square] for other in region}
    return [value for value in range(1, rows * columns + 1) if value not in near]


def test_every_board_of_four_is_judged_like_brute_force():
    solutions = grids_of_four()
    assert len(solutions) == 288
    chance = np.random.default_rng(1)
    verdicts = set()
    for _ in range(400):
        cells = [int(v) for v in chance.integers(1, 5, 16) * (chance.random(16) < 0.35)]
        expected = any(
            all(not cell or cell == value for cell, value in zip(cells, solution, strict=True))
            for solution in solutions
        )
        assert solvable(2, 2, cells) is expected
        verdicts.add(expected)
    assert verdicts == {True, False}


def board_of(name: str, seed: int) -> tuple[int, int, tuple[int, ...]]:
    """Block rows, block columns and squares of a named board."""
    board = named_board(name, seed)
    return board.geometry.rows, board.geometry.columns, tuple(board.digits.tolist())


@given(st.sampled_from(["random-2x3", "random-3x3", "hard-3x3", "random-4x4"]), st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_it_agrees_with_the_compiled_solver(name: str, seed: int):
    rows, columns, cells = board_of(name, seed)
    chance = np.random.default_rng(seed)
    for square in chance.permutation([c for c, value in enumerate(cells) if not value])[:4]:
        board = list(cells)
        board[square] = int(chance.choice(fitting(rows, columns, cells, square)))
        expected = solvability(geometry(rows, columns)).solvable(np.array(board, np.int64))
        assert solvable(rows, columns, board) is bool(expected)


@pytest.mark.parametrize("seed", range(2))
def test_a_hard_board_is_left_to_the_compiled_solver(seed, monkeypatch):
    monkeypatch.setattr(solving, "GUESSES", 0)
    rows, columns, cells = board_of("hard-3x3", seed)
    assert solvable(rows, columns, cells)
    square = cells.index(0)
    answers = []
    for value in fitting(rows, columns, cells, square):
        answers.append(solvable(rows, columns, [*cells[:square], value, *cells[square + 1 :]]))
    assert sum(answers) == 1
