"""One-player games as Gymnasium environments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from plyground.adapters.raster import rasterize
from plyground.core.game import CHANCE
from plyground.core.registry import make_game


class SoloEnv(gymnasium.Env[Any, Any]):
    """One game. An observation has the planes of the game's encoding and `action_mask`.

    The reward comes at the end: the score, or 1 for a win. An action that is not legal changes
    nothing and costs 1. Keyword arguments are the game's options.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
    }

    def __init__(self, game: str, render_mode: str | None = None, **options: Any) -> None:
        self.game = make_game(game, options)
        self.encoding = self.game.encoding()
        self.render_mode = render_mode
        spaces = gymnasium.spaces
        self.observation_space = spaces.Dict(
            {
                "planes": spaces.Box(0, 1, self.encoding.shape, np.int8),
                "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(self.encoding.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._deals = int(self.np_random.integers(0, 2**63))
        self.position = self.game.start()
        self._let_chance_happen()
        return self._observe(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self.encoding.mask(self.position)[int(action)]:
            return self._observe(), -1.0, False, False, {"illegal": True}
        self.position = self.position.play(self.encoding.code(self.position, int(action)))
        self._let_chance_happen()
        outcome = self.position.outcome
        reward = 0.0
        if outcome is not None:
            reward = outcome.scores[0] if outcome.scores else float(outcome.winner == 0)
        return self._observe(), reward, outcome is not None, False, {}

    def _let_chance_happen(self) -> None:
        while not self.position.is_over and self.position.turn == CHANCE:
            event = self.game.chance_event(self.position, self._deals)
            self.position = self.game.apply_chance(self.position, event)

    def _observe(self) -> dict[str, Any]:
        mask = np.zeros(self.encoding.actions, np.int8)
        if not self.position.is_over:
            mask = self.encoding.mask(self.position)
        return {"planes": self.encoding.planes(self.position, 0), "action_mask": mask}

    def render(self) -> Any:
        if self.render_mode == "ansi":
            return str(self.position)
        return rasterize(self.position.view) if self.render_mode == "rgb_array" else None
