"""Values that an author's functions refer to, as text for the generated module."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LONGEST_TUPLE = 64


@dataclass(frozen=True)
class Constant:
    """A value that compiled code can use: its text, and its columns if it is a table.

    Where its rows are lists of pairs (or triples ...) themselves, the columns are those of all
    pairs one after the other, and `starts` and `ends` say where each row is. `ragged` marks a table
    with rows of different lengths: text, `starts` and `ends` are its flat form.
    """

    text: str
    columns: tuple[str, ...] = ()
    ragged: bool = False
    starts: str = ""
    ends: str = ""


def _whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer, bool, np.bool_))


def _array(values: Any, kind: str = "np.int64") -> str:
    return f"np.array({np.asarray(values).tolist()!r}, {kind})"


def constant(value: Any) -> Constant | None:
    """How a value is written down; None if compiled code cannot use it."""
    if isinstance(value, types.ModuleType):
        return None
    if isinstance(value, bool) or value is None or isinstance(value, (str, float)):
        return Constant(repr(value))
    if isinstance(value, np.generic):
        kind = type(value).__name__
        return Constant(f"np.{kind}({value.item()!r})")
    if isinstance(value, int):
        return Constant(repr(value) if abs(value) < 2**63 else f"np.uint64({value})")
    if isinstance(value, np.ndarray):
        return Constant(_array(value, f"np.{value.dtype.name}"), _columns(value))
    if isinstance(value, (set, frozenset)) and all(map(_whole, value)):
        return Constant(_array(sorted(value)))
    if isinstance(value, dict):
        return None
    if isinstance(value, (list, tuple, range)):
        return _sequence(list(value), isinstance(value, tuple))
    return None


def _sequence(values: Sequence[Any], is_tuple: bool) -> Constant | None:
    if all(map(_whole, values)):
        if is_tuple and len(values) <= LONGEST_TUPLE:
            return Constant(repr(tuple(int(v) for v in values)))
        return Constant(_array([int(v) for v in values]))
    rows = [list(row) for row in values if isinstance(row, (list, tuple, range, np.ndarray))]
    if len(rows) != len(values):
        return None
    if not all(_whole(v) for row in rows for v in row):
        return _rows_of_tuples(rows)
    if len({len(row) for row in rows}) > 1:
        flat = [int(v) for row in rows for v in row]
        return Constant(_array(flat), (), True, *_places(rows))
    table = np.array(rows, np.int64)
    if len(rows) <= LONGEST_TUPLE:
        text = repr(tuple(tuple(int(v) for v in row) for row in rows))
    else:
        text = _array(table)
    return Constant(text, _columns(table))


def _rows_of_tuples(rows: list[list[Any]]) -> Constant | None:
    """A table like `[[(0, 1), (1, 0)], [(1, 1)]]`: for each index a list of pairs."""
    try:
        flat = np.array([list(cell) for row in rows for cell in row])
    except (TypeError, ValueError):
        return None
    if flat.ndim != 2 or flat.dtype.kind not in "iub":
        return None
    ragged = len({len(row) for row in rows}) > 1
    text = "" if ragged else _array(flat.reshape(len(rows), -1, flat.shape[1]))
    return Constant(text, _columns(flat.astype(np.int64)), ragged, *_places(rows))


def _places(rows: list[list[Any]]) -> tuple[str, str]:
    """Where each row begins and ends when all are written one after the other."""
    ends = np.cumsum([len(row) for row in rows])
    return _array(ends - [len(row) for row in rows]), _array(ends)


def _columns(table: np.ndarray[Any, Any]) -> tuple[str, ...]:
    if table.ndim != 2 or table.dtype.kind not in "iu":
        return ()
    return tuple(_array(table[:, column]) for column in range(table.shape[1]))
