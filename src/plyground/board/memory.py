"""The position that a board game's functions work on: views and numbers inside a row of words.

This is the plain twin; `memory_native` has the same functions as machine code, where `self` is a
bare address and a view carries no reference count. Accesses are checked: a mistake becomes a
GameFileError with the line of the author's file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from plyground.board import complaints
from plyground.kernels.marker import kernel


@kernel
def address(row: np.ndarray) -> Any:
    """What `self` is in compiled functions: where the position begins."""
    return row


@kernel
def load(self: Any, word: int) -> int:
    """The number in a word."""
    return int(self[word].astype(np.int64))


@kernel
def load_bits(self: Any, word: int) -> np.uint64:
    """The word itself."""
    return np.uint64(self[word])


@kernel
def number(value: Any) -> Any:
    """A value of which a compiled function knows only the kind."""
    return value


@kernel
def save(self: Any, word: int, value: int) -> None:
    """Put a number into a word."""
    self[word] = np.uint64(int(value) % 2**64)


@kernel
def cells1(self: Any, start: int, size: int) -> Any:
    """The small cells from byte `start` as a row."""
    return self.view(np.int8)[start : start + size]


@kernel
def cells2(self: Any, start: int, rows: int, columns: int) -> Any:
    """The small cells from byte `start` as a board."""
    return self.view(np.int8)[start : start + rows * columns].reshape(rows, columns)


@kernel
def numbers1(self: Any, start: int, size: int) -> Any:
    """The 32-bit numbers from byte `start` as a row."""
    return self.view(np.int8)[start : start + 4 * size].view(np.int32)


@kernel
def numbers2(self: Any, start: int, rows: int, columns: int) -> Any:
    """The 32-bit numbers from byte `start` as a board."""
    data = self.view(np.int8)[start : start + 4 * rows * columns]
    return data.view(np.int32).reshape(rows, columns)


def accesses(file: str) -> tuple[Callable[..., Any], ...]:
    """`at1, at2, put1, put2, within, join, append, tick, steps, deeper` for a game in this file.

    `at` and `put` read and write a cell; `within` gives back an index of any other array;
    `join` makes the code of a move from its parts, `append` writes it to the list and gives the
    new count; `tick` counts a loop, `steps` adds what a range has, `deeper` counts how
    deep functions call themselves. The last argument of each is the line in the author's file.
    """

    def check(index: int, size: int, line: int) -> None:
        if not 0 <= index < size:
            raise complaints.GameFileError(complaints.BOUNDS.format(file, line))

    def check_value(view: Any, value: int, line: int) -> None:
        limits = np.iinfo(view.dtype)
        if not limits.min <= value <= limits.max:
            raise complaints.GameFileError(
                complaints.TOO_LARGE.format(file, line, limits.min, limits.max)
            )

    def at1(view: Any, index: int, line: int) -> int:
        check(index, view.shape[0], line)
        return int(view[index])

    def at2(view: Any, row: int, column: int, line: int) -> int:
        check(row, view.shape[0], line)
        check(column, view.shape[1], line)
        return int(view[row, column])

    def put1(view: Any, index: int, value: int, line: int) -> None:
        check(index, view.shape[0], line)
        check_value(view, value, line)
        view[index] = value

    def put2(view: Any, row: int, column: int, value: int, line: int) -> None:
        check(row, view.shape[0], line)
        check(column, view.shape[1], line)
        check_value(view, value, line)
        view[row, column] = value

    def within(values: Any, axis: int, index: Any, line: int) -> Any:
        if isinstance(values, np.ndarray | list) and isinstance(index, int | np.integer):
            size = values.shape[axis] if isinstance(values, np.ndarray) else len(values)
            if not -size <= index < size:
                raise complaints.GameFileError(complaints.BOUNDS_ELSEWHERE.format(file, line))
        return index

    def join(code: int, part: int, size: int, line: int) -> int:
        if not 0 <= part < size:
            raise complaints.GameFileError(complaints.BAD_MOVE.format(file, line, size - 1))
        return code * size + part

    def append(moves: Any, count: int, code: int, line: int) -> int:
        if count >= moves.shape[0]:
            raise complaints.GameFileError(complaints.TOO_MANY.format(file, line))
        moves[count] = code
        return count + 1

    def tick(loops: int, line: int) -> int:
        if loops >= complaints.MOST_LOOPS:
            raise complaints.GameFileError(complaints.ENDLESS.format(file, line))
        return loops + 1

    def steps(total: int, numbers: range, line: int) -> int:
        total += len(numbers)
        if total > complaints.MOST_STEPS:
            raise complaints.GameFileError(complaints.LONG_LOOP.format(file, line))
        return total

    def deeper(depth: int, line: int) -> int:
        if depth >= complaints.MOST_DEPTH:
            raise complaints.GameFileError(complaints.TOO_DEEP.format(file, line))
        return depth + 1

    return at1, at2, put1, put2, within, join, append, tick, steps, deeper
