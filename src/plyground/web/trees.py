"""Search trees for the page, as plain values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from plyground.core.game import Position
from plyground.core.limits import Limit

SIMULATIONS = 4000
SECONDS = 3.0
"""Games whose random games take long get fewer of them."""
DEPTH = 5
WIDTH = 7
WALKED = 1500
"""Nodes after which alpha-beta is not walked one ply deeper: people wait for it."""


def tree_of(position: Position, search: str = "mcts") -> dict[str, Any]:
    """The tree of a short search; a typed error where the game has no such search.

    Monte Carlo looks at `SIMULATIONS` games, or as many as take `SECONDS`. Alpha-beta is walked as
    deep as takes a moment.
    """
    from plyground.report.tree_nodes import ReferenceWalk, mcts_tree  # brings the searches along

    if search == "mcts":
        return asdict(mcts_tree(position, Limit(nodes=SIMULATIONS, time=SECONDS), DEPTH, WIDTH))
    for depth in range(1, DEPTH + 1):
        walk = ReferenceWalk(position)
        tree = walk.walk(position, depth, WIDTH)
        if walk.nodes * len(position.move_codes) > WALKED:
            break
    tree.move = f"alpha-beta to depth {depth}"
    return asdict(tree)
