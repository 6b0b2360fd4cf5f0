"""The end of the program, when all that it has to do is done."""

from __future__ import annotations

import os
import threading

EXIT_SECONDS = 10.0


def exit_soon(code: int = 0) -> None:
    """End this process in a while: what a thread still does (or a user's file) must not keep it."""
    timer = threading.Timer(EXIT_SECONDS, os._exit, [code])
    timer.daemon = True
    timer.start()
