"""What Numba is compiling: a line on standard error, and a note that other processes can read.

A first run would look stuck otherwise. Every process that compiles keeps a small file beside the
compiled code: what is being compiled, how many of its functions are done, how many there are.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_labels: dict[str, str] = {}
_installed = False

FRESH_SECONDS = 30.0
"""A note that is older says nothing about now: no function takes that long to compile."""

NOTE_SECONDS = 0.1
"""So much lies between two notes at least."""

KERNEL_SECONDS = 0.1
"""What a kernel takes, seen over all packages of the built-in games; some need not be compiled."""


@dataclass(frozen=True)
class Compiling:
    """What a process compiles: `done` of `total` functions of a package, known as `label`."""

    label: str
    done: int
    total: int

    @property
    def seconds_left(self) -> int:
        """About how long it takes still."""
        return seconds_for(self.total - self.done)


def seconds_for(kernels: int) -> int:
    """About how long one core compiles so many kernels."""
    return math.ceil(kernels * KERNEL_SECONDS)


def watch(package: str, label: str) -> None:
    """Announce compilation of this generated package under this name."""
    global _installed
    _labels[package] = label
    if _installed:
        return
    _installed = True
    from numba.core import event

    event.register("numba:compile", _listener())


def now_compiling(*, by_others: bool = False) -> Compiling | None:
    """What some process of this machine compiles into the same cache just now, if any does.

    With `by_others` what this process has begun does not count.
    """
    newest: tuple[float, Path] | None = None
    for note in _folder().glob("*.json"):
        try:
            changed = note.stat().st_mtime
            if by_others and int(note.stem) == os.getpid():
                continue
            os.kill(int(note.stem), 0)
        except (OSError, ValueError):
            note.unlink(missing_ok=True)
            continue
        if time.time() - changed < FRESH_SECONDS and (newest is None or changed > newest[0]):
            newest = changed, note
    if newest is None:
        return None
    try:
        found = Compiling(**json.loads(newest[1].read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return found if found.done < found.total else None


def _folder() -> Path:
    from plyground.kernels.store import kernels_root

    return kernels_root().with_name("compiling")


def _functions(package: str) -> int:
    """How many functions of a package there are to compile."""
    from numba.core.dispatcher import Dispatcher

    own = f"{package}."
    return sum(
        isinstance(value, Dispatcher) and value.py_func.__module__ == name
        for name, module in list(sys.modules.items())
        if name.startswith(own) or name == package
        for value in list(vars(module).values())
    )


def _listener() -> Any:
    from numba.core import event

    class CompileNotes(event.Listener):
        """Prints on the first compilation of each package, and the time once it is through."""

        def __init__(self) -> None:
            self.depth = 0
            self.started = 0.0
            self.noted = 0.0
            self.done: dict[str, set[object]] = {}
            self.totals: dict[str, int] = {}
            self.quiet = bool(os.environ.get("PLYGROUND_QUIET"))

        def on_start(self, event: Any) -> None:
            if self.depth == 0:
                self.started = time.monotonic()
            self.depth += 1
            package = _package(event)
            if package in _labels and package not in self.done:
                self.done[package] = set()
                self.totals[package] = _functions(package)
                seconds = seconds_for(self.totals[package])
                about = f"first run only, about {seconds} s"
                self._say(f"plyground: compiling {_labels[package]} ({about}) ...")
                self._note(package)

        def on_end(self, event: Any) -> None:
            self.depth -= 1
            package = _package(event)
            if package in self.done:
                # A function that Python calls has two forms: it counts once.
                self.done[package].add(event.data["dispatcher"].py_func)
                if self.depth == 0 or time.monotonic() - self.noted > NOTE_SECONDS:
                    self._note(package)
            seconds = time.monotonic() - self.started
            if self.depth == 0 and seconds > 3:
                self._say(f"plyground: ... {seconds:.0f} s")

        def _say(self, line: str) -> None:
            if not self.quiet:
                print(line, file=sys.stderr, flush=True)

        def _note(self, package: str) -> None:
            note = _folder() / f"{os.getpid()}.json"
            done = len(self.done[package])
            facts = {"label": _labels[package], "done": done, "total": self.totals[package]}
            self.noted = time.monotonic()
            try:
                note.parent.mkdir(exist_ok=True)
                note.write_text(json.dumps(facts), encoding="utf-8")
            except OSError:
                pass  # whoever looks on sees nothing, nothing else is lost

    return CompileNotes()


def _package(event: Any) -> str:
    name: str = event.data["dispatcher"].py_func.__module__
    return name.partition(".")[0]
