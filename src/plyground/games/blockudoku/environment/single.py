"""Blockudoku as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from plyground.games.blockudoku import rules
from plyground.games.blockudoku.environment.vector import (
    ACTIONS,
    BlockudokuVector,
    observation_space,
)


class BlockudokuEnv(gymnasium.Env[Any, Any]):
    """One game, with the actions, rewards and observations of `BlockudokuVector`.

    `info` has `score`, `turns` and, after an illegal action, `illegal`. Options of the game are
    keyword arguments: `gymnasium.make("plyground/Blockudoku-v0", pieces="13-46")`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
    }

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        self.render_mode = render_mode
        self.observation_space = observation_space()
        self.action_space = gymnasium.spaces.Discrete(ACTIONS)
        self._games = BlockudokuVector(1, render_mode, **options)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        deals = int(self.np_random.integers(0, 2**63))
        observation, _ = self._games.reset(seed=[deals])
        return self._first(observation), self._facts()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        observation, rewards, ended, _, _ = self._games.step(np.array([action], np.int64))
        facts = self._facts()
        if rewards[0] < 0:
            facts["illegal"] = True
        return self._first(observation), float(rewards[0]), bool(ended[0]), False, facts

    def _first(self, observation: Any) -> Any:
        return {name: values[0] for name, values in observation.items()}

    def _facts(self) -> dict[str, Any]:
        state = self._games.states[0]
        return {"score": int(state[rules.SCORE]), "turns": int(state[rules.TURNS])}

    def render(self) -> Any:
        pictures = self._games.render()
        return None if pictures is None else pictures[0]
