"""The opening book of plain Connect 4: exact scores of all positions of the first plies.

A book file holds the keys of the positions of one ply (of two mirror images the smaller) with
their scores, found by the solver; the scores of earlier positions follow from them.
"""

from __future__ import annotations

import os
import tempfile
import zlib
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

from plyground.core.errors import InputError
from plyground.core.paths import data_root

MAGIC = b"plyground connect4 book 1\n"


def mirror(key: int, width: int, height: int) -> int:
    """A key with its columns in reverse order."""
    step = height + 1
    column = (1 << step) - 1
    return sum(
        (key >> place * step & column) << (width - 1 - place) * step for place in range(width)
    )


class Book:
    """Scores by key; `plies` is the ply whose positions are all in it, with all before it."""

    def __init__(self, width: int, height: int, plies: int, scores: dict[int, int]) -> None:
        self.width, self.height, self.plies, self.scores = width, height, plies, scores
        self.bottom = sum(1 << column * (height + 1) for column in range(width))

    def key(self, own: int, mask: int) -> int:
        """The same number for a position and its mirror image."""
        key = own + mask + self.bottom
        return min(key, mirror(key, self.width, self.height))

    def score(self, own: int, mask: int) -> int | None:
        """The exact score, or None if the position is not in the book."""
        if mask.bit_count() > self.plies:
            return None
        return self.scores.get(self.key(own, mask))


Positions = dict[int, tuple[int, int]]


def positions_by_ply(width: int, height: int, plies: int) -> list[Positions]:
    """All unfinished positions of each ply up to one, by key: discs of the mover, discs of both."""
    frame = Book(width, height, plies, {})
    levels: list[Positions] = [{frame.key(0, 0): (0, 0)}]
    for _ in range(plies):
        following: Positions = {}
        for own, mask in levels[-1].values():
            for child in children(width, height, own, mask):
                if child is not None:
                    following.setdefault(frame.key(*child), child)
        levels.append(following)
    return levels


def children(width: int, height: int, own: int, mask: int) -> list[tuple[int, int] | None]:
    """The positions after each drop that is possible; None where it wins."""
    step = height + 1
    found: list[tuple[int, int] | None] = []
    for column in range(width):
        if mask >> (column * step + height - 1) & 1:
            continue
        after = mask | mask + (1 << column * step)
        mine = own | (after ^ mask)
        found.append(None if _has_four(mine, step) else (own ^ mask, after))
    return found


def _has_four(discs: int, step: int) -> bool:
    for shift in (1, step - 1, step, step + 1):
        pairs = discs & discs >> shift
        if pairs & pairs >> 2 * shift:
            return True
    return False


def generate(
    width: int,
    height: int,
    plies: int,
    solve: Callable[[int, int], int],
    report: Callable[[int, int], None] | None = None,
) -> Path:
    """Solve every position of a ply and write the book to the user's data folder.

    What is found is noted down on the way, so that an interrupted run goes on where it stopped.
    """
    path = user_path(width, height)
    notes = path.with_suffix(f".{plies}.part")
    path.parent.mkdir(parents=True, exist_ok=True)
    known = _read_notes(notes)
    level = positions_by_ply(width, height, plies)[plies]
    with open(notes, "a") as file:
        for number, (key, (own, mask)) in enumerate(level.items(), 1):
            if key not in known:
                known[key] = solve(own, mask)
                file.write(f"{key} {known[key]}\n")
                file.flush()
            if report is not None:
                report(number, len(level))
    _write(path, plies, {key: known[key] for key in level})
    notes.unlink()
    load.cache_clear()
    return path


def _read_notes(path: Path) -> dict[int, int]:
    if not path.exists():
        return {}
    lines = [line.split() for line in path.read_text().splitlines()]
    return {int(words[0]): int(words[1]) for words in lines if len(words) == 2}


def _write(path: Path, plies: int, scores: dict[int, int]) -> None:
    keys = np.array(sorted(scores), np.uint64)
    values = np.array([scores[int(key)] for key in keys], np.int8)
    steps = np.diff(keys, prepend=np.uint64(0))
    data = zlib.compress(bytes([plies]) + steps.tobytes() + values.tobytes(), 9)
    handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(MAGIC + data)
    Path(name).replace(path)


def user_path(width: int, height: int) -> Path:
    """Where a generated book lies."""
    return data_root() / "books" / f"connect4-{width}x{height}.book"


@cache
def load(width: int, height: int) -> Book | None:
    """The deepest book there is for a board: the user's own or the one that comes along."""
    shipped = resources.files("plyground.games.connect4.solvers") / f"book_{width}x{height}.bin"
    found = [_read(source, width, height) for source in (user_path(width, height), shipped)]
    books = [book for book in found if book is not None]
    return max(books, key=lambda book: book.plies, default=None)


def _read(source: Path | resources.abc.Traversable, width: int, height: int) -> Book | None:
    if not source.is_file():
        return None
    try:
        return _decode(source.read_bytes(), width, height)
    except (OSError, ValueError, LookupError, zlib.error) as error:
        raise InputError(
            f"cannot read the opening book {source}: {error}; delete it and make it anew with "
            "`plyground book`"
        ) from error


def _decode(data: bytes, width: int, height: int) -> Book:
    if not data.startswith(MAGIC):
        raise ValueError("it does not begin as a book does")
    raw = zlib.decompress(data[len(MAGIC) :])
    count = (len(raw) - 1) // 9
    keys = np.cumsum(np.frombuffer(raw[1 : 1 + 8 * count], np.uint64))
    scores = np.frombuffer(raw[1 + 8 * count :], np.int8)
    book = Book(width, height, raw[0], dict(zip(keys.tolist(), scores.tolist(), strict=True)))
    _fill_earlier(book)
    return book


def _fill_earlier(book: Book) -> None:
    """Work out the plies before the book's own: a score is the best of the moves."""
    cells = book.width * book.height
    for ply, level in reversed(
        list(enumerate(positions_by_ply(book.width, book.height, book.plies)))
    ):
        for key, (own, mask) in level.items():
            if ply < book.plies:
                scores = [
                    (cells + 1 - ply) // 2 if child is None else -book.scores[book.key(*child)]
                    for child in children(book.width, book.height, own, mask)
                ]
                book.scores[key] = max(scores)
