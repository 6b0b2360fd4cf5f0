"""How alpha-beta chooses what to look at. This default is the plain search: it leaves nothing out.

A game that gives a module of its own here defines all of these names; those of `plain_selection` it
may take over.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.kernels import kernel
from plyground.search.plain_selection import depth_after_skip as depth_after_skip
from plyground.search.plain_selection import extended_depth as extended_depth
from plyground.search.plain_selection import skip as skip
from plyground.search.plain_selection import value_bounds as value_bounds

NARROW_WINDOWS = False
"""Search moves after the first in a window of width 1, and again if they turn out better."""

KILLERS = True
"""Try moves first that cut off other nodes of the same ply."""

TRACK_CERTAINTY = False
"""Remember of each value whether an estimate went into it; certain ones count at every depth."""

COUNT_ROOT = False
"""Whether the root counts as a node, or moves played only."""

HISTORY_MOST = np.int64(1) << 20
"""When the history of a move exceeds this, all of that player's are halved."""


@kernel(lean=True)
def cut_gain(depth: np.int64) -> np.int64:
    """What a cut at this depth adds to a move's history."""
    return np.int64(1) << min(depth, np.int64(20))


@kernel(lean=True)
def history_promise(history: np.int64) -> np.int64:
    """What a move's history adds to its promise."""
    return history << np.int64(30)


@kernel(lean=True)
def reduction(
    positions: Any,
    ply: np.int64,
    depth: np.int64,
    tried: np.int64,
    move: np.int64,
    reward: np.int64,
) -> np.int64:
    """By how many plies a move is searched less deeply at first, after so many others."""
    return np.int64(0)
