"""The champion's search: alpha-beta for Connect 4 with mean moves, on an explicit stack.

`boards[ply]` holds the discs of the side to move and of its opponent. Values are seen by the side
to move at their ply; a win after n plies from the root is worth WIN - n. `run` goes on where it
stopped and returns after a number of nodes.
"""

from __future__ import annotations

import numpy as np

from plyground.games.connect4.players.champion_board import (
    BOTTOM,
    FULL_BOARD,
    MEAN,
    SIDE,
    STEP,
    WIDTH,
    can_win_now,
    evaluate,
    play_on,
    settle,
)
from plyground.games.connect4.rules import MEAN_CODE
from plyground.games.connect4.solvers.perfect_kernel import winning_squares
from plyground.kernels import kernel
from plyground.kernels.bits import ONE, ZERO, popcount
from plyground.kernels.random import split_mix
from plyground.kernels.rows import row
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

WIN = np.int64(1_000_000)
PROVEN = np.int64(900_000)
INFINITE = np.int64(2_000_000)
UNDECIDED = np.int64(3_000_000)
MAX_PLY = 62
MAX_MOVES = 160
PLIES_THAT_MATTER = 64
"""With more plies left than this no search reaches the limit, so the key may leave them out."""

# Columns of `frames`.
ALPHA, BETA, FIRST_ALPHA, BEST, BEST_MOVE, CURSOR, COUNT, DEPTH, MODE, DANGER, KEY = range(11)
FRAME_WORDS = 11
FULL, REDUCED, NARROW, WIDE, SKIPPED = range(5)
"""How a child is searched: as the first move, reduced, in a null window, again in full; or it is
the same board with the other player to move."""
SKIP_FROM = 2
"""The least depth at which skipping a move is tried."""

# Places in `control`.
PLY, NODES, ROOT_VALUE, PLIES_LEFT, EXACT_ROOT = range(5)
CONTROL_WORDS = 5

KEY_SALT = np.uint64(0xD1342543DE82EF95)


@kernel(lean=True)
def position_key(own: np.uint64, other: np.uint64, side: np.uint64, left: np.int64) -> np.uint64:
    """Discs and side to move; the plies left too, wherever the limit can matter."""
    extra = side
    if left < PLIES_THAT_MATTER:
        extra |= np.uint64(left) << ONE
    return split_mix(split_mix(own + extra * KEY_SALT) ^ other)


@kernel(lean=True)
def begin(depth: np.int64, frames: np.ndarray, control: np.ndarray) -> None:
    """Set up a search of `boards[0]`, an unfinished position, to a depth."""
    control[PLY] = 0
    frames[0, DEPTH] = depth
    frames[0, ALPHA] = -INFINITE
    frames[0, BETA] = INFINITE
    frames[0, COUNT] = -1
    frames[0, MODE] = FULL


@kernel(lean=True)
def list_moves(
    board: np.ndarray,
    own: np.uint64,
    other: np.uint64,
    side: np.uint64,
    ply: np.int64,
    table_move: np.int64,
    moves: np.ndarray,
    scores: np.ndarray,
    killers: np.ndarray,
    history: np.ndarray,
) -> np.int64:
    """All moves with their order; drops by the winning squares they make or take away."""
    step = board[STEP]
    bottom = board[BOTTOM]
    empty = board[FULL_BOARD] & ~(own | other)
    possible = ((own | other) + bottom) & board[FULL_BOARD]
    threatened = winning_squares(other, empty, step)
    width = np.int64(board[WIDTH])
    column = (ONE << (step - ONE)) - ONE
    count = np.int64(0)
    for c in range(width):
        move = possible & column
        column <<= step
        if move == ZERO:
            continue
        moves[count] = c
        score = 64 - 4 * abs(2 * c - width + 1)
        wins = winning_squares(own | move, empty ^ move, step)
        score += 24 * popcount(wins & ~(threatened << ONE))
        if threatened & move != ZERO:
            score += 4000
        if (move << ONE) & threatened != ZERO:
            score -= 400
        scores[count] = score + 300
        count += 1
    drops = count
    if board[MEAN] & (ONE << side) != ZERO:
        source = ONE
        for a in range(width):
            if other & source != ZERO:
                base = MEAN_CODE * (a + 1)
                for i in range(drops):
                    b = moves[i]
                    if b != a:
                        moves[count] = base + b
                        scores[count] = abs(2 * b - width + 1) - abs(2 * a - width + 1)
                        count += 1
            source <<= step
    for i in range(count):
        move_code = moves[i]
        if move_code == table_move:
            scores[i] += np.int64(1) << 40
        elif move_code == killers[ply, 0]:
            scores[i] += np.int64(1) << 34
        elif move_code == killers[ply, 1]:
            scores[i] += np.int64(1) << 33
        else:
            scores[i] += history[side, move_code]
    return count


@kernel
def open_node(
    board: np.ndarray,
    weights: np.ndarray,
    ply: np.int64,
    boards: np.ndarray,
    moves: np.ndarray,
    scores: np.ndarray,
    frames: np.ndarray,
    killers: np.ndarray,
    history: np.ndarray,
    table: np.ndarray,
    control: np.ndarray,
) -> np.int64:
    """Enter a node: its value if that is plain to see, else UNDECIDED with its moves listed."""
    frame = row(frames, ply)
    own, other = boards[ply, 0], boards[ply, 1]
    side = board[SIDE] ^ (np.uint64(ply) & ONE)
    left = control[PLIES_LEFT] - ply
    if can_win_now(board, own, other, side):
        if ply > 0:
            return WIN - (ply + 1)
    elif left <= 1 and ply > 0:
        return np.int64(0)
    danger = can_win_now(board, other, own, side ^ ONE)
    frame[DANGER] = 1 if danger else 0
    # Threats make a line longer, but never more than twice as long as the search is deep.
    if danger and ply < MAX_PLY - 2 and ply < 2 * frames[0, DEPTH]:
        frame[DEPTH] += 1
    if frame[DEPTH] > left:
        frame[DEPTH] = left
    if frame[DEPTH] <= 0 or ply >= MAX_PLY - 1:
        return evaluate(board, weights, own, other, side)
    # Nobody can do better than win with the next move but one, or worse than lose with the next.
    if ply > 0:
        if WIN - (ply + 3) <= frame[ALPHA]:
            return WIN - (ply + 3)
        if -(WIN - (ply + 2)) >= frame[BETA]:
            return -(WIN - (ply + 2))
    frame[FIRST_ALPHA] = frame[ALPHA]
    frame[BEST] = -INFINITE
    frame[BEST_MOVE] = -1
    frame[CURSOR] = 0
    key = position_key(own, other, side, left)
    frame[KEY] = np.int64(key)
    entry = probe(table, key)
    table_move = np.int64(-1)
    if entry != MISSING:
        table_move = entry_move(entry)
        value = entry_value(entry)
        if value > PROVEN:
            value -= ply
        elif value < -PROVEN:
            value += ply
        bound = entry_bound(entry)
        deep = entry_depth(entry) >= frame[DEPTH]
        certain_win, certain_loss = value > PROVEN, value < -PROVEN
        if ply > 0 and (
            ((deep or certain_win) and bound != UPPER and value >= frame[BETA])
            or ((deep or certain_loss) and bound != LOWER and value <= frame[ALPHA])
            or (bound == EXACT and (deep or certain_win or certain_loss))
        ):
            return value
    frame[COUNT] = list_moves(
        board,
        own,
        other,
        side,
        ply,
        table_move,
        row(moves, ply),
        row(scores, ply),
        killers,
        history,
    )
    return UNDECIDED


@kernel(lean=True)
def take_best(cursor: np.int64, count: np.int64, moves: np.ndarray, scores: np.ndarray) -> np.int64:
    """Bring the best of the moves that are left to the cursor."""
    best = np.int64(cursor)
    for i in range(cursor + 1, count):
        if scores[i] > scores[best]:
            best = np.int64(i)
    move, score = moves[best], scores[best]
    moves[best], scores[best] = moves[cursor], scores[cursor]
    moves[cursor], scores[cursor] = move, score
    return move


@kernel(lean=True)
def reduction(depth: np.int64, tried: np.int64, move: np.int64, danger: np.int64) -> np.int64:
    """By how many plies a late, quiet move is searched less deeply."""
    if depth < 3 or tried < 3 or danger != 0:
        return np.int64(0)
    less = np.int64(1)
    if move >= MEAN_CODE:
        less += 1
    if tried >= 12:
        less += 1
    if depth >= 8:
        less += 1
    return min(less, depth - 2)


@kernel(lean=True)
def reward(
    ply: np.int64,
    side: np.uint64,
    depth: np.int64,
    move: np.int64,
    killers: np.ndarray,
    history: np.ndarray,
) -> None:
    """A move cut a node off: try it earlier elsewhere."""
    if killers[ply, 0] != move:
        killers[ply, 1] = killers[ply, 0]
        killers[ply, 0] = move
    history[side, move] += depth * depth
    if history[side, move] > 1_000_000:
        for i in range(history.shape[1]):
            history[side, i] //= 2


@kernel
def skip_move(
    board: np.ndarray,
    weights: np.ndarray,
    ply: np.int64,
    boards: np.ndarray,
    frames: np.ndarray,
    control: np.ndarray,
) -> bool:
    """Whether to look first what happens if the mover passes; sets that search up.

    Who is better off even after a pass needs no full search. Passing is no move of this game, so
    the result only counts where nothing is proven by it, and where both players have mean moves:
    without them having to move can be a disadvantage.
    """
    frame = row(frames, ply)
    depth, beta = frame[DEPTH], frame[BETA]
    if ply == 0 or ply >= MAX_PLY - 4 or depth < SKIP_FROM or depth >= control[PLIES_LEFT] - ply:
        return False
    if frame[MODE] == SKIPPED or frame[DANGER] != 0 or board[MEAN] != np.uint64(3):
        return False
    if beta - frame[ALPHA] != 1 or abs(beta) >= PROVEN:
        return False
    own, other = boards[ply, 0], boards[ply, 1]
    if evaluate(board, weights, own, other, board[SIDE] ^ (np.uint64(ply) & ONE)) < beta:
        return False
    boards[ply + 1, 0], boards[ply + 1, 1] = other, own
    below = row(frames, ply + 1)
    below[COUNT] = -1
    below[ALPHA] = -beta
    below[BETA] = 1 - beta
    below[MODE] = SKIPPED
    below[DEPTH] = max(np.int64(0), depth - (4 if depth >= 6 else 3))
    return True


@kernel
def run(
    board: np.ndarray,
    weights: np.ndarray,
    budget: np.int64,
    boards: np.ndarray,
    moves: np.ndarray,
    scores: np.ndarray,
    frames: np.ndarray,
    line: np.ndarray,
    killers: np.ndarray,
    history: np.ndarray,
    table: np.ndarray,
    root_values: np.ndarray,
    control: np.ndarray,
) -> bool:
    """Search on for at most `budget` nodes; True when the search begun is complete.

    `root_values[i]` = code and value of the root moves in the order tried; `line[ply]` = length
    and moves of the best line from a ply.
    """
    nodes = np.int64(0)
    ply = control[PLY]
    while True:
        frame = row(frames, ply)
        value = UNDECIDED
        if frame[COUNT] < 0:
            if nodes >= budget:
                break
            nodes += 1
            line[ply, 0] = 0
            value = open_node(
                board, weights, ply, boards, moves, scores, frames, killers, history, table, control
            )
            if value == UNDECIDED and skip_move(board, weights, ply, boards, frames, control):
                ply += 1
                continue
        elif frame[CURSOR] >= frame[COUNT] or frame[ALPHA] >= frame[BETA]:
            value = frame[BEST]
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
            store(table, np.uint64(frame[KEY]), kept, frame[DEPTH], bound, frame[BEST_MOVE])
        if value == UNDECIDED:
            move = take_best(frame[CURSOR], frame[COUNT], row(moves, ply), row(scores, ply))
            tried = frame[CURSOR]
            frame[CURSOR] += 1
            side = board[SIDE] ^ (np.uint64(ply) & ONE)
            play_on(board, row(boards, ply), move, row(boards, ply + 1))
            below = row(frames, ply + 1)
            result = settle(board, row(boards, ply + 1), move, side)
            line[ply + 1, 0] = 0
            if result != 2:
                value = result * (WIN - (ply + 1))
                below[MODE] = WIDE
            else:
                alpha = frame[ALPHA]
                if ply == 0 and control[EXACT_ROOT] != 0:
                    alpha = frame[FIRST_ALPHA]
                below[COUNT] = -1
                below[BETA] = -alpha
                less = np.int64(0)
                if tried == 0 or (ply == 0 and control[EXACT_ROOT] != 0):
                    below[MODE] = FULL
                    below[ALPHA] = -frame[BETA]
                else:
                    below[ALPHA] = -alpha - 1
                    # A search that reaches the end of the game is exact, so nothing is left out.
                    if frame[DEPTH] < control[PLIES_LEFT] - ply:
                        less = reduction(frame[DEPTH], tried, move, frame[DANGER])
                    below[MODE] = REDUCED if less > 0 else NARROW
                below[DEPTH] = frame[DEPTH] - 1 - less
                ply += 1
                continue
        else:
            if ply == 0:
                control[PLY] = 0
                control[NODES] += nodes
                control[ROOT_VALUE] = value
                return True
            value = -value
            ply -= 1
            frame = row(frames, ply)
            below = row(frames, ply + 1)
            if below[MODE] == SKIPPED:
                if value >= frame[BETA]:
                    frame[BEST] = frame[BETA]
                    frame[CURSOR] = frame[COUNT]
                continue
            move = moves[ply, frame[CURSOR] - 1]
            if value > frame[ALPHA]:
                again = False
                if below[MODE] == REDUCED:
                    below[MODE] = NARROW
                    below[ALPHA] = -frame[ALPHA] - 1
                    again = True
                elif below[MODE] == NARROW and value < frame[BETA]:
                    below[MODE] = WIDE
                    below[ALPHA] = -frame[BETA]
                    again = True
                if again:
                    below[BETA] = -frame[ALPHA]
                    below[DEPTH] = frame[DEPTH] - 1
                    below[COUNT] = -1
                    ply += 1
                    continue
        # `value` is that of `move` at `ply`, seen by the side to move there.
        if ply == 0:
            place = frame[CURSOR] - 1
            root_values[place, 0] = move
            root_values[place, 1] = value
        if value > frame[BEST]:
            frame[BEST] = value
            frame[BEST_MOVE] = move
            if value > frame[ALPHA]:
                if ply > 0 or control[EXACT_ROOT] == 0:
                    frame[ALPHA] = value
                length = line[ply + 1, 0]
                line[ply, 0] = length + 1
                line[ply, 1] = move
                for i in range(length):
                    line[ply, i + 2] = line[ply + 1, i + 1]
                if value >= frame[BETA]:
                    side = board[SIDE] ^ (np.uint64(ply) & ONE)
                    reward(ply, side, frame[DEPTH], move, killers, history)
    control[PLY] = ply
    control[NODES] += nodes
    return False
