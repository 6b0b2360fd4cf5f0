"""How late an honest program's answers are beside a program that floods its output, and why.

    python benchmarks/flood.py [--output benchmarks/results/flood.json] [--rounds 12] [--moves 400]

Two games run at a time. The honest program sleeps for its whole time and answers; what is measured
is how much later than asked its answer is there. Beside it plays another honest pair that sleeps,
too; one that works all its time, as programs do; a program that sends empty lines, progress, or a
line of nearly a megabyte in each turn; or one that ends at its first turn: it is started for every
game as the flooders are, and shows what that alone costs. Rounds of all kinds take turns.

A maximum hangs on a single answer, so each answer is taken apart. The program tells how long it
slept too long and how long it was ready and had no processor; the kernel tells the same of the
arena's thread, and the collector of garbage when it ran. Without its own sleep and without the
waits of the arena's thread for a processor, what is left of an answer's lateness is the way to the
program and back: the arena's work and locks, which a neighbour's output could lengthen, and the
waking of the program. The latest answers are listed with their parts, so that each has a cause.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from figures import publish
from plyground.arena.events import Event, MovePlayed
from plyground.arena.executors import LocalExecutor
from plyground.arena.task import GameTask, MatchRules
from plyground.core.limits import Limit
from plyground.engines import players as player_kinds
from plyground.engines.engine import EngineSettings
from plyground.engines.json_conversation import JsonConversation
from script import read_options
from scripted_program import program

SECONDS = 0.02
MARGIN = 0.5
LATEST = 5
"""So many of the latest answers of each kind are told in full."""

SLEEP = """def waited():
    with open("/proc/self/schedstat") as file:
        return int(file.read().split()[1]) // 1000
asked, before = time.monotonic_ns(), waited()
time.sleep(request["limit"]["time"])
after = waited()
told = {"nodes": (time.monotonic_ns() - asked) // 1000, "depth": before - globals().get("last", 0)}
told["score"] = after - before
last = after"""
THOUGHTS = {
    "honest": SLEEP,
    "work": f"end = time.monotonic() + {SECONDS}\nwhile time.monotonic() < end: pass",
    "empty lines": "while True: sys.stdout.write('\\n' * 10000)",
    "progress": 'while True: sys.stdout.write(\'{"type":"info"}\\n\' * 1000)',
    "long lines": 'print(\'{"type":"info","line":[\' + \'"4",\' * 250000 + \'"4"]}\', flush=True)',
    "an end": "sys.exit(1)",
}


@dataclass
class Answer:
    """Milliseconds by which one answer was late, and where they went."""

    late: float
    program_slept: float
    """It slept longer than it had asked for; with `of_that_ready` it was ready for so long."""
    of_that_ready: float
    program_ready: float
    """It had no processor when its turn was told to it, or when its last turn ended."""
    arena_ready: float
    """The arena's thread had no processor."""
    collection: float
    stolen: float
    """Time that the machine below this one took from its processors, in its own coarse steps."""

    @property
    def way(self) -> float:
        """From the arena to the program and back, without waits of the arena's thread."""
        return max(0.0, self.late - self.program_slept - self.arena_ready)

    @property
    def cause(self) -> str:
        """The largest part."""
        kept = min(self.program_ready, self.way)
        collection = min(self.collection, self.way - kept)
        parts = {
            "the program slept longer": self.program_slept - self.of_that_ready,
            "the program had no processor": self.of_that_ready + kept,
            "the arena had no processor": self.arena_ready,
            "the collector ran": collection,
            "the arena's own work": self.way - kept - collection,
        }
        return max(parts, key=lambda name: parts[name])


class Observer:
    """Hears of the honest pair's moves, in the thread that plays them."""

    at_start = threading.local()
    """What the thread had waited, and what was stolen, when the turn began that it waits for."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self._began = 0.0
        self._collections: list[tuple[float, float]] = []
        gc.callbacks.append(self._collect)

    def _collect(self, phase: str, about: dict[str, int]) -> None:
        now = time.monotonic()
        if phase == "start":
            self._began = now
        elif now - self._began > 0.0005:
            self._collections.append((self._began, now))

    def hear(self, event: Event) -> None:
        if not isinstance(event, MovePlayed) or not event.task.schedule_id.startswith("a"):
            return
        waited = waited_seconds() - self.at_start.waited
        stolen = stolen_seconds() - self.at_start.stolen
        move, now = event.move, time.monotonic()
        if move.time is None or move.nodes is None or move.depth is None or move.score is None:
            return
        began = now - move.time
        self.answers.append(
            Answer(
                late=1e3 * (move.time - SECONDS),
                program_slept=move.nodes / 1e3 - 1e3 * SECONDS,
                of_that_ready=(move.score.points or 0.0) / 1e3,
                program_ready=move.depth / 1e3,
                arena_ready=1e3 * waited,
                collection=1e3
                * sum(max(0.0, min(now, b) - max(began, a)) for a, b in self._collections),
                stolen=1e3 * stolen,
            )
        )


class ObservedConversation(JsonConversation):
    """Notes what its thread had waited for when a turn begins."""

    def _begin_turn(self, now: float) -> None:
        Observer.at_start.stolen = stolen_seconds()
        Observer.at_start.waited = waited_seconds()
        super()._begin_turn(now)


def waited_seconds() -> float:
    """How long this thread has been ready to run and had no processor."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9


def stolen_seconds() -> float:
    """How long the machine below has kept this one's processors for others."""
    with open("/proc/stat", encoding="ascii") as file:
        return int(file.readline().split()[8]) / 100


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


def measure(
    players: dict[str, str], neighbour: str, moves: int
) -> tuple[list[Answer], list[float]]:
    """Answers of the honest program, and seconds of each game of the other, beside it."""
    honest = players["honest"]
    observer = Observer()
    games: list[float] = []
    with LocalExecutor(2, observer.hear) as executor:
        executor.submit(make_task("a0", (honest, honest)))
        executor.submit(make_task("b0", (players[neighbour], honest)))
        number = 0
        while len(observer.answers) < moves:
            result = executor.next_result(1.0)
            if result is None:
                continue
            number += 1
            if result.task.schedule_id.startswith("a"):
                executor.submit(make_task(f"a{number}", (honest, honest)))
            else:
                games.append(result.seconds)
                executor.submit(make_task(f"b{number}", (players[neighbour], honest)))
    gc.callbacks.pop()
    return observer.answers[:moves], games


def spread(rounds: list[list[Answer]], value: Callable[[Answer], float]) -> dict[str, Any]:
    """All answers of all rounds together, and the maximum of each round."""
    ordered = sorted(value(answer) for one in rounds for answer in one)
    shares = (("median_ms", 0.5), ("p99_ms", 0.99), ("p999_ms", 0.999))
    return {
        **{name: round(ordered[int(len(ordered) * share)], 3) for name, share in shares},
        "max_ms": round(ordered[-1], 3),
        "maxima_ms": [round(max(map(value, one)), 2) for one in rounds],
    }


def describe(rounds: list[list[Answer]]) -> dict[str, Any]:
    answers = sorted((answer for one in rounds for answer in one), key=lambda one: -one.late)
    return {
        "moves": len(answers),
        "late": spread(rounds, lambda answer: answer.late),
        "way": spread(rounds, lambda answer: answer.way),
        "latest": [
            {"cause": one.cause, "way": round(one.way, 2)}
            | {name: round(value, 2) for name, value in asdict(one).items()}
            for one in answers[:LATEST]
        ],
    }


def main() -> None:
    arguments = read_options(__doc__, output=Path, rounds=12, moves=400)
    player_kinds.JsonConversation = ObservedConversation  # type: ignore[misc]
    found: dict[str, list[list[Answer]]] = {name: [] for name in THOUGHTS}
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
                answers, games = measure(players, name, arguments.moves)
                found[name].append(answers)
                lengths[name] += games
                print(name, f"{time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    figures: dict[str, Any] = {name: describe(rounds) for name, rounds in found.items()}
    for name in THOUGHTS:
        figures[name]["games_beside"] = len(lengths[name])
        figures[name]["longest_game_beside_s"] = round(max(lengths[name], default=0.0), 3)
        for what in ("late", "way"):
            mine = figures[name][what]
            for other in ("honest", "work"):
                mine[f"times_{other}"] = {
                    key: round(mine[key] / max(figures[other][what][key], 0.001), 2)
                    for key in ("median_ms", "p99_ms", "p999_ms", "max_ms")
                }
    publish(figures, arguments.output)


if __name__ == "__main__":
    main()
