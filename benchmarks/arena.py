"""What the arena itself costs: time per turn, games per minute, overrun of time limits.

    python benchmarks/arena.py [--output benchmarks/results/arena.json] [--quick]

The peer is the course runner for Competitive Sudoku, which sleeps 0.1 s a turn: 13 s a game on
`empty-3x3` (a figure from its own rules: turns times sleep).
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import time
from pathlib import Path
from typing import Any

from figures import publish
from plyground.arena.executors import LocalExecutor
from plyground.arena.match import play_game
from plyground.arena.task import GameTask, MatchRules
from plyground.core.limits import Limit
from plyground.engines.engine import EngineSettings
from plyground.engines.pool import engine_pool

SLEEPING_RUNNER_SECONDS = 13.0
PATIENT_MARGIN = 5.0
"""So large that no late answer is cut off here: the overrun itself is what is measured."""


def make_task(
    number: int, game: str, players: tuple[str, str], limit: Limit, options: dict[str, Any]
) -> GameTask:
    return GameTask(
        schedule_id=f"g{number}",
        pair_id=f"p{number}",
        game=game,
        options=options,
        players=players,
        labels=players,
        seats=(0, 1),
        limits=(limit, limit),
        seed=number,
        engine_seeds=(2 * number, 2 * number + 1),
        rules=MatchRules(engine=EngineSettings(margin=PATIENT_MARGIN)),
    )


def measure_turn(games: int) -> dict[str, Any]:
    """Wall and CPU time of this process per turn, the engines answering at once."""
    engines = engine_pool()
    players = ("random", "random")
    play_game(make_task(0, "connect4", players, Limit(nodes=1), {}), engines)
    started, cpu = time.perf_counter(), time.process_time()
    turns = 0
    for number in range(1, games + 1):
        task = make_task(number, "connect4", players, Limit(nodes=1), {})
        turns += len(play_game(task, engines).record.moves)
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    engines.close()
    return {
        "turns": turns,
        "wall_ms_per_turn": 1e3 * seconds / turns,
        "arena_cpu_ms_per_turn": 1e3 * cpu / turns,
    }


def measure_rate(
    game: str, players: tuple[str, str], games: int, options: dict[str, Any]
) -> dict[str, Any]:
    """Games per minute through engine processes with two jobs, engines already running."""
    limit = Limit(nodes=1)
    with LocalExecutor(2) as executor:
        for number in range(4):
            executor.submit(make_task(number, game, players, limit, options))
        for _ in range(4):
            while executor.next_result(1.0) is None:
                pass
        started = time.perf_counter()
        for number in range(games):
            executor.submit(make_task(100 + number, game, players, limit, options))
        turns = 0
        for _ in range(games):
            while (result := executor.next_result(1.0)) is None:
                pass
            turns += len(result.record.moves)
        seconds = time.perf_counter() - started
    return {
        "game": game,
        "players": players,
        "games": games,
        "games_per_minute": 60 * games / seconds,
        "turns_per_game": turns / games,
    }


def measure_cpu(game: str, games: int, options: dict[str, Any]) -> dict[str, Any]:
    """CPU seconds per game of arena and engines together, which other load does not change.

    `ratio_bound` is the rate on all cores, were they free, against the sleeping runner.
    """

    def spent(count: int) -> float:
        before = _cpu_seconds()
        engines = engine_pool()
        for number in range(count):
            task = make_task(number, game, ("random", "random"), Limit(nodes=1), options)
            play_game(task, engines)
        engines.close()
        return _cpu_seconds() - before

    start = min(spent(1), spent(1))
    each = (spent(games + 1) - start) / games
    cores = os.cpu_count() or 1
    return {
        "game": game,
        "cpu_seconds_per_game": each,
        "ratio_bound": SLEEPING_RUNNER_SECONDS / each * cores,
    }


def _cpu_seconds() -> float:
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measure_overrun(players: tuple[str, str], games: int, seconds: float) -> dict[str, Any]:
    """How much later than asked the answers came."""
    engines = engine_pool()
    overruns = []
    for number in range(games):
        task = make_task(number, "connect4", players, Limit(time=seconds), {})
        record = play_game(task, engines).record
        overruns += [entry.time - seconds for entry in record.moves if entry.time is not None]
    engines.close()
    overruns.sort()
    return {
        "players": players,
        "limit": seconds,
        "moves": len(overruns),
        "median_ms": 1e3 * overruns[len(overruns) // 2],
        "worst_ms": 1e3 * overruns[-1],
    }


def _spin() -> None:
    while True:
        pass


def measure_busy_overrun(players: tuple[str, str], games: int, seconds: float) -> dict[str, Any]:
    """The same with two busy loops beside it."""
    context = multiprocessing.get_context("spawn")
    loops = [context.Process(target=_spin, daemon=True) for _ in range(2)]
    for loop in loops:
        loop.start()
    try:
        return measure_overrun(players, games, seconds)
    finally:
        for loop in loops:
            loop.kill()
            loop.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    scale = 1 if arguments.quick else 5
    load = os.getloadavg()[0]
    sudoku = measure_rate(
        "competitive-sudoku", ("random", "random"), 10 * scale, {"board": "empty-3x3"}
    )
    sudoku["ratio_to_sleeping_runner"] = sudoku["games_per_minute"] * SLEEPING_RUNNER_SECONDS / 60
    figures = {
        "cores": os.cpu_count(),
        "load_before": load,
        "turn": measure_turn(40 * scale),
        "connect4": measure_rate("connect4", ("random", "random"), 100 * scale, {}),
        "competitive_sudoku": sudoku,
        "competitive_sudoku_cpu": measure_cpu(
            "competitive-sudoku", 4 * scale, {"board": "empty-3x3"}
        ),
        "overrun": measure_overrun(("mcts", "alphabeta"), scale, 0.1),
        "overrun_two_busy_loops": measure_busy_overrun(("mcts", "alphabeta"), scale, 0.1),
    }
    publish(figures, arguments.output)


if __name__ == "__main__":
    main()
