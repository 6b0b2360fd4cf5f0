"""Exact play once the solution is known: alpha-beta over a few words, in resumable slices.

Values are future points of the mover minus those of the opponent, times SCALE.
"""

from __future__ import annotations

import numpy as np

from plyground.games.competitive_sudoku.lone_state import (
    EXACT_POOL,
    FIRST_REACH,
    LEVEL,
    MORE_PASSES,
    MOVER,
    NODES,
    PASS_CODE,
    PASSES,
    RESTRICTED,
    ROOT_RESOLVED,
    ROOT_VALUE,
    SQUARES,
    WORDS,
    can_move,
    list_moves,
    reward_at,
    standing_value,
)
from plyground.kernels.bits import ONE, ZERO
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix

SCALE = np.int64(100)
INFINITE = np.int64(30_000)
RESOLVED_DEPTH = np.int64(255)
BOUND_UPPER, BOUND_LOWER, EXACT = np.int64(1), np.int64(2), np.int64(3)

# Places in a frame.
COUNT, NEXT, ALPHA, BETA, BEST, BEST_MOVE, LEFT, PLAYER, RESOLVED, MADE, REWARD, FIRST_ALPHA = (
    range(12)
)
FRAME = 12


@kernel
def begin(
    control: np.ndarray, frames: np.ndarray, depth: np.int64, alpha: np.int64, beta: np.int64
) -> None:
    """Prepare a search of `positions[0]` to this depth, within a window."""
    control[LEVEL] = 0
    control[ROOT_RESOLVED] = 0
    open_node(frames, np.int64(0), depth, control[MOVER], alpha, beta)


@kernel
def open_node(
    frames: np.ndarray,
    level: np.int64,
    left: np.int64,
    player: np.int64,
    alpha: np.int64,
    beta: np.int64,
) -> None:
    """A fresh frame."""
    frame = frames[level]
    frame[COUNT] = -1
    frame[NEXT] = 0
    frame[ALPHA] = alpha
    frame[FIRST_ALPHA] = alpha
    frame[BETA] = beta
    frame[BEST] = -INFINITE
    frame[BEST_MOVE] = 0
    frame[LEFT] = left
    frame[PLAYER] = player
    frame[RESOLVED] = 1


@kernel
def key_of(control: np.ndarray, position: np.ndarray, player: np.int64) -> np.uint64:
    """A hash of all that the rest of the game depends on."""
    key = split_mix(position[SQUARES])
    key = split_mix(key ^ position[PASSES]) + position[MORE_PASSES] * np.uint64(0x9E3779B97F4A7C15)
    if control[RESTRICTED]:
        squares = position[SQUARES]
        key = split_mix(key ^ (position[FIRST_REACH + player] & squares))
        key = split_mix(key + (position[FIRST_REACH + 1 - player] & squares))
    return key


@kernel
def store(
    table: np.ndarray,
    key: np.uint64,
    value: np.int64,
    depth: np.int64,
    bound: np.int64,
    move: np.int64,
) -> None:
    """Remember a node: two neighbouring places, the deeper one is kept."""
    place = (key & np.uint64(table.shape[0] - 1)) & ~ONE
    if table[place, 0] != key:
        if (table[place, 1] >> np.uint64(16)) & np.uint64(255) > np.uint64(depth):
            place |= ONE
        elif table[place | ONE, 0] == key:
            table[place | ONE, 0] = ZERO
    table[place, 0] = key
    packed = (value + 32768) | (depth << 16) | (bound << 24) | (move << 26)
    table[place, 1] = np.uint64(packed)


@kernel
def probe(table: np.ndarray, key: np.uint64) -> np.int64:
    """The packed entry of a node, or -1."""
    place = (key & np.uint64(table.shape[0] - 1)) & ~ONE
    if table[place, 0] == key:
        return np.int64(table[place, 1])
    if table[place | ONE, 0] == key:
        return np.int64(table[place | ONE, 1])
    return np.int64(-1)


@kernel(inline=True)
def enter(
    control: np.ndarray,
    frames: np.ndarray,
    positions: np.ndarray,
    keys: np.ndarray,
    level: np.int64,
    moves: np.ndarray,
    ranks: np.ndarray,
    table: np.ndarray,
    unit_squares: np.ndarray,
    slot_near: np.ndarray,
    pass_slot: np.ndarray,
    pass_twin: np.ndarray,
    weights: np.ndarray,
) -> bool:
    """First look at a node: True if its value is known at once (in BEST), else its moves wait."""
    frame = frames[level]
    position = positions[level]
    player = frame[PLAYER]
    if not can_move(control, position, player):
        frame[BEST] = 0
        return True
    if frame[LEFT] <= 0 or level >= frames.shape[0] - 2:
        frame[BEST] = standing_value(
            control,
            position,
            player,
            unit_squares,
            slot_near,
            pass_slot,
            weights,
        )
        frame[RESOLVED] = 0
        return True
    key = key_of(control, position, player)
    keys[level] = key
    hint = np.int64(0)
    entry = probe(table, key)
    if entry >= 0:
        value = (entry & 0xFFFF) - 32768
        depth = (entry >> 16) & 255
        bound = (entry >> 24) & 3
        hint = (entry >> 26) + 1
        usable = (
            bound == EXACT
            or (bound == BOUND_LOWER and value >= frame[BETA])
            or (bound == BOUND_UPPER and value <= frame[ALPHA])
        )
        if level > 0 and depth >= frame[LEFT] and usable:
            frame[BEST] = value
            frame[RESOLVED] = np.int64(depth == RESOLVED_DEPTH)
            return True
    frame[RESOLVED] = control[EXACT_POOL]
    frame[COUNT] = list_moves(
        control,
        position,
        player,
        hint,
        unit_squares,
        pass_slot,
        pass_twin,
        moves[level],
        ranks[level],
    )
    return False


@kernel
def finish_frontier(
    control: np.ndarray,
    frames: np.ndarray,
    positions: np.ndarray,
    level: np.int64,
    moves: np.ndarray,
    ranks: np.ndarray,
    slot_units: np.ndarray,
    unit_squares: np.ndarray,
    slot_near: np.ndarray,
    slot_ends: np.ndarray,
    pass_slot: np.ndarray,
    weights: np.ndarray,
) -> None:
    """All moves of a node whose children are not searched any deeper, in one loop.

    Moves with points come first; for the rest the order hardly matters.
    """
    frame = frames[level]
    child = positions[level + 1]
    player = frame[PLAYER]
    count = frame[COUNT]
    tried = np.int64(0)
    for turn in range(2):
        for index in range(count):
            if (ranks[index] > 0) != (turn == 0):
                continue
            move = moves[index]
            tried += 1
            reward = make_move(
                control,
                positions,
                level,
                move,
                player,
                slot_units,
                unit_squares,
                slot_near,
                slot_ends,
            )
            following = 1 - player
            if control[RESTRICTED] and not can_move(control, child, following):
                following = player
            value = np.int64(0)
            certain = np.int64(1)
            if can_move(control, child, following):
                certain = np.int64(0)
                value = standing_value(
                    control, child, following, unit_squares, slot_near, pass_slot, weights
                )
            if following != player:
                value = -value
            value += reward * SCALE
            if value >= frame[BETA]:
                frame[RESOLVED] = certain
            else:
                frame[RESOLVED] &= certain
            if value > frame[BEST]:
                frame[BEST] = value
                frame[BEST_MOVE] = move
            if value >= frame[BETA]:
                break
        if frame[BEST] >= frame[BETA]:
            break
    control[NODES] += tried
    frame[NEXT] = count


@kernel(inline=True)
def make_move(
    control: np.ndarray,
    positions: np.ndarray,
    level: np.int64,
    move: np.int64,
    player: np.int64,
    slot_units: np.ndarray,
    unit_squares: np.ndarray,
    slot_near: np.ndarray,
    slot_ends: np.ndarray,
) -> np.int64:
    """Write the position after a move to the next level; its reward."""
    position, child = positions[level], positions[level + 1]
    for word in range(WORDS):
        child[word] = position[word]
    reward = np.int64(0)
    if move >= PASS_CODE:
        number = move - PASS_CODE
        child[PASSES + number // 64] &= ~(ONE << np.uint64(number % 64))
    else:
        reward = reward_at(position[SQUARES], move, slot_units, unit_squares)
        child[SQUARES] &= ~(ONE << np.uint64(move))
        child[PASSES] &= ~slot_ends[move, 0]
        child[MORE_PASSES] &= ~slot_ends[move, 1]
        if control[RESTRICTED]:
            child[FIRST_REACH + player] |= slot_near[move]
    return reward


@kernel
def run(
    control: np.ndarray,
    frames: np.ndarray,
    positions: np.ndarray,
    keys: np.ndarray,
    moves: np.ndarray,
    ranks: np.ndarray,
    root_values: np.ndarray,
    table: np.ndarray,
    slot_units: np.ndarray,
    unit_squares: np.ndarray,
    slot_near: np.ndarray,
    slot_ends: np.ndarray,
    pass_slot: np.ndarray,
    pass_twin: np.ndarray,
    weights: np.ndarray,
    budget: np.int64,
) -> np.int64:
    """Search on for about `budget` nodes; 1 when this depth is finished.

    `root_values` gets the value of each finished root move (an upper bound unless it is best).
    """
    stop_at = control[NODES] + budget
    while control[NODES] < stop_at:
        level = control[LEVEL]
        frame = frames[level]
        done = False
        if frame[COUNT] < 0:
            control[NODES] += 1
            done = enter(
                control,
                frames,
                positions,
                keys,
                level,
                moves,
                ranks,
                table,
                unit_squares,
                slot_near,
                pass_slot,
                pass_twin,
                weights,
            )
            if not done and frame[LEFT] == 1 and level > 0:
                finish_frontier(
                    control,
                    frames,
                    positions,
                    level,
                    moves[level],
                    ranks[level],
                    slot_units,
                    unit_squares,
                    slot_near,
                    slot_ends,
                    pass_slot,
                    weights,
                )
        if not done:
            cut = frame[BEST] >= frame[BETA]
            if cut or frame[NEXT] >= frame[COUNT]:
                bound = EXACT
                if cut:
                    bound = BOUND_LOWER
                elif frame[BEST] <= frame[FIRST_ALPHA]:
                    bound = BOUND_UPPER
                depth = RESOLVED_DEPTH if frame[RESOLVED] else frame[LEFT]
                store(table, keys[level], frame[BEST], depth, bound, frame[BEST_MOVE])
                done = True
        if done:
            if level == 0:
                control[ROOT_VALUE] = frame[BEST]
                control[ROOT_RESOLVED] = frame[RESOLVED]
                return np.int64(1)
            parent = frames[level - 1]
            value = frame[BEST] if frame[PLAYER] == parent[PLAYER] else -frame[BEST]
            value += parent[REWARD] * SCALE
            if level == 1:
                root_values[parent[NEXT] - 1] = value
            if value >= parent[BETA]:
                parent[RESOLVED] = frame[RESOLVED]
            else:
                parent[RESOLVED] &= frame[RESOLVED]
            if value > parent[BEST]:
                parent[BEST] = value
                parent[BEST_MOVE] = parent[MADE]
            if value > parent[ALPHA]:
                parent[ALPHA] = value
            control[LEVEL] = level - 1
            continue
        descend(
            control,
            frames,
            positions,
            level,
            moves[level],
            ranks[level],
            slot_units,
            unit_squares,
            slot_near,
            slot_ends,
        )
    return np.int64(0)


@kernel(inline=True)
def descend(
    control: np.ndarray,
    frames: np.ndarray,
    positions: np.ndarray,
    level: np.int64,
    moves: np.ndarray,
    ranks: np.ndarray,
    slot_units: np.ndarray,
    unit_squares: np.ndarray,
    slot_near: np.ndarray,
    slot_ends: np.ndarray,
) -> None:
    """Play the most promising of the remaining moves of a node."""
    frame = frames[level]
    start = frame[NEXT]
    best = start
    for index in range(start + 1, frame[COUNT]):
        if ranks[index] > ranks[best]:
            best = index
    move = moves[best]
    moves[best], ranks[best] = moves[start], ranks[start]
    moves[start] = move
    frame[NEXT] = start + 1
    frame[MADE] = move
    child = positions[level + 1]
    player = frame[PLAYER]
    reward = make_move(
        control, positions, level, move, player, slot_units, unit_squares, slot_near, slot_ends
    )
    frame[REWARD] = reward
    gain = reward * SCALE
    following = 1 - player
    if control[RESTRICTED] and not can_move(control, child, following):
        following = player
    if following == player:
        open_node(
            frames, level + 1, frame[LEFT] - 1, player, frame[ALPHA] - gain, frame[BETA] - gain
        )
    else:
        open_node(
            frames, level + 1, frame[LEFT] - 1, following, gain - frame[BETA], gain - frame[ALPHA]
        )
    control[LEVEL] = level + 1
