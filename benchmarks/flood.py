"""How late an honest program's answers are beside a program that floods its output.

    python benchmarks/flood.py [--output benchmarks/results/flood.json] [--rounds 5] [--games 20]

Two games run at a time. The honest program thinks for its whole time and answers; what is measured
is how much later than asked. Beside it plays another honest pair that sleeps, too; one that works
all its time, as programs do; a program that sends empty lines, or progress, as fast as it can; or
one that ends at its first turn: it is started for every game as the flooders are, and shows what
that alone costs. Rounds of all kinds take turns. A maximum hangs on a single move, so the maximum
of each round is told as well.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from figures import publish
from plyground.arena.executors import LocalExecutor
from plyground.arena.task import GameTask, MatchRules
from plyground.core.limits import Limit
from plyground.engines.engine import EngineSettings
from script import read_options
from scripted_program import program

SECONDS = 0.05
MARGIN = 0.5
THOUGHTS = {
    "honest": "time.sleep(request['limit']['time'])",
    "work": "end = time.monotonic() + 0.05\nwhile time.monotonic() < end: pass",
    "empty lines": "while True: sys.stdout.write('\\n' * 10000)",
    "an end": "sys.exit(1)",
    "progress": 'while True: sys.stdout.write(\'{"type":"info"}\\n\' * 1000)',
}


def make_task(name: str, players: tuple[str, str]) -> GameTask:
    return GameTask(
        schedule_id=name,
        pair_id=name,
        game="connect4",
        options={"mean": "none"},
        players=players,
        labels=players,
        seats=(0, 1),
        limits=(Limit(time=SECONDS),) * 2,
        engine_seeds=(1, 2),
        rules=MatchRules(engine=EngineSettings(margin=MARGIN)),
    )


def measure(players: dict[str, str], neighbour: str, games: int) -> tuple[list[float], list[float]]:
    """Overruns of the honest program, and seconds of each game of the flooder, beside it."""
    honest = players["honest"]
    overruns: list[float] = []
    floods: list[float] = []
    with LocalExecutor(2) as executor:
        executor.submit(make_task("a0", (honest, honest)))
        executor.submit(make_task("b0", (players[neighbour], honest)))
        left, number = games, 0
        while left:
            result = executor.next_result(1.0)
            if result is None:
                continue
            number += 1
            if result.task.schedule_id.startswith("a"):
                left -= 1
                moves = result.record.moves
                overruns += [move.time - SECONDS for move in moves if move.time is not None]
                executor.submit(make_task(f"a{number}", (honest, honest)))
            else:
                floods.append(result.seconds)
                executor.submit(make_task(f"b{number}", (players[neighbour], honest)))
    return overruns, floods


def describe(rounds: list[list[float]]) -> dict[str, Any]:
    ordered = sorted(value for one in rounds for value in one)
    maxima = [1e3 * max(one) for one in rounds]
    return {
        "moves": len(ordered),
        "median_ms": 1e3 * ordered[len(ordered) // 2],
        "p99_ms": 1e3 * ordered[int(len(ordered) * 0.99)],
        "max_ms": 1e3 * ordered[-1],
        "median_of_maxima_ms": statistics.median(maxima),
        "maxima_ms": maxima,
    }


def main() -> None:
    arguments = read_options(__doc__, output=Path, rounds=5, games=20)
    found: dict[str, list[list[float]]] = {name: [] for name in THOUGHTS}
    lengths: dict[str, list[float]] = {name: [] for name in THOUGHTS}
    with tempfile.TemporaryDirectory() as folder:
        players = {}
        for number, (name, think) in enumerate(THOUGHTS.items()):
            path = Path(folder) / f"program{number}.py"
            path.write_text(program(think))
            players[name] = f"exec:{sys.executable} {path}"
        for _ in range(arguments.rounds):
            for name in THOUGHTS:
                started = time.perf_counter()
                overruns, floods = measure(players, name, arguments.games)
                found[name].append(overruns)
                lengths[name] += floods
                print(name, f"{time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    figures: dict[str, Any] = {name: describe(rounds) for name, rounds in found.items()}
    for name in THOUGHTS:
        if name != "honest":
            figures[name]["games_beside"] = len(lengths[name])
            figures[name]["longest_game_beside_s"] = max(lengths[name], default=0.0)
            for key in ("median_ms", "p99_ms", "max_ms", "median_of_maxima_ms"):
                for other in ("honest", "work"):
                    ratio = figures[name][key] / figures[other][key]
                    figures[name][f"{key}_beside_{other}"] = ratio
    publish(figures, arguments.output)


if __name__ == "__main__":
    main()
