"""What the champion sees on a board: wins at once, the effect of moves, the worth of a position."""

from __future__ import annotations

import numpy as np

from plyground.games.connect4.rules import (
    MEAN_CODE,
    SIMULTANEOUS_DRAW,
    SIMULTANEOUS_FIRST,
    SIMULTANEOUS_MOVER,
)
from plyground.games.connect4.solvers.perfect_kernel import has_four, winning_squares
from plyground.kernels import kernel
from plyground.kernels.bits import popcount
from plyground.kernels.words import ONE, ZERO

# Places in the words that describe a board and the rights of the players.
STEP, BOTTOM, FULL_BOARD, WIDTH, MEAN, SIMULTANEOUS, SIDE, PLIES_LEFT = range(8)
BOARD_WORDS = 8
"""SIDE is the player to move at the root, PLIES_LEFT counts from there."""

# Places in the weights.
ONES, TWOS, THREES, NEXT_THREAT, FAR_THREAT, TEMPO, BOTTOM_DISC, DISC = range(8)
WEIGHT_WORDS = 8


@kernel(lean=True)
def without_bottom(discs: np.uint64, column: np.uint64) -> np.uint64:
    """These discs after a column (its mask, without the spare bit) has fallen by one row."""
    return (discs & ~column) | (((discs & column) >> ONE) & column)


@kernel(lean=True)
def mean_move_wins(
    board: np.ndarray, own: np.uint64, other: np.uint64, column: np.uint64, side: np.uint64
) -> bool:
    """Whether some mean move out of this column wins, given that it makes four for the mover."""
    rule = board[SIMULTANEOUS]
    step = board[STEP]
    fallen_own = without_bottom(own, column)
    bottom_disc = column & board[BOTTOM]
    fallen_other = without_bottom(other & ~bottom_disc, column)
    targets = ((fallen_own | fallen_other) + board[BOTTOM]) & board[FULL_BOARD] & ~column
    if rule == np.uint64(SIMULTANEOUS_MOVER) or (
        rule == np.uint64(SIMULTANEOUS_FIRST) and side == ZERO
    ):
        return targets != ZERO
    while targets != ZERO:
        target = targets & (~targets + ONE)
        targets ^= target
        if not has_four(fallen_other | target, step):
            return True
    return False


@kernel(lean=True)
def can_win_now(board: np.ndarray, own: np.uint64, other: np.uint64, side: np.uint64) -> bool:
    """Whether the player with discs `own` (`side`) would win with one move."""
    step = board[STEP]
    occupied = own | other
    possible = (occupied + board[BOTTOM]) & board[FULL_BOARD]
    if winning_squares(own, possible, step) != ZERO:
        return True
    if board[MEAN] & (ONE << side) == ZERO:
        return False
    sources = other & board[BOTTOM]
    height_mask = (ONE << (step - ONE)) - ONE
    while sources != ZERO:
        source = sources & (~sources + ONE)
        sources ^= source
        column = source * height_mask
        # Only own discs that fall can make a new line.
        if (
            own & column != ZERO
            and has_four(without_bottom(own, column), step)
            and mean_move_wins(board, own, other, column, side)
        ):
            return True
    return False


@kernel(lean=True)
def play_on(board: np.ndarray, discs: np.ndarray, move: np.int64, after: np.ndarray) -> None:
    """The discs after a move, with the sides exchanged: `after[0]` is the opponent of the mover."""
    step = board[STEP]
    own, other = discs[0], discs[1]
    column = (ONE << (step - ONE)) - ONE
    if move < MEAN_CODE:
        column <<= np.uint64(move) * step
        own |= ((own | other) + (column & board[BOTTOM])) & column
    else:
        source = column << (np.uint64(move // MEAN_CODE - 1) * step)
        own = without_bottom(own, source)
        other = without_bottom(other & ~(source & board[BOTTOM]), source)
        target = column << (np.uint64(move % MEAN_CODE) * step)
        other |= ((own | other) + (target & board[BOTTOM])) & target
    after[0] = other
    after[1] = own


@kernel(lean=True)
def result_of(board: np.ndarray, after: np.ndarray, move: np.int64, side: np.uint64) -> np.int64:
    """The result of a move for the mover (`side`): 1, 0, -1, or 2 while the game goes on."""
    step = board[STEP]
    mine = has_four(after[1], step)
    if move >= MEAN_CODE and has_four(after[0], step):
        if not mine:
            return np.int64(-1)
        if board[SIMULTANEOUS] == np.uint64(SIMULTANEOUS_DRAW):
            return np.int64(0)
        if board[SIMULTANEOUS] == np.uint64(SIMULTANEOUS_FIRST) and side == ONE:
            return np.int64(-1)
        return np.int64(1)
    if mine:
        return np.int64(1)
    if after[0] | after[1] == board[FULL_BOARD]:
        return np.int64(0)
    return np.int64(2)


@kernel(lean=True)
def line_values(
    discs: np.uint64, empty: np.uint64, step: np.uint64, weights: np.ndarray
) -> np.int64:
    """Worth of all fours that a player can still make, by the discs that it has in them."""
    free = discs | empty
    value = np.int64(0)
    for k in range(4):
        d = ONE if k == 0 else step + np.uint64(k) - np.uint64(2)
        open_fours = free & (free >> d)
        open_fours &= open_fours >> (d + d)
        second = discs >> d
        third = discs >> (d + d)
        fourth = discs >> (d + d + d)
        low_sum, low_carry = discs ^ second, discs & second
        high_sum, high_carry = third ^ fourth, third & fourth
        odd = (low_sum ^ high_sum) & open_fours
        two_or_three = (low_carry ^ high_carry ^ (low_sum & high_sum)) & open_fours
        value += weights[ONES] * popcount(odd & ~two_or_three)
        value += weights[TWOS] * popcount(two_or_three & ~odd)
        value += weights[THREES] * popcount(odd & two_or_three)
    return value


@kernel(lean=True)
def worth(board: np.ndarray, weights: np.ndarray, own: np.uint64, other: np.uint64) -> np.int64:
    """Worth of a quiet position for the side to move: open lines, threats, discs on the board.

    A mean move adds no disc of one's own: the count of discs says who has lost time.
    """
    step = board[STEP]
    occupied = own | other
    empty = board[FULL_BOARD] & ~occupied
    next_up = ((occupied + board[BOTTOM]) & board[FULL_BOARD]) << ONE
    value = weights[TEMPO]
    value += line_values(own, empty, step, weights) - line_values(other, empty, step, weights)
    mine = winning_squares(own, empty, step)
    theirs = winning_squares(other, empty, step)
    value += weights[NEXT_THREAT] * (popcount(mine & next_up) - popcount(theirs & next_up))
    value += weights[FAR_THREAT] * (popcount(mine) - popcount(theirs))
    value += weights[DISC] * (popcount(own) - popcount(other))
    bottom = board[BOTTOM]
    value += weights[BOTTOM_DISC] * (popcount(other & bottom) - popcount(own & bottom))
    return value
