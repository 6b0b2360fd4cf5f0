"""`plyground reproduce`: the documents' experiments, claim beside measurement."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from rich.progress import TextColumn
from rich.table import Table
from rich.text import Text

from plyground.cli.app import Json, console, notes, print_json
from plyground.cli.preparing import progress
from plyground.core.errors import InputError, UnsupportedError
from plyground.core.writing import check_target

if TYPE_CHECKING:
    from plyground.lab.experiment import Experiment, Scale
    from plyground.lab.journal import Journal
    from plyground.lab.results import Results
    from plyground.lab.verdicts import ClaimVerdict


LINE_SECONDS = 60.0
"""Between two lines about the progress where there is no terminal to draw a bar."""


def reproduce(
    names: Annotated[
        list[str] | None,
        Parameter(help="Experiments, or numbers of documents; all by default.", negative=""),
    ] = None,
    *,
    list: Annotated[bool, Parameter(name="--list", help="List them.", negative="")] = False,
    quick: Annotated[bool, Parameter(help="The same as --scale quick.", negative="")] = False,
    scale: Annotated[
        Literal["quick", "medium", "full"],
        Parameter(help="full: the documents' own conditions (hours); others are marked."),
    ] = "full",
    resume: Annotated[
        bool, Parameter(help="Go on with what is there (always so unless --fresh).", negative="")
    ] = False,
    fresh: Annotated[
        bool, Parameter(help="Forget earlier results of these experiments.", negative="")
    ] = False,
    jobs: Annotated[int, Parameter(help="Processes; 0 means as many as there are cores.")] = 0,
    minutes: Annotated[
        float | None, Parameter(help="Begin nothing new after so long; go on another day.")
    ] = None,
    show: Annotated[bool, Parameter(help="Only show what is known so far.", negative="")] = False,
    best: Annotated[
        bool,
        Parameter(help="Show each experiment at the largest scale that is complete.", negative=""),
    ] = False,
    out: Annotated[Path | None, Parameter(help="The HTML report to write.")] = None,
    markdown: Annotated[
        Path | None,
        Parameter(
            help="Also write the table as Markdown; an earlier page keeps the rows not run here."
        ),
    ] = None,
    site: Annotated[
        Path | None, Parameter(help="Also write a page for each experiment into this folder.")
    ] = None,
    json: Json = False,
) -> int:
    """Run the experiments of the source documents and compare with their claims.

    Finished games and measurements are kept; a run that was stopped goes on where it was.

    Example: plyground reproduce connect4-random --quick
    """
    from plyground.lab.experiment import Scale, experiments, find, missing_agents
    from plyground.lab.journal import Journal
    from plyground.lab.pages import write_lab_report
    from plyground.lab.verdicts import best_scale, judge

    if fresh:
        _refuse_beside_fresh({"--resume": resume, "--show": show, "--best": best})
    _refuse_bad(minutes, site)
    wanted = (
        [entry for name in names for entry in find(name)] if names else [*experiments().values()]
    )
    if list:
        _list(wanted, json)
        return 0
    size = Scale.QUICK if quick else Scale(scale)
    chosen = [entry for entry in wanted if not missing_agents(entry)]
    for entry in wanted:
        if entry not in chosen:
            lacking = ", ".join(missing_agents(entry))
            notes.print(f"{entry.name} is left out: it needs {lacking}", highlight=False)
    started = time.perf_counter()
    failed = 0
    with Journal() as journal:
        if not (show or best):
            journal.claim()
            if fresh:
                for entry in chosen:
                    journal.forget(entry, size)
            failed = _run(chosen, size, journal, jobs or os.cpu_count() or 1, minutes)
        facts = (
            (
                "run",
                f"{'best of all' if best else size.value}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            ),
            ("command", "plyground " + " ".join(sys.argv[1:])),
            ("this run took", f"{(time.perf_counter() - started) / 60:.1f} minutes"),
        )
        results = [
            journal.results(entry, best_scale(entry, journal) if best else size) for entry in wanted
        ]
        if best:
            facts = (facts[0], ("commands", _commands(results)), facts[2])
        verdicts = [verdict for known in results for verdict in judge(known.experiment, known)]
        path = write_lab_report(results, "best" if best else size.value, facts, out)
        if site is not None:
            from plyground.lab.site import write_site

            notes.print(f"site: {write_site(results, site)}", highlight=False, soft_wrap=True)
    if markdown is not None:
        from plyground.lab.claims_page import as_markdown
        from plyground.report.runs import machine

        check_target(markdown)
        earlier = markdown.read_text(encoding="utf-8") if markdown.exists() else ""
        text = as_markdown(verdicts, (facts[0], ("machine", machine())), earlier)
        markdown.write_text(text, encoding="utf-8")
    _show(verdicts, path, json)
    return 1 if failed else 0


def _refuse_beside_fresh(others: Mapping[str, bool]) -> None:
    """UnsupportedError if an option was given that keeps what --fresh forgets."""
    for name, given in others.items():
        if given:
            raise UnsupportedError(f"--fresh and {name} contradict each other")


def _refuse_bad(minutes: float | None, site: Path | None) -> None:
    """InputError, before hours of work, if these cannot be meant."""
    if minutes is not None and not minutes > 0:
        raise InputError(f"minutes must be more than 0, not {minutes:g}")
    if site is not None and site.exists() and not site.is_dir():
        raise InputError(f"the site needs a folder, and {site} is a file")


def _commands(results: Sequence[Results]) -> str:
    """The commands that give these results, one for each scale."""
    names: dict[str, str] = {}
    for known in results:
        names[known.scale.value] = names.get(known.scale.value, "") + f" {known.experiment.name}"
    return "; ".join(
        f"`plyground reproduce{experiments} --scale {scale}`"
        for scale, experiments in names.items()
    )


def _run(
    chosen: Sequence[Experiment], scale: Scale, journal: Journal, jobs: int, minutes: float | None
) -> int:
    """Do what is left; how many jobs failed."""
    from plyground.arena.table import describe_duration
    from plyground.lab.remaining import Remaining
    from plyground.lab.runner import Job, run_experiments

    def pending() -> Sequence[tuple[str, str]]:
        return [(e.name, item.name) for e in chosen for item, _ in journal.pending(e, scale)]

    waiting = pending()
    remaining = Remaining(waiting, jobs)
    until = time.monotonic() + 60 * minutes if minutes is not None else math.inf
    with progress(TextColumn("{task.fields[left]}"), transient=True) as bar:
        task = bar.add_task("experiments", total=len(waiting), left="")
        told = time.monotonic()

        def advance(job: Job, seconds: float) -> None:
            nonlocal told
            remaining.done(job.experiment, job.item, seconds)
            left = f"about {describe_duration(remaining.seconds or 0.0)} left"
            name = f"{job.experiment}: {job.item}"[:48]
            bar.update(task, advance=1, description=name, left=left)
            if not notes.is_terminal and time.monotonic() - told > LINE_SECONDS:
                told = time.monotonic()
                done = int(bar.tasks[0].completed)
                notes.print(f"{name}: {done} of {len(waiting)} done, {left}", highlight=False)

        def still_time() -> bool:
            return time.monotonic() < until

        try:
            failures = run_experiments(chosen, scale, journal, jobs, advance, still_time)
        finally:
            bar.stop()
            if left := len(pending()):
                notes.print(
                    f"{left} of {len(waiting)} left; the same command goes on from here",
                    highlight=False,
                )
    for job, reason in failures[:5]:
        notes.print(f"failed: {job.experiment}, {job.item}: {reason}", highlight=False)
    return len(failures)


def _list(chosen: Sequence[Experiment], json: bool) -> None:
    if json:
        print_json(
            [
                {
                    "name": entry.name,
                    "document": entry.document,
                    "title": entry.title,
                    "claims": [claim.says for claim in entry.claims],
                    "reduced": entry.reduced,
                }
                for entry in chosen
            ]
        )
        return
    table = Table("document", "experiment", "about", "claims")
    for entry in chosen:
        table.add_row(entry.document, entry.name, entry.title, str(len(entry.claims)))
    console.print(table)


def _show(verdicts: Sequence[ClaimVerdict], path: Path, json: bool) -> None:
    from plyground.lab.verdicts import headline

    summary = headline([verdict.word for verdict in verdicts])
    if json:
        rows = [
            {
                "document": verdict.experiment.document,
                "experiment": verdict.experiment.name,
                "claim": verdict.claim.says,
                "ours": verdict.ours,
                "agrees": verdict.agrees,
                "why": verdict.why,
            }
            for verdict in verdicts
        ]
        print_json({"claims": rows, "headline": summary, "report": str(path)})
        return
    table = Table("experiment", "claim", "ours", "agrees?", show_lines=True)
    for verdict in verdicts:
        style = {"yes": "green", "no": "bold red"}.get(verdict.word, "dim")
        word = verdict.word + (f": {verdict.why}" if verdict.why else "")
        table.add_row(verdict.experiment.name, verdict.claim.says, verdict.ours, Text(word, style))
    console.print(table)
    console.print(summary, highlight=False)
    console.print(path, highlight=False, soft_wrap=True)
