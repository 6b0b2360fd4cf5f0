"""Boards from command-line arguments, files and standard input, checked, with where they stood."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from plyground.core import reading
from plyground.core.errors import InputError
from plyground.core.paths import is_file
from plyground.sudoku.board import Board, BoardError, Digits
from plyground.sudoku.geometry import Geometry, geometry
from plyground.sudoku.text import read_boards

_NOT_A_DIGIT = 255
_DIGIT_OF_BYTE = np.full(256, _NOT_A_DIGIT, np.uint8)
_DIGIT_OF_BYTE[np.frombuffer(b"0123456789", np.uint8)] = np.arange(10)
_DIGIT_OF_BYTE[ord(".")] = 0


@dataclass(frozen=True)
class Found:
    """A board and where it came from, for messages."""

    where: str
    board: Board


def gather(arguments: tuple[str, ...], shape: Geometry | None = None) -> list[Found]:
    """The boards of all arguments: files, boards as text, `-` or nothing for standard input."""
    found: list[Found] = []
    for argument in arguments or ("-",):
        if argument == "-":
            found += read_source(sys.stdin.read(), "standard input", shape)
        elif "\n" not in argument and is_file(argument):
            found += read_source(_read_file(argument), argument, shape)
        elif argument.strip(". 0123456789\n") == "" or len(argument) >= 16:
            found += read_source(argument, "argument", shape)
        else:
            raise InputError(f"{argument!r} is neither a file nor a board")
    if not found:
        raise InputError("no board given; write it as an argument, a file or on standard input")
    return found


def _read_file(name: str) -> str:
    try:
        return reading.read_text(name)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}: not a text file: {error.reason} at byte {error.start}"
        ) from error


def read_source(text: str, name: str, shape: Geometry | None = None) -> list[Found]:
    """The boards of one source; `BoardError` names source, line, cell and reason."""
    grids = _read_many_lines(text) if shape is None else None
    if grids is not None:
        nine = geometry(3, 3)
        return [Found(f"{name}: line {n}", Board(nine, grid)) for n, grid in enumerate(grids, 1)]
    found = []
    try:
        for line, board in read_boards(text, shape):
            found.append(Found(f"{name}: line {line}", board))
    except BoardError as error:
        raise BoardError(f"{name}: {error}") from error
    for each in found:
        try:
            each.board.check()
        except BoardError as error:
            raise BoardError(f"{each.where}, {error}") from error
    return found


def _read_many_lines(text: str) -> Digits | None:
    """Legal 9x9 boards in lines of 81 characters, all at once; None when anything is different."""
    lines = text.split()
    if len(lines) < 2 or not text.isascii() or any(len(line) != 81 for line in lines):
        return None
    if text.count("\n") not in (len(lines), len(lines) - 1):
        return None
    characters = np.frombuffer("".join(lines).encode(), np.uint8).reshape(-1, 81)
    grids = _DIGIT_OF_BYTE[characters]
    if (grids == _NOT_A_DIGIT).any():
        return None
    bits = np.int32(1) << grids.astype(np.int32) & ~np.int32(1)
    for members in geometry(3, 3).units:
        unit = bits[:, members]
        if (unit.sum(axis=1) != np.bitwise_or.reduce(unit, axis=1)).any():
            return None
    return np.ascontiguousarray(grids)
