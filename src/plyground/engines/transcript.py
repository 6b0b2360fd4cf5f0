"""What the arena and a program said to each other in one game, the last of it."""

from __future__ import annotations

from collections import deque

MOST_LINES = 60
LONGEST_LINE = 200
_MOST_PENDING = 4096


class Transcript:
    """The last lines of a conversation: `> ` to the program, `< ` from it; long ones are cut."""

    def __init__(self) -> None:
        self._lines: deque[tuple[str, bytes]] = deque(maxlen=MOST_LINES)
        self._seen = 0
        self._pending = b""

    def sent(self, data: bytes) -> None:
        """Whole lines that went to the program."""
        for line in data.splitlines():
            self._add("> ", line)

    def received(self, data: bytes) -> None:
        """A piece of the program's output, wherever it was cut."""
        *lines, rest = (self._pending + data).split(b"\n")
        self._pending = rest[:_MOST_PENDING]
        for line in lines[-MOST_LINES:]:
            self._add("< ", line)
        self._seen += max(0, len(lines) - MOST_LINES)

    def _add(self, mark: str, line: bytes) -> None:
        self._lines.append((mark, line[: LONGEST_LINE + 1]))
        self._seen += 1

    @property
    def text(self) -> str:
        """All that is kept; the first line says how much is not."""
        gone = self._seen - len(self._lines)
        lines = [f"({gone} lines before)"] if gone else []
        return "\n".join([*lines, *(mark + _shown(line) for mark, line in self._lines)])


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").rstrip("\r")
    return text if len(line) <= LONGEST_LINE else text[:-1] + " ..."
