"""The README's code runs as written; the site builds without a warning."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def python_blocks(text: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def test_the_readme_runs():
    blocks = python_blocks((ROOT / "README.md").read_text())
    assert len(blocks) == 3
    program = "\n".join(blocks) + "\nassert result.summary['failures'] == [0, 0]\n"
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "x (red) to move after 4 plies" in done.stdout


def test_commands_in_the_readme_exist():
    from plyground.cli.commands import find_commands

    known = set(find_commands())
    text = (ROOT / "README.md").read_text() + (ROOT / "docs" / "index.md").read_text()
    named = set(re.findall(r"^    plyground (\w+)", text, re.MULTILINE))
    assert named and named <= known, named - known


def test_the_site_builds_without_warnings(tmp_path):
    pytest.importorskip("mkdocs", reason="needs the extra docs")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    index = (tmp_path / "index.html").read_text()
    assert 'src="http' not in index and 'href="http' not in index.replace(
        "https://www.mkdocs.org", ""
    )
    assert (tmp_path / "cli.html").read_text().count("plyground match") > 0
    assert "AlphaBeta" in (tmp_path / "api.html").read_text()
