"""What a position is worth where the champion's searches stop, in hundredths of a point.

Free squares: the parity law. The mover loses the fight for the open regions when empty squares and
passes are both even in number, and wins it otherwise. Restricted squares: zones (squares that one
player reaches sooner), who can wait longer, parity where both can wait equally long, and squares
that are out of the other's reach for good: they are filled last, by their owner, and with them the
regions that they belong to. The weights of the restricted estimate were fitted to results of the
champion's games against itself.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels.marker import kernel

# Places in `weights`.
PARITY, PARITY_BASE, REWARD_NOW, THEIR_REWARD, ZONE, WAIT, STAMINA = range(7)
SEALED, HELD = range(7, 9)
WEIGHTS = 9

LONGEST_WAIT = np.int64(8)


@kernel(lean=True)
def parity_value(
    open_regions: np.int64, squares: np.int64, passes: np.int64, weights: np.ndarray
) -> np.int64:
    """The parity law over shared squares and passes, for the player to move."""
    stake = open_regions * weights[PARITY] + weights[PARITY_BASE]
    if squares % 2 == 0 and passes % 2 == 0:
        return -stake
    return stake


@kernel(lean=True)
def zone_value(
    open_regions: np.int64,
    empty: np.int64,
    zone: np.int64,
    zone_passes: np.int64,
    wait: np.int64,
    shared: np.int64,
    shared_passes: np.int64,
    weights: np.ndarray,
) -> np.int64:
    """The restricted estimate, from balances (mine minus theirs) of squares and passes.

    `zone` and `zone_passes` count what one player reaches sooner, `wait` squares and passes that
    only one player can use at once.
    """
    value = weights[ZONE] * open_regions * zone // empty
    stamina = zone + zone_passes
    if stamina > LONGEST_WAIT:
        stamina = LONGEST_WAIT
    elif stamina < -LONGEST_WAIT:
        stamina = -LONGEST_WAIT
    value += weights[STAMINA] * stamina
    if wait > 0:
        return value + weights[WAIT]
    if wait < 0:
        return value - weights[WAIT]
    return value + parity_value(open_regions, shared, shared_passes, weights)
