"""`plyground course`: for teachers (`rank`) and students (`new`, `check`)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import cyclopts
import msgspec
from cyclopts import Parameter
from rich.table import Column, Table

from plyground.cli.app import Json, Options, console, notes, parse_options, print_json
from plyground.cli.conduct import INTERRUPTED, termination_as_interrupt
from plyground.core.errors import InputError
from plyground.core.game import OptionValue
from plyground.core.limits import Limit, TimeBy
from plyground.core.paths import is_file
from plyground.core.terminal import printable
from plyground.engines.sandbox import SandboxMode

if TYPE_CHECKING:
    from plyground.course.plan import RankingPlan

course = cyclopts.App(name="course", help="Course submissions of Competitive Sudoku.")

NO_SANDBOX = (
    "NO SANDBOX: submissions run with your rights: they can read, change and send your files, "
    "start programs and stop this one. Sandbox: "
)
SandboxChoice = Annotated[
    SandboxMode, Parameter(help="Submissions run apart: auto (where it works), on, off.")
]
TimeChoice = Annotated[
    TimeBy,
    Parameter(
        help="What a second of a turn is: of the processor (a busy machine blames nobody), or wall."
    ),
]
Seconds = Annotated[float, Parameter(name="--time", help="Seconds a turn.")]
Interpreter = Annotated[
    str, Parameter(help="Python that runs the submissions, with its libraries (default: this one).")
]


@course.command
def new(
    folder: Path,
    *,
    generation: Annotated[
        Literal["older", "newer"], Parameter(help="Which framework: versions 9-13, or 14.")
    ] = "newer",
    json: Json = False,
) -> None:
    """Make a submission to start from; it runs here and in the course's own runner.

    Example: plyground course new team42_A1
    """
    from plyground.course.skeleton import create

    main = create(folder, generation)
    if json:
        print_json({"folder": str(folder), "main": str(main), "generation": generation})
    else:
        console.print(
            f"wrote {main}; try\n  plyground course check {folder}\n"
            f"  plyground match competitive-sudoku course:{folder} greedy --time 0.5 --games 10",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )


@course.command
def check(
    path: Path,
    *,
    time: Seconds = 0.5,
    option: Options = None,
    python: Interpreter = "",
    time_by: TimeChoice = "cpu",
    sandbox: SandboxChoice = "auto",
    json: Json = False,
) -> int:
    """Judge a submission (a folder or a zip file) and say what to mend.

    Example: plyground course check team42_A1
    """
    import tempfile

    from plyground.course.submissions import MAIN_FILE, from_file, from_folder, plain_name
    from plyground.course.verdict import judge, make_trial
    from plyground.engines.engine import EngineSettings

    if not path.exists():
        raise InputError(f"there is no {path}")
    if path.name == MAIN_FILE:
        path = path.resolve().parent
    options: dict[str, OptionValue] = dict(parse_options(option))
    with tempfile.TemporaryDirectory(prefix="plyground-course-") as workspace:
        if path.is_dir():
            name = plain_name(path.resolve().name)
            submission = from_folder(name, path, path, Path(workspace))
        else:
            submission = from_file(path, Path(workspace))
        trial = make_trial(
            options, Limit(time=time, by=time_by), EngineSettings(sandbox=sandbox), python
        )
        verdict = judge(
            submission, trial, lambda board: _note(f"{submission.name}: on {board} ...")
        )
    if json:
        print_json(_verdict_json(verdict))
    else:
        _show_verdict(verdict)
    return 0 if verdict.flawless else 1


def _verdict_json(verdict: Any) -> dict[str, Any]:
    return {
        "submission": verdict.submission.name,
        "generation": verdict.generation or None,
        "playable": verdict.playable,
        "flawless": verdict.flawless,
        "fault": verdict.fault or None,
        "advice": verdict.advice or None,
        "summary": verdict.summary,
        "remarks": [{"found": remark.found, "advice": remark.advice} for remark in verdict.remarks],
        "boards": [
            {
                "board": each.board,
                "turns": each.turns,
                "slowest": each.slowest,
                "fault": each.fault or None,
                "advice": each.advice or None,
            }
            for each in verdict.boards
        ],
    }


def _show_verdict(verdict: Any) -> None:
    from plyground.course.student_page import log_lines

    name = verdict.submission.name
    console.print(f"{name}: {verdict.summary}", highlight=False, soft_wrap=True)
    if verdict.advice:
        console.print(f"to mend: {verdict.advice}", highlight=False, soft_wrap=True)
    for each in verdict.boards:
        found = "fine" if each.ok else f"{each.fault}; to mend: {each.advice}"
        console.print(
            f"  {each.board}: {each.turns} turns, slowest {each.slowest:.2f} s, {found}",
            highlight=False,
            soft_wrap=True,
        )
    for remark in verdict.remarks:
        line = f"  {remark.found}; to mend: {remark.advice}"
        console.print(line, highlight=False, soft_wrap=True)
    lines = [] if verdict.flawless else log_lines(verdict.log)
    if lines:
        console.print("the last lines of its output:", highlight=False)
        print(printable("\n".join(lines)))


@course.command
def rank(
    folder: Path,
    *,
    time: Seconds = 0.5,
    format: Annotated[
        Literal["round-robin", "swiss", "anchors"],
        Parameter(help="Everybody against everybody, Swiss rounds, or all against the anchors."),
    ] = "round-robin",
    rounds: Annotated[
        int | None,
        Parameter(help="Pairs of games between two that meet; Swiss: rounds (default: by size)."),
    ] = None,
    anchor: Annotated[
        list[str] | None,
        Parameter(help="A player of ours that holds the scale; may be repeated.", negative=""),
    ] = None,
    option: Options = None,
    boards: Annotated[
        str | None, Parameter(help="A suite or file of boards (default: a new board a pair).")
    ] = None,
    output: Annotated[
        Path | None, Parameter(help="Where to write the pages (default: FOLDER-ranking).")
    ] = None,
    jobs: Annotated[int, Parameter(help="Games at the same time.")] = 1,
    seed: int = 0,
    python: Interpreter = "",
    time_by: TimeChoice = "cpu",
    sandbox: SandboxChoice = "auto",
    json: Json = False,
) -> int:
    """Judge all submissions in a folder (folders and zip files), play a tournament, rank them.

    Stopped by whatever, the same command goes on with it.

    Example: plyground course rank submissions/ --format swiss --time 0.1 --jobs 2
    """
    from plyground.course.progress import Stage
    from plyground.course.ranking import no_sandbox, rank_class
    from plyground.engines.engine import EngineSettings

    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}")
    if rounds is not None and rounds < 1:
        raise InputError(f"--rounds must be at least 1, not {rounds}")
    if format == "anchors" and not anchor:
        raise InputError("--format anchors needs players that hold the scale: --anchor level:club")
    plan = _make_plan(_with_whole_path(dict(parse_options(option))), boards)
    plan = msgspec.structs.replace(
        plan,
        limit=Limit(time=time, by=time_by),
        format=format,
        rounds=rounds,
        anchors=tuple(anchor or ()),
        seed=seed,
        python=str(Path(python).absolute()) if "/" in python else python,
    )
    target = (output or folder.resolve().with_name(f"{folder.resolve().name}-ranking")).resolve()
    command = _command(folder, plan, boards, target, jobs)
    command += f" --sandbox {sandbox}" if sandbox != "auto" else ""
    settings = EngineSettings(sandbox=sandbox)
    reason = no_sandbox(settings)
    warning = NO_SANDBOX + reason if reason else ""
    if warning:
        _note(warning)
    _note(f"if this is stopped, the same command goes on with it:\n  {command}")
    try:
        with termination_as_interrupt():
            ranking = rank_class(
                folder, plan, target, settings, jobs, lambda *each: Stage(notes, *each)
            )
    except KeyboardInterrupt:
        _note(f"stopped; go on with:\n  {command}")
        return INTERRUPTED
    if json:
        print_json(_ranking_json(ranking))
    else:
        _show_ranking(ranking)
    if warning:
        _note(warning)
    return 0


def _make_plan(options: dict[str, OptionValue], boards: str | None) -> RankingPlan:
    """A plan with the starts that `--boards` names."""
    from plyground.arena.openings import read_suite
    from plyground.core.registry import make_game
    from plyground.course.boards import GAME
    from plyground.course.plan import RankingPlan

    openings: tuple[str, ...] = ()
    suite: tuple[dict[str, OptionValue], ...] = ()
    if boards is not None:
        openings, suite = read_suite(make_game(GAME, options), boards)
        options = _with_mode_of(suite, options)
    return RankingPlan(options=options, boards=suite, openings=openings)


def _with_mode_of(
    suite: Sequence[dict[str, OptionValue]], options: dict[str, OptionValue]
) -> dict[str, OptionValue]:
    """The options with the one mode of all boards of a suite: submissions are judged in it."""
    usual = options.get("mode", "classic")
    modes = {str(board.get("mode", usual)) for board in suite}
    if len(modes) > 1:
        raise InputError(f"--boards are of more than one mode: {', '.join(sorted(modes))}")
    if "mode" in options and modes - {usual}:
        raise InputError(f"--option mode={usual}, but --boards are of mode {modes.pop()}")
    return {**options, "mode": modes.pop()} if modes - {"classic"} else options


def _with_whole_path(options: dict[str, OptionValue]) -> dict[str, OptionValue]:
    """The same for every folder from which it is meant: the board may be a file."""
    board = str(options.get("board", ""))
    return {**options, "board": str(Path(board).resolve())} if is_file(board) else options


def _command(folder: Path, plan: RankingPlan, boards: str | None, target: Path, jobs: int) -> str:
    """The command that goes on with a ranking, wherever it is given."""
    words = ["plyground", "course", "rank", str(folder.resolve()), "--output", str(target)]
    words += ["--time", f"{plan.limit.time:g}", "--format", plan.format]
    words += ["--time-by", plan.limit.by] if plan.limit.by != "cpu" else []
    words += ["--rounds", str(plan.rounds)] if plan.rounds else []
    for text in plan.anchors:
        words += ["--anchor", text]
    for name, value in plan.options.items():
        words += ["--option", f"{name}={value}"]
    boards = str(Path(boards).resolve()) if boards and is_file(boards) else boards
    words += ["--boards", boards] if boards else []
    words += ["--python", plan.python] if plan.python else []
    words += ["--seed", str(plan.seed)] if plan.seed else []
    words += ["--jobs", str(jobs)] if jobs != 1 else []
    named = [part for text in plan.anchors for part in re.split("[:,]", text)]
    if any(is_file(part) or is_file(f"{part}/sudokuai.py") for part in named):
        return f"{shlex.join(['cd', str(Path.cwd())])} && {shlex.join(words)}"
    return shlex.join(words)


def _note(line: str) -> None:
    notes.print(line, highlight=False, soft_wrap=True)


def _ranking_json(ranking: Any) -> dict[str, Any]:
    return {
        "ranking": [
            {
                "rank": place.rank or None,
                "submission": place.name,
                "score": place.score,
                "games": place.games,
                "elo": {"rating": place.elo, "low": place.low, "high": place.high},
                "superiority": place.superiority,
                "failures": place.failures,
            }
            for place in ranking.places
        ],
        "verdicts": [_verdict_json(verdict) for verdict in ranking.verdicts],
        "page": str(ranking.page),
    }


def _show_ranking(ranking: Any) -> None:
    from plyground.arena.class_table import doubts

    table = Table(
        "rank",
        Column("submission", overflow="fold"),
        "score",
        "Elo",
        "95 %",
        "above next",
        "failures",
    )
    for place in ranking.places:
        table.add_row(
            "" if place.anchor else str(place.rank),
            place.name,
            f"{place.score:g}/{place.games}",
            f"{round(place.elo):+d}",
            f"{place.low:+.0f} to {place.high:+.0f}",
            "" if place.superiority is None else f"{100 * place.superiority:.0f} %",
            str(place.failures or ""),
        )
    if ranking.places:
        console.print(table)
    names = [verdict.submission.name for verdict in ranking.verdicts if not verdict.playable]
    lines = [note] if (note := doubts(ranking.places)) else []
    lines += [f"could not play, see their pages: {', '.join(names)}"] if names else []
    lines += [
        f"class page, to publish with students/: {ranking.page}",
        f"for you: {ranking.page.with_name('teacher.html')}, ranking.csv beside it",
    ]
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True)
