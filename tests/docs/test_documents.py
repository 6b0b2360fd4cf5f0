"""The site builds without a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from processes import run_python

ROOT = Path(__file__).parents[2]


def test_the_site_builds_without_warnings(tmp_path):
    pytest.importorskip("mkdocs", reason="needs the extra docs")
    site = ("--strict", "--site-dir", str(tmp_path))
    run_python("-m", "mkdocs", "build", *site, cwd=ROOT, timeout=600)
    index = (tmp_path / "index.html").read_text()
    assert 'src="http' not in index and 'href="http' not in index.replace(
        "https://www.mkdocs.org", ""
    )
    assert (tmp_path / "cli.html").read_text().count("plyground match") > 0
    assert "AlphaBeta" in (tmp_path / "api.html").read_text()
