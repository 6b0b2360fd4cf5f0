"""The solution search of the bot that came third in 2024, as its author describes it.

A node has the indices of its solutions and, for each of the 729 pairs of cell and digit, the number
of solutions with that pair. Children are searched with the smallest count first; known positions
come from the table. It is much slower than `endgame`, and an independent check of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.codecup_sudoku.solvers.solved_positions import LOSS, UNKNOWN, WIN, probe, store
from plyground.kernels import kernel

CELLS = 81
PAIRS = 729
SIZE, START, CHILDREN, CURSOR, PAIR, REPLY = 0, 1, 2, 3, 4, 5
FIELDS = 6
PLY, NODES, WORK = 0, 1, 2
CONTROL_WORDS = 3
NO_REPLY = -1


class Workspace(NamedTuple):
    """A search over k solutions, at most D sets deep."""

    solutions: np.ndarray
    """(k, 81) uint8: complete grids."""
    ids: np.ndarray
    """(k,) uint64: identifiers of the solutions."""
    indices: np.ndarray
    """(k * (D + 1),) int32: the solutions of each set on the stack, one set behind the other."""
    frames: np.ndarray
    """(D, FIELDS) int64: the sets on the stack."""
    counts: np.ndarray
    """(D, PAIRS) int32: the solutions of a set with each pair of cell and digit."""
    order: np.ndarray
    """(D, PAIRS) int32: the pairs to try, in order."""
    skip: np.ndarray
    """(D, PAIRS) uint8: whether a pair is known to lose."""
    hashes: np.ndarray
    """(D,) uint64: the xor of the identifiers of each set."""
    table: np.ndarray
    """Solved positions, as in the endgame search."""
    control: np.ndarray
    """(CONTROL_WORDS,) int64: the current ply, positions entered, solutions looked at."""


@kernel
def enter(work: Workspace, ply: np.int64) -> np.uint64:
    """Count the children of a frame and order them: WIN, LOSS, or UNKNOWN if there are some."""
    frames, counts, skip = work.frames, work.counts, work.skip
    size, start = frames[ply, SIZE], frames[ply, START]
    for pair in range(PAIRS):
        counts[ply, pair] = 0
        skip[ply, pair] = 0
    for number in range(size):
        row = work.indices[start + number]
        for cell in range(CELLS):
            counts[ply, cell * 9 + work.solutions[row, cell] - 1] += 1
    keys = np.empty(PAIRS, np.int64)
    children = 0
    for pair in range(PAIRS):
        count = np.int64(counts[ply, pair])
        if count == 1:
            frames[ply, REPLY] = pair
            return WIN
        if count > 3 and count != 5 and count < size:
            keys[children] = count * 1024 + pair
            children += 1
    keys[:children].sort()
    for child in range(children):
        work.order[ply, child] = keys[child] & 1023
    frames[ply, CHILDREN] = children
    frames[ply, CURSOR] = 0
    frames[ply, REPLY] = NO_REPLY
    return UNKNOWN if children else LOSS


@kernel
def search(work: Workspace, budget: np.int64) -> np.uint64:
    """Go on with a search until frame 0 is decided or about `budget` solutions were looked at."""
    frames, counts, skip, control = work.frames, work.counts, work.skip, work.control
    ply = control[PLY]
    limit = control[WORK] + budget
    while control[WORK] < limit:
        value = UNKNOWN
        if frames[ply, CURSOR] == frames[ply, CHILDREN]:
            value = LOSS
        else:
            pair = np.int64(work.order[ply, frames[ply, CURSOR]])
            frames[ply, CURSOR] += 1
            if skip[ply, pair]:
                continue
            frames[ply, PAIR] = pair
            size, start = frames[ply, SIZE], frames[ply, START]
            cell, digit = pair // 9, pair % 9 + 1
            target = start + size
            position = np.uint64(0)
            for number in range(size):
                row = work.indices[start + number]
                if work.solutions[row, cell] == digit:
                    work.indices[target] = row
                    position ^= work.ids[row]
                    target += 1
            control[WORK] += size
            known = probe(work.table, position)
            if known == WIN:
                continue
            if known == LOSS:
                value = WIN
                frames[ply, REPLY] = pair
            else:
                child = ply + 1
                frames[child, SIZE] = target - start - size
                frames[child, START] = start + size
                work.hashes[child] = position
                value = enter(work, child)
                control[NODES] += 1
                control[WORK] += 8 * frames[child, SIZE]
                for other in range(PAIRS):
                    if counts[child, other] == frames[child, SIZE] == counts[ply, other]:
                        skip[ply, other] = 1
                ply = child
        while value != UNKNOWN:
            store(work.table, work.hashes[ply], value, np.uint64(1))
            if ply == 0:
                control[PLY] = 0
                return value
            ply -= 1
            if value == LOSS:
                value = WIN
                frames[ply, REPLY] = frames[ply, PAIR]
            else:
                reply, pair = frames[ply + 1, REPLY], frames[ply, PAIR]
                if reply != NO_REPLY and counts[ply, pair] <= counts[ply, reply]:
                    skip[ply, reply] = 1
                value = UNKNOWN
    control[PLY] = ply
    return UNKNOWN
