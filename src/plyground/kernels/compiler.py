"""Loads Numba, without SciPy: half of the time to a first compiled call otherwise goes there.

Its compiler is loaded when something is compiled; machine code from disk does without. Numba looks
for SciPy while it is loaded, for its linear algebra. Not finding it then only means that `np.inner`
in a kernel is a plain loop; whoever writes `np.dot` gets SciPy when it compiles.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

UNNEEDED = ("scipy", "scipy.linalg", "coverage")
"""Numba looks for these while it is loaded; who measures coverage has imported it before."""

_loading = threading.RLock()
_loaded: set[str] = set()


def load_numba() -> None:
    """Import Numba and what machine code from disk needs; quick when it is there already."""
    with _once("loader") as wanted:
        if wanted:
            from numba.core.registry import cpu_target
            from numba.core.runtime import rtsys

            rtsys.initialize(cpu_target.target_context)


def load_compiler() -> None:
    """Import Numba and all that compiling for the first time would; quick after that."""
    load_numba()
    with _once("compiler") as wanted:
        if wanted:
            from numba.core.registry import cpu_target

            cpu_target.target_context.refresh()


@contextmanager
def _once(part: str) -> Iterator[bool]:
    """Whether a part is still to be loaded; the others wait meanwhile."""
    with _loading:
        if part in _loaded:
            yield False
            return
        with _left_out(*UNNEEDED), without_collection():
            yield True
        _loaded.add(part)


@contextmanager
def without_collection() -> Iterator[None]:
    """Loading and compiling make millions of lasting objects: garbage is hardly found."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _left_out(*modules: str) -> Iterator[None]:
    """Let imports of these modules fail in this thread, unless they were imported before."""
    finder = _Absence(modules)
    # A list of its own each time: who imports in another thread goes through the one it began with.
    sys.meta_path = [finder, *sys.meta_path]
    try:
        yield
    finally:
        sys.meta_path = [other for other in sys.meta_path if other is not finder]


class _Absence(MetaPathFinder):
    """Says to the thread that made it that there are no such modules."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self._modules = modules
        self._thread = threading.get_ident()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in self._modules and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"{fullname} is left out while Numba is loaded")
        return None
