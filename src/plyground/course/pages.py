"""Pages of a ranking: one for the class, one to hand to each student, and the table as CSV."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from plyground.arena.class_table import Place, doubts
from plyground.course.results import ClassResult
from plyground.course.student_page import student_page
from plyground.course.verdict import SubmissionVerdict
from plyground.report.page import Cell, Link, Page, Section, Table, write_page

STUDENTS = "students"
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
    "stronger_than_next",
    "failures",
    "seconds_per_move",
    "plays",
    "verdict",
)


def write_class_pages(
    folder: Path, result: ClassResult, written: Callable[[], object] = bool
) -> Path:
    """Write `index.html`, `ranking.csv` and a page for every student; the class page.

    The class page links to students' pages alone and says of nobody what is wrong;
    `teacher.html` is the same page with what is not for publication. `written` is called for
    every student's page.
    """
    (folder / STUDENTS).mkdir(parents=True, exist_ok=True)
    for verdict, stem in zip(result.verdicts, result.page_names.values(), strict=True):
        write_page(student_page(verdict, result), folder / STUDENTS / f"{stem}.html")
        written()
    ordered = result.ordered_verdicts()
    _write_csv(folder / "ranking.csv", ordered, result.places_by_name)
    for_teacher = _class_page(ordered, result, named=True)
    sections = (_files(result), *for_teacher.sections)
    write_page(replace(for_teacher, sections=sections), folder / "teacher.html")
    return write_page(_class_page(ordered, result, named=False), folder / "index.html")


def _link(name: str, result: ClassResult) -> Link:
    return Link(name, f"{STUDENTS}/{quote(result.page_names[name])}.html")


def _class_page(ordered: list[SubmissionVerdict], result: ClassResult, *, named: bool) -> Page:
    """With `named` it says who has which fault."""
    places = result.places_by_name
    flawed = sum(not verdict.flawless for verdict in ordered)
    students = [place for place in result.places if not place.anchor]
    headline = f"{len(students)} of {len(ordered)} submissions played"
    best = [place.name for place in students if place.rank == 1]
    if best:
        headline += f"; {', '.join(best)} came first" + (" together" if len(best) > 1 else "")
    headline += f". {flawed} have faults to mend."
    ranking, faults = _ranking(ordered, result), _faults(ordered, places)
    if not named:
        ranking, faults = _without_last_column(ranking), _without_last_column(faults)
    notes = [doubts(result.places)]
    if ("format", "swiss") in ((name, value[:5]) for name, value in result.facts):
        notes.append(
            "Places go by rating, which counts how strong the opponents were: equal scores may be "
            "different places."
        )
    sections = [Section("Ranking", (ranking, *filter(None, notes)))]
    if len(result.places) > 1:
        sections.append(Section("Crosstable", (_crosstable(result),)))
    sections.append(Section("Faults", (faults,)))
    return Page("Ranking of the class", headline, result.facts, tuple(sections))


def _without_last_column(table: Table) -> Table:
    """The rows neither marked nor with their last cell: those tell who has which fault."""
    rows = tuple(row[:-1] for row in table.rows)
    return replace(table, columns=table.columns[:-1], rows=rows, marks=())


def _files(result: ClassResult) -> Section:
    """What is for the teacher only."""
    rows: list[tuple[Cell, ...]] = [
        (Link("the page to publish, with the folder students/", "index.html"),),
        (Link("the table for grading (CSV)", "ranking.csv"),),
    ]
    if result.places:
        rows.append((Link("all games, plots and replays", "games/report.html"),))
    return Section("For the teacher", (Table(("files",), tuple(rows)),))


def _ranking(ordered: list[SubmissionVerdict], result: ClassResult) -> Table:
    rows: list[tuple[Cell, ...]] = []
    marks = []
    for verdict in ordered:
        place = result.places_by_name.get(verdict.submission.name)
        name = _link(verdict.submission.name, result)
        rank, *numbers = _place_cells(place)
        rows.append((rank, name, *numbers, verdict.generation or "?", verdict.summary))
        marks.append("good" if verdict.flawless else "" if verdict.playable else "bad")
    for place in result.places:
        if place.anchor:
            rank, *numbers = _place_cells(place)
            rows.append((rank, place.name, *numbers, "", "holds the scale"))
            marks.append("muted")
    columns = ("rank", "submission", "score", "+ = -", "Elo", "95 %", "above next", "generation")
    return Table(
        (*columns, "verdict"),
        tuple(rows),
        frozenset({0, *range(2, 7)}),
        "Elo with its 95 % interval; above next: how likely it is the stronger one of the two",
        marks=tuple(marks),
    )


def _place_cells(place: Place | None) -> tuple[str, ...]:
    if place is None:
        return ("",) * 6
    return (
        "" if place.anchor else str(place.rank),
        f"{place.score:g}/{place.games}",
        f"{place.wins} {place.draws} {place.losses}",
        f"{round(place.elo):+d}",
        f"{place.low:+.0f} to {place.high:+.0f}",
        "" if place.superiority is None else f"{100 * place.superiority:.0f} %",
    )


def _crosstable(result: ClassResult) -> Table:
    order = [result.labels.index(place.name) for place in result.places]
    rows: list[tuple[Cell, ...]] = []
    for number, player in enumerate(order, 1):
        name = result.labels[player]
        cells = [result.crosstable[player][other] for other in order]
        shown = ["" if cell is None else f"{cell:g}" for cell in cells]
        shown[number - 1] = "·"
        shown_name = _link(name, result) if name in result.page_names else name
        rows.append((str(number), shown_name, *shown))
    numbers = tuple(str(number) for number in range(1, len(order) + 1))
    return Table(
        ("", "submission", *numbers),
        tuple(rows),
        frozenset({0, *range(2, len(order) + 2)}),
        "points of the row against the column",
    )


def _faults(ordered: list[SubmissionVerdict], places: Mapping[str, Place]) -> Table:
    kinds: Counter[str] = Counter()
    who: dict[str, list[str]] = {}
    for verdict in ordered:
        name = verdict.submission.name
        place = places.get(name)
        found = set(verdict.kinds)
        if place is not None and place.failures:
            found.add("lost games by failure")
        for kind in found or {"none"}:
            kinds[kind] += 1
            who.setdefault(kind, []).append(name)
    rows = tuple((kind, str(count), ", ".join(who[kind])) for kind, count in kinds.most_common())
    return Table(("fault", "submissions", "which"), rows, frozenset({1}))


def _write_csv(path: Path, ordered: list[SubmissionVerdict], places: Mapping[str, Place]) -> None:
    # With the mark that spreadsheet programs need to read umlauts.
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        writer.writerow(CSV_COLUMNS)
        for verdict in ordered:
            name = verdict.submission.name
            place = places.get(name)
            numbers: list[object] = [""] * 11
            if place is not None:
                numbers = [
                    place.score,
                    place.games,
                    place.wins,
                    place.draws,
                    place.losses,
                    round(place.elo, 1),
                    round(place.low, 1),
                    round(place.high, 1),
                    "" if place.superiority is None else round(place.superiority, 3),
                    place.failures,
                    "" if place.seconds_per_move is None else round(place.seconds_per_move, 4),
                ]
            rank = place.rank if place else ""
            plays = "yes" if verdict.playable else "no"
            row = [rank, name, verdict.generation, *numbers, plays, verdict.summary]
            writer.writerow([_harmless(cell) for cell in row])


def _harmless(cell: object) -> object:
    """A text that no spreadsheet takes for a formula."""
    if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{cell}"
    return cell
