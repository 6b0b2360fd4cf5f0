"""Positions with one solution left, as a few words: layout, moves and the standing value.

With one solution the values are fixed: a position is the set of empty squares, the set of passes
that are left, and, where squares are restricted, the squares that either player may use. Squares
are numbered among the empty ones of the root (at most 64), passes too (at most 128, two words).
A move is the number of a square to fill, or 64 + the number of a pass.
"""

from __future__ import annotations

import numpy as np

from plyground.games.competitive_sudoku.estimate import (
    REWARD_NOW,
    THEIR_REWARD,
    parity_value,
    zone_value,
)
from plyground.games.competitive_sudoku.frames import COMMON, HISTORY_SHIFT, RESTRICTED
from plyground.kernels.bits import ONE, ZERO, popcount, trailing_zeros
from plyground.kernels.marker import kernel

# Words of a position.
SQUARES, PASSES, MORE_PASSES, FIRST_REACH, SECOND_REACH = range(5)
WORDS = 5

# The place in `control` after those of `frames`.
EXACT_POOL = COMMON
CONTROL = COMMON + 1

PASS_CODE = np.int64(64)
REWARDS = np.array([0, 1, 3, 7], np.int64)


@kernel(lean=True)
def reward_at(
    squares: np.uint64, slot: np.int64, slot_units: np.ndarray, unit_squares: np.ndarray
) -> np.int64:
    """Points for filling this empty square now."""
    bit = ONE << np.uint64(slot)
    complete = (
        np.int64(unit_squares[slot_units[slot, 0]] & squares == bit)
        + np.int64(unit_squares[slot_units[slot, 1]] & squares == bit)
        + np.int64(unit_squares[slot_units[slot, 2]] & squares == bit)
    )
    return REWARDS[complete]


@kernel(lean=True)
def region_masks(
    squares: np.uint64, unit_squares: np.ndarray
) -> tuple[np.int64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """What filling each square does, for all squares at once.

    The number of open regions; the squares that complete at least one, two, three regions; the
    squares that leave at least one, two, three regions with one empty square.
    """
    open_units = np.int64(0)
    once, twice, thrice = ZERO, ZERO, ZERO
    gift, gifts, three_gifts = ZERO, ZERO, ZERO
    for unit in range(unit_squares.shape[0]):
        rest = unit_squares[np.uint64(unit)] & squares
        if rest == ZERO:
            continue
        open_units += 1
        others = rest & (rest - ONE)
        if others == ZERO:
            thrice |= twice & rest
            twice |= once & rest
            once |= rest
        elif others & (others - ONE) == ZERO:
            three_gifts |= gifts & rest
            gifts |= gift & rest
            gift |= rest
    return open_units, once, twice, thrice, gift, gifts, three_gifts


@kernel(lean=True)
def has_square(mask: np.uint64, slot: np.int64) -> np.int64:
    """1 if the square is in the set, else 0."""
    return np.int64((mask >> np.uint64(slot)) & ONE)


@kernel(lean=True)
def list_moves(
    control: np.ndarray,
    position: np.ndarray,
    player: np.int64,
    hint: np.int64,
    unit_squares: np.ndarray,
    pass_slot: np.ndarray,
    pass_twin: np.ndarray,
    history: np.ndarray,
    moves: np.ndarray,
    ranks: np.ndarray,
) -> np.int64:
    """All moves of the player, with ranks. Of equal passes only one is listed.

    `hint` is a move plus one to be tried first, 0 for none. Moves that cut elsewhere in the tree
    (`history`) come earlier.
    """
    squares = position[SQUARES]
    mine = squares
    if control[RESTRICTED]:
        mine &= position[FIRST_REACH + player]
    count = np.int64(0)
    _, once, twice, thrice, gift, gifts, three_gifts = region_masks(squares, unit_squares)
    rest = mine
    while rest:
        slot = trailing_zeros(rest)
        rest &= rest - ONE
        rank = 100 * has_square(once, slot) + 200 * has_square(twice, slot)
        rank += 400 * has_square(thrice, slot) - 30 * has_square(gift, slot)
        rank -= 30 * has_square(gifts, slot) + 30 * has_square(three_gifts, slot)
        moves[count] = slot
        ranks[count] = rank + (history[player, slot] >> HISTORY_SHIFT)
        count += 1
    for half in range(2):
        rest = position[PASSES + half]
        while rest:
            number = 64 * half + trailing_zeros(rest)
            rest &= rest - ONE
            if control[RESTRICTED]:
                if (mine >> np.uint64(pass_slot[number])) & ONE == ZERO:
                    continue
                # An equal pass with a lower number that is still there stands for this one.
                twin = pass_twin[number]
                if twin >= 0 and has_pass(position, twin):
                    continue
            moves[count] = PASS_CODE + number
            ranks[count] = (history[player, PASS_CODE + number] >> HISTORY_SHIFT) - 5
            count += 1
    if hint:
        for index in range(count):
            if moves[index] == hint - 1:
                ranks[index] = 1_000_000
    return count


@kernel(lean=True)
def has_pass(position: np.ndarray, number: np.int64) -> bool:
    """Whether a pass is left."""
    word = position[PASSES] if number < 64 else position[MORE_PASSES]
    return (word >> np.uint64(number & 63)) & ONE != ZERO


@kernel(lean=True)
def can_move(control: np.ndarray, position: np.ndarray, player: np.int64) -> bool:
    """Whether the player has a square to play on."""
    if control[RESTRICTED]:
        return position[SQUARES] & position[FIRST_REACH + player] != ZERO
    return position[SQUARES] != ZERO


@kernel(lean=True)
def flood(start: np.uint64, squares: np.uint64, slot_near: np.ndarray) -> np.uint64:
    """The squares next to these among the empty ones."""
    out = ZERO
    while start:
        out |= slot_near[trailing_zeros(start)]
        start &= start - ONE
    return out & squares


@kernel(lean=True)
def zones(
    mine: np.uint64, theirs: np.uint64, squares: np.uint64, slot_near: np.ndarray
) -> tuple[np.uint64, np.uint64]:
    """The squares that I reach sooner than the opponent, and the other way round."""
    front, other_front = mine & squares, theirs & squares
    mine, theirs = front, other_front
    zone, other_zone = front & ~other_front, other_front & ~front
    while front or other_front:
        front = flood(front, squares, slot_near) & ~mine
        other_front = flood(other_front, squares, slot_near) & ~theirs
        zone |= front & ~theirs & ~other_front
        other_zone |= other_front & ~mine & ~front
        mine |= front
        theirs |= other_front
    return zone, other_zone


@kernel(lean=True)
def best_reward(once: np.uint64, twice: np.uint64, thrice: np.uint64, mine: np.uint64) -> np.int64:
    """The most points that one of these squares brings now."""
    best = np.int64(once & mine != ZERO) + 2 * np.int64(twice & mine != ZERO)
    return best + 4 * np.int64(thrice & mine != ZERO)


@kernel(lean=True)
def standing_value(
    control: np.ndarray,
    position: np.ndarray,
    player: np.int64,
    unit_squares: np.ndarray,
    slot_near: np.ndarray,
    pass_slot: np.ndarray,
    weights: np.ndarray,
) -> np.int64:
    """An estimate of the points that the mover will gain on the opponent, see `estimate`."""
    squares = position[SQUARES]
    open_units, once, twice, thrice, _, _, _ = region_masks(squares, unit_squares)
    if control[RESTRICTED] == 0:
        pool = popcount(position[PASSES]) + popcount(position[MORE_PASSES])
        value = weights[REWARD_NOW] * best_reward(once, twice, thrice, squares)
        return value + parity_value(open_units, popcount(squares), pool, weights)
    mine = squares & position[FIRST_REACH + player]
    theirs = squares & position[SECOND_REACH - player]
    value = weights[REWARD_NOW] * best_reward(once, twice, thrice, mine)
    value -= weights[THEIR_REWARD] * best_reward(once, twice, thrice, theirs)
    zone, other_zone = zones(mine, theirs, squares, slot_near)
    wait = popcount(mine & ~theirs) - popcount(theirs & ~mine)
    shared_passes, zone_passes = np.int64(0), np.int64(0)
    for half in range(2):
        rest = position[PASSES + half]
        while rest:
            bit = ONE << np.uint64(pass_slot[64 * half + trailing_zeros(rest)])
            rest &= rest - ONE
            usable, blocked = np.int64(mine & bit != ZERO), np.int64(theirs & bit != ZERO)
            shared_passes += usable & blocked
            wait += usable - blocked
            zone_passes += np.int64(zone & bit != ZERO) - np.int64(other_zone & bit != ZERO)
    return value + zone_value(
        open_units,
        popcount(squares),
        popcount(zone) - popcount(other_zone),
        zone_passes,
        wait,
        popcount(mine & theirs),
        shared_passes,
        weights,
    )
