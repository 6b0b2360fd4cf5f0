"""CodeCup Sudoku: is a grid with six solutions always won for the player to move? No.

    python benchmarks/codecup_six.py --seconds 100 --out FILE

Random moves lead from random grids with 600 to 2,000 solutions down to six, and the exact search
says who wins. Lost ones are kept as grids; docs/games/codecup-sudoku.md shows what they look like.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path

import numpy as np

from plyground.games.codecup_sudoku.experiments.solution_sets import SetSearch, random_set

DESCENTS = 400
"""Random ways down from each set."""


def sixes(search: SetSearch, chance: random.Random) -> set[int]:
    """Different sets of six solutions that random moves lead to."""
    found: set[int] = set()
    for _ in range(DESCENTS):
        position = search.everything
        while position.bit_count() > 6:
            children = {position & mask for mask in chance.sample(search.moves, 40)}
            children = {child for child in children if child.bit_count() >= 6 and child != position}
            if not children:
                break
            position = chance.choice(sorted(children))
        if position.bit_count() == 6:
            found.add(position)
    return found


def as_grid(solutions: np.ndarray, position: int) -> str:
    """The digits that all solutions of a set have in common, dots elsewhere."""
    chosen = solutions[[n for n in range(len(solutions)) if position >> n & 1]]
    common = (chosen == chosen[0]).all(axis=0)
    return "".join(str(d) if fixed else "." for d, fixed in zip(chosen[0], common, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="processor time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    found, lost = Counter[str](), []
    while time.process_time() < arguments.seconds:
        solutions = random_set(chance.randrange(2**31), 600, 2000)
        search = SetSearch(solutions)
        for position in sixes(search, chance):
            search.nodes = 0
            if any((position & mask).bit_count() == 1 for mask in search.moves):
                found["won at once"] += 1
            elif search.wins(position):
                found["won in three"] += 1
            else:
                found["lost"] += 1
                lost.append(as_grid(solutions, position))
        found["grids"] += 1
        result = {"sets of six": dict(found), "lost": lost}
        print(json.dumps(result["sets of six"]), flush=True)
        if arguments.out:
            arguments.out.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
