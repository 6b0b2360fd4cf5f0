"""The report of a match or tournament: its sections, from the games of a run."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from matplotlib.figure import Figure

from plyground import __version__
from plyground.arena.class_table import is_class
from plyground.core.files import short_name
from plyground.report import plots
from plyground.report.figures import styled
from plyground.report.games import PlayedGame, load_run
from plyground.report.page import Block, Cell, Link, Page, Plot, Replays, Section, Table, write_page
from plyground.report.replays import Replay, choose_games, losses_first, make_replay
from plyground.report.summary import Encounter, Summary, interval, percent, summarise
from plyground.store import RunInfo, Store, default_path, export_csv

MOST_LISTED = 300
Data = TypeVar("Data")


def reports_folder() -> Path:
    """Where reports go unless said otherwise: beside the results."""
    return default_path().parent / "reports"


def write_run_report(store: Store, run: str, path: Path | None = None) -> Path:
    """Report a stored run; its games as CSV are written beside the page. The path of the page."""
    info = store.run(run)
    games = load_run(store, run)
    summary = summarise(games, info.game, info.players, info.config)
    path = path or reports_folder() / info.id / "report.html"
    write_page(run_page(info, games, summary), path)
    with open(path.parent / f"{path.stem}-games.csv", "w", encoding="utf-8", newline="") as out:
        export_csv(store, run, out)
    return path


def run_page(info: RunInfo, games: Sequence[PlayedGame], summary: Summary) -> Page:
    """The page of a run."""
    command = info.config.get("command", "")
    facts = (
        ("run", info.id),
        ("game", short_name(info.game) + _shared_options(games)),
        ("games", f"{summary.games:,} from {_starts(games)} different starts"),
        ("limit", ", ".join(dict.fromkeys(row.limit for row in games if row.limit)) or "none"),
        ("played", f"{info.created or 'unknown'}, report {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"),
        ("machine", machine()),
        *((("command", str(command)),) if command else ()),
    )
    return Page(
        title=_title(info),
        headline=summary.headline,
        facts=facts,
        sections=tuple(run_sections(games, summary)),
    )


def _title(info: RunInfo) -> str:
    """Who met in which game; a run of many by its name."""
    if len(info.players) == 2:
        return f"{' against '.join(info.players)}: {short_name(info.game)}"
    kind = "class" if is_class(info.config) else info.kind
    return f"{kind} {info.id}: {short_name(info.game)}"


def _starts(games: Sequence[PlayedGame]) -> str:
    return f"{len({row.record.beginning for row in games}):,}"


def run_sections(
    games: Sequence[PlayedGame], summary: Summary, prefix: str = "", replays: int = 12
) -> list[Section]:
    """All sections that these games have something to say about."""
    hero = summary.players[0] if summary.players else ""
    chosen = choose_games(games, replays, hero)
    stepped = [replay for row in chosen if (replay := make_replay(row))]
    sections = [
        Section(
            "Result",
            _present(
                _standings(summary),
                _survival(summary),
                _plot(prefix, "ratings", plots.ratings, summary, about="Elo of each player"),
            ),
        ),
        Section(
            "Who against whom",
            _present(
                _cross_table(summary),
                _plot(
                    prefix, "cross", plots.cross_heat, summary, about="Score of row against column"
                ),
            ),
        ),
        Section(
            "Time, boards and conditions",
            _present(
                _plot(
                    prefix,
                    "time",
                    plots.score_over_time,
                    summary,
                    about="Score over the time a move, with 95 % intervals",
                ),
                _plot(
                    prefix,
                    "settings",
                    plots.score_over_settings,
                    summary,
                    about="Score by board or setting, with 95 % intervals",
                ),
                _plot(
                    prefix,
                    "conditions",
                    plots.conditions,
                    summary,
                    about="Score under each condition, with 95 % intervals",
                ),
                _conditions(summary),
            ),
        ),
        Section(
            "Margins and lengths",
            _present(
                _plot(prefix, "margins", plots.margins, games, about="Point margins of the games"),
                _plot(prefix, "lengths", plots.lengths, games, about="How long the games were"),
                _plot(
                    prefix,
                    "survival",
                    plots.survival_curves,
                    games,
                    about="Games alive after a number of turns",
                ),
            ),
        ),
        Section(
            "Time and nodes a move",
            _present(
                _effort(summary),
                _plot(
                    prefix,
                    "effort",
                    lambda rows: plots.effort(rows, summary.players),
                    games,
                    about="Seconds and nodes a move, by player",
                ),
            ),
        ),
        Section("Failures", _present(_failures(summary, stepped))),
        Section(
            "Games",
            _present(Replays(tuple(stepped)), _game_list(losses_first(games, hero), stepped)),
        ),
    ]
    return [section for section in sections if section.blocks]


def machine() -> str:
    """The machine in a few words."""
    import os

    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    system = f"{platform.system()}, Python {platform.python_version()}, plyground {__version__}"
    return f"{os.cpu_count()} cores ({model}), {system}"


def _present(*blocks: Block | None) -> tuple[Block, ...]:
    return tuple(block for block in blocks if block is not None)


def _plot(
    prefix: str, name: str, draw: Callable[[Data], Figure | None], data: Data, about: str
) -> Plot | None:
    figure = styled(lambda: draw(data))
    return None if figure is None else Plot(prefix + name, figure, about)


def _shared_options(games: Sequence[PlayedGame]) -> str:
    if not games:
        return ""
    shared = set(games[0].record.options.items())
    for row in games:
        shared &= set(row.record.options.items())
    return "".join(f", {name}={value}" for name, value in sorted(shared))


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _standings(summary: Summary) -> Table | None:
    if not summary.cross:
        return None
    with_margin = any(entry.margin is not None for entry in summary.standings)
    elo = "Elo difference" if len(summary.standings) == 2 else "Elo"
    columns = ["player", "games", "won", "drawn", "lost", "score", f"{elo} [95 %]"]
    columns += ["mean margin"] if with_margin else []
    columns += ["failures"]
    rows = []
    for entry in summary.standings:
        row = [
            entry.player,
            str(entry.games),
            str(entry.wins),
            str(entry.draws),
            str(entry.losses),
            percent(entry.score) if entry.games else "",
            interval(entry.rating.elo, entry.rating.low, entry.rating.high) if entry.rating else "",
        ]
        row += [_number(entry.margin, "+.2f")] if with_margin else []
        rows.append((*row, str(entry.failures)))
    return Table(tuple(columns), tuple(rows), frozenset(range(1, len(columns))))


def _survival(summary: Summary) -> Table | None:
    if not summary.survival:
        return None
    rows = tuple(
        (
            entry.player,
            str(entry.games),
            f"{entry.turns:,}",
            str(entry.deaths),
            f"{1 / entry.hazard:,.0f}" if entry.deaths else f"> {entry.turns:,}",
            f"{1 / entry.high:,.0f} to " + (f"{1 / entry.low:,.0f}" if entry.low else "∞"),
        )
        for entry in summary.survival
    )
    columns = ("player", "games", "turns", "deaths", "turns a death", "95 % interval")
    return Table(columns, rows, frozenset(range(1, 6)))


def _cross_table(summary: Summary) -> Table | None:
    names = [entry.player for entry in summary.standings if entry.games]
    if len(names) < 2:
        return None
    rows = tuple(
        (player, *(_cell(summary.cross.get((player, opponent))) for opponent in names))
        for player in names
    )
    return Table(
        ("", *names),
        rows,
        frozenset(range(1, len(names) + 1)),
        "Points of the row's player / games, and its score.",
    )


def _cell(met: Encounter | None) -> str:
    if met is None:
        return "·"
    points = met.wins + 0.5 * met.draws
    return f"{points:g}/{met.games}  {percent(met.estimate.score)}"


def _conditions(summary: Summary) -> Table | None:
    if len({(entry.limit, entry.setting) for entry in summary.conditions}) < 2:
        return None
    rows = tuple(
        (
            entry.player,
            entry.opponent,
            entry.setting,
            entry.limit,
            str(entry.wins),
            str(entry.draws),
            str(entry.losses),
            percent(entry.estimate.score),
            f"{percent(entry.estimate.score_low)} to {percent(entry.estimate.score_high)}",
        )
        for entry in summary.conditions
    )
    columns = ("player", "opponent", "setting", "limit", "won", "drawn", "lost", "score", "95 %")
    return Table(columns, rows, frozenset(range(4, 9)), folded=f"{len(rows)} conditions as a table")


def _effort(summary: Summary) -> Table | None:
    entries = [entry for entry in summary.standings if entry.median_seconds is not None]
    if not entries:
        return None
    rows = tuple(
        (
            entry.player,
            _number(entry.median_seconds, ".4f"),
            _number(entry.mean_seconds, ".4f"),
            _number(entry.longest_seconds, ".3f"),
            _number(entry.mean_nodes, ",.0f"),
        )
        for entry in entries
    )
    columns = ("player", "median seconds", "mean seconds", "longest seconds", "mean nodes")
    return Table(columns, rows, frozenset(range(1, 5)))


def _failures(summary: Summary, replays: Sequence[Replay]) -> Block | None:
    if not summary.games:
        return None
    if not summary.failures:
        return "No program failed: no time-out, crash, illegal move or false claim."
    shown = {replay.id for replay in replays}
    rows = tuple(
        (
            _link(row.id, shown),
            f"{row.first} – {row.second}" if row.second else row.first,
            row.termination,
            next((name for name in (row.first, row.second) if name and name != row.winner), ""),
            row.record.outcome.detail if row.record.outcome else "",
        )
        for row in summary.failures[:MOST_LISTED]
    )
    columns = ("game", "players", "end", "by", "detail")
    return Table(columns, rows, caption=f"{len(summary.failures)} of {summary.games} games")


def _link(name: str, shown: set[str]) -> Cell:
    return Link(name, f"#game-{name}") if name in shown else name


def _game_list(games: Sequence[PlayedGame], replays: Sequence[Replay]) -> Table | None:
    if not games:
        return None
    shown = {replay.id for replay in replays}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            _link(row.id, shown),
            row.first,
            row.second,
            row.setting,
            row.winner or ("draw" if row.second else ""),
            row.points,
            row.termination,
            str(row.plies),
            f"{row.seconds:.1f}" if math.isfinite(row.seconds) else "",
        )
        for row in games[:MOST_LISTED]
    )
    columns: tuple[str, ...] = (
        *("game", "first", "second", "setting"),
        *("winner", "points", "end", "plies", "seconds"),
    )
    used = [k for k in range(len(columns)) if any(row[k] for row in rows)]
    rows = tuple(tuple(row[k] for k in used) for row in rows)
    numeric = frozenset(place for place, k in enumerate(used) if k in (7, 8))
    columns = tuple(columns[k] for k in used)
    more = f"The first {MOST_LISTED} of {len(games):,} games; all are in the CSV file beside this."
    caption = "" if len(games) <= MOST_LISTED else more
    fold = f"List of {len(games):,} games" if len(rows) > 20 else ""
    return Table(columns, rows, numeric, caption, folded=fold)
