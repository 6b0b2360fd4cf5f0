"""Games by description beside OpenSpiel's C++: the same search, the same rules.

    python benchmarks/own_games.py [--games othello hex] [--compile hex kalah] [--easyai]

Monte Carlo tree search with random games (one thread, C = 2), the same number of simulations from
the start on both sides, simulations a second of CPU time, in turns, the best round of each counts.
OpenSpiel's tree search refuses 2048, whose rewards come on the way: there, whole random games,
ours by the player `montecarlo`, theirs by the uniform random bot.
`--compile` adds the CPU seconds until a search is ready, `--easyai` alpha-beta beside easyAI on
its own Connect Four. Writes benchmarks/results/own_games.json and prints the tables of the page
own_games.md beside it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plyground as pg
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.search.mcts import MonteCarloTreeSearch
from plyground.search.measure import fastest

HERE = Path(__file__).parent
GALLERY = HERE.parent / "examples" / "games"
RESULTS = HERE / "results" / "own_games.json"

PEERS: dict[str, tuple[str, int]] = {
    "amazons": ("amazons", 1000),
    "breakthrough": ("breakthrough", 2000),
    "clobber": ("clobber(rows=5,columns=6)", 4000),
    "connect_four": ("connect_four", 10000),
    "dots_and_boxes": ("dots_and_boxes(num_rows=3,num_cols=3)", 4000),
    "hex": ("hex(board_size=11)", 2000),
    "kalah": ("mancala", 10000),
    "nine_mens_morris": ("nine_mens_morris", 1000),
    "othello": ("othello", 400),
    "othello_bitboards": ("othello", 400),
    "tictactoe": ("tic_tac_toe", 10000),
    "twenty48": ("2048", 400),
}
"""Our file -> OpenSpiel's game of the same rules, and how many simulations a round has."""

READY = """
import time, sys
import plyground as pg
began = time.process_time()
pg.agent(pg.game(sys.argv[1]), sys.argv[2])
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


def rollouts(game: Game, count: int) -> Callable[[], float]:
    """Whole random games of ours, from the first decision."""
    player = pg.agent(game, f"montecarlo:playouts={count}")
    position = game.first_decision()
    return lambda: player.search(position, Limit(nodes=count)).nodes


def peer_rollouts(name: str, count: int) -> Callable[[], float]:
    """OpenSpiel's random games, played by its own bot in C++."""
    import pyspiel

    state = pyspiel.load_game(name).new_initial_state()

    def run() -> float:
        for seed in range(count):
            pyspiel.evaluate_bots(state.clone(), [pyspiel.make_uniform_random_bot(0, seed)], seed)
        return count

    return run


def compile_seconds(file: Path, agent: str) -> tuple[float, float]:
    """CPU seconds until an agent is ready: with an empty cache, and with a filled one."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PLYGROUND_CACHE_DIR": folder, "PLYGROUND_QUIET": "1"}
        times = []
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", READY, str(file), agent],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            times.append(float(done.stdout.split()[-1]))
    return times[0], times[1]


def measure_speed(name: str, rounds: int) -> dict[str, Any]:
    """A game's simulations a second, ours and OpenSpiel's."""
    peer, count = PEERS[name]
    file = GALLERY / f"{name}.py"
    game = pg.game(str(file))
    if game.info.chance:
        jobs = {"ours": rollouts(game, count), "peer": peer_rollouts(peer, count)}
    else:
        jobs = {"ours": simulations(game, count), "peer": peer_simulations(peer, count)}
    speed = fastest(jobs, rounds)
    return {
        "game": name,
        "lines": code_lines(file),
        "peer": peer,
        "simulations": count,
        "ours": speed["ours"],
        "theirs": speed["peer"],
        "ratio": speed["ours"] / speed["peer"],
    }


def measure_compilation(name: str) -> dict[str, Any]:
    """CPU seconds until the searches of a game are ready."""
    file = GALLERY / f"{name}.py"
    chance = pg.game(str(file)).info.chance
    return {
        agent: dict(zip(("cold", "cached"), compile_seconds(file, agent), strict=True))
        for agent in (["mcts"] if chance else ["alphabeta", "mcts"])
    }


def code_lines(file: Path) -> int:
    """Lines without empty ones, comments and docstrings of one line."""
    lines = (line.strip() for line in file.read_text().splitlines())
    return sum(1 for line in lines if line and not line.startswith(("#", '"""')))


def measure_easyai(rounds: int, depth: int = 5) -> dict[str, float]:
    """Alpha-beta on Connect Four, positions made a second: easyAI's own game and ours."""
    from easyAI import AI_Player, Negamax
    from easyAI.games.ConnectFour import ConnectFour

    made = 0

    class Counted(ConnectFour):  # type: ignore[misc]
        def make_move(self, column: int) -> None:
            nonlocal made
            made += 1
            super().make_move(column)

    def theirs() -> float:
        nonlocal made
        made = 0
        algorithm = Negamax(depth)
        algorithm(Counted([AI_Player(algorithm), AI_Player(algorithm)]))
        return made

    game = pg.game(str(GALLERY / "connect_four.py"))
    player = pg.agent(game, "alphabeta")

    def ours() -> float:
        player.new_game(game, 0)
        return player.search(game.start(), Limit(nodes=2_000_000)).nodes

    speed = fastest({"ours": ours, "theirs": theirs}, rounds)
    return {**speed, "ratio": speed["ours"] / speed["theirs"]}


def tables(found: dict[str, Any]) -> str:
    """What was found, for people."""
    rows = [found["speed"][name] for name in sorted(found["speed"])]
    text = "| game | lines | ours | OpenSpiel C++ | ratio |\n| --- | --- | --- | --- | --- |\n"
    for row in rows:
        text += f"| {row['game']} | {row['lines']} | {row['ours']:,.0f} | {row['theirs']:,.0f} | "
        text += f"{row['ratio']:.2f} |\n"
    plain = [row["ratio"] for row in rows if "bitboards" not in row["game"]]
    mean = math.exp(sum(map(math.log, plain)) / len(plain))
    text += f"\nGeometric mean of the short descriptions: {mean:.2f}\n"
    text += "\n| game | search | cold | cached |\n| --- | --- | --- | --- |\n"
    for name, agents in sorted(found["compile"].items()):
        for agent, seconds in agents.items():
            text += f"| {name} | {agent} | {seconds['cold']:.1f} s | {seconds['cached']:.2f} s |\n"
    if found["easyai"]:
        speed = found["easyai"]
        text += f"\nConnect Four, alpha-beta: {speed['ours']:,.0f} nodes/s; easyAI "
        text += f"{speed['theirs']:,.0f}; ratio {speed['ratio']:,.0f}\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=sorted(PEERS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--compile", nargs="*", default=[])
    parser.add_argument("--easyai", action="store_true")
    arguments = parser.parse_args()
    found: dict[str, Any] = {"speed": {}, "compile": {}, "easyai": {}}
    if RESULTS.exists():
        found |= json.loads(RESULTS.read_text())

    def keep() -> None:
        RESULTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")

    for name in arguments.games:
        found["speed"][name] = measure_speed(name, arguments.rounds)
        print(f"{name}: {found['speed'][name]['ratio']:.2f}", flush=True)
        keep()
    for name in arguments.compile:
        found["compile"][name] = measure_compilation(name)
        print(f"{name}: {found['compile'][name]}", flush=True)
        keep()
    if arguments.easyai:
        found["easyai"] = measure_easyai(arguments.rounds)
        keep()
    print(tables(found))


if __name__ == "__main__":
    main()
