"""Exact play over a known set of solutions: negamax with passes, in resumable slices.

All solutions of the root board are known, as one bitset for each empty square and value. A
placement leaves the solutions that agree with it; a value that fits but agrees with none is a
pass, unless it is taboo. So the pool of passes is right at every node without asking a solver.

Values are future points of the mover minus those of the opponent, times SCALE, whatever the score
is. Squares are numbered among the empty squares of the root (`slot`). A move is
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
    BOUND_LOWER,
    BOUND_UPPER,
    DEPTH,
    EMPTY,
    EXACT,
    LEVEL,
    MOVER,
    NODES,
    PASS_LIMIT,
    RESTRICTED,
    ROOT_RESOLVED,
    ROOT_VALUE,
    SCALE,
    TABLE_MISSES,
    is_open,
    make_pass,
    make_placement,
    undo_pass,
    undo_placement,
)
from plyground.kernels.bits import ONE
from plyground.kernels.marker import kernel

INFINITE = np.int64(30_000)
ROOT_KEY = np.uint64(0x9D39247E33776D41)
RESOLVED_DEPTH = np.int64(255)

# Places in a frame.
(
    COUNT,
    NEXT,
    ALPHA,
    BETA,
    BEST,
    BEST_MOVE,
    LEFT,
    PLAYER,
    RESOLVED,
    MADE,
    REWARD,
    FIRST_ALPHA,
    HINT,
) = range(13)
FRAME = 13


@kernel
def open_node(
    frames: np.ndarray,
    keys: np.ndarray,
    level: np.int64,
    left: np.int64,
    player: np.int64,
    alpha: np.int64,
    beta: np.int64,
    key: np.uint64,
) -> None:
    """A fresh frame; its moves are listed when it is first looked at."""
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
    keys[level] = key
    frame[RESOLVED] = 1
    frame[MADE] = 0
    frame[REWARD] = 0
    frame[HINT] = 0


@kernel
def begin(
    control: np.ndarray,
    frames: np.ndarray,
    keys: np.ndarray,
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
        if frame[MADE] & 1:
            undo_pass(frame[MADE], taboo)
        else:
            undo_placement(
                control,
                frame[MADE],
                frame[PLAYER],
                unit_of,
                around,
                filled,
                used,
                room,
                near,
            )
    control[DEPTH] = depth
    control[ROOT_RESOLVED] = 0
    open_node(frames, keys, np.int64(0), depth, control[MOVER], alpha, beta, ROOT_KEY)


@kernel
def store(
    table_keys: np.ndarray,
    table_data: np.ndarray,
    key: np.uint64,
    value: np.int64,
    depth: np.int64,
    bound: np.int64,
    move: np.int64,
) -> None:
    """Remember a node; a resolved one is not given up for one that is not."""
    index = key & np.uint64(table_keys.shape[0] - 1)
    taken = table_keys[index] != key and table_keys[index] != np.uint64(0)
    if taken and depth != RESOLVED_DEPTH and (table_data[index] >> 16) & 255 == RESOLVED_DEPTH:
        index ^= ONE
    table_keys[index] = key
    table_data[index] = (value + 32768) | (depth << 16) | (bound << 24) | (move << 26)


@kernel
def probe(table_keys: np.ndarray, table_data: np.ndarray, key: np.uint64) -> np.int64:
    """The packed entry of a node, or -1."""
    index = key & np.uint64(table_keys.shape[0] - 1)
    if table_keys[index] == key:
        return table_data[index]
    index ^= ONE
    if table_keys[index] == key:
        return table_data[index]
    return np.int64(-1)


@kernel
def enter(
    control: np.ndarray,
    frames: np.ndarray,
    keys: np.ndarray,
    level: np.int64,
    moves: np.ndarray,
    ranks: np.ndarray,
    alive: np.ndarray,
    options: np.ndarray,
    table_keys: np.ndarray,
    table_data: np.ndarray,
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
    entry = probe(table_keys, table_data, keys[level])
    hint = np.int64(0)
    if entry >= 0:
        value = (entry & 0xFFFF) - 32768
        depth = (entry >> 16) & 255
        bound = (entry >> 24) & 3
        hint = entry >> 26
        if level > 0 and depth >= frame[LEFT]:
            usable = (
                bound == EXACT
                or (bound == BOUND_LOWER and value >= frame[BETA])
                or (bound == BOUND_UPPER and value <= frame[ALPHA])
            )
            if usable:
                frame[BEST] = value
                frame[RESOLVED] = np.int64(depth == RESOLVED_DEPTH)
                return True
    else:
        control[TABLE_MISSES] += 1
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
    frame[HINT] = hint
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
        moves[level],
        ranks[level],
    )
    if count < 0:
        count = -count
        frame[RESOLVED] = 0
    frame[COUNT] = count
    return False


@kernel
def run(
    control: np.ndarray,
    frames: np.ndarray,
    keys: np.ndarray,
    moves: np.ndarray,
    ranks: np.ndarray,
    alive: np.ndarray,
    options: np.ndarray,
    root_values: np.ndarray,
    table_keys: np.ndarray,
    table_data: np.ndarray,
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
                keys,
                level,
                moves,
                ranks,
                alive,
                options,
                table_keys,
                table_data,
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
            cut = frame[BEST] >= frame[BETA]
            if cut or frame[NEXT] >= frame[COUNT]:
                bound = EXACT
                if cut:
                    bound = BOUND_LOWER
                elif frame[BEST] <= frame[FIRST_ALPHA]:
                    bound = BOUND_UPPER
                depth = RESOLVED_DEPTH if frame[RESOLVED] else frame[LEFT]
                store(
                    table_keys,
                    table_data,
                    keys[level],
                    frame[BEST],
                    depth,
                    bound,
                    frame[BEST_MOVE],
                )
                done = True
        if done:
            if level == 0:
                control[ROOT_VALUE] = frame[BEST]
                control[ROOT_RESOLVED] = frame[RESOLVED]
                return np.int64(1)
            parent = frames[level - 1]
            move = parent[MADE]
            player = parent[PLAYER]
            if move & 1:
                undo_pass(move, taboo)
            else:
                undo_placement(control, move, player, unit_of, around, filled, used, room, near)
            value = frame[BEST] if frame[PLAYER] == player else -frame[BEST]
            value += parent[REWARD] * SCALE
            if level == 1:
                root_values[parent[NEXT] - 1] = value
            if value >= parent[BETA]:
                parent[RESOLVED] = frame[RESOLVED]
            else:
                parent[RESOLVED] &= frame[RESOLVED]
            if value > parent[BEST]:
                parent[BEST] = value
                parent[BEST_MOVE] = move
            if value > parent[ALPHA]:
                parent[ALPHA] = value
            control[LEVEL] = level - 1
            continue
        pick_next(frame[NEXT], frame[COUNT], moves[level], ranks[level])
        move = moves[level, frame[NEXT]]
        frame[NEXT] += 1
        frame[MADE] = move
        player = frame[PLAYER]
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
            reward = make_placement(
                control, move, player, unit_of, around, filled, used, room, near
            )
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
        frame[REWARD] = reward
        following = 1 - player
        if control[RESTRICTED] and not is_open(control, following, filled, near):
            following = player
        if following != player:
            key ^= zobrist[2, filled.shape[0], 0]
            open_node(
                frames,
                keys,
                level + 1,
                frame[LEFT] - 1,
                following,
                -(frame[BETA] - reward * SCALE),
                -(frame[ALPHA] - reward * SCALE),
                key,
            )
        else:
            open_node(
                frames,
                keys,
                level + 1,
                frame[LEFT] - 1,
                following,
                frame[ALPHA] - reward * SCALE,
                frame[BETA] - reward * SCALE,
                key,
            )
        control[LEVEL] = level + 1
    return np.int64(0)


@kernel
def pick_next(start: np.int64, count: np.int64, moves: np.ndarray, ranks: np.ndarray) -> None:
    """Bring the most promising of the remaining moves to the place `start`."""
    best = start
    for index in range(start + 1, count):
        if ranks[index] > ranks[best]:
            best = np.int64(index)
    if best != start:
        moves[start], moves[best] = moves[best], moves[start]
        ranks[start], ranks[best] = ranks[best], ranks[start]
