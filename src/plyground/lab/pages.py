"""The lab's report: the table of claims, then every experiment with its plots and games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plyground.lab.results import MissingResultError, Results
from plyground.lab.verdicts import ClaimVerdict, headline, judge
from plyground.report.page import Block, Page, Plot, Section, Table, write_page
from plyground.report.runs import machine, reports_folder, run_sections
from plyground.report.summary import summarise

KEPT = ("Time, boards and conditions", "Margins and lengths")
"""Sections of a run that an experiment's part of the report takes over."""


def write_lab_report(
    chosen: Sequence[Results],
    title: str,
    facts: Sequence[tuple[str, str]] = (),
    path: Path | None = None,
) -> Path:
    """Write the report of experiments from their results; its path."""
    verdicts = [judge(results.experiment, results) for results in chosen]
    everything = [verdict for entries in verdicts for verdict in entries]
    sections = [Section("Claims", (claims_table(everything),))]
    for results, judged in zip(chosen, verdicts, strict=True):
        experiment = results.experiment
        sections.append(
            Section(
                f"{experiment.document} {experiment.title}",
                (claims_table(judged, False), *experiment_blocks(results)),
            )
        )
    page = Page(
        title=f"The documents' experiments, {title} run",
        headline=headline([verdict.word for verdict in everything]),
        facts=(*facts, ("machine", machine())),
        sections=tuple(sections),
    )
    return write_page(page, path or reports_folder() / f"lab-{title}" / "report.html")


def claims_table(verdicts: Sequence[ClaimVerdict], with_names: bool = True) -> Table:
    """Claims as a table of the page."""
    columns: tuple[str, ...] = ("claim", "ours", "agrees?")
    if any(verdict.why for verdict in verdicts):
        columns += ("why not",)
    rows = []
    for verdict in verdicts:
        experiment = verdict.experiment
        cells = (verdict.claim.says, verdict.ours, verdict.word, verdict.why)[: len(columns)]
        rows.append((experiment.document, experiment.name, *cells) if with_names else cells)
    marks = tuple("good" if v.agrees else "bad" if v.agrees is False else "muted" for v in verdicts)
    reduced = verdicts[0].reduced if verdicts and not with_names else ""
    return Table(
        ("document", "experiment", *columns) if with_names else columns,
        tuple(rows),
        caption=f"Reduced in this run ({verdicts[0].scale.value}): {reduced}" if reduced else "",
        marks=marks,
    )


def experiment_blocks(results: Results) -> list[Block]:
    """Plots and tables of an experiment, from what has been measured."""
    experiment = results.experiment
    blocks: list[Block] = []
    if experiment.plots is not None:
        try:
            blocks += experiment.plots(results)
        except MissingResultError:
            blocks.append("Not all measurements for its plots are there yet.")
    games = results.all_games()
    if games:
        game = games[0].record.game
        players = dict.fromkeys(item.first for item in results.series())
        summary = summarise(games, game, tuple(players))
        for section in run_sections(games, summary, f"{experiment.name}-", replays=0):
            if section.title in KEPT:
                blocks += [block for block in section.blocks if isinstance(block, (Plot, Table))]
    return blocks
