"""Pictures of what was counted in random games; measurements do not depend on this module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plyground.games.connect4.experiments.playouts import handicaps, playouts
from plyground.lab.pictures import Shares, plot_shares
from plyground.lab.results import Results
from plyground.report.page import Block

RIGHTS = {"both": "both", "none": "nobody", "second": "the second player", "first": "the first"}
DOCUMENT = {"both": (744, 1000), "none": (587, 1000), "second": (989, 1000)}


def _won(counts: Mapping[str, int]) -> tuple[int, int]:
    return counts["wins"], counts["wins"] + counts["draws"] + counts["losses"]


def plot_handicaps(results: Results) -> Sequence[Block]:
    """The first player's wins by who may play mean moves, the document's counts beside ours."""
    ours = {word: _won(results.value(f"random-{mean}")) for mean, word in RIGHTS.items()}
    theirs = {RIGHTS[mean]: counts for mean, counts in DOCUMENT.items()}
    groups: dict[str, Shares] = {"ours": ours, "the document's": theirs}
    axis = "share of games that the first player wins"
    title = "Random games, by who may play mean moves"
    return (plot_shares("connect4-random-wins", groups, axis, title),)


def plot_columns(results: Results) -> Sequence[Block]:
    """The first player's wins by the column of the first move."""
    counts = results.value("first-columns")["counts"]
    columns = {f"column {move}": _won(counts[move]) for move in counts}
    mean = sum(won for won, _ in columns.values()) / sum(total for _, total in columns.values())
    axis = "share of games that the first player wins"
    title = "Random games, by the first move"
    return (plot_shares("connect4-columns", {"": columns}, axis, title, mean),)


handicaps.plots = plot_handicaps
playouts.plots = plot_columns
