"""Runs on the page: those in the database, and tournaments that the page started itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from plyground.arena.class_table import class_places
from plyground.arena.config import PlayerEntry, RunConfig
from plyground.arena.events import Event, GameEnded, GameStarted, MovePlayed
from plyground.arena.executors import LocalExecutor
from plyground.arena.results import ResultLine, Results, collect, counts_failures
from plyground.arena.task import MatchRules
from plyground.arena.tournament import Tournament, open_run
from plyground.core.errors import InputError, PlygroundError
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.record import GameRecord
from plyground.core.registry import games
from plyground.engines.failure import MatchStoppedError
from plyground.stats.kaplan_meier import kaplan_meier
from plyground.stats.ratings import rate_players
from plyground.store.database import RunInfo, Store
from plyground.web.messages import Board, RunUpdate
from plyground.web.requests import NewTournament, check_agent, check_seconds, open_game
from plyground.web.settings import BusyError, NotFoundError, Settings

GRAPH_POINTS = 40
LISTED_GAMES = 500
SOLO_TURNS = 300
"""A one-player game of a tournament ends after this many turns."""


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


class Runs:
    """Reads the database of runs, and plays tournaments in a thread of their own."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._places = 0
        """Tournaments that run or are about to."""
        self._running: set[RunningTournament] = set()
        self._errors: dict[str, str] = {}
        self._reporting = asyncio.Lock()
        self._followers: dict[str, set[Callable[[RunUpdate], None]]] = {}

    async def listing(self) -> list[RunSummary]:
        """All runs, newest first."""

        def read() -> list[RunSummary]:
            with self._open() as store:
                return [
                    RunSummary(
                        *_head(run),
                        store.count_games(run.id),
                        self._find_running(run.id) is not None,
                        _is_course(run),
                    )
                    for run in reversed(store.runs())
                ]

        return await asyncio.to_thread(read) if self._settings.results.exists() else []

    async def view(self, identity: str) -> RunView:
        """A run in full; NotFoundError if there is none of that name."""
        return await asyncio.to_thread(self._view, identity)

    def _view(self, identity: str) -> RunView:
        with self._open() as store:
            run = self._find(store, identity)
            counted = counts_failures(run.config)
            lines = [ResultLine.of(game, count_failures=counted) for game in store.games(identity)]
        results = collect(len(run.players), lines)
        solo = bool(lines) and len(lines[0].seats) == 1
        current = self._find_running(identity)
        return RunView(
            *_head(run),
            played=len(lines),
            total=current.total if current else None,
            running=current is not None,
            rows=_solo_rows(run, results) if solo else _rows(run, results),
            graph=[] if solo else _rating_graph(len(run.players), lines),
            crosstable=[] if solo else results.crosstable(),
            games=[_game_line(run, line) for line in reversed(lines[-LISTED_GAMES:])],
            survival=_survival(len(run.players), lines) if solo else [],
            error=self._errors.get(identity, ""),
            settings=_settings_of(run),
        )

    async def live(self, identity: str) -> LiveBoard | None:
        """The board of the game that is being played, if there is one."""
        tournament = self._find_running(identity)
        shown = tournament.shown if tournament else None
        if shown is None:
            return None
        players, position, moves = shown

        def draw() -> LiveBoard:
            view = position.view
            board = Board(view.width, view.height, view.shapes, view.caption)
            return LiveBoard(players, board, moves)

        return await asyncio.to_thread(draw)

    async def record(self, identity: str, schedule: str) -> GameRecord:
        """A game of a run."""

        def read() -> GameRecord:
            with self._open() as store:
                self._find(store, identity)
                for game in store.games(identity):
                    if game.schedule_id == schedule:
                        return game.record
            raise NotFoundError(f"run {identity[:64]!r} has no game {schedule[:64]!r}")

        return await asyncio.to_thread(read)

    async def report(self, identity: str) -> bytes:
        """The report of a run as one HTML file."""

        def write() -> bytes:
            from plyground.report.runs import write_run_report  # brings plots along: slow to load

            with self._open() as store, TemporaryDirectory() as folder:
                self._find(store, identity)
                path = write_run_report(store, identity, Path(folder) / "report.html")
                return path.read_bytes()

        async with self._reporting:
            return await asyncio.to_thread(write)

    def _open(self) -> Store:
        if not self._settings.results.exists():
            raise NotFoundError("there are no runs yet")
        return Store(self._settings.results)

    @staticmethod
    def _find(store: Store, identity: str) -> RunInfo:
        for run in store.runs():
            if run.id == identity:
                return run
        raise NotFoundError(f"there is no run {identity[:64]!r}")

    # Playing --------------------------------------------------------------------------------

    async def start(self, request: NewTournament) -> str:
        """Start a tournament of built-in agents; its name. BusyError when too many run.

        Its place is taken before anything is awaited, and given back when it has ended.
        """
        if self._places >= self._settings.running_tournaments:
            raise BusyError("a tournament is running already; wait for its end or stop it")
        self._places += 1
        loop = asyncio.get_running_loop()
        try:
            config = await asyncio.to_thread(self._config, request)
        except BaseException:
            self._places -= 1
            raise

        def tell(message: RunUpdate) -> None:
            loop.call_soon_threadsafe(self._tell, message)

        def end() -> None:
            loop.call_soon_threadsafe(self._end, tournament)

        tournament = RunningTournament(self._settings.results, config, tell, end)
        self._running.add(tournament)
        tournament.thread.start()
        return await asyncio.shield(asyncio.wrap_future(tournament.started))

    def _end(self, tournament: RunningTournament) -> None:
        self._running.discard(tournament)
        self._places -= 1

    def _find_running(self, identity: str) -> RunningTournament | None:
        return next((one for one in list(self._running) if one.run == identity), None)

    def _config(self, request: NewTournament) -> RunConfig:
        game = open_game(request.game, request.options)
        solo = game.info.players == 1
        names = list(dict.fromkeys(check_agent(request.game, name) for name in request.agents))
        if len(names) < (1 if solo else 2):
            raise InputError("a tournament needs at least two different agents")
        check_seconds(request.seconds, 5.0)
        pairings = len(names) if solo else len(names) * (len(names) - 1) // 2
        games = request.rounds if solo else 2 * request.rounds
        if pairings * games > self._settings.tournament_games:
            raise InputError(
                f"{pairings * games} games are too many for the page "
                f"(at most {self._settings.tournament_games}); use the command line"
            )
        config = RunConfig(
            kind="tournament",
            game=request.game,
            options=dict(game.options),
            players=tuple(PlayerEntry(name) for name in names),
            games=games,
            limit=Limit(time=request.seconds),
            seed=request.seed,
            rules=MatchRules(turns=SOLO_TURNS if solo else None),
        )
        config.check()
        return config

    def stop(self, identity: str) -> None:
        """End a tournament early; its finished games stay."""
        tournament = self._find_running(identity)
        if tournament is None:
            raise NotFoundError(f"no tournament {identity[:64]!r} is running here")
        tournament.stop()

    def follow(self, identity: str, tell: Callable[[RunUpdate], None]) -> None:
        """Be told whenever a game of this run has ended."""
        self._followers.setdefault(identity, set()).add(tell)

    def unfollow(self, tell: Callable[[RunUpdate], None]) -> None:
        """No longer be told anything."""
        for identity, followers in list(self._followers.items()):
            followers.discard(tell)
            if not followers:
                del self._followers[identity]

    def _tell(self, message: RunUpdate) -> None:
        if message.error:
            self._errors[message.id] = message.error
        for tell in list(self._followers.get(message.id, ())):
            tell(message)

    async def close(self) -> None:
        """Stop what runs and wait for its end."""
        running = list(self._running)
        for tournament in running:
            tournament.stop()
        for tournament in running:
            await asyncio.to_thread(tournament.thread.join, 20.0)


class RunningTournament:
    """A tournament in its own thread, which also owns its database connection.

    `tell` and `end` are called from that thread; `end` is the last thing it does.
    """

    def __init__(
        self,
        path: Path,
        config: RunConfig,
        tell: Callable[[RunUpdate], None],
        end: Callable[[], None],
    ) -> None:
        self.started: Future[str] = Future()
        self.run = ""
        self.total = _game_count(config)
        self._path, self._config, self._tell, self._end = path, config, tell, end
        self._executor: LocalExecutor | None = None
        self._stopped = False
        self._played = 0
        self.shown: tuple[tuple[str, ...], Position, int] | None = None
        """Players, position and number of moves of the game that was last heard of."""
        self.thread = threading.Thread(target=self._run, name="tournament", daemon=True)

    def stop(self) -> None:
        """End it now, whatever its engines are doing; finished games stay."""
        self._stopped = True
        if self._executor is not None:
            self._executor.stop()

    def _run(self) -> None:
        error = ""
        try:
            self._play()
        except MatchStoppedError:
            error = "stopped"
        except PlygroundError as failure:
            error = str(failure)
            if not self.started.done():
                self.started.set_exception(failure)
        except Exception as failure:
            error = f"internal error ({type(failure).__name__})"
            if not self.started.done():
                self.started.set_exception(PlygroundError(error))
        finally:
            if self.run:
                self._tell(RunUpdate(self.run, self._played, self.total, False, error))
            self._end()

    def _play(self) -> None:
        with Store(self._path) as store:
            run = open_run(store, self._config, None, resume=False)
            tournament = Tournament(self._config, store, run)
            self.run = run
            tournament.listen(self._listen)
            self.started.set_result(run)
            self._executor = LocalExecutor(1, self._watch)
            with self._executor as executor:
                if not self._stopped:
                    tournament.play(executor)
            if self._stopped:
                raise MatchStoppedError("the tournament was stopped")

    def _watch(self, event: Event) -> None:
        """Keep the position of the game that is being played, for those who look on."""
        if isinstance(event, GameStarted):
            self.shown = event.task.labels, event.position, 0
        elif isinstance(event, MovePlayed):
            before = self.shown[2] if self.shown else 0
            self.shown = event.task.labels, event.position, before + 1

    def _listen(self, event: Event) -> None:
        if isinstance(event, GameEnded):
            self._played += 1
            self._tell(RunUpdate(self.run, self._played, self.total, True))


def _game_count(config: RunConfig) -> int:
    players = len(config.players)
    if games()[config.game].info.players == 1:
        return players * config.games
    return players * (players - 1) // 2 * config.games


def _rows(run: RunInfo, results: Results) -> list[Row]:
    if _is_course(run):
        places = class_places(msgspec.convert(run.config, RunConfig), results)
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


def _head(run: RunInfo) -> tuple[str, str, str, tuple[str, ...], str]:
    """The fields of a `RunHead`."""
    return run.id, run.kind, run.game, run.players, run.created


def _is_course(run: RunInfo) -> bool:
    entries = run.config.get("players") or []
    return any(str(entry.get("player", "")).startswith("course:") for entry in entries)


def _settings_of(run: RunInfo) -> list[tuple[str, str]]:
    """The configuration of a run in words."""
    config = run.config
    shown = [("limit", str(msgspec.convert(config.get("limit") or {}, Limit)))]
    options = (config.get("options") or {}).items()
    shown += [(str(name).replace("_", " "), _in_words(value)) for name, value in options]
    for name in ("games", "seed"):
        if config.get(name) is not None:
            shown.append((name, str(config[name])))
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
        line.plies,
    )
