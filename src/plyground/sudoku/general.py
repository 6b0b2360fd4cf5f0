"""Solver kernels for boards of every size: candidate masks, singles, fewest choices first.

A search lives in a `Workspace` that the caller owns, so that it can stop anywhere and go on later.
A node takes the top board of the stack, draws all consequences, and either drops it, reports it as
a solution, or splits it in two: one digit of one cell set (new top), and the same digit ruled out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.bits import popcount
from plyground.sudoku.tables import Tables

BOARDS, NODES = np.uint64(0), np.uint64(1)
CONTROL_WORDS = 2
SETTLED = np.uint32(1 << 31)
EVERYWHERE = np.uint32(0xFFFFFFFF)
ZERO, ONE = np.uint32(0), np.uint32(1)
TWO_CHOICES = np.int64(2)
NO_CELL = np.int64(-1)
CONTRADICTION = np.int64(-1)


class Workspace(NamedTuple):
    """What a search works in, on a board of N x N cells. A *board* is a row of `stack`.

    Entry c < N*N of a board is the mask of digits that cell c may still hold: bit v-1 for digit v;
    `SETTLED` marks a single digit whose consequences have been drawn. The last entry is the cell
    that was changed last, or `EVERYWHERE`.
    """

    units: np.ndarray
    """(3N, N) uint16: see `tables.Tables`, as the next two."""
    units_of: np.ndarray
    peers: np.ndarray
    stack: np.ndarray
    """(N*N + 2, N*N + 1) uint32: the boards on the way, one a row."""
    control: np.ndarray
    """(2,) int64: the number of boards on the stack, and of nodes visited so far."""
    queue: np.ndarray
    """(N*N + 1,) uint16: cells whose consequences wait to be drawn."""
    dirty: np.ndarray
    """(3N,) uint8: whether a unit has changed since its digits were last counted."""


@kernel
def make_workspace(tables: Tables) -> Workspace:
    """Room for searches on boards with these tables."""
    cells = tables.units_of.shape[0]
    return Workspace(
        tables.units,
        tables.units_of,
        tables.peers,
        np.zeros((cells + 2, cells + 1), np.uint32),
        np.zeros(CONTROL_WORDS, np.int64),
        np.zeros(cells + 1, np.uint16),
        np.zeros(tables.units.shape[0], np.uint8),
    )


@kernel(lean=True)
def write_board(work: Workspace, grid: np.ndarray, board: np.ndarray) -> None:
    """The board of `grid` (N*N numbers, 0 = empty, at most N), no consequences drawn yet."""
    every = (ONE << np.uint32(work.units.shape[1])) - ONE
    for index in range(grid.shape[0]):
        cell = np.uint64(index)
        value = np.uint32(grid[cell])
        board[cell] = ONE << (value - ONE) if value else every
    board[np.uint64(grid.shape[0])] = EVERYWHERE


@kernel(lean=True)
def begin(work: Workspace, grid: np.ndarray) -> None:
    """Start a search from `grid` (uint8, 0 = empty, digits at most N)."""
    write_board(work, grid, work.stack[np.uint64(0)])
    work.control[BOARDS] = 1
    work.control[NODES] = 0


@kernel(lean=True)
def touch(work: Workspace, cell: np.uint64) -> None:
    """Mark the three units of a cell as changed."""
    for kind in range(3):
        work.dirty[np.uint64(work.units_of[cell, np.uint64(kind)])] = np.uint8(1)


@kernel(lean=True)
def queue_changes(work: Workspace, board: np.ndarray) -> np.int64:
    """Queue the new single digits of a board and mark changed units: how many, or CONTRADICTION."""
    cells = np.uint64(work.units_of.shape[0])
    one = np.uint64(1)
    changed = board[cells]
    for index in range(work.units.shape[0]):
        work.dirty[np.uint64(index)] = np.uint8(changed == EVERYWHERE)
    first, last = np.uint64(0), cells
    if changed != EVERYWHERE:
        first = np.uint64(changed)
        last = first + one
        touch(work, first)
    waiting = np.uint64(0)
    for start in range(first, last):
        cell = np.uint64(start)
        mask = board[cell]
        if mask == ZERO:
            return CONTRADICTION
        if mask & (mask - ONE) == ZERO:
            board[cell] = mask | SETTLED
            work.queue[waiting] = np.uint16(cell)
            waiting += one
    return np.int64(waiting)


@kernel(lean=True)
def clear_peers(work: Workspace, board: np.ndarray, waiting: np.int64) -> bool:
    """Take the digits of the queued cells, and of those that follow, from their peers."""
    every = (ONE << np.uint32(work.units.shape[1])) - ONE
    left = np.uint64(waiting)
    one = np.uint64(1)
    while left > np.uint64(0):
        left -= one
        cell = np.uint64(work.queue[left])
        digit = board[cell] & every
        for index in range(work.peers.shape[1]):
            peer = np.uint64(work.peers[cell, np.uint64(index)])
            mask = board[peer]
            if mask & digit != ZERO:
                if mask & SETTLED != ZERO:
                    return False
                mask ^= digit
                touch(work, peer)
                if mask & (mask - ONE) == ZERO:
                    if mask == ZERO:
                        return False
                    mask |= SETTLED
                    work.queue[left] = np.uint16(peer)
                    left += one
                board[peer] = mask
    return True


@kernel(lean=True)
def only_places(work: Workspace, board: np.ndarray, unit: np.uint64) -> np.uint32:
    """Digits with one place left in a unit; `EVERYWHERE` when some digit has none."""
    size = work.units.shape[1]
    every = (ONE << np.uint32(size)) - ONE
    once, twice = ZERO, ZERO
    for index in range(size):
        mask = board[np.uint64(work.units[unit, np.uint64(index)])]
        twice |= once & mask
        once |= mask
    return once & ~twice & every if once & every == every else EVERYWHERE


@kernel(lean=True)
def queue_only_places(work: Workspace, board: np.ndarray) -> np.int64:
    """Settle digits with one place in a changed unit: how many, or CONTRADICTION.

    Stops at the first unit that has some; 0 when no unit is left.
    """
    for index in range(work.units.shape[0]):
        unit = np.uint64(index)
        if work.dirty[unit] == np.uint8(0):
            continue
        work.dirty[unit] = np.uint8(0)
        single = only_places(work, board, unit)
        if single == EVERYWHERE:
            return CONTRADICTION
        if single == ZERO:
            continue
        waiting = np.uint64(0)
        for place in range(work.units.shape[1]):
            cell = np.uint64(work.units[unit, np.uint64(place)])
            mask = board[cell] & single
            if mask != ZERO and board[cell] & SETTLED == ZERO:
                if mask & (mask - ONE) != ZERO:
                    return CONTRADICTION
                board[cell] = mask | SETTLED
                work.queue[waiting] = np.uint16(cell)
                waiting += np.uint64(1)
                touch(work, cell)
        if waiting > np.uint64(0):
            return np.int64(waiting)
    return np.int64(0)


@kernel(lean=True)
def draw_consequences(work: Workspace, board: np.ndarray, waiting: np.int64) -> bool:
    """Draw all consequences of queued cells and changed units; False on a contradiction.

    The outcome does not depend on the order. `waiting` is what `queue_changes` said.
    """
    while waiting >= 0:
        if not clear_peers(work, board, waiting):
            return False
        waiting = queue_only_places(work, board)
        if waiting == 0:
            return True
    return False


@kernel(lean=True)
def propagate(work: Workspace, board: np.ndarray) -> bool:
    """Draw all consequences of single candidates and single places; False on a contradiction."""
    return draw_consequences(work, board, queue_changes(work, board))


@kernel(lean=True)
def narrowest_cell(work: Workspace, board: np.ndarray) -> np.int64:
    """The first open cell with two digits, or with fewest; NO_CELL when all are settled."""
    best, fewest = NO_CELL, np.int64(99)
    for index in range(work.units_of.shape[0]):
        mask = board[np.uint64(index)]
        if mask & SETTLED == ZERO:
            choices = popcount(np.uint64(mask))
            if choices < fewest:
                best, fewest = np.int64(index), choices
                if choices == TWO_CHOICES:
                    break
    return best


@kernel(lean=True)
def pair_of_places(work: Workspace, board: np.ndarray) -> np.int64:
    """A digit with two places in a unit: its first, cell * 32 + digit bit index, or NO_CELL."""
    size = work.units.shape[1]
    every = (ONE << np.uint32(size)) - ONE
    for index in range(work.units.shape[0]):
        unit = np.uint64(index)
        once, twice, more = ZERO, ZERO, ZERO
        for place in range(size):
            mask = board[np.uint64(work.units[unit, np.uint64(place)])]
            more |= twice & mask
            twice |= once & mask
            once |= mask
        pairs = twice & ~more & every
        if pairs != ZERO:
            digit = pairs & (~pairs + ONE)
            for place in range(size):
                cell = np.uint64(work.units[unit, np.uint64(place)])
                if board[cell] & digit != ZERO:
                    return np.int64(cell) * 32 + popcount(np.uint64(digit - ONE))
    return NO_CELL


@kernel(lean=True)
def fewest_choices(work: Workspace, board: np.ndarray) -> np.int64:
    """Where to split: the cell with fewest digits, cell * 32 + digit bit index, or NO_CELL.

    When no cell has two candidates, a digit with two places in some unit is taken instead.
    """
    cell = narrowest_cell(work, board)
    if cell < 0:
        return NO_CELL
    mask = board[np.uint64(cell)]
    if popcount(np.uint64(mask)) > TWO_CHOICES:
        pair = pair_of_places(work, board)
        if pair >= 0:
            return pair
    lowest = mask & (~mask + ONE)
    return cell * 32 + popcount(np.uint64(lowest - ONE))


@kernel(lean=True)
def write_solution(board: np.ndarray, solution: np.ndarray) -> None:
    """The digits of a board whose cells are all settled."""
    for index in range(solution.shape[0]):
        cell = np.uint64(index)
        digit = board[cell] & ~SETTLED
        solution[cell] = popcount(np.uint64(digit - ONE)) + 1


@kernel(lean=True)
def advance(
    work: Workspace, limit: np.int64, node_budget: np.int64, solutions: np.ndarray
) -> np.int64:
    """Go on with a search until `limit` more solutions, `node_budget` more nodes, or the end.

    Returns the number of solutions found in this call; the first `len(solutions)` of them are
    written to `solutions` (uint8). The search is over when `control[BOARDS]` is zero.
    """
    cells = np.uint64(work.units_of.shape[0])
    one = np.uint64(1)
    boards = work.control[BOARDS]
    found, nodes = np.int64(0), np.int64(0)
    while boards > 0 and found < limit and nodes < node_budget:
        nodes += 1
        top = np.uint64(boards) - one
        board = work.stack[top]
        if not propagate(work, board):
            boards -= 1
            continue
        choice = fewest_choices(work, board)
        if choice < 0:
            if found < solutions.shape[0]:
                write_solution(board, solutions[np.uint64(found)])
            found += 1
            boards -= 1
            continue
        cell, digit = np.uint64(choice >> 5), ONE << np.uint32(choice & 31)
        board[cells] = np.uint32(cell)
        child = work.stack[top + one]
        for index in range(cells + one):
            child[np.uint64(index)] = board[np.uint64(index)]
        board[cell] &= ~digit
        child[cell] = digit
        boards += 1
    work.control[BOARDS] = boards
    work.control[NODES] += nodes
    return found
