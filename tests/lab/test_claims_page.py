"""The page of claims keeps what was not run here, and takes over what was."""

from __future__ import annotations

from pathlib import Path

from plyground.lab.claims_page import as_markdown, read_rows
from plyground.lab.experiment import Claim, Experiment, Finding, Scale
from plyground.lab.verdicts import ClaimVerdict

PAGE = Path(__file__).parents[2] / "docs" / "results.md"


def verdict(name: str, ours: str, agrees: bool | None, complete: bool = True) -> ClaimVerdict:
    claim = Claim(f"{name} is good", lambda results: Finding("", None), because="it is bad.")
    known = Experiment(name, "000", name, lambda scale: [], (claim,), reduced="fewer games.")
    return ClaimVerdict(known, claim, ours, agrees, complete, Scale.MEDIUM, games=300)


def test_rows_that_were_not_run_are_kept() -> None:
    first = as_markdown([verdict("a", "1 of 2", True), verdict("b", "0 of 2", False)], [])
    assert "Of 2 claims of the documents 1 agree with our measurement, 1 do not." in first
    rows = read_rows(first)
    assert [(row.experiment, row.word) for row in rows] == [("a", "yes"), ("b", "no")]
    assert as_markdown([], [], first).count("| a* | a is good | 1 of 2 | yes |") == 1
    now = [verdict("a", "no results yet", None, complete=False), verdict("b", "2 of 4", None)]
    second = as_markdown(now, [("run", "later")], first)
    assert "| a* | a is good | 1 of 2 | yes |" in second and "- kept from before: a\n" in second
    assert "| b* | b is good | 2 of 4 | not decided; about 300 games would decide it |" in second
    assert "1 is undecided." in second and second.count("(medium): fewer games.") == 2


def test_what_was_kept_twice_still_says_where_it_comes_from() -> None:
    facts = [("run", "all, 2026-11-16 04:57 UTC"), ("machine", "plyground 0.1.0")]
    page = as_markdown([verdict(name, "1 of 2", True) for name in "abc"], facts)
    page = as_markdown([verdict("b", "2 of 2", True)], [("run", "b, 2026-11-18 03:20 UTC")], page)
    page = as_markdown([verdict("c", "2 of 2", True)], [("run", "c, 2026-11-18 04:19 UTC")], page)
    assert "- kept from before (2026-11-16 04:57 UTC, plyground 0.1.0): a\n" in page
    assert "- kept from before (2026-11-18 03:20 UTC" in page and "UTC): b\n" in page


def test_the_page_of_the_documentation_reads_back() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = read_rows(text)
    assert f"Of {len(rows)} claims" in text
    assert {row.document for row in rows} == {"000", "001", "002", "003", "004"}
    assert set(read_rows(as_markdown([], [], text))) == set(rows)
