"""Search trees for the page, as plain values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from plyground.core.game import Position
from plyground.core.limits import Limit

SIMULATIONS = 4000
DEPTH = 5
WIDTH = 7


def tree_of(position: Position) -> dict[str, Any]:
    """The tree of a short Monte Carlo search; a typed error where the game has no such search."""
    from plyground.report.tree_nodes import mcts_tree  # brings the searches along

    return asdict(mcts_tree(position, Limit(nodes=SIMULATIONS), DEPTH, WIDTH))
