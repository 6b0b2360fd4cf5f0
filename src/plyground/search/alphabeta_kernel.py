"""Alpha-beta as a resumable loop over an explicit stack.

The stack has a row per ply: `states` (positions), `moves` and `promises` (the moves with their
order), `frames` (the numbers below), `line` (principal variation). Values are seen by the player
to move at their ply. `run` goes on where it stopped and returns after a number of nodes; a node is
one `play`.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.search.contract.evaluation import evaluate
from plyground.search.contract.game import key, legal_moves, mover, outcome, play
from plyground.search.contract.ordering import promise
from plyground.search.transposition import (
    EXACT,
    LOWER,
    MISSING,
    UPPER,
    entry_bound,
    entry_depth,
    entry_move,
    entry_value,
    probe,
    store,
)

ONGOING = np.int64(-(2**62))
WIN = np.int64(1_000_000)
"""Value of a win now; a win after n plies is worth WIN - n."""
PROVEN = np.int64(900_000)
"""Values beyond this are proven wins, below its negative proven losses."""
INFINITE = np.int64(2_000_000)
POINT = np.int64(1000)
"""A point of margin in games that count points."""

# Columns of `frames`.
ALPHA, BETA, FIRST_ALPHA, BEST, BEST_MOVE, CURSOR, COUNT, DEPTH, LINE_LENGTH, FLIP, KEY = range(11)
FRAME_WORDS = 11

# Places in `control`.
PLY, NODES, ROOT_VALUE, EXACT_ROOT, POINTS, USE_TABLE, USE_ORDER = range(7)
CONTROL_WORDS = 7
STRICT_ORDER = 2
"""In `USE_ORDER`: the game's own order alone, without table moves, killers and history."""

TABLE_MOVE_PROMISE = np.int64(1) << 40
KILLER_PROMISE = np.int64(1) << 38
HISTORY_LIMIT = np.int64(1) << 30


@kernel
def end_value(points: np.int64, result: np.int64, player: np.int64, ply: np.int64) -> np.int64:
    """The value of a finished game for a player; wins count less the later they come."""
    if player == 1:
        result = -result
    if points != 0:
        return result * POINT
    if result > 0:
        return WIN - ply
    if result < 0:
        return ply - WIN
    return np.int64(0)


@kernel(lean=True)
def begin(
    params: np.ndarray,
    depth: np.int64,
    window: np.ndarray,
    states: np.ndarray,
    frames: np.ndarray,
    control: np.ndarray,
) -> None:
    """Set up a search of `states[0]` (an ongoing position) to a depth within a window."""
    control[PLY] = 0
    frames[0, DEPTH] = depth
    frames[0, ALPHA] = window[0]
    frames[0, BETA] = window[1]
    frames[0, COUNT] = -1
    frames[0, FLIP] = 0


@kernel
def _open(
    params: np.ndarray,
    ply: np.int64,
    states: np.ndarray,
    moves: np.ndarray,
    promises: np.ndarray,
    frames: np.ndarray,
    killers: np.ndarray,
    history: np.ndarray,
    table: np.ndarray,
    control: np.ndarray,
) -> bool:
    """Enter a node: look it up, list its moves. True if the table already settles it (BEST)."""
    frame = row(frames, ply)
    state = row(states, ply)
    depth = frame[DEPTH]
    frame[FIRST_ALPHA] = frame[ALPHA]
    frame[BEST] = -INFINITE
    frame[BEST_MOVE] = -1
    frame[CURSOR] = 0
    frame[LINE_LENGTH] = 0
    table_move = np.int64(-1)
    if control[USE_TABLE] != 0:
        hashed = key(params, state)
        frame[KEY] = np.int64(hashed)
        entry = probe(table, hashed)
        if entry != MISSING:
            table_move = entry_move(entry)
            value = entry_value(entry)
            # Distances are stored from the node, and counted from the root.
            if value > PROVEN:
                value -= ply
            elif value < -PROVEN:
                value += ply
            bound = entry_bound(entry)
            deep = entry_depth(entry) >= depth
            settled = False
            if (deep or value > PROVEN) and bound != UPPER and value >= frame[BETA]:
                settled = True
            if (deep or value < -PROVEN) and bound != LOWER and value <= frame[ALPHA]:
                settled = True
            if bound == EXACT and (deep or value > PROVEN or value < -PROVEN):
                settled = True
            if settled and ply > 0:
                frame[BEST] = value
                frame[BEST_MOVE] = table_move
                return True
    count = legal_moves(params, state, row(moves, ply))
    frame[COUNT] = count
    if control[USE_ORDER] == STRICT_ORDER:
        for index in range(count):
            promises[ply, index] = promise(params, state, moves[ply, index])
    elif control[USE_ORDER] != 0 and depth > 1:
        player = mover(params, state)
        size = np.int64(history.shape[1])
        for index in range(count):
            move = moves[ply, index]
            if move == table_move:
                score = TABLE_MOVE_PROMISE
            elif move == killers[ply, 0]:
                score = KILLER_PROMISE + 1
            elif move == killers[ply, 1]:
                score = KILLER_PROMISE
            else:
                score = history[player, move % size] * 1024 + promise(params, state, move)
            promises[ply, index] = score
    return False


@kernel(lean=True)
def _next_move(
    frame: np.ndarray, moves: np.ndarray, promises: np.ndarray, use_order: np.int64
) -> np.int64:
    """Take the most promising move that is left; ties keep the generator's order."""
    cursor = frame[CURSOR]
    frame[CURSOR] = cursor + 1
    if use_order == STRICT_ORDER or (use_order != 0 and frame[DEPTH] > 1):
        best = cursor
        for index in range(cursor + 1, frame[COUNT]):
            if promises[index] > promises[best]:
                best = index
        if best != cursor:
            move = moves[best]
            score = promises[best]
            # Shift instead of swap: the order of the rest stays stable.
            for index in range(best, cursor, -1):
                moves[index] = moves[index - 1]
                promises[index] = promises[index - 1]
            moves[cursor] = move
            promises[cursor] = score
    return moves[cursor]


@kernel
def run(
    params: np.ndarray,
    budget: np.int64,
    states: np.ndarray,
    moves: np.ndarray,
    promises: np.ndarray,
    frames: np.ndarray,
    line: np.ndarray,
    killers: np.ndarray,
    history: np.ndarray,
    table: np.ndarray,
    root_values: np.ndarray,
    control: np.ndarray,
) -> bool:
    """Search on for at most `budget` nodes; True when the search begun is complete.

    `root_values` (max moves, 2) gets the code and value of each root move, in the order tried.
    """
    points = control[POINTS]
    use_order = control[USE_ORDER]
    end = control[NODES] + budget
    nodes = control[NODES]
    ply = control[PLY]
    while True:
        frame = row(frames, ply)
        finished = False
        if frame[COUNT] < 0:
            finished = _open(
                params, ply, states, moves, promises, frames, killers, history, table, control
            )
            if finished:
                frame[COUNT] = 0
        elif frame[CURSOR] >= frame[COUNT] or frame[ALPHA] >= frame[BETA]:
            finished = True
            if control[USE_TABLE] != 0:
                best = frame[BEST]
                bound = EXACT
                if best >= frame[BETA]:
                    bound = LOWER
                elif best <= frame[FIRST_ALPHA]:
                    bound = UPPER
                if best > PROVEN:
                    best += ply
                elif best < -PROVEN:
                    best -= ply
                store(table, np.uint64(frame[KEY]), best, frame[DEPTH], bound, frame[BEST_MOVE])
        if finished:
            if ply == 0:
                control[PLY] = 0
                control[NODES] = nodes
                control[ROOT_VALUE] = frame[BEST]
                return True
            value = -frame[BEST] if frame[FLIP] != 0 else frame[BEST]
            ply -= 1
            parent = row(frames, ply)
            move = moves[ply, parent[CURSOR] - 1]
        else:
            if nodes >= end:
                control[PLY] = ply
                control[NODES] = nodes
                return False
            move = _next_move(frame, row(moves, ply), row(promises, ply), use_order)
            child = row(states, ply + 1)
            state = row(states, ply)
            play(params, state, move, child)
            nodes += 1
            player = mover(params, state)
            result = outcome(params, child)
            parent = frame
            below = row(frames, ply + 1)
            below[LINE_LENGTH] = 0
            if result != ONGOING:
                value = end_value(points, result, player, ply + 1)
            else:
                flip = np.int64(1) if mover(params, child) != player else np.int64(0)
                if frame[DEPTH] <= 1:
                    value = evaluate(params, child)
                    if flip != 0:
                        value = -value
                else:
                    below[DEPTH] = frame[DEPTH] - 1
                    alpha = frame[ALPHA]
                    if ply == 0 and control[EXACT_ROOT] != 0:
                        alpha = frame[FIRST_ALPHA]
                    if flip != 0:
                        below[ALPHA] = -frame[BETA]
                        below[BETA] = -alpha
                    else:
                        below[ALPHA] = alpha
                        below[BETA] = frame[BETA]
                    below[FLIP] = flip
                    below[COUNT] = -1
                    ply += 1
                    continue
        # Here `value` is that of `move` at `ply`, seen by the player to move there.
        if ply == 0:
            place = parent[CURSOR] - 1
            root_values[place, 0] = move
            root_values[place, 1] = value
        if value > parent[BEST]:
            parent[BEST] = value
            parent[BEST_MOVE] = move
            if value > parent[ALPHA]:
                if not (ply == 0 and control[EXACT_ROOT] != 0):
                    parent[ALPHA] = value
                below_length = frames[ply + 1, LINE_LENGTH]
                line[ply, 0] = move
                for index in range(below_length):
                    line[ply, index + 1] = line[ply + 1, index]
                parent[LINE_LENGTH] = below_length + 1
                if value >= parent[BETA]:
                    parent[ALPHA] = value
                    if use_order != 0:
                        _reward(params, ply, move, states, parent, killers, history)


@kernel
def _reward(
    params: np.ndarray,
    ply: np.int64,
    move: np.int64,
    states: np.ndarray,
    frame: np.ndarray,
    killers: np.ndarray,
    history: np.ndarray,
) -> None:
    """A move cut the node off: try it earlier in other nodes."""
    if killers[ply, 0] != move:
        killers[ply, 1] = killers[ply, 0]
        killers[ply, 0] = move
    player = mover(params, row(states, ply))
    slot = move % np.int64(history.shape[1])
    history[player, slot] += np.int64(1) << min(frame[DEPTH], np.int64(20))
    if history[player, slot] > HISTORY_LIMIT // 1024:
        for index in range(history.shape[1]):
            history[player, index] //= 2
