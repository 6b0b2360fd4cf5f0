"""Many games of Connect 4 stepped in one compiled call."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.adapters import batch_kernel
from plyground.core.registry import make_game
from plyground.games.connect4.encoding import Connect4Encoding
from plyground.search.perft import RULES_SLOT

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
        self._action_to_code = np.array(codes, np.int64)
        self._code_to_action = np.zeros(max(codes) + 1, np.int64)
        for action, code in enumerate(codes):
            self._code_to_action[code] = action
        self._module = kernels.compiled(
            "plyground.adapters.batch_kernel", {RULES_SLOT: self.game.rules_module}
        )
        self._buffer = np.zeros(self.game.max_moves, np.int64)
        self._scratch = np.zeros(self.game.state_words, np.uint64)
        self._start = self.game.initial_state()
        self.states = np.zeros((count, self.game.state_words), np.uint64)
        self.masks = np.zeros((count, self.actions), np.int8)
        self.players = np.zeros(count, np.int64)
        self.planes = np.zeros((count, *encoding.shape), np.int8)
        self._planes = self.planes.reshape(count, 3, -1)
        self._draw_planes = kernels.compiled(
            "plyground.games.connect4.environment.batch_kernel"
        ).draw_planes
        self._results = np.zeros(count, np.int64)
        self._ended = np.zeros(count, np.bool_)
        self.reset()

    def reset(self) -> npt.NDArray[np.int8]:
        """All games to the start; the masks."""
        self.states[:] = self._start
        self.players[:] = 0
        self._module.list_moves(
            self.game.params, self.states, self._buffer, self._code_to_action, self.masks
        )
        self._draw_planes(self.game.params, self.states, self.players, self._planes)
        return self.masks

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Play one action in every game: rewards for the movers, and which games ended.

        A reward is 1, 0 or -1, or `ILLEGAL` for an action that was not legal and was not played.
        """
        self._module.step(
            self.game.params,
            self._start,
            np.ascontiguousarray(actions, np.int64),
            self._action_to_code,
            self._code_to_action,
            self._buffer,
            self._scratch,
            self.states,
            self.masks,
            self._results,
            self._ended,
            self.players,
        )
        self._draw_planes(self.game.params, self.states, self.players, self._planes)
        return self._results, self._ended
