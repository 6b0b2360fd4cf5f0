"""Depth over time from the empty 7x6 board: the champion and the generic alpha-beta.

    python benchmarks/connect4_depth.py --seconds 10 --plot docs/games/connect4-depth.svg --out FILE

Time is processor time, so that other programs on the machine do not matter.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import matplotlib

from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.core.search import SearchInfo

matplotlib.use("svg")
from matplotlib import pyplot

from script import read_options


def depths(agent_name: str, seconds: float) -> list[tuple[float, int, int]]:
    """(processor seconds, depth, nodes) of every finished depth."""
    game = make_game("connect4")
    agent = make_agent("connect4", agent_name)
    agent.new_game(game, 0)
    agent.warm_up()
    found: list[tuple[float, int, int]] = []
    started = time.process_time()

    def note(info: SearchInfo) -> None:
        if info.depth:
            found.append((time.process_time() - started, info.depth, info.nodes))

    agent.search(
        game.start(), Limit(depth=40), note, lambda: time.process_time() - started > seconds
    )
    return found


def main() -> None:
    arguments = read_options(__doc__, seconds=10.0, plot=Path, out=Path)
    results = {name: depths(name, arguments.seconds) for name in ("champion", "alphabeta")}
    for name, found in results.items():
        for seconds, depth, nodes in found:
            print(f"{name}: depth {depth} after {seconds:.3f} s, {nodes} nodes")
    if arguments.out:
        arguments.out.write_text(json.dumps(results))
    if arguments.plot:
        figure, axes = pyplot.subplots(figsize=(6, 3.5))
        for name, found in results.items():
            axes.step([f[0] for f in found], [f[1] for f in found], where="post", label=name)
        axes.set_xscale("log")
        axes.set_xlabel("processor seconds")
        axes.set_ylabel("finished depth (plies)")
        axes.grid(True, alpha=0.3)
        axes.legend()
        figure.tight_layout()
        figure.savefig(arguments.plot, metadata={"Date": None})


if __name__ == "__main__":
    main()
