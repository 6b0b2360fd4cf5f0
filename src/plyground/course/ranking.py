"""Ranking a class: judge every submission, let those that can play meet each other."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from plyground.arena.config import PlayerEntry, RunConfig
from plyground.arena.executors import make_executor
from plyground.arena.results import Standing
from plyground.arena.task import MatchRules
from plyground.arena.tournament import Tournament, open_run
from plyground.core.game import OptionValue
from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.course.pages import write_class_pages
from plyground.course.submissions import collect
from plyground.course.verdict import GAME, SubmissionVerdict, judge, player_text
from plyground.engines.engine import EngineSettings
from plyground.engines.sandbox import is_available
from plyground.report.runs import write_run_report
from plyground.store.database import Store

CHECK_BOARDS = ("easy-2x2", "random-2x3", "random-3x3")
OPENING_PLIES = 2
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Ranking:
    """What came out: the verdicts, the standing of each that played, and the class page."""

    verdicts: tuple[SubmissionVerdict, ...]
    standings: dict[str, Standing]
    page: Path
    run: str


def check_boards(options: dict[str, OptionValue]) -> list[str]:
    """The boards on which submissions are judged: the given one first."""
    given = str(options.get("board", ""))
    return [*([given] if given else []), *(name for name in CHECK_BOARDS if name != given)]


def rank_class(
    folder: Path,
    options: dict[str, OptionValue],
    limit: Limit,
    rounds: int,
    output: Path,
    jobs: int = 1,
    seed: int = 0,
    say: Progress = print,
) -> Ranking:
    """Judge, play and write everything below `output`."""
    output.mkdir(parents=True, exist_ok=True)
    settings = EngineSettings(sandbox=is_available())
    with _workspace(output) as workspace:
        submissions = collect(folder, workspace)
        _warm_up(check_boards(options), _mode(options))
        verdicts = []
        for submission in submissions:
            verdict = judge(submission, check_boards(options), limit, settings, _mode(options))
            say(f"{submission.name}: {verdict.summary}")
            verdicts.append(verdict)
        playable = [verdict for verdict in verdicts if verdict.playable]
        standings: dict[str, Standing] = {}
        run = ""
        if len(playable) >= 2:
            plural = "" if rounds == 1 else "s"
            say(f"{len(playable)} submissions play {rounds} round{plural} ...")
            config = RunConfig(
                kind="tournament",
                game=GAME,
                options=options,
                players=tuple(
                    PlayerEntry(player_text(verdict.submission), verdict.submission.name)
                    for verdict in playable
                ),
                games=2 * rounds,
                limit=limit,
                seed=seed,
                opening_plies=OPENING_PLIES,
                rules=MatchRules(engine=settings),
            )
            run, standings = _play(config, output, jobs)
    facts = (
        ("time a turn", f"{limit}"),
        ("board", str(options.get("board", "default"))),
        ("rounds", str(rounds)),
        ("sandbox", "yes" if settings.sandbox else "no (bubblewrap is not available)"),
    )
    report = "games/report.html" if run else ""
    page = write_class_pages(output, verdicts, standings, facts, report)
    return Ranking(tuple(verdicts), standings, page, run)


def _warm_up(boards: Sequence[str], mode: dict[str, OptionValue]) -> None:
    """Compile the rules here: submissions in a sandbox cannot keep what they compile."""
    for board in boards:
        position = make_game(GAME, {**mode, "board": board}).start()
        _ = position.play(position.legal_moves[0]).legal_moves


def _mode(options: dict[str, OptionValue]) -> dict[str, OptionValue]:
    return {name: value for name, value in options.items() if name != "board"}


@contextmanager
def _workspace(output: Path) -> Iterator[Path]:
    """A folder for unpacked zip files, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=".unpacked-", dir=output) as folder:
        yield Path(folder)


def _play(config: RunConfig, output: Path, jobs: int) -> tuple[str, dict[str, Standing]]:
    """The tournament, its games in a database and a report beside the class page."""
    with Store(output / "games.sqlite") as store:
        run = open_run(store, config, None, resume=False)
        tournament = Tournament(config, store, run)
        engines = max(2, len(config.players))
        with make_executor("local", jobs, tournament.emit, engines) as executor:
            tournament.play(executor)
        write_run_report(store, run, output / "games" / "report.html")
        rows = _share_ranks(tournament.results.standings())
        standings = {config.labels[row.player]: row for row in rows}
    return run, standings


def _share_ranks(rows: Sequence[Standing]) -> list[Standing]:
    """Submissions with the same score share their rank."""
    shared: list[Standing] = []
    for row in rows:
        if shared and (row.score, row.games) == (shared[-1].score, shared[-1].games):
            row = msgspec.structs.replace(row, rank=shared[-1].rank)
        shared.append(row)
    return shared
