"""Exact play over a known set of solutions: negamax with passes, in resumable slices.

All solutions of the root board are known, as one bitset for each empty square and value. A
placement leaves the solutions that agree with it; a value that fits but agrees with none is a
pass, unless it is taboo. So the pool of passes is right at every node without asking a solver.

Squares are numbered among the empty squares of the root (`slot`). A move is
`slot * 64 + value * 2 + pass`.
"""

from __future__ import annotations

import numpy as np

from plyground.games.competitive_sudoku.duel_moves import (
    list_moves,
    narrow,
    standing_value,
)
from plyground.games.competitive_sudoku.duel_state import (
    EMPTY,
    PASS_LIMIT,
    is_open,
    make_pass,
    make_placement,
    undo_pass,
    undo_placement,
)
from plyground.games.competitive_sudoku.frames import (
    BEST,
    COUNT,
    LEFT,
    LEVEL,
    MADE,
    MOVER,
    NODES,
    PLAYER,
    RESOLVED,
    RESTRICTED,
    ROOT_RESOLVED,
    ROOT_VALUE,
    choose_move,
    descend,
    finish,
    hand_up,
    open_node,
    recall,
)
from plyground.kernels.marker import kernel

ROOT_KEY = np.uint64(0x9D39247E33776D41)


@kernel(lean=True)
def begin(
    control: np.ndarray,
    frames: np.ndarray,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    taboo: np.ndarray,
    depth: np.int64,
    alpha: np.int64,
    beta: np.int64,
) -> None:
    """Prepare a search of the root to this depth, within a window; undo an unfinished search."""
    while control[LEVEL] > 0:
        control[LEVEL] -= 1
        frame = frames[control[LEVEL]]
        take_back(
            control,
            frame[MADE],
            frame[PLAYER],
            unit_of,
            around,
            filled,
            used,
            room,
            near,
            taboo,
        )
    control[ROOT_RESOLVED] = 0
    open_node(frames, np.int64(0), depth, control[MOVER], alpha, beta)


@kernel(lean=True)
def take_back(
    control: np.ndarray,
    move: np.int64,
    player: np.int64,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    taboo: np.ndarray,
) -> None:
    """Undo a placement or pass on the board."""
    if move & 1:
        undo_pass(move, taboo)
    else:
        undo_placement(control, move, player, unit_of, around, filled, used, room, near)


@kernel(lean=True)
def step(
    control: np.ndarray,
    level: np.int64,
    move: np.int64,
    player: np.int64,
    keys: np.ndarray,
    alive: np.ndarray,
    options: np.ndarray,
    solution_bits: np.ndarray,
    zobrist: np.ndarray,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    taboo: np.ndarray,
) -> tuple[np.int64, np.int64]:
    """Play a move and write its key and solutions to the next level; its reward, who follows."""
    key = keys[level]
    slot = move // 64
    value_index = (move % 64) // 2 - 1
    reward = np.int64(0)
    if move & 1:
        make_pass(move, taboo)
        key ^= zobrist[1, slot, value_index]
        for word in range(alive.shape[1]):
            alive[level + 1, word] = alive[level, word]
        for index in range(options.shape[1]):
            options[level + 1, index] = options[level, index]
    else:
        reward = make_placement(control, move, player, unit_of, around, filled, used, room, near)
        key ^= zobrist[0, slot, value_index]
        if control[RESTRICTED]:
            key ^= zobrist[2, slot, player]
        narrow(
            slot,
            value_index,
            solution_bits,
            filled,
            alive[level],
            options[level],
            alive[level + 1],
            options[level + 1],
        )
    following = 1 - player
    if control[RESTRICTED] and not is_open(control, following, filled, near):
        following = player
    if following != player:
        key ^= zobrist[2, filled.shape[0], 0]
    keys[level + 1] = key
    return reward, following


@kernel(lean=True)
def enter(
    control: np.ndarray,
    frames: np.ndarray,
    keys: np.ndarray,
    level: np.int64,
    moves: np.ndarray,
    ranks: np.ndarray,
    alive: np.ndarray,
    options: np.ndarray,
    history: np.ndarray,
    table: np.ndarray,
    solution_bits: np.ndarray,
    places: np.ndarray,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    taboo: np.ndarray,
    distance: np.ndarray,
    weights: np.ndarray,
) -> bool:
    """First look at a node: True if its value is known at once (in BEST), else its moves wait."""
    frame = frames[level]
    player = frame[PLAYER]
    if control[EMPTY] == 0 or not is_open(control, player, filled, near):
        frame[BEST] = 0
        return True
    hint = recall(frame, level, keys[level], table)
    if hint < 0:
        return True
    if frame[LEFT] <= 0 or level >= frames.shape[0] - 2:
        frame[BEST] = standing_value(
            control,
            player,
            options[level],
            unit_of,
            around,
            filled,
            used,
            room,
            near,
            taboo,
            distance,
            weights,
        )
        frame[RESOLVED] = 0
        return True
    limit = control[PASS_LIMIT] if level > 0 else np.int64(1) << np.int64(30)
    count = list_moves(
        control,
        player,
        hint,
        limit,
        alive[level],
        options[level],
        solution_bits,
        places,
        unit_of,
        filled,
        used,
        room,
        near,
        taboo,
        history,
        moves[level],
        ranks[level],
    )
    if count < 0:
        count = -count
        frame[RESOLVED] = 0
    frame[COUNT] = count
    return False


@kernel(lean=True)
def run(
    control: np.ndarray,
    frames: np.ndarray,
    keys: np.ndarray,
    moves: np.ndarray,
    ranks: np.ndarray,
    alive: np.ndarray,
    options: np.ndarray,
    root_values: np.ndarray,
    history: np.ndarray,
    table: np.ndarray,
    solution_bits: np.ndarray,
    places: np.ndarray,
    zobrist: np.ndarray,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    taboo: np.ndarray,
    distance: np.ndarray,
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
                keys,
                level,
                moves,
                ranks,
                alive,
                options,
                history,
                table,
                solution_bits,
                places,
                unit_of,
                around,
                filled,
                used,
                room,
                near,
                taboo,
                distance,
                weights,
            )
        if not done:
            done = finish(frame, keys[level], history, table)
        if done:
            if level == 0:
                control[ROOT_VALUE] = frame[BEST]
                control[ROOT_RESOLVED] = frame[RESOLVED]
                return np.int64(1)
            if not hand_up(control, frames, level, root_values):
                continue
            parent = frames[level - 1]
            take_back(
                control,
                parent[MADE],
                parent[PLAYER],
                unit_of,
                around,
                filled,
                used,
                room,
                near,
                taboo,
            )
            control[LEVEL] = level - 1
            continue
        reward, following = step(
            control,
            level,
            choose_move(frame, moves[level], ranks[level]),
            frame[PLAYER],
            keys,
            alive,
            options,
            solution_bits,
            zobrist,
            unit_of,
            around,
            filled,
            used,
            room,
            near,
            taboo,
        )
        descend(control, frames, reward, following)
    return np.int64(0)
