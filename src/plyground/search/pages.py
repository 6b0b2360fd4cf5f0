"""Memory that is there before a clock runs.

The system gives the pages of a new array when they are first written, and that may take longer than
the search that writes them: 64 MB cost 8 ms, and 120 ms where the machine itself is a guest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

PAGE_BYTES = 4096
TREE_BYTES = 2 << 20
"""The beginning of each array of a tree: trees grow from there."""


def claim_pages(arrays: Iterable[np.ndarray[Any, Any]], most_bytes: int | None = None) -> None:
    """Write to every page of the arrays, or of their first bytes; what they hold stays as it is."""
    for array in arrays:
        flat = array.reshape(-1)
        most = flat.size if most_bytes is None else most_bytes // flat.itemsize
        pages = flat[: most : max(1, PAGE_BYTES // flat.itemsize)]
        pages[:] = pages.copy()
