"""The search over one solution: hooks of `search.alphabeta_kernel`, its moves and estimate.

With one solution the values are fixed: a position is the set of empty squares, the set of passes
that are left, and, where squares are restricted, the squares that either player may use. Squares
are numbered among the empty ones of the root (at most 64), passes too (at most 128, two words).
A move is the number of a square to fill, or 64 + the number of a pass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.competitive_sudoku.rewards import REWARDS
from plyground.games.competitive_sudoku.solvers.estimate import (
    REWARD_NOW,
    THEIR_REWARD,
    parity_value,
    zone_value,
)
from plyground.games.competitive_sudoku.solvers.selection import COMMON_SWITCHES, RESTRICTED, SCALE
from plyground.kernels import kernel
from plyground.kernels.bits import popcount, trailing_zeros
from plyground.kernels.random import split_mix
from plyground.kernels.rows import row
from plyground.kernels.words import MIX, ONE, ZERO
from plyground.search.values import UNKNOWN

LEAVES_IN_PLACE = True
LEAVES_IN_TABLE = False
PROMISING_FIRST = True

# Words of a position.
SQUARES, PASSES, MORE_PASSES, FIRST_REACH, SECOND_REACH = range(5)
WORDS = 5

# The place in `switches` after those of `selection`: whether all passes are known.
EXACT_POOL = COMMON_SWITCHES
SWITCHES = COMMON_SWITCHES + 1

PASS_CODE = np.int64(64)
PASS_PROMISE = np.int64(-5)


class OneSolution(NamedTuple):
    """The positions of a search, and tables of the root."""

    switches: np.ndarray
    """(SWITCHES): settings."""
    movers: np.ndarray
    """(plies): the player to move."""
    words: np.ndarray
    """(plies, WORDS): squares, passes and what either player reaches, as sets."""
    slot_units: np.ndarray
    """(slots, 3): row, column and block."""
    unit_squares: np.ndarray
    """(regions): the squares in it, as a set."""
    slot_near: np.ndarray
    """(slots): the neighbours, as a set."""
    slot_ends: np.ndarray
    """(slots, 2): the passes that end when the square is filled, as a set."""
    pass_slot: np.ndarray
    """(passes): the square of a pass."""
    pass_twin: np.ndarray
    """(passes): an equal pass with a lower number, -1 for none."""
    weights: np.ndarray
    """(WEIGHTS): see `estimate`."""


@kernel(inline=True, lean=True)
def mover(positions: OneSolution, ply: np.int64) -> np.int64:
    """The player to move."""
    return positions.movers[ply]


@kernel(inline=True, lean=True)
def can_move(positions: OneSolution, ply: np.int64, player: np.int64) -> bool:
    """Whether the player has a square to play on."""
    if positions.switches[RESTRICTED]:
        return positions.words[ply, SQUARES] & positions.words[ply, FIRST_REACH + player] != ZERO
    return positions.words[ply, SQUARES] != ZERO


@kernel(inline=True, lean=True)
def known_value(positions: OneSolution, ply: np.int64, player: np.int64) -> np.int64:
    """0 where the game is over: no more points."""
    return UNKNOWN if can_move(positions, ply, positions.movers[ply]) else np.int64(0)


@kernel(inline=True, lean=True)
def settle(positions: OneSolution, ply: np.int64, move: np.int64, player: np.int64) -> np.int64:
    """Nothing is settled before it counts as a node."""
    return UNKNOWN


@kernel(inline=True, lean=True)
def undo(positions: OneSolution, ply: np.int64, move: np.int64) -> None:
    """Nothing: every ply keeps its words."""


@kernel(inline=True, lean=True)
def key(positions: OneSolution, ply: np.int64) -> np.uint64:
    """A hash of all that the rest of the game depends on, seen by the mover."""
    position = row(positions.words, ply)
    hashed = split_mix(position[SQUARES])
    hashed = split_mix(hashed ^ position[PASSES]) + position[MORE_PASSES] * MIX
    if positions.switches[RESTRICTED]:
        player, squares = positions.movers[ply], position[SQUARES]
        hashed = split_mix(hashed ^ (position[FIRST_REACH + player] & squares))
        hashed = split_mix(hashed + (position[SECOND_REACH - player] & squares))
    return hashed


@kernel(inline=True, lean=True)
def play(positions: OneSolution, ply: np.int64, move: np.int64) -> np.int64:
    """Write the position after a placement or a pass to the next ply; its worth."""
    position, child = row(positions.words, ply), row(positions.words, ply + 1)
    player = positions.movers[ply]
    for word in range(WORDS):
        child[word] = position[word]
    reward = np.int64(0)
    if move >= PASS_CODE:
        number = move - PASS_CODE
        child[PASSES + number // 64] &= ~(ONE << np.uint64(number % 64))
    else:
        reward = reward_at(position[SQUARES], move, positions.slot_units, positions.unit_squares)
        child[SQUARES] &= ~(ONE << np.uint64(move))
        child[PASSES] &= ~positions.slot_ends[move, 0]
        child[MORE_PASSES] &= ~positions.slot_ends[move, 1]
        if positions.switches[RESTRICTED]:
            child[FIRST_REACH + player] |= positions.slot_near[move]
    following = 1 - player
    if positions.switches[RESTRICTED] and not can_move(positions, ply + 1, following):
        following = player
    positions.movers[ply + 1] = following
    return reward * SCALE


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


@kernel(inline=True, lean=True)
def list_moves(
    positions: OneSolution,
    ply: np.int64,
    ordered: bool,
    moves: np.ndarray,
    promises: np.ndarray,
) -> np.int64:
    """Placements by points and gifts, then passes. Of equal passes only one is listed."""
    position = row(positions.words, ply)
    restricted = positions.switches[RESTRICTED] != 0
    squares = position[SQUARES]
    mine = squares
    if restricted:
        mine &= position[FIRST_REACH + positions.movers[ply]]
    count = np.int64(0)
    _, once, twice, thrice, gift, gifts, three_gifts = region_masks(squares, positions.unit_squares)
    rest = mine
    while rest:
        slot = trailing_zeros(rest)
        rest &= rest - ONE
        promise = 100 * has_square(once, slot) + 200 * has_square(twice, slot)
        promise += 400 * has_square(thrice, slot) - 30 * has_square(gift, slot)
        promise -= 30 * has_square(gifts, slot) + 30 * has_square(three_gifts, slot)
        moves[count] = slot
        promises[count] = promise
        count += 1
    for half in range(2):
        rest = position[PASSES + half]
        while rest:
            number = 64 * half + trailing_zeros(rest)
            rest &= rest - ONE
            if restricted:
                if (mine >> np.uint64(positions.pass_slot[number])) & ONE == ZERO:
                    continue
                # An equal pass with a lower number that is still there stands for this one.
                twin = positions.pass_twin[number]
                if twin >= 0 and has_pass(position, twin):
                    continue
            moves[count] = PASS_CODE + number
            promises[count] = PASS_PROMISE
            count += 1
    return count if positions.switches[EXACT_POOL] else -count


@kernel(lean=True)
def has_pass(position: np.ndarray, number: np.int64) -> bool:
    """Whether a pass is left."""
    word = position[PASSES] if number < 64 else position[MORE_PASSES]
    return (word >> np.uint64(number & 63)) & ONE != ZERO


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


@kernel(inline=True, lean=True)
def evaluate(positions: OneSolution, ply: np.int64) -> np.int64:
    """An estimate of the points that the mover will gain on the opponent, see `estimate`."""
    position, weights = row(positions.words, ply), positions.weights
    player = positions.movers[ply]
    squares = position[SQUARES]
    open_units, once, twice, thrice, _, _, _ = region_masks(squares, positions.unit_squares)
    if positions.switches[RESTRICTED] == 0:
        pool = popcount(position[PASSES]) + popcount(position[MORE_PASSES])
        value = weights[REWARD_NOW] * best_reward(once, twice, thrice, squares)
        return value + parity_value(open_units, popcount(squares), pool, weights)
    mine = squares & position[FIRST_REACH + player]
    theirs = squares & position[SECOND_REACH - player]
    value = weights[REWARD_NOW] * best_reward(once, twice, thrice, mine)
    value -= weights[THEIR_REWARD] * best_reward(once, twice, thrice, theirs)
    zone, other_zone = zones(mine, theirs, squares, positions.slot_near)
    wait = popcount(mine & ~theirs) - popcount(theirs & ~mine)
    shared_passes, zone_passes = np.int64(0), np.int64(0)
    for half in range(2):
        rest = position[PASSES + half]
        while rest:
            bit = ONE << np.uint64(positions.pass_slot[64 * half + trailing_zeros(rest)])
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
