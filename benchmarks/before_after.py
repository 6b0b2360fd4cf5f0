"""Two versions of plyground on the same work, in turns: processor time, best of several rounds.

    python benchmarks/before_after.py --before PYTHON --after PYTHON [--rounds N] [--out STEM]

Each side is the interpreter of an environment in which that version is installed. A row is a fixed
amount of work (a depth, simulations, positions, turns); both sides do it in processes of
their own, one after the other, after a first time that does not count. The two searches of
Competitive Sudoku also say which moves they would play after so many nodes, on a hundred positions.
Writes STEM.json and STEM.md.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

Work = Callable[[], tuple[int, float]]
"""Does what is measured; how much that was, and the processor seconds it took."""

COMPETITIVE = "plyground.games.competitive_sudoku"
CODECUP = "plyground.games.codecup_sudoku"
BLOCKUDOKU = "plyground.games.blockudoku"
MOST_SOLUTIONS = 64
MOVE_NODES = 5_000


def either(*places: str) -> Any:
    """What is at the first of these places, each `module:name`: names have moved between sides."""
    for place in places:
        module, _, name = place.partition(":")
        try:
            return getattr(importlib.import_module(module), name)
        except ModuleNotFoundError:
            continue
    raise ImportError(f"none of {places} is there")


def timed(work: Callable[[], int]) -> tuple[int, float]:
    """How much work it was, and its processor time."""
    started = time.process_time()
    amount = work()
    return amount, time.process_time() - started


# Boards that need no generator: those of the two sides may differ ---------------------------


def shuffled(size: int, chance: random.Random) -> list[int]:
    """The numbers below `size`."""
    return chance.sample(range(size), size)


def full_grid(chance: random.Random) -> np.ndarray:
    """A solved 9x9 Sudoku: a pattern with digits, and lines within their blocks, shuffled."""
    line = np.arange(9)
    pattern = (3 * (line[:, None] % 3) + line[:, None] // 3 + line[None, :]) % 9
    down, across = (
        [3 * block + line for block in shuffled(3, chance) for line in shuffled(3, chance)]
        for _ in range(2)
    )
    return np.array(shuffled(9, chance))[pattern[np.ix_(down, across)]] + 1


def with_holes(holes: int, chance: random.Random) -> np.ndarray:
    """A solvable board with so many empty squares, as a row of cells."""
    cells = full_grid(chance).ravel()
    cells[chance.sample(range(81), holes)] = 0
    return cells


# The rows -----------------------------------------------------------------------------------


def agent_row(agent: str, mean: str, *moves: str, **limit: int) -> Work:
    """An agent thinks about Connect 4 after these moves: its nodes."""
    from plyground.core.limits import Limit
    from plyground.core.registry import make_agent, make_game

    game = make_game("connect4", {"mean": mean})
    position = game.start()
    for move in moves:
        position = position.play(move)
    player = make_agent("connect4", agent)

    def work() -> tuple[int, float]:
        player.new_game(game, 1)
        return timed(lambda: int(player.search(position, Limit(**limit)).nodes))

    return work


def solution_searches(many: bool, number: int) -> Iterator[Any]:
    """The search over many solutions, or over one, on random positions of Competitive Sudoku."""
    position = either(f"{COMPETITIVE}.position_data:PositionData", f"{COMPETITIVE}.setup:Setup")
    kind = either(
        f"{COMPETITIVE}.solvers.many_solutions:ManySolutionsSearch",
        f"{COMPETITIVE}.duel_search:SolutionSearch",
    )
    if not many:
        kind = either(
            f"{COMPETITIVE}.solvers.one_solution:OneSolutionSearch",
            f"{COMPETITIVE}.lone_search:LoneSearch",
        )
    solutions = list_solutions()
    chance = random.Random(7)
    while number > 0:
        cells = with_holes(chance.randrange(20, 40) if many else chance.randrange(16, 30), chance)
        found = solutions(cells.astype(np.int64), MOST_SOLUTIONS)
        if found is not None and (len(found) > 1) is many:
            setup = position(3, 3, tuple(int(value) for value in cells))
            yield kind(setup, found.copy() if many else found[0].copy())
            number -= 1


def list_solutions() -> Callable[[np.ndarray, int], np.ndarray | None]:
    """The lister of a board's solutions."""
    from plyground import sudoku

    try:
        from plyground.sudoku.solution_lister import SolutionLister

        lister = SolutionLister(sudoku.geometry(3, 3))
    except ModuleNotFoundError:
        lister = either(f"{COMPETITIVE}.solution_lister:SolutionLister")(3, 3)
    return lister.solutions  # type: ignore[no-any-return]


def deepen(search: Any, nodes: int) -> int:
    """Search deeper and deeper for so many nodes."""
    for depth in range(2, 60):
        search.begin(depth, -300, 300)
        while search.nodes < nodes:
            if search.run(1_000):
                break
        if search.nodes >= nodes or search.resolved:
            break
    return int(search.nodes)


def solutions_row(many: bool) -> Work:
    """A search over solutions goes deeper and deeper on twelve positions: its nodes."""

    def work() -> tuple[int, float]:
        searches = list(solution_searches(many, 12))
        return timed(lambda: sum(deepen(search, 60_000) for search in searches))

    return work


def moves_after(many: bool, number: int = 100) -> list[Any]:
    """The move and its value after a number of nodes, on so many positions."""
    found = []
    for search in solution_searches(many, number):
        deepen(search, MOVE_NODES)
        best = search.best
        found.append(None if best is None else [best.cell, best.value, best.is_pass, best.points])
    return found


def endgame_row() -> Work:
    """CodeCup endgames of some thousand solutions, their listing included: the solutions."""
    places = (f"{CODECUP}.solvers.endgame_solver", f"{CODECUP}.endgame_solver")
    solver = either(*(f"{place}:EndgameSolver" for place in places))
    table = either(*(f"{place}:new_table" for place in places))(64)
    finder = either(f"{CODECUP}.solvers.solutions:Finder", f"{CODECUP}.solutions:Finder")()
    chance = random.Random(5)
    grids: list[np.ndarray] = []
    while len(grids) < 8:
        cells = with_holes(48, chance).astype(np.uint8)
        found = finder.solutions(cells, 20_000)
        if found.complete and len(found) > 1_000:
            grids.append(cells)

    def work() -> tuple[int, float]:
        table[:] = 0

        def solve() -> int:
            total = 0
            for cells in grids:
                found = finder.solutions(cells, 20_000)
                solver(found.grids, table).value()
                total += len(found)
            return total

        return timed(solve)

    return work


def blockudoku_row() -> Work:
    """The champion's evaluation plays Blockudoku: turns."""
    player = either(f"{BLOCKUDOKU}.players.survival:Player", f"{BLOCKUDOKU}.survival:Player")
    words = either(
        f"{BLOCKUDOKU}.players.selfplay:TOTAL_COUNT", f"{BLOCKUDOKU}.selfplay:TOTAL_COUNT"
    )
    turns = 1_500
    planner = player("static", "0-46")

    def work() -> tuple[int, float]:
        board, totals = np.zeros(2, np.uint64), np.zeros(words)

        def play() -> int:
            planner.play(42, 0, turns, board, totals)
            return turns

        return timed(play)

    return work


def sudoku_row(holes: int, boards: int, limit: int) -> Work:
    """Sudokus with so many empty squares: boards whose solutions are counted up to the limit."""
    from plyground.sudoku.search import Desk

    chance = random.Random(3)
    grids = np.array([with_holes(holes, chance) for _ in range(boards)], np.uint8)
    counts, desk = np.zeros(boards, np.int64), Desk()

    def work() -> tuple[int, float]:
        def count() -> int:
            desk.count_each(grids, limit, counts)
            return boards

        return timed(count)

    return work


ROWS: dict[str, Callable[[], Work]] = {
    "alpha-beta, plain 7x6, to depth 14": functools.partial(
        agent_row, "alphabeta", "none", depth=14
    ),
    "alpha-beta, mean 7x6, to depth 11": functools.partial(
        agent_row, "alphabeta", "both", depth=11
    ),
    "MCTS, mean 7x6, 150,000 simulations": functools.partial(
        agent_row, "mcts", "both", nodes=150_000
    ),
    "Connect 4 champion, mean 7x6 after 4 4 2 6, to depth 10": functools.partial(
        agent_row, "champion", "both", "4", "4", "2", "6", depth=10
    ),
    "Competitive Sudoku over many solutions": functools.partial(solutions_row, True),
    "Competitive Sudoku over one solution": functools.partial(solutions_row, False),
    "CodeCup endgames": endgame_row,
    "Blockudoku turns": blockudoku_row,
    "Sudokus of 26 clues, all solutions up to 100": functools.partial(sudoku_row, 55, 4_000, 100),
    "Sudokus of 34 clues, first two solutions": functools.partial(sudoku_row, 47, 20_000, 2),
}


# The two sides ------------------------------------------------------------------------------


def serve() -> None:
    """A side: does the row of each line that it reads, and answers with a line."""
    import plyground

    print(json.dumps({"file": plyground.__file__, "version": plyground.__version__}), flush=True)
    made: dict[str, Work] = {}
    for line in sys.stdin:
        name = json.loads(line)
        if name.startswith("moves"):
            answer: Any = moves_after(name == "moves, many")
        else:
            if name not in made:
                made[name] = ROWS[name]()
                made[name]()
            answer = made[name]()
        print(json.dumps(answer), flush=True)


class Side:
    """One of the two versions, as a process."""

    def __init__(self, python: str) -> None:
        settings = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        self.process = subprocess.Popen(
            [python, __file__, "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=settings,
            cwd=Path(python).parent,
        )
        self.about = self._answer()

    def ask(self, name: str) -> Any:
        """Its answer to a row."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(name) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def _answer(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args} ended with {self.process.wait()}")
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)


def compare(name: str, sides: list[Side], rounds: int) -> dict[str, Any]:
    """A row on both sides in turns; rates are work a second of the best round."""
    found: list[list[tuple[int, float]]] = [[], []]
    for _ in range(rounds):
        for side, results in zip(sides, found, strict=True):
            results.append(tuple(side.ask(name)))
    before, after = (max(amount / seconds for amount, seconds in results) for results in found)
    row = {"row": name, "before": before, "after": after, "ratio": after / before, "raw": found}
    print(f"{name}: {before:,.0f} -> {after:,.0f} a second, {after / before:.3f}", flush=True)
    return row


def table(result: dict[str, Any]) -> str:
    """The figures as Markdown."""
    lines = [
        "# Before and after the redesign",
        "",
        f"`{result['command']}`",
        "",
        f"Both versions in turns on one machine with {result['cores']} cores and other work on it",
        f"(load {result['load'][0]:.0f} before, {result['load'][1]:.0f} after), processor time,",
        f"best of {result['rounds']} rounds. Raw numbers: before_after.json.",
        "",
        "| work | before, a second | after, a second | ratio |",
        "| --- | --- | --- | --- |",
        *(
            f"| {row['row']} | {row['before']:,.0f} | {row['after']:,.0f} | {row['ratio']:.3f} |"
            for row in result["rows"]
        ),
        "",
        "Units: nodes, simulations, solutions of the endgames solved, turns, boards.",
        "",
        f"The same move and value after {MOVE_NODES:,} nodes, Competitive Sudoku:",
        *(f"{name} {same} of {number};" for name, (same, number) in result["moves"].items()),
    ]
    return "\n".join(lines)[:-1] + ".\n"


def main() -> None:
    """Measure both sides, print the rows, write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before")
    parser.add_argument("--after", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--serve", action="store_true")
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
        return
    load = os.getloadavg()[0]
    sides = [Side(arguments.before), Side(arguments.after)]
    print(*(f"{side.about['version']} {side.about['file']}" for side in sides), sep="\n")
    if sides[0].about["file"] == sides[1].about["file"]:
        raise SystemExit("both sides are the same plyground")
    rows = [compare(name, sides, arguments.rounds) for name in ROWS if arguments.only in name]
    moves = {}
    for name in ("many", "one"):
        answers = [side.ask(f"moves, {name}") for side in sides]
        same = sum(one == other for one, other in zip(*answers, strict=True))
        moves[f"over {name} solution{'s' * (name == 'many')}"] = (same, len(answers[0]))
        print(f"the same moves, {name}: {same} of {len(answers[0])}")
    for side in sides:
        side.close()
    result = {
        "command": "python benchmarks/before_after.py --before OLD/python --after NEW/python",
        "cores": os.cpu_count(),
        "load": (load, os.getloadavg()[0]),
        "rounds": arguments.rounds,
        "rows": rows,
        "moves": moves,
    }
    if arguments.out:
        arguments.out.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n")
        arguments.out.with_suffix(".md").write_text(table(result))


if __name__ == "__main__":
    main()
