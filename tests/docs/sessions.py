"""Reads a document as what a reader does with it: saves files, types commands, runs scripts.

- A code block is a file if the text before it ends in "put this into `x.py`:" or the text after it
  begins with "Saved as `x.py`".
- A block whose first line begins with a program is typed line by line; `# ...` is a remark.
- Python blocks are one script, in their order, the saved ones included.
- `<!-- not run: why -->` before a block is for what cannot run in a test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

PROGRAMS = ("plyground", "python", "make", "dask", "chmod", "pip", "pre-commit", "git")
_MARK = re.compile(r"<!-- not run: (.+?) -->\s*$")
_INTO = re.compile(r"[Pp]ut this into `([\w./-]+)`:$")
_SAVED = re.compile(r"Saved as `([\w./-]+)`")
_FENCE = re.compile(r"^```(\w*)\n(.*?)\n?^```", re.DOTALL | re.MULTILINE)
_INDENTED = re.compile(r"(?:^    .*(?:\n|\Z))+", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """A `file` to save under `name`, a `command` to type, or a part of the document's `script`.

    `skipped` says why it does not run in a test, `before` is the paragraph that leads to it.
    """

    kind: Literal["file", "command", "script"]
    text: str
    name: str = ""
    skipped: str = ""
    before: str = ""


def read_steps(path: Path) -> list[Step]:
    """The steps of a document in their order."""
    return [step for block in _blocks(path.read_text(encoding="utf-8")) for step in _steps(*block)]


def _blocks(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Language and code of every block, and the paragraphs before and after it."""
    fences = list(_FENCE.finditer(text))
    bare = text
    for fence in fences:  # what is indented inside of a fence is no block
        bare = bare[: fence.start()] + "x" * len(fence[0]) + bare[fence.end() :]
    found = [(fence.start(), fence.end(), fence[1], fence[2]) for fence in fences]
    for block in _INDENTED.finditer(bare):
        if text[: block.start()].endswith("\n\n"):
            lines = [line[4:] for line in block[0].splitlines()]
            found.append((block.start(), block.end(), "", "\n".join(lines)))
    for start, end, language, code in sorted(found):
        before = text[:start].rstrip().rsplit("\n\n", 1)[-1]
        after = text[end:].lstrip().split("\n\n", 1)[0]
        yield language, code, " ".join(before.split()), " ".join(after.split())


def _steps(language: str, code: str, before: str, after: str) -> Iterator[Step]:
    mark = _MARK.search(before)
    skipped = mark[1] if mark else ""
    saved = _INTO.search(before) or _SAVED.match(after)
    if saved:
        yield Step("file", code + "\n", saved[1], skipped, before)
    if language == "python" and (saved is None or saved[1].endswith(".py")):
        yield Step("script", code, "", skipped, before)
    elif not language and code.split(maxsplit=1)[0] in PROGRAMS:
        for line in code.replace("\\\n", " ").splitlines():
            command = re.sub(r"\s+# .*", "", line).strip()
            yield Step("command", command, "", skipped, before)
