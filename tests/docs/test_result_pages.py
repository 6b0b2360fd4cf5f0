"""What a measurement writes on a page of results, and what it leaves there."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def startup() -> ModuleType:
    spec = importlib.util.spec_from_file_location("startup", BENCHMARKS / "startup.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_new_table_replaces_the_old_one_and_nothing_else(startup, tmp_path):
    page = tmp_path / "startup.md"
    page.write_text("# Before\n\n")
    startup.put(page, "startup.py", "one\n")
    page.write_text(page.read_text() + "\n## By hand\n\nfigures\n")
    startup.put(page, "suite_time.py", "other\n")
    startup.put(page, "startup.py", "two\n")
    text = page.read_text()
    assert text.startswith("# Before\n") and "\n## By hand\n\nfigures\n" in text
    assert "one" not in text and text.index("two") < text.index("By hand") < text.index("other")


def test_a_page_whose_end_mark_is_gone_is_not_written_over(startup, tmp_path):
    page = tmp_path / "startup.md"
    startup.put(page, "startup.py", "one\n")
    kept = (
        "".join(line for line in page.read_text().splitlines(True) if "end of" not in line)
        + "by hand\n"
    )
    page.write_text(kept)
    page.write_text(kept)
    with pytest.raises(SystemExit):
        startup.put(page, "startup.py", "two\n")
    assert page.read_text() == kept


def test_what_stands_in_the_results_by_hand_would_stay(startup, tmp_path):
    page = tmp_path / "startup.md"
    page.write_text((BENCHMARKS / "results" / "startup.md").read_text())
    startup.put(page, "startup.py", "new\n")
    text = page.read_text()
    assert "## What the demo saves by" in text and "new\n" in text
    assert "| --help (s) |" not in text


def test_a_part_that_is_measured_again_leaves_the_figures_of_the_others(startup):
    rows = [
        {"what": "--help (s)", "goal": "0.25 s", "before": 0.5, "now": 0.2},
        {"what": "10 games (s)", "goal": "1/5", "before": 9.0, "now": 3.0},
    ]
    found = {"command": "all", "load": [2.0, 2.0, 2.0], "rows": rows}
    games = {"what": "10 games (s)", "goal": "1/5", "before": 8.0, "now": 1.0}
    result = startup.renewed(found, "--only games", [games])
    assert result["rows"] == [rows[0], games] and result["command"] == "all"
    page = startup.table(result)
    assert "| 10 games (s) | 1/5 | 8.0 | 1.0 | 8.0 |" in page and "| 0.5 | 0.2 | 2.5 |" in page
    assert "Later, by `--only games`" in page and page.count("10 games (s)") == 2
