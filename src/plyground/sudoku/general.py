"""Solver kernels for boards of every size: candidate masks, singles, fewest choices first.

A search is a pair of arrays that the caller owns, so that it can stop anywhere and go on later:

- `stack` (cells + 2, cells + 1) uint32: row d is a board on the way. Entry c < cells is the
  mask of digits that cell c may still hold (bit v-1 for digit v; `SETTLED` marks a single digit
  whose consequences have been drawn); the last entry is the cell changed last, or `EVERYWHERE`.
- `control` (2,) int64: number of boards on the stack, and nodes visited so far.

A node takes the top board, draws all consequences, and either drops it, reports it as a solution,
or splits it in two: one digit of one cell set (new top), and the same digit ruled out.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.bits import popcount

BOARDS, NODES = np.uint64(0), np.uint64(1)
CONTROL_WORDS = 2
SETTLED = np.uint32(1 << 31)
EVERYWHERE = np.uint32(0xFFFFFFFF)
ZERO, ONE = np.uint32(0), np.uint32(1)
TWO_CHOICES = np.int64(2)
NO_CELL = np.int64(-1)


@kernel(lean=True)
def begin(grid: np.ndarray, units: np.ndarray, stack: np.ndarray, control: np.ndarray) -> None:
    """Start a search from `grid` (uint8, 0 = empty, digits at most N)."""
    size = units.shape[1]
    every = np.uint32((1 << size) - 1)
    cells = np.uint64(grid.shape[0])
    for index in range(grid.shape[0]):
        cell = np.uint64(index)
        value = grid[cell]
        stack[np.uint64(0), cell] = ONE << np.uint32(value - np.uint8(1)) if value else every
    stack[np.uint64(0), cells] = EVERYWHERE
    control[BOARDS] = 1
    control[NODES] = 0


@kernel(lean=True)
def only_places(
    board: np.ndarray, unit: np.uint64, units: np.ndarray, size: np.uint64, every: np.uint32
) -> np.uint32:
    """Digits with one place left in a unit; `EVERYWHERE` when some digit has none."""
    once, twice = ZERO, ZERO
    for index in range(size):
        mask = board[np.uint64(units[unit, np.uint64(index)])]
        twice |= once & mask
        once |= mask
    return once & ~twice & every if once & every == every else EVERYWHERE


@kernel(lean=True)
def propagate(
    board: np.ndarray,
    units: np.ndarray,
    units_of: np.ndarray,
    peers: np.ndarray,
    queue: np.ndarray,
    dirty: np.ndarray,
) -> bool:
    """Draw all consequences of single candidates and single places; False on a contradiction.

    `queue` (cells + 1,) uint16 and `dirty` (3N,) uint8 are scratch space.
    """
    size = np.uint64(units.shape[1])
    cells = np.uint64(units_of.shape[0])
    every = (ONE << np.uint32(size)) - ONE
    unit_count = units.shape[0]
    peer_count = peers.shape[1]
    waiting = np.uint64(0)
    one = np.uint64(1)
    changed = board[cells]
    for index in range(unit_count):
        dirty[np.uint64(index)] = np.uint8(changed == EVERYWHERE)
    first, last = np.uint64(0), cells
    if changed != EVERYWHERE:
        first = np.uint64(changed)
        last = first + one
        for kind in range(3):
            dirty[np.uint64(units_of[first, np.uint64(kind)])] = np.uint8(1)
    for start in range(first, last):
        cell = np.uint64(start)
        mask = board[cell]
        if mask == ZERO:
            return False
        if mask & (mask - ONE) == ZERO:
            board[cell] = mask | SETTLED
            queue[waiting] = np.uint16(cell)
            waiting += one
    while True:
        while waiting > np.uint64(0):
            waiting -= one
            cell = np.uint64(queue[waiting])
            digit = board[cell] & every
            for index in range(peer_count):
                peer = np.uint64(peers[cell, np.uint64(index)])
                mask = board[peer]
                if mask & digit != ZERO:
                    if mask & SETTLED != ZERO:
                        return False
                    mask ^= digit
                    for kind in range(3):
                        dirty[np.uint64(units_of[peer, np.uint64(kind)])] = np.uint8(1)
                    if mask & (mask - ONE) == ZERO:
                        if mask == ZERO:
                            return False
                        mask |= SETTLED
                        queue[waiting] = np.uint16(peer)
                        waiting += one
                    board[peer] = mask
        for index in range(unit_count):
            unit = np.uint64(index)
            if dirty[unit] == np.uint8(0):
                continue
            dirty[unit] = np.uint8(0)
            single = only_places(board, unit, units, size, every)
            if single == EVERYWHERE:
                return False
            if single != ZERO:
                for place in range(size):
                    cell = np.uint64(units[unit, np.uint64(place)])
                    mask = board[cell] & single
                    if mask != ZERO and board[cell] & SETTLED == ZERO:
                        if mask & (mask - ONE) != ZERO:
                            return False
                        board[cell] = mask | SETTLED
                        queue[waiting] = np.uint16(cell)
                        waiting += one
                        for kind in range(3):
                            dirty[np.uint64(units_of[cell, np.uint64(kind)])] = np.uint8(1)
                if waiting > np.uint64(0):
                    break
        if waiting == np.uint64(0):
            return True


@kernel(lean=True)
def fewest_choices(board: np.ndarray, units: np.ndarray, units_of: np.ndarray) -> np.int64:
    """The open cell with fewest digits as cell * 32 + digit bit index; -1 when all are settled.

    When no cell has two candidates, a digit with two places in some unit is taken instead.
    """
    size = np.uint64(units.shape[1])
    every = (ONE << np.uint32(size)) - ONE
    best_cell, fewest = NO_CELL, np.int64(99)
    for index in range(units_of.shape[0]):
        mask = board[np.uint64(index)]
        if mask & SETTLED == ZERO:
            choices = popcount(np.uint64(mask))
            if choices < fewest:
                best_cell, fewest = np.int64(index), choices
                if choices == TWO_CHOICES:
                    break
    if best_cell < 0:
        return NO_CELL
    digit = board[np.uint64(best_cell)]
    if fewest > TWO_CHOICES:
        for index in range(units.shape[0]):
            unit = np.uint64(index)
            once, twice, more = ZERO, ZERO, ZERO
            for place in range(size):
                mask = board[np.uint64(units[unit, np.uint64(place)])]
                more |= twice & mask
                twice |= once & mask
                once |= mask
            pairs = twice & ~more & every
            if pairs != ZERO:
                digit = pairs & (~pairs + ONE)
                for place in range(size):
                    cell = np.uint64(units[unit, np.uint64(place)])
                    if board[cell] & digit != ZERO:
                        return np.int64(cell) * 32 + popcount(np.uint64(digit - ONE))
    lowest = digit & (~digit + ONE)
    return best_cell * 32 + popcount(np.uint64(lowest - ONE))


@kernel(lean=True)
def advance(
    units: np.ndarray,
    units_of: np.ndarray,
    peers: np.ndarray,
    stack: np.ndarray,
    control: np.ndarray,
    queue: np.ndarray,
    dirty: np.ndarray,
    limit: np.int64,
    node_budget: np.int64,
    solutions: np.ndarray,
) -> np.int64:
    """Go on with a search until `limit` more solutions, `node_budget` more nodes, or the end.

    Returns the number of solutions found in this call; the first `len(solutions)` of them are
    written to `solutions` (uint8). The search is over when `control[BOARDS]` is zero.
    """
    cells = np.uint64(units_of.shape[0])
    one = np.uint64(1)
    every = (ONE << np.uint32(units.shape[1])) - ONE
    boards = control[BOARDS]
    found, nodes = np.int64(0), np.int64(0)
    while boards > 0 and found < limit and nodes < node_budget:
        nodes += 1
        top = np.uint64(boards) - one
        board = stack[top]
        if not propagate(board, units, units_of, peers, queue, dirty):
            boards -= 1
            continue
        choice = fewest_choices(board, units, units_of)
        if choice < 0:
            if found < solutions.shape[0]:
                row = np.uint64(found)
                for index in range(cells):
                    cell = np.uint64(index)
                    digit = board[cell] & every
                    solutions[row, cell] = np.uint8(popcount(np.uint64(digit - ONE)) + 1)
            found += 1
            boards -= 1
            continue
        cell, digit = np.uint64(choice >> 5), ONE << np.uint32(choice & 31)
        board[cells] = np.uint32(cell)
        child = top + one
        for index in range(stack.shape[1]):
            stack[child, np.uint64(index)] = board[np.uint64(index)]
        board[cell] &= ~digit
        stack[child, cell] = digit
        boards += 1
    control[BOARDS] = boards
    control[NODES] += nodes
    return found


@kernel(lean=True)
def solvable(
    grid: np.ndarray,
    units: np.ndarray,
    units_of: np.ndarray,
    peers: np.ndarray,
    stack: np.ndarray,
    control: np.ndarray,
    queue: np.ndarray,
    dirty: np.ndarray,
    node_budget: np.int64,
    solutions: np.ndarray,
) -> np.int64:
    """1 when `grid` has a solution (written to `solutions` (1, cells) if it has room), 0 when not.

    -1 when the node budget did not suffice to tell.
    """
    begin(grid, units, stack, control)
    found = advance(
        units,
        units_of,
        peers,
        stack,
        control,
        queue,
        dirty,
        np.int64(1),
        node_budget,
        solutions,
    )
    if found > 0:
        return np.int64(1)
    return np.int64(0) if control[BOARDS] == 0 else np.int64(-1)
