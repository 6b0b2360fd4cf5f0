"""Pages of a ranking: one for the class, one to hand to each student, and the table as CSV."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from plyground.arena.results import Standing
from plyground.course.verdict import SubmissionVerdict
from plyground.report.page import Link, Page, Section, Table, write_page

CSV_COLUMNS = (
    "rank",
    "submission",
    "generation",
    "score",
    "games",
    "wins",
    "draws",
    "losses",
    "elo",
    "elo_low",
    "elo_high",
    "failures",
    "verdict",
)


def write_class_pages(
    folder: Path,
    verdicts: Sequence[SubmissionVerdict],
    standings: Mapping[str, Standing],
    facts: tuple[tuple[str, str], ...],
    run_report: str,
) -> Path:
    """Write `index.html`, `ranking.csv` and a page for every submission; the class page."""
    folder.mkdir(parents=True, exist_ok=True)
    ordered = sorted(
        verdicts,
        key=lambda v: (
            standings[v.submission.name].rank if v.submission.name in standings else 10**6,
            v.submission.name,
        ),
    )
    for verdict in ordered:
        place = standings.get(verdict.submission.name)
        write_page(student_page(verdict, place, len(standings)), folder / _file(verdict))
    _write_csv(folder / "ranking.csv", ordered, standings)
    return write_page(_class_page(ordered, standings, facts, run_report), folder / "index.html")


def _file(verdict: SubmissionVerdict) -> str:
    return f"{verdict.submission.name}.html"


def _class_page(
    ordered: Sequence[SubmissionVerdict],
    standings: Mapping[str, Standing],
    facts: tuple[tuple[str, str], ...],
    run_report: str,
) -> Page:
    flawed = sum(not verdict.flawless for verdict in ordered)
    headline = f"{len(standings)} of {len(ordered)} submissions played"
    if standings:
        top = min(place.rank for place in standings.values())
        best = sorted(name for name, place in standings.items() if place.rank == top)
        headline += f"; {', '.join(best)} came first" + (" together" if len(best) > 1 else "")
    headline += f". {flawed} have faults to mend."
    rows, marks = [], []
    for verdict in ordered:
        place = standings.get(verdict.submission.name)
        name = Link(verdict.submission.name, _file(verdict))
        rows.append((*_place_cells(place), name, verdict.generation or "?", verdict.summary))
        marks.append("good" if verdict.flawless else "" if verdict.playable else "bad")
    table = Table(
        ("rank", "score", "games", "Elo", "95 %", "submission", "generation", "verdict"),
        tuple(rows),
        frozenset({0, 1, 2, 3, 4}),
        marks=tuple(marks),
    )
    sections = [Section("Ranking", (table,))]
    if run_report:
        link = Table(("more",), ((Link("all games, cross table and plots", run_report),),))
        sections.append(Section("Games", (link,)))
    return Page("Ranking of the class", headline, facts, tuple(sections))


def _place_cells(place: Standing | None) -> tuple[str, str, str, str, str]:
    if place is None:
        return "", "", "", "", ""
    rating = place.rating
    return (
        str(place.rank),
        f"{place.score:g}",
        str(place.games),
        f"{rating.elo:+.0f}",
        f"{rating.low:+.0f} to {rating.high:+.0f}",
    )


def student_page(
    verdict: SubmissionVerdict, place: Standing | None = None, players: int = 0
) -> Page:
    """One page that can be handed to the author: what was found, and what to mend."""
    name = verdict.submission.name
    if verdict.fault:
        headline = f"{name} cannot play: {verdict.fault}."
    elif not verdict.playable:
        headline = f"{name} made no move on any board: {verdict.summary}."
    elif all(check.ok for check in verdict.boards) and verdict.remarks:
        headline = f"{name} {verdict.summary}."
    elif verdict.flawless:
        headline = f"{name} keeps the rules on every board that was tried."
    else:
        headline = f"{name} plays, but has faults to mend: {verdict.summary}."
    if place is not None:
        headline += f" It came {place.rank} of {players} with {place.score:g}/{place.games}."
    sections = []
    if verdict.advice:
        sections.append(Section("What to mend", (verdict.advice,)))
    if verdict.remarks:
        rows = tuple((remark.found, remark.advice) for remark in verdict.remarks)
        sections.append(Section("What to mend", (Table(("found", "what to mend"), rows),)))
    if verdict.boards:
        checked = tuple(
            (
                check.board,
                str(check.turns),
                f"{check.slowest:.2f}",
                "fine" if check.ok else check.fault,
                check.advice,
            )
            for check in verdict.boards
        )
        marks = tuple("good" if check.ok else "bad" for check in verdict.boards)
        columns = ("board", "turns", "slowest (s)", "found", "what to mend")
        sections.append(
            Section("Boards", (Table(columns, checked, frozenset({1, 2}), marks=marks),))
        )
    if verdict.log.strip():
        log = Table(("last lines of its output",), tuple((s,) for s in _log_lines(verdict.log)))
        sections.append(Section("Output", (log,)))
    facts = (
        ("handed in as", verdict.submission.origin.name),
        ("framework", f"{verdict.generation} generation" if verdict.generation else "unknown"),
    )
    return Page(name, headline, facts, tuple(sections))


def _log_lines(log: str, most: int = 30) -> list[str]:
    """The last lines without our own remarks; a line that repeats itself is shown once."""
    shown: list[tuple[str, int]] = []
    for line in log.splitlines():
        if not line.strip() or line.startswith("plyground:"):
            continue
        times = shown.pop()[1] + 1 if shown and shown[-1][0] == line[:300] else 1
        shown.append((line[:300], times))
    return [line if times == 1 else f"{line}  ({times} times)" for line, times in shown[-most:]]


def _write_csv(
    path: Path, ordered: Sequence[SubmissionVerdict], standings: Mapping[str, Standing]
) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(CSV_COLUMNS)
        for verdict in ordered:
            name = verdict.submission.name
            place = standings.get(name)
            numbers: list[object] = [""] * 8
            if place is not None:
                rating = place.rating
                numbers = [
                    place.score,
                    place.games,
                    place.wins,
                    place.draws,
                    place.losses,
                    round(rating.elo, 1),
                    round(rating.low, 1),
                    round(rating.high, 1),
                ]
            writer.writerow(
                [
                    place.rank if place else "",
                    name,
                    verdict.generation,
                    *numbers,
                    place.failures if place else "",
                    verdict.summary,
                ]
            )
