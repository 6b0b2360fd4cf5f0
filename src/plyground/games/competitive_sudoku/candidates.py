"""Which values of which squares leave a board solvable, for every block size up to 5x5.

A *grid* is a row of candidate masks, one for each square (bit v-1 for the value v). The search is
depth first with naked and hidden singles, the square with the fewest candidates first. It prefers
values that are not yet known to occur in a solution, so that each solution found settles many
questions at once. All kernels work in a `levels` array of at least cells + 2 grids.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels.bits import ONE, ZERO, popcount, trailing_zeros
from plyground.kernels.marker import kernel

FOUND = np.int64(1)
NONE = np.int64(0)
UNKNOWN = np.int64(-1)


@kernel(lean=True)
def peer_count(block_rows: np.int64, block_columns: np.int64) -> np.int64:
    """How many other squares share a row, column or block with a square."""
    size = block_rows * block_columns
    return 2 * (size - 1) + (block_rows - 1) * (block_columns - 1)


@kernel(lean=True)
def fill_peers(block_rows: np.int64, block_columns: np.int64, peers: np.ndarray) -> None:
    """For each square the squares that it shares a row, column or block with."""
    size = block_rows * block_columns
    for cell in range(size * size):
        row, column = cell // size, cell % size
        top, left = row - row % block_rows, column - column % block_columns
        count = 0
        for step in range(size):
            if step != column:
                peers[cell, count] = row * size + step
                count += 1
            if step != row:
                peers[cell, count] = step * size + column
                count += 1
        for r in range(top, top + block_rows):
            for c in range(left, left + block_columns):
                if r != row and c != column:
                    peers[cell, count] = r * size + c
                    count += 1


@kernel(lean=True)
def fill_units(block_rows: np.int64, block_columns: np.int64, units: np.ndarray) -> None:
    """The squares of each row, then of each column, then of each block."""
    size = block_rows * block_columns
    for index in range(size):
        # Blocks run along a band of `block_rows` blocks (size // block_columns).
        top = (index // block_rows) * block_rows
        left = (index % block_rows) * block_columns
        for step in range(size):
            units[index, step] = index * size + step
            units[size + index, step] = step * size + index
            block_row, block_column = step // block_columns, step % block_columns
            units[2 * size + index, step] = (top + block_row) * size + left + block_column


@kernel(lean=True)
def propagate(
    grid: np.ndarray, peers: np.ndarray, units: np.ndarray, queue: np.ndarray, queued: np.int64
) -> np.int64:
    """Apply naked and hidden singles until nothing changes; 0 on a contradiction.

    The first `queued` squares of `queue` are newly decided: their values leave their peers.
    """
    size = units.shape[1]
    full = (ONE << np.uint64(size)) - ONE
    while True:
        while queued > 0:
            queued -= 1
            cell = queue[queued]
            bit = np.uint64(grid[cell])
            for index in range(peers.shape[1]):
                peer = peers[cell, index]
                mask = np.uint64(grid[peer])
                if mask & bit:
                    mask &= ~bit
                    if mask == ZERO:
                        return NONE
                    grid[peer] = mask
                    if mask & (mask - ONE) == ZERO:
                        queue[queued] = peer
                        queued += 1
        for unit in range(units.shape[0]):
            once = ZERO
            twice = ZERO
            for step in range(size):
                mask = np.uint64(grid[units[unit, step]])
                twice |= once & mask
                once |= mask
            if once != full:
                return NONE
            hidden = once & ~twice
            if hidden:
                for step in range(size):
                    cell = units[unit, step]
                    mask = np.uint64(grid[cell])
                    single = mask & hidden
                    if single:
                        if single & (single - ONE):
                            return NONE
                        if mask != single:
                            grid[cell] = single
                            queue[queued] = cell
                            queued += 1
        if queued == 0:
            return FOUND


@kernel(lean=True)
def start_grid(
    cells: np.ndarray, peers: np.ndarray, units: np.ndarray, queue: np.ndarray, grid: np.ndarray
) -> np.int64:
    """The grid of a board (0 = empty) after propagation; 0 on a contradiction."""
    size = units.shape[1]
    full = (ONE << np.uint64(size)) - ONE
    queued = np.int64(0)
    for cell in range(size * size):
        value = cells[cell]
        if value:
            grid[cell] = ONE << np.uint64(value - 1)
            queue[queued] = cell
            queued += 1
        else:
            grid[cell] = full
    return propagate(grid, peers, units, queue, queued)


@kernel(lean=True)
def narrowest_cell(grid: np.ndarray, cells: np.int64) -> np.int64:
    """The undecided square with the fewest candidates, or -1 when all are decided."""
    best = np.int64(-1)
    fewest = np.int64(99)
    for cell in range(cells):
        mask = np.uint64(grid[cell])
        if mask & (mask - ONE):
            count = popcount(mask)
            if count < fewest:
                fewest = count
                best = np.int64(cell)
                if count == 2:
                    break
    return best


@kernel(lean=True)
def find_solution(
    levels: np.ndarray,
    peers: np.ndarray,
    units: np.ndarray,
    queue: np.ndarray,
    choices: np.ndarray,
    settled: np.ndarray,
    budget: np.int64,
) -> np.int64:
    """Search a solution of the propagated grid `levels[0]`; it ends up in `levels[0]`.

    Returns FOUND, NONE, or UNKNOWN after `budget` guesses. Values outside `settled` come first.
    """
    cells = levels.shape[1]
    depth = np.int64(0)
    choices[0] = narrowest_cell(levels[0], cells)
    if choices[0] < 0:
        return FOUND
    while depth >= 0:
        cell = choices[depth]
        mask = np.uint64(levels[depth, cell])
        if mask == ZERO:
            depth -= 1
            continue
        if budget <= 0:
            return UNKNOWN
        budget -= 1
        fresh = mask & ~np.uint64(settled[cell])
        pick = fresh if fresh else mask
        bit = pick & (~pick + ONE)
        levels[depth, cell] = mask & ~bit
        for index in range(cells):
            levels[depth + 1, index] = levels[depth, index]
        levels[depth + 1, cell] = bit
        queue[0] = cell
        if propagate(levels[depth + 1], peers, units, queue, np.int64(1)):
            following = narrowest_cell(levels[depth + 1], cells)
            if following < 0:
                for index in range(cells):
                    levels[0, index] = levels[depth + 1, index]
                return FOUND
            depth += 1
            choices[depth] = following
    return NONE


@kernel(lean=True)
def solvable_values(
    cells: np.ndarray,
    peers: np.ndarray,
    units: np.ndarray,
    levels: np.ndarray,
    queue: np.ndarray,
    choices: np.ndarray,
    budget: np.int64,
    first: np.int64,
    last: np.int64,
    settled: np.ndarray,
    doubtful: np.ndarray,
    witnesses: np.ndarray,
) -> np.int64:
    """For the empty squares from `first` to before `last` the values that leave a solvable board.

    They are masks in `settled`; what is found out about other squares on the way is there too.
    `budget` guesses are spent on each question; questions that stay open go to `doubtful`. Values
    already in `settled` must be known to be solvable. Returns 0 if the board has no solution,
    1 if every answer is certain, -1 if some are open. The solutions found on the way are the
    first rows of `witnesses`, as far as there is room; the next row then begins with 0.
    """
    stored = np.int64(0)
    count = cells.shape[0]
    base = levels[levels.shape[0] - 1]
    if start_grid(cells, peers, units, queue, base) == NONE:
        return NONE
    result = FOUND
    for cell in range(first, last):
        doubtful[cell] = ZERO
        if cells[cell]:
            settled[cell] = ZERO
            continue
        while True:
            remaining = np.uint64(base[cell]) & ~np.uint64(settled[cell])
            remaining &= ~np.uint64(doubtful[cell])
            if remaining == ZERO:
                break
            bit = remaining & (~remaining + ONE)
            for index in range(count):
                levels[0, index] = base[index]
            levels[0, cell] = bit
            queue[0] = cell
            status = NONE
            single = np.uint64(base[cell]) == bit
            if single or propagate(levels[0], peers, units, queue, np.int64(1)):
                status = find_solution(levels, peers, units, queue, choices, settled, budget)
            if status == FOUND:
                for index in range(count):
                    if cells[index] == 0:
                        settled[index] |= levels[0, index]
                if stored < witnesses.shape[0]:
                    for index in range(count):
                        witnesses[stored, index] = trailing_zeros(np.uint64(levels[0, index])) + 1
                    stored += 1
            elif status == NONE:
                if single:
                    return NONE
                base[cell] = np.uint64(base[cell]) & ~bit
            else:
                doubtful[cell] = np.uint64(doubtful[cell]) | bit
                result = UNKNOWN
    if stored < witnesses.shape[0]:
        witnesses[stored, 0] = 0
    return result


@kernel(lean=True)
def enumerate_solutions(
    levels: np.ndarray,
    peers: np.ndarray,
    units: np.ndarray,
    queue: np.ndarray,
    choices: np.ndarray,
    budget: np.int64,
    solutions: np.ndarray,
) -> np.int64:
    """All solutions of the propagated grid `levels[0]`, as values, in rows of `solutions`.

    Returns their number, or -1 when there are more than rows or the guesses ran out.
    """
    cells = levels.shape[1]
    found = np.int64(0)
    depth = np.int64(0)
    choices[0] = narrowest_cell(levels[0], cells)
    if choices[0] < 0:
        for index in range(cells):
            solutions[0, index] = trailing_zeros(np.uint64(levels[0, index])) + 1
        return np.int64(1)
    while depth >= 0:
        cell = choices[depth]
        mask = np.uint64(levels[depth, cell])
        if mask == ZERO:
            depth -= 1
            continue
        if budget <= 0:
            return np.int64(-1)
        budget -= 1
        bit = mask & (~mask + ONE)
        levels[depth, cell] = mask & ~bit
        for index in range(cells):
            levels[depth + 1, index] = levels[depth, index]
        levels[depth + 1, cell] = bit
        queue[0] = cell
        if propagate(levels[depth + 1], peers, units, queue, np.int64(1)):
            following = narrowest_cell(levels[depth + 1], cells)
            if following < 0:
                if found >= solutions.shape[0]:
                    return np.int64(-1)
                for index in range(cells):
                    value = trailing_zeros(np.uint64(levels[depth + 1, index])) + 1
                    solutions[found, index] = value
                found += 1
            else:
                depth += 1
                choices[depth] = following
    return found
