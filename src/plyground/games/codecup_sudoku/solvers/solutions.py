"""All solutions of a grid, or as many as are wanted, while a clock is watched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyground.sudoku.search import SLICE_NODES, Desk

Digits = NDArray[np.uint8]
OutOfTime = Callable[[], bool]

_BATCH = 4


def never() -> bool:
    """An `OutOfTime` for callers without a clock."""
    return False


@dataclass(frozen=True)
class SolutionSet:
    """Solutions of a grid (k, 81) without duplicates; `complete` if there are no more."""

    grids: Digits
    complete: bool

    def __len__(self) -> int:
        return len(self.grids)

    def after(self, cell: int, digit: int) -> SolutionSet:
        """The solutions that have this digit in this cell."""
        return SolutionSet(self.grids[self.grids[:, cell] == digit], self.complete)


class Finder:
    """Looks for solutions of 9x9 grids (81,) uint8 with 0 = empty. For one thread."""

    def __init__(self) -> None:
        self._desk = Desk()

    def solutions(self, digits: Digits, limit: int, out_of_time: OutOfTime = never) -> SolutionSet:
        """At most `limit` solutions; fewer when time runs out."""
        desk = self._desk
        room = np.empty((limit, 81), np.uint8)
        desk.engine.begin(digits, desk.stack, desk.control)
        found = 0
        while found < limit and desk.control[0]:
            found += int(
                desk.engine.advance(
                    desk.stack,
                    desk.control,
                    desk.no_preference,
                    np.int64(limit - found),
                    np.int64(SLICE_NODES),
                    room[found:],
                )
            )
            if out_of_time():
                break
        return SolutionSet(room[:found], bool(desk.control[0] == 0))

    def counts_after(
        self,
        digits: Digits,
        moves: list[tuple[int, int]],
        limit: int,
        out_of_time: OutOfTime = never,
    ) -> list[int]:
        """Solutions left by each of these moves, at most `limit`; shorter when time runs out."""
        grids = np.repeat(digits[None, :], len(moves), axis=0)
        for row, (cell, digit) in enumerate(moves):
            grids[row, cell] = digit
        counts = np.zeros(len(moves), np.int64)
        done = 0
        while done < len(moves) and not out_of_time():
            batch = slice(done, done + _BATCH)
            self._desk.count_each(grids[batch], limit, counts[batch])
            done = min(done + _BATCH, len(moves))
        return [int(count) for count in counts[:done]]
