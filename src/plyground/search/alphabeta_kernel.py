"""Alpha-beta as a resumable loop over an explicit stack, for every game.

What a game is made of and how it wants to be searched are hooks (`contract.positions`,
`contract.selection`); one that a game does not give costs nothing. Values are seen by the player to
move at their ply. `run` goes on where it stopped and returns after a number of nodes; a node is a
position that was entered, or valued in its parent's place.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.search.contract.positions import (
    LEAVES_IN_PLACE,
    LEAVES_IN_TABLE,
    PROMISING_FIRST,
    evaluate,
    key,
    known_value,
    list_moves,
    mover,
    play,
    settle,
    undo,
)
from plyground.search.contract.selection import (
    COUNT_ROOT,
    HISTORY_MOST,
    KILLERS,
    NARROW_WINDOWS,
    TRACK_CERTAINTY,
    cut_gain,
    depth_after_skip,
    extended_depth,
    history_promise,
    reduction,
    skip,
    value_bounds,
)
from plyground.search.transposition import (
    CERTAIN_DEPTH,
    EXACT,
    LOWER,
    MISSING,
    UPPER,
    entry_bound,
    entry_depth,
    entry_move,
    entry_value,
    pack,
    probe,
    store,
)
from plyground.search.values import INFINITE, PROVEN, UNKNOWN, WIN

# Columns of `frames`.
(
    COUNT,
    CURSOR,
    SORTED,
    ALPHA,
    BETA,
    FIRST_ALPHA,
    BEST,
    BEST_MOVE,
    DEPTH,
    PLAYER,
    MODE,
    REWARD,
    CERTAIN,
    LINE_LENGTH,
    KEY,
) = range(15)
FRAME_WORDS = 15
"""COUNT is -1 until the node is entered. CURSOR counts the moves tried. SORTED: whether the next
move is the most promising one, or the next in the list. REWARD belongs to the move being tried."""

# Modes: how a node is searched.
WIDE, NARROW, REDUCED, SKIPPED = range(4)
"""In its parent's window, in one of width 1, in such a one and less deep, or without a move."""

# Places in `control`.
PLY, NODES, ROOT_VALUE, ROOT_CERTAIN, EXACT_ROOT, USE_TABLE, ORDER = range(7)
CONTROL_WORDS = 7
UNORDERED, LEARNT_ORDER, GIVEN_ORDER = range(3)
"""ORDER: as listed; by promise, table move, killers and history; or by promise alone."""

TABLE_MOVE_PROMISE = np.int64(1) << 60
KILLER_PROMISE = np.int64(1) << 58


class Work(NamedTuple):
    """What a search works on."""

    frames: np.ndarray
    """(plies, FRAME_WORDS): a node a ply."""
    moves: np.ndarray
    """(plies, most moves): the moves of each node, those tried first."""
    promises: np.ndarray
    """(plies, most moves): how early to try each; larger is earlier."""
    line: np.ndarray
    """(plies, plies + 1): the best line from each ply."""
    killers: np.ndarray
    """(plies, 2): moves that cut nodes of this ply off, the latest first; -1 for none."""
    history: np.ndarray
    """(2, a power of two): how often either player's moves cut nodes off."""
    table: np.ndarray
    """See `transposition`."""
    root_values: np.ndarray
    """(most moves): the values of the root's moves, in the order tried."""
    control: np.ndarray
    """(CONTROL_WORDS)."""


@kernel(lean=True)
def begin(positions: Any, work: Work, depth: np.int64, alpha: np.int64, beta: np.int64) -> None:
    """Set up a search of the root to a depth, within a window; drops an unfinished search."""
    control = work.control
    while control[PLY] > 0:
        ply = control[PLY] - 1
        undo(positions, ply, work.moves[ply, work.frames[ply, CURSOR] - 1])
        control[PLY] = ply
    frame = row(work.frames, np.int64(0))
    frame[COUNT] = -1
    frame[CURSOR] = 0
    frame[ALPHA] = alpha
    frame[BETA] = beta
    frame[BEST] = -INFINITE
    frame[DEPTH] = depth
    frame[PLAYER] = mover(positions, np.int64(0))
    frame[MODE] = WIDE
    control[ROOT_CERTAIN] = 0


@kernel(lean=True)
def run(positions: Any, work: Work, budget: np.int64) -> bool:
    """Search on for at most `budget` nodes; True when the search begun is complete."""
    control = work.control
    frames = work.frames
    nodes = control[NODES]
    end = nodes + budget
    ply = control[PLY]
    while True:
        frame = row(frames, ply)
        value = UNKNOWN
        if frame[COUNT] < 0:
            if nodes >= end:
                break
            nodes += 1 if COUNT_ROOT or ply > 0 else 0
            value = enter(positions, work, ply)
            if value == UNKNOWN and try_skip(positions, frame, row(frames, ply + 1), ply):
                ply += 1
                continue
        elif frame[CURSOR] >= frame[COUNT] or frame[BEST] >= frame[BETA]:
            value = leave(work, ply)
        if value != UNKNOWN:
            if ply == 0:
                control[PLY] = 0
                control[NODES] = nodes
                control[ROOT_VALUE] = value
                control[ROOT_CERTAIN] = frame[CERTAIN]
                return True
            below = frame
            ply -= 1
            frame = row(frames, ply)
            if below[PLAYER] != frame[PLAYER]:
                value = -value
            if below[MODE] == SKIPPED:
                if value >= frame[BETA]:
                    frame[BEST] = frame[BETA]
                    frame[CURSOR] = frame[COUNT]
                continue
            value += frame[REWARD]
            if NARROW_WINDOWS and again(frame, below, value):
                ply += 1
                continue
            move = work.moves[ply, frame[CURSOR] - 1]
            undo(positions, ply, move)
            certain = below[CERTAIN]
            follow = below[LINE_LENGTH]
        else:
            in_place = is_last(ply, frame[DEPTH])
            if in_place and nodes >= end:
                break
            move = next_move(frame, row(work.moves, ply), row(work.promises, ply))
            reward = play(positions, ply, move)
            value = settle(positions, ply + 1, move, frame[PLAYER])
            certain = np.int64(1)
            follow = np.int64(0)
            if value == UNKNOWN:
                if not in_place:
                    frame[REWARD] = reward
                    descend(positions, frame, row(frames, ply + 1), ply, move, control[EXACT_ROOT])
                    ply += 1
                    continue
                nodes += 1
                value, certain = value_leaf(positions, ply + 1, frame[PLAYER])
            value += reward
            undo(positions, ply, move)
        if TRACK_CERTAINTY:
            frame[CERTAIN] = certain if value >= frame[BETA] else frame[CERTAIN] & certain
        take_value(work, ply, move, value, follow)
    control[PLY] = ply
    control[NODES] = nodes
    return False


@kernel(inline=True, lean=True)
def value_leaf(positions: Any, ply: np.int64, player: np.int64) -> tuple[np.int64, np.int64]:
    """The value of a position for a player without a search, and 1 if it is certain."""
    value = known_value(positions, ply, player)
    if value != UNKNOWN:
        return value, np.int64(1)
    value = evaluate(positions, ply)
    return (value if mover(positions, ply) == player else -value), np.int64(0)


@kernel(inline=True, lean=True)
def take_value(
    work: Work, ply: np.int64, move: np.int64, value: np.int64, follow: np.int64
) -> None:
    """Take the value of a move into its node; `follow` moves of its line are known."""
    frame = row(work.frames, ply)
    if ply == 0:
        work.root_values[frame[CURSOR] - 1] = value
    if value <= frame[BEST]:
        return
    frame[BEST] = value
    frame[BEST_MOVE] = move
    if value <= frame[ALPHA]:
        return
    if ply > 0 or work.control[EXACT_ROOT] == 0:
        frame[ALPHA] = value
    if value < frame[BETA]:
        frame[LINE_LENGTH] = follow + 1
        work.line[ply, 0] = move
        for index in range(follow):
            work.line[ply, index + 1] = work.line[ply + 1, index]
    elif work.control[ORDER] != UNORDERED:
        remember_cut(work, ply, move)


@kernel(inline=True, lean=True)
def enter(positions: Any, work: Work, ply: np.int64) -> np.int64:
    """First look at a node: its value if that is plain, else UNKNOWN with its moves listed."""
    frame = row(work.frames, ply)
    frame[LINE_LENGTH] = 0
    frame[CERTAIN] = 1
    value = known_value(positions, ply, frame[PLAYER])
    if value != UNKNOWN:
        return value
    depth = extended_depth(positions, ply, frame[DEPTH], work.frames[0, DEPTH])
    frame[DEPTH] = depth
    is_leaf = depth <= 0 or ply >= np.int64(work.frames.shape[0]) - 2
    if is_leaf and not LEAVES_IN_TABLE:
        frame[CERTAIN] = 0
        return evaluate(positions, ply)
    if ply > 0:
        low, high = value_bounds(positions, ply)
        if high <= frame[ALPHA]:
            return high
        if low >= frame[BETA]:
            return low
    frame[FIRST_ALPHA] = frame[ALPHA]
    frame[BEST] = -INFINITE
    frame[BEST_MOVE] = -1
    frame[CURSOR] = 0
    table_move = np.int64(-1)
    if work.control[USE_TABLE] != 0:
        hashed = key(positions, ply)
        frame[KEY] = np.int64(hashed)
        entry = probe(work.table, hashed)
        if entry != MISSING:
            table_move = entry_move(entry)
            value = settled_by(frame, ply, entry)
            if value != UNKNOWN:
                return value
    if is_leaf:
        frame[CERTAIN] = 0
        return evaluate(positions, ply)
    order = work.control[ORDER]
    last = is_last(ply, depth)
    is_sorted = order == GIVEN_ORDER or (order == LEARNT_ORDER and not last)
    moves, promises = row(work.moves, ply), row(work.promises, ply)
    count = list_moves(positions, ply, is_sorted, moves, promises)
    if count < 0:
        count = -count
        frame[CERTAIN] = 0
    frame[COUNT] = count
    frame[SORTED] = np.int64(is_sorted)
    if order == LEARNT_ORDER and (PROMISING_FIRST or not last):
        add_learnt(work, ply, table_move)
        if last:
            promising_first(count, moves, promises, row(work.moves, ply + 1))
    return UNKNOWN


@kernel(lean=True)
def is_last(ply: np.int64, depth: np.int64) -> bool:
    """Whether the children of a node are valued in place.

    Moves of the root are worth the best order, if later ones are searched in narrow windows.
    """
    return bool(LEAVES_IN_PLACE and depth <= 1 and (ply > 0 or not NARROW_WINDOWS))


@kernel(lean=True)
def settled_by(frame: np.ndarray, ply: np.int64, entry: np.uint64) -> np.int64:
    """The value of a node if a table entry settles it, else UNKNOWN. The root always gets moves."""
    if ply == 0:
        return UNKNOWN
    value = entry_value(entry)
    # A proven end within the depth that was searched is the soonest one; a later one that another
    # entry told of is a bound, as a deeper search may find a sooner one.
    far = WIN - abs(value)
    # Distances are stored from the node, and counted from the root.
    if value > PROVEN:
        value -= ply
    elif value < -PROVEN:
        value += ply
    bound = entry_bound(entry)
    depth = entry_depth(entry)
    deep = depth >= frame[DEPTH]
    if (
        ((deep or value > PROVEN) and bound != UPPER and value >= frame[BETA])
        or ((deep or value < -PROVEN) and bound != LOWER and value <= frame[ALPHA])
        or (bound == EXACT and (deep or far <= depth))
    ):
        frame[CERTAIN] = np.int64(depth == CERTAIN_DEPTH)
        return value
    return UNKNOWN


@kernel(inline=True, lean=True)
def leave(work: Work, ply: np.int64) -> np.int64:
    """The value of a node that needs no more moves; it is remembered in the table."""
    frame = row(work.frames, ply)
    value = frame[BEST]
    if work.control[USE_TABLE] != 0:
        bound = EXACT
        if value >= frame[BETA]:
            bound = LOWER
        elif value <= frame[FIRST_ALPHA]:
            bound = UPPER
        kept = value
        if kept > PROVEN:
            kept += ply
        elif kept < -PROVEN:
            kept -= ply
        depth = CERTAIN_DEPTH if TRACK_CERTAINTY and frame[CERTAIN] != 0 else frame[DEPTH]
        entry = pack(kept, depth, bound, frame[BEST_MOVE])
        store(work.table, np.uint64(frame[KEY]), entry)
    return value


@kernel(inline=True, lean=True)
def add_learnt(work: Work, ply: np.int64, table_move: np.int64) -> None:
    """Add to the promises of a node's moves what other nodes have taught."""
    frame = row(work.frames, ply)
    moves, promises = row(work.moves, ply), row(work.promises, ply)
    history = row(work.history, frame[PLAYER])
    last = np.int64(history.shape[0]) - 1
    killer, older_killer = work.killers[ply, 0], work.killers[ply, 1]
    for index in range(frame[COUNT]):
        move = moves[index]
        if move == table_move:
            promises[index] = TABLE_MOVE_PROMISE
        elif KILLERS and move == killer:
            promises[index] = KILLER_PROMISE + 1
        elif KILLERS and move == older_killer:
            promises[index] = KILLER_PROMISE
        else:
            promises[index] += history_promise(history[move & last])


@kernel(lean=True)
def promising_first(
    count: np.int64, moves: np.ndarray, promises: np.ndarray, scratch: np.ndarray
) -> None:
    """Bring the moves with a promise above 0 to the front; both parts keep their order."""
    front = np.int64(0)
    rest = np.int64(0)
    for index in range(count):
        move = moves[index]
        if promises[index] > 0:
            moves[front] = move
            front += 1
        else:
            scratch[rest] = move
            rest += 1
    for index in range(rest):
        moves[front + index] = scratch[index]


@kernel(lean=True)
def next_move(frame: np.ndarray, moves: np.ndarray, promises: np.ndarray) -> np.int64:
    """Take the next move of a node, bringing the most promising one that is left to the cursor."""
    cursor = frame[CURSOR]
    frame[CURSOR] = cursor + 1
    if frame[SORTED] != 0:
        best = cursor
        for index in range(cursor + 1, frame[COUNT]):
            if promises[index] > promises[best]:
                best = np.int64(index)
        moves[best], moves[cursor] = moves[cursor], moves[best]
        promises[best], promises[cursor] = promises[cursor], promises[best]
    return moves[cursor]


@kernel(inline=True, lean=True)
def descend(
    positions: Any,
    frame: np.ndarray,
    below: np.ndarray,
    ply: np.int64,
    move: np.int64,
    exact_root: np.int64,
) -> None:
    """Prepare the node after a move that was just played."""
    below[PLAYER] = mover(positions, ply + 1)
    mode = WIDE
    less = np.int64(0)
    tried = frame[CURSOR] - 1
    if NARROW_WINDOWS and tried > 0 and (ply > 0 or exact_root == 0):
        less = reduction(positions, ply, frame[DEPTH], tried, move, frame[REWARD])
        mode = REDUCED if less > 0 else NARROW
    open_child(frame, below, frame[DEPTH] - 1 - less, mode)


@kernel(lean=True)
def open_child(frame: np.ndarray, below: np.ndarray, depth: np.int64, mode: int) -> None:
    """A node that waits to be entered, with the window of its parent or the lowest part of it."""
    low = frame[ALPHA] - frame[REWARD]
    high = low + 1 if mode != WIDE else frame[BETA] - frame[REWARD]
    if below[PLAYER] == frame[PLAYER]:
        below[ALPHA], below[BETA] = low, high
    else:
        below[ALPHA], below[BETA] = -high, -low
    below[DEPTH] = depth
    below[MODE] = mode
    below[COUNT] = -1


@kernel(lean=True)
def again(frame: np.ndarray, below: np.ndarray, value: np.int64) -> bool:
    """Whether a move that was doubted is better than expected; then its node is opened again."""
    if value <= frame[ALPHA]:
        return False
    if below[MODE] == REDUCED:
        open_child(frame, below, frame[DEPTH] - 1, NARROW)
        return True
    if below[MODE] == NARROW and value < frame[BETA]:
        open_child(frame, below, frame[DEPTH] - 1, WIDE)
        return True
    return False


@kernel(lean=True)
def try_skip(positions: Any, frame: np.ndarray, below: np.ndarray, ply: np.int64) -> bool:
    """Whether to look first what happens without a move; prepares that node."""
    if frame[MODE] == SKIPPED:
        return False
    beta = frame[BETA]
    depth = depth_after_skip(positions, ply, frame[DEPTH], frame[ALPHA], beta)
    if depth < 0:
        return False
    skip(positions, ply)
    below[PLAYER] = mover(positions, ply + 1)
    below[ALPHA] = -beta
    below[BETA] = 1 - beta
    below[DEPTH] = depth
    below[MODE] = SKIPPED
    below[COUNT] = -1
    return True


@kernel(inline=True, lean=True)
def remember_cut(work: Work, ply: np.int64, move: np.int64) -> None:
    """A move cut a node off: try it earlier in other nodes."""
    frame = row(work.frames, ply)
    if KILLERS and work.killers[ply, 0] != move:
        work.killers[ply, 1] = work.killers[ply, 0]
        work.killers[ply, 0] = move
    history = row(work.history, frame[PLAYER])
    place = move & (np.int64(history.shape[0]) - 1)
    history[place] += cut_gain(frame[DEPTH])
    if history[place] > HISTORY_MOST:
        for index in range(history.shape[0]):
            history[index] >>= 1
