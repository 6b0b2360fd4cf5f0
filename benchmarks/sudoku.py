"""The Sudoku engine against tdoku, side by side in one process, on one thread, in CPU time.

    python benchmarks/sudoku.py --peer libtdoku.so --set 17-clue=FILE --set hardest=FILE \
        --enumerate FILE --out benchmarks/results/sudoku

`--peer` is a shared library with tdoku's public C interface (clang -O3 -march=native); without it
only our own figures are printed. Files have one 9x9 board of 81 characters a line. A set of easy
puzzles (34 clues, one solution) is generated. Both sides are called from compiled loops, the runs
alternate, and the best of several runs counts. Puzzles are counted up to two solutions, which is
what a proof of uniqueness takes.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

from plyground import sudoku
from plyground.sudoku.search import Desk

PEER_ROW = 96
EVERYTHING = 10**12


class Peer:
    """tdoku through its C interface, called from compiled loops."""

    def __init__(self, library: str) -> None:
        loaded = ctypes.CDLL(library)
        word = ctypes.c_size_t
        count = loaded.TdokuSolverDpllTriadSimd
        count.argtypes = [word, word, ctypes.c_uint32, word, word]
        count.restype = word
        enumerate_all = loaded.TdokuEnumerate
        enumerate_all.argtypes = [word, word, word, word]
        enumerate_all.restype = word
        self._scratch = np.zeros(256, np.uint8)
        self._callback = _make_callback()

        @numba.njit(nogil=True)
        def count_each(
            rows: int, number: int, limit: int, scratch: int, counts: np.ndarray
        ) -> None:
            for index in range(number):
                row = np.uintp(rows + index * PEER_ROW)
                counts[index] = count(row, limit, 0, np.uintp(scratch), np.uintp(scratch + 128))

        @numba.njit(nogil=True)
        def enumerate_each(
            rows: int, number: int, callback: int, room: int, counts: np.ndarray
        ) -> None:
            for index in range(number):
                row = np.uintp(rows + index * PEER_ROW)
                counts[index] = enumerate_all(row, EVERYTHING, np.uintp(callback), np.uintp(room))

        self._count_each, self._enumerate_each = count_each, enumerate_each

    def rows(self, grids: np.ndarray) -> np.ndarray:
        """The boards as the peer reads them: 81 characters and a terminator."""
        out = np.zeros((len(grids), PEER_ROW), np.uint8)
        out[:, :81] = np.where(grids == 0, ord("."), grids + ord("0"))
        return out

    def count(self, rows: np.ndarray, limit: int, counts: np.ndarray) -> None:
        self._count_each(rows.ctypes.data, len(rows), limit, self._scratch.ctypes.data, counts)

    def enumerate(self, rows: np.ndarray, counts: np.ndarray) -> None:
        self._enumerate_each(
            rows.ctypes.data,
            len(rows),
            self._callback.address,
            self._scratch.ctypes.data,
            counts,
        )


def _make_callback() -> Any:
    """A C function that copies each solution, as a caller who wants them all would."""

    @numba.cfunc("void(CPointer(uint8), CPointer(uint8))")
    def keep(solution, room):  # type: ignore[no-untyped-def]
        for index in range(81):
            room[index] = solution[index]

    return keep


def read_grids(path: str) -> np.ndarray:
    """Boards of 81 characters, one a line."""
    boards = sudoku.read_boards(Path(path).read_text())
    return np.array([board.digits for _, board in boards], np.uint8)


def easy_puzzles(number: int) -> np.ndarray:
    """Puzzles with 34 clues and one solution."""
    nine = sudoku.geometry(3, 3)
    return np.array([sudoku.puzzle(nine, seed, clues=34).digits for seed in range(number)])


def best_times(runs: int, works: list[Callable[[], None]]) -> list[float]:
    """The best CPU time of each piece of work, the runs alternating."""
    best = [float("inf")] * len(works)
    for _ in range(runs):
        for index, work in enumerate(works):
            started = time.process_time()
            work()
            best[index] = min(best[index], time.process_time() - started)
    return best


def compare_counts(grids: np.ndarray, limit: int, runs: int, peer: Peer | None) -> dict[str, Any]:
    """Boards and solutions a second of both sides, for counting up to `limit`."""
    desk = Desk()
    ours, theirs = np.zeros(len(grids), np.int64), np.zeros(len(grids), np.int64)
    works = [lambda: desk.count_each(grids, limit, ours)]
    if peer is not None:
        rows = peer.rows(grids)
        works.append(lambda: peer.count(rows, limit, theirs))
    times = best_times(runs, works)
    return _figures(grids, ours, theirs, times)


def compare_enumeration(grids: np.ndarray, runs: int, peer: Peer | None) -> dict[str, Any]:
    """The same for writing out every solution."""
    desk = Desk()
    ours, theirs = np.zeros(len(grids), np.int64), np.zeros(len(grids), np.int64)
    room = np.zeros((4096, 81), np.uint8)

    def enumerate_ours() -> None:
        engine = desk.engine
        for index, grid in enumerate(grids):
            engine.begin(grid, desk.stack, desk.control)
            ours[index] = 0
            while desk.control[0]:
                ours[index] += engine.advance(
                    desk.stack,
                    desk.control,
                    desk.no_preference,
                    np.int64(len(room)),
                    np.int64(EVERYTHING),
                    room,
                )

    works = [enumerate_ours]
    if peer is not None:
        rows = peer.rows(grids)
        works.append(lambda: peer.enumerate(rows, theirs))
    times = best_times(runs, works)
    return _figures(grids, ours, theirs, times)


def _figures(
    grids: np.ndarray, ours: np.ndarray, theirs: np.ndarray, times: list[float]
) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "boards": len(grids),
        "solutions": int(ours.sum()),
        "boards_per_second": len(grids) / times[0],
        "solutions_per_second": float(ours.sum() / times[0]),
    }
    if len(times) > 1:
        assert (ours == theirs).all(), "the two sides disagree"
        figures["peer_boards_per_second"] = len(grids) / times[1]
        figures["peer_solutions_per_second"] = float(theirs.sum() / times[1])
        figures["ratio"] = times[1] / times[0]
    return figures


def legal_move_times(games: int) -> dict[str, Any]:
    """Microseconds for the true candidates of all cells, along random CodeCup games."""
    desk = Desk()
    chance = np.random.default_rng(1)
    times = []
    for _ in range(games):
        grid = np.zeros(81, np.uint8)
        while True:
            started = time.process_time_ns()
            _, masks = desk.true_candidates(grid, EVERYTHING)
            times.append(((time.process_time_ns() - started) / 1000, int(np.count_nonzero(grid))))
            open_cells = np.flatnonzero(np.bitwise_count(masks) > 1)
            if len(open_cells) == 0:
                break
            cell = chance.choice(open_cells)
            digits = [digit for digit in range(9) if masks[cell] >> digit & 1]
            grid[cell] = chance.choice(digits) + 1
    middle = [micros for micros, filled in times if 10 <= filled <= 30]
    return {
        "positions": len(middle),
        "median_microseconds": float(np.median(middle)),
        "worst_microseconds": float(max(micros for micros, _ in times)),
    }


def judging_times(rows: int, columns: int, boards: int) -> dict[str, Any]:
    """Milliseconds to judge half-filled boards; every second one has a digit put in at random."""
    from plyground.sudoku.sat import visible_candidates

    shape = sudoku.geometry(rows, columns)
    times, solvable = [], 0
    for seed in range(boards):
        board = sudoku.partly_filled(shape, 0.5, seed)
        if seed % 2:
            places = np.argwhere(visible_candidates(board) & (board.digits == 0)[:, None])
            cell, digit = np.random.default_rng(seed).permutation(places)[0]
            board.digits[cell] = digit + 1
        started = time.process_time()
        solvable += sudoku.solvable(board)
        times.append((time.process_time() - started) * 1000)
    return {
        "boards": boards,
        "solvable": solvable,
        "median_milliseconds": float(np.median(times)),
        "worst_milliseconds": max(times),
    }


def report(results: dict[str, Any]) -> str:
    """The results as a Markdown table."""
    lines = [
        f"Command: `{results['command']}`",
        "",
        f"{results['processor']}, Python {results['python']}, Numba {results['numba']}",
        "",
        "| what | plyground | tdoku | ratio |",
        "| --- | ---: | ---: | ---: |",
    ]
    for name, figures in results["comparisons"].items():
        unit = "solutions" if "solutions" in name else "boards"
        peer = figures.get(f"peer_{unit}_per_second")
        theirs = "-" if peer is None else f"{peer:,.0f} {unit}/s"
        ratio = "-" if peer is None else f"{figures['ratio']:.2f}"
        lines.append(
            f"| {name} | {figures[f'{unit}_per_second']:,.0f} {unit}/s | {theirs} | {ratio} |"
        )
    moves = results["legal_moves"]
    lines += [
        "",
        f"Legal moves of a CodeCup position: median {moves['median_microseconds']:.0f} us over "
        f"{moves['positions']} mid-game positions, worst {moves['worst_microseconds']:.0f} us.",
        "",
    ]
    for size, figures in results["judging"].items():
        lines.append(
            f"Half-filled {size} boards: judged in {figures['median_milliseconds']:.2f} ms at the "
            f"median, {figures['worst_milliseconds']:.1f} ms at worst ({figures['boards']} boards, "
            f"{figures['solvable']} solvable)."
        )
    return "\n".join(lines) + "\n"


def processor() -> str:
    """The name of the processor, as far as the system tells."""
    try:
        listing = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout
        lines = [line.split(":") for line in listing.splitlines()]
        return next(words[1].strip() for words in lines if words[0] == "Model name")
    except (OSError, subprocess.CalledProcessError, StopIteration):
        return platform.processor()


def main() -> None:
    """Measure, print the table and write the raw numbers."""
    parser = argparse.ArgumentParser(description="Measure the Sudoku engine against tdoku.")
    parser.add_argument("--peer", help="tdoku as a shared library")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--enumerate", metavar="FILE", help="boards with many solutions")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--out", help="write OUT.json and OUT.md")
    options = parser.parse_args()
    peer = Peer(options.peer) if options.peer else None
    comparisons = {
        "easy puzzles (34 clues)": compare_counts(easy_puzzles(1000), 2, options.runs, peer)
    }
    for entry in options.set:
        name, _, path = entry.partition("=")
        comparisons[name] = compare_counts(read_grids(path), 2, options.runs, peer)
    if options.enumerate:
        grids = read_grids(options.enumerate)
        comparisons["count all solutions"] = compare_counts(grids, EVERYTHING, options.runs, peer)
        comparisons["enumerate all solutions"] = compare_enumeration(grids, options.runs, peer)
    shown = [
        Path(word.partition("=")[2] or word).name if "/" in word else word for word in sys.argv
    ]
    results = {
        "command": " ".join(["python", "benchmarks/sudoku.py", *shown[1:]]),
        "processor": processor(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "comparisons": comparisons,
        "legal_moves": legal_move_times(40),
        "judging": {
            f"{m * n}x{m * n}": judging_times(m, n, boards)
            for m, n, boards in ((4, 4, 200), (5, 5, 40))
        },
    }
    text = report(results)
    print(text)
    if options.out:
        Path(f"{options.out}.json").write_text(json.dumps(results, indent=1) + "\n")
        Path(f"{options.out}.md").write_text(text)


if __name__ == "__main__":
    main()
