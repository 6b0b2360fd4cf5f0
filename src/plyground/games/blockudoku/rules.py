"""Blockudoku under the contract of games: a position is a row of six words.

The board in two words, the hand (a piece number in each of three bytes, 47 for a piece that is
placed), the score, the turns completed, and 1 if the last placement cleared something. With an
empty hand the game waits for a deal. A move has the code `81 * slot + anchor`.
"""

from __future__ import annotations

import numpy as np

from plyground.games.blockudoku.board import (
    can_place_all,
    fitting_anchors,
    full_line_count,
    full_lines,
    lowest_anchor,
    occupied,
    placed_cells,
    placement_score,
    without_lowest,
)
from plyground.games.blockudoku.pieces import EMPTY_PIECE
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix
from plyground.kernels.words import ONGOING, ZERO

STATE_WORDS = 6
MAX_MOVES = 243
# Places in a position.
LOW, HIGH, HAND, SCORE, TURNS, STREAK = range(6)
# Places in `params`; the pieces that are dealt follow their number.
END_RULE, DECK_SIZE = range(2)
END_STUCK, END_NO_ORDER = 0, 1

EMPTY_HAND = np.uint64(EMPTY_PIECE * 0x010101)
_BYTE = np.uint64(0xFF)


@kernel
def piece_in_slot(hand: np.uint64, slot: np.int64) -> np.int64:
    """The piece in a slot (0-2) of a hand word."""
    return np.int64((hand >> np.uint64(8 * slot)) & _BYTE)


@kernel(lean=True)
def legal_moves(params: np.ndarray, state: np.ndarray, moves: np.ndarray) -> np.int64:
    """All placements of the pieces in hand, by slot, then by anchor."""
    count = np.int64(0)
    for slot in range(3):
        piece = piece_in_slot(state[HAND], np.int64(slot))
        if piece == EMPTY_PIECE:
            continue
        low, high = fitting_anchors(state[LOW], state[HIGH], piece)
        while low | high != ZERO:
            moves[count] = 81 * slot + np.int64(lowest_anchor(low, high))
            low, high = without_lowest(low, high)
            count += 1
    return count


@kernel(lean=True)
def play(params: np.ndarray, state: np.ndarray, move: np.int64, child: np.ndarray) -> None:
    """Place, clear, count. The turn is complete when the hand is empty."""
    slot = move // 81
    cells_low, cells_high = placed_cells(
        piece_in_slot(state[HAND], slot), np.uint64(move - 81 * slot)
    )
    low, high = state[LOW] | cells_low, state[HIGH] | cells_high
    lines = full_line_count(low, high)
    clear_low, clear_high = full_lines(low, high)
    remaining = occupied(cells_low & ~clear_low, cells_high & ~clear_high)
    points = placement_score(lines, remaining, np.int64(state[STREAK]))
    hand = state[HAND] | (_BYTE << np.uint64(8 * slot))
    hand ^= np.uint64(0xFF ^ EMPTY_PIECE) << np.uint64(8 * slot)
    child[LOW] = low & ~clear_low
    child[HIGH] = high & ~clear_high
    child[HAND] = hand
    child[SCORE] = state[SCORE] + np.uint64(points)
    child[TURNS] = state[TURNS] + np.uint64(hand == EMPTY_HAND)
    child[STREAK] = np.uint64(lines > 0)


@kernel(lean=True)
def mover(params: np.ndarray, state: np.ndarray) -> np.int64:
    """The player while pieces are in hand, else the deal."""
    return np.int64(-1) if state[HAND] == EMPTY_HAND else np.int64(0)


@kernel
def outcome(params: np.ndarray, state: np.ndarray) -> np.int64:
    """ONGOING, or the turns survived: no piece in hand fits, or (by option) no order places all."""
    if state[HAND] == EMPTY_HAND:
        return ONGOING
    complete = True
    fits = False
    for slot in range(3):
        piece = piece_in_slot(state[HAND], np.int64(slot))
        complete &= piece != EMPTY_PIECE
        if piece != EMPTY_PIECE:
            low, high = fitting_anchors(state[LOW], state[HIGH], piece)
            fits |= low | high != ZERO
    if fits and complete and params[END_RULE] == END_NO_ORDER:
        hand = np.empty(3, np.int64)
        for slot in range(3):
            hand[slot] = piece_in_slot(state[HAND], np.int64(slot))
        fits = can_place_all(state[LOW], state[HIGH], hand)
    return ONGOING if fits else np.int64(state[TURNS])


@kernel(lean=True)
def key(params: np.ndarray, state: np.ndarray) -> np.uint64:
    """A hash of board, hand and streak."""
    hashed = split_mix(state[LOW])
    hashed = split_mix(hashed ^ state[HIGH])
    return split_mix(hashed ^ (state[HAND] << np.uint64(1)) ^ state[STREAK])
