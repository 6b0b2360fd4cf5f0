"""Solver kernels for 9x9 boards: all digits of all bands at once in vector registers.

A board is three values of 32 lanes (see `lanes`): value i has, for each band and digit, the nine
columns of row i of that band in which the digit may still stand. One pass applies to the whole
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
from plyground.kernels.bits import trailing_zeros
from plyground.sudoku.lanes import (
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

BOARDS, NODES = np.uint64(0), np.uint64(1)
CONTROL_WORDS = 2
MANY = np.int64(16)
"""From this many solutions on, a board is split after two passes: with solutions everywhere,
looking for the last consequence costs more than it saves."""
BOARD_WORDS = np.uint64(96)
STACK_WORDS = 96 * 168
"""Every split settles a cell or a digit of a row: 162 boards and some scratch space are enough."""

USED = np.uint32(0x15FFFFFF)
"""The 27 lanes that carry a band and a digit."""

EVERY_LANE = np.uint32(0xFFFFFFFF)
IDLE = np.uint32(0xFF000000)
"""The last quarter, which has no row when rows are laid out by `over_digits`."""

ROW_LANES = np.uint32(0x00151515)
"""The lanes of the nine rows in that layout."""

ROW = np.uint16(0o777)
BOX_MARKS = np.uint16(0o444)
FIRST_COLUMNS = np.uint16(0o333)
FIRST_COLUMN = np.uint16(0o111)
S1, S2, S3, S6, S9 = (np.uint16(shift) for shift in (1, 2, 3, 6, 9))
BAND_LANES = np.array([0x010000FF, 0x0400FF00, 0x10FF0000], np.uint32)

LANE_OF = np.array(
    [[8 * band + digit if digit < 8 else 24 + 2 * band for digit in range(9)] for band in range(3)],
    np.uint8,
).ravel()
DIGIT_OF = np.zeros(32, np.uint8)
DIGIT_OF[LANE_OF] = np.tile(np.arange(1, 10, dtype=np.uint8), 3)

ONE_LANE = (np.eye(32, dtype=np.uint16) * np.uint16(0xFFFF)).ravel()
"""At 32 * i: a mask of lane i."""

SAME_BAND = np.array(
    [[0xFFFF if BAND_LANES[band] >> lane & 1 else 0 for lane in range(32)] for band in range(3)],
    np.uint16,
).ravel()
"""At 32 * b: a mask of the lanes of band b."""

FIRST_CELLS = np.array(
    [
        [27 * (lane // 8 if lane < 24 else (lane - 24) // 2) + 9 * row for lane in range(32)]
        for row in range(3)
    ],
    np.uint16,
).ravel()
"""At 32 * i: for each lane the first cell of row i of its band."""

WHOLE_ROWS = np.array([0o777 if USED >> lane & 1 else 0 for lane in range(32)], np.uint16)


@kernel
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
        store(stack, offset, if_zero(given, whole, given))
    control[BOARDS] = np.int64(clash == np.uint16(0))
    control[NODES] = 0


@kernel(inline=True)
def over_digits(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """The union over all digits, for all nine rows: piece i of each band has its row i."""
    both = low_halves(a, b) | high_halves(a, b)
    last = c | swap_halves(c)
    union = even_pieces(both, last) | odd_pieces(both, last) | ninths(a, b, c)
    return union | swap_neighbours(union)


@kernel
def write_solution(stack: np.ndarray, offset: np.uint64, solution: np.ndarray) -> None:
    """The digits of a solved board in the stack to `solution` (81,) uint8."""
    ones = splat(np.uint16(1))
    scratch = offset + BOARD_WORDS
    for index in range(3):
        part = np.uint64(32 * index)
        columns = bit_counts(load(stack, offset + part) - ones)
        store(stack, scratch + part, columns + load(FIRST_CELLS, part))
    for digit in range(8):
        for quarter in range(12):
            lane = np.uint64(8 * quarter + digit)
            if quarter & 3 != 3:
                solution[np.uint64(stack[scratch + lane])] = np.uint8(digit + 1)
    for index in range(3):
        for band in range(3):
            lane = np.uint64(32 * index + 24 + 2 * band)
            solution[np.uint64(stack[scratch + lane])] = np.uint8(9)


@kernel
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
    zero, ones, row = splat(np.uint16(0)), splat(np.uint16(1)), splat(ROW)
    box_marks, low_columns = splat(BOX_MARKS), splat(FIRST_COLUMNS)
    boards = control[BOARDS]
    found, nodes = np.int64(0), np.int64(0)
    while boards > 0 and found < limit and nodes < node_budget:
        nodes += 1
        top = np.uint64(boards - 1) * BOARD_WORDS
        a = load(stack, top)
        b = load(stack, top + second)
        c = load(stack, top + third)
        alive, solved = True, False
        passes = np.int64(0)
        patience = np.int64(-1) if found < MANY else np.int64(2)
        while True:
            before_a, before_b, before_c = a, b, c
            # Rows and boxes of each band.
            ma = ((a & low_columns) + low_columns | a) & box_marks
            mb = ((b & low_columns) + low_columns | b) & box_marks
            mc = ((c & low_columns) + low_columns | c) & box_marks
            da, db, dc = ma | ma << S9, mb | mb << S9, mc | mc << S9
            na, nb, nc = da >> S3, db >> S3, dc >> S3
            oa, ob, oc = da >> S6, db >> S6, dc >> S6
            ma = ma & ((nb & oc) | (ob & nc))
            mb = mb & ((na & oc) | (oa & nc))
            mc = mc & ((na & ob) | (oa & nb))
            a = a & (ma | ma - (ma >> S2))
            b = b & (mb | mb - (mb >> S2))
            c = c & (mc | mc - (mc >> S2))
            # Columns and bands.
            columns = a | b | c
            turned = ((columns >> S1) & splat(FIRST_COLUMNS)) | without(
                columns << S2, splat(FIRST_COLUMNS)
            )
            twice = ((columns >> S2) & splat(FIRST_COLUMN)) | without(
                columns << S1, splat(FIRST_COLUMN)
            )
            matched = (next_band(turned) & band_after_next(twice)) | (
                next_band(twice) & band_after_next(turned)
            )
            columns = columns & matched
            a, b, c = a & matched, b & matched, c & matched
            # Rows with one place.
            many_a, many_b, many_c = a & (a - ones), b & (b - ones), c & (c - ones)
            if (zero_lanes(a) | zero_lanes(b) | zero_lanes(c)) & USED != np.uint32(0):
                alive = False
                break
            only_a = if_zero(many_a, a, zero)
            only_b = if_zero(many_b, b, zero)
            only_c = if_zero(many_c, c, zero)
            taken = over_digits(only_a, only_b, only_c)
            if zero_lanes(many_a) & zero_lanes(many_b) & zero_lanes(many_c) == EVERY_LANE:
                columns = columns | next_band(columns) | band_after_next(columns)
                solved = (zero_lanes(taken ^ row) | IDLE) & (
                    zero_lanes(columns ^ row) | ~USED
                ) == EVERY_LANE
                alive = solved
                break
            a = without(a, without(spread_first(taken), only_a))
            b = without(b, without(spread_second(taken), only_b))
            c = without(c, without(spread_third(taken), only_c))
            # Cells with one digit.
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
            one = one | turn
            if zero_lanes(one ^ row) | IDLE != EVERY_LANE:
                alive = False
                break
            lone_a = without(a, spread_first(two))
            lone_b = without(b, spread_second(two))
            lone_c = without(c, spread_third(two))
            a = if_zero(lone_a, a, lone_a)
            b = if_zero(lone_b, b, lone_b)
            c = if_zero(lone_c, c, lone_c)
            passes += 1
            if (passes == patience) or not any_bit(
                (a ^ before_a) | (b ^ before_b) | (c ^ before_c)
            ):
                break
        if not alive:
            boards -= 1
            continue
        store(stack, top, a)
        store(stack, top + second, b)
        store(stack, top + third, c)
        if solved:
            if found < solutions.shape[0]:
                write_solution(stack, top, solutions[np.uint64(found)])
            found += 1
            boards -= 1
            continue
        if split(stack, top, witnessed):
            boards += 1
    control[BOARDS] = boards
    control[NODES] += nodes
    return found


@kernel(inline=True)
def exactly_two(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """The cells with exactly two digits: piece i of each band has those of its row i."""
    low, high = low_halves(a, b), high_halves(a, b)
    one_both, two_both = low | high, low & high
    turn = swap_halves(c)
    one_last, two_last = c | turn, c & turn
    low, high = even_pieces(one_both, one_last), odd_pieces(one_both, one_last)
    low2, high2 = even_pieces(two_both, two_last), odd_pieces(two_both, two_last)
    one = low | high
    two = low2 | high2 | (low & high)
    three = (low & high2) | (low2 & high)
    turn = ninths(a, b, c)
    three = three | (two & turn)
    two = two | (one & turn)
    one = one | turn
    turn, turn2 = swap_neighbours(one), swap_neighbours(two)
    three = three | swap_neighbours(three) | (one & turn2) | (two & turn)
    two = two | turn2 | (one & turn)
    return without(two, three)


@kernel(inline=True)
def split(stack: np.ndarray, top: np.uint64, witnessed: np.ndarray) -> bool:
    """Replace the top board by two: a digit ruled out somewhere, and (above it) the digit set.

    The cell is one with two digits; failing that, any place of a digit that has several in a row.
    False when there is nothing to choose (possible only before all consequences are drawn).
    """
    u0, one = np.uint64(0), np.uint64(1)
    child = top + BOARD_WORDS
    beyond = child + BOARD_WORDS
    pairs = exactly_two(
        load(stack, top), load(stack, top + np.uint64(32)), load(stack, top + np.uint64(64))
    )
    where = ~zero_lanes(pairs) & ROW_LANES
    if where != np.uint32(0):
        store(stack, beyond, pairs)
        lane = np.uint64(trailing_zeros(np.uint64(where)))
        band = lane >> np.uint64(3)
        index = (lane & np.uint64(7)) >> one
        cells = stack[beyond + lane]
        bit = cells & (~cells + np.uint16(1))
    else:
        index = u0
        band, bit = u0, np.uint16(0)
        while index < np.uint64(3):
            row = load(stack, top + index * np.uint64(32))
            open_lanes = ~zero_lanes(row & (row - splat(np.uint16(1)))) & USED
            if open_lanes != np.uint32(0):
                lane = np.uint64(trailing_zeros(np.uint64(open_lanes)))
                band = lane >> np.uint64(3)
                if band == np.uint64(3):
                    band = (lane - np.uint64(24)) >> one
                cells = stack[top + index * np.uint64(32) + lane]
                bit = cells & (~cells + np.uint16(1))
                break
            index += one
        if index == np.uint64(3):
            return False
    row = load(stack, top + index * np.uint64(32))
    cell = splat(np.uint16(bit))
    choices = ~zero_lanes(row & cell) & BAND_LANES[band]
    fresh = ~zero_lanes(without(row & cell, load(witnessed, index * np.uint64(32)))) & choices
    if fresh != np.uint32(0):
        choices = fresh
    lane = np.uint64(trailing_zeros(np.uint64(choices)))
    chosen = load(ONE_LANE, lane * np.uint64(32)) & cell
    others = load(SAME_BAND, band * np.uint64(32)) & cell
    whole_lane = load(ONE_LANE, lane * np.uint64(32))
    for part in range(3):
        offset = np.uint64(part) * np.uint64(32)
        store(stack, child + offset, load(stack, top + offset))
    store(stack, child + index * np.uint64(32), without(row, others | whole_lane) | chosen)
    store(stack, top + index * np.uint64(32), without(row, chosen))
    return True
