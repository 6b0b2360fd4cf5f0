"""Exact play once the solution is known: alpha-beta over a few words, in resumable slices."""

from __future__ import annotations

import numpy as np

from plyground.games.competitive_sudoku.frames import (
    BEST,
    BEST_MOVE,
    BETA,
    COUNT,
    LEFT,
    LEVEL,
    MOVER,
    NEXT,
    NODES,
    PLAYER,
    RESOLVED,
    RESTRICTED,
    ROOT_RESOLVED,
    ROOT_VALUE,
    SCALE,
    choose_move,
    descend,
    finish,
    hand_up,
    open_node,
    recall,
)
from plyground.games.competitive_sudoku.lone_state import (
    EXACT_POOL,
    FIRST_REACH,
    MORE_PASSES,
    PASS_CODE,
    PASSES,
    SQUARES,
    WORDS,
    can_move,
    list_moves,
    reward_at,
    standing_value,
)
from plyground.kernels.bits import ONE
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix


@kernel(lean=True)
def begin(
    control: np.ndarray, frames: np.ndarray, depth: np.int64, alpha: np.int64, beta: np.int64
) -> None:
    """Prepare a search of `positions[0]` to this depth, within a window."""
    control[LEVEL] = 0
    control[ROOT_RESOLVED] = 0
    open_node(frames, np.int64(0), depth, control[MOVER], alpha, beta)


@kernel(lean=True)
def key_of(control: np.ndarray, position: np.ndarray, player: np.int64) -> np.uint64:
    """A hash of all that the rest of the game depends on."""
    key = split_mix(position[SQUARES])
    key = split_mix(key ^ position[PASSES]) + position[MORE_PASSES] * np.uint64(0x9E3779B97F4A7C15)
    if control[RESTRICTED]:
        squares = position[SQUARES]
        key = split_mix(key ^ (position[FIRST_REACH + player] & squares))
        key = split_mix(key + (position[FIRST_REACH + 1 - player] & squares))
    return key


@kernel(inline=True, lean=True)
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
    history: np.ndarray,
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
    hint = recall(frame, level, key, table)
    if hint < 0:
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
        history,
        moves[level],
        ranks[level],
    )
    return False


@kernel(lean=True)
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
            reward, following = step(
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


@kernel(inline=True, lean=True)
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


@kernel(inline=True, lean=True)
def step(
    control: np.ndarray,
    positions: np.ndarray,
    level: np.int64,
    move: np.int64,
    player: np.int64,
    slot_units: np.ndarray,
    unit_squares: np.ndarray,
    slot_near: np.ndarray,
    slot_ends: np.ndarray,
) -> tuple[np.int64, np.int64]:
    """Write the position after a move to the next level; its reward, and who follows."""
    reward = make_move(
        control, positions, level, move, player, slot_units, unit_squares, slot_near, slot_ends
    )
    following = 1 - player
    if control[RESTRICTED] and not can_move(control, positions[level + 1], following):
        following = player
    return reward, following


@kernel(lean=True)
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
    history: np.ndarray,
    weights: np.ndarray,
    budget: np.int64,
) -> np.int64:
    """Search on for about `budget` nodes; 1 when this depth is finished."""
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
                history,
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
            done = finish(frame, keys[level], history, table)
        if done:
            if level == 0:
                control[ROOT_VALUE] = frame[BEST]
                control[ROOT_RESOLVED] = frame[RESOLVED]
                return np.int64(1)
            if hand_up(control, frames, level, root_values):
                control[LEVEL] = level - 1
            continue
        reward, following = step(
            control,
            positions,
            level,
            choose_move(frame, moves[level], ranks[level]),
            frame[PLAYER],
            slot_units,
            unit_squares,
            slot_near,
            slot_ends,
        )
        descend(control, frames, reward, following)
    return np.int64(0)
