"""What `match` and `tournament` share: options, conducting a run, showing its result."""

from __future__ import annotations

import contextlib
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from plyground.arena.adjudication import Adjudication
from plyground.arena.config import FailurePolicy, RunConfig, name_players, process_limits
from plyground.arena.executors import make_executor
from plyground.arena.openings import read_starts
from plyground.arena.results import Results
from plyground.arena.summary import count_starts, match_summary, solo_summary, tournament_summary
from plyground.arena.table import (
    LiveTable,
    crosstable,
    describe_elo,
    describe_sprt,
    solo_table,
    standings_table,
)
from plyground.arena.task import MatchRules
from plyground.arena.tournament import Tournament, open_run
from plyground.cli.app import Options, console, notes, open_game, print_json
from plyground.cli.preparing import prepare
from plyground.core.errors import InputError
from plyground.core.registry import find_game
from plyground.engines.engine import EngineSettings
from plyground.engines.preparation import built_in_players
from plyground.engines.sandbox import SandboxMode
from plyground.store.database import Store, default_path

INTERRUPTED = 130


@Parameter(name="*")
@dataclass(frozen=True)
class Conduct:
    """How games are conducted."""

    adjudicate: Annotated[
        bool, Parameter(help="End a game when both players have proven the same.", negative="")
    ] = False
    resign: Annotated[
        float | None,
        Parameter(help="End a game as lost when 3 scores of each player are beyond this (0 to 1)."),
    ] = None
    draw: Annotated[
        float | None,
        Parameter(help="End a game as drawn when 6 scores of each player are within this."),
    ] = None
    turns: Annotated[int | None, Parameter(help="Cap of a one-player game, in turns.")] = None
    margin: Annotated[float, Parameter(help="Seconds granted on top of every time limit.")] = (
        EngineSettings().margin
    )
    startup: Annotated[float, Parameter(help="Seconds an external program may take to start.")] = (
        EngineSettings().startup
    )
    patience: Annotated[
        float, Parameter(help="Seconds a move may take when no time limit is set.")
    ] = EngineSettings().patience
    memory: Annotated[
        int | None, Parameter(help="Megabytes of memory for each player (default 4096).")
    ] = None
    sandbox: Annotated[
        SandboxMode,
        Parameter(
            help="Programs run apart, without network and files: auto (where it works), on, off."
        ),
    ] = "auto"

    def rules(self) -> MatchRules:
        """The same as the arena wants it."""
        for name in ("margin", "startup", "patience"):
            if not getattr(self, name) >= 0:
                raise InputError(f"--{name} must be a number of seconds, at least 0")
        if self.turns is not None and self.turns < 1:
            raise InputError(f"--turns must be at least 1, not {self.turns}")
        return MatchRules(
            adjudication=Adjudication(self.adjudicate, self.resign, self.draw),
            turns=self.turns,
            engine=EngineSettings(
                margin=self.margin,
                startup=self.startup,
                patience=self.patience,
                limits=process_limits(self.memory),
                sandbox=self.sandbox,
            ),
        )


@Parameter(name="*")
@dataclass(frozen=True)
class Conditions:
    """What a match or tournament is played under, whoever plays."""

    option: Options = None
    seed: Annotated[int, Parameter(help="Decides openings and all randomness.")] = 0
    opening_plies: Annotated[
        int | None,
        Parameter(help="Random moves before the players take over (4; 0 on boards of their own)."),
    ] = None
    openings: Annotated[str | None, Parameter(help="File of start positions, one a line.")] = None
    boards: Annotated[
        str | None,
        Parameter(help="Starts of the pairs: a suite that comes with the game, or a file."),
    ] = None
    name: Annotated[
        list[str] | None,
        Parameter(help="What tables call a player; repeat it in the players' order.", negative=""),
    ] = None
    failures: Annotated[
        FailurePolicy, Parameter(help="What a crash or the like is for Elo: a loss, or nothing.")
    ] = "lose"

    def config(
        self, kind: Literal["match", "tournament"], game: str, players: Sequence[str], **more: Any
    ) -> RunConfig:
        """The run of these players, with what else belongs to its kind."""
        rules = open_game(game, self.option, match=True)
        given, laid = read_starts(rules, self.openings, self.boards)
        return RunConfig(
            kind=kind,
            game=rules.info.name,
            options=rules.options,
            players=name_players(players, self.name or ()),
            seed=self.seed,
            opening_plies=self.opening_plies,
            openings=given,
            boards=laid,
            failures=self.failures,
            **more,
        )


@Parameter(name="*")
@dataclass(frozen=True)
class Keeping:
    """Where and how a run is played and kept."""

    jobs: Annotated[int, Parameter(help="Games at the same time.")] = 1
    executor: Annotated[str, Parameter(help="local, or dask:ADDRESS.")] = "local"
    run: Annotated[str | None, Parameter(help="Name of the run in the database.")] = None
    resume: Annotated[
        bool, Parameter(help="Go on with a run; its games are not played again.", negative="")
    ] = False
    database: Annotated[
        Path | None, Parameter(help="Database file (default: in the data folder).")
    ] = None

    @property
    def path(self) -> Path:
        """The database."""
        return self.database or default_path()


def stored_config(keeping: Keeping, kind: str) -> RunConfig:
    """The configuration of the run that `--resume --run NAME` names."""
    if not keeping.resume or keeping.run is None:
        raise InputError(f"name a game and players, or go on with --resume --run NAME; see {kind}")
    with Store(keeping.path, create=False) as store:
        return RunConfig.from_builtins(store.run(keeping.run).config)


def conduct(config: RunConfig, keeping: Keeping, *, json: bool) -> int:
    """Play a run to its end, show the result; the exit code."""
    config = config.pinned()
    config.check()
    if keeping.executor == "local":
        texts = [entry.player for entry in config.players]
        prepare(built_in_players(config.game, texts, config.options))
    with Store(keeping.path) as store, termination_as_interrupt():
        run = open_run(store, config, keeping.run, keeping.resume)
        tournament = Tournament(config, store, run)
        total = tournament.total
        try:
            _play(tournament, keeping, total, live=not json and sys.stderr.isatty())
        except KeyboardInterrupt:
            command = ["plyground", config.kind, "--resume", "--run", run]
            command += ["--database", str(keeping.path)] if keeping.database else []
            command += ["--jobs", str(keeping.jobs)] if keeping.jobs != 1 else []
            command += ["--executor", keeping.executor] if keeping.executor != "local" else []
            notes.print(
                f"stopped after {len(tournament.results.lines)} games; go on with:\n"
                f"  {shlex.join(command)}",
                highlight=False,
                soft_wrap=True,
            )
            return INTERRUPTED
        if json:
            print_json(_summary(tournament, store))
        else:
            _show(tournament, total, count_starts(store, run))
    return 0


def _play(tournament: Tournament, keeping: Keeping, total: int, *, live: bool) -> None:
    engines = min(8, max(2, len(tournament.config.players)))
    with contextlib.ExitStack() as stack:
        if live:
            table = LiveTable(tournament.config, tournament.results, total, notes)
            tournament.listen(stack.enter_context(table))
        executor = make_executor(keeping.executor, keeping.jobs, tournament.emit, engines)
        tournament.play(stack.enter_context(executor))


@contextlib.contextmanager
def termination_as_interrupt() -> Iterator[None]:
    """A polite kill ends a run like Ctrl-C: engines are closed, the way to go on is printed."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _solo(config: RunConfig) -> bool:
    return find_game(config.game).info.players == 1


def _summary(tournament: Tournament, store: Store) -> dict[str, Any]:
    if _solo(tournament.config):
        return solo_summary(tournament)
    if tournament.config.kind == "match":
        return match_summary(tournament, store)
    return tournament_summary(tournament, complete=True)


def _most_pairs(results: Results) -> int:
    """How many pairs of games the two players have played who have played most."""
    met: dict[frozenset[int], set[str]] = {}
    for line in results.lines.values():
        met.setdefault(frozenset(line.seats), set()).add(line.pair_id)
    return max((len(pairs) for pairs in met.values()), default=0)


def _show(tournament: Tournament, total: int, starts: int) -> None:
    config, results = tournament.config, tournament.results
    if _solo(config):
        console.print(solo_table(config, results, total))
        _show_failures(tournament)
        return
    console.print(standings_table(config, results, total, console.width))
    crossed = crosstable(config, results, console.width)
    if crossed is not None:
        console.print(crossed)
    if config.kind == "match":
        remark = describe_elo(results.elo(0, 1), *config.labels)
        margin = results.margin(0, 1)
        if margin is not None:
            remark += f", margin {margin.mean:+.2f} a game"
        console.print(remark, highlight=False, soft_wrap=True)
        if tournament.sprt_state is not None:
            console.print(describe_sprt(tournament.sprt_state), highlight=False)
    pairs = _most_pairs(results)
    begun = "one start" if starts == 1 else f"{starts} different starts"
    remark = f"{len(results.lines)} games from {begun}"
    if starts < pairs and not find_game(config.game).info.chance:
        remark += ": pairs that begin alike may be the same game again"
    console.print(remark, highlight=False)
    _show_failures(tournament)


def _show_failures(tournament: Tournament) -> None:
    """Which games ended by a failure and why, and the name of the run."""
    config, lines = tournament.config, tournament.results.lines.values()
    failed = [line for line in lines if line.failed is not None]
    if failed:
        effect = {
            "lose": "count as losses (--failures skip leaves them out of Elo)",
            "skip": "are left out of Elo",
        }[config.failures]
        lost = "1 game was" if len(failed) == 1 else f"{len(failed)} games were"
        told = f"{lost} lost by failure"
        told += "" if _solo(config) else f"; such games {effect}"
        console.print(told, highlight=False)
    for line in failed[:5]:
        verdict = f"{line.schedule_id} {line.outcome.termination}: {line.outcome.detail}"
        console.print(verdict, highlight=False, soft_wrap=True)
    if len(failed) > 5:
        console.print(f"... and {len(failed) - 5} more failures", highlight=False)
    if failed:
        shown = shlex.join(["plyground", "log", failed[0].schedule_id, "--run", tournament.run])
        console.print(f"more: {shown}", highlight=False, soft_wrap=True)
    console.print(f"run {tournament.run}", highlight=False)
