"""Named boards and play modes, made from a seed.

`empty-MxN` is empty; `random-MxN` is half full; `easy-MxN` has one solution that singles find;
`hard-MxN` has one solution and few givens. The same name and seed give the same board.
"""

from __future__ import annotations

import random
import re
from functools import lru_cache

import numpy as np

from plyground.core.errors import UnknownNameError
from plyground.games.competitive_sudoku import candidates
from plyground.games.competitive_sudoku.setup import LARGEST, SMALLEST
from plyground.games.competitive_sudoku.solvability import Workspace

KINDS = ("empty", "random", "easy", "hard")
MODES = ("classic", "rows", "border", "random")
KNOWN = ("empty-2x2", "easy-2x2", "random-2x3", "random-3x3", "easy-3x3", "hard-3x3", "random-4x4")

Allowed = tuple[frozenset[int], frozenset[int]]

_NAME = re.compile(r"([a-z]+)-(\d)x(\d)")
_GUESSES = 5000


def named_board(name: str, seed: int) -> tuple[int, int, tuple[int, ...]]:
    """Block rows, block columns and squares of a named board."""
    match = _NAME.fullmatch(name)
    if match and match[1] in KINDS:
        rows, columns = int(match[2]), int(match[3])
        if SMALLEST <= rows <= LARGEST and SMALLEST <= columns <= LARGEST:
            return rows, columns, _make_board(match[1], rows, columns, seed)
    raise UnknownNameError.of("board", name, KNOWN)


@lru_cache(maxsize=256)
def _make_board(kind: str, rows: int, columns: int, seed: int) -> tuple[int, ...]:
    count = (rows * columns) ** 2
    if kind == "empty":
        return (0,) * count
    chance = random.Random(f"{kind}-{rows}x{columns}-{seed}")
    work = Workspace(rows, columns)
    solution = _random_solution(rows, columns, chance, work)
    order = list(range(count))
    chance.shuffle(order)
    if kind == "random":
        kept = set(order[: count // 2])
        return tuple(value if cell in kept else 0 for cell, value in enumerate(solution))
    cells = list(solution)
    left = count
    for cell in order:
        if kind == "easy" and left <= 0.45 * count:
            break
        cells[cell] = 0
        left -= 1
        if not _has_one_solution(cells, work, guesses=0 if kind == "easy" else _GUESSES):
            cells[cell] = solution[cell]
            left += 1
    return tuple(cells)


def _random_solution(
    rows: int, columns: int, chance: random.Random, work: Workspace
) -> tuple[int, ...]:
    """A full board: a shuffled pattern, of which a part is kept and the rest solved anew."""
    size = rows * columns
    pattern = _shuffled_pattern(rows, columns, chance)
    kept = chance.sample(range(size * size), size * size // (4 if size <= 9 else 2))
    cells = np.zeros(size * size, np.int64)
    cells[kept] = np.array(pattern)[kept]
    grid = work.levels[0]
    if work.kernels.start_grid(cells, work.peers, work.units, work.queue, grid):
        # Values of the pattern count as settled: the search prefers other ones.
        settled = (np.uint32(1) << (np.array(pattern) - 1).astype(np.uint32)).astype(np.uint32)
        status = work.kernels.find_solution(
            work.levels, work.peers, work.units, work.queue, work.choices, settled, np.int64(2000)
        )
        if status == candidates.FOUND:
            return tuple(int(mask).bit_length() for mask in grid)
    return pattern


def _shuffled_pattern(rows: int, columns: int, chance: random.Random) -> tuple[int, ...]:
    size = rows * columns

    def shuffled(groups: int, length: int) -> list[int]:
        bands = chance.sample(range(groups), groups)
        return [
            band * length + step for band in bands for step in chance.sample(range(length), length)
        ]

    row_order, column_order = shuffled(columns, rows), shuffled(rows, columns)
    digits = chance.sample(range(1, size + 1), size)
    return tuple(
        digits[(columns * (row % rows) + row // rows + column) % size]
        for row in row_order
        for column in column_order
    )


def _has_one_solution(cells: list[int], work: Workspace, guesses: int) -> bool:
    board = np.array(cells, np.int64)
    work.kernels.start_grid(board, work.peers, work.units, work.queue, work.levels[0])
    found = np.zeros((2, len(cells)), np.int64)
    solutions = work.kernels.enumerate_solutions(
        work.levels, work.peers, work.units, work.queue, work.choices, np.int64(guesses), found
    )
    return bool(solutions == 1)


def allowed_squares(mode: str, size: int, seed: int) -> Allowed | None:
    """The squares on which either player may begin; None in classic mode."""
    if mode == "classic":
        return None
    squares = range(size * size)
    if mode == "rows":
        return frozenset(squares[:size]), frozenset(squares[-size:])
    if mode == "border":
        edge = (0, size - 1)
        border = frozenset(c for c in squares if c // size in edge or c % size in edge)
        return border, border
    drawn = random.Random(f"squares-{size}-{seed}").sample(squares, 2 * size)
    return frozenset(drawn[:size]), frozenset(drawn[size:])
