"""Depth-limited minimax of the documents' agents over moves that fit, in resumable slices.

Values are seen by the maximising player, in units of 1/SCALE point. Moves are tried in the order
of the list given at the root, as far as they still fit, at every node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.competitive_sudoku.players.board_kernel import (
    EMPTY,
    RESTRICTED,
    Board,
    may_use,
    next_player,
    place,
    reward_of,
    taken_values,
    unplace,
)
from plyground.games.competitive_sudoku.rewards import REWARDS
from plyground.kernels.bits import popcount, trailing_zeros
from plyground.kernels.marker import kernel
from plyground.kernels.words import ONE, TWO, ZERO

SCALE = np.int64(100_000)
INFINITE = np.int64(1) << np.int64(50)

UNIT_BITS, UNIT = np.uint64(8), np.uint64(255)
MOST_FOR_TWO = 256
MOST_SQUARES_FOR_TWO = 64
"""Moves and squares up to which the last two plies are searched in one go, within a slice."""

# Places in `control`.
(
    PLY,
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
) = range(11)
CONTROL_WORDS = 11

# Places in a frame.
CURSOR, MOVER, ALPHA, BETA, BEST, MADE, TRIED = range(7)
FRAME_WORDS = 7


class Moves(NamedTuple):
    """M moves in the order in which they are tried, the root's first, and their S squares."""

    cells: np.ndarray
    """(M,) int64: the square of each move."""
    bits: np.ndarray
    """(M,) uint64: its value as a mask."""
    places: np.ndarray
    """(M,) uint64: where its square stands in the next three arrays."""
    squares: np.ndarray
    """(S,) int64: the squares, in the order of their first moves."""
    values: np.ndarray
    """(S,) uint64: the values of all moves of a square, as a mask."""
    units: np.ndarray
    """(S,) uint64: row, column and block of a square, UNIT_BITS apart."""


class Search(NamedTuple):
    """A minimax search on a board of N x N squares."""

    control: np.ndarray
    """(CONTROL_WORDS,) int64: switches, and where the search stands."""
    frames: np.ndarray
    """(N*N + 2, FRAME_WORDS) int64: the nodes on the way, one a ply."""
    moves: Moves
    board: Board


@kernel(lean=True)
def begin(search: Search, player: np.int64, depth: np.int64) -> None:
    """Prepare a search of `depth` plies for the player to move."""
    control = search.control
    control[PLY] = 0
    control[DEPTH] = depth
    control[MAXIMISER] = player
    control[BEST_MOVE] = -1
    control[BEST_VALUE] = -INFINITE - 1
    root = search.frames[ZERO]
    root[ALPHA], root[BETA] = -INFINITE, INFINITE
    open_node(root, player, player, np.int64(-1))


@kernel(lean=True)
def open_node(frame: np.ndarray, mover: np.int64, maximiser: np.int64, made: np.int64) -> None:
    """A fresh node whose window is set already, after the move `made`."""
    frame[CURSOR] = 0
    frame[MOVER] = mover
    frame[BEST] = -INFINITE - 1 if mover == maximiser else INFINITE + 1
    frame[MADE] = made
    frame[TRIED] = 0


@kernel(lean=True)
def standing(control: np.ndarray, board: Board, mover: np.int64, placed: np.int64) -> np.int64:
    """The value where the search stops after `placed` more placements and `mover` is to move.

    The points of those placements are not in it.
    """
    maximiser = control[MAXIMISER]
    value = (board.scores[maximiser] - board.scores[1 - maximiser]) * SCALE
    if control[PREFER_EMPTY] and mover == maximiser:
        value += SCALE // 10 * (board.totals[EMPTY] - placed) // board.filled.shape[0]
    return value


@kernel(inline=True, lean=True)
def unseen_values(search: Search) -> np.uint64:
    """Where equal values are merged: those that are nowhere on the board."""
    if search.control[MERGE_VALUES] == 0:
        return ZERO
    used = search.board.used
    size = used.shape[0] // 3
    unseen = (ONE << np.uint64(size)) - ONE
    for unit in range(size):
        unseen &= ~used[unit]
    return unseen


@kernel(lean=True)
def run(search: Search, budget: np.int64) -> np.int64:
    """Search on for about `budget` nodes; 1 when this depth is finished.

    The best root move so far and its value are in `control`.
    """
    control, moves = search.control, search.moves
    depth = control[DEPTH]
    few = moves.cells.shape[0] <= MOST_FOR_TWO and moves.squares.shape[0] <= MOST_SQUARES_FOR_TWO
    in_one_go = few and not (search.board.totals[RESTRICTED] or control[DEAD_END_LOSES])
    stop_at = control[NODES] + budget
    while control[NODES] < stop_at:
        ply = control[PLY]
        frame = search.frames[np.uint64(ply)]
        unseen = unseen_values(search)
        if ply > 0 and unseen == ZERO and frame[CURSOR] == 0:
            if ply == depth - 1:
                finish_last_ply(search, frame)
            elif ply == depth - 2 and in_one_go:
                finish_two_plies(search, frame)
        if try_moves(search, frame, unseen):
            continue
        if frame[CURSOR] < move_count(search, ply) and not (
            control[PRUNE] and frame[ALPHA] >= frame[BETA]
        ):
            continue
        if ply == 0:
            return np.int64(1)
        leave_node(search, frame)
    return np.int64(0)


@kernel(inline=True, lean=True)
def move_count(search: Search, ply: np.int64) -> np.int64:
    """How many moves of the list a node tries."""
    return search.control[ROOT_MOVES] if ply == 0 else np.int64(search.moves.cells.shape[0])


@kernel(inline=True, lean=True)
def try_moves(search: Search, frame: np.ndarray, unseen: np.uint64) -> bool:
    """Try the next moves of a node; True if one led to a node of its own, which is now current."""
    control, board = search.control, search.board
    ply, mover, maximiser = control[PLY], frame[MOVER], control[MAXIMISER]
    last_ply = ply == control[DEPTH] - 1
    limit = move_count(search, ply)
    index = frame[CURSOR]
    while index < limit:
        square = np.uint64(search.moves.cells[np.uint64(index)])
        bit = search.moves.bits[np.uint64(index)]
        index += 1
        if board.filled[square]:
            continue
        if taken_values(board, square) & bit or not may_use(board, mover, square):
            continue
        # Values that are nowhere on the board are alike: the lowest stands for all.
        if unseen & bit and unseen & (bit - ONE):
            continue
        control[NODES] += 1
        frame[TRIED] += 1
        if last_ply:
            reward = reward_of(board, square) * SCALE
            value = standing(control, board, 1 - mover, np.int64(1))
            value += reward if mover == maximiser else -reward
            if settle(control, frame, mover == maximiser, index - 1, value):
                break
            continue
        frame[CURSOR] = index
        place(board, np.int64(square), bit, mover)
        child = search.frames[np.uint64(ply) + ONE]
        child[ALPHA], child[BETA] = frame[ALPHA], frame[BETA]
        open_node(child, next_player(board, mover), maximiser, index - 1)
        control[PLY] = ply + 1
        return True
    frame[CURSOR] = index
    return False


@kernel(inline=True, lean=True)
def leave_node(search: Search, frame: np.ndarray) -> None:
    """Take back the move that led to a finished node and hand its value to its parent."""
    control, moves, board = search.control, search.moves, search.board
    mover, made = frame[MOVER], frame[MADE]
    value = frame[BEST]
    dead_end = frame[TRIED] == 0 and control[DEAD_END_LOSES] != 0 and board.totals[EMPTY] > 0
    if frame[TRIED] == 0:
        value = standing(control, board, mover, np.int64(0))
    ply = control[PLY] - 1
    parent = search.frames[np.uint64(ply)]
    unplace(board, moves.cells[made], moves.bits[made], parent[MOVER])
    control[PLY] = ply
    # A dead end counts as lost for the player to move, unless there was no other way.
    if dead_end and fitting_moves(search, parent[MOVER]) > 1:
        value = -INFINITE if mover == control[MAXIMISER] else INFINITE
    if settle(control, parent, parent[MOVER] == control[MAXIMISER], made, value):
        parent[CURSOR] = move_count(search, ply)


@kernel(inline=True, lean=True)
def finish_last_ply(search: Search, frame: np.ndarray) -> None:
    """All moves of a node on the last ply, square by square: its values bring the same reward.

    Every value counts as a node, as if the moves were tried one by one.
    """
    control, moves, board = search.control, search.moves, search.board
    mover = frame[MOVER]
    maximising = mover == control[MAXIMISER]
    base = standing(control, board, 1 - mover, np.int64(1))
    sign = SCALE if maximising else -SCALE
    best, alpha, beta = frame[BEST], frame[ALPHA], frame[BETA]
    prune = control[PRUNE] != 0
    tried = np.int64(0)
    for index in range(moves.squares.shape[0]):
        cell = np.uint64(moves.squares[np.uint64(index)])
        if board.filled[cell]:
            continue
        free = moves.values[np.uint64(index)] & ~taken_values(board, cell)
        if free == ZERO or not may_use(board, mover, cell):
            continue
        value = base + sign * reward_of(board, cell)
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
    frame[CURSOR] = moves.cells.shape[0]
    frame[BEST] = best
    frame[ALPHA] = alpha
    frame[BETA] = beta
    frame[TRIED] += tried
    control[NODES] += tried


@kernel(lean=True)
def finish_two_plies(search: Search, frame: np.ndarray) -> None:
    """All moves of a node on the last ply but one, and all replies, with everything in registers.

    For boards without restricted squares. The nodes and the value are those of the general search.
    """
    control, moves, board = search.control, search.moves, search.board
    used, room = board.used, board.room
    mover = frame[MOVER]
    maximising = mover == control[MAXIMISER]
    # From here on values are seen by the mover.
    sign = np.int64(1) if maximising else np.int64(-1)
    low = frame[ALPHA] if maximising else -frame[BETA]
    high = frame[BETA] if maximising else -frame[ALPHA]
    best = frame[BEST] * sign
    prune = control[PRUNE] != 0
    unanswered = sign * standing(control, board, 1 - mover, np.int64(1))
    answered = sign * standing(control, board, mover, np.int64(2))
    free_squares = ZERO
    for index in range(moves.squares.shape[0]):
        if not board.filled[np.uint64(moves.squares[np.uint64(index)])]:
            free_squares |= ONE << np.uint64(index)
    nodes, tried = np.int64(0), np.int64(0)
    for index in range(moves.cells.shape[0]):
        place_of = moves.places[np.uint64(index)]
        if not free_squares >> place_of & ONE:
            continue
        bit = moves.bits[np.uint64(index)]
        units = moves.units[place_of]
        one, two, three = units & UNIT, units >> UNIT_BITS & UNIT, units >> TWO * UNIT_BITS
        if (used[one] | used[two] | used[three]) & bit:
            continue
        tried += 1
        used[one] |= bit
        used[two] |= bit
        used[three] |= bit
        room[one] -= 1
        room[two] -= 1
        room[three] -= 1
        complete = (
            np.uint64(room[one] == 0) + np.uint64(room[two] == 0) + np.uint64(room[three] == 0)
        )
        gained = SCALE * REWARDS[complete]
        # A reply that brings the value down to `low` ends the search of this move.
        enough = low - answered - gained if prune else -INFINITE - 1
        others = free_squares & ~(ONE << place_of)
        worst, replies = worst_reply(moves, used, room, others, enough)
        nodes += replies
        value = answered + gained + worst if replies else unanswered + gained
        used[one] &= ~bit
        used[two] &= ~bit
        used[three] &= ~bit
        room[one] += 1
        room[two] += 1
        room[three] += 1
        best = max(best, value)
        low = max(low, best)
        if prune and low >= high:
            break
    frame[CURSOR] = moves.cells.shape[0]
    frame[BEST] = best * sign
    if maximising:
        frame[ALPHA] = low
    else:
        frame[BETA] = -low
    frame[TRIED] += tried
    control[NODES] += nodes + tried


@kernel(inline=True, lean=True)
def worst_reply(
    moves: Moves, used: np.ndarray, room: np.ndarray, squares: np.uint64, enough: np.int64
) -> tuple[np.int64, np.int64]:
    """What the best reply on these squares costs (at most 0), and how many replies were looked at.

    Ends with a reply that costs so much that no more than `enough` is left.
    """
    worst, replies = INFINITE, np.int64(0)
    while squares:
        reply = np.uint64(trailing_zeros(squares))
        squares &= squares - ONE
        units = moves.units[reply]
        first, second, third = units & UNIT, units >> UNIT_BITS & UNIT, units >> TWO * UNIT_BITS
        free = moves.values[reply] & ~(used[first] | used[second] | used[third])
        if free == ZERO:
            continue
        complete = (
            np.uint64(room[first] == 1) + np.uint64(room[second] == 1) + np.uint64(room[third] == 1)
        )
        worst = min(worst, -SCALE * REWARDS[complete])
        if worst <= enough:
            replies += 1
            break
        replies += popcount(free)
    return worst, replies


@kernel(lean=True)
def fitting_moves(search: Search, mover: np.int64) -> np.int64:
    """How many moves of the list the mover could play."""
    moves, board = search.moves, search.board
    count = np.int64(0)
    for index in range(moves.cells.shape[0]):
        cell = np.uint64(moves.cells[index])
        if board.filled[cell] or not may_use(board, mover, cell):
            continue
        if taken_values(board, cell) & moves.bits[index] == ZERO:
            count += 1
    return count


@kernel(lean=True)
def settle(
    control: np.ndarray, frame: np.ndarray, maximising: bool, move: np.int64, value: np.int64
) -> bool:
    """Take the value of a move into its node, the current one; True if it needs no more moves."""
    if maximising:
        if value > frame[BEST]:
            frame[BEST] = value
            if control[PLY] == 0:
                control[BEST_MOVE] = move
                control[BEST_VALUE] = value
        frame[ALPHA] = max(frame[ALPHA], frame[BEST])
    else:
        frame[BEST] = min(frame[BEST], value)
        frame[BETA] = min(frame[BETA], frame[BEST])
    return control[PRUNE] != 0 and frame[ALPHA] >= frame[BETA]
