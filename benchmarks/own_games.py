"""Games by description beside OpenSpiel's C++: the same search, the same rules.

    python benchmarks/own_games.py [--games othello hex] [--rounds 5]

Monte Carlo tree search with random games (one thread, C = 2), simulations a second of CPU time;
both sides in turns, the best round of each counts. 2048 compares whole random games, for chance.
Writes benchmarks/results/own_games.json and prints the table of own_games.md.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import plyground as pg
from plyground import kernels
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.search.mcts import MonteCarloTreeSearch
from plyground.search.measure import fastest

HERE = Path(__file__).parent
GALLERY = HERE.parent / "examples" / "games"
RESULTS = HERE / "results" / "own_games.json"

PEERS: dict[str, tuple[str, dict[str, int]]] = {
    "othello": ("othello", {}),
    "othello_bitboards": ("othello", {}),
    "breakthrough": ("breakthrough", {}),
    "hex": ("hex(board_size=11)", {}),
    "clobber": ("clobber(rows=5,columns=6)", {}),
    "dots_and_boxes": ("dots_and_boxes(num_rows=3,num_cols=3)", {}),
    "kalah": ("mancala", {}),
    "nine_mens_morris": ("nine_mens_morris", {}),
    "tictactoe": ("tic_tac_toe", {}),
    "twenty48": ("2048", {}),
}
"""Our file -> OpenSpiel's game, and our options for the same rules."""

COLD = """
import time, sys
import plyground as pg
from plyground.core.limits import Limit
game = pg.game(sys.argv[1])
began = time.process_time()
searcher = pg.agent(game, sys.argv[2])
print(time.process_time() - began)
"""


def simulations(game: Game, count: int) -> Callable[[], float]:
    """Our tree search from the start."""
    tree = MonteCarloTreeSearch(game, exploration=2.0, solve=False)
    tree.warm_up()

    def run() -> float:
        tree.forget()
        return tree.search(game.start(), Limit(nodes=count)).nodes

    return run


def peer_simulations(name: str, count: int) -> Callable[[], float]:
    """OpenSpiel's tree search from the start."""
    import pyspiel

    game = pyspiel.load_game(name)

    def run() -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, count, 1000, False, 1, False)
        bot.mcts_search(game.new_initial_state())
        return count

    return run


def random_games(game: Game, count: int) -> Callable[[], float]:
    """Whole random games by the compiled rules."""
    random = np.zeros(4, np.uint64)
    kernels.compiled("plyground.kernels.random").seed_random(random, np.uint64(1))
    buffer, scratch = np.zeros(game.max_moves, np.int64), game.initial_state()

    def run() -> float:
        for _ in range(count):
            game.rules.play_out(game.params, 10**6, random, buffer, start.copy(), scratch)
        return count

    start = game.initial_state()
    game.rules.play_out(game.params, 10**6, random, buffer, start.copy(), scratch)
    return run


def peer_random_games(name: str, count: int) -> Callable[[], float]:
    """OpenSpiel's rollouts from the start (its tree search with a single simulation)."""
    import pyspiel

    game = pyspiel.load_game(name)

    def run() -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        evaluator.evaluate(state)
        return count

    return run


def compile_seconds(file: Path, agent: str) -> tuple[float, float]:
    """CPU seconds until an agent is ready: with an empty cache, and with a filled one."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PLYGROUND_CACHE_DIR": folder, "PLYGROUND_QUIET": "1"}
        times = []
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", COLD, str(file), agent],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            times.append(float(done.stdout.split()[-1]))
    return times[0], times[1]


def measure(name: str, rounds: int) -> dict[str, Any]:
    """One row of the table."""
    peer, options = PEERS[name]
    game = pg.game(str(GALLERY / f"{name}.py"), **options)
    if game.info.chance:
        jobs = {"ours": random_games(game, 200), "peer": peer_random_games(peer, 50)}
    else:
        jobs = {"ours": simulations(game, 4000), "peer": peer_simulations(peer, 1000)}
    speed = fastest(jobs, rounds)
    cold, warm = compile_seconds(GALLERY / f"{name}.py", "random" if game.info.chance else "mcts")
    lines = [
        line
        for line in (GALLERY / f"{name}.py").read_text().splitlines()
        if line.strip() and not line.strip().startswith(("#", '"""'))
    ]
    return {
        "game": name,
        "peer": peer,
        "ours": speed["ours"],
        "theirs": speed["peer"],
        "ratio": speed["ours"] / speed["peer"],
        "unit": "random games/s" if game.info.chance else "simulations/s",
        "cold_seconds": cold,
        "cached_seconds": warm,
        "lines": len(lines),
    }


def table(rows: list[dict[str, Any]]) -> str:
    """The table for people."""
    head = "| game | lines | ours | OpenSpiel C++ | ratio | compile, cold | cached |\n"
    head += "| --- | --- | --- | --- | --- | --- | --- |\n"
    body = "".join(
        f"| {row['game']} | {row['lines']} | {row['ours']:,.0f} {row['unit']} | "
        f"{row['theirs']:,.0f} | {row['ratio']:.1f} | {row['cold_seconds']:.1f} s | "
        f"{row['cached_seconds']:.2f} s |\n"
        for row in rows
    )
    plain = [row["ratio"] for row in rows if "bitboards" not in row["game"]]
    mean = math.exp(sum(map(math.log, plain)) / len(plain))
    return f"{head}{body}\nGeometric mean of the short descriptions: {mean:.2f}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=sorted(PEERS))
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    rows = {row["game"]: row for row in kept}
    for name in arguments.games:
        if (GALLERY / f"{name}.py").exists():
            began = time.perf_counter()
            rows[name] = measure(name, arguments.rounds)
            print(
                f"{name}: {rows[name]['ratio']:.2f} ({time.perf_counter() - began:.0f} s)",
                flush=True,
            )
            RESULTS.write_text(json.dumps([rows[key] for key in sorted(rows)], indent=1) + "\n")
    print(table([rows[key] for key in sorted(rows)]))


if __name__ == "__main__":
    main()
