"""How the 9x9 search splits a board in two when a pass finds nothing more.

`split_cell` takes a cell with two digits: cheap, and good where solutions abound. `split_band`
looks for the tightest band or stack and decides in which box a digit of it stands in a row (or in
which column it stands in a box): a third fewer boards on hard puzzles, but no good on open boards.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.bits import trailing_zeros
from plyground.sudoku.band_vectors import (
    band_after_next,
    bit_counts,
    even_pieces,
    high_halves,
    load,
    low_halves,
    next_band,
    ninths,
    odd_pieces,
    splat,
    store,
    swap_halves,
    swap_neighbours,
    without,
    zero_lanes,
)
from plyground.sudoku.layout import (
    BAND_LANES,
    BOARD_WORDS,
    BOX_MARKS,
    FIRST_COLUMNS,
    LANE_OF,
    ONE_LANE,
    ROW_LANES,
    S8,
    SAME_BAND,
    STACK_COLUMNS,
    USED,
)

TIGHT = np.uint64(170)
"""Most open (row, box) pairs, of 243, for a board to be split by bands."""

SETTLED = np.uint64(27)
"""The pairs of a band or stack in which the place of every digit is settled."""

FEWEST_OPEN = np.uint16(5)
"""Pairs of an unsettled digit in a band: with fewer than five they are three, one for each row."""


@kernel(inline=True, lean=True)
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


@kernel(inline=True, lean=True)
def split_cell(stack: np.ndarray, top: np.uint64, guided: bool, witnessed: np.ndarray) -> bool:
    """Replace the top board by two: a digit ruled out in a cell, and (above it) the digit set.

    The cell is one with two digits, or with fewest. When `guided`, digits that are not in the
    board `witnessed` come first. False when every cell has one digit (possible before all
    consequences are drawn).
    """
    one = np.uint64(1)
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
        open_cell = fewest_digits(stack, top)
        if open_cell == np.uint64(81):
            return False
        line = open_cell // np.uint64(9)
        band = line // np.uint64(3)
        index = line - band * np.uint64(3)
        bit = np.uint16(one << (open_cell - line * np.uint64(9)))
    row = load(stack, top + index * np.uint64(32))
    cell = splat(np.uint16(bit))
    choices = ~zero_lanes(row & cell) & BAND_LANES[band]
    if guided:
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


@kernel(lean=True)
def fewest_digits(stack: np.ndarray, top: np.uint64) -> np.uint64:
    """A cell with the fewest digits of all that have several; 81 when there is none."""
    best, fewest = np.uint64(81), np.int64(99)
    for line in range(9):
        band = np.uint64(line // 3)
        part = top + np.uint64(32 * (line % 3))
        once, more = np.uint64(0), np.uint64(0)
        for digit in range(9):
            word = np.uint64(
                stack[part + np.uint64(LANE_OF[band * np.uint64(9) + np.uint64(digit)])]
            )
            more |= once & word
            once |= word
        while more != np.uint64(0):
            column = np.uint64(trailing_zeros(more))
            more &= more - np.uint64(1)
            digits = np.int64(0)
            for digit in range(9):
                lane = np.uint64(LANE_OF[band * np.uint64(9) + np.uint64(digit)])
                digits += np.int64(np.uint64(stack[part + lane]) >> column & np.uint64(1))
            if digits < fewest:
                best, fewest = np.uint64(9 * line) + column, digits
    return best


@kernel(lean=True)
def split_band(stack: np.ndarray, top: np.uint64) -> bool:
    """Replace the top board by two: a digit of a band in one box of a row, or (below it) not there.

    In a stack: in one column of a box, or not there. The band or stack is the unsettled one with
    fewest open pairs, the digit one with fewest in it. False when the board is too open for this.
    """
    second, third = np.uint64(32), np.uint64(64)
    child = top + BOARD_WORDS
    beyond = child + BOARD_WORDS
    a, b, c = load(stack, top), load(stack, top + second), load(stack, top + third)
    box_marks, low_columns = splat(BOX_MARKS), splat(FIRST_COLUMNS)
    boxes_a = bit_counts(((a & low_columns) + low_columns | a) & box_marks)
    boxes_b = bit_counts(((b & low_columns) + low_columns | b) & box_marks)
    boxes_c = bit_counts(((c & low_columns) + low_columns | c) & box_marks)
    across = boxes_a + boxes_b + boxes_c
    columns = a | b | c
    left = bit_counts(columns & splat(STACK_COLUMNS[np.uint64(0)]))
    middle = bit_counts(columns & splat(STACK_COLUMNS[np.uint64(1)]))
    right = bit_counts(columns & splat(STACK_COLUMNS[np.uint64(2)]))
    # Four sums over the digits of each band, two in a lane.
    first, last = left + (middle << S8), across + (right << S8)
    sums = low_halves(first, last) + high_halves(first, last)
    sums = even_pieces(sums, sums) + odd_pieces(sums, sums) + ninths(first, last, last)
    store(stack, beyond, sums + swap_neighbours(sums))
    band = tightest(stack, beyond)
    if band > np.uint64(5):
        return False
    two = splat(np.uint16(2))
    total = FEWEST_OPEN
    wanted = np.uint32(0)
    if band < np.uint64(3):
        while wanted == np.uint32(0):
            wanted = zero_lanes(across ^ splat(np.uint16(total))) & BAND_LANES[band]
            total += np.uint16(1)
        start = np.uint64(0)
        here = zero_lanes(boxes_a ^ two) & wanted
        if here == np.uint32(0):
            start = second
            here = zero_lanes(boxes_b ^ two) & wanted
        if here == np.uint32(0):
            start = third
            here = wanted
        lane = np.uint64(trailing_zeros(np.uint64(here)))
        end = start
        word = stack[top + start + lane]
        chosen = STACK_COLUMNS[np.uint64(trailing_zeros(np.uint64(word))) // np.uint64(3)] & word
    else:
        down, own = left, STACK_COLUMNS[band - np.uint64(3)]
        if band == np.uint64(4):
            down = middle
        if band == np.uint64(5):
            down = right
        totals = down + next_band(down) + band_after_next(down)
        while wanted == np.uint32(0):
            wanted = zero_lanes(totals ^ splat(np.uint16(total))) & USED
            total += np.uint16(1)
        here = zero_lanes(down ^ two) & wanted
        if here == np.uint32(0):
            here = wanted
        lane = np.uint64(trailing_zeros(np.uint64(here)))
        start, end = np.uint64(0), third
        word = (stack[top + lane] | stack[top + second + lane] | stack[top + third + lane]) & own
        chosen = word & (~word + np.uint16(1))
    only = load(ONE_LANE, lane * second)
    keep, drop = only & splat(np.uint16(chosen)), only & splat(np.uint16(word & ~chosen))
    for part in range(3):
        offset = np.uint64(part) * second
        board = load(stack, top + offset)
        if start <= offset and offset <= end:
            store(stack, child + offset, without(board, drop))
            store(stack, top + offset, without(board, keep))
        else:
            store(stack, child + offset, board)
    return True


@kernel(lean=True)
def tightest(stack: np.ndarray, sums: np.uint64) -> np.uint64:
    """The unsettled band (0-2) or stack (3-5) with fewest open pairs; 6 when the board is open.

    The sums lie at `sums`: for band b in lane 8b those of left and middle stack, in lane 8b + 2
    those of the band itself and of the right stack, each pair in the two bytes of the lane.
    """
    low, byte = np.uint64(0xFF), np.uint64(8)
    best, place, whole = np.uint64(0xFFFF), np.uint64(6), np.uint64(0)
    stacks, right = np.uint64(0), np.uint64(0)
    for band in range(3):
        lane = sums + np.uint64(8 * band)
        stacks += np.uint64(stack[lane])
        word = np.uint64(stack[lane + np.uint64(2)])
        right += word >> byte
        whole += word & low
        if word & low > SETTLED and word & low < best:
            best, place = word & low, np.uint64(band)
    if stacks & low > SETTLED and stacks & low < best:
        best, place = stacks & low, np.uint64(3)
    if stacks >> byte > SETTLED and stacks >> byte < best:
        best, place = stacks >> byte, np.uint64(4)
    if right > SETTLED and right < best:
        place = np.uint64(5)
    return place if whole <= TIGHT else np.uint64(6)
