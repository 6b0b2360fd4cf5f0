"""`plyground sudoku`: solve, count, enumerate and generate boards of every size."""

from __future__ import annotations

import itertools
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, TypeVar

import cyclopts
import numpy as np
from cyclopts import Parameter
from rich.progress import track

from plyground import sudoku as sudoku_core
from plyground.cli.app import Json, notes, print_json
from plyground.core.errors import OptionError
from plyground.sudoku.board import Board, Digits
from plyground.sudoku.geometry import Geometry, geometry
from plyground.sudoku.search import NO_LIMIT, SLICE_NODES, is_classic, search_of
from plyground.sudoku.sources import Found, gather

sudoku = cyclopts.App(name="sudoku", help="Solve, count, enumerate and generate Sudoku boards.")

BATCH = 4096
SMALL_LIMIT = 10_000
"""Up to this limit whole batches go to the kernels; larger counts must listen to Ctrl-C."""

UNIQUENESS_NODES = 20_000
Result = TypeVar("Result")

Boards = Annotated[
    str,
    Parameter(
        help="Boards as text, files of boards, or - for standard input (the default).",
        allow_leading_hyphen=True,
    ),
]
Region = Annotated[
    str | None,
    Parameter(help="Blocks of one-line boards, ROWSxCOLUMNS, where the size allows several."),
]
Jobs = Annotated[int | None, Parameter(help="Threads; all cores by default.")]


@sudoku.command
def solve(*boards: Boards, region: Region = None, jobs: Jobs = None, json: Json = False) -> None:
    """Print a solution of each board, and say whether it is the only one.

    Example: plyground sudoku solve 1...............
    """
    found = gather(boards, parse_region(region))
    for each, (solution, unique) in zip(found, _solve_all(found, jobs), strict=True):
        if json:
            print_json(
                {
                    "puzzle": sudoku_core.board_line(each.board.digits),
                    "solution": None if solution is None else sudoku_core.board_line(solution),
                    "unique": unique,
                }
            )
        elif solution is None:
            print("no solution")
        else:
            remark = "" if unique else "  (not the only one)" if unique is False else "  (unique?)"
            print(sudoku_core.board_line(solution) + remark)


@sudoku.command
def count(
    *boards: Boards,
    region: Region = None,
    limit: Annotated[int | None, Parameter(help="Stop counting here.")] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Count the solutions of each board.

    Example: plyground sudoku count puzzles.txt --limit 1000
    """
    found = gather(boards, parse_region(region))
    most = _checked_limit(limit)
    for each, number in zip(found, _count_all(found, most, jobs), strict=True):
        complete = number <= most
        if json:
            answer: dict[str, Any] = {"count": min(number, most), "complete": complete}
            if len(found) > 1:
                answer["puzzle"] = sudoku_core.board_line(each.board.digits)
            print_json(answer)
        else:
            print(min(number, most) if complete else f"more than {most}")


@sudoku.command(name="enumerate")
def enumerate_(
    *boards: Boards,
    region: Region = None,
    limit: Annotated[int | None, Parameter(help="Most solutions of a board.")] = None,
    json: Json = False,
) -> None:
    """Print the solutions of each board, one a line.

    Example: plyground sudoku enumerate 1............... --limit 5
    """
    most = _checked_limit(limit)
    for each in gather(boards, parse_region(region)):
        solutions = _solutions(each.board)
        first = itertools.islice(solutions, most)
        if json:
            lines = [sudoku_core.board_line(solution) for solution in first]
            complete = next(solutions, None) is None
            print_json({"count": len(lines), "complete": complete, "solutions": lines})
        else:
            for solution in first:
                print(sudoku_core.board_line(solution))


@sudoku.command
def generate(
    name: Annotated[
        str | None, Parameter(help="A named board such as easy-3x3, random-4x4 or empty-2x3.")
    ] = None,
    *,
    region: Annotated[str, Parameter(help="Blocks, ROWSxCOLUMNS.")] = "3x3",
    number: Annotated[int, Parameter(help="How many boards.")] = 1,
    seed: Annotated[int, Parameter(help="The same seed gives the same boards.")] = 0,
    clues: Annotated[int | None, Parameter(help="Clues of the puzzle.")] = None,
    minimal: Annotated[
        bool,
        Parameter(help="No clue can be left out (the default without other wishes).", negative=""),
    ] = False,
    level: Annotated[
        str | None, Parameter(help="Difficulty: easy, medium, hard or extreme.")
    ] = None,
    fill: Annotated[
        float | None, Parameter(help="Instead of a puzzle: a solvable board filled at this rate.")
    ] = None,
    file: Annotated[
        bool, Parameter(help="Print board files (`m n`, then rows) instead of lines.", negative="")
    ] = False,
    json: Json = False,
) -> None:
    """Generate puzzles with one solution, partly filled boards, or boards known by name.

    Example: plyground sudoku generate hard-3x3 --seed 4 --number 10
    """
    shape = parse_region(region) or geometry(3, 3)
    if number < 1:
        raise OptionError(f"--number {number} is not at least 1")
    if seed < 0:
        raise OptionError(f"--seed {seed} is negative")
    for each_seed in _shown(range(seed, seed + number), number, "generating"):
        if name is not None:
            board = sudoku_core.named_board(name, each_seed)
        elif fill is not None:
            board = sudoku_core.partly_filled(shape, fill, each_seed)
        else:
            board = sudoku_core.puzzle(shape, each_seed, clues=clues, minimal=minimal, level=level)
        if json:
            print_json(
                {
                    "board": sudoku_core.board_line(board.digits),
                    "region": str(board.geometry),
                    "clues": board.clues,
                    "seed": each_seed,
                }
            )
        elif file:
            print(sudoku_core.board_file(board), end="")
        else:
            print(sudoku_core.board_line(board.digits))


def parse_region(text: str | None) -> Geometry | None:
    """`3x4` as a geometry; None stays None."""
    if text is None:
        return None
    parts = re.fullmatch(r"(\d{1,3})x(\d{1,3})", text)
    if parts is None:
        raise OptionError(f"--region {text!r} is not of the form ROWSxCOLUMNS, such as 3x3")
    return geometry(int(parts[1]), int(parts[2]))


def _checked_limit(limit: int | None) -> int:
    if limit is not None and limit < 1:
        raise OptionError(f"--limit {limit} is not at least 1")
    return NO_LIMIT if limit is None else limit


def _shown(items: Iterable[Result], total: int, title: str) -> Iterable[Result]:
    """The items, with a progress bar on standard error when it is a terminal and they are many."""
    if total < 2 or not notes.is_terminal:
        return items
    return track(items, title, total, console=notes, transient=True)


def _batches(found: list[Found]) -> Iterator[Digits]:
    starts = range(0, len(found), BATCH)
    for start in _shown(starts, len(starts), "boards"):
        yield np.array([each.board.digits for each in found[start : start + BATCH]])


def _solve_all(found: list[Found], jobs: int | None) -> Iterator[tuple[Digits | None, bool | None]]:
    """A solution of each board, and whether it is the only one (None: not known)."""
    if all(is_classic(each.board) for each in found):
        for grids in _batches(found):
            counts, solutions = sudoku_core.solve_many(grids, 2, jobs)
            for number, solution in zip(counts, solutions, strict=True):
                yield (solution, bool(number == 1)) if number else (None, False)
    else:
        yield from _spread(lambda each, stop: _solve_one(each.board, stop), found, jobs)


def _solve_one(board: Board, stop: threading.Event) -> tuple[Digits | None, bool | None]:
    answer = sudoku_core.judge(board, stop.is_set)
    if not isinstance(answer, np.ndarray):
        return None, False
    search = search_of(board)
    number = search.advance(2, UNIQUENESS_NODES)
    return answer, False if number == 2 else True if search.finished else None


def _count_all(found: list[Found], most: int, jobs: int | None) -> Iterator[int]:
    """Solutions of each board; counting stops at `most` + 1, which says that there are more."""
    if most <= SMALL_LIMIT and all(is_classic(each.board) for each in found):
        for grids in _batches(found):
            yield from sudoku_core.count_many(grids, most + 1, jobs).tolist()
    else:
        yield from _spread(
            lambda each, stop: sudoku_core.count(each.board, most + 1, stop.is_set), found, jobs
        )


def _spread(
    work: Callable[[Found, threading.Event], Result], found: list[Found], jobs: int | None
) -> Iterator[Result]:
    """Work on the boards in threads, results in order; Ctrl-C stops them all."""
    stop = threading.Event()
    with ThreadPoolExecutor(min(jobs or os.cpu_count() or 1, len(found))) as pool:
        try:
            results = pool.map(lambda each: work(each, stop), found)
            yield from _shown(results, len(found), "boards")
        finally:
            stop.set()


def _solutions(board: Board) -> Iterator[Digits]:
    """The solutions of a board, found as they are asked for."""
    search = search_of(board)
    room = np.empty((256, board.geometry.cells), np.uint8)
    while not search.finished:
        number = search.advance(len(room), SLICE_NODES, room)
        yield from room[:number].copy()
