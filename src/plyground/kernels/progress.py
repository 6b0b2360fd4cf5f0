"""A line on standard error while Numba compiles, so that a first run does not look stuck."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

_labels: dict[str, str] = {}
_installed = False


def watch(package: str, label: str) -> None:
    """Announce compilation of this generated package under this name."""
    global _installed
    _labels[package] = label
    if _installed or os.environ.get("PLYGROUND_QUIET"):
        return
    _installed = True
    from numba.core import event

    event.register("numba:compile", _listener())


def _listener() -> Any:
    from numba.core import event

    class CompileLine(event.Listener):
        """Prints on the first compilation of each package, and the time once it is through."""

        def __init__(self) -> None:
            self.depth = 0
            self.started = 0.0
            self.announced: set[str] = set()

        def on_start(self, event: Any) -> None:
            if self.depth == 0:
                self.started = time.monotonic()
            self.depth += 1
            package = event.data["dispatcher"].py_func.__module__.partition(".")[0]
            if package in _labels and package not in self.announced:
                self.announced.add(package)
                print(
                    f"plyground: compiling {_labels[package]} (first run only) ...",
                    file=sys.stderr,
                    flush=True,
                )

        def on_end(self, event: Any) -> None:
            self.depth -= 1
            seconds = time.monotonic() - self.started
            if self.depth == 0 and seconds > 3:
                print(f"plyground: ... {seconds:.0f} s", file=sys.stderr, flush=True)

    return CompileLine()
