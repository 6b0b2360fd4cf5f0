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
    size = len(grids)
    if size == 1:
        return Found(LOSS, 0, None, np.zeros(layout.PAIRS, np.int32))
    ids = solution_ids(grids)
    # The sets on the stack shrink; each is written behind its parent.
    indices = np.empty(size * (_MAX_DEPTH + 1), np.int32)
    indices[:size] = np.arange(size)
    frames = np.zeros((_MAX_DEPTH, layout.FIELDS), np.int64)
    counts = np.zeros((_MAX_DEPTH, layout.PAIRS), np.int32)
    order = np.zeros((_MAX_DEPTH, layout.PAIRS), np.int32)
    skip = np.zeros((_MAX_DEPTH, layout.PAIRS), np.uint8)
    hashes = np.zeros(_MAX_DEPTH, np.uint64)
    control = np.zeros(layout.CONTROL_WORDS, np.int64)
    frames[0, layout.SIZE] = size
    hashes[0] = np.bitwise_xor.reduce(ids)
    status = int(engine.enter(grids, indices, frames, counts, order, skip, np.int64(0)))
    while status not in (LOSS, WIN):
        if out_of_time():
            return Found(None, int(control[layout.NODES]), None, counts[0])
        status = int(
            engine.search(
                grids,
                ids,
                indices,
                frames,
                counts,
                order,
                skip,
                hashes,
                table,
                control,
                SLICE,
            )
        )
    reply = int(frames[0, layout.REPLY])
    move = (reply // 9, reply % 9 + 1) if status == WIN and reply >= 0 else None
    return Found(status, int(control[layout.NODES]), move, counts[0])
