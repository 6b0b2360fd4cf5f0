"""Many games in one call against one game at a time: moves a second of the learning environments.

    python benchmarks/vector_stepping.py [--games 1024] [--seconds 3] [--json FILE]

Every step delivers what the one-game environment delivers: observation, mask of legal actions,
reward, and whether the game has ended. Agents move at random; only the environment is timed (CPU
time of this single-threaded process), not the choice of the moves. The candidates take turns and
the best of five rounds counts. Gymnasium's own loop over environments is measured beside them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from figures import publish
from plyground.adapters.aec import connect4_v0
from plyground.games.blockudoku.environment.vector import BlockudokuVector
from plyground.games.connect4.environment.batch import Connect4Batch

ROUNDS = 5
LOOP_GAMES = 64
Masks = npt.NDArray[np.int8]


class Stepper:
    """One way to step games. `masks` are the legal actions; `step` is what is timed."""

    def __init__(self, count: int, masks: Masks, step: Callable[[Any], Masks]) -> None:
        self.count = count
        self.masks = masks
        self._step = step
        self.best = 0.0

    def run(self, seconds: float, source: np.random.Generator) -> None:
        """Step for a while; keep the best moves a second."""
        used, moves = 0.0, 0
        while used < seconds:
            actions = choose(self.masks, source)
            began = time.process_time()
            self.masks = self._step(actions)
            used += time.process_time() - began
            moves += self.count
        self.best = max(self.best, moves / used)


def choose(masks: Masks, source: np.random.Generator) -> npt.NDArray[np.int64]:
    """A random legal action for every game; 0 where there is none."""
    weights = source.random(masks.shape, np.float32) * masks
    return weights.argmax(axis=1).astype(np.int64)


def one_blockudoku() -> Stepper:
    env = gymnasium.make("plyground/Blockudoku-v0", disable_env_checker=True)
    observation, _ = env.reset(seed=1)

    def step(actions: Any) -> Masks:
        observation, _, ended, _, _ = env.step(actions[0])
        if ended:
            observation, _ = env.reset()
        return np.asarray(observation["action_mask"][None])

    return Stepper(1, observation["action_mask"][None], step)


def looped_blockudoku(count: int) -> Stepper:
    made = [lambda: gymnasium.make("plyground/Blockudoku-v0", disable_env_checker=True)] * count
    env = gymnasium.vector.SyncVectorEnv(made)
    observation, _ = env.reset(seed=1)
    return Stepper(
        count, observation["action_mask"], lambda actions: env.step(actions)[0]["action_mask"]
    )


def many_blockudoku(count: int) -> Stepper:
    env = BlockudokuVector(count)
    observation, _ = env.reset(seed=1)
    return Stepper(
        count, observation["action_mask"], lambda actions: env.step(actions)[0]["action_mask"]
    )


def one_connect4() -> Stepper:
    env = connect4_v0.env()

    def restart() -> Masks:
        env.reset()
        _, _, _, _, info = env.last()
        return np.asarray(info["action_mask"][None])

    def step(actions: Any) -> Masks:
        env.step(int(actions[0]))
        _, _, ended, _, info = env.last()
        return restart() if ended else np.asarray(info["action_mask"][None])

    return Stepper(1, restart(), step)


def many_connect4(count: int) -> Stepper:
    batch = Connect4Batch(count)

    def step(actions: Any) -> Masks:
        batch.step(actions)
        return batch.masks

    return Stepper(count, batch.masks, step)


def measure(steppers: dict[str, Stepper], seconds: float) -> dict[str, Any]:
    """Moves a second of each, and as multiples of the first."""
    source = np.random.default_rng(1)
    for stepper in steppers.values():
        stepper.run(0.05, source)
        stepper.best = 0.0
    for _ in range(ROUNDS):
        for stepper in steppers.values():
            stepper.run(seconds / ROUNDS, source)
    base = next(iter(steppers.values())).best
    return {
        name: {
            "games": stepper.count,
            "moves a second": round(stepper.best),
            "times one game": round(stepper.best / base, 1),
        }
        for name, stepper in steppers.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each candidate")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    result = {
        "command": " ".join(["python", *sys.argv]),
        "blockudoku": measure(
            {
                "one-game environment (Gymnasium)": one_blockudoku(),
                "gymnasium.vector.SyncVectorEnv": looped_blockudoku(LOOP_GAMES),
                "BlockudokuVector(1)": many_blockudoku(1),
                f"BlockudokuVector({arguments.games})": many_blockudoku(arguments.games),
            },
            arguments.seconds,
        ),
        "connect4": measure(
            {
                "one-game environment (PettingZoo)": one_connect4(),
                "Connect4Batch(1)": many_connect4(1),
                f"Connect4Batch({arguments.games})": many_connect4(arguments.games),
            },
            arguments.seconds,
        ),
    }
    publish(result, arguments.json)


if __name__ == "__main__":
    main()
