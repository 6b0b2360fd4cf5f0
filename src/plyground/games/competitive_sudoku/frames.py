"""The stack of the champion's searches: one frame a node, windows, the transposition table.

Negamax values are future points of the mover minus those of the opponent, times SCALE, whatever
the score is. The first move of a node is searched in its full window, later ones in a window of
width 1 and, where REDUCE is set, less deep; a move that turns out better than that is searched
again. A value is *resolved* if no estimate went into it.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels.bits import ONE, ZERO
from plyground.kernels.marker import kernel

SCALE = np.int64(100)
INFINITE = np.int64(30_000)
RESOLVED_DEPTH = np.int64(255)
BOUND_UPPER, BOUND_LOWER, EXACT = np.int64(1), np.int64(2), np.int64(3)

# The first places in `control`; each search has its own after them.
(
    LEVEL,
    MOVER,
    NODES,
    RESTRICTED,
    ROOT_VALUE,
    ROOT_RESOLVED,
    SEPARATE,
    REDUCE,
) = range(8)
COMMON = 8

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
    DOUBT,
) = range(13)
FRAME = 13

# How the move made was searched (DOUBT): fully, in a narrow window, or also less deep.
FULLY, NARROWLY, SHALLOWLY = range(3)
EARLY_MOVES = 4

HISTORY_SHIFT = np.int64(6)
HISTORY_MOST = np.int64(1) << np.int64(13)


@kernel(lean=True)
def open_node(
    frames: np.ndarray,
    level: np.int64,
    left: np.int64,
    player: np.int64,
    alpha: np.int64,
    beta: np.int64,
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
    frame[RESOLVED] = 1


@kernel(lean=True)
def open_child(
    frames: np.ndarray, level: np.int64, following: np.int64, left: np.int64, narrow: bool
) -> None:
    """A frame for the position after the move made at `level`, `following` to move.

    Its window is that of its parent, or the narrowest one above the parent's alpha.
    """
    frame = frames[level]
    gain = frame[REWARD] * SCALE
    low, high = frame[ALPHA] - gain, frame[BETA] - gain
    if narrow:
        high = low + 1
    if following == frame[PLAYER]:
        open_node(frames, level + 1, left, following, low, high)
    else:
        open_node(frames, level + 1, left, following, -high, -low)


@kernel(lean=True)
def choose_move(frame: np.ndarray, moves: np.ndarray, ranks: np.ndarray) -> np.int64:
    """Bring the most promising of the remaining moves of a node to the front and take it."""
    start = frame[NEXT]
    best = start
    for index in range(start + 1, frame[COUNT]):
        if ranks[index] > ranks[best]:
            best = np.int64(index)
    move = moves[best]
    moves[best], ranks[best] = moves[start], ranks[start]
    moves[start] = move
    frame[NEXT] = start + 1
    frame[MADE] = move
    return move


@kernel(lean=True)
def descend(control: np.ndarray, frames: np.ndarray, reward: np.int64, following: np.int64) -> None:
    """Go on with the position after the move that was just made and rewarded."""
    level = control[LEVEL]
    frame = frames[level]
    frame[REWARD] = reward
    frame[DOUBT] = FULLY
    left = frame[LEFT] - 1
    number = frame[NEXT] - 1
    if number > 0 and (level > 0 or control[SEPARATE] == 0):
        if frame[BETA] - frame[ALPHA] > 1:
            frame[DOUBT] = NARROWLY
        if control[REDUCE] and number >= EARLY_MOVES and left >= 2 and reward == 0:
            frame[DOUBT] = SHALLOWLY
            left -= 1 if number < 3 * EARLY_MOVES or left < 4 else 2
    open_child(frames, level, following, left, frame[DOUBT] != FULLY)
    control[LEVEL] = level + 1


@kernel(lean=True)
def hand_up(
    control: np.ndarray, frames: np.ndarray, level: np.int64, root_values: np.ndarray
) -> bool:
    """Take the value of a finished node into its parent; False if it has to be searched again.

    `root_values` gets the value of each finished root move (a bound unless it is best).
    """
    frame, parent = frames[level], frames[level - 1]
    value = frame[BEST] if frame[PLAYER] == parent[PLAYER] else -frame[BEST]
    value += parent[REWARD] * SCALE
    if parent[DOUBT] != FULLY and value > parent[ALPHA]:
        narrow = parent[DOUBT] == SHALLOWLY and parent[BETA] - parent[ALPHA] > 1
        if parent[DOUBT] == SHALLOWLY or value < parent[BETA]:
            parent[DOUBT] = NARROWLY if narrow else FULLY
            open_child(frames, level - 1, frame[PLAYER], parent[LEFT] - 1, narrow)
            return False
    if level == 1:
        root_values[parent[NEXT] - 1] = value
    if value >= parent[BETA]:
        parent[RESOLVED] = frame[RESOLVED]
    else:
        parent[RESOLVED] &= frame[RESOLVED]
    if value > parent[BEST]:
        parent[BEST] = value
        parent[BEST_MOVE] = parent[MADE]
    if value > parent[ALPHA] and (level > 1 or control[SEPARATE] == 0):
        parent[ALPHA] = value
    return True


@kernel(lean=True)
def finish(frame: np.ndarray, key: np.uint64, history: np.ndarray, table: np.ndarray) -> bool:
    """Whether a node needs no more moves; if so it is remembered."""
    cut = frame[BEST] >= frame[BETA]
    if not cut and frame[NEXT] < frame[COUNT]:
        return False
    bound = EXACT
    if cut:
        bound = BOUND_LOWER
        note_cut(history, frame[PLAYER], frame[BEST_MOVE], frame[LEFT])
    elif frame[BEST] <= frame[FIRST_ALPHA]:
        bound = BOUND_UPPER
    depth = RESOLVED_DEPTH if frame[RESOLVED] else frame[LEFT]
    store(table, key, frame[BEST], depth, bound, frame[BEST_MOVE])
    return True


@kernel(lean=True)
def note_cut(history: np.ndarray, player: np.int64, move: np.int64, depth: np.int64) -> None:
    """Remember that this move refuted a line; all memories fade when one grows too large."""
    history[player, move] += depth * depth
    if history[player, move] > HISTORY_MOST:
        for other in range(history.shape[1]):
            history[player, other] >>= 1


@kernel(lean=True)
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
    packed = (value + 32768) | (depth << 16) | (bound << 24) | ((move + 1) << 26)
    table[place, 1] = np.uint64(packed)


@kernel(lean=True)
def recall(frame: np.ndarray, level: np.int64, key: np.uint64, table: np.ndarray) -> np.int64:
    """What is remembered of a node: -1 if that settles it (in BEST), else its best move plus 1.

    0 if nothing is known. The root is never settled, so that it has a move.
    """
    place = (key & np.uint64(table.shape[0] - 1)) & ~ONE
    if table[place, 0] != key:
        place |= ONE
        if table[place, 0] != key:
            return np.int64(0)
    entry = np.int64(table[place, 1])
    value = (entry & 0xFFFF) - 32768
    depth = (entry >> 16) & 255
    bound = (entry >> 24) & 3
    usable = (
        bound == EXACT
        or (bound == BOUND_LOWER and value >= frame[BETA])
        or (bound == BOUND_UPPER and value <= frame[ALPHA])
    )
    if level > 0 and depth >= frame[LEFT] and usable:
        frame[BEST] = value
        frame[RESOLVED] = np.int64(depth == RESOLVED_DEPTH)
        return np.int64(-1)
    return entry >> 26
