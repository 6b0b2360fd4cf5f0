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
    bands_to_ninth,
    filled_cells,
    if_zero,
    load,
    next_band,
    ninth_to_bands,
    splat,
    store,
    swap_halves,
    swap_neighbours,
    swap_pairs,
    without,
    zero_lanes,
)

BOARDS, NODES = np.uint64(0), np.uint64(1)
CONTROL_WORDS = 2
BOARD_WORDS = np.uint64(96)
STACK_WORDS = 96 * 84
"""Every split settles a cell, so 81 boards and a scratch one are enough."""

USED = np.uint32(0x15FFFFFF)
"""The 27 lanes that carry a band and a digit."""

ROW = np.uint16(0o777)
BOX_MARKS = np.uint16(0o111)
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


@kernel
def over_digits(lanes: np.ndarray) -> np.ndarray:
    """In every lane the union over all digits of the band."""
    lanes = lanes | ninth_to_bands(lanes)
    lanes = lanes | swap_halves(lanes)
    lanes = lanes | swap_pairs(lanes)
    lanes = lanes | swap_neighbours(lanes)
    return bands_to_ninth(lanes)


@kernel
def write_solution(stack: np.ndarray, offset: np.uint64, solution: np.ndarray) -> None:
    """The digits of a solved board in the stack to `solution` (81,) uint8."""
    for index in range(3):
        for band in range(3):
            first = np.uint64(27 * band + 9 * index)
            for digit in range(9):
                lane = np.uint64(LANE_OF[np.uint64(9 * band + digit)])
                column = trailing_zeros(np.uint64(stack[offset + np.uint64(32 * index) + lane]))
                solution[first + np.uint64(column)] = np.uint8(digit + 1)


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
    u0 = np.uint64(0)
    second, third = np.uint64(32), np.uint64(64)
    zero = splat(np.uint16(0))
    ones = splat(np.uint16(1))
    box_marks = splat(BOX_MARKS)
    whole = load(WHOLE_ROWS, u0)
    boards = control[BOARDS]
    found, nodes = np.int64(0), np.int64(0)
    while boards > 0 and found < limit and nodes < node_budget:
        nodes += 1
        top = np.uint64(boards - 1) * BOARD_WORDS
        a = load(stack, top)
        b = load(stack, top + second)
        c = load(stack, top + third)
        alive, solved = True, False
        while True:
            before_a, before_b, before_c = a, b, c
            # Rows and boxes of each band.
            ma = (a | a >> S1 | a >> S2) & box_marks
            mb = (b | b >> S1 | b >> S2) & box_marks
            mc = (c | c >> S1 | c >> S2) & box_marks
            da, db, dc = ma | ma << S9, mb | mb << S9, mc | mc << S9
            na, nb, nc = da >> S3, db >> S3, dc >> S3
            oa, ob, oc = da >> S6, db >> S6, dc >> S6
            ma = ma & ((nb & oc) | (ob & nc))
            mb = mb & ((na & oc) | (oa & nc))
            mc = mc & ((na & ob) | (oa & nb))
            a = a & (ma | ma << S1 | ma << S2)
            b = b & (mb | mb << S1 | mb << S2)
            c = c & (mc | mc << S1 | mc << S2)
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
            a, b, c = a & matched, b & matched, c & matched
            # Rows with one place.
            many_a, many_b, many_c = a & (a - ones), b & (b - ones), c & (c - ones)
            if (zero_lanes(a) | zero_lanes(b) | zero_lanes(c)) & USED != np.uint32(0):
                alive = False
                break
            only_a = if_zero(many_a, a, zero)
            only_b = if_zero(many_b, b, zero)
            only_c = if_zero(many_c, c, zero)
            a = a & (only_a | without(whole, over_digits(only_a)))
            b = b & (only_b | without(whole, over_digits(only_b)))
            c = c & (only_c | without(whole, over_digits(only_c)))
            # Cells with one digit.
            ninth = ninth_to_bands(a)
            one_a, two_a = a | ninth, a & ninth
            turn = swap_halves(one_a)
            two_a = two_a | swap_halves(two_a) | (one_a & turn)
            one_a = one_a | turn
            turn = swap_pairs(one_a)
            two_a = two_a | swap_pairs(two_a) | (one_a & turn)
            one_a = one_a | turn
            turn = swap_neighbours(one_a)
            two_a = two_a | swap_neighbours(two_a) | (one_a & turn)
            one_a = one_a | turn
            ninth = ninth_to_bands(b)
            one_b, two_b = b | ninth, b & ninth
            turn = swap_halves(one_b)
            two_b = two_b | swap_halves(two_b) | (one_b & turn)
            one_b = one_b | turn
            turn = swap_pairs(one_b)
            two_b = two_b | swap_pairs(two_b) | (one_b & turn)
            one_b = one_b | turn
            turn = swap_neighbours(one_b)
            two_b = two_b | swap_neighbours(two_b) | (one_b & turn)
            one_b = one_b | turn
            ninth = ninth_to_bands(c)
            one_c, two_c = c | ninth, c & ninth
            turn = swap_halves(one_c)
            two_c = two_c | swap_halves(two_c) | (one_c & turn)
            one_c = one_c | turn
            turn = swap_pairs(one_c)
            two_c = two_c | swap_pairs(two_c) | (one_c & turn)
            one_c = one_c | turn
            turn = swap_neighbours(one_c)
            two_c = two_c | swap_neighbours(two_c) | (one_c & turn)
            one_c = one_c | turn
            if zero_lanes((one_a & one_b & one_c) ^ splat(ROW)) & np.uint32(0xFFFFFF) != np.uint32(
                0xFFFFFF
            ):
                alive = False
                break
            two_a, two_b, two_c = (
                bands_to_ninth(two_a),
                bands_to_ninth(two_b),
                bands_to_ninth(two_c),
            )
            lone_a, lone_b, lone_c = without(a, two_a), without(b, two_b), without(c, two_c)
            a = if_zero(lone_a, a, lone_a & (zero - lone_a))
            b = if_zero(lone_b, b, lone_b & (zero - lone_b))
            c = if_zero(lone_c, c, lone_c & (zero - lone_c))
            if not any_bit((a ^ before_a) | (b ^ before_b) | (c ^ before_c)):
                solved = not any_bit(many_a | many_b | many_c)
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
        split(stack, top, witnessed)
        boards += 1
    control[BOARDS] = boards
    control[NODES] += nodes
    return found


@kernel
def exactly_two(lanes: np.ndarray) -> np.ndarray:
    """In every lane of a band the cells with exactly two digits."""
    ninth = ninth_to_bands(lanes)
    one, two = lanes | ninth, lanes & ninth
    turn, turn2 = swap_halves(one), swap_halves(two)
    three = (one & turn2) | (two & turn)
    two = two | turn2 | (one & turn)
    one = one | turn
    turn, turn2, turn3 = swap_pairs(one), swap_pairs(two), swap_pairs(three)
    three = three | turn3 | (one & turn2) | (two & turn)
    two = two | turn2 | (one & turn)
    one = one | turn
    turn, turn2, turn3 = swap_neighbours(one), swap_neighbours(two), swap_neighbours(three)
    three = three | turn3 | (one & turn2) | (two & turn)
    two = two | turn2 | (one & turn)
    return without(two, three)


@kernel
def split(stack: np.ndarray, top: np.uint64, witnessed: np.ndarray) -> None:
    """Replace the top board by two: a digit ruled out somewhere, and (above it) the digit set."""
    u0, one = np.uint64(0), np.uint64(1)
    child = top + BOARD_WORDS
    beyond = child + BOARD_WORDS
    index = u0
    where = np.uint32(0)
    bands = np.uint32(0x00010101)
    while index < np.uint64(3):
        pairs = exactly_two(load(stack, top + index * np.uint64(32)))
        where = ~zero_lanes(pairs) & bands
        if where != np.uint32(0):
            store(stack, beyond, pairs)
            break
        index += one
    if where != np.uint32(0):
        lane = np.uint64(trailing_zeros(np.uint64(where)))
        band = lane >> np.uint64(3)
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
