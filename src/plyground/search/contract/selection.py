"""How alpha-beta chooses what to look at. This default is the plain search: it leaves nothing out.

A game that gives a module of its own here defines all of these names.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.kernels import kernel
from plyground.search.values import INFINITE

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
def extended_depth(
    positions: Any, ply: np.int64, depth: np.int64, root_depth: np.int64
) -> np.int64:
    """The depth to search a node to that was given `depth`: more where things are not quiet."""
    return depth


@kernel(lean=True)
def value_bounds(positions: Any, ply: np.int64) -> tuple[np.int64, np.int64]:
    """The least and the most that a node can be worth to its mover."""
    return -INFINITE, INFINITE


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


@kernel(lean=True)
def depth_after_skip(
    positions: Any, ply: np.int64, depth: np.int64, alpha: np.int64, beta: np.int64
) -> np.int64:
    """How deep to look what happens if the mover makes no move at all; -1 for not at all.

    Who is above beta even then needs no full search.
    """
    return np.int64(-1)


@kernel(lean=True)
def skip(positions: Any, ply: np.int64) -> None:
    """Write the position with the other player to move to the next ply; nothing undoes it."""
