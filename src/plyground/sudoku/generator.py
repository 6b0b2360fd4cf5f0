"""Boards from a seed: full grids, puzzles with one solution, solvable partly filled boards."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from plyground.core.errors import InputError
from plyground.sudoku.board import Board, Digits
from plyground.sudoku.geometry import Geometry
from plyground.sudoku.rating import LEVELS, difficulty
from plyground.sudoku.search import Desk, GeneralSearch, is_classic, search_of

MIXING_ROUNDS = 3
MIXING_NODES = 3000
UNIQUENESS_NODES = 2000
"""Nodes for the question whether a large puzzle still has one solution; unknown counts as no."""

ATTEMPTS = 2000
"""Puzzles that are made and thrown away before a wish is called too hard."""


HARD_TRIES = 40


class GeneratorError(InputError, kind="cannot-generate"):
    """A wish that cannot be met: a clue count or level that no puzzle found has."""


def full_grid(shape: Geometry, seed: int) -> Digits:
    """A random solved grid: (N*N,) uint8. Not all grids are equally likely."""
    return _full_grid(shape, np.random.default_rng(seed))


def _full_grid(shape: Geometry, chance: np.random.Generator) -> Digits:
    """Shuffle a regular grid, then replace most of it by other solutions of the rest."""
    digits = _shuffled_pattern(shape, chance)
    kept_share = 0.24 if shape.size <= 9 else 0.42 if shape.size <= 16 else 0.5
    for _ in range(MIXING_ROUNDS):
        names = np.concatenate([[0], chance.permutation(shape.size) + 1]).astype(np.uint8)
        rest = np.where(chance.random(shape.cells) < kept_share, names[digits], 0)
        room = np.empty((16, shape.cells), np.uint8)
        search = search_of(Board(shape, rest.astype(np.uint8)))
        found = search.advance(16, MIXING_NODES, room)
        if found:
            digits = room[chance.integers(found)].copy()
    return digits


def _shuffled_pattern(shape: Geometry, chance: np.random.Generator) -> Digits:
    def lines(groups: int, length: int) -> list[int]:
        return [
            int(group * length + line)
            for group in chance.permutation(groups)
            for line in chance.permutation(length)
        ]

    m, n, size = shape.rows, shape.columns, shape.size
    rows, columns = lines(n, m), lines(m, n)
    names = chance.permutation(size) + 1
    pattern = [
        names[(n * (row % m) + row // m + column) % size] for row in rows for column in columns
    ]
    return np.array(pattern, np.uint8)


def partly_filled(shape: Geometry, fill: float, seed: int) -> Board:
    """A solvable board with this share of its cells filled (rounded to whole cells)."""
    if not 0.0 <= fill <= 1.0:
        raise GeneratorError(f"the fill rate {fill} does not lie between 0 and 1")
    chance = np.random.default_rng(seed)
    digits = _full_grid(shape, chance)
    cleared = chance.permutation(shape.cells)[round(fill * shape.cells) :]
    digits[cleared] = 0
    return Board(shape, digits)


def puzzle(
    shape: Geometry,
    seed: int,
    *,
    clues: int | None = None,
    minimal: bool = False,
    level: str | None = None,
) -> Board:
    """A puzzle with exactly one solution.

    With `clues` it has exactly that many; with `minimal` no clue can be left out; with `level` it
    has that difficulty (see `rating`). Without any wish it is minimal. `GeneratorError` when no
    such puzzle turns up in `ATTEMPTS` attempts.
    """
    if level is not None and level not in LEVELS:
        raise GeneratorError(f"unknown level {level!r} (known: {', '.join(LEVELS)})")
    if clues is not None and not 1 <= clues <= shape.cells:
        raise GeneratorError(f"a {shape} board cannot have {clues} clues")
    chance = np.random.default_rng(seed)
    target = 0 if clues is None or minimal else clues
    for _ in range(ATTEMPTS if shape.size <= 9 else ATTEMPTS // 100):
        board = _carve(shape, chance, target)
        if clues is not None and board.clues != clues:
            continue
        if level is None or difficulty(board) == level:
            return board
    wishes = [f"{clues} clues"] if clues is not None else []
    wishes += ["no superfluous clue"] if minimal else []
    wishes += [f"level {level}"] if level is not None else []
    raise GeneratorError(f"no {shape} puzzle with {', '.join(wishes)} found; try another seed")


def easy_puzzle(shape: Geometry, seed: int, clues: int) -> Board:
    """A puzzle that naked and hidden singles solve, with this many clues or a few more."""
    chance = np.random.default_rng(seed)
    return _carve(shape, chance, clues, singles_suffice)


def hard_puzzle(shape: Geometry, seed: int) -> Board:
    """A puzzle whose clues are all needed: the first hard one of some tries, or the hardest.

    On boards larger than 9x9 there is one try, and a clue whose need is not plain stays.
    """
    chance = np.random.default_rng(seed)
    hardest, level = Board(shape, np.zeros(shape.cells, np.uint8)), -1
    for _ in range(HARD_TRIES if shape.size <= 9 else 1):
        board = _carve(shape, chance, 0)
        found = LEVELS.index(difficulty(board))
        if LEVELS[found] == "hard":
            return board
        if found > level:
            hardest, level = board, found
    return hardest


def singles_suffice(board: Board) -> bool:
    """Whether naked and hidden singles alone find the one solution of a board."""
    search = GeneralSearch(board)
    return search.advance(2, 1) == 1


def _carve(
    shape: Geometry,
    chance: np.random.Generator,
    target: int,
    keeps: Callable[[Board], bool] | None = None,
) -> Board:
    """Take clues out of a full grid in random order while the board stays as it should.

    That is: with one solution, or what `keeps` says.
    """
    board = Board(shape, _full_grid(shape, chance))
    fits = keeps or _Uniqueness(board)
    for cell in chance.permutation(shape.cells):
        if board.clues <= target:
            break
        digit = board.digits[cell]
        board.digits[cell] = 0
        if not fits(board):
            board.digits[cell] = digit
    return board


class _Uniqueness:
    """Asks again and again whether a changing board has exactly one solution."""

    def __init__(self, board: Board) -> None:
        self._desk = Desk() if is_classic(board) else None
        self._count = np.zeros(1, np.int64)

    def __call__(self, board: Board) -> bool:
        if self._desk is not None:
            self._desk.count_each(board.digits[None], 2, self._count)
            return bool(self._count[0] == 1)
        search = GeneralSearch(board)
        return search.advance(2, UNIQUENESS_NODES) == 1 and search.finished
