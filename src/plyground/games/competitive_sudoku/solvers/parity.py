"""The parity law of classic Competitive Sudoku, on all 4x4 boards with one solution.

With E empty squares and P passes, at equal scores, the law says that the player to move loses when
both are even, and wins otherwise. Every 4x4 Sudoku is one of two grids up to renaming, transposing
and swapping lines, so all choices of empty squares in these two are all boards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from plyground.games.competitive_sudoku.position_data import PositionData
from plyground.games.competitive_sudoku.solvers.one_solution import OneSolutionSearch
from plyground.sudoku import geometry
from plyground.sudoku.solution_lister import SolutionLister

GRIDS = ("1234341221434321", "1234341223414123")
"""One of each class: 96 of the 288 grids are like the first, 192 like the second."""
WORST = 300


def boards(grid: str, empty: int) -> Iterator[tuple[int, ...]]:
    """All boards of a grid with so many empty squares."""
    digits = tuple(map(int, grid))
    for cells in combinations(range(16), empty):
        left = set(cells)
        yield tuple(0 if cell in left else digit for cell, digit in enumerate(digits))


def margin(search: OneSolutionSearch) -> float:
    """What the player to move wins by, with best play of both."""
    search.begin(64, -WORST, WORST)
    while not search.run(100_000):
        pass
    assert search.resolved
    return search.value


def survey(grid: str, empty: int) -> dict[str, object]:
    """All boards of a grid with so many empty squares, by the parity of their passes."""
    lister = SolutionLister(geometry(2, 2))
    found: dict[str, Counter[str]] = defaultdict(Counter)
    broken: dict[str, str] = {}
    for cells in boards(grid, empty):
        solutions = lister.solutions(np.array(cells, np.int64), 2)
        if solutions is None or len(solutions) != 1:
            continue
        search = OneSolutionSearch(PositionData(2, 2, cells), solutions[0].copy())
        passes = "odd" if search.passes % 2 else "even"
        points = margin(search)
        word = "won" if points > 0 else "lost" if points < 0 else "drawn"
        found[passes][word] += 1
        expected = "lost" if empty % 2 == 0 and passes == "even" else "won"
        if word != expected:
            found[passes]["against the law"] += 1
            broken.setdefault(passes, "".join(map(str, cells)))
    return {
        "grid": grid,
        "empty": empty,
        "passes": {passes: dict(counts) for passes, counts in sorted(found.items())},
        "first against the law": broken,
    }
