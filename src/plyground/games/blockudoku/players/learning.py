"""Learn the weights of the evaluation by self-play.

The command is `python -m plyground.games.blockudoku.players.learning`.

The objective is the death rate in the hard regime (deals from pieces 13-46 unless told otherwise),
measured as sampled risk on deals that all candidates of a generation share. The method is an
evolution strategy with a separate step size for each weight (sep-CMA-ES) on the logarithms of the
weights; the weight of a side cell is fixed, since only ratios matter.

Everything follows from `--seed`; each generation appends one line to the log, which holds all that
is needed to go on after an interruption.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.core.writing import open_target
from plyground.games.blockudoku.players.evaluation import NAMES, WEIGHT_COUNT
from plyground.games.blockudoku.players.planning import make_planning
from plyground.games.blockudoku.players.selfplay import (
    DEATHS,
    RISK,
    TOTAL_COUNT,
    TURNS,
)
from plyground.games.blockudoku.players.settings import EFFORTS

Vector = npt.NDArray[np.float64]

FIXED = NAMES.index("side cell")
START = {
    "centre cell": 2000,
    "side cell": 2000,
    "corner cell": 2000,
    "centre box": 600,
    "side box": 600,
    "corner box": 600,
    "transition": 2000,
    "unaligned transition": 2000,
    "cornered": 5000,
    "squashed": 1000,
    "squashed at edge": 1000,
    "hole": 1000,
    "no bar of three": 2000,
    "no square": 500,
    "hard piece shut out": 15000,
    "four-cell piece shut out": 15000,
    "scarce places": 150,
    "no clear in reach": 250,
    "clears wanted": 70,
}
"""Where learning starts: round numbers by hand."""


@dataclass
class Strategy:
    """The state of the evolution strategy over logarithms of weights."""

    mean: Vector
    step: float
    scales: Vector
    path: Vector
    scale_path: Vector
    generation: int = 0

    @classmethod
    def start(cls, step: float) -> Strategy:
        """At the hand-made weights."""
        mean = np.log(np.array([START[name] for name in NAMES], dtype=np.float64))
        zeros = np.zeros(WEIGHT_COUNT)
        return cls(mean, step, np.ones(WEIGHT_COUNT), zeros.copy(), zeros.copy())

    def sample(self, population: int, seed: int) -> Vector:
        """(population, weights): steps in units of the search distribution, mirrored in pairs."""
        generator = np.random.default_rng([seed, self.generation])
        half = generator.standard_normal(((population + 1) // 2, WEIGHT_COUNT))
        half[:, FIXED] = 0.0
        return np.concatenate([half, -half])[:population]

    def candidate(self, step: Vector) -> Vector:
        """The logarithms of the weights after a step."""
        return self.mean + self.step * np.sqrt(self.scales) * step

    def update(self, steps: Vector, costs: Vector) -> None:
        """Move towards the better half (rank-weighted), adapt the scales and the step size."""
        size = WEIGHT_COUNT - 1
        parents = len(costs) // 2
        ranks = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
        ranks /= ranks.sum()
        effective = 1.0 / float((ranks**2).sum())
        path_rate = (effective + 2) / (size + effective + 5)
        damping = 1 + 2 * max(0.0, math.sqrt((effective - 1) / (size + 1)) - 1) + path_rate
        scale_rate = 4 / (size + 4)
        one_rate = 2 / ((size + 1.3) ** 2 + effective) * (size + 2) / 3
        many_rate = min(
            1 - one_rate,
            2 * (effective - 2 + 1 / effective) / ((size + 2) ** 2 + effective) * (size + 2) / 3,
        )
        chosen = steps[np.argsort(costs, kind="stable")[:parents]]
        shift = ranks @ chosen
        deviation = np.sqrt(self.scales)
        self.mean = self.mean + self.step * deviation * shift
        self.path = (1 - path_rate) * self.path
        self.path += math.sqrt(path_rate * (2 - path_rate) * effective) * shift
        length = float(np.linalg.norm(self.path))
        expected = math.sqrt(size) * (1 - 1 / (4 * size) + 1 / (21 * size**2))
        self.scale_path = (1 - scale_rate) * self.scale_path
        self.scale_path += math.sqrt(scale_rate * (2 - scale_rate) * effective) * deviation * shift
        self.scales = (
            (1 - one_rate - many_rate) * self.scales
            + one_rate * self.scale_path**2
            + many_rate * self.scales * (ranks @ chosen**2)
        )
        self.scales[FIXED] = 1.0
        self.step *= math.exp(path_rate / damping * (length / expected - 1))
        self.generation += 1

    def as_json(self) -> dict[str, Any]:
        """All numbers of the state, exactly."""
        return {
            "generation": self.generation,
            "step": self.step,
            "mean": self.mean.tolist(),
            "scales": self.scales.tolist(),
            "path": self.path.tolist(),
            "scale_path": self.scale_path.tolist(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Strategy:
        """The inverse of `as_json`."""
        return cls(
            np.array(data["mean"]),
            data["step"],
            np.array(data["scales"]),
            np.array(data["path"]),
            np.array(data["scale_path"]),
            data["generation"],
        )


def whole_weights(logarithms: Vector) -> npt.NDArray[np.int64]:
    """The weights as the evaluation takes them."""
    return np.maximum(1, np.rint(np.exp(logarithms))).astype(np.int64)


class DeathRate:
    """Measures weights: sampled risk per turn in chains of `turns` turns from the empty board."""

    def __init__(self, deck: npt.NDArray[np.int64], turns: int, probes: int) -> None:
        self.deck, self.turns, self.probes = deck, turns, probes
        self.module = kernels.compiled("plyground.games.blockudoku.players.selfplay")

    def measure(self, weights: npt.NDArray[np.int64], seed: int) -> dict[str, float]:
        """Risk and deaths per turn on the deals of a seed."""
        totals = np.zeros(TOTAL_COUNT)
        self.module.play_turns(
            np.uint64(seed),
            np.int64(0),
            np.int64(self.turns),
            np.int64(self.probes),
            make_planning(self.deck, weights, EFFORTS["static"]),
            np.zeros(2, np.uint64),
            totals,
        )
        return {
            "risk": float(totals[RISK]) / self.turns,
            "deaths": float(totals[DEATHS]),
            "turns": float(totals[TURNS]),
        }


def learn(
    strategy: Strategy,
    rate: DeathRate,
    seed: int,
    generations: int,
    population: int,
    log: Path | None,
) -> Strategy:
    """Run the strategy up to a generation; one JSON line a generation goes to the log."""
    while strategy.generation < generations:
        steps = strategy.sample(population, seed)
        deals = (seed << 32) + strategy.generation
        figures = [rate.measure(whole_weights(strategy.candidate(step)), deals) for step in steps]
        costs = np.array([figure["risk"] for figure in figures])
        strategy.update(steps, costs)
        entry = {
            **strategy.as_json(),
            "seed": seed,
            "turns": rate.turns,
            "pieces": [int(rate.deck[0]), int(rate.deck[-1])],
            "risks": costs.tolist(),
            "deaths": sum(figure["deaths"] for figure in figures),
            "turns_per_death": 1 / max(1e-12, float(np.median(costs))),
            "weights": whole_weights(strategy.mean).tolist(),
        }
        if log is not None:
            with open_target(log, "a") as file:
                file.write(json.dumps(entry) + "\n")
        print(
            f"generation {strategy.generation}: median {entry['turns_per_death']:.0f} turns a "
            f"death, best {1 / max(1e-12, costs.min()):.0f}, step {strategy.step:.3f}",
            flush=True,
        )
    return strategy


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--population", type=int, default=20)
    parser.add_argument("--turns", type=int, default=6000, help="turns a candidate")
    parser.add_argument("--probes", type=int, default=24, help="deals sampled a crowded board")
    parser.add_argument("--step", type=float, default=0.3, help="first step size (logarithms)")
    parser.add_argument("--first-piece", type=int, default=13)
    parser.add_argument("--log", type=Path, help="append here; an existing log is continued")
    arguments = parser.parse_args()
    strategy = Strategy.start(arguments.step)
    if arguments.log and arguments.log.exists():
        strategy = Strategy.from_json(json.loads(arguments.log.read_text().splitlines()[-1]))
    deck = np.arange(arguments.first_piece, 47, dtype=np.int64)
    rate = DeathRate(deck, arguments.turns, arguments.probes)
    strategy = learn(
        strategy, rate, arguments.seed, arguments.generations, arguments.population, arguments.log
    )
    print(json.dumps(dict(zip(NAMES, whole_weights(strategy.mean).tolist(), strict=True))))


if __name__ == "__main__":
    main()
