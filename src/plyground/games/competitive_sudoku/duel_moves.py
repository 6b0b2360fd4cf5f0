"""Moves, solution sets and the value of a standing position in the solution-set search."""

from __future__ import annotations

import numpy as np

from plyground.games.competitive_sudoku.duel_state import EMPTY, OPEN_UNITS, reward_at
from plyground.games.competitive_sudoku.estimate import (
    REWARD_NOW,
    THEIR_REWARD,
    parity_value,
    zone_value,
)
from plyground.games.competitive_sudoku.frames import HISTORY_SHIFT, RESTRICTED
from plyground.kernels.bits import ONE, ZERO, popcount, trailing_zeros
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix

FAR = np.int64(99)


@kernel(lean=True)
def narrow(
    slot: np.int64,
    value_index: np.int64,
    solution_bits: np.ndarray,
    filled: np.ndarray,
    alive: np.ndarray,
    options: np.ndarray,
    child_alive: np.ndarray,
    child_options: np.ndarray,
) -> None:
    """The solutions that agree with a placement, and the values they allow in each empty square."""
    words = alive.shape[0]
    changed = False
    for word in range(words):
        kept = alive[word] & solution_bits[slot, value_index, word]
        if kept != alive[word]:
            changed = True
        child_alive[word] = kept
    if not changed:
        for other in range(filled.shape[0]):
            child_options[other] = options[other]
        return
    for other in range(filled.shape[0]):
        mask = options[other]
        if filled[other] or mask & (mask - ONE) == ZERO:
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


@kernel(lean=True)
def pass_signature(
    slot: np.int64,
    value_index: np.int64,
    solution: np.int64,
    places: np.ndarray,
    unit_of: np.ndarray,
) -> np.uint64:
    """A hash of the squares that end a pass when they are filled, once the solution is known."""
    last = places.shape[0]
    total = split_mix(np.uint64(slot))
    first = np.int64(-1)
    second = np.int64(-1)
    for index in range(3):
        other = places[solution, unit_of[slot, index], value_index]
        if other >= 0 and other not in (first, second):
            total += split_mix(np.uint64(other))
        if index == 0:
            first = other
        elif index == 1:
            second = other
    return total + np.uint64(last)


@kernel(lean=True)
def list_moves(
    control: np.ndarray,
    player: np.int64,
    hint: np.int64,
    pass_limit: np.int64,
    alive: np.ndarray,
    options: np.ndarray,
    solution_bits: np.ndarray,
    places: np.ndarray,
    unit_of: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    taboo: np.ndarray,
    history: np.ndarray,
    moves: np.ndarray,
    ranks: np.ndarray,
) -> np.int64:
    """Placements and passes of the player with their ranks; negative if passes were left out.

    With one solution left, passes that the same squares end cancel in pairs: whatever one player
    gains by the first, the other undoes by the second.
    """
    count = np.int64(0)
    size = used.shape[0] // 3
    full = (ONE << np.uint64(size)) - ONE
    for slot in range(filled.shape[0]):
        if filled[slot] or (control[RESTRICTED] and near[player, slot] <= 0):
            continue
        reward = reward_at(unit_of, room, np.int64(slot))
        gifts = np.int64(0)
        for index in range(3):
            gifts += np.int64(room[unit_of[slot, index]] == 2)
        rank = 100 * reward - 30 * gifts
        mask = options[slot]
        while mask:
            value = trailing_zeros(mask) + 1
            mask &= mask - ONE
            move = slot * 64 + 2 * value
            moves[count] = move
            ranks[count] = rank + (history[player, move] >> HISTORY_SHIFT)
            count += 1
    placements = count
    solution = only_solution(alive)
    left_out = False
    for slot in range(filled.shape[0]):
        if filled[slot] or (control[RESTRICTED] and near[player, slot] <= 0):
            continue
        mask = full & ~(used[unit_of[slot, 0]] | used[unit_of[slot, 1]] | used[unit_of[slot, 2]])
        mask &= ~options[slot] & ~taboo[slot]
        while mask:
            value_index = trailing_zeros(mask)
            mask &= mask - ONE
            move = slot * 64 + 2 * (value_index + 1) + 1
            rank = np.int64(-5)
            if solution >= 0 and control[RESTRICTED] == 0:
                # The rank holds the signature until all passes are known.
                mark = pass_signature(np.int64(slot), value_index, solution, places, unit_of)
                rank = np.int64(mark >> ONE)
                twin = np.int64(-1)
                for other in range(placements, count):
                    if ranks[other] == rank:
                        twin = np.int64(other)
                        break
                if twin >= 0:
                    count -= 1
                    moves[twin] = moves[count]
                    ranks[twin] = ranks[count]
                    continue
            elif count - placements >= pass_limit:
                left_out = True
                break
            moves[count] = move
            ranks[count] = rank
            count += 1
    if count - placements > pass_limit:
        count = placements + pass_limit
        left_out = True
    for index in range(placements, count):
        ranks[index] = (history[player, moves[index]] >> HISTORY_SHIFT) - 5
    if hint:
        for index in range(count):
            if moves[index] == hint - 1:
                ranks[index] = 1_000_000
    return -count if left_out else count


@kernel(lean=True)
def standing_value(
    control: np.ndarray,
    player: np.int64,
    options: np.ndarray,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    taboo: np.ndarray,
    distance: np.ndarray,
    weights: np.ndarray,
) -> np.int64:
    """An estimate of the points that the mover will gain on the opponent, see `estimate`."""
    size = used.shape[0] // 3
    full = (ONE << np.uint64(size)) - ONE
    restricted = control[RESTRICTED] != 0
    opponent = 1 - player
    if restricted:
        measure(player, around, filled, near, distance)
    shared, shared_passes, wait = np.int64(0), np.int64(0), np.int64(0)
    zone, zone_passes = np.int64(0), np.int64(0)
    best, their_best = np.int64(0), np.int64(0)
    for slot in range(filled.shape[0]):
        if filled[slot]:
            continue
        mask = full & ~(used[unit_of[slot, 0]] | used[unit_of[slot, 1]] | used[unit_of[slot, 2]])
        pool = popcount(mask & ~options[slot] & ~taboo[slot])
        mine, theirs = True, True
        if restricted:
            mine, theirs = near[player, slot] > 0, near[opponent, slot] > 0
            lead = np.int64(distance[0, slot] < distance[1, slot])
            lead -= np.int64(distance[1, slot] < distance[0, slot])
            zone += lead
            zone_passes += lead * pool
        if mine or theirs:
            reward = reward_at(unit_of, room, np.int64(slot))
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
        return value + parity_value(control[OPEN_UNITS], shared, shared_passes, weights)
    return (
        value
        - their_best * weights[THEIR_REWARD]
        + zone_value(
            control[OPEN_UNITS],
            control[EMPTY],
            zone,
            zone_passes,
            wait,
            shared,
            shared_passes,
            weights,
        )
    )


@kernel(lean=True)
def measure(
    player: np.int64,
    around: np.ndarray,
    filled: np.ndarray,
    near: np.ndarray,
    distance: np.ndarray,
) -> None:
    """Moves that the player (row 0) and the opponent (row 1) need to reach each empty square."""
    count = filled.shape[0]
    queue = distance[2]
    for side in range(2):
        who = player if side == 0 else 1 - player
        tail = np.int64(0)
        for slot in range(count):
            distance[side, slot] = FAR
            if filled[slot] == 0 and near[who, slot] > 0:
                distance[side, slot] = 0
                queue[tail] = slot
                tail += 1
        head = np.int64(0)
        while head < tail:
            slot = queue[head]
            head += 1
            for index in range(8):
                other = around[slot, index]
                if other < 0:
                    break
                if filled[other] == 0 and distance[side, other] == FAR:
                    distance[side, other] = distance[side, slot] + 1
                    queue[tail] = other
                    tail += 1


@kernel(lean=True)
def count_passes(
    options: np.ndarray,
    unit_of: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    taboo: np.ndarray,
) -> np.int64:
    """The pool of passes on all empty squares."""
    size = used.shape[0] // 3
    full = (ONE << np.uint64(size)) - ONE
    total = np.int64(0)
    for slot in range(filled.shape[0]):
        if filled[slot] == 0:
            taken = used[unit_of[slot, 0]] | used[unit_of[slot, 1]] | used[unit_of[slot, 2]]
            total += popcount(full & ~taken & ~options[slot] & ~taboo[slot])
    return total
