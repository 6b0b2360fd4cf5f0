"""How the champion searches Connect 4 with mean moves: hooks of `search.alphabeta_kernel`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.connect4.players.champion_board import (
    BOTTOM,
    FULL_BOARD,
    MEAN,
    PLIES_LEFT,
    SIDE,
    STEP,
    WIDTH,
    can_win_now,
    play_on,
    result_of,
    worth,
)
from plyground.games.connect4.rules import KEY_SALT, MEAN_CODE, PLIES_THAT_MATTER
from plyground.games.connect4.solvers.perfect_kernel import winning_squares
from plyground.kernels import kernel
from plyground.kernels.bits import popcount
from plyground.kernels.random import split_mix
from plyground.kernels.rows import row
from plyground.kernels.words import ONE, ZERO
from plyground.search.values import PROVEN, UNKNOWN, WIN

NARROW_WINDOWS = True
KILLERS = True
LEAVES_IN_PLACE = False
LEAVES_IN_TABLE = False
PROMISING_FIRST = False
TRACK_CERTAINTY = False
COUNT_ROOT = True
HISTORY_MOST = np.int64(1_000_000)

MAX_PLY = np.int64(61)
MAX_MOVES = 160
SKIP_FROM = 2
"""The least depth at which skipping a move is tried."""
BLOCKS_A_WIN = np.int64(4000)
LETS_WIN_ABOVE = np.int64(400)


class ChampionPositions(NamedTuple):
    """The positions of a search, and what their worth depends on."""

    board: np.ndarray
    """(BOARD_WORDS): geometry and rights, see `champion_board`."""
    weights: np.ndarray
    """(WEIGHT_WORDS): of the evaluation."""
    discs: np.ndarray
    """(plies, 2): the discs of the side to move, and of its opponent."""
    dangers: np.ndarray
    """(plies): 1 where the opponent would win at once, were it to move."""


@kernel(lean=True)
def mover(positions: ChampionPositions, ply: np.int64) -> np.int64:
    """The player to move: they take turns."""
    return np.int64(positions.board[SIDE] ^ (np.uint64(ply) & ONE))


@kernel(lean=True)
def plies_left(positions: ChampionPositions, ply: np.int64) -> np.int64:
    """Plies until the game ends as a draw."""
    return np.int64(positions.board[PLIES_LEFT]) - ply


@kernel(lean=True)
def known_value(positions: ChampionPositions, ply: np.int64, player: np.int64) -> np.int64:
    """A win with the next move, or a draw by the ply limit. The root is always searched."""
    if ply == 0:
        return UNKNOWN
    discs = row(positions.discs, ply)
    if can_win_now(positions.board, discs[0], discs[1], np.uint64(player)):
        return WIN - (ply + 1)
    return np.int64(0) if plies_left(positions, ply) <= 1 else UNKNOWN


@kernel(lean=True)
def evaluate(positions: ChampionPositions, ply: np.int64) -> np.int64:
    """The worth of a quiet position for its mover."""
    discs = row(positions.discs, ply)
    return worth(positions.board, positions.weights, discs[0], discs[1])


@kernel(lean=True)
def key(positions: ChampionPositions, ply: np.int64) -> np.uint64:
    """Discs and side to move; the plies left too, wherever the limit can matter."""
    extra = np.uint64(mover(positions, ply))
    left = plies_left(positions, ply)
    if left < np.int64(PLIES_THAT_MATTER):
        extra |= np.uint64(left) << ONE
    discs = row(positions.discs, ply)
    return split_mix(split_mix(discs[0] + extra * KEY_SALT) ^ discs[1])


@kernel(lean=True)
def list_moves(
    positions: ChampionPositions,
    ply: np.int64,
    ordered: bool,
    moves: np.ndarray,
    promises: np.ndarray,
) -> np.int64:
    """Drops by the winning squares they make or take away, then mean moves."""
    board = positions.board
    own, other = positions.discs[ply, 0], positions.discs[ply, 1]
    step = board[STEP]
    empty = board[FULL_BOARD] & ~(own | other)
    possible = ((own | other) + board[BOTTOM]) & board[FULL_BOARD]
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
        promise = 64 - 4 * abs(2 * c - width + 1)
        wins = winning_squares(own | move, empty ^ move, step)
        promise += 24 * popcount(wins & ~(threatened << ONE))
        if threatened & move != ZERO:
            promise += BLOCKS_A_WIN
        if (move << ONE) & threatened != ZERO:
            promise -= LETS_WIN_ABOVE
        promises[count] = promise + 300
        count += 1
    drops = count
    if board[MEAN] & (ONE << np.uint64(mover(positions, ply))) != ZERO:
        source = ONE
        for a in range(width):
            if other & source != ZERO:
                base = MEAN_CODE * (a + 1)
                for index in range(drops):
                    b = moves[index]
                    if b != a:
                        moves[count] = base + b
                        promises[count] = abs(2 * b - width + 1) - abs(2 * a - width + 1)
                        count += 1
            source <<= step
    return count


@kernel(lean=True)
def play(positions: ChampionPositions, ply: np.int64, move: np.int64) -> np.int64:
    """Write the discs after a move."""
    play_on(positions.board, row(positions.discs, ply), move, row(positions.discs, ply + 1))
    return np.int64(0)


@kernel(lean=True)
def settle(
    positions: ChampionPositions, ply: np.int64, move: np.int64, player: np.int64
) -> np.int64:
    """The value of a move that made four, for somebody, or filled the board."""
    result = result_of(positions.board, row(positions.discs, ply), move, np.uint64(player))
    return UNKNOWN if result == 2 else result * (WIN - ply)


@kernel(lean=True)
def undo(positions: ChampionPositions, ply: np.int64, move: np.int64) -> None:
    """Nothing: every ply keeps its discs."""


@kernel(lean=True)
def cut_gain(depth: np.int64) -> np.int64:
    """Deep cuts count more."""
    return depth * depth


@kernel(lean=True)
def history_promise(history: np.int64) -> np.int64:
    """History in the unit of promises."""
    return history


@kernel(lean=True)
def extended_depth(
    positions: ChampionPositions, ply: np.int64, depth: np.int64, root_depth: np.int64
) -> np.int64:
    """A ply more under a threat, but no line more than twice as long as the search is deep."""
    discs = row(positions.discs, ply)
    other_side = np.uint64(mover(positions, ply)) ^ ONE
    danger = can_win_now(positions.board, discs[1], discs[0], other_side)
    positions.dangers[ply] = 1 if danger else 0
    if danger and ply < MAX_PLY - 1 and ply < 2 * root_depth:
        depth += 1
    return min(depth, plies_left(positions, ply))


@kernel(lean=True)
def value_bounds(positions: ChampionPositions, ply: np.int64) -> tuple[np.int64, np.int64]:
    """Without a win now: a win with the next own move at best, a loss to the reply at worst."""
    return ply + 2 - WIN, WIN - (ply + 3)


@kernel(lean=True)
def reduction(
    positions: ChampionPositions,
    ply: np.int64,
    depth: np.int64,
    tried: np.int64,
    move: np.int64,
    reward: np.int64,
) -> np.int64:
    """Late, quiet moves. A search that reaches the end of the game is exact: it leaves none out."""
    if depth < 3 or tried < 3 or positions.dangers[ply] != 0 or depth >= plies_left(positions, ply):
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
def depth_after_skip(
    positions: ChampionPositions, ply: np.int64, depth: np.int64, alpha: np.int64, beta: np.int64
) -> np.int64:
    """Passing is no move of this game, so it only counts where nothing is proven by it.

    Both players must have mean moves: without them having to move can be a disadvantage.
    """
    if ply == 0 or ply >= MAX_PLY - 3 or depth < SKIP_FROM or depth >= plies_left(positions, ply):
        return np.int64(-1)
    if positions.dangers[ply] != 0 or positions.board[MEAN] != np.uint64(3):
        return np.int64(-1)
    if beta - alpha != 1 or abs(beta) >= PROVEN or evaluate(positions, ply) < beta:
        return np.int64(-1)
    return max(np.int64(0), depth - (4 if depth >= 6 else 3))


@kernel(lean=True)
def skip(positions: ChampionPositions, ply: np.int64) -> None:
    """The same board, seen by the other player."""
    discs = positions.discs
    discs[ply + 1, 0], discs[ply + 1, 1] = discs[ply, 1], discs[ply, 0]
