"""Run a program without network and with a read-only file system, by bubblewrap."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from plyground.core.errors import UnsupportedError


def is_available() -> bool:
    """Whether `sandboxed` works on this machine."""
    try:
        sandboxed(["true"])
    except UnsupportedError:
        return False
    return True


def sandboxed(command: Sequence[str]) -> list[str]:
    """The command inside the sandbox; UnsupportedError where it cannot work."""
    wrapper = shutil.which("bwrap")
    if wrapper is None:
        raise UnsupportedError(
            "--sandbox needs bubblewrap (the program bwrap), which is not installed"
        )
    prefix = [
        wrapper,
        *("--ro-bind", "/", "/"),
        *("--dev", "/dev"),
        *("--proc", "/proc"),
        *("--setenv", "TMPDIR", "/dev/shm"),
        "--unshare-net",
        "--unshare-pid",
        "--unshare-ipc",
        "--die-with-parent",
        *("--chdir", str(Path.cwd())),
    ]
    problem = _probe(tuple(prefix))
    if problem:
        raise UnsupportedError(f"--sandbox: bubblewrap does not work here: {problem}")
    return [*prefix, "--", *command]


@cache
def _probe(prefix: tuple[str, ...]) -> str:
    """Empty if the sandbox can run a program, else what it says."""
    trial = subprocess.run([*prefix, "--", "true"], capture_output=True, text=True, check=False)
    return "" if trial.returncode == 0 else trial.stderr.strip()[:300] or "unknown reason"
