"""Requests line by line off a pipe. Standard library only: submissions use it as well."""

from __future__ import annotations

import os


class LineReader:
    """Whole lines from a descriptor, which has `ended` when the other side closed it."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.ended = False
        self._rest = b""

    def read(self) -> list[bytes]:
        """Wait until something comes; the lines that are complete by then, none at the end."""
        data = os.read(self.descriptor, 1 << 16)
        self.ended = not data
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines
