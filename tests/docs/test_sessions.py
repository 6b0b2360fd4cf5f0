"""Every command and script in README and docs runs as written, in the order given, from a clone."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.core.paths import cache_root
from tests.docs.sessions import Step, read_steps

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "games").glob("*.md")),
]
ENDLESS = "plyground serve"
BROKEN = re.compile(r"^\S+ (crash|illegal move|no move|out of turn): ", re.MULTILINE)
"""A game lost by a failure other than lack of time, which a busy machine may bring about."""
ANSWERS = "moves\nquit\n"
"""What `plyground play` is told."""


def runnable(path: Path) -> list[Step]:
    return [step for step in read_steps(path) if not step.skipped]


@pytest.mark.slow
@pytest.mark.parametrize(
    "document", [path for path in DOCUMENTS if runnable(path)], ids=lambda path: path.stem
)
def test_a_reader_can_do_as_told(document: Path, tmp_path: Path) -> None:
    clone = fresh_clone(tmp_path / "clone")
    env = environment(tmp_path)
    script = ""
    for step in runnable(document):
        if step.kind == "file":
            (clone / step.name).write_text(step.text)
        elif step.kind == "script":
            script += step.text + "\n"
        elif step.text.startswith(ENDLESS):
            with only_server():
                serve(step.text, clone, env)
        else:
            out = run(shlex.split(step.text), clone, env)
            assert not BROKEN.search(out), f"{step.text}\n{out}"
    if script:
        (clone / "script.py").write_text(script)
        run(["python", "script.py"], clone, env)


def test_what_does_not_run_says_why_and_what_needs_a_clone_says_so() -> None:
    steps = [step for path in DOCUMENTS for step in read_steps(path) if step.kind == "command"]
    assert len(steps) > 60
    assert sum(bool(step.skipped) for step in steps) <= 25, "let more of them run"
    for step in steps:
        if any(f" {folder}/" in step.text for folder in ("examples", "benchmarks", "tests")):
            assert "clone" in step.before, step.text


def fresh_clone(folder: Path) -> Path:
    """The files under version control, as they are now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "examples", "benchmarks/*.py", "*.toml", "*.md"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    if listed.returncode != 0:
        pytest.skip("needs git and a clone")
    for name in filter(None, listed.stdout.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def environment(folder: Path) -> dict[str, str]:
    """A user with nothing but the package installed; compiled code is shared with the suite."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PLYGROUND_")}
    return {
        **kept,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "SHELL": "/bin/bash",
        "PLYGROUND_DATA_DIR": str(folder / "data"),
        "PLYGROUND_CACHE_DIR": str(cache_root()),
    }


def run(words: list[str], folder: Path, env: dict[str, str]) -> str:
    done = subprocess.run(
        words, cwd=folder, env=env, input=ANSWERS, capture_output=True, text=True, timeout=600,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


def serve(command: str, folder: Path, env: dict[str, str]) -> None:
    """The server says where it is, answers there, and ends when it is told to."""
    with subprocess.Popen(
        shlex.split(command), cwd=folder, env=env, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:8000/", line)
        assert address, line
        with urllib.request.urlopen(address[0], timeout=60) as answer:
            assert b"plyground" in answer.read()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=60) in (0, -signal.SIGINT, 128 + signal.SIGINT)


@contextlib.contextmanager
def only_server() -> Iterator[None]:
    """One server at a time: all of them want the same port."""
    with (Path(tempfile.gettempdir()) / "plyground-port-8000.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
