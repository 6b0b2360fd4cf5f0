"""Many 9x9 puzzles at once, on all cores: the kernels run without the interpreter lock."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from plyground.sudoku.board import Digits, GridLike, as_board
from plyground.sudoku.search import NO_LIMIT, Desk, classic_engine

CHUNK = 256
"""Puzzles that a thread takes at a time."""

_of_thread = threading.local()


def grids_of(boards: Sequence[GridLike] | Digits) -> Digits:
    """9x9 boards as one array (k, 81) uint8."""
    if isinstance(boards, np.ndarray) and boards.ndim == 2:
        return np.ascontiguousarray(boards, np.uint8)
    rows = [as_board(board).digits for board in boards]
    return np.array(rows, np.uint8).reshape(len(rows), 81)


def count_many(
    boards: Sequence[GridLike] | Digits, limit: int | None = 2, jobs: int | None = None
) -> npt.NDArray[np.int64]:
    """Solutions of each 9x9 board, at most `limit` (None: all), on `jobs` threads (None: cores)."""
    grids = grids_of(boards)
    counts = np.zeros(len(grids), np.int64)
    most = NO_LIMIT if limit is None else limit

    def work(part: slice) -> None:
        _desk().count_each(grids[part], most, counts[part])

    _share(work, len(grids), jobs)
    return counts


def solve_many(
    boards: Sequence[GridLike] | Digits, limit: int = 1, jobs: int | None = None
) -> tuple[npt.NDArray[np.int64], Digits]:
    """Solutions of each 9x9 board, counted up to `limit`, and the first of each: (k,), (k, 81).

    The row of a board without a solution is zero.
    """
    grids = grids_of(boards)
    counts = np.zeros(len(grids), np.int64)
    solutions = np.zeros_like(grids)

    def work(part: slice) -> None:
        _desk().solve_each(grids[part], limit, counts[part], solutions[part])

    _share(work, len(grids), jobs)
    return counts, solutions


def _desk() -> Desk:
    desk: Desk | None = getattr(_of_thread, "desk", None)
    if desk is None:
        desk = _of_thread.desk = Desk()
    return desk


def _share(work: Callable[[slice], None], length: int, jobs: int | None) -> None:
    """Run `work` on consecutive parts, in this thread when one is enough."""
    classic_engine()
    threads = min(jobs or os.cpu_count() or 1, -(-length // CHUNK))
    if threads <= 1:
        for part in _parts(length):
            work(part)
        return
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(work, _parts(length)):
            pass


def _parts(length: int) -> Iterator[slice]:
    return (slice(start, start + CHUNK) for start in range(0, length, CHUNK))
