"""Certain answers to "does this board have a solution?", remembered as solutions.

The boards of a game only grow, so a solution found once answers most later questions. What the
fast search cannot settle within its budget goes to the general solver.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.games.competitive_sudoku import candidates
from plyground.sudoku import Board, geometry, solve

Cells = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint32]

FAST_BUDGET = 20_000
REMEMBERED = 64


class Workspace:
    """Tables of a block size and the arrays that the kernels of `candidates` work in."""

    def __init__(self, rows: int, columns: int) -> None:
        size = rows * columns
        count = size * size
        peers = int(candidates.peer_count(np.int64(rows), np.int64(columns)))
        self.peers = np.zeros((count, peers), np.int64)
        self.units = np.zeros((3 * size, size), np.int64)
        module = kernels.compiled(candidates.__name__)
        module.fill_peers(np.int64(rows), np.int64(columns), self.peers)
        module.fill_units(np.int64(rows), np.int64(columns), self.units)
        self.levels = np.zeros((count + 3, count), np.uint32)
        self.queue = np.zeros(count + 1, np.int64)
        self.choices = np.zeros(count + 3, np.int64)
        self.kernels = module


class Solvability:
    """Answers for boards of one block size. Shared by all games of that size."""

    def __init__(self, rows: int, columns: int) -> None:
        self._shape = geometry(rows, columns)
        self._work = Workspace(rows, columns)
        self._known: list[npt.NDArray[np.uint8]] = []
        self._lock = Lock()
        self._no_witnesses = np.zeros((0, self._shape.cells), np.int64)

    def solution(self, cells: Cells) -> npt.NDArray[np.uint8] | None:
        """A solution of this board, or None if there is none."""
        with self._lock:
            filled = cells > 0
            for index, known in enumerate(self._known):
                if np.array_equal(known[filled], cells[filled]):
                    self._known.insert(0, self._known.pop(index))
                    return known
            return self._search(cells)

    def _search(self, cells: Cells) -> npt.NDArray[np.uint8] | None:
        work = self._work
        if not work.kernels.start_grid(cells, work.peers, work.units, work.queue, work.levels[0]):
            return None
        settled = np.zeros(len(cells), np.uint32)
        status = work.kernels.find_solution(
            work.levels,
            work.peers,
            work.units,
            work.queue,
            work.choices,
            settled,
            np.int64(FAST_BUDGET),
        )
        if status == candidates.NONE:
            return None
        if status == candidates.FOUND:
            found = np.round(np.log2(work.levels[0])).astype(np.uint8) + np.uint8(1)
        else:
            certain = solve(Board(self._shape, cells.astype(np.uint8)))
            if certain is None:
                return None
            found = certain
        self._known = [found, *self._known[: REMEMBERED - 1]]
        return found

    def solvable(self, cells: Cells) -> bool:
        """Whether this board has a solution."""
        return self.solution(cells) is not None

    def values(self, cells: Cells) -> Masks:
        """For each empty square the mask of values that leave the board solvable."""
        settled = np.zeros(len(cells), np.uint32)
        doubtful = np.zeros(len(cells), np.uint32)
        filled = cells > 0
        work = self._work
        with self._lock:
            for known in self._known:
                if np.array_equal(known[filled], cells[filled]):
                    settled |= np.uint32(1) << (known - 1).astype(np.uint32)
            settled[filled] = 0
            status = work.kernels.solvable_values(
                cells,
                work.peers,
                work.units,
                work.levels,
                work.queue,
                work.choices,
                np.int64(FAST_BUDGET),
                np.int64(0),
                np.int64(len(cells)),
                settled,
                doubtful,
                self._no_witnesses,
            )
        if status == candidates.UNKNOWN:
            for cell in np.flatnonzero(doubtful):
                for value in range(1, self._shape.size + 1):
                    bit = np.uint32(1 << value - 1)
                    if doubtful[cell] & bit:
                        trial = cells.copy()
                        trial[cell] = value
                        if self.solvable(trial):
                            settled[cell] |= bit
        return settled


@lru_cache(maxsize=32)
def solvability(rows: int, columns: int) -> Solvability:
    """The one that belongs to a block size."""
    return Solvability(rows, columns)
