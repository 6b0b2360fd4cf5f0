"""`plyground demo`: a small tournament in each game, then a report."""

from __future__ import annotations

import os
import sys
import time
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.progress import Progress
from rich.table import Table

from plyground.cli.app import Json, console, notes, print_json
from plyground.cli.preparing import progress, show_preparation
from plyground.core.demo import Demo
from plyground.core.registry import agents, games, make_game
from plyground.engines.preparation import Player, Preparation

if TYPE_CHECKING:
    from plyground.arena.events import Event
    from plyground.report.page import Section
    from plyground.store import Store


@dataclass(frozen=True)
class Show:
    """The demo of a game, with the players that are installed."""

    game: str
    demo: Demo
    players: tuple[str, ...]

    @property
    def prepared(self) -> list[Player]:
        """Its players as they are compiled for."""
        return [Player.of(self.game, player, self.demo.options) for player in self.players]


@dataclass(frozen=True)
class Play:
    """A tournament that was played: its table, and what the report says of it."""

    game: str
    run: str
    table: Table
    section: Section
    leader: str
    games: int


def _shows() -> list[Show]:
    """All games that have something to show, in the order in which they are compiled.

    The two quickest come first, so that something is played soon and while the others compile; then
    the longest, for which all but one core would have to wait at the end.
    """
    shows = []
    for name, game in games().items():
        if game.demo is not None:
            known = agents(name)
            players = tuple(
                player for player in game.demo.players if player.partition(":")[0] in known
            )
            shows.append(Show(name, game.demo, players))
    shows = [show for show in shows if len(show.players) > 1]
    shows.sort(key=lambda show: show.demo.compiling)
    return shows[:2] + shows[:1:-1]


def demo(
    *,
    out: Annotated[Path | None, Parameter(help="The HTML report to write.")] = None,
    database: Annotated[Path | None, Parameter(help="Results file; by default the user's.")] = None,
    jobs: Annotated[int, Parameter(help="Processes; 0 means as many as there are cores.")] = 0,
    json: Json = False,
) -> None:
    """Play a small tournament in each game and write a report; a minute or two the first time.

    Example: plyground demo --out demo.html
    """
    started = time.perf_counter()
    workers = jobs or os.cpu_count() or 1
    shows = _shows()
    players = [player for show in shows for player in show.prepared]
    with Preparation(players, workers) as preparation, progress() as bar:
        plays = _play(shows, preparation, workers, database, bar)
    path = _report(plays, out)
    seconds = time.perf_counter() - started
    if json:
        fields = [{"game": play.game, "run": play.run} for play in plays]
        print_json({"report": str(path), "runs": fields, "seconds": seconds})
        return
    for play in plays:
        console.print(play.table)
    notes.print(f"{len(plays)} tournaments in {seconds:.0f} seconds. The report:", highlight=False)
    console.print(path, highlight=False, soft_wrap=True)
    if sys.stdout.isatty() and _has_browser():
        webbrowser.open(path.as_uri())


def _has_browser() -> bool:
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def _play(
    shows: Sequence[Show],
    preparation: Preparation,
    workers: int,
    database: Path | None,
    bar: Progress,
) -> list[Play]:
    """All tournaments; while one is played and told, what the next ones need is compiled."""
    from plyground.store import Store, default_path

    def when(show: Show) -> tuple[bool, float]:
        return bool(preparation.waiting(show.prepared)), show.demo.compiling

    plays = []
    waiting = list(shows)
    with Store(database or default_path()) as store:
        while waiting:
            show = min(waiting, key=when)
            waiting.remove(show)
            show_preparation(preparation, show.prepared, bar)
            plays.append(_tournament(show, store, workers, bar))
    return sorted(plays, key=lambda play: play.game)


def _tournament(show: Show, store: Store, workers: int, bar: Progress) -> Play:
    """Play one tournament, with a line of the display."""
    from plyground.arena.config import PlayerEntry, RunConfig
    from plyground.arena.events import GameEnded
    from plyground.arena.executors import LocalExecutor
    from plyground.arena.table import solo_table, standings_table
    from plyground.arena.task import MatchRules
    from plyground.arena.tournament import Tournament, open_run
    from plyground.engines.engine import EngineSettings

    config = RunConfig(
        kind="tournament",
        game=show.game,
        options=make_game(show.game, show.demo.options).options,
        players=tuple(PlayerEntry(player) for player in show.players),
        games=show.demo.games,
        limit=show.demo.limit,
        opening_plies=2,
        rules=MatchRules(turns=show.demo.turns, engine=EngineSettings(margin=1.0)),
    )
    run = open_run(store, config, None, resume=False)
    tournament = Tournament(config, store, run)
    solo = games()[show.game].info.players == 1
    count = len(show.players)
    total = show.demo.games * (count if solo else count * (count - 1) // 2)
    task = bar.add_task(show.game, total=total)

    def advance(event: Event) -> None:
        if isinstance(event, GameEnded):
            bar.update(task, advance=1)

    tournament.listen(advance)
    with LocalExecutor(workers, tournament.emit, count) as executor:
        tournament.play(executor)
    draw = solo_table if solo else standings_table
    table = draw(config, tournament.results, total)
    return Play(show.game, run, table, *_section(store, show.game, run))


def _section(store: Store, game: str, run: str) -> tuple[Section, str, int]:
    """What the report says of a run, who came first, and how many games there were."""
    from plyground.report.games import load_run
    from plyground.report.page import Plot, Section
    from plyground.report.runs import run_sections
    from plyground.report.summary import summarise

    played = load_run(store, run)
    summary = summarise(played, game, store.run(run).players)
    parts = run_sections(played, summary, f"{game}-", replays=2)
    blocks = [block for part in parts for block in part.blocks]
    for block in blocks:
        if isinstance(block, Plot):
            _ = block.pictures  # drawn now, while the next game compiles
    leader = summary.survival[0] if summary.survival else summary.standings[0]
    title = games()[game].info.title
    return Section(title, (summary.headline, *blocks)), leader.player, summary.games


def _report(plays: Sequence[Play], out: Path | None) -> Path:
    from plyground.report.page import Page, write_page
    from plyground.report.runs import machine, reports_folder

    first = ", ".join(f"{play.leader} in {play.section.title}" for play in plays)
    page = Page(
        title="plyground demo",
        headline=f"{sum(play.games for play in plays)} games; first places: {first}.",
        facts=(("machine", machine()), ("command", "plyground demo")),
        sections=tuple(play.section for play in plays),
    )
    return write_page(page, out or reports_folder() / "demo" / "report.html")
