"""Python's side of the document's solution search."""

from __future__ import annotations

import types
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground import kernels
from plyground.games.codecup_sudoku.players import solution_search_kernel as layout
from plyground.games.codecup_sudoku.solvers.endgame_solver import (
    LOSS,
    WIN,
    Table,
    new_table,
    solution_ids,
)
from plyground.games.codecup_sudoku.solvers.solutions import Digits, OutOfTime, never

SLICE = np.int64(100_000)
_MAX_DEPTH = 84


class Found(NamedTuple):
    """What the search says of a set of solutions."""

    value: int | None
    """WIN or LOSS for the player to move; None when time ran out."""
    nodes: int
    move: tuple[int, int] | None
    """A winning (cell, digit), if one was found."""
    kept: NDArray[np.int32]
    """(729,): the solutions with each pair of cell and digit."""


@cache
def searcher_kernels() -> types.ModuleType:
    """The compiled search, warmed up."""
    module = kernels.compiled("plyground.games.codecup_sudoku.players.solution_search_kernel")
    with kernels.compilation(module):
        # Three independent choices: nothing is plain to see at the root, so the search itself runs.
        grids = np.ones((8, 81), np.uint8)
        for choice in range(3):
            grids[np.arange(8) >> choice & 1 == 1, 2 * choice : 2 * choice + 2] = 2
        value_of(grids, new_table(0.01), module=module)
    return module


def value_of(
    grids: Digits,
    table: Table,
    out_of_time: OutOfTime = never,
    module: types.ModuleType | None = None,
) -> Found:
    """Search a set: `grids` (k, 81) are all solutions of a grid."""
    engine = module or searcher_kernels()
    if len(grids) == 1:
        return Found(LOSS, 0, None, np.zeros(layout.PAIRS, np.int32))
    work = _workspace(grids, table)
    status = int(engine.enter(work, np.int64(0)))
    while status not in (LOSS, WIN):
        if out_of_time():
            return Found(None, int(work.control[layout.NODES]), None, work.counts[0])
        status = int(engine.search(work, SLICE))
    reply = int(work.frames[0, layout.REPLY])
    move = (reply // 9, reply % 9 + 1) if status == WIN and reply >= 0 else None
    return Found(status, int(work.control[layout.NODES]), move, work.counts[0])


def _workspace(grids: Digits, table: Table) -> layout.Workspace:
    """Room for a search of these solutions; the sets on the stack shrink as they get deeper."""
    ids = solution_ids(grids)
    indices = np.empty(len(grids) * (_MAX_DEPTH + 1), np.int32)
    indices[: len(grids)] = np.arange(len(grids))
    work = layout.Workspace(
        grids,
        ids,
        indices,
        np.zeros((_MAX_DEPTH, layout.FIELDS), np.int64),
        np.zeros((_MAX_DEPTH, layout.PAIRS), np.int32),
        np.zeros((_MAX_DEPTH, layout.PAIRS), np.int32),
        np.zeros((_MAX_DEPTH, layout.PAIRS), np.uint8),
        np.zeros(_MAX_DEPTH, np.uint64),
        table,
        np.zeros(layout.CONTROL_WORDS, np.int64),
    )
    work.frames[0, layout.SIZE] = len(grids)
    work.hashes[0] = np.bitwise_xor.reduce(ids)
    return work
