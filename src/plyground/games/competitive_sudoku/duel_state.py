"""The board inside the solution-set search: make and undo, and the layout of its arrays.

Everything is indexed by `slot`, a number among the empty squares of the root: `filled` (0/1),
`taboo` (masks of values), `near` (reasons for either player to be allowed there), `unit_of` and
`around` as in `players.board_kernel`. `used` and `room` are by region.
"""

from __future__ import annotations

import numpy as np

from plyground.games.competitive_sudoku.frames import COMMON, RESTRICTED
from plyground.kernels.bits import ONE
from plyground.kernels.marker import kernel

# Places in `control` after those of `frames`.
EMPTY, PASS_LIMIT, OPEN_UNITS = range(COMMON, COMMON + 3)
CONTROL = COMMON + 3

REWARDS = np.array([0, 1, 3, 7], np.int64)


@kernel(lean=True)
def is_open(control: np.ndarray, player: np.int64, filled: np.ndarray, near: np.ndarray) -> bool:
    """Whether the player has a square to play on."""
    if control[RESTRICTED] == 0:
        return control[EMPTY] > 0
    for slot in range(filled.shape[0]):  # noqa: SIM110
        if filled[slot] == 0 and near[player, slot] > 0:
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


@kernel(lean=True)
def make_placement(
    control: np.ndarray,
    move: np.int64,
    player: np.int64,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
) -> np.int64:
    """Fill a square; its reward."""
    slot = move // 64
    bit = ONE << np.uint64((move % 64) // 2 - 1)
    reward = reward_at(unit_of, room, slot)
    for index in range(3):
        unit = unit_of[slot, index]
        used[unit] |= bit
        room[unit] -= 1
        if room[unit] == 0:
            control[OPEN_UNITS] -= 1
    filled[slot] = 1
    control[EMPTY] -= 1
    if control[RESTRICTED]:
        for index in range(8):
            other = around[slot, index]
            if other < 0:
                break
            near[player, other] += 1
    return reward


@kernel(lean=True)
def undo_placement(
    control: np.ndarray,
    move: np.int64,
    player: np.int64,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
) -> None:
    """Take the last placement back."""
    slot = move // 64
    bit = ONE << np.uint64((move % 64) // 2 - 1)
    for index in range(3):
        unit = unit_of[slot, index]
        used[unit] &= ~bit
        if room[unit] == 0:
            control[OPEN_UNITS] += 1
        room[unit] += 1
    filled[slot] = 0
    control[EMPTY] += 1
    if control[RESTRICTED]:
        for index in range(8):
            other = around[slot, index]
            if other < 0:
                break
            near[player, other] -= 1


@kernel(lean=True)
def make_pass(move: np.int64, taboo: np.ndarray) -> None:
    """Use up a pass."""
    taboo[move // 64] |= ONE << np.uint64((move % 64) // 2 - 1)


@kernel(lean=True)
def undo_pass(move: np.int64, taboo: np.ndarray) -> None:
    """Give a pass back."""
    taboo[move // 64] &= ~(ONE << np.uint64((move % 64) // 2 - 1))
