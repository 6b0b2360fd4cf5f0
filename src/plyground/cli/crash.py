"""A bug in plyground itself: the traceback goes to a file, the user gets one line."""

from __future__ import annotations

import tempfile
import traceback


def note_crash(error: Exception) -> str:
    """Write the traceback to a temporary file; a line that says where it is."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="plyground-crash-", suffix=".txt", delete=False
    ) as file:
        traceback.print_exception(error, file=file)
    return f"internal error, {type(error).__name__}: {error} (details in {file.name})"
