"""What a second thread brings: nodes a second, depth, and games against one thread.

    python benchmarks/threads.py speed --out benchmarks/results/threads.json
    python benchmarks/threads.py games --games 60 --seconds 0.1 --out ...

`speed`: every search from the same positions with one thread and with several by turns, the same
seconds on the wall; nodes a second and depth as ratios. `games`: Connect 4's champion with several
threads against itself with one, at the same seconds on the wall, pairs of games from suites of
balanced openings with swapped sides. Both need the cores for themselves.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

from connect4_ladder import play_pair, random_openings
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.stats.elo import estimate_elo

SEARCHES = [
    ("connect4", "champion"),
    ("connect4", "alphabeta"),
    ("connect4", "mcts"),
]
OPENINGS = ["3 6 3 4", "1 5 1 7", "6 4 7 4", "2 3 3 4", "6 6 7 4"]
"""About even, and no certificate knows them."""


def speed(threads: int, seconds: float) -> list[dict[str, Any]]:
    """Medians over positions, the two sides measured by turns."""
    rows = []
    for name, player in SEARCHES:
        game, agent = make_game(name), make_agent(name, player)
        agent.new_game(game, 0)
        agent.warm_up()
        rates: list[float] = []
        depths: list[tuple[int, int]] = []
        for line in OPENINGS:
            position = game.play_line(line.split())
            nodes = {}
            for count in (1, threads):
                agent.new_game(game, 0)
                began = time.perf_counter()
                result = agent.search(position, Limit(time=seconds, threads=count))
                nodes[count] = result.nodes / (time.perf_counter() - began), result.depth or 0
            rates.append(nodes[threads][0] / nodes[1][0])
            depths.append((nodes[1][1], nodes[threads][1]))
        row = {"game": name, "player": player, "threads": threads, "seconds": seconds}
        row |= {"ratio": statistics.median(rates), "ratios": rates, "depths": depths}
        rows.append(row)
        print(f"{name} {player}: {row['ratio']:.2f} times the nodes, depths {depths}", flush=True)
    return rows


def games(threads: int, seconds: float, count: int) -> dict[str, Any]:
    """Champion with threads against champion with one."""
    game = make_game("connect4")
    agents = make_agent("connect4", "champion"), make_agent("connect4", "champion")
    for agent in agents:
        agent.new_game(game, 0)
        agent.warm_up()
    limits = Limit(time=seconds, threads=threads), Limit(time=seconds)
    openings, _ = random_openings(game, 1, (count + 1) // 2, balanced=True)
    pairs = [play_pair(start, agents, limits, seed) for seed, start in enumerate(openings)]
    scores = [sum(points for points, _ in pair) for pair in pairs]
    elo = estimate_elo(scores)
    said = f"{elo.elo:+.0f} [{elo.low:+.0f}, {elo.high:+.0f}]"
    print(f"{threads} threads against one: {100 * elo.score:.1f} % of {elo.games}, Elo {said}")
    return {"threads": threads, "seconds": seconds, "pairs": scores}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=("speed", "games"))
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    kept = json.loads(arguments.out.read_text()) if arguments.out.exists() else {}
    if arguments.mode == "speed":
        kept["speed"] = speed(arguments.threads, arguments.seconds)
    else:
        kept["games"] = games(arguments.threads, arguments.seconds, arguments.games)
    arguments.out.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
