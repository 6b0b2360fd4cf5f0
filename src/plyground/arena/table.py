"""Live and final tables of a run in the terminal."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from plyground.arena.config import RunConfig
from plyground.arena.events import Event, GameEnded
from plyground.arena.results import Results, Standing
from plyground.core.files import short_name
from plyground.core.game import Scoring
from plyground.core.registry import find_game
from plyground.stats.elo import EloEstimate
from plyground.stats.margins import estimate_margin
from plyground.stats.sprt import SprtState

_REFRESH_SECONDS = 0.5
_DRAWING_SHARE = 0.05
"""The live table may take so much of the time."""

_SHORTEST_LABEL = 12
WIDEST_CROSSTABLE = 16


def standings_table(
    config: RunConfig, results: Results, total: int | None, width: int = 100, note: str = ""
) -> Table:
    """The table of a tournament or match: score, Elo with interval, time a move, failures.

    In a match Elo is the difference to the opponent, in a tournament that to the average player.
    """
    rows = results.standings()
    two_players = len(config.players) == 2
    headings = ["", "player", "score", "+ = -", "Elo diff" if two_players else "Elo", "95 %"]
    headings += ["s/move"] if two_players else ["above next", "s/move"]
    failures = any(row.failures for row in rows)
    headings += ["failures"] if failures else []
    points = any(row.points is not None for row in rows)
    headings += ["points"] if points else []
    cells = [_cells(row, "", two_players, failures, points) for row in rows]
    room, padding = _room(headings, cells, width, max(map(len, config.labels)))
    labels = shorten_labels(config.labels, room)
    table = Table(title=_title(config, results, total, note), padding=(0, padding))
    for heading in headings:
        table.add_column(
            heading,
            justify="left" if heading == "player" else "right",
            no_wrap=heading != "above next",
        )
    for row, (rank, _, *others) in zip(rows, cells, strict=True):
        table.add_row(rank, escape(labels[row.player]), *others)
    return table


def _room(
    headings: Sequence[str], cells: Sequence[Sequence[str]], width: int, longest: int
) -> tuple[int, int]:
    """What the other columns leave for names, and the padding: none where it would be too little.

    The heading `above next` may be broken.
    """
    taken = sum(
        max(len(text) for text in (heading.replace("above next", "above"), *column))
        for heading, *column in zip(headings, *cells, strict=True)
        if heading != "player"
    )
    rooms = {padding: width - taken - (1 + 2 * padding) * len(headings) - 1 for padding in (1, 0)}
    padding = 1 if rooms[1] >= min(longest, _SHORTEST_LABEL) else 0
    return rooms[padding], padding


def _cells(row: Standing, label: str, two_players: bool, failures: bool, points: bool) -> list[str]:
    rating = row.rating
    cells = [
        str(row.rank),
        label,
        f"{row.score:g}/{row.games}",
        f"{row.wins} {row.draws} {row.losses}",
        signed(rating.elo),
        f"{signed(rating.low)} to {signed(rating.high)}",
    ]
    if not two_players:
        cells.append("" if row.superiority is None else f"{100 * row.superiority:.0f} %")
    cells.append("" if row.seconds_per_move is None else f"{row.seconds_per_move:.3f}")
    cells += [str(row.failures or "")] if failures else []
    cells += ["" if row.points is None else f"{row.points:g}"] if points else []
    return cells


def _title(config: RunConfig, results: Results, total: int | None, note: str) -> str:
    played = len(results.lines)
    count = f"{played}" + (f" of {total}" if total is not None else "")
    return f"{short_name(config.game)}: {count} games" + (f", {note}" if note else "")


def crosstable(config: RunConfig, results: Results, width: int = 100) -> Table | None:
    """Points of everybody against everybody, best player first; None when it would be too wide."""
    rows = results.standings()
    if not 2 < len(rows) <= WIDEST_CROSSTABLE:
        return None
    points = results.crosstable()
    labels = shorten_labels(config.labels, width - 8 * len(rows) - 8)
    table = Table(title="points of the row against the column")
    table.add_column("", justify="right")
    table.add_column("player", no_wrap=True)
    for row in rows:
        table.add_column(str(row.rank), justify="right", no_wrap=True)
    for row in rows:
        cells = [points[row.player][other.player] for other in rows]
        table.add_row(
            str(row.rank),
            escape(labels[row.player]),
            *("" if cell is None else f"{cell:g}" for cell in cells),
        )
    return table


def signed(elo: float) -> str:
    """A whole number of Elo with its sign; zero has none that could be minus."""
    return f"{round(elo) + 0:+d}"


def shorten_labels(labels: Sequence[str], width: int) -> list[str]:
    """Names that fit into a column: of a long path the end is kept, which tells files apart."""
    room = max(_SHORTEST_LABEL, width)
    return [label if len(label) <= room else "…" + label[1 - room :] for label in labels]


def solo_table(config: RunConfig, results: Results, total: int | None, note: str = "") -> Table:
    """Turns and deaths of the players of a one-player game, or their points where those count."""
    title = _title(config, results, total, note)
    if find_game(config.game).info.scoring is Scoring.POINTS:
        return _points_table(config, results, title)
    table = Table("player", "games", "turns", "deaths", "turns a death", "95 %", title=title)
    for row in results.solo_standings():
        low, hazard, high = row.hazard
        table.add_row(
            escape(config.labels[row.player]),
            str(len(row.lines)),
            str(row.turns),
            str(row.deaths),
            f"{1 / hazard:.0f}" if hazard else "",
            f"{1 / high:.0f} to {1 / low:.0f}" if high and low else "",
        )
    return table


def _points_table(config: RunConfig, results: Results, title: str) -> Table:
    """Points a game, by the games that were played to their end."""
    table = Table("player", "games", "points a game", "95 %", "best", title=title)
    for row in results.solo_standings():
        points = [line.outcome.scores[0] for line in row.lines if line.outcome.scores]
        mean = estimate_margin(points)
        table.add_row(
            escape(config.labels[row.player]),
            str(len(row.lines)),
            f"{mean.mean:.1f}" if points else "",
            f"{mean.low:.1f} to {mean.high:.1f}" if mean.low is not None else "",
            f"{max(points):g}" if points else "",
        )
    return table


def describe_elo(estimate: EloEstimate, first: str, second: str) -> str:
    """One line about the strength of the first player relative to the second."""
    return (
        f"{first} against {second}: score {100 * estimate.score:.1f} % "
        f"[{100 * estimate.score_low:.1f}, {100 * estimate.score_high:.1f}], "
        f"Elo {signed(estimate.elo)} [{signed(estimate.low)}, {signed(estimate.high)}], "
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


def describe_duration(seconds: float) -> str:
    """`40 s`, `12 min`, `3 h 20 min`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


class LiveTable:
    """Redraws the table as games end; use it as a context manager and as a listener."""

    def __init__(self, config: RunConfig, results: Results, total: int | None, console: Console):
        self._config = config
        self._results = results
        self._total = total
        self._console = console
        self._began = time.monotonic()
        self._before = len(results.lines)
        self._next = 0.0
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> LiveTable:
        self._live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.__exit__(None, None, None)

    def __call__(self, event: Event) -> None:
        now = time.monotonic()
        if not isinstance(event, GameEnded) or now < self._next:
            return
        note = self._time_left(now)
        if len(event.result.task.seats) == 1:
            table = solo_table(self._config, self._results, self._total, note)
        else:
            table = standings_table(
                self._config, self._results, self._total, self._console.width, note
            )
        self._live.update(table, refresh=True)
        spent = time.monotonic() - now
        self._next = now + max(_REFRESH_SECONDS, spent / _DRAWING_SHARE)

    def _time_left(self, now: float) -> str:
        """How long the rest will take at the pace so far."""
        played = len(self._results.lines) - self._before
        if self._total is None or played < 2:
            return ""
        left = (self._total - len(self._results.lines)) * (now - self._began) / played
        return f"about {describe_duration(left)} left" if left > 0 else ""
