"""Solver kernels for 9x9 boards: all digits of all bands at once in vector registers.

A board is three values of 32 lanes (see `band_vectors`): value i has, for each band and digit, the
nine columns of row i of that band in which the digit may still stand. One pass applies to the whole
board, without looking for what has changed:

- locked candidates along rows: in a band, a digit's three rows and three boxes must be matched;
- locked candidates along columns: the same for columns and bands;
- hidden singles: a digit with one place in a row takes that cell;
- naked singles: a cell with one digit takes it.

A search is a pair of arrays that the caller owns, so that it can stop anywhere and go on later:
`stack` (STACK_WORDS,) uint16, a pile of boards of 96 words; `control` (2,) int64, the number of
boards on the pile and of nodes visited. A node takes the top board, repeats passes until nothing
changes, and drops it, reports it as a solution, or splits it in two.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.bits import popcount, trailing_zeros
from plyground.sudoku.band_vectors import (
    any_bit,
    band_after_next,
    bit_counts,
    even_pieces,
    filled_cells,
    high_halves,
    if_zero,
    load,
    low_halves,
    next_band,
    ninths,
    odd_pieces,
    splat,
    spread_first,
    spread_second,
    spread_third,
    store,
    swap_halves,
    swap_neighbours,
    without,
    zero_lanes,
)
from plyground.sudoku.branching import split_band, split_cell
from plyground.sudoku.layout import (
    BOARD_WORDS,
    BOARDS,
    BOX_MARKS,
    BY_BANDS,
    EVERY_LANE,
    FIRST_CELLS,
    FIRST_COLUMN,
    FIRST_COLUMNS,
    IDLE,
    LANE_OF,
    NODES,
    ROW,
    S1,
    S2,
    S3,
    S6,
    S9,
    STACK_WORDS,
    START_BOARD,
    USED,
    WHOLE_ROWS,
)

__all__ = ["STACK_WORDS", "advance", "begin"]

MANY = np.int64(16)
"""From this many solutions on, a board is split after two passes: with solutions everywhere,
looking for the last consequence costs more than it saves."""

FEWEST_CLUES = np.int64(17)
"""Clues that a puzzle with one solution has at least. With fewer, splits by bands go astray."""

DEAD, OPEN, SOLVED = np.int64(0), np.int64(1), np.int64(2)
"""What becomes of a board."""

ASTRAY = np.int64(1500)
"""Nodes without a solution after which a search by bands begins again by cells."""


@kernel(lean=True)
def begin(grid: np.ndarray, stack: np.ndarray, control: np.ndarray) -> None:
    """Start a search from `grid` (81,) uint8, 0 = empty, digits 1 to 9."""
    u0, one = np.uint64(0), np.uint64(1)
    second, third = np.uint64(32), np.uint64(64)
    nothing = splat(np.uint16(0))
    store(stack, u0, nothing)
    store(stack, second, nothing)
    store(stack, third, nothing)
    low = filled_cells(grid, u0)
    high = filled_cells(grid, np.uint64(17)) >> np.uint64(47)
    clues = popcount(low) + popcount(high)
    base = u0
    clash = np.uint16(0)
    while True:
        while low != u0:
            cell = base + np.uint64(trailing_zeros(low))
            low &= low - one
            row = cell // np.uint64(9)
            band = row // np.uint64(3)
            lane = np.uint64(LANE_OF[band * np.uint64(9) + np.uint64(grid[cell]) - one])
            place = (row - band * np.uint64(3)) * np.uint64(32) + lane
            clash |= stack[place]
            stack[place] = np.uint16(one << (cell - row * np.uint64(9)))
        if base != u0:
            break
        low, base = high, np.uint64(64)
    whole = load(WHOLE_ROWS, u0)
    for index in range(3):
        offset = np.uint64(index) * second
        given = load(stack, offset)
        board = if_zero(given, whole, given)
        store(stack, offset, board)
        store(stack, START_BOARD + offset, board)
    stack[BY_BANDS] = np.uint16(clues >= FEWEST_CLUES)
    control[BOARDS] = np.int64(clash == np.uint16(0))
    control[NODES] = 0


@kernel(inline=True, lean=True)
def over_digits(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """The union over all digits, for all nine rows: piece i of each band has its row i."""
    both = low_halves(a, b) | high_halves(a, b)
    last = c | swap_halves(c)
    union = even_pieces(both, last) | odd_pieces(both, last) | ninths(a, b, c)
    return union | swap_neighbours(union)


@kernel(inline=True, lean=True)
def match_boxes(
    a: np.ndarray, b: np.ndarray, c: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Locked candidates along rows: each digit's rows of a band matched with its boxes."""
    box_marks, low_columns = splat(BOX_MARKS), splat(FIRST_COLUMNS)
    ma = ((a & low_columns) + low_columns | a) & box_marks
    mb = ((b & low_columns) + low_columns | b) & box_marks
    mc = ((c & low_columns) + low_columns | c) & box_marks
    da, db, dc = ma | ma << S9, mb | mb << S9, mc | mc << S9
    na, nb, nc = da >> S3, db >> S3, dc >> S3
    oa, ob, oc = da >> S6, db >> S6, dc >> S6
    ma = ma & ((nb & oc) | (ob & nc))
    mb = mb & ((na & oc) | (oa & nc))
    mc = mc & ((na & ob) | (oa & nb))
    return a & (ma | ma - (ma >> S2)), b & (mb | mb - (mb >> S2)), c & (mc | mc - (mc >> S2))


@kernel(inline=True, lean=True)
def match_bands(columns: np.ndarray) -> np.ndarray:
    """Locked candidates along columns: where each digit's columns and bands can be matched."""
    turned = ((columns >> S1) & splat(FIRST_COLUMNS)) | without(columns << S2, splat(FIRST_COLUMNS))
    twice = ((columns >> S2) & splat(FIRST_COLUMN)) | without(columns << S1, splat(FIRST_COLUMN))
    return (next_band(turned) & band_after_next(twice)) | (
        next_band(twice) & band_after_next(turned)
    )


@kernel(inline=True, lean=True)
def once_and_twice(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The cells with at least one and at least two digits: piece i of each band has its row i."""
    low, high = low_halves(a, b), high_halves(a, b)
    one_both, two_both = low | high, low & high
    turn = swap_halves(c)
    one_last, two_last = c | turn, c & turn
    low, high = even_pieces(one_both, one_last), odd_pieces(one_both, one_last)
    one = low | high
    two = even_pieces(two_both, two_last) | odd_pieces(two_both, two_last) | (low & high)
    turn = ninths(a, b, c)
    two = two | (one & turn)
    one = one | turn
    turn = swap_neighbours(one)
    two = two | swap_neighbours(two) | (one & turn)
    return one | turn, two


@kernel(inline=True, lean=True)
def draw_consequences(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, patience: np.int64
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.int64]:
    """Repeat passes until nothing changes, or `patience` times: the board, and what became of it.

    That is DEAD (and the board of no use), SOLVED, or OPEN.
    """
    zero, ones, row = splat(np.uint16(0)), splat(np.uint16(1)), splat(ROW)
    verdict, passes = OPEN, np.int64(0)
    while True:
        before_a, before_b, before_c = a, b, c
        a, b, c = match_boxes(a, b, c)
        matched = match_bands(a | b | c)
        a, b, c = a & matched, b & matched, c & matched
        # Rows with one place.
        many_a, many_b, many_c = a & (a - ones), b & (b - ones), c & (c - ones)
        if (zero_lanes(a) | zero_lanes(b) | zero_lanes(c)) & USED != np.uint32(0):
            verdict = DEAD
            break
        only_a = if_zero(many_a, a, zero)
        only_b = if_zero(many_b, b, zero)
        only_c = if_zero(many_c, c, zero)
        taken = over_digits(only_a, only_b, only_c)
        if zero_lanes(many_a) & zero_lanes(many_b) & zero_lanes(many_c) == EVERY_LANE:
            columns = a | b | c
            columns = columns | next_band(columns) | band_after_next(columns)
            whole = (zero_lanes(taken ^ row) | IDLE) & (zero_lanes(columns ^ row) | ~USED)
            verdict = SOLVED if whole == EVERY_LANE else DEAD
            break
        a = without(a, without(spread_first(taken), only_a))
        b = without(b, without(spread_second(taken), only_b))
        c = without(c, without(spread_third(taken), only_c))
        # Cells with one digit, without a digit, or taken by two of them.
        one, two = once_and_twice(a, b, c)
        if zero_lanes((one ^ row) | (two & taken)) | IDLE != EVERY_LANE:
            verdict = DEAD
            break
        lone_a = without(a, spread_first(two))
        lone_b = without(b, spread_second(two))
        lone_c = without(c, spread_third(two))
        a = if_zero(lone_a, a, lone_a)
        b = if_zero(lone_b, b, lone_b)
        c = if_zero(lone_c, c, lone_c)
        passes += 1
        if (passes == patience) or not any_bit((a ^ before_a) | (b ^ before_b) | (c ^ before_c)):
            break
    return a, b, c, verdict


@kernel(lean=True)
def write_solution(stack: np.ndarray, offset: np.uint64, solution: np.ndarray) -> None:
    """The digits of a solved board in the stack to `solution` (81,) uint8."""
    ones = splat(np.uint16(1))
    scratch = offset + BOARD_WORDS
    for index in range(3):
        part = np.uint64(32 * index)
        columns = bit_counts(load(stack, offset + part) - ones)
        store(stack, scratch + part, columns + load(FIRST_CELLS, part))
    for cell in range(81):
        solution[np.uint64(cell)] = np.uint8(9)
    for digit in range(8):
        for quarter in range(12):
            lane = np.uint64(8 * quarter + digit)
            if quarter & 3 != 3:
                solution[np.uint64(stack[scratch + lane])] = np.uint8(digit + 1)


@kernel(lean=True)
def advance(
    stack: np.ndarray,
    control: np.ndarray,
    witnessed: np.ndarray,
    limit: np.int64,
    node_budget: np.int64,
    solutions: np.ndarray,
) -> np.int64:
    """Go on with a search until `limit` more solutions, `node_budget` more nodes, or the end.

    Where there is a choice, digits that are not in the board `witnessed` (96 words) come first.
    Returns the number of solutions found in this call; the first `len(solutions)` of them are
    written to `solutions` (uint8). The search is over when `control[BOARDS]` is zero.
    """
    second, third = np.uint64(32), np.uint64(64)
    by_bands, may_restart = stack[BY_BANDS] != np.uint16(0), stack[BY_BANDS] == np.uint16(1)
    guided = any_bit(
        load(witnessed, np.uint64(0)) | load(witnessed, second) | load(witnessed, third)
    )
    earlier_nodes = control[NODES]
    boards = control[BOARDS]
    found, nodes = np.int64(0), np.int64(0)
    while boards > 0 and found < limit and nodes < node_budget:
        if may_restart and earlier_nodes + nodes == ASTRAY:
            stack[BY_BANDS] = np.uint16(0)
            by_bands, may_restart = False, False
            boards = np.int64(1)
            store(stack, np.uint64(0), load(stack, START_BOARD))
            store(stack, second, load(stack, START_BOARD + second))
            store(stack, third, load(stack, START_BOARD + third))
        nodes += 1
        top = np.uint64(boards - 1) * BOARD_WORDS
        a = load(stack, top)
        b = load(stack, top + second)
        c = load(stack, top + third)
        patience = np.int64(-1) if found < MANY else np.int64(2)
        a, b, c, verdict = draw_consequences(a, b, c, patience)
        if verdict == DEAD:
            boards -= 1
            continue
        store(stack, top, a)
        store(stack, top + second, b)
        store(stack, top + third, c)
        if verdict == SOLVED:
            if found < solutions.shape[0]:
                write_solution(stack, top, solutions[np.uint64(found)])
            found += 1
            boards -= 1
            if may_restart:
                stack[BY_BANDS] = np.uint16(2)
                may_restart = False
            continue
        if by_bands and patience < 0 and split_band(stack, top):
            boards += 1
        else:
            boards += np.int64(split_cell(stack, top, guided, witnessed))
    control[BOARDS] = boards
    control[NODES] += nodes
    return found
