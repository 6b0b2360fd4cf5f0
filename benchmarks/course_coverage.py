"""Do the ratings of a class hold the truth? Node-limited players as students, simulated classes.

    python benchmarks/course_coverage.py [--pairs 40] [--classes 30] [--draw 0] [--results FILE]

First real games: players of known strength (Monte Carlo tree search with more and more nodes,
greedy, random) meet each other in `pairs` pairs of games with swapped sides, each pair on a new
board. How often a pair ended how is then taken for the truth: every student of a simulated class is
one of these players, and whenever two of them meet, their pair of games is drawn from what those
players did. The true rating is what an endless round robin of that class would say. Told are how
often the 95 % interval holds it, the correlation of the order with the true one, and how often the
best is first. `benchmarks/results/course_coverage.md` is what it printed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from pathlib import Path

import numpy as np

from plyground.arena.config import PlayerEntry, RunConfig
from plyground.arena.schedule import Schedule
from plyground.core.limits import Limit
from plyground.notebook import played
from plyground.stats.field import estimate_field
from plyground.stats.strength import Evidence, estimate_strengths

PLAYERS = (
    ("random", 1),
    ("greedy", 1),
    *(("mcts", nodes) for nodes in (5, 15, 50, 150, 500, 1500)),
)
ANCHORS = (1, 4, 6)
"""Players who are anchors: greedy, and tree search with 50 and 500 nodes."""

ENDLESS = 1e7
SMOOTHING = 0.25
"""A result that was never seen between two players may still happen."""

Table = dict[tuple[int, int], np.ndarray]


def play(pairs: int) -> list[list[list[int]]]:
    """How often the first of two players got 0, 1/2, 1, 3/2 and 2 points in a pair of games."""
    config = RunConfig(
        kind="tournament",
        game="competitive-sudoku",
        options={"board": "random-2x3"},
        players=tuple(
            PlayerEntry(name, f"{name} {nodes}", Limit(nodes=nodes)) for name, nodes in PLAYERS
        ),
        games=2 * pairs,
        opening_plies=0,
        own_openings=True,
    )
    seen = [[[0] * 5 for _ in PLAYERS] for _ in PLAYERS]
    with played(config, 2) as (tournament, _):
        for result in tournament.results.pair_results():
            half = round(2 * result.points)
            seen[result.first][result.second][half] += 1
            seen[result.second][result.first][4 - half] += 1
    return seen


def chances(seen: list[list[list[int]]]) -> Table:
    """Probabilities of the results of a pair; equals are as likely to win as to lose."""
    table: Table = {}
    for first, second in itertools.product(range(len(seen)), repeat=2):
        counts = np.array(seen[first][second], float) + SMOOTHING * np.array([1, 0.2, 1, 0.2, 1])
        if first == second:
            counts = np.array([1.0, 0.2, 2.0, 0.2, 1.0])
        table[first, second] = counts / counts.sum()
    return table


def meet(
    table: Table, kinds: np.ndarray, schedule: Schedule, draw: np.random.Generator
) -> Evidence:
    """The evidence of one tournament of a class."""
    evidence = Evidence(len(kinds))
    scores: dict[str, tuple[float, float]] = {}
    for fixtures in schedule.rounds(scores):
        for fixture in fixtures:
            if not fixture.id.endswith("a"):
                continue
            one, other = fixture.seats
            half = draw.choice(5, p=table[kinds[one], kinds[other]]) / 4.0
            evidence.add(one, other, half)
            scores[fixture.id] = (half, 1.0 - half)
            scores[fixture.id[:-1] + "b"] = (1.0 - half, half)
    return evidence


def truth(table: Table, kinds: np.ndarray, anchors: int) -> np.ndarray:
    """The ratings that endless rounds of everybody against everybody would give.

    With anchors (the last players): of everybody against them, their average being zero.
    """
    evidence = Evidence(len(kinds))
    split = len(kinds) - anchors
    for one, other in itertools.combinations(range(len(kinds)), 2):
        if anchors and other < split:
            continue
        for points, chance in enumerate(table[kinds[one], kinds[other]]):
            evidence.add(one, other, points / 4.0, ENDLESS * chance)
    elo = np.asarray(estimate_strengths(evidence, intervals=False).elo)
    return elo - elo[split:].mean() if anchors else elo


def measure(
    table: Table, students: int, schedule: Schedule, classes: int, draw: np.random.Generator
) -> tuple[float, ...]:
    """Coverage, correlation of the orders, share of classes whose first is a best one."""
    anchors = ANCHORS[: schedule.anchors]
    held, orders, first = 0, [], 0
    for _ in range(classes):
        kinds = np.append(draw.integers(0, len(PLAYERS), students), anchors).astype(int)
        real = truth(table, kinds, len(anchors))[:students]
        met = meet(table, kinds, schedule, draw)
        found = estimate_field(met, range(students, students + len(anchors)))
        elo, low, high = (each[:students] for each in (found.elo, found.low, found.high))
        held += int(((low <= real) & (real <= high)).sum())
        ranks = [np.argsort(np.argsort(values)) for values in (elo, real)]
        orders.append(float(np.corrcoef(*ranks)[0, 1]))
        first += bool(real[int(elo.argmax())] > real.max() - 1.0)
    return held / (classes * students), float(np.mean(orders)), first / classes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--classes", type=int, default=30)
    parser.add_argument("--draw", type=int, default=0, help="another number, other classes")
    parser.add_argument("--only", default="", metavar="WORD", help="rows that have it")
    parser.add_argument("--results", type=Path, default=None, help="games of an earlier run")
    options = parser.parse_args()
    began = time.process_time()
    if options.results is not None and options.results.exists():
        seen = json.loads(options.results.read_text())
    else:
        seen = play(options.pairs)
        if options.results is not None:
            options.results.write_text(json.dumps(seen) + "\n")
    table = chances(seen)
    print("| class | ratings | intervals that hold | order | a best one first |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, students, schedule in (
        ("40, Swiss, 7 rounds", 40, Schedule(players=40, games=2, format="swiss")),
        ("20, Swiss, 6 rounds", 20, Schedule(players=20, games=2, format="swiss")),
        ("12, round robin, 1 round", 12, Schedule(players=12, games=2)),
        ("6, round robin, 1 round", 6, Schedule(players=6, games=2)),
        (
            "12 against 3 anchors, 2 rounds",
            12,
            Schedule(players=15, games=4, format="anchors", anchors=3),
        ),
    ):
        if options.only and options.only not in name:
            continue
        classes = options.classes * 40 // students
        generator = np.random.default_rng([students, classes, options.draw])
        held, order, first = measure(table, students, schedule, classes, generator)
        row = f"| {name} | {classes * students} | {100 * held:.1f} % | {order:.2f} "
        print(f"{row}| {100 * first:.0f} % |", flush=True)
    print(f"{time.process_time() - began:.0f} s of processor time")


if __name__ == "__main__":
    main()
