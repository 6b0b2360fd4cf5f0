"""Searches of one position in several threads. Kernels run without Python's lock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from plyground.core.agent import Stop

Result = TypeVar("Result")


def side_by_side(
    first: Callable[[], Result], others: Sequence[Callable[[Stop], Result]]
) -> list[Result]:
    """The results of searches that run at once: the first one here, the others in threads.

    The others are told to stop when the first one is done; all have ended when this returns.
    """
    if not others:
        return [first()]
    ended = threading.Event()
    with ThreadPoolExecutor(len(others)) as pool:
        futures = [pool.submit(other, ended.is_set) for other in others]
        try:
            result = first()
        finally:
            ended.set()
        return [result, *(future.result() for future in futures)]
