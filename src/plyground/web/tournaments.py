"""Runs on the page: those in the database, and tournaments that the page started itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from plyground.arena.class_table import is_class
from plyground.arena.config import PlayerEntry, RunConfig
from plyground.arena.results import ResultLine, counts_failures
from plyground.arena.task import MatchRules
from plyground.core.errors import InputError
from plyground.core.limits import Limit
from plyground.core.record import GameRecord
from plyground.store.database import RunInfo, Store
from plyground.web.messages import Board, RunUpdate
from plyground.web.requests import NewTournament, check_agent, check_seconds, open_game
from plyground.web.run_view import LiveBoard, RunSummary, RunView, head_of, view_run
from plyground.web.running_tournament import RunningTournament
from plyground.web.settings import BusyError, NotFoundError, Settings

SOLO_TURNS = 300
"""A one-player game of a tournament ends after this many turns."""


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
                        *head_of(run),
                        store.count_games(run.id),
                        self._find_running(run.id) is not None,
                        is_class(run.config),
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
        current = self._find_running(identity)
        error = self._errors.get(identity, "")
        return view_run(run, lines, current.total if current else None, error)

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
