"""Many games of Connect 4 stepped in one compiled call."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.adapters import batch_kernel
from plyground.adapters.batch_kernel import Batch
from plyground.core.registry import make_game
from plyground.games.connect4.encoding import Connect4Encoding
from plyground.search.perft import RULES_HOOKS

ILLEGAL = int(batch_kernel.ILLEGAL)


class Connect4Batch:
    """`count` games side by side; a game that ends starts again at once.

    `masks` (games, actions) are the legal actions, `players` who is to move, `planes` (games, 3,
    rows, columns) the boards as that player sees them, `states` the positions. Actions and planes
    are those of `connect4_v0`. All arrays are written anew by the next step.
    """

    def __init__(self, count: int, **options: Any) -> None:
        if count < 1:
            raise ValueError(f"a batch needs at least one game, not {count}")
        self.game = make_game("connect4", options)
        encoding = Connect4Encoding(self.game)
        self.actions = encoding.actions
        codes = [encoding.code_of_action(action) for action in range(self.actions)]
        code_to_action = np.zeros(max(codes) + 1, np.int64)
        for action, code in enumerate(codes):
            code_to_action[code] = action
        self._module = kernels.compiled(
            "plyground.adapters.batch_kernel", {RULES_HOOKS: self.game.rules_module}
        )
        words = self.game.state_words
        self._batch = Batch(
            start=self.game.initial_state(),
            action_to_code=np.array(codes, np.int64),
            code_to_action=code_to_action,
            buffer=np.zeros(self.game.max_moves, np.int64),
            scratch=np.zeros(words, np.uint64),
            states=np.zeros((count, words), np.uint64),
            masks=np.zeros((count, self.actions), np.int8),
            players=np.zeros(count, np.int64),
            results=np.zeros(count, np.int64),
            ended=np.zeros(count, np.bool_),
        )
        self.states, self.masks = self._batch.states, self._batch.masks
        self.players = self._batch.players
        self.planes = np.zeros((count, *encoding.shape), np.int8)
        self._planes = self.planes.reshape(count, 3, -1)
        self._draw_planes = kernels.compiled(
            "plyground.games.connect4.environment.batch_kernel"
        ).draw_planes
        self.reset()

    def reset(self) -> npt.NDArray[np.int8]:
        """All games to the start; the masks."""
        self._module.restart(self.game.params, self._batch)
        self._draw_planes(self.game.params, self.states, self.players, self._planes)
        return self.masks

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Play one action in every game: rewards for the movers, and which games ended.

        A reward is 1, 0 or -1, or `ILLEGAL` for an action that was not legal and was not played.
        """
        given = np.ascontiguousarray(actions, np.int64)
        self._module.step(self.game.params, given, self._batch)
        self._draw_planes(self.game.params, self.states, self.players, self._planes)
        return self._batch.results, self._batch.ended
