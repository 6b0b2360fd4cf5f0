"""Exact search of plain Connect 4: one null-window question at a time, on an explicit stack.

A position is the discs of the side to move and the discs of both. A score counts from the side to
move: with `cells` squares on the board, a win by one's own last-but-n-th disc scores n+1, a loss
the negative of the opponent's, a draw 0. So a quicker win scores more.

`prove` asks one question, "does the root score more than alpha?", and answers with a bound. It
stops after a budget of nodes and goes on from its stack at the next call.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.bits import popcount
from plyground.kernels.words import MIX, ONE, THREE, TWO, ZERO

# Rows of the geometry array.
BOTTOM, BOARD, STEP, FOLLOW_UP, CELLS, WIDTH, KEY_SHIFT, INDEX_BITS = range(8)
GEOMETRY_SIZE = 8

# Rows of the control array.
STATE, PLY, ROOT_ALPHA, ROOT_COUNT, RESULT, NODES = range(6)
CONTROL_SIZE = 6
OPENED, DESCENDING, RETURNING, DONE = range(4)
LOOK_AHEAD = 10
"""With more free squares than this the table is asked for all children before any is searched."""

MAX_PLY = 66
MAX_MOVES = 16
EARLY = 12
"""Discs on the board from which on mirror images are not looked for any more."""

VALUE_BITS = np.uint64(7)
VALUE_MASK = np.uint64(127)
ORDER = np.uint64(3)


@kernel(lean=True)
def winning_squares(discs: np.uint64, empty: np.uint64, step: np.uint64) -> np.uint64:
    """Empty squares, reachable now or not, where one more disc of this player makes four."""
    squares = (discs << ONE) & (discs << TWO) & (discs << THREE)
    for k in range(3):
        d = step + np.uint64(k) - ONE
        right = discs << d
        left = discs >> d
        pair = right & (discs << (d + d))
        squares |= pair & (discs << (d + d + d))
        squares |= pair & left
        pair = left & (discs >> (d + d))
        squares |= pair & (discs >> (d + d + d))
        squares |= pair & right
    return squares & empty


@kernel(lean=True)
def has_four(discs: np.uint64, step: np.uint64) -> bool:
    """Whether these discs contain four in a line."""
    pair = discs & (discs >> ONE)
    found = pair & (pair >> TWO)
    for k in range(3):
        d = step + np.uint64(k) - ONE
        pair = discs & (discs >> d)
        found |= pair & (pair >> (d + d))
    return found != ZERO


@kernel(lean=True)
def safe_moves(
    mask: np.uint64, opponent_wins: np.uint64, bottom: np.uint64, board: np.uint64
) -> np.uint64:
    """Moves after which the opponent cannot win at once; none if every move loses."""
    possible = (mask + bottom) & board
    forced = possible & opponent_wins
    if forced != ZERO:
        if forced & (forced - ONE) != ZERO:
            return ZERO
        possible = forced
    return possible & ~(opponent_wins >> ONE)


@kernel(lean=True)
def mirrored(key: np.uint64, step: np.uint64, width: np.int64) -> np.uint64:
    """A key or a set of discs with the columns in reverse order."""
    column = (ONE << step) - ONE
    result = ZERO
    for _ in range(width):
        result = (result << step) | (key & column)
        key >>= step
    return result


@kernel(lean=True)
def hashed(geometry: np.ndarray, own: np.uint64, mask: np.uint64, early: bool) -> np.uint64:
    """A reversible mix of the position: equal only for equal positions.

    Early in the game, where both sides of the board still look alike, also for mirror images.
    """
    key = own + mask + geometry[BOTTOM]
    if early:
        key = min(key, mirrored(key, geometry[STEP], np.int64(geometry[WIDTH])))
    return (key << geometry[KEY_SHIFT]) * MIX


@kernel(lean=True)
def prove(
    geometry: np.ndarray,
    budget: np.int64,
    control: np.ndarray,
    words: np.ndarray,
    moves: np.ndarray,
    threats: np.ndarray,
    bounds: np.ndarray,
    table: np.ndarray,
) -> bool:
    """Advance the search by about `budget` nodes; True once the answer is in `control[RESULT]`.

    `words[ply]` = discs of the mover, all discs, winning squares of the opponent, safe moves, and
    the hashed position.
    `bounds[ply]` = best score so far, next move, number of moves, then the order of the moves.
    `threats[ply, i]` = winning squares of the mover after move i, and the opponent's safe replies.
    """
    bottom = geometry[BOTTOM]
    board = geometry[BOARD]
    step = geometry[STEP]
    follow_up = geometry[FOLLOW_UP]
    top = board & ~(board >> ONE)
    cells = np.int64(geometry[CELLS])
    width = np.int64(geometry[WIDTH])
    key_shift = geometry[KEY_SHIFT]
    index_bits = geometry[INDEX_BITS]
    tag_shift = np.uint64(64) - index_bits
    tag_mask = (ONE << (tag_shift - key_shift)) - ONE
    root_alpha = control[ROOT_ALPHA]
    root_count = control[ROOT_COUNT]
    ply = np.uint64(control[PLY])
    state = control[STATE]
    value = control[RESULT]
    nodes = np.int64(0)
    while True:
        if state == OPENED:
            if nodes >= budget:
                break
            nodes += 1
            own = words[ply, 0]
            mask = words[ply, 1]
            alpha = root_alpha if ply & ONE == ZERO else -root_alpha - 1
            count = root_count + np.int64(ply)
            state = RETURNING
            # The mover cannot win at once, and its safe moves are not empty.
            value = (cells - 1 - count) >> 1
            if value <= alpha:
                continue
            value = -((cells - 2 - count) >> 1)
            if value > alpha:
                continue
            if count >= cells - 2:
                value = 0
                continue
            key = hashed(geometry, own, mask, count < EARLY)
            slot = key >> tag_shift
            tag = (key >> key_shift) & tag_mask
            entry = np.uint64(table[slot])
            best = -cells
            if entry >> VALUE_BITS == tag and entry & VALUE_MASK != ZERO:
                stored = np.int64(entry & VALUE_MASK) - 64
                # even = lower bound, odd = upper bound
                value = stored >> 1
                if stored & 1 == 0:
                    if value > alpha:
                        continue
                elif value <= alpha:
                    continue
            empty = board & ~mask
            opponent_wins = words[ply, 2]
            safe = words[ply, 3]
            if (
                alpha >= -1
                and follow_up != ZERO
                and (mask + bottom) & follow_up == ZERO
                and not has_four(own | (empty & ~follow_up), step)
            ):
                # Every column has an even number of free squares: the opponent can answer each
                # move in the same column, and so gets all squares of the upper kind.
                value = 0
                if alpha >= 0:
                    continue
                if has_four((own ^ mask) | (empty & follow_up), step):
                    value = -1
                    continue
            number = np.uint64(0)
            won = False
            for column in range(width):
                move = safe & geometry[GEOMETRY_SIZE + column]
                if move == ZERO:
                    continue
                wins = winning_squares(own | move, empty ^ move, step)
                next_mask = mask | move
                replies = safe_moves(next_mask, wins, bottom, board)
                if replies == ZERO:
                    won = True
                    break
                # Winning squares above one of the opponent's are no use; a move below a winning
                # square of either side gives it up.
                score = 4 * popcount(wins & ~(opponent_wins << ONE))
                if (move << ONE) & (opponent_wins | wins) != ZERO:
                    score -= 2
                if move & top != ZERO:
                    score += 1
                place = number
                number += ONE
                while place > ZERO and bounds[ply, ORDER + place - ONE] < score:
                    bounds[ply, ORDER + place] = bounds[ply, ORDER + place - ONE]
                    moves[ply, place] = moves[ply, place - ONE]
                    threats[ply, place, 0] = threats[ply, place - ONE, 0]
                    threats[ply, place, 1] = threats[ply, place - ONE, 1]
                    place -= ONE
                bounds[ply, ORDER + place] = score
                moves[ply, place] = move
                threats[ply, place, 0] = wins
                threats[ply, place, 1] = replies
            if won:
                value = (cells - 1 - count) >> 1
                continue
            if count < cells - LOOK_AHEAD:
                for i in range(number):
                    after = mask | moves[ply, np.uint64(i)]
                    child = hashed(geometry, own ^ mask, after, count + 1 < EARLY)
                    entry = np.uint64(table[child >> tag_shift])
                    stored = np.int64(entry & VALUE_MASK) - 64
                    if (
                        stored & 1 == 1
                        and -(stored >> 1) > alpha
                        and entry >> VALUE_BITS == (child >> key_shift) & tag_mask
                    ):
                        value = -(stored >> 1)
                        won = True
                        break
                if won:
                    table[slot] = (tag << VALUE_BITS) | np.uint64(2 * value + 64)
                    continue
            bounds[ply, 0] = best
            bounds[ply, 1] = 0
            bounds[ply, 2] = np.int64(number)
            words[ply, 4] = key
            state = DESCENDING
        if state == DESCENDING:
            place = np.uint64(bounds[ply, 1])
            if place >= np.uint64(bounds[ply, 2]):
                value = bounds[ply, 0]
                key = words[ply, 4]
                bound = np.uint64(2 * value + 1 + 64)
                table[key >> tag_shift] = (((key >> key_shift) & tag_mask) << VALUE_BITS) | bound
                state = RETURNING
            else:
                bounds[ply, 1] = np.int64(place + ONE)
                move = moves[ply, place]
                wins = threats[ply, place, 0]
                replies = threats[ply, place, 1]
                own = words[ply, 0]
                mask = words[ply, 1]
                ply += ONE
                words[ply, 0] = own ^ mask
                words[ply, 1] = mask | move
                words[ply, 2] = wins
                words[ply, 3] = replies
                state = OPENED
                continue
        # RETURNING: `value` is the score of the position at `ply` for its own mover
        if ply == ZERO:
            state = DONE
            break
        ply -= ONE
        alpha = root_alpha if ply & ONE == ZERO else -root_alpha - 1
        value = -value
        if value > alpha:
            key = words[ply, 4]
            bound = np.uint64(2 * value + 64)
            table[key >> tag_shift] = (((key >> key_shift) & tag_mask) << VALUE_BITS) | bound
        else:
            if value > bounds[ply, 0]:
                bounds[ply, 0] = value
            state = DESCENDING
    control[PLY] = np.int64(ply)
    control[STATE] = state
    control[RESULT] = value
    control[NODES] += nodes
    return state == DONE
