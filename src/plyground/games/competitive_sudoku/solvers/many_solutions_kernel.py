"""The search over many solutions: hooks of `search.alphabeta_kernel`, its moves and estimate."""

from __future__ import annotations

import numpy as np

from plyground.games.competitive_sudoku.solvers import many_solutions_board
from plyground.games.competitive_sudoku.solvers.estimate import (
    HELD,
    REWARD_NOW,
    SEALED,
    THEIR_REWARD,
    parity_value,
    zone_value,
)
from plyground.games.competitive_sudoku.solvers.many_solutions_board import (
    EMPTY,
    OPEN_UNITS,
    PASS_LIMIT,
    ManySolutions,
    is_open,
    reward_at,
)
from plyground.games.competitive_sudoku.solvers.pockets import FAR, mark_claims
from plyground.games.competitive_sudoku.solvers.selection import RESTRICTED
from plyground.kernels import kernel
from plyground.kernels.bits import popcount, trailing_zeros
from plyground.kernels.random import split_mix
from plyground.kernels.rows import row
from plyground.kernels.words import ONE, ZERO
from plyground.search.values import UNKNOWN

LEAVES_IN_PLACE = False
LEAVES_IN_TABLE = True
PROMISING_FIRST = False

PASS_PROMISE = np.int64(-5)
NO_PASS_LIMIT = np.int64(1) << np.int64(30)

play, undo = many_solutions_board.play, many_solutions_board.undo


@kernel(inline=True, lean=True)
def mover(positions: ManySolutions, ply: np.int64) -> np.int64:
    """The player to move."""
    return positions.movers[ply]


@kernel(inline=True, lean=True)
def known_value(positions: ManySolutions, ply: np.int64, player: np.int64) -> np.int64:
    """0 where the game is over: no more points."""
    if positions.switches[EMPTY] == 0 or not is_open(positions, positions.movers[ply]):
        return np.int64(0)
    return UNKNOWN


@kernel(inline=True, lean=True)
def settle(positions: ManySolutions, ply: np.int64, move: np.int64, player: np.int64) -> np.int64:
    """Nothing is settled before it counts as a node."""
    return UNKNOWN


@kernel(inline=True, lean=True)
def key(positions: ManySolutions, ply: np.int64) -> np.uint64:
    """The hash of board, passes and mover."""
    return positions.keys[ply]


@kernel(inline=True, lean=True)
def list_moves(
    positions: ManySolutions,
    ply: np.int64,
    ordered: bool,
    moves: np.ndarray,
    promises: np.ndarray,
) -> np.int64:
    """Placements by points and gifts, then passes; below the root at most PASS_LIMIT of these."""
    placements = list_placements(positions, ply, moves, promises)
    most = placements + (positions.switches[PASS_LIMIT] if ply > 0 else NO_PASS_LIMIT)
    solution = only_solution(row(positions.alive, ply))
    if solution >= 0 and positions.switches[RESTRICTED] == 0:
        count = list_unpaired_passes(positions, ply, solution, placements, moves, promises)
    else:
        count = list_passes(positions, ply, placements, most, moves, promises)
    return -most if count > most else count


@kernel(inline=True, lean=True)
def may_play(positions: ManySolutions, player: np.int64, slot: int) -> bool:
    """Whether the player may fill this square now."""
    if positions.filled[slot]:
        return False
    return positions.switches[RESTRICTED] == 0 or positions.near[player, slot] > 0


@kernel(inline=True, lean=True)
def passes_at(positions: ManySolutions, ply: np.int64, slot: int) -> np.uint64:
    """The values that fit on an empty square, agree with no solution and are not taboo."""
    used, unit_of = positions.used, positions.unit_of
    full = (ONE << np.uint64(used.shape[0] // 3)) - ONE
    taken = used[unit_of[slot, 0]] | used[unit_of[slot, 1]] | used[unit_of[slot, 2]]
    return full & ~(taken | positions.options[ply, slot] | positions.taboo[slot])


@kernel(inline=True, lean=True)
def list_placements(
    positions: ManySolutions, ply: np.int64, moves: np.ndarray, promises: np.ndarray
) -> np.int64:
    """All placements; how many."""
    player = positions.movers[ply]
    count = np.int64(0)
    for slot in range(positions.filled.shape[0]):
        if not may_play(positions, player, slot):
            continue
        promise = 100 * reward_at(positions.unit_of, positions.room, np.int64(slot))
        for index in range(3):
            promise -= 30 * np.int64(positions.room[positions.unit_of[slot, index]] == 2)
        mask = positions.options[ply, slot]
        while mask:
            moves[count] = slot * 64 + 2 * (trailing_zeros(mask) + 1)
            promises[count] = promise
            mask &= mask - ONE
            count += 1
    return count


@kernel(inline=True, lean=True)
def list_passes(
    positions: ManySolutions,
    ply: np.int64,
    count: np.int64,
    most: np.int64,
    moves: np.ndarray,
    promises: np.ndarray,
) -> np.int64:
    """Add passes to the `count` moves listed, until there are more than `most`; how many then."""
    player = positions.movers[ply]
    for slot in range(positions.filled.shape[0]):
        if not may_play(positions, player, slot):
            continue
        mask = passes_at(positions, ply, slot)
        while mask and count <= most:
            moves[count] = slot * 64 + 2 * (trailing_zeros(mask) + 1) + 1
            promises[count] = PASS_PROMISE
            mask &= mask - ONE
            count += 1
    return count


@kernel(inline=True, lean=True)
def list_unpaired_passes(
    positions: ManySolutions,
    ply: np.int64,
    solution: np.int64,
    placements: np.int64,
    moves: np.ndarray,
    promises: np.ndarray,
) -> np.int64:
    """The same with one solution left, when passes that the same squares end cancel in pairs.

    Whatever one player gains by the first, the other undoes by the second.
    """
    count = placements
    for slot in range(positions.filled.shape[0]):
        if positions.filled[slot]:
            continue
        mask = passes_at(positions, ply, slot)
        while mask:
            value_index = trailing_zeros(mask)
            mask &= mask - ONE
            # The promise holds the signature until all passes are known.
            mark = pass_signature(positions, np.int64(slot), value_index, solution)
            twin = placements
            while twin < count and promises[twin] != mark:
                twin += 1
            if twin < count:
                count -= 1
                moves[twin] = moves[count]
                promises[twin] = promises[count]
                continue
            moves[count] = slot * 64 + 2 * (value_index + 1) + 1
            promises[count] = mark
            count += 1
    for index in range(placements, count):
        promises[index] = PASS_PROMISE
    return count


@kernel(lean=True)
def only_solution(alive: np.ndarray) -> np.int64:
    """The number of the one solution that is left, or -1 if there are more."""
    found = np.int64(-1)
    for word in range(alive.shape[0]):
        bits = alive[word]
        if bits == ZERO:
            continue
        if found >= 0 or bits & (bits - ONE):
            return np.int64(-1)
        found = word * 64 + trailing_zeros(bits)
    return found


@kernel(inline=True, lean=True)
def pass_signature(
    positions: ManySolutions, slot: np.int64, value_index: np.int64, solution: np.int64
) -> np.int64:
    """A hash of the squares that end a pass when they are filled, once the solution is known."""
    total = split_mix(np.uint64(slot))
    first = np.int64(-1)
    second = np.int64(-1)
    for index in range(3):
        other = positions.places[solution, positions.unit_of[slot, index], value_index]
        if other >= 0 and other not in (first, second):
            total += split_mix(np.uint64(other))
        if index == 0:
            first = other
        elif index == 1:
            second = other
    return np.int64(total >> ONE)


@kernel(lean=True)
def evaluate(positions: ManySolutions, ply: np.int64) -> np.int64:
    """An estimate of the points that the mover will gain on the opponent, see `estimate`."""
    filled, near, distance = positions.filled, positions.near, positions.distance
    weights, switches = positions.weights, positions.switches
    player = positions.movers[ply]
    restricted = switches[RESTRICTED] != 0
    opponent = 1 - player
    if restricted:
        measure(positions, player)
        mark_claims(positions, player)
        positions.held[:] = 0
    sealed = np.int64(0)
    shared, shared_passes, wait = np.int64(0), np.int64(0), np.int64(0)
    zone, zone_passes = np.int64(0), np.int64(0)
    best, their_best = np.int64(0), np.int64(0)
    for slot in range(filled.shape[0]):
        if filled[slot]:
            continue
        pool = popcount(passes_at(positions, ply, slot))
        mine, theirs = True, True
        if restricted:
            mine, theirs = near[player, slot] > 0, near[opponent, slot] > 0
            lead = np.int64(distance[0, slot] < distance[1, slot])
            lead -= np.int64(distance[1, slot] < distance[0, slot])
            zone += lead
            zone_passes += lead * pool
            sealed += hold_regions(positions, np.int64(slot))
        if mine or theirs:
            reward = reward_at(positions.unit_of, positions.room, np.int64(slot))
            if mine:
                best = max(best, reward)
            if theirs:
                their_best = max(their_best, reward)
        if mine and theirs:
            shared += 1
            shared_passes += pool
        elif mine:
            wait += pool + 1
        elif theirs:
            wait -= pool + 1
    value = best * weights[REWARD_NOW]
    if not restricted:
        return value + parity_value(switches[OPEN_UNITS], shared, shared_passes, weights)
    value -= their_best * weights[THEIR_REWARD]
    value += weights[SEALED] * sealed + weights[HELD] * held_balance(positions.held)
    return value + zone_value(
        switches[OPEN_UNITS],
        switches[EMPTY],
        zone,
        zone_passes,
        wait,
        shared,
        shared_passes,
        weights,
    )


@kernel(inline=True, lean=True)
def hold_regions(positions: ManySolutions, slot: np.int64) -> np.int64:
    """Note the regions of a square that only one player will fill; 1 if the mover, -1, or 0."""
    distance = positions.distance
    only = positions.pockets.claimed[slot]
    if only == 0:
        only = np.int64(distance[1, slot] == FAR) - np.int64(distance[0, slot] == FAR)
    if only != 0:
        for index in range(3):
            positions.held[np.int64(only < 0), positions.unit_of[slot, index]] = 1
    return only


@kernel(inline=True, lean=True)
def held_balance(held: np.ndarray) -> np.int64:
    """Regions that the mover holds minus those of the opponent; what both hold does not count."""
    balance = np.int64(0)
    for unit in range(held.shape[1]):
        balance += held[0, unit] - held[1, unit]
    return balance


@kernel(inline=True, lean=True)
def measure(positions: ManySolutions, player: np.int64) -> None:
    """Moves that the player (row 0) and the opponent (row 1) need to reach each empty square."""
    filled, distance = positions.filled, positions.distance
    queue = row(distance, np.int64(2))
    for side in range(2):
        who = player if side == 0 else 1 - player
        tail = np.int64(0)
        for slot in range(filled.shape[0]):
            distance[side, slot] = FAR
            if filled[slot] == 0 and positions.near[who, slot] > 0:
                distance[side, slot] = 0
                queue[tail] = slot
                tail += 1
        head = np.int64(0)
        while head < tail:
            slot = queue[head]
            head += 1
            for index in range(8):
                other = positions.around[slot, index]
                if other < 0:
                    break
                if filled[other] == 0 and distance[side, other] == FAR:
                    distance[side, other] = distance[side, slot] + 1
                    queue[tail] = other
                    tail += 1
