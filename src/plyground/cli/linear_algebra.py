"""One thread for NumPy's linear algebra in our own commands.

When NumPy is loaded, OpenBLAS starts a thread for every further core, and each of them looks out
for work for a while: as much processor time as loading NumPy itself takes, on two cores. No command
has work for them. It is told so by a variable of the environment, which is there until it has read
it: the programs that a command starts have their threads as ever.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
"""What OpenBLAS asks for its number of threads; who has set one of them is obeyed."""

_LIBRARY = "._multiarray_umath"
"""How the name of the module ends that comes with OpenBLAS."""


class _Notice(MetaPathFinder):
    """Sees NumPy's modules be looked for, and finds none itself."""

    def __init__(self) -> None:
        self._loading = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if self._loading:
            os.environ.pop(VARIABLES[0], None)
            sys.meta_path = [finder for finder in sys.meta_path if finder is not self]
        elif fullname.startswith("numpy.") and fullname.endswith(_LIBRARY):
            os.environ[VARIABLES[0]] = "1"
            self._loading = True
        return None


def keep_to_one_thread() -> None:
    """Have NumPy start no further threads if it is loaded from now on."""
    if "numpy" not in sys.modules and not any(name in os.environ for name in VARIABLES):
        sys.meta_path = [_Notice(), *sys.meta_path]
