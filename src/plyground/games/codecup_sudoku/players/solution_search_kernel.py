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
DEPTH, NODES, WORK = 0, 1, 2
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
    """(CONTROL_WORDS,) int64: the current depth, positions entered, solutions looked at."""


@kernel
def enter(work: Workspace, depth: np.int64) -> np.uint64:
    """Count the children of a frame and order them: WIN, LOSS, or UNKNOWN if there are some."""
    frames, counts, skip = work.frames, work.counts, work.skip
    size, start = frames[depth, SIZE], frames[depth, START]
    for pair in range(PAIRS):
        counts[depth, pair] = 0
        skip[depth, pair] = 0
    for number in range(size):
        row = work.indices[start + number]
        for cell in range(CELLS):
            counts[depth, cell * 9 + work.solutions[row, cell] - 1] += 1
    keys = np.empty(PAIRS, np.int64)
    children = 0
    for pair in range(PAIRS):
        count = np.int64(counts[depth, pair])
        if count == 1:
            frames[depth, REPLY] = pair
            return WIN
        if count > 3 and count != 5 and count < size:
            keys[children] = count * 1024 + pair
            children += 1
    keys[:children].sort()
    for child in range(children):
        work.order[depth, child] = keys[child] & 1023
    frames[depth, CHILDREN] = children
    frames[depth, CURSOR] = 0
    frames[depth, REPLY] = NO_REPLY
    return UNKNOWN if children else LOSS


@kernel
def search(work: Workspace, budget: np.int64) -> np.uint64:
    """Go on with a search until frame 0 is decided or about `budget` solutions were looked at."""
    frames, counts, skip, control = work.frames, work.counts, work.skip, work.control
    depth = control[DEPTH]
    limit = control[WORK] + budget
    while control[WORK] < limit:
        value = UNKNOWN
        if frames[depth, CURSOR] == frames[depth, CHILDREN]:
            value = LOSS
        else:
            pair = np.int64(work.order[depth, frames[depth, CURSOR]])
            frames[depth, CURSOR] += 1
            if skip[depth, pair]:
                continue
            frames[depth, PAIR] = pair
            size, start = frames[depth, SIZE], frames[depth, START]
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
                frames[depth, REPLY] = pair
            else:
                child = depth + 1
                frames[child, SIZE] = target - start - size
                frames[child, START] = start + size
                work.hashes[child] = position
                value = enter(work, child)
                control[NODES] += 1
                control[WORK] += 8 * frames[child, SIZE]
                for other in range(PAIRS):
                    if counts[child, other] == frames[child, SIZE] == counts[depth, other]:
                        skip[depth, other] = 1
                depth = child
        while value != UNKNOWN:
            store(work.table, work.hashes[depth], value, np.uint64(1))
            if depth == 0:
                control[DEPTH] = 0
                return value
            depth -= 1
            if value == LOSS:
                value = WIN
                frames[depth, REPLY] = frames[depth, PAIR]
            else:
                reply, pair = frames[depth + 1, REPLY], frames[depth, PAIR]
                if reply != NO_REPLY and counts[depth, pair] <= counts[depth, reply]:
                    skip[depth, reply] = 1
                value = UNKNOWN
    control[DEPTH] = depth
    return UNKNOWN
