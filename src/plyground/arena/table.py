"""Live and final tables of a run in the terminal."""

from __future__ import annotations

import time

from rich.console import Console
from rich.live import Live
from rich.table import Table

from plyground.arena.config import RunConfig
from plyground.arena.events import Event, GameEnded
from plyground.arena.results import Results
from plyground.stats.elo import EloEstimate
from plyground.stats.hazard import estimate_hazard
from plyground.stats.sprt import SprtState

_REFRESH_SECONDS = 0.5
_RATING_RESAMPLES = 50


def standings_table(
    config: RunConfig, results: Results, total: int | None, resamples: int = 400
) -> Table:
    """The table of a tournament or match: score, Elo with interval, time a move, failures."""
    played = len(results.lines)
    title = f"{config.game}: {played}" + (f" of {total}" if total is not None else "") + " games"
    rows = results.standings(resamples)
    with_points = any(row.points is not None for row in rows)
    table = Table(title=title)
    for heading in ("", "player", "score", "+ = -", "Elo", "95 %", "s/move", "failures"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    if with_points:
        table.add_column("points", justify="right")
    for row in rows:
        rating = row.rating
        cells = [
            str(row.rank),
            config.labels[row.player],
            f"{row.score:g}/{row.games}",
            f"{row.wins} {row.draws} {row.losses}",
            f"{rating.elo:+.0f}",
            f"{rating.low:+.0f} to {rating.high:+.0f}",
            "" if row.seconds_per_move is None else f"{row.seconds_per_move:.3f}",
            str(row.failures or ""),
        ]
        table.add_row(*cells, *([f"{row.points:g}"] if row.points is not None else []))
    return table


def solo_table(config: RunConfig, results: Results, total: int | None) -> Table:
    """Turns and deaths of the players of a one-player game."""
    played = len(results.lines)
    title = f"{config.game}: {played}" + (f" of {total}" if total is not None else "") + " games"
    table = Table("player", "games", "turns", "deaths", "turns a death", "95 %", title=title)
    for player, label in enumerate(config.labels):
        lines = [line for line in results.lines.values() if line.seats == (player,)]
        turns = sum(line.survived for line in lines)
        deaths = sum(line.died for line in lines)
        low, hazard, high = estimate_hazard(deaths, turns)
        table.add_row(
            label,
            str(len(lines)),
            str(turns),
            str(deaths),
            f"{1 / hazard:.0f}" if hazard else "",
            f"{1 / high:.0f} to {1 / low:.0f}" if high and low else "",
        )
    return table


def describe_elo(estimate: EloEstimate, first: str, second: str) -> str:
    """One line about the strength of the first player relative to the second."""
    return (
        f"{first} against {second}: score {100 * estimate.score:.1f} % "
        f"[{100 * estimate.score_low:.1f}, {100 * estimate.score_high:.1f}], "
        f"Elo {estimate.elo:+.0f} [{estimate.low:+.0f}, {estimate.high:+.0f}], "
        f"superior with probability {100 * estimate.los:.1f} %"
    )


def describe_sprt(state: SprtState) -> str:
    """One line about the sequential test."""
    verdict = {
        "accept_elo0": "elo0 accepted",
        "accept_elo1": "elo1 accepted",
        "continue": "no decision yet",
    }[state.decision]
    return f"SPRT: LLR {state.llr:.2f} [{state.lower:.2f}, {state.upper:.2f}], {verdict}"


class LiveTable:
    """Redraws the table as games end; use it as a context manager and as a listener."""

    def __init__(self, config: RunConfig, results: Results, total: int | None, console: Console):
        self._config = config
        self._results = results
        self._total = total
        self._solo = False
        self._drawn = 0.0
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> LiveTable:
        self._live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.__exit__(None, None, None)

    def __call__(self, event: Event) -> None:
        if not isinstance(event, GameEnded):
            return
        now = time.monotonic()
        if now - self._drawn < _REFRESH_SECONDS:
            return
        self._drawn = now
        if len(event.result.task.seats) == 1:
            table = solo_table(self._config, self._results, self._total)
        else:
            table = standings_table(self._config, self._results, self._total, _RATING_RESAMPLES)
        self._live.update(table, refresh=True)
