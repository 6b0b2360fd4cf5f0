"""Does the sequential test tell a slightly stronger version from an equal one, at its error rates?

    python benchmarks/sprt_told_apart.py --pairs 1500 --runs 400

Plays pairs of games of MCTS on Connect 4, from the suite `even` and random openings: 1.3 times the
simulations against the usual number (a small difference of known sign), and the usual number
against itself. The pairs are stored in `benchmarks/results/sprt_pairs.json`; a second call goes on
from there. Then many matches are drawn from the stored pairs, in random order with replacement, and
each is stopped by the test as `plyground match --sprt elo0=0 elo1=30` would stop it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from plyground.arena.openings import OpeningBook, read_suite
from plyground.arena.task import derive_seed
from plyground.core.agent import Agent
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.stats import Sprt, estimate_elo

STORED = Path(__file__).parent / "results" / "sprt_pairs.json"
SIMULATIONS = 300
MATCHES = {"1.3 : 1": round(1.3 * SIMULATIONS), "1 : 1": SIMULATIONS}
MOST_PAIRS = 20_000


def play(game: Game, start: Position, agents: list[Agent], nodes: list[int], seed: int) -> float:
    """Points of the agent that moves first from the start."""
    for number, agent in enumerate(agents):
        agent.new_game(game, derive_seed(seed, number))
    position = start
    while not position.is_over:
        seat = position.turn
        chosen = agents[seat].search(position, Limit(nodes=nodes[seat])).move
        position = position.play(chosen)
        for agent in agents:
            agent.observe(position, chosen)
    assert position.outcome is not None
    return position.outcome.score(0)


def collect(stored: dict[str, list[float]], pairs: int) -> None:
    """Play what is missing; the file is written after every few pairs."""
    game = make_game("connect4")
    book = OpeningBook(game, 1, 6, read_suite(game, "even")[0])
    agents = [make_agent("connect4", "mcts"), make_agent("connect4", "mcts")]
    for number in range(pairs):
        for name, nodes in MATCHES.items():
            scores = stored.setdefault(name, [])
            if number < len(scores):
                continue
            opening = book[number]
            start = game.parse_position(opening.start) if opening.start else game.start()
            for move in opening.moves:
                start = start.play(move)
            flip = start.turn
            total = 0.0
            for swapped in (False, True):
                strong = int(swapped) ^ flip
                limits = [nodes if seat == strong else SIMULATIONS for seat in (0, 1)]
                first = play(game, start, agents, limits, derive_seed(name, number, swapped))
                total += first if strong == 0 else 1.0 - first
            scores.append(total)
        if number % 20 == 19:
            STORED.write_text(json.dumps(stored))
    STORED.write_text(json.dumps(stored))


def verdicts(scores: list[float], test: Sprt, runs: int) -> dict[str, float]:
    """Shares of the verdicts over many drawn matches, and their mean length in pairs."""
    generator = np.random.default_rng(1)
    found = {"accept_elo0": 0, "accept_elo1": 0, "continue": 0}
    length = 0
    indices = np.rint(2 * np.array(scores)).astype(int)
    for _ in range(runs):
        counts = [0] * 5
        decision = "continue"
        for pair in range(MOST_PAIRS):
            counts[indices[generator.integers(len(indices))]] += 1
            if pair % 5 == 4:
                decision = test.test(counts).decision
                if decision != "continue":
                    break
        found[decision] += 1
        length += pair + 1
    return {**{key: value / runs for key, value in found.items()}, "pairs": length / runs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=1500)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--elo1", type=float, default=30.0)
    wanted = parser.parse_args()
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    collect(stored, wanted.pairs)
    test = Sprt(0.0, wanted.elo1)
    print("| match | pairs stored | Elo [95 %] | stronger | not stronger | open | mean pairs |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, scores in stored.items():
        elo = estimate_elo(scores)
        share = verdicts(scores, test, wanted.runs)
        print(
            f"| {name} | {len(scores)} | {elo.elo:+.0f} [{elo.low:+.0f}, {elo.high:+.0f}] "
            f"| {100 * share['accept_elo1']:.1f} % | {100 * share['accept_elo0']:.1f} % "
            f"| {100 * share['continue']:.1f} % | {share['pairs']:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
