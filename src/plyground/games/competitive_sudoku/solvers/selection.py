"""How both searches over solutions choose what to look at: hooks of `search.alphabeta_kernel`.

Values are future points of the mover minus those of the opponent, times SCALE, whatever the score
is. A value is certain if no estimate went into it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.kernels import kernel
from plyground.search.plain_selection import depth_after_skip as depth_after_skip
from plyground.search.plain_selection import extended_depth as extended_depth
from plyground.search.plain_selection import skip as skip
from plyground.search.plain_selection import value_bounds as value_bounds

NARROW_WINDOWS = True
KILLERS = False
TRACK_CERTAINTY = True
COUNT_ROOT = True
HISTORY_MOST = np.int64(1) << np.int64(13)
HISTORY_SHIFT = np.int64(6)

SCALE = np.int64(100)
EARLY_MOVES = 4

# The first places in the `switches` of either search.
RESTRICTED, REDUCE = range(2)
COMMON_SWITCHES = 2


@kernel(lean=True)
def cut_gain(depth: np.int64) -> np.int64:
    """Deep cuts count more."""
    return depth * depth


@kernel(lean=True)
def history_promise(history: np.int64) -> np.int64:
    """History in the unit of promises: about a point at most."""
    return history >> HISTORY_SHIFT


@kernel(lean=True)
def reduction(
    positions: Any,
    ply: np.int64,
    depth: np.int64,
    tried: np.int64,
    move: np.int64,
    reward: np.int64,
) -> np.int64:
    """Late moves without points, where REDUCE is set."""
    if positions.switches[REDUCE] == 0 or tried < EARLY_MOVES or depth < 3 or reward != 0:
        return np.int64(0)
    return np.int64(1) if tried < 3 * EARLY_MOVES or depth < 5 else np.int64(2)
