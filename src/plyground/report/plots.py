"""Plots of a run. Every function gives a matplotlib figure, or None where there is nothing to see.

Scores are shares of the points with 95 % intervals. Long lists are broken into panels, so that a
plot of a hundred conditions stays readable.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from plyground.report.figures import (
    WIDTH,
    Row,
    name_seconds,
    percent_axis,
    rows_with_intervals,
    set_title,
    shorten,
)
from plyground.report.games import PlayedGame
from plyground.report.summary import Encounter, Summary
from plyground.report.theme import LIGHT, colour, marker
from plyground.stats.kaplan_meier import kaplan_meier

MOST_ROWS = 12
"""Distributions in one figure."""


def ratings(summary: Summary) -> Figure | None:
    """Elo ratings with intervals, strongest on top."""
    rows = [
        Row(entry.player, rating.elo, rating.low, rating.high, f"{rating.games} games")
        for entry in summary.standings
        if (rating := entry.rating) is not None and entry.games
    ]
    if len(rows) < 2:
        return None
    return rows_with_intervals(
        {"": rows},
        "Ratings with 95 % intervals",
        "Elo difference" if len(rows) == 2 else "Elo (the average of all players is 0)",
        0.0,
    )


def cross_heat(summary: Summary) -> Figure | None:
    """Who scored what against whom, as a coloured square."""
    names = [s.player for s in summary.standings if s.games]
    if len(names) < 3:
        return None
    table = np.full((len(names), len(names)), np.nan)
    for row, player in enumerate(names):
        for column, opponent in enumerate(names):
            met = summary.cross.get((player, opponent))
            if met is not None:
                table[row, column] = met.estimate.score
    size = 0.62 if len(names) <= 12 else 0.36
    labels = [shorten(name, 24) for name in names]
    edge = 0.075 * max(map(len, labels))
    figure = Figure(
        figsize=(max(5.0, edge + 1.4 + size * len(names)), edge + 0.9 + size * len(names)),
        layout="constrained",
    )
    ax = figure.subplots()
    image = ax.imshow(table, cmap="RdYlBu", vmin=0.0, vmax=1.0)
    ax.set_xticks(
        range(len(names)), labels, rotation=90 if max(map(len, labels)) > 8 else 0, fontsize=8.5
    )
    ax.set_yticks(range(len(names)), labels, fontsize=8.5)
    ax.grid(visible=False)
    ax.tick_params(length=0)
    if len(names) <= 16:
        for (row, column), value in np.ndenumerate(table):
            if not math.isnan(value):
                dark = abs(value - 0.5) > 0.33
                ax.text(
                    column,
                    row,
                    f"{100 * value:.0f}",
                    ha="center",
                    va="center",
                    fontsize=8.5,
                    color="#fefefe" if dark else "#222222",
                )
    bar = figure.colorbar(image, ax=ax, shrink=0.8, label="score of the row's player")
    percent_axis(bar.ax.yaxis)
    set_title(figure, "Score of each player against each other (%)")
    return figure


def score_over_time(summary: Summary) -> Figure | None:
    """Score of each pairing over the time a move; many pairings get a panel each."""
    lines: dict[tuple[str, str], list[Encounter]] = {}
    for entry in summary.by_time:
        lines.setdefault((entry.player, entry.opponent), []).append(entry)
    times = sorted({e.seconds for e in summary.by_time if e.seconds is not None})
    if len(times) < 2:
        return None
    together = len(lines) <= 4
    columns = 1 if together else 3
    rows = 1 if together else math.ceil(len(lines) / columns)
    figure = Figure(figsize=(WIDTH, 3.7 if together else 0.6 + 2.3 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for number, ((player, opponent), points) in enumerate(lines.items()):
        ax = grid[0, 0] if together else grid.flat[number]
        shift = 1.03 ** (number - (len(lines) - 1) / 2) if together else 1.0
        _score_line(ax, sorted(points, key=lambda e: e.seconds or 0.0), number, shift)
        if not together:
            ax.set_title(f"{shorten(player, 18)} – {shorten(opponent, 18)}", fontsize=8.5)
    for ax in grid.flat:
        ax.axhline(0.5, color=LIGHT["soft"], lw=0.9, ls=(0, (4, 3)), zorder=0)
        ax.set_xscale("log")
        ax.set_xticks(times, [name_seconds(value) for value in times])
        ax.minorticks_off()
        ax.tick_params(axis="x", labelsize=9.5 if together else 7.5)
        ax.set_ylim(-0.04, 1.04)
        percent_axis(ax.yaxis)
    for ax in list(grid.flat)[len(lines) :] if not together else []:
        ax.set_visible(False)
    for ax in grid[-1]:
        ax.set_xlabel("time a move")
    for ax in grid[:, 0]:
        ax.set_ylabel("score of the first-named")
    if together:
        grid[0, 0].legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8.5)
    set_title(figure, "Score over thinking time")
    return figure


def _score_line(ax: Axes, points: Sequence[Encounter], number: int, shift: float) -> None:
    scores = np.array([entry.estimate.score for entry in points])
    lows = np.array([entry.estimate.score_low for entry in points])
    highs = np.array([entry.estimate.score_high for entry in points])
    ax.errorbar(
        [(entry.seconds or 0.0) * shift for entry in points],
        scores,
        yerr=[np.maximum(scores - lows, 0.0), np.maximum(highs - scores, 0.0)],
        color=colour(number),
        marker=marker(number),
        ms=5,
        lw=1.6,
        elinewidth=1.0,
        capsize=2.5,
        label=f"{shorten(points[0].player, 24)} against {shorten(points[0].opponent, 24)}",
    )


def score_over_settings(summary: Summary) -> Figure | None:
    """Score of each pairing on each board (or other setting)."""
    if len({entry.setting for entry in summary.by_setting}) < 2:
        return None
    return _score_rows(summary.by_setting, "Score by board or setting", lambda entry: entry.setting)


def conditions(summary: Summary) -> Figure | None:
    """Score under every single condition of time and setting."""
    if len({(entry.limit, entry.setting) for entry in summary.conditions}) < 2:
        return None
    return _score_rows(
        summary.conditions,
        "Score under each condition",
        lambda entry: ", ".join(part for part in (entry.setting, entry.limit) if part),
    )


def _score_rows(
    entries: Sequence[Encounter], title: str, label: Callable[[Encounter], str]
) -> Figure:
    groups: dict[str, list[Row]] = {}
    for entry in entries:
        name = f"{entry.player} – {entry.opponent}"
        rows = groups.setdefault(name, [])
        estimate = entry.estimate
        rows.append(
            Row(
                label(entry),
                estimate.score,
                estimate.score_low,
                estimate.score_high,
                f"n={entry.games}",
                colour(list(groups).index(name)),
            )
        )
    return rows_with_intervals(
        groups, title, "score of the first-named player", 0.5, (-0.02, 1.02), percent=True
    )


def histogram(
    groups: dict[str, list[float]], title: str, axis: str, unit_bins: bool = True
) -> Figure | None:
    """Distributions one above the other with the same axis; the line is the median."""
    groups = {name: values for name, values in groups.items() if values}
    if not groups:
        return None
    everything = np.concatenate([np.asarray(values, float) for values in groups.values()])
    low, high = float(everything.min()), float(everything.max())
    step = max(1.0, math.ceil((high - low + 1) / 60)) if unit_bins else (high - low or 1.0) / 40
    edges = np.arange(low - step / 2, high + step, step)
    shown = list(groups)[:MOST_ROWS]
    figure = Figure(figsize=(WIDTH, 0.9 + 1.05 * len(shown)), layout="constrained")
    axes = np.atleast_1d(figure.subplots(len(shown), 1, sharex=True))
    for number, (name, ax) in enumerate(zip(shown, axes, strict=True)):
        values = groups[name]
        ax.hist(values, bins=edges, color=colour(number), edgecolor=LIGHT["paper"], lw=0.4)
        ax.axvline(float(np.median(values)), color=LIGHT["ink"], lw=1.1)
        ax.set_ylabel("games", fontsize=8.5)
        ax.yaxis.set_major_locator(MaxNLocator(3, integer=True))
        ax.set_title(
            f"{shorten(name, 60)}: median {np.median(values):g}, {len(values)} games",
            fontsize=9,
            fontweight="normal",
        )
        ax.grid(axis="x", visible=False)
    axes[-1].set_xlabel(axis)
    more = f" (first {len(shown)} of {len(groups)})" if len(groups) > len(shown) else ""
    set_title(figure, title + more)
    return figure


def margins(games: Sequence[PlayedGame]) -> Figure | None:
    """Point margins, per pairing, seen by the first-named player; of many pairs, per player."""
    counted = [row for row in games if row.margin is not None and row.second and not row.failed]
    groups: dict[str, list[float]] = {}
    if _crowded(counted):
        for row in counted:
            groups.setdefault(row.first, []).append(row.margin or 0.0)
            groups.setdefault(row.second, []).append(-(row.margin or 0.0))
        return histogram(groups, "Point margins", "points of the player minus the opponents'")
    seats: dict[frozenset[str], tuple[str, str]] = {}
    for row in counted:
        first, second = seats.setdefault(
            frozenset((row.first, row.second)), (row.first, row.second)
        )
        margin = row.margin or 0.0
        groups.setdefault(f"{first} against {second}", []).append(
            margin if row.first == first else -margin
        )
    return histogram(groups, "Point margins", "points of the first-named player minus the other's")


def _crowded(games: Sequence[PlayedGame]) -> bool:
    """Whether more pairs met than one figure shows: then each player has a row of its own."""
    return len({frozenset((row.first, row.second)) for row in games}) > MOST_ROWS


def lengths(games: Sequence[PlayedGame]) -> Figure | None:
    """Game lengths: plies, or turns survived in a one-player game."""
    groups: dict[str, list[float]] = {}
    solo = any(not row.second for row in games)
    crowded = _crowded(games)
    for row in games:
        pair = " – ".join(sorted((row.first, row.second)))
        names = [row.first] if solo else [row.first, row.second] if crowded else [pair]
        for name in names:
            groups.setdefault(name, []).append(float((row.turns or 0) if solo else row.plies))
    title, unit = ("Turns survived", "turns") if solo else ("Game lengths", "plies")
    return histogram(groups, title, unit)


def effort(games: Sequence[PlayedGame], players: Sequence[str]) -> Figure | None:
    """Seconds and nodes a move by player: median, middle half and 5 to 95 % range."""
    seconds: dict[str, list[float]] = {name: [] for name in players}
    nodes: dict[str, list[float]] = {name: [] for name in players}
    for row in games:
        for seat, name in enumerate((row.first, row.second)):
            for mover, time, count in row.moves:
                if mover == seat and name in seconds:
                    if time is not None and time > 0:
                        seconds[name].append(time)
                    if count:
                        nodes[name].append(float(count))
    panels = [
        (values, label)
        for values, label in ((seconds, "seconds a move"), (nodes, "nodes a move"))
        if any(values.values())
    ]
    if not panels:
        return None
    names = [name for name in players if seconds[name] or nodes[name]]
    figure = Figure(
        figsize=(WIDTH, 1.0 + 0.3 * max(2, len(names))),
        layout="constrained",
    )
    axes = np.atleast_1d(figure.subplots(1, len(panels), sharey=True))
    for (values, label), ax in zip(panels, axes, strict=True):
        _ranges(ax, names, values, label)
    set_title(figure, "Effort a move: median, middle half, 5 to 95 %")
    return figure


def _ranges(ax: Axes, names: Sequence[str], values: dict[str, list[float]], label: str) -> None:
    for place, name in enumerate(names):
        if not values[name]:
            continue
        marks = np.percentile(values[name], [5, 25, 50, 75, 95])
        paint = colour(place)
        ax.plot([marks[0], marks[4]], [place, place], color=paint, lw=1.3)
        ax.plot([marks[1], marks[3]], [place, place], color=paint, lw=6, solid_capstyle="butt")
        ax.plot([marks[2]], [place], "o", ms=5, mfc=LIGHT["paper"], mec=paint, mew=1.6)
    ax.set_xscale("log")
    ax.set_yticks(range(len(names)), [shorten(name, 26) for name in names], fontsize=8.5)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.grid(axis="y", visible=False)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(label)


def survival_curves(games: Sequence[PlayedGame]) -> Figure | None:
    """Share of games still alive after a number of turns (Kaplan-Meier; capped games are ticks)."""
    groups: dict[str, list[tuple[int, bool]]] = {}
    for row in games:
        if row.turns is not None:
            groups.setdefault(row.first, []).append((row.turns, row.termination != "ply limit"))
    if not groups:
        return None
    figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
    ax = figure.subplots()
    for number, (name, ends) in enumerate(groups.items()):
        turns, alive, capped = kaplan_meier(ends)
        label = f"{shorten(name, 30)} (n={len(ends)})"
        ax.step(turns, alive, where="post", color=colour(number), lw=1.7, label=label)
        heights = [alive[np.searchsorted(turns, turn, side="right") - 1] for turn in capped]
        ax.plot(capped, heights, "|", color=colour(number), ms=9, mew=1.6)
    ax.set_xlabel("turns")
    ax.set_ylabel("games still alive")
    ax.set_ylim(-0.03, 1.03)
    ax.set_xlim(left=0)
    percent_axis(ax.yaxis)
    ax.set_title("Survival (a tick is a game that was capped alive)")
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8.5)
    return figure
