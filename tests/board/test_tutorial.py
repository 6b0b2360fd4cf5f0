"""The tutorial works as it is written: its file, its commands, its Python."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs" / "your-own-game.md"


def run(arguments: list[str], folder: Path, answers: str = "") -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PLYGROUND_DATA_DIR": str(folder / "data")},
        input=answers,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.slow
def test_from_an_empty_file_to_a_tournament(tmp_path: Path) -> None:
    text = DOCUMENT.read_text()
    file, script = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "domineering.py").write_text(file)
    commands = re.findall(r"^    (plyground .+)$", text, re.MULTILINE)
    assert len(commands) == 8
    for command in commands:
        words = shlex.split(command)
        if words[1] == "serve":
            continue  # the page has tests of its own
        out = run(["-m", *words], tmp_path, "moves\nquit\n")
        if words[1] == "check":
            assert "FAIL" not in out and out.count("ok ") >= 8
        if words[1] == "solve":
            assert "(win" in out
    assert "a b c d" in run(["-c", script], tmp_path)
