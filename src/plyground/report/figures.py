"""What all plots are made with: the house style, rows with intervals, labels, output formats."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from plyground.report.theme import LIGHT, PARAMETERS, colour

WIDTH = 8.6
ROWS_A_PANEL = 36
ROW_HEIGHT = 0.235


def styled(draw: Callable[[], Figure | None]) -> Figure | None:
    """Draw with the house style."""
    with mpl.rc_context(PARAMETERS):
        return draw()


def as_svg(figure: Figure, salt: str) -> str:
    """The figure as SVG text; `salt` keeps the ids of several drawings in one page apart."""
    more = {"svg.hashsalt": salt}
    return _saved(figure, more, format="svg", metadata={"Date": None}).decode()


def as_png(figure: Figure) -> bytes:
    """The figure as a PNG picture."""
    return _saved(figure, {}, format="png", dpi=150)


def _saved(figure: Figure, parameters: dict[Any, Any], **how: Any) -> bytes:
    out = io.BytesIO()
    with mpl.rc_context({**PARAMETERS, **parameters}), warnings.catch_warnings():
        # Names in any script: whoever looks at an SVG has the letters that are not here.
        warnings.filterwarnings("ignore", r"Glyph \d+")
        figure.savefig(out, bbox_inches="tight", **how)
    return out.getvalue()


def shorten(name: str, most: int = 34) -> str:
    """A label that fits: the middle is left out when it is too long."""
    if len(name) <= most:
        return name
    keep = (most - 1) // 2
    return f"{name[:keep]}…{name[-keep:]}"


@dataclass(frozen=True)
class Row:
    """A labelled value with its interval; `note` stands at the end of the line."""

    label: str
    value: float
    low: float
    high: float
    note: str = ""
    colour: str = ""


def rows_with_intervals(
    groups: dict[str, list[Row]],
    title: str,
    axis: str,
    reference: float,
    limits: tuple[float, float] | None = None,
    percent: bool = False,
) -> Figure:
    """A dot with its interval per row, the first row on top.

    Each group gets a panel with its name; long groups are broken into several, and panels stand
    side by side in up to three columns.
    """
    panels: list[tuple[str, list[Row]]] = []
    for name, rows in groups.items():
        parts = max(1, math.ceil(len(rows) / ROWS_A_PANEL))
        size = math.ceil(len(rows) / parts)
        panels += [
            (name if part == 0 else f"{name} (continued)" if name else "", rows[start:][:size])
            for part, start in enumerate(range(0, len(rows), size))
        ]
    columns = min(3, len(panels))
    lines = math.ceil(len(panels) / columns)
    most = 40 if columns == 1 else 30
    widest = max(len(shorten(row.label, most)) for rows in groups.values() for row in rows)
    heights = [
        max(len(rows) for _, rows in panels[line * columns :][:columns]) for line in range(lines)
    ]
    figure = Figure(
        figsize=(
            max(WIDTH, columns * (0.07 * widest + 2.5)),
            0.55 + sum(0.75 + ROW_HEIGHT * max(rows, 2) for rows in heights),
        ),
        layout="constrained",
    )
    grid = figure.subplots(
        lines, columns, sharex=True, squeeze=False, height_ratios=[max(h, 2) for h in heights]
    )
    for index, ax in enumerate(grid.flat):
        if index >= len(panels):
            ax.set_visible(False)
            continue
        name, rows = panels[index]
        _draw_rows(ax, rows, heights[index // columns], most)
        ax.axvline(reference, color=LIGHT["soft"], lw=0.9, ls=(0, (4, 3)), zorder=0)
        ax.tick_params(axis="x", labelbottom=True)
        if name:
            ax.set_title(shorten(name, 52), fontsize=9)
        if index + columns >= len(panels):
            ax.set_xlabel(axis)
        if percent:
            percent_axis(ax.xaxis)
        if limits:
            ax.set_xlim(*limits)
    set_title(figure, title)
    return figure


def _draw_rows(ax: Axes, rows: Sequence[Row], room: int, most: int) -> None:
    for place, row in enumerate(rows):
        paint = row.colour or colour(0)
        ax.plot([row.low, row.high], [place, place], color=paint, lw=1.8)
        ax.plot([row.value], [place], "o", color=paint, ms=5)
        ax.annotate(
            row.note,
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=7.5,
            color=LIGHT["soft"],
        )
    ax.set_yticks(range(len(rows)), [shorten(row.label, most) for row in rows], fontsize=8.5)
    ax.set_ylim(max(room, 2) - 0.4, -0.6)
    ax.grid(axis="y", visible=False)
    ax.tick_params(axis="y", length=0)


def set_title(figure: Figure, title: str) -> None:
    """The title of a figure, flush left."""
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")


def percent_axis(axis: Any) -> None:
    """Show shares as percentages."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))


def name_seconds(value: float) -> str:
    """A time with its unit, milliseconds below a second."""
    return f"{value:g} s" if value >= 1 else f"{1000 * value:g} ms"
