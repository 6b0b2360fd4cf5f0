"""Match table of the Competitive Sudoku champion against the course reports' agents.

    python benchmarks/competitive_matches.py [--time 0.5] [--boards 20] [--modes classic,rows]
        [--opponents greedy,a1,a2,a3,mcts] [--minutes 60] [--output results.json]

Each board is played twice with swapped sides. Boards are half-full 2x3 and 3x3 ones and openings
of a few random plies on empty 2x3, 3x3 and 3x4 boards, all from seeds. Agents get CPU time, so that
a busy machine does not shorten their turns. Scores come with a 95 % interval (Wilson).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from math import sqrt
from pathlib import Path

from plyground.core.agent import Agent
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome
from plyground.core.registry import make_agent, make_game
from plyground.search import timing

NAME = "competitive-sudoku"
KINDS = ("random-2x3", "random-3x3", "empty-2x3", "empty-3x3", "empty-3x4")


def use_cpu_time() -> None:
    """Let every agent's stopwatch count CPU time instead of time on the wall."""
    defaults = list(timing.Stopwatch.__init__.__defaults__ or ())
    defaults[-1] = time.process_time
    timing.Stopwatch.__init__.__defaults__ = tuple(defaults)  # type: ignore[attr-defined]


def make_start(kind: str, mode: str, seed: int) -> Game:
    """A seeded start; empty boards get an opening of 2 to 6 random placements."""
    game = make_game(NAME, {"board": kind, "mode": mode, "seed": seed})
    if not kind.startswith("empty"):
        return game
    chance = random.Random(f"{kind}{mode}{seed}")
    position = game.start()
    for _ in range(chance.randrange(2, 7)):
        position = position.play(chance.choice([c for c in position.move_codes if not c & 1]))
    return make_game(NAME, {"board": position.text.split(" ply=")[0]})


def warm_up(agent: Agent) -> None:
    """Load the machine code before any turn is timed."""
    for mode in ("classic", "rows"):
        agent.new_game(make_start("random-2x3", mode, 0), 0)
        agent.warm_up()


def play(game: Game, agents: list[Agent], limit: Limit, seed: int) -> Outcome:
    """One game in this process."""
    for seat, agent in enumerate(agents):
        agent.new_game(game, 2 * seed + seat)
    position = game.start()
    while True:
        if position.outcome is not None:
            return position.outcome
        result = agents[position.turn].search(position, limit)
        verdict = game.judge(position, result.move)
        if verdict.outcome is not None:
            return verdict.outcome
        position = verdict.position
        for agent in agents:
            agent.observe(position, verdict.move)


def wilson(score: float, games: int) -> tuple[float, float]:
    """A 95 % interval for a share."""
    z = 1.96
    share = score / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + z * z / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time", type=float, default=0.5)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--player", default="champion")
    parser.add_argument("--modes", default="classic,rows,border")
    parser.add_argument("--opponents", default="greedy,a1,a2,a3,mcts")
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    use_cpu_time()
    deadline = time.monotonic() + 60 * options.minutes
    limit = Limit(time=options.time)
    champion = make_agent(NAME, options.player)
    warm_up(champion)
    rows = []
    print(f"{'mode':8} {'opponent':10} {'games':>5} {'score':>6} {'%':>6}  95 % interval")
    for mode in options.modes.split(","):
        for opponent in options.opponents.split(","):
            other = make_agent(NAME, opponent)
            warm_up(other)
            games, score, lost = 0, 0.0, []
            for number in range(options.boards):
                if time.monotonic() > deadline:
                    break
                kind = KINDS[number % len(KINDS)]
                seed = options.first_seed + number // len(KINDS)
                game = make_start(kind, mode, seed)
                for seat in (0, 1):
                    agents = [champion, other] if seat == 0 else [other, champion]
                    outcome = play(game, agents, limit, seed)
                    games += 1
                    score += outcome.score(seat)
                    if outcome.winner != seat:
                        lost.append([kind, seed, seat, outcome.scores, outcome.termination])
            if not games:
                continue
            low, high = wilson(score, games)
            print(
                f"{mode:8} {opponent:10} {games:5} {score:6.1f} {100 * score / games:6.1f}"
                f"  [{100 * low:.1f}, {100 * high:.1f}]  {lost}",
                flush=True,
            )
            rows.append(
                {
                    "player": options.player,
                    "mode": mode,
                    "opponent": opponent,
                    "seconds": options.time,
                    "games": games,
                    "score": score,
                    "interval": [low, high],
                    "not_won": lost,
                }
            )
            if options.output:
                options.output.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
