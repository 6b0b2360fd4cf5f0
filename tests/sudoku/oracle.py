"""A second, naive solver and random boards with no, one or many solutions."""

from __future__ import annotations

import random

import numpy as np

from plyground.sudoku import Board, Geometry


def naive_solutions(board: Board, limit: int) -> list[bytes]:
    """Up to `limit` solutions by trying digits in the cell with fewest possibilities."""
    shape = board.geometry
    size = shape.size
    digits = board.digits.tolist()
    rows, columns, blocks = ([set() for _ in range(size)] for _ in range(3))
    solutions: list[bytes] = []

    def where(cell: int) -> tuple[set[int], set[int], set[int]]:
        row, column = divmod(cell, size)
        block = row // shape.rows * shape.rows + column // shape.columns
        return rows[row], columns[column], blocks[block]

    units_of = [where(cell) for cell in range(size * size)]
    values = frozenset(range(1, size + 1))

    for cell, digit in enumerate(digits):
        if digit:
            units = units_of[cell]
            if any(digit in unit for unit in units):
                return []
            for unit in units:
                unit.add(digit)

    def extend() -> None:
        best, choices = -1, None
        for cell in range(size * size):
            if digits[cell] == 0:
                possible = values.difference(*units_of[cell])
                if choices is None or len(possible) < len(choices):
                    best, choices = cell, possible
                    if len(possible) < 2:
                        break
        if choices is None:
            solutions.append(bytes(digits))
            return
        for digit in sorted(choices):
            if len(solutions) >= limit:
                return
            digits[best] = digit
            for unit in units_of[best]:
                unit.add(digit)
            extend()
            for unit in units_of[best]:
                unit.discard(digit)
            digits[best] = 0

    extend()
    return solutions


def random_board(shape: Geometry, seed: int, share: float | None = None) -> Board:
    """A solved grid with some cells cleared and, for every third seed, one digit changed."""
    chance = random.Random(seed)
    size, m, n = shape.size, shape.rows, shape.columns
    rows = [g * m + r for g in chance.sample(range(n), n) for r in chance.sample(range(m), m)]
    columns = [g * n + c for g in chance.sample(range(m), m) for c in chance.sample(range(n), n)]
    names = chance.sample(range(1, size + 1), size)
    digits = [names[(n * (r % m) + r // m + c) % size] for r in rows for c in columns]
    if share is None:
        share = {4: 0.35, 6: 0.35, 8: 0.4, 9: 0.36}.get(size, 0.5) + chance.uniform(-0.05, 0.1)
    for cell in range(size * size):
        if chance.random() > share:
            digits[cell] = 0
    if seed % 3 == 0:
        filled = [cell for cell, digit in enumerate(digits) if digit]
        digits[chance.choice(filled)] = chance.randint(1, size)
    return Board.of(digits, shape)


def is_valid_solution(board: Board, solution: np.ndarray) -> bool:
    """Whether a full grid obeys the rules and agrees with the clues."""
    size = board.geometry.size
    clues = board.digits > 0
    whole = set(range(1, size + 1))
    return bool((solution[clues] == board.digits[clues]).all()) and all(
        set(solution[members].tolist()) == whole for members in board.geometry.units
    )


def cells_in_union(solutions: np.ndarray, cells: int) -> np.ndarray:
    """For each cell the mask of the digits that occur there."""
    masks = np.zeros(cells, np.uint32)
    for solution in solutions:
        masks |= np.uint32(1) << (solution - 1).astype(np.uint32)
    return masks
