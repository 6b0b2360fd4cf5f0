"""The parity law on all 4x4 boards with one solution and few empty squares, solved exactly.

    python benchmarks/competitive_parity_all.py --empty 8 --out FILE

Boards with more than one solution are left out. For each number of empty squares and parity of
passes: boards that are won, drawn and lost for the player to move, and the first board that breaks
the law.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from plyground.games.competitive_sudoku.solvers.parity import GRIDS, survey


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--empty", type=int, default=8, help="at most so many empty squares")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    results = []
    for empty in range(1, arguments.empty + 1):
        for grid in GRIDS:
            started = time.process_time()
            results.append(survey(grid, empty))
            seconds = time.process_time() - started
            print(json.dumps(results[-1]), f"{seconds:.1f} s", flush=True)
            if arguments.out:
                arguments.out.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
