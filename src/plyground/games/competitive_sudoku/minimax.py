"""Depth-limited minimax of the documents' agents over moves that fit, in resumable slices.

Values are seen by the maximising player, in units of 1/SCALE point. Moves are tried in the order
of the list given at the root, as far as they still fit, at every node.
"""

from __future__ import annotations

import numpy as np

from plyground.games.competitive_sudoku.fastboard import (
    EMPTY,
    RESTRICTED,
    REWARDS,
    TWO,
    has_square,
    place,
    reward_of,
    unplace,
)
from plyground.kernels.bits import ONE, ZERO, popcount, trailing_zeros
from plyground.kernels.marker import kernel

SCALE = np.int64(100_000)
INFINITE = np.int64(1) << np.int64(50)

UNIT_BITS, UNIT = np.uint64(8), np.uint64(255)
MOST_FOR_TWO = 256
MOST_SQUARES_FOR_TWO = 64
"""Moves and squares up to which the last two plies are searched in one go, within a slice."""

# Places in `control`.
(
    LEVEL,
    DEPTH,
    MAXIMISER,
    BEST_MOVE,
    BEST_VALUE,
    NODES,
    ROOT_MOVES,
    PRUNE,
    PREFER_EMPTY,
    DEAD_END_LOSES,
    MERGE_VALUES,
    LISTED,
) = range(12)
CONTROL = 12

# Places in a frame.
NEXT, MOVER, ALPHA, BETA, BEST, MADE, TRIED = range(7)
FRAME = 7


@kernel(lean=True)
def begin(control: np.ndarray, frames: np.ndarray, player: np.int64, depth: np.int64) -> None:
    """Prepare a search of `depth` plies for the player to move."""
    control[LEVEL] = 0
    control[DEPTH] = depth
    control[MAXIMISER] = player
    control[BEST_MOVE] = -1
    control[BEST_VALUE] = -INFINITE - 1
    open_frame(frames, np.int64(0), player, -INFINITE, INFINITE, player, np.int64(-1))


@kernel(lean=True)
def open_frame(
    frames: np.ndarray,
    level: np.int64,
    mover: np.int64,
    alpha: np.int64,
    beta: np.int64,
    maximiser: np.int64,
    made: np.int64,
) -> None:
    """A fresh node."""
    frames[level, NEXT] = 0
    frames[level, MOVER] = mover
    frames[level, ALPHA] = alpha
    frames[level, BETA] = beta
    frames[level, BEST] = -INFINITE - 1 if mover == maximiser else INFINITE + 1
    frames[level, MADE] = made
    frames[level, TRIED] = 0


@kernel(lean=True)
def standing(
    control: np.ndarray, scores: np.ndarray, totals: np.ndarray, cells: np.int64, mover: np.int64
) -> np.int64:
    """The value where the search stops and `mover` is to move."""
    maximiser = control[MAXIMISER]
    value = (scores[maximiser] - scores[1 - maximiser]) * SCALE
    if control[PREFER_EMPTY] and mover == maximiser:
        value += SCALE // 10 * totals[EMPTY] // cells
    return value


@kernel(lean=True)
def run(
    control: np.ndarray,
    frames: np.ndarray,
    move_cells: np.ndarray,
    move_bits: np.ndarray,
    move_places: np.ndarray,
    list_cells: np.ndarray,
    list_values: np.ndarray,
    list_units: np.ndarray,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    scores: np.ndarray,
    totals: np.ndarray,
    budget: np.int64,
) -> np.int64:
    """Search on for about `budget` nodes; 1 when this depth is finished.

    `list_cells`, `list_values` and `list_units` are the same moves as squares with masks of values
    and packed numbers of regions; `move_places` leads from a move to its square. The best root move
    so far and its value are in `control`.
    """
    maximiser = control[MAXIMISER]
    depth = control[DEPTH]
    count = move_cells.shape[0]
    size = used.shape[0] // 3
    full = (ONE << np.uint64(size)) - ONE
    stop_at = control[NODES] + budget
    while control[NODES] < stop_at:
        level = control[LEVEL]
        frame = frames[level]
        mover = frame[MOVER]
        maximising = mover == maximiser
        last_ply = level == depth - 1
        unseen = ZERO
        if control[MERGE_VALUES]:
            unseen = full
            for unit in range(size):
                unseen &= ~used[unit]
        if last_ply and level > 0 and unseen == ZERO and frame[NEXT] == 0:
            finish_last_ply(
                control,
                frames,
                level,
                list_cells,
                list_values,
                unit_of,
                filled,
                used,
                room,
                near,
                scores,
                totals,
            )
        elif (
            level == depth - 2
            and level > 0
            and frame[NEXT] == 0
            and unseen == ZERO
            and count <= MOST_FOR_TWO
            and list_cells.shape[0] <= MOST_SQUARES_FOR_TWO
            and not (totals[RESTRICTED] or control[DEAD_END_LOSES])
        ):
            finish_two_plies(
                control,
                frames,
                level,
                move_cells,
                move_bits,
                move_places,
                list_cells,
                list_values,
                list_units,
                filled,
                used,
                room,
                scores,
                totals,
            )
        descended = False
        index = frame[NEXT]
        limit = control[ROOT_MOVES] if level == 0 else count
        while index < limit:
            square = np.uint64(move_cells[np.uint64(index)])
            bit = move_bits[np.uint64(index)]
            index += 1
            if filled[square]:
                continue
            taken = (
                used[np.uint64(unit_of[square, ZERO])]
                | used[np.uint64(unit_of[square, ONE])]
                | used[np.uint64(unit_of[square, TWO])]
            )
            cell = np.int64(square)
            if taken & bit or (totals[RESTRICTED] and near[mover, cell] <= 0):
                continue
            # Values that are nowhere on the board are alike: the lowest stands for all.
            if unseen & bit and unseen & (bit - ONE):
                continue
            control[NODES] += 1
            frame[TRIED] += 1
            if last_ply:
                value = last_value(control, mover, cell, unit_of, room, scores, totals)
                if settle(control, frames, level, maximising, index - 1, value):
                    break
                continue
            frame[NEXT] = index
            place(cell, bit, mover, unit_of, around, filled, used, room, near, scores, totals)
            following = 1 - mover
            if totals[RESTRICTED] and not has_square(following, filled, near, totals):
                following = mover
            open_frame(
                frames,
                level + 1,
                following,
                frame[ALPHA],
                frame[BETA],
                maximiser,
                index - 1,
            )
            control[LEVEL] = level + 1
            descended = True
            break
        if descended:
            continue
        frame[NEXT] = index
        cut = control[PRUNE] and frame[ALPHA] >= frame[BETA]
        if index < limit and not cut:
            continue
        # The node is done.
        value = frame[BEST]
        dead_end = frame[TRIED] == 0 and control[DEAD_END_LOSES] != 0 and totals[EMPTY] > 0
        if frame[TRIED] == 0:
            value = standing(control, scores, totals, np.int64(filled.shape[0]), mover)
        if level == 0:
            return np.int64(1)
        parent = frames[level - 1]
        made = frame[MADE]
        unplace(
            move_cells[made],
            move_bits[made],
            parent[MOVER],
            unit_of,
            around,
            filled,
            used,
            room,
            near,
            scores,
            totals,
        )
        control[LEVEL] = level - 1
        # A dead end counts as lost for the player to move, unless there was no other way.
        if dead_end and (
            fitting_moves(parent[MOVER], move_cells, move_bits, unit_of, filled, used, near, totals)
            > 1
        ):
            value = -INFINITE if maximising else INFINITE
        if settle(control, frames, level - 1, parent[MOVER] == maximiser, made, value):
            parent[NEXT] = control[ROOT_MOVES] if level == 1 else count
    return np.int64(0)


@kernel(lean=True)
def last_value(
    control: np.ndarray,
    mover: np.int64,
    cell: np.int64,
    unit_of: np.ndarray,
    room: np.ndarray,
    scores: np.ndarray,
    totals: np.ndarray,
) -> np.int64:
    """The value after one more placement, where the search stops."""
    reward = reward_of(unit_of, room, cell) * SCALE
    totals[EMPTY] -= 1
    value = standing(control, scores, totals, np.int64(unit_of.shape[0]), 1 - mover)
    totals[EMPTY] += 1
    return value + reward if mover == control[MAXIMISER] else value - reward


@kernel(lean=True)
def finish_last_ply(
    control: np.ndarray,
    frames: np.ndarray,
    level: np.int64,
    list_cells: np.ndarray,
    list_values: np.ndarray,
    unit_of: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    scores: np.ndarray,
    totals: np.ndarray,
) -> None:
    """All moves of a node on the last ply, square by square: its values bring the same reward.

    Every value counts as a node, as if the moves were tried one by one.
    """
    frame = frames[level]
    mover = frame[MOVER]
    maximising = mover == control[MAXIMISER]
    restricted = totals[RESTRICTED] != 0
    totals[EMPTY] -= 1
    base = standing(control, scores, totals, np.int64(filled.shape[0]), 1 - mover)
    totals[EMPTY] += 1
    sign = SCALE if maximising else -SCALE
    best, alpha, beta = frame[BEST], frame[ALPHA], frame[BETA]
    prune = control[PRUNE] != 0
    tried = np.int64(0)
    for index in range(list_cells.shape[0]):
        cell = np.uint64(list_cells[np.uint64(index)])
        if filled[cell]:
            continue
        row = np.uint64(unit_of[cell, ZERO])
        column = np.uint64(unit_of[cell, ONE])
        block = np.uint64(unit_of[cell, TWO])
        free = list_values[np.uint64(index)] & ~(used[row] | used[column] | used[block])
        if free == ZERO or (restricted and near[mover, np.int64(cell)] <= 0):
            continue
        complete = (
            np.uint64(room[row] == 1) + np.uint64(room[column] == 1) + np.uint64(room[block] == 1)
        )
        value = base + sign * REWARDS[complete]
        if maximising:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if prune and alpha >= beta:
            tried += 1
            break
        tried += popcount(free)
    frame[NEXT] = control[LISTED]
    frame[BEST] = best
    frame[ALPHA] = alpha
    frame[BETA] = beta
    frame[TRIED] += tried
    control[NODES] += tried


@kernel(lean=True)
def finish_two_plies(
    control: np.ndarray,
    frames: np.ndarray,
    level: np.int64,
    move_cells: np.ndarray,
    move_bits: np.ndarray,
    move_places: np.ndarray,
    list_cells: np.ndarray,
    list_values: np.ndarray,
    list_units: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    scores: np.ndarray,
    totals: np.ndarray,
) -> None:
    """All moves of a node on the last ply but one, and all replies, with everything in registers.

    For boards without restricted squares. The nodes and the value are those of the general search.
    """
    frame = frames[level]
    mover = frame[MOVER]
    maximising = mover == control[MAXIMISER]
    # From here on values are seen by the mover.
    sign = np.int64(1) if maximising else np.int64(-1)
    low = frame[ALPHA] if maximising else -frame[BETA]
    high = frame[BETA] if maximising else -frame[ALPHA]
    best = frame[BEST] * sign
    prune = control[PRUNE] != 0
    cells = np.int64(filled.shape[0])
    totals[EMPTY] -= 1
    unanswered = sign * standing(control, scores, totals, cells, 1 - mover)
    totals[EMPTY] -= 1
    answered = sign * standing(control, scores, totals, cells, mover)
    totals[EMPTY] += 2
    free_squares = ZERO
    for index in range(list_cells.shape[0]):
        if not filled[np.uint64(list_cells[np.uint64(index)])]:
            free_squares |= ONE << np.uint64(index)
    nodes = np.int64(0)
    tried = np.int64(0)
    for index in range(move_cells.shape[0]):
        place = move_places[np.uint64(index)]
        if not free_squares >> place & ONE:
            continue
        bit = move_bits[np.uint64(index)]
        units = list_units[place]
        row, column, block = units & UNIT, units >> UNIT_BITS & UNIT, units >> TWO * UNIT_BITS
        if (used[row] | used[column] | used[block]) & bit:
            continue
        tried += 1
        used[row] |= bit
        used[column] |= bit
        used[block] |= bit
        room[row] -= 1
        room[column] -= 1
        room[block] -= 1
        complete = (
            np.uint64(room[row] == 0) + np.uint64(room[column] == 0) + np.uint64(room[block] == 0)
        )
        gained = SCALE * REWARDS[complete]
        value = INFINITE + 1
        # A reply that brings the value down to `low` ends the search of this move.
        enough = low if prune else -INFINITE - 1
        replies = np.int64(0)
        left = free_squares & ~(ONE << place)
        while left:
            reply = np.uint64(trailing_zeros(left))
            left &= left - ONE
            units = list_units[reply]
            one, two, three = units & UNIT, units >> UNIT_BITS & UNIT, units >> TWO * UNIT_BITS
            free = list_values[reply] & ~(used[one] | used[two] | used[three])
            if free == ZERO:
                continue
            complete = (
                np.uint64(room[one] == 1) + np.uint64(room[two] == 1) + np.uint64(room[three] == 1)
            )
            value = min(value, answered + gained - SCALE * REWARDS[complete])
            if value <= enough:
                replies += 1
                break
            replies += popcount(free)
        nodes += replies
        if replies == 0:
            value = unanswered + gained
        used[row] &= ~bit
        used[column] &= ~bit
        used[block] &= ~bit
        room[row] += 1
        room[column] += 1
        room[block] += 1
        best = max(best, value)
        low = max(low, best)
        if prune and low >= high:
            break
    frame[NEXT] = control[LISTED]
    frame[BEST] = best * sign
    if maximising:
        frame[ALPHA] = low
    else:
        frame[BETA] = -low
    frame[TRIED] += tried
    control[NODES] += nodes + tried


@kernel(lean=True)
def fitting_moves(
    mover: np.int64,
    move_cells: np.ndarray,
    move_bits: np.ndarray,
    unit_of: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    near: np.ndarray,
    totals: np.ndarray,
) -> np.int64:
    """How many moves of the list the mover could play."""
    count = np.int64(0)
    for index in range(move_cells.shape[0]):
        cell = move_cells[index]
        if filled[cell] or (totals[RESTRICTED] and near[mover, cell] <= 0):
            continue
        taken = used[unit_of[cell, 0]] | used[unit_of[cell, 1]] | used[unit_of[cell, 2]]
        if taken & move_bits[index] == ZERO:
            count += 1
    return count


@kernel(lean=True)
def settle(
    control: np.ndarray,
    frames: np.ndarray,
    level: np.int64,
    maximising: bool,
    move: np.int64,
    value: np.int64,
) -> bool:
    """Take the value of a move into its node; True if the node needs no more moves."""
    frame = frames[level]
    if maximising:
        if value > frame[BEST]:
            frame[BEST] = value
            if level == 0:
                control[BEST_MOVE] = move
                control[BEST_VALUE] = value
        frame[ALPHA] = max(frame[ALPHA], frame[BEST])
    else:
        frame[BEST] = min(frame[BEST], value)
        frame[BETA] = min(frame[BETA], frame[BEST])
    return control[PRUNE] != 0 and frame[ALPHA] >= frame[BETA]
