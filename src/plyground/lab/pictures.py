"""Pictures of shares, for experiments that count and have no games to show."""

from __future__ import annotations

from collections.abc import Mapping

from plyground.lab.checks import wilson
from plyground.report.page import Plot

Shares = Mapping[str, tuple[int, int]]
"""By label: how often something came out, and of how many."""


def plot_shares(
    name: str, groups: Mapping[str, Shares], axis: str, title: str, reference: float = 0.5
) -> Plot:
    """A line for each share, with its 95 % interval; a panel for each group."""
    from plyground.report.figures import Row, rows_with_intervals, styled

    rows = {
        group: [
            Row(label, hits / total, *wilson(hits, total), f"{hits:,} of {total:,}")
            for label, (hits, total) in shares.items()
            if total
        ]
        for group, shares in groups.items()
    }
    figure = styled(lambda: rows_with_intervals(rows, title, axis, reference, percent=True))
    assert figure is not None
    return Plot(name, figure, f"{axis.capitalize()}, with 95 % intervals")
