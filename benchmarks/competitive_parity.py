"""How often the parity law is right, by block size, empty squares and number of solutions.

    python benchmarks/competitive_parity.py [--seconds 60] [--output results.json]

The law (classic mode): the player to move loses when the empty squares and the passes are both
even in number, and wins otherwise. Random positions with equal scores are solved exactly under the
full rules; those that take too long are counted as open.
"""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from plyground.core.registry import make_game
from plyground.games.competitive_sudoku.position_data import PositionData
from plyground.games.competitive_sudoku.solvers.many_solutions import ManySolutionsSearch
from plyground.games.competitive_sudoku.solvers.one_solution import OneSolutionSearch
from plyground.sudoku import geometry
from plyground.sudoku.solution_lister import SolutionLister
from script import read_options

SHAPES = ((2, 2), (2, 3), (3, 3), (3, 4))
EMPTIES = {(2, 2): (4, 12), (2, 3): (5, 15), (3, 3): (6, 17), (3, 4): (8, 17)}
NODE_LIMIT = 600_000


def random_position(shape: tuple[int, int], chance: random.Random) -> PositionData:
    """A solvable board with a random number of empty squares."""
    rows, columns = shape
    board = f"random-{rows}x{columns}"
    game = make_game("competitive-sudoku", {"board": board, "seed": chance.randrange(10**6)})
    solution = game.answers.solution(np.array(game.data.cells, np.int64))
    low, high = EMPTIES[shape]
    cells = [int(value) for value in solution]
    for cell in chance.sample(range(len(cells)), chance.randrange(low, high)):
        cells[cell] = 0
    return PositionData(rows, columns, tuple(cells))


def exact_margin(search: ManySolutionsSearch | OneSolutionSearch) -> float | None:
    """What the mover can force, or None when it takes too long."""
    depth = 4
    while True:
        search.begin(depth, -300, 300)
        while not search.run(20_000):
            if search.nodes > NODE_LIMIT:
                return None
        if search.resolved:
            return search.value
        depth += 4


def main() -> None:
    options = read_options(__doc__, seconds=60.0, seed=1, output=Path)
    chance = random.Random(options.seed)
    listers = {shape: SolutionLister(geometry(*shape)) for shape in SHAPES}
    # For each class: right, wrong (draws included), open, sum of margins for the favoured player.
    table: dict[tuple[str, str, str, str], list[float]] = defaultdict(lambda: [0, 0, 0, 0.0])
    started = time.process_time()
    while time.process_time() - started < options.seconds:
        shape = chance.choice(SHAPES)
        data = random_position(shape, chance)
        solutions = listers[shape].solutions(np.array(data.cells, np.int64), 20_000)
        if solutions is None:
            continue
        count = len(solutions)
        search: ManySolutionsSearch | OneSolutionSearch
        if count == 1:
            search = OneSolutionSearch(data, solutions[0].copy())
        else:
            search = ManySolutionsSearch(data, solutions.copy())
        empties, passes = len(search.slots), search.passes
        parity = f"{'even' if empties % 2 == 0 else 'odd'}, {'even' if passes % 2 == 0 else 'odd'}"
        margin = exact_margin(search)
        filled = f"{20 * round(5 - 5 * empties / len(data.cells))} %"
        number = "1" if count == 1 else "2-4" if count <= 4 else "5+"
        entry = table[f"{shape[0]}x{shape[1]}", filled, number, parity]
        if margin is None:
            entry[2] += 1
            continue
        favoured = -1 if parity == "even, even" else 1
        entry[0 if margin * favoured > 0 else 1] += 1
        entry[3] += margin * favoured
    print("| blocks | filled about | solutions | squares, passes | right | wrong | open | margin |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    rows = []
    for key, (right, wrong, unsolved, margin) in sorted(table.items()):
        solved = right + wrong
        mean = f"{margin / solved:.1f}" if solved else "-"
        print(f"| {' | '.join(key)} | {right} | {wrong} | {unsolved} | {mean} |")
        rows.append([*key, right, wrong, unsolved, margin])
    if options.output:
        options.output.write_text(json.dumps(rows) + "\n")


if __name__ == "__main__":
    main()
