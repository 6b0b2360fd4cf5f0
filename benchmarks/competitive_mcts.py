"""Simulations a second: Competitive Sudoku's own tree search beside the generic one.

    python benchmarks/competitive_mcts.py [--rounds N] [--out FILE]

Processor time of searches from the start of each board, in turns, best of several rounds.
"""

from __future__ import annotations

import time
from pathlib import Path

from figures import publish
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.search.players import MctsAgent
from script import read_options

GAME = "competitive-sudoku"
BOARDS = ("empty-2x2", "random-2x3", "easy-3x3", "empty-3x3")
OWN, GENERIC = 20_000, 60
"""Simulations of a search."""


def main() -> None:
    """Measure, print and keep the figures."""
    arguments = read_options(__doc__, rounds=3, out=Path)
    found = {}
    for board in BOARDS:
        game = make_game(GAME, {"board": board})
        agents = {"own": (make_agent(GAME, "mcts"), OWN), "generic": (MctsAgent(), GENERIC)}
        rates = dict.fromkeys(agents, 0.0)
        for agent, _ in agents.values():
            agent.new_game(game, 1)
            agent.warm_up()
        for _ in range(arguments.rounds):
            for name, (agent, simulations) in agents.items():
                agent.new_game(game, 1)
                started = time.process_time()
                nodes = agent.search(game.start(), Limit(nodes=simulations)).nodes
                rates[name] = max(rates[name], nodes / (time.process_time() - started))
        found[board] = {**rates, "ratio": rates["own"] / rates["generic"]}
    publish(found, arguments.out)


if __name__ == "__main__":
    main()
