"""The results as a small site: a page of questions and answers, and one page for each experiment.

Every page is one self-contained file that can be sent to a colleague: the question, the answer, the
picture, and the command that gives it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plyground.lab.pages import claims_table, experiment_blocks
from plyground.lab.results import Results
from plyground.lab.verdicts import DOCUMENTS, ClaimVerdict, headline, judge
from plyground.report.page import Link, Page, Section, Table, write_page
from plyground.report.runs import machine

WORDS = {"yes": "agree", "no": "disagree", "not decided": "undecided", "not run": "not run yet"}


def write_site(chosen: Sequence[Results], folder: Path) -> Path:
    """Write index.html and a page for each experiment; the path of the index."""
    judged = [(results, judge(results.experiment, results)) for results in chosen]
    for results, verdicts in judged:
        _write_experiment(results, verdicts, folder)
    sections = []
    for document, title in DOCUMENTS.items():
        rows = [_row(v, r) for r, v in judged if r.experiment.document == document]
        if rows:
            table = Table(("question", "answer", "conditions"), tuple(rows))
            sections.append(Section(f"{document}: {title}", (table,)))
    everything = [verdict for _, verdicts in judged for verdict in verdicts]
    index = Page(
        title="What the documents claim and what we measure",
        headline=headline([verdict.word for verdict in everything]),
        facts=(("machine", machine()), ("made by", "plyground reproduce --site FOLDER")),
        sections=tuple(sections),
    )
    return write_page(index, folder / "index.html")


def answer(verdicts: Sequence[ClaimVerdict]) -> str:
    """The claims of an experiment in a few words: `3 agree, 1 disagrees`."""
    counts = {word: sum(v.word == word for v in verdicts) for word in WORDS}
    parts = []
    for word, count in counts.items():
        if count:
            one = {"yes": "agrees", "no": "disagrees"}.get(word, WORDS[word])
            parts.append(f"{count} {one if count == 1 else WORDS[word]}")
    return ", ".join(parts)


def command(results: Results) -> str:
    """The command that gives these results."""
    return f"plyground reproduce {results.experiment.name} --scale {results.scale.value}"


def _row(verdicts: Sequence[ClaimVerdict], results: Results) -> tuple[Link | str, ...]:
    experiment = results.experiment
    reduced = verdicts[0].reduced if verdicts else ""
    conditions = f"{results.scale.value} scale" if reduced else "the document's own"
    return Link(experiment.title, f"{experiment.name}.html"), answer(verdicts), conditions


def _write_experiment(results: Results, verdicts: Sequence[ClaimVerdict], folder: Path) -> None:
    experiment = results.experiment
    pictures = tuple(experiment_blocks(results))
    sections = [Section("Claims and measurements", (claims_table(verdicts, False),))]
    if pictures:
        sections.append(Section("Pictures", pictures))
    versions = _versions(results)
    page = Page(
        title=experiment.title,
        headline=f"The document's claims beside our measurement: {answer(verdicts)}.",
        facts=(
            ("document", f"{experiment.document}: {DOCUMENTS.get(experiment.document, '')}"),
            ("command", command(results)),
            *((("players", versions),) if versions else ()),
            ("machine", machine()),
            ("more", Link("all experiments", "index.html")),
        ),
        sections=tuple(sections),
    )
    write_page(page, folder / f"{experiment.name}.html")


def _versions(results: Results) -> str:
    """The players with their versions, as the games carry them."""
    known: dict[str, None] = {}
    for game in results.all_games():
        for player in game.record.tags.get("versions", "").split(", "):
            known[player] = None
    return "; ".join(player for player in known if player)
