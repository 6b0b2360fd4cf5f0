"""Competitive Sudoku from empty 4x4 boards, solved: who wins, and by how many points.

    python benchmarks/competitive_empty.py --seeds 100 --out FILE

Classic, rows and border have one start each, random mode has one for every seed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from plyground.core.registry import make_game
from plyground.games.competitive_sudoku.solvers.four_by_four import FourByFour


def measure(mode: str, seed: int) -> dict[str, object]:
    """The first player's margin from the empty board."""
    game = make_game("competitive-sudoku", {"board": "empty-2x2", "mode": mode, "seed": seed})
    position = game.start()
    data = position.data  # type: ignore[attr-defined]
    solver = FourByFour(mode != "classic", 256.0)
    started = time.process_time()
    margin = solver.margin(data)
    assert margin is not None
    return {
        "mode": mode,
        "seed": seed,
        "margin": margin if position.turn == 0 else -margin,
        "positions": solver.positions,
        "forgotten": solver.forgotten,
        "processor_seconds": round(time.process_time() - started, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="starts of random mode")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    starts = [(mode, 0) for mode in ("classic", "rows", "border")]
    starts += [("random", seed) for seed in range(arguments.seeds)]
    measure("classic", 0)  # compiles
    results = []
    for mode, seed in starts:
        results.append(measure(mode, seed))
        print(json.dumps(results[-1]), flush=True)
        if arguments.out:
            arguments.out.write_text(json.dumps(results, indent=1) + "\n")
    margins = [int(str(entry["margin"])) for entry in results if entry["mode"] == "random"]
    words = Counter("won" if m > 0 else "lost" if m < 0 else "drawn" for m in margins)
    print(f"random: {dict(words)} for the first player")


if __name__ == "__main__":
    main()
