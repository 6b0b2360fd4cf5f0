"""What goes wrong with a database."""

from __future__ import annotations

from plyground.core.errors import PlygroundError


class StoreError(PlygroundError, kind="store"):
    """The database cannot be opened, read or written; finished games on disk are untouched."""
