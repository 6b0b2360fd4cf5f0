"""What the page shows of a run: its table, its ratings over time, its games."""

from __future__ import annotations

import msgspec

from plyground.arena.class_table import is_class, stored_places
from plyground.arena.results import ResultLine, Results, collect
from plyground.core.limits import Limit
from plyground.stats.kaplan_meier import kaplan_meier
from plyground.stats.ratings import rate_players
from plyground.store.database import RunInfo
from plyground.web.messages import Board

GRAPH_POINTS = 40
LISTED_GAMES = 500


class RunHead(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a run is."""

    id: str
    kind: str
    game: str
    players: tuple[str, ...]
    created: str


class RunSummary(RunHead, frozen=True, omit_defaults=True):
    """A line in the list of runs."""

    games: int
    running: bool = False
    course: bool = False
    """Whether submissions to a course play in it."""


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player in the table of a run; `elo` with its interval where there are two players."""

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    elo: tuple[float, float, float] | None = None
    turns: float | None = None
    rank: int | None = None
    """In a class: places are shared, and 0 is somebody who only holds the scale."""
    failures: int = 0


class GameLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game of a run."""

    id: str
    players: tuple[str, ...]
    winner: int | None
    termination: str
    plies: int
    """Moves of players; what was dealt does not count."""


class RunView(RunHead, frozen=True, omit_defaults=True):
    """A run in full: its table, its ratings over time, its latest games."""

    played: int
    total: int | None
    running: bool
    rows: list[Row]
    graph: list[tuple[int, list[float]]]
    crosstable: list[list[float | None]]
    games: list[GameLine]
    error: str = ""
    survival: list[list[tuple[int, float]]] = []
    """In games for one, of each player: turns at which games ended, and the share alive then."""
    settings: list[tuple[str, str]] = []
    """What was played, under which limits."""


class LiveBoard(msgspec.Struct, frozen=True, omit_defaults=True):
    """The game of a run that is being played."""

    players: tuple[str, ...]
    board: Board
    moves: int


def view_run(run: RunInfo, lines: list[ResultLine], total: int | None, error: str) -> RunView:
    """A run in full; `total` is the number of its games while it is being played, else None."""
    results = collect(len(run.players), lines)
    solo = bool(lines) and len(lines[0].seats) == 1
    return RunView(
        *head_of(run),
        played=len(lines),
        total=total,
        running=total is not None,
        rows=_solo_rows(run, results) if solo else _rows(run, results),
        graph=[] if solo else _rating_graph(len(run.players), lines),
        crosstable=[] if solo else results.crosstable(),
        games=[_game_line(run, line) for line in reversed(lines[-LISTED_GAMES:])],
        survival=_survival(len(run.players), lines) if solo else [],
        error=error,
        settings=_settings_of(run, solo),
    )


def _rows(run: RunInfo, results: Results) -> list[Row]:
    if is_class(run.config):
        places = stored_places(run.config, results)
        return [
            Row(
                place.name,
                place.games,
                place.wins,
                place.draws,
                place.losses,
                place.score,
                (place.elo, place.low, place.high),
                rank=place.rank,
                failures=place.failures,
            )
            for place in places
        ]
    return [
        Row(
            run.players[row.player],
            row.games,
            row.wins,
            row.draws,
            row.losses,
            row.score,
            (row.rating.elo, row.rating.low, row.rating.high),
        )
        for row in results.standings()
    ]


def head_of(run: RunInfo) -> tuple[str, str, str, tuple[str, ...], str]:
    """The fields of a `RunHead`."""
    return run.id, run.kind, run.game, run.players, run.created


def _settings_of(run: RunInfo, solo: bool) -> list[tuple[str, str]]:
    """The configuration of a run in words."""
    config = run.config
    shown = [("limit", str(msgspec.convert(config.get("limit") or {}, Limit)))]
    options = (config.get("options") or {}).items()
    shown += [(str(name).replace("_", " "), _in_words(value)) for name, value in options]
    games = "games a player" if solo else "games a pair"
    for name, said in (("games", games), ("seed", "seed")):
        if config.get(name) is not None:
            shown.append((said, str(config[name])))
    return shown


def _in_words(value: object) -> str:
    """The value of an option as people say it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _survival(players: int, lines: list[ResultLine]) -> list[list[tuple[int, float]]]:
    curves = []
    for player in range(players):
        ends = [(line.survived, line.died) for line in lines if line.seats[0] == player]
        turns, alive, _ = kaplan_meier(ends)
        curves.append(list(zip(turns, alive, strict=True)))
    return curves


def _solo_rows(run: RunInfo, results: Results) -> list[Row]:
    rows = [
        Row(
            name=run.players[row.player],
            games=len(row.lines),
            wins=0,
            draws=0,
            losses=row.deaths,
            score=0.0,
            turns=row.turns / len(row.lines) if row.lines else None,
        )
        for row in results.solo_standings()
    ]
    return sorted(rows, key=lambda row: -(row.turns or 0.0))


def _rating_graph(players: int, lines: list[ResultLine]) -> list[tuple[int, list[float]]]:
    """Ratings after more and more games."""
    step = max(1, -(-len(lines) // GRAPH_POINTS))
    counts = [*range(step, len(lines), step), len(lines)] if lines else []
    graph = []
    for count in counts:
        pairs = collect(players, lines[:count]).pair_results()
        ratings = rate_players(players, pairs, intervals=False)
        graph.append((count, [round(rating.elo, 1) for rating in ratings]))
    return graph


def _game_line(run: RunInfo, line: ResultLine) -> GameLine:
    return GameLine(
        line.schedule_id,
        tuple(run.players[seat] for seat in line.seats),
        line.outcome.winner,
        str(line.outcome.termination),
        line.plies - line.deals,
    )
