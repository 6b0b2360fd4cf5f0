"""The champion as first player from the empty 7x6 board, mean moves for both: does it win always?

    python benchmarks/connect4_first_player.py --games 200 --time 0.1 --out FILE
    python benchmarks/connect4_first_player.py --games 200 --nodes 2000 alphabeta mcts

Every opponent that can play the board (or those named) gets so many games, each with another seed.
Its limit is processor time or nodes a move; the champion answers from the certificate.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from plyground.core.agent import Agent
from plyground.core.errors import UnsupportedError
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.registry import agents, make_agent, make_game


def play(
    game: Game, first: Agent, second: Agent, seed: int, limit: Limit
) -> tuple[int | None, int]:
    """One game: the winner, and the number of plies."""
    first.new_game(game, seed)
    second.new_game(game, seed)
    position, plies = game.start(), 0
    while not position.is_over:
        agent = (first, second)[position.turn]
        position = position.play(agent.search(position, limit).move)
        plies += 1
    assert position.outcome is not None
    return position.outcome.winner, plies


def measure(opponent: str, games: int, limit: Limit) -> dict[str, object] | None:
    """The champion's games against one opponent; None if that cannot play this board."""
    game = make_game("connect4")
    first, second = make_agent("connect4", "champion"), make_agent("connect4", opponent)
    try:
        first.new_game(game, 0)
        second.new_game(game, 0)
        first.warm_up()
        second.warm_up()
    except UnsupportedError:
        return None
    started = time.process_time()
    results = [play(game, first, second, seed, limit) for seed in range(games)]
    return {
        "opponent": opponent,
        "limit": str(limit),
        "games": games,
        "won": sum(winner == 0 for winner, _ in results),
        "longest": max(plies for _, plies in results),
        "processor_seconds": round(time.process_time() - started, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("opponents", nargs="*", help="all agents unless named")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--time", type=float, help="processor seconds a move")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    limit = Limit(time=arguments.time, nodes=arguments.nodes, by="cpu")
    found = []
    for opponent in arguments.opponents or agents("connect4"):
        result = measure(opponent, arguments.games, limit)
        if result is not None:
            found.append(result)
            print(json.dumps(result), flush=True)
            if arguments.out:
                arguments.out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
