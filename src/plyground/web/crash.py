"""Errors that are bugs: the details go to the server's own log, the page gets one line."""

from __future__ import annotations

import logging

log = logging.getLogger("plyground.web")


def describe(error: Exception) -> str:
    """Log an unexpected error; what a page may know of it."""
    log.error("unexpected error", exc_info=error)
    return "internal error; the server's log says more"
