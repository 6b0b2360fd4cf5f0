"""Pictures of what was counted in small sets; measurements do not depend on this module."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.games.codecup_sudoku.experiments.contest import small
from plyground.lab.pictures import plot_shares
from plyground.lab.results import Results
from plyground.report.page import Block


def plot_counts(results: Results) -> Sequence[Block]:
    """Positions that the player to move wins, by their number of solutions."""
    won = results.value("small-sets")["won"]
    groups = {"": {f"{size} solutions": (hits, total) for size, (hits, total) in won.items()}}
    axis = "share of positions that the player to move wins"
    return (plot_shares("codecup-counts-won", groups, axis, "Won, by the number of solutions"),)


small.plots = plot_counts
