"""Whether a match is decided by its neighbours: the same match alone and beside two busy loops.

    python benchmarks/neighbours.py [--games 12] [--output FILE]

A program that works for half of its time on every move meets one that answers at once. By the wall
it loses on time as soon as other programs want the processors; by the processor it must not. The
four settings (wall and processor, alone and beside the loops) take turns, two games each. Also
counted: the simulations that a built-in agent gets done in its time.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from figures import publish
from plyground.arena.match import play_game
from plyground.arena.task import GameTask, MatchRules
from plyground.core.limits import Limit, TimeBy
from plyground.core.outcome import Termination
from plyground.engines.engine import EngineSettings
from plyground.engines.pool import engine_pool
from script import read_options
from scripted_program import program

SECONDS = 0.2
MARGIN = 0.02
LOOPS = 2
WORK = """end = time.process_time() + SECONDS
while time.process_time() < end: pass"""


def busy_loop() -> None:
    while True:
        pass


@contextmanager
def neighbours(count: int) -> Iterator[None]:
    """So many processes that never rest."""
    loops = [multiprocessing.Process(target=busy_loop, daemon=True) for _ in range(count)]
    for loop in loops:
        loop.start()
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.join()


def play(players: tuple[str, str], by: TimeBy, seed: int) -> tuple[float, bool, list[int]]:
    """Score of the first player, whether it lost on time, and the nodes of its moves."""
    limit = Limit(time=SECONDS, by=by)
    task = GameTask(
        schedule_id="g",
        pair_id="p",
        game="connect4",
        options={"mean": "none"},
        players=players,
        labels=players,
        seats=(0, 1),
        limits=(limit, limit),
        seed=seed,
        engine_seeds=(seed, seed + 1),
        rules=MatchRules(engine=EngineSettings(margin=MARGIN)),
    )
    with engine_pool() as engines:
        record = play_game(task, engines).record
    assert record.outcome is not None
    late = record.outcome.termination is Termination.TIMEOUT and record.outcome.winner == 1
    nodes = [move.nodes for move in record.moves if move.player == 0 and move.nodes]
    return record.outcome.score(0), late, nodes


def main() -> None:
    arguments = read_options(__doc__, games=12, output=Path)
    settings: list[tuple[TimeBy, int]] = [("wall", 0), ("wall", LOOPS), ("cpu", 0), ("cpu", LOOPS)]
    found: dict[str, Any] = {
        f"{by}, {loops} busy loops": {"games": 0, "score": 0.0, "lost_on_time": 0, "nodes": []}
        for by, loops in settings
    }
    with tempfile.TemporaryDirectory() as folder:
        worker, prompt = Path(folder) / "worker.py", Path(folder) / "prompt.py"
        worker.write_text(program(WORK.replace("SECONDS", str(SECONDS / 2))))
        prompt.write_text(program("pass"))
        players = (f"exec:{sys.executable} {worker}", f"exec:{sys.executable} {prompt}")
        for number in range(arguments.games // 2):
            for by, loops in settings:
                row = found[f"{by}, {loops} busy loops"]
                with neighbours(loops):
                    for game in range(2):
                        score, late, _ = play(players, by, 2 * number + game)
                        row["games"] += 1
                        row["score"] += score
                        row["lost_on_time"] += late
                    row["nodes"] += play(("mcts", "random"), by, number)[2]
    for row in found.values():
        nodes = sorted(row.pop("nodes"))
        row["median_simulations_of_mcts"] = nodes[len(nodes) // 2] if nodes else None
    load = os.getloadavg()[0]
    publish(
        {"seconds": SECONDS, "margin": MARGIN, "load_at_the_end": load, **found}, arguments.output
    )


if __name__ == "__main__":
    main()
