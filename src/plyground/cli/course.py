"""`plyground course`: for teachers (`rank`) and students (`new`, `check`)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import cyclopts
from cyclopts import Parameter
from rich.table import Table

from plyground.cli.app import Json, Options, console, notes, parse_options, print_json
from plyground.core.errors import InputError
from plyground.core.game import OptionValue
from plyground.core.limits import Limit

course = cyclopts.App(name="course", help="Course submissions of Competitive Sudoku.")

Seconds = Annotated[float, Parameter(name="--time", help="Seconds a turn.")]


@course.command
def new(
    folder: Path,
    *,
    generation: Annotated[
        Literal["older", "newer"], Parameter(help="Which framework: versions 9-13, or 14.")
    ] = "newer",
    json: Json = False,
) -> None:
    """Make a submission to start from; it runs here and in the course's own runner."""
    from plyground.course.skeleton import create

    main = create(folder, generation)
    if json:
        print_json({"folder": str(folder), "main": str(main), "generation": generation})
    else:
        console.print(
            f"wrote {main}; try\n  plyground course check {folder}\n"
            f"  plyground match competitive-sudoku course:{folder} greedy --time 0.5 --games 10",
            highlight=False,
            soft_wrap=True,
        )


@course.command
def check(path: Path, *, time: Seconds = 0.5, option: Options = None, json: Json = False) -> int:
    """Judge a submission (a folder or a zip file) and say what to mend."""
    import tempfile

    from plyground.course.ranking import check_boards
    from plyground.course.submissions import Submission, from_folder, from_zip
    from plyground.course.verdict import judge
    from plyground.engines.engine import EngineSettings

    if not path.exists():
        raise InputError(f"there is no {path}")
    options: dict[str, OptionValue] = dict(parse_options(option))
    with tempfile.TemporaryDirectory(prefix="plyground-course-") as workspace:
        submission: Submission
        if path.is_dir():
            submission = from_folder(path.resolve().name, path, path)
        else:
            submission = from_zip(path, Path(workspace))
        rest = {name: value for name, value in options.items() if name != "board"}
        verdict = judge(submission, check_boards(options), Limit(time=time), EngineSettings(), rest)
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
    name = verdict.submission.name
    console.print(f"{name}: {verdict.summary}", highlight=False, markup=False, soft_wrap=True)
    if verdict.advice:
        console.print(f"to mend: {verdict.advice}", highlight=False, markup=False, soft_wrap=True)
    for each in verdict.boards:
        found = "fine" if each.ok else f"{each.fault}; to mend: {each.advice}"
        console.print(
            f"  {each.board}: {each.turns} turns, slowest {each.slowest:.2f} s, {found}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    for remark in verdict.remarks:
        line = f"  {remark.found}; to mend: {remark.advice}"
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    if not verdict.flawless and verdict.log.strip():
        print(verdict.log)


@course.command
def rank(
    folder: Path,
    *,
    time: Seconds = 0.5,
    rounds: Annotated[int, Parameter(help="Pairs of games between every two.")] = 1,
    option: Options = None,
    output: Annotated[
        Path | None, Parameter(help="Where to write the pages (default: FOLDER-ranking).")
    ] = None,
    jobs: Annotated[int, Parameter(help="Games at the same time.")] = 1,
    seed: int = 0,
    json: Json = False,
) -> None:
    """Judge all submissions in a folder (folders and zip files), play a tournament, rank them."""
    from plyground.course.ranking import rank_class

    if rounds < 1:
        raise InputError(f"--rounds must be at least 1, not {rounds}")
    target = output or folder.resolve().with_name(f"{folder.resolve().name}-ranking")
    options: dict[str, OptionValue] = dict(parse_options(option))
    ranking = rank_class(
        folder,
        options,
        Limit(time=time),
        rounds,
        target,
        jobs,
        seed,
        say=lambda line: notes.print(line, highlight=False, markup=False, soft_wrap=True),
    )
    rows = sorted(ranking.standings.items(), key=lambda item: item[1].rank)
    if json:
        print_json(
            {
                "ranking": [
                    {
                        "rank": row.rank,
                        "submission": name,
                        "score": row.score,
                        "games": row.games,
                        "elo": {
                            "rating": row.rating.elo,
                            "low": row.rating.low,
                            "high": row.rating.high,
                        },
                        "failures": row.failures,
                    }
                    for name, row in rows
                ],
                "verdicts": [_verdict_json(verdict) for verdict in ranking.verdicts],
                "page": str(ranking.page),
            }
        )
        return
    table = Table("rank", "submission", "score", "games", "Elo", "95 %", "failures")
    for name, row in rows:
        table.add_row(
            str(row.rank),
            name,
            f"{row.score:g}",
            str(row.games),
            f"{row.rating.elo:+.0f}",
            f"{row.rating.low:+.0f} to {row.rating.high:+.0f}",
            str(row.failures),
        )
    console.print(table)
    console.print(f"class page: {ranking.page}", highlight=False, soft_wrap=True)
