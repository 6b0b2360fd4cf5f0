"""Do the Competitive Sudoku agents always move in time? Many boards, short turns.

    python benchmarks/competitive_promptness.py [--time 0.1] [--boards 3]

Every agent searches positions of every block size up to 4x4 in every mode: the empty board, a
half-full one, and positions some random plies later. Each proposal must be accepted by the referee.
Printed: positions, failures, and by how much the slowest answers overran, in CPU time; lateness on
the wall, through the arena, is measured by `promptness.py`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from script import read_options

NAME = "competitive-sudoku"
AGENTS = ("random", "greedy", "a1", "a2", "a3", "mcts", "hybrid", "champion")
SIZES = ("2x2", "2x3", "3x2", "2x4", "4x2", "3x3", "3x4", "4x3", "4x4")
MODES = ("classic", "rows", "border", "random")
PLIES = (0, 3, 20, 70)


def positions(boards: int) -> Iterator[Position]:
    """Starts and positions some random plies after them."""
    for size in SIZES:
        for mode in MODES:
            for kind in ("empty", "random"):
                for seed in range(boards):
                    game = make_game(NAME, {"board": f"{kind}-{size}", "mode": mode, "seed": seed})
                    chance = random.Random(f"{size}{mode}{kind}{seed}")
                    position = game.start()
                    for ply in range(max(PLIES) + 1):
                        if position.is_over:
                            break
                        if ply in PLIES:
                            yield position
                        position = position.play(chance.choice(position.move_codes))


def ask_agent(name: str, limit: Limit) -> Callable[[Position], tuple[str, float]]:
    """Proposals of an agent in this process, with the CPU seconds they took."""
    agent = make_agent(NAME, name)
    shapes: set[object] = set()

    def ask(position: Position) -> tuple[str, float]:
        agent.new_game(position.game, 1)
        shape = position.game.params.tobytes()
        if shape not in shapes:
            shapes.add(shape)
            agent.warm_up()
        started = time.process_time()
        move = agent.search(position, limit).move
        return move, time.process_time() - started

    return ask


def main() -> None:
    options = read_options(__doc__, time=0.1, boards=3, agents=",".join(AGENTS))
    limit = Limit(time=options.time, by="cpu")
    everything = list(positions(options.boards))
    print(f"{'agent':10} {'positions':>9} {'failures':>8}  slowest overruns in ms (0 = in time)")
    for name in options.agents.split(","):
        ask = ask_agent(name, limit)
        failures, late = [], []
        for position in everything:
            try:
                move, seconds = ask(position)
            except Exception as error:
                failures.append(f"{position.text[:60]}: {error}")
                continue
            if position.game.judge(position, move).outcome is not None and not (
                position.play(move).is_over
            ):
                failures.append(f"{position.text[:60]}: {move}")
            late.append((max(0.0, 1000 * (seconds - options.time)), position.text[:40]))
        late.sort(reverse=True)
        worst = ", ".join(f"{ms:.1f}" for ms, _ in late[:5])
        print(
            f"{name:10} {len(everything):9} {len(failures):8}  {worst}  {failures[:3]}", flush=True
        )
        if late[0][0] > 20:
            print("           ", [text for ms, text in late[:4] if ms > 20])


if __name__ == "__main__":
    main()
