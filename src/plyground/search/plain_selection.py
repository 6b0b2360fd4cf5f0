"""Hooks of a search that leaves nothing out, for a module of `contract.selection` to take over."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.kernels import kernel
from plyground.search.values import INFINITE


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
