"""Why a move was a mistake, in a sentence: what it does to the number of solutions."""

from __future__ import annotations

import numpy as np

from plyground.core.game import Position

COUNTED = 5_000
"""More solutions than this are not counted."""


def why(position: Position, played: str, better: str) -> str:
    """The solutions that both moves leave; empty while there are too many to count."""
    if better.endswith("!"):
        if better == "!":
            return "One solution is left: claim it."
        return "The better digit leaves one solution, which can be claimed at once."
    left = _solutions(position.play(played))
    if left is None:
        return ""
    if left == 1:
        return "It leaves one solution, and the opponent claims it."
    other = _solutions(position.play(better)) if better else None
    if other is None:
        return f"It leaves {left} solutions, few enough to be solved to the end."
    fewer = "fewer" if left < other else "more"
    return f"It leaves {left} solutions, {fewer} than the {other} of the better move."


def _solutions(position: Position) -> int | None:
    """How many solutions a grid has; None if they are too many."""
    from plyground.games.codecup_sudoku import GridPosition

    assert isinstance(position, GridPosition)
    count = int(position.game.rules.count_up_to(position.digits, np.int64(COUNTED + 1)))
    return count if count <= COUNTED else None
