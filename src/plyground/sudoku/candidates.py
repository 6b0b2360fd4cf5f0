"""True candidates of a 9x9 board: for each cell the digits that occur there in some solution.

The digits of every solution found so far are *witnessed*. Each search asks for a solution with
one digit that is still in doubt, and prefers such digits wherever it has a choice, so that few
searches witness nearly all; a search without result rules its digit out for all that follow.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.bits import trailing_zeros
from plyground.kernels.random import split_mix
from plyground.sudoku.band_vectors import load, splat, store, without, zero_lanes
from plyground.sudoku.layout import (
    BAND_OF,
    BOARDS,
    BY_BANDS,
    DIGIT_OF,
    NODES,
    ONE_LANE,
    SAME_BAND,
    SPARE_BOARD,
    START_BOARD,
    USED,
)
from plyground.sudoku.nine import advance, begin

FIRST_PATIENCE = np.int64(1000)
"""Nodes after which a search begins again with other choices, twice as many each time."""


@kernel
def true_candidates(
    grid: np.ndarray,
    root: np.ndarray,
    stack: np.ndarray,
    control: np.ndarray,
    witnessed: np.ndarray,
    nothing: np.ndarray,
    node_budget: np.int64,
    masks: np.ndarray,
) -> np.int64:
    """Write the true candidates of `grid` (81,) uint8 to `masks` (81,) uint16, bit v-1 for digit v.

    Returns 1 when they are complete, 0 when there is no solution (masks zero), -1 when the node
    budget ran out (masks then hold what was witnessed). `root` (96,) and `witnessed` (96,) uint16,
    `stack`, `control` and `nothing` (0, 81) uint8 are scratch space. Nodes: `control[NODES]`.
    """
    u0, second = np.uint64(0), np.uint64(32)
    for index in range(81):
        masks[np.uint64(index)] = np.uint16(0)
    for index in range(3):
        store(witnessed, np.uint64(index) * second, splat(np.uint16(0)))
    begin(grid, stack, control)
    stack[BY_BANDS] = np.uint16(0)
    for index in range(3):
        offset = np.uint64(index) * second
        store(root, offset, load(stack, offset))
    nodes, attempt = np.int64(0), np.int64(0)
    verdict, finished = np.int64(-1), False
    part, lane, digit_bit = u0, u0, np.uint16(0)
    spare = stack[SPARE_BOARD : SPARE_BOARD + np.uint64(96)]
    while nodes < node_budget:
        preference = witnessed if attempt == 0 else spare
        patience = min(node_budget - nodes, FIRST_PATIENCE << min(attempt, np.int64(30)))
        found = advance(stack, control, preference, np.int64(1), patience, nothing)
        nodes += control[NODES]
        if found == 0 and control[BOARDS] > 0:
            # Unlucky choices: begin again with others, at random but always the same.
            attempt += np.int64(1)
            for index in range(96):
                word = split_mix(np.uint64(attempt * np.int64(96)) + np.uint64(index))
                spare[np.uint64(index)] = np.uint16(word & np.uint64(0o777))
            for index in range(3):
                offset = np.uint64(index) * second
                store(stack, offset, load(stack, START_BOARD + offset))
            control[BOARDS] = 1
            control[NODES] = 0
            continue
        attempt = np.int64(0)
        if found > 0:
            verdict = np.int64(1)
            solution = np.uint64(control[BOARDS]) * np.uint64(96)
            for index in range(3):
                offset = np.uint64(index) * second
                store(witnessed, offset, load(witnessed, offset) | load(stack, solution + offset))
        elif verdict < 0:
            verdict = np.int64(0)
            finished = True
            break
        else:
            place = part * second
            chosen = load(ONE_LANE, lane * second) & splat(digit_bit)
            store(root, place, without(load(root, place), chosen))
        part = u0
        doubtful = np.uint32(0)
        while part < np.uint64(3):
            doubt = without(load(root, part * second), load(witnessed, part * second))
            doubtful = ~zero_lanes(doubt) & USED
            if doubtful != np.uint32(0):
                store(stack, u0, doubt)
                break
            part += np.uint64(1)
        if doubtful == np.uint32(0):
            finished = True
            break
        lane = np.uint64(trailing_zeros(np.uint64(doubtful)))
        bits = stack[lane]
        digit_bit = np.uint16(bits & (~bits + np.uint16(1)))
        for index in range(3):
            offset = np.uint64(index) * second
            store(stack, offset, load(root, offset))
        whole_lane = load(ONE_LANE, lane * second)
        cell = splat(digit_bit)
        others = load(SAME_BAND, np.uint64(BAND_OF[lane]) * second) & cell
        row = load(stack, part * second)
        store(stack, part * second, without(row, others | whole_lane) | (whole_lane & cell))
        for index in range(3):
            offset = np.uint64(index) * second
            store(stack, START_BOARD + offset, load(stack, offset))
        control[BOARDS] = 1
        control[NODES] = 0
    control[NODES] = nodes
    for index in range(3):
        for lane_index in range(32):
            lane = np.uint64(lane_index)
            if USED >> np.uint32(lane_index) & np.uint32(1) == np.uint32(0):
                continue
            bits = witnessed[np.uint64(index) * second + lane]
            first = np.uint64(BAND_OF[lane]) * np.uint64(27) + np.uint64(index) * np.uint64(9)
            flag = np.uint16(1) << np.uint16(DIGIT_OF[lane] - np.uint8(1))
            for column in range(9):
                if bits >> np.uint16(column) & np.uint16(1) != np.uint16(0):
                    masks[first + np.uint64(column)] |= np.uint16(flag)
    return verdict if finished else np.int64(-1)
