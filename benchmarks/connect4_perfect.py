"""The solver of plain Connect 4 beside another one: processor time and agreement on random sets.

    python benchmarks/connect4_perfect.py --peer PROGRAM [--rounds 3] [--out FILE]

The peer reads positions as strings of column digits, one a line, and answers each with a line that
ends with its score (the convention of `perfect_kernel`). Both have tables of 2^24 entries, kept
from one position of a set to the next. The sets are solved in turns, each time from an empty table;
the best time of each side counts. The peer's time for an empty input is taken off.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import time
from pathlib import Path

from plyground.games.connect4.solvers.book import children
from plyground.games.connect4.solvers.perfect import PerfectSolver

SETS = {"plies 18-22": (18, 22, 2000), "plies 12-14": (12, 14, 150)}
AGREEMENT = ("all lengths", 12, 40, 1500)


def random_game(rng: random.Random, plies: int) -> str | None:
    """A random unfinished game of so many plies; None if it ended earlier."""
    own = mask = 0
    text = ""
    for _ in range(plies):
        column = rng.randrange(7)
        if mask >> (column * 7 + 5) & 1:
            continue
        after = mask | mask + (1 << column * 7)
        if (own ^ mask, after) not in children(7, 6, own, mask):
            return None
        own, mask = own ^ mask, after
        text += str(column + 1)
    return text if len(text) == plies else None


def random_set(seed: int, low: int, high: int, count: int) -> list[str]:
    rng = random.Random(seed)
    found: list[str] = []
    while len(found) < count:
        text = random_game(rng, rng.randint(low, high))
        if text is not None:
            found.append(text)
    return found


def discs(text: str) -> tuple[int, int]:
    own = mask = 0
    for letter in text:
        own, mask = own ^ mask, mask | mask + (1 << (int(letter) - 1) * 7)
    return own, mask


def run_own(games: list[str]) -> tuple[float, list[int]]:
    solver = PerfectSolver()
    solver.book = None
    solver.warm_up()
    positions = [discs(text) for text in games]
    started = time.process_time()
    scores = [solver.score(*position) for position in positions]
    return time.process_time() - started, scores


def run_peer(program: str, games: list[str]) -> tuple[float, list[int]]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run(
        [program],
        input="".join(f"{text}\n" for text in games),
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, [int(line.split()[-1]) for line in answer.splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    results: dict[str, object] = {"seed": arguments.seed, "rounds": arguments.rounds}
    idle = min(run_peer(arguments.peer, [])[0] for _ in range(3))
    for name, (low, high, count) in SETS.items():
        games = random_set(arguments.seed, low, high, count)
        own_times, peer_times = [], []
        for _ in range(arguments.rounds):
            seconds, own_scores = run_own(games)
            own_times.append(seconds)
            seconds, peer_scores = run_peer(arguments.peer, games)
            peer_times.append(seconds - idle)
        ratio = min(own_times) / min(peer_times)
        differences = sum(a != b for a, b in zip(own_scores, peer_scores, strict=True))
        results[name] = {
            "positions": count,
            "own_seconds": own_times,
            "peer_seconds": peer_times,
            "ratio": ratio,
            "differences": differences,
        }
        print(
            f"{name}: {count} positions, {min(own_times):.2f} s against {min(peer_times):.2f} s, "
            f"ratio {ratio:.2f}, {differences} differences",
            flush=True,
        )
    name, low, high, count = AGREEMENT
    games = random_set(arguments.seed + 1, low, high, count)
    differences = sum(
        a != b for a, b in zip(run_own(games)[1], run_peer(arguments.peer, games)[1], strict=True)
    )
    results[name] = {"positions": count, "differences": differences}
    print(f"{name}: {count} positions, {differences} differences")
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
