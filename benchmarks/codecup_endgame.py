"""Solve endgames of CodeCup Sudoku, listing of the solutions included, beside another program.

    python benchmarks/codecup_endgame.py POSITIONS [--peer "COMMAND"] [--rounds N] [--out FILE]

POSITIONS has one grid of 81 characters a line. The peer command gets the file as its last argument
and solves the same positions on one thread; its CPU time is that of its process. Rounds alternate.
"""

from __future__ import annotations

import argparse
import json
import resource
import shlex
import subprocess
import time
from pathlib import Path

import numpy as np

from plyground.games.codecup_sudoku.notation import parse_grid
from plyground.games.codecup_sudoku.solvers.endgame_solver import WIN, EndgameSolver, new_table
from plyground.games.codecup_sudoku.solvers.solutions import Finder


def solve_all(lines: list[str], finder: Finder, table: np.ndarray) -> list[dict[str, object]]:
    """One entry a position: solutions, whether the player to move wins, nodes, CPU seconds."""
    table[:] = 0
    entries: list[dict[str, object]] = []
    for line in lines:
        started = time.process_time()
        found = finder.solutions(parse_grid(line)[0], 3_000_000)
        listed = time.process_time()
        solver = EndgameSolver(found.grids, table)
        value = solver.value()
        ended = time.process_time()
        entries.append(
            {
                "solutions": len(found),
                "wins": value == WIN,
                "nodes": solver.nodes,
                "list_seconds": round(listed - started, 4),
                "solve_seconds": round(ended - listed, 4),
            }
        )
    return entries


def peer_seconds(command: str, path: Path) -> float:
    """CPU time of the peer over the whole file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*shlex.split(command), str(path)], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure, print, and keep the raw numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("positions", type=Path)
    parser.add_argument("--peer")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--megabytes", type=float, default=128)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    lines = arguments.positions.read_text().split()
    finder, table = Finder(), new_table(arguments.megabytes)
    EndgameSolver(finder.solutions(np.zeros(81, np.uint8), 2).grids, table)
    ours: list[float] = []
    theirs: list[float] = []
    entries: list[dict[str, object]] = []
    for _ in range(arguments.rounds):
        if arguments.peer:
            theirs.append(peer_seconds(arguments.peer, arguments.positions))
        started = time.process_time()
        entries = solve_all(lines, finder, table)
        ours.append(time.process_time() - started)
    summary: dict[str, object] = {
        "command": f"codecup_endgame.py {arguments.positions.name} --rounds {arguments.rounds}",
        "positions": len(lines),
        "nodes": sum(int(str(entry["nodes"])) for entry in entries),
        "lost": sum(not entry["wins"] for entry in entries),
        "slowest_seconds": max(
            float(str(e["list_seconds"])) + float(str(e["solve_seconds"])) for e in entries
        ),
        "cpu_seconds": [round(value, 3) for value in ours],
        "peer_cpu_seconds": [round(value, 3) for value in theirs],
    }
    if theirs:
        summary["ratio_of_best"] = round(min(ours) / min(theirs), 4)
    print(json.dumps(summary, indent=1))
    if arguments.out:
        arguments.out.write_text(json.dumps({**summary, "entries": entries}, indent=1) + "\n")


if __name__ == "__main__":
    main()
