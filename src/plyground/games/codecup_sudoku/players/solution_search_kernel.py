"""The solution search of the bot that came third in 2024, as its author describes it.

A node has the indices of its solutions and, for each of the 729 pairs of cell and digit, the number
of solutions with that pair. Children are searched with the smallest count first; known positions
come from the table. It is much slower than `endgame`, and an independent check of it.
"""

from __future__ import annotations

import numpy as np

from plyground.games.codecup_sudoku.solvers.table import LOSS, UNKNOWN, WIN, probe, store
from plyground.kernels import kernel

CELLS = 81
PAIRS = 729
SIZE, START, CHILDREN, NEXT, PAIR, REPLY = 0, 1, 2, 3, 4, 5
FIELDS = 6
DEPTH, NODES, WORK = 0, 1, 2
CONTROL_WORDS = 3
NO_REPLY = -1


@kernel
def enter(
    solutions: np.ndarray,
    indices: np.ndarray,
    frames: np.ndarray,
    counts: np.ndarray,
    order: np.ndarray,
    skip: np.ndarray,
    depth: np.int64,
) -> np.uint64:
    """Count the children of a frame and order them: WIN, LOSS, or UNKNOWN if there are some."""
    size, start = frames[depth, SIZE], frames[depth, START]
    for pair in range(PAIRS):
        counts[depth, pair] = 0
        skip[depth, pair] = 0
    for number in range(size):
        row = indices[start + number]
        for cell in range(CELLS):
            counts[depth, cell * 9 + solutions[row, cell] - 1] += 1
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
        order[depth, child] = keys[child] & 1023
    frames[depth, CHILDREN] = children
    frames[depth, NEXT] = 0
    frames[depth, REPLY] = NO_REPLY
    return UNKNOWN if children else LOSS


@kernel
def search(
    solutions: np.ndarray,
    ids: np.ndarray,
    indices: np.ndarray,
    frames: np.ndarray,
    counts: np.ndarray,
    order: np.ndarray,
    skip: np.ndarray,
    hashes: np.ndarray,
    table: np.ndarray,
    control: np.ndarray,
    budget: np.int64,
) -> np.uint64:
    """Go on with a search until frame 0 is decided or about `budget` solutions were looked at."""
    depth = control[DEPTH]
    limit = control[WORK] + budget
    while control[WORK] < limit:
        value = UNKNOWN
        if frames[depth, NEXT] == frames[depth, CHILDREN]:
            value = LOSS
        else:
            pair = np.int64(order[depth, frames[depth, NEXT]])
            frames[depth, NEXT] += 1
            if skip[depth, pair]:
                continue
            frames[depth, PAIR] = pair
            size, start = frames[depth, SIZE], frames[depth, START]
            cell, digit = pair // 9, pair % 9 + 1
            target = start + size
            position = np.uint64(0)
            for number in range(size):
                row = indices[start + number]
                if solutions[row, cell] == digit:
                    indices[target] = row
                    position ^= ids[row]
                    target += 1
            control[WORK] += size
            known = probe(table, position)
            if known == WIN:
                continue
            if known == LOSS:
                value = WIN
                frames[depth, REPLY] = pair
            else:
                child = depth + 1
                frames[child, SIZE] = target - start - size
                frames[child, START] = start + size
                hashes[child] = position
                value = enter(solutions, indices, frames, counts, order, skip, child)
                control[NODES] += 1
                control[WORK] += 8 * frames[child, SIZE]
                for other in range(PAIRS):
                    if counts[child, other] == frames[child, SIZE] == counts[depth, other]:
                        skip[depth, other] = 1
                depth = child
        while value != UNKNOWN:
            store(table, hashes[depth], value, np.uint64(1))
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
