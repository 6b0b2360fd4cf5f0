"""The board inside the search over many solutions: its arrays, make and undo.

All solutions of the root board are known, as one bitset for each empty square and value. A
placement leaves the solutions that agree with it; a value that fits but agrees with none is a
pass, unless it is taboo. So the pool of passes is right at every node without asking a solver.

Squares are numbered among the empty squares of the root (`slot`). A move is
`slot * 64 + value * 2 + pass`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.competitive_sudoku.rewards import REWARDS
from plyground.games.competitive_sudoku.solvers.pockets import Pockets
from plyground.games.competitive_sudoku.solvers.selection import COMMON_SWITCHES, RESTRICTED, SCALE
from plyground.kernels import kernel
from plyground.kernels.bits import trailing_zeros
from plyground.kernels.rows import row
from plyground.kernels.words import ONE, ZERO

# Places in `switches` after those of `selection`.
EMPTY, PASS_LIMIT, OPEN_UNITS = range(COMMON_SWITCHES, COMMON_SWITCHES + 3)
SWITCHES = COMMON_SWITCHES + 3

ROOT_KEY = np.uint64(0x9D39247E33776D41)
PLACED, PASSED, OWNER = range(3)
"""Tables of `zobrist`: a value placed, a value passed, a square's owner (last row: the mover)."""


class ManySolutions(NamedTuple):
    """A position and its solutions. The board is made and undone; the rest has a row a ply."""

    switches: np.ndarray
    """(SWITCHES): settings, the number of empty squares and of open regions."""
    movers: np.ndarray
    """(plies): the player to move."""
    keys: np.ndarray
    """(plies): hashes."""
    alive: np.ndarray
    """(plies, words): the set of solutions that are left."""
    options: np.ndarray
    """(plies, slots): the values that these allow, as masks."""
    solution_bits: np.ndarray
    """(slots, values, words): the solutions with this value there."""
    places: np.ndarray
    """(solutions, regions, values): the slot that has the value, -1 for none."""
    zobrist: np.ndarray
    """(3, slots + 1, values): parts of the keys."""
    unit_of: np.ndarray
    """(slots, 3): row, column and block."""
    around: np.ndarray
    """(slots, 8): neighbours, then -1."""
    filled: np.ndarray
    """(slots): 0 or 1."""
    used: np.ndarray
    """(regions): the values on the board, as masks."""
    room: np.ndarray
    """(regions): empty squares."""
    near: np.ndarray
    """(2, slots): reasons for either player to be allowed there."""
    taboo: np.ndarray
    """(slots): the values that are taboo, as masks."""
    distance: np.ndarray
    """(3, slots): scratch space of the estimate."""
    pockets: Pockets
    """Corners that can be closed off, see `pockets`."""
    held: np.ndarray
    """(2, regions): 1 where a square is out of the other player's reach; of the estimate."""
    weights: np.ndarray
    """(WEIGHTS): see `estimate`."""


@kernel(inline=True, lean=True)
def is_open(positions: ManySolutions, player: np.int64) -> bool:
    """Whether the player has a square to play on."""
    if positions.switches[RESTRICTED] == 0:
        return positions.switches[EMPTY] > 0
    for slot in range(positions.filled.shape[0]):
        if positions.filled[slot] == 0 and positions.near[player, slot] > 0:
            return True
    return False


@kernel(lean=True)
def reward_at(unit_of: np.ndarray, room: np.ndarray, slot: np.int64) -> np.int64:
    """Points for filling this empty square now."""
    complete = (
        np.int64(room[unit_of[slot, 0]] == 1)
        + np.int64(room[unit_of[slot, 1]] == 1)
        + np.int64(room[unit_of[slot, 2]] == 1)
    )
    return REWARDS[complete]


@kernel(inline=True, lean=True)
def change_near(positions: ManySolutions, player: np.int64, slot: np.int64, by: np.int64) -> None:
    """Add a reason (or take one away) for the player to be allowed around a square."""
    if positions.switches[RESTRICTED] == 0:
        return
    for index in range(8):
        other = positions.around[slot, index]
        if other < 0:
            break
        positions.near[player, other] += by


@kernel(inline=True, lean=True)
def make_placement(positions: ManySolutions, player: np.int64, move: np.int64) -> np.int64:
    """Fill a square; its reward in points."""
    slot = move // 64
    bit = ONE << np.uint64((move % 64) // 2 - 1)
    reward = reward_at(positions.unit_of, positions.room, slot)
    for index in range(3):
        unit = positions.unit_of[slot, index]
        positions.used[unit] |= bit
        positions.room[unit] -= 1
        if positions.room[unit] == 0:
            positions.switches[OPEN_UNITS] -= 1
    positions.filled[slot] = 1
    positions.pockets.owner[slot] = player
    positions.switches[EMPTY] -= 1
    change_near(positions, player, slot, np.int64(1))
    return reward


@kernel(inline=True, lean=True)
def undo_placement(positions: ManySolutions, player: np.int64, move: np.int64) -> None:
    """Take the last placement back."""
    slot = move // 64
    bit = ONE << np.uint64((move % 64) // 2 - 1)
    for index in range(3):
        unit = positions.unit_of[slot, index]
        positions.used[unit] &= ~bit
        if positions.room[unit] == 0:
            positions.switches[OPEN_UNITS] += 1
        positions.room[unit] += 1
    positions.filled[slot] = 0
    positions.switches[EMPTY] += 1
    change_near(positions, player, slot, np.int64(-1))


@kernel(inline=True, lean=True)
def play(positions: ManySolutions, ply: np.int64, move: np.int64) -> np.int64:
    """Play a placement or a pass, and write its key and solutions to the next ply; its worth."""
    player = positions.movers[ply]
    key = positions.keys[ply]
    slot = move // 64
    value_index = (move % 64) // 2 - 1
    reward = np.int64(0)
    if move & 1:
        positions.taboo[slot] |= ONE << np.uint64(value_index)
        key ^= positions.zobrist[PASSED, slot, value_index]
        for word in range(positions.alive.shape[1]):
            positions.alive[ply + 1, word] = positions.alive[ply, word]
        for other in range(positions.options.shape[1]):
            positions.options[ply + 1, other] = positions.options[ply, other]
    else:
        reward = make_placement(positions, player, move)
        key ^= positions.zobrist[PLACED, slot, value_index]
        if positions.switches[RESTRICTED]:
            key ^= positions.zobrist[OWNER, slot, player]
        narrow(positions, ply, slot, value_index)
    following = 1 - player
    if positions.switches[RESTRICTED] and not is_open(positions, following):
        following = player
    if following != player:
        key ^= positions.zobrist[OWNER, positions.filled.shape[0], 0]
    positions.keys[ply + 1] = key
    positions.movers[ply + 1] = following
    return reward * SCALE


@kernel(inline=True, lean=True)
def undo(positions: ManySolutions, ply: np.int64, move: np.int64) -> None:
    """Take back the placement or pass made at this ply."""
    if move & 1:
        positions.taboo[move // 64] &= ~(ONE << np.uint64((move % 64) // 2 - 1))
    else:
        undo_placement(positions, positions.movers[ply], move)


@kernel(inline=True, lean=True)
def narrow(positions: ManySolutions, ply: np.int64, slot: np.int64, value_index: np.int64) -> None:
    """The solutions that agree with a placement, and the values they allow in each empty square."""
    alive, options = row(positions.alive, ply), row(positions.options, ply)
    child_alive, child_options = row(positions.alive, ply + 1), row(positions.options, ply + 1)
    solution_bits = positions.solution_bits
    words = alive.shape[0]
    changed = False
    for word in range(words):
        kept = alive[word] & solution_bits[slot, value_index, word]
        if kept != alive[word]:
            changed = True
        child_alive[word] = kept
    if not changed:
        for other in range(options.shape[0]):
            child_options[other] = options[other]
        return
    for other in range(options.shape[0]):
        mask = options[other]
        if positions.filled[other] or mask & (mask - ONE) == ZERO:
            child_options[other] = mask
            continue
        left = ZERO
        while mask:
            index = trailing_zeros(mask)
            mask &= mask - ONE
            for word in range(words):
                if child_alive[word] & solution_bits[other, index, word]:
                    left |= ONE << np.uint64(index)
                    break
        child_options[other] = left
