"""Ranking a class: judge every submission, let those that can play meet each other, publish.

Everything that is known is on disk as soon as it is known: the same command goes on wherever an
earlier one was stopped, however it was stopped.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from plyground.arena.class_table import Place, class_places
from plyground.arena.config import PlayerEntry, RunConfig
from plyground.arena.events import Event, GameEnded
from plyground.arena.executors import make_executor
from plyground.arena.task import MatchRules
from plyground.arena.tournament import Tournament
from plyground.core.errors import InputError
from plyground.core.registry import make_game
from plyground.course.boards import GAME, TABOO, board_name, taboo_opening
from plyground.course.late import open_ranking
from plyground.course.pages import write_class_pages
from plyground.course.plan import RankingPlan, RankingState, digests
from plyground.course.progress import StageMaker
from plyground.course.results import ClassResult
from plyground.course.submissions import Submission, collect
from plyground.course.verdict import SubmissionVerdict, Trial, judge, make_trial, with_games
from plyground.engines import sandbox
from plyground.engines.engine import EngineSettings
from plyground.engines.players import make_engine
from plyground.report.games import PlayedGame, load_run
from plyground.report.runs import write_run_report
from plyground.store.claims import Claims
from plyground.store.database import Store
from plyground.store.failure import StoreError

OPENING_PLIES = 2
"""Random moves before the players take over, on boards that are the same for all."""

WORKSPACE = ".submissions"
DATABASE = "games.sqlite"


@dataclass(frozen=True)
class Ranking:
    """What came out: the verdicts, the table, and the class page."""

    verdicts: tuple[SubmissionVerdict, ...]
    places: tuple[Place, ...]
    page: Path


def rank_class(
    folder: Path,
    plan: RankingPlan,
    output: Path,
    settings: EngineSettings,
    jobs: int,
    stage: StageMaker,
) -> Ranking:
    """Judge, play and write everything below `output`, beginning where it was left."""
    if jobs < 1:
        raise InputError(f"the number of jobs must be at least 1, not {jobs}")
    output = output.resolve()
    if output == folder.resolve() or output in folder.resolve().parents:
        raise InputError(f"--output {output} would hold the submissions themselves")
    if folder.resolve() in output.parents:
        raise InputError(f"--output {output} would lie among the submissions")
    workspace = output / WORKSPACE
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--output {output} cannot be a folder: {error.strerror}") from error
    claims = Claims(output / DATABASE)
    try:
        claims.claim("ranking")  # another one at work has its submissions there
    except StoreError as error:
        raise InputError(f"{output}: {error}; wait for it, or choose another --output") from error
    try:
        for text in plan.anchors:
            make_engine(GAME, text, settings)  # says at once if there can be no such player
        # Before anything is kept: what cannot be played is no ranking to go on with.
        trial = make_trial(plan.options, plan.limit, settings, plan.python)
        submissions = collect(folder, workspace)
        state = RankingState.open(
            output, msgspec.structs.replace(plan, submissions=digests(submissions))
        )
        submissions = state.in_order(submissions)
        verdicts = _judge_all(submissions, state, trial, jobs, stage)
        config = make_config(plan, verdicts, trial)
        facts = _facts(plan, trial)
        if len(config.players) < 2:
            page = write_class_pages(output, ClassResult(tuple(verdicts), facts))
            return Ranking(tuple(verdicts), (), page)
        return _play(config, verdicts, facts, output, jobs, stage)
    finally:
        shutil.rmtree(workspace, ignore_errors=True)
        claims.give_up()
        with suppress(OSError):
            output.rmdir()  # nothing came of it


def _judge_all(
    submissions: list[Submission],
    state: RankingState,
    trial: Trial,
    jobs: int,
    stage: StageMaker,
) -> list[SubmissionVerdict]:
    """The verdicts in the order of the submissions; what is known is not asked for again."""
    known = {each.name: found for each in submissions if (found := state.verdict(each))}
    waiting = [each for each in submissions if each.name not in known]
    if waiting:
        _warm_up(trial)
    with (
        stage("judged", len(submissions), len(submissions) - len(waiting)) as progress,
        ThreadPoolExecutor(jobs) as pool,
    ):
        for verdict in pool.map(lambda each: judge(each, trial), waiting):
            state.keep(verdict)
            known[verdict.submission.name] = verdict
            progress.say(f"{verdict.submission.name}: {verdict.summary}")
            progress.advance()
    return [known[each.name] for each in submissions]


def _warm_up(trial: Trial) -> None:
    """Compile the rules here: submissions in a sandbox cannot keep what they compile."""
    for board in trial.boards:
        start, *passes = board.split(TABOO)
        options = {**trial.options, "board": start}
        if passes:
            taboo_opening(options)
        position = make_game(GAME, options).start()
        _ = position.play(position.legal_moves[0]).legal_moves


def make_config(plan: RankingPlan, verdicts: list[SubmissionVerdict], trial: Trial) -> RunConfig:
    """The tournament of those that can play, and the anchors after them."""
    students = tuple(
        PlayerEntry(trial.player(verdict.submission), verdict.submission.name)
        for verdict in verdicts
        if verdict.playable
    )
    anchors = tuple(PlayerEntry(text, f"anchor {text}") for text in plan.anchors)
    options = {**plan.options}
    if "board" not in options:
        options["board"] = [board for board in trial.boards if TABOO not in board][-1]
    changing = plan.boards or str(options["board"]).startswith(("random-", "easy-", "hard-"))
    swiss = plan.format == "swiss"
    return RunConfig(
        kind="tournament",
        game=GAME,
        options=options,
        players=students + anchors,
        format=plan.format,
        games=2 if swiss else 2 * (plan.rounds or 1),
        swiss_rounds=plan.rounds if swiss else None,
        limit=plan.limit,
        seed=plan.seed,
        opening_plies=0 if changing or plan.openings else OPENING_PLIES,
        openings=plan.openings,
        boards=plan.boards,
        rules=MatchRules(engine=trial.settings),
        anchors=len(anchors),
        own_openings=True,
    )


def _play(
    config: RunConfig,
    verdicts: list[SubmissionVerdict],
    facts: tuple[tuple[str, str], ...],
    output: Path,
    jobs: int,
    stage: StageMaker,
) -> Ranking:
    """The tournament, its games in a database, and all pages."""
    with Store(output / DATABASE) as store:
        run = open_ranking(store, config)
        tournament = Tournament(config, store, run)
        with ExitStack() as stack:
            played = len(tournament.results.lines)
            progress = stack.enter_context(stage("games", tournament.total, played))

            def count(event: Event) -> None:
                if isinstance(event, GameEnded):
                    progress.advance()

            tournament.listen(count)
            if played < tournament.total:
                engines = max(2, len(config.players))
                executor = make_executor("local", jobs, tournament.emit, engines)
                tournament.play(stack.enter_context(executor))
        write_run_report(store, run, output / "games" / "report.html")
        places = class_places(config, tournament.results)
        games = tuple(load_run(store, run))
        result = ClassResult(
            tuple(
                with_games(each, _outputs(each.submission.name, games), config.rules.engine)
                for each in verdicts
            ),
            facts,
            tuple(places),
            games,
            tuple(config.labels),
            tuple(tuple(row) for row in tournament.results.crosstable()),
        )
        with stage("pages", len(result.verdicts), 0) as progress:
            page = write_class_pages(output, result, progress.advance)
        return Ranking(result.verdicts, result.places, page)


def _outputs(name: str, games: Sequence[PlayedGame]) -> Iterator[str]:
    """What a submission put out in its games."""
    for game in games:
        for seat, player in enumerate((game.first, game.second)):
            if player == name:
                yield game.record.tags.get(f"stderr {seat}", "")


def no_sandbox(settings: EngineSettings) -> str:
    """Why submissions do not run apart under these settings; empty where they do."""
    if settings.sandbox == "off":
        return "NO: it was switched off"
    state = sandbox.state()
    return "" if state.available else f"NO: {state.reason}"


def _facts(plan: RankingPlan, trial: Trial) -> tuple[tuple[str, str], ...]:
    boards = f"a suite of {len(plan.boards or plan.openings)}"
    if not (plan.boards or plan.openings):
        boards = board_name(str(plan.options.get("board", "a new one for every pair of games")))
    rounds = f", {plan.rounds} round{'s' * (plan.rounds > 1)}" if plan.rounds else ""
    facts = [
        ("time a turn", f"{plan.limit}"),
        ("boards", boards),
        ("mode", "as the board says" if trial.restricted else trial.mode),
        ("format", plan.format + rounds),
        ("sandbox", no_sandbox(trial.settings) or "yes"),
    ]
    if plan.anchors:
        facts.append(("anchors", f"{', '.join(plan.anchors)}: their average is Elo 0"))
    return tuple(facts)
