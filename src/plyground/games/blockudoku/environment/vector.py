"""Blockudoku as a Gymnasium vector environment: all games stepped in one compiled call."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from plyground import kernels
from plyground.adapters.raster import rasterize
from plyground.core.game import Position
from plyground.core.registry import make_game
from plyground.games.blockudoku.environment.vector_kernel import (
    BOARD_WORD,
    HAND_WORD,
    MASK_WORD,
    SHOWN_WORDS,
    Games,
)
from plyground.games.blockudoku.pieces import CELLS, EMPTY_PIECE

ACTIONS = 243
Observation = dict[str, npt.NDArray[np.int8]]


def observation_space() -> gymnasium.spaces.Dict:
    """What one game shows: the board, the three pieces in hand, the legal actions."""
    return gymnasium.spaces.Dict(
        {
            "board": gymnasium.spaces.Box(0, 1, (9, 9), np.int8),
            "hand": gymnasium.spaces.Box(0, 1, (3, 5, 5), np.int8),
            "action_mask": gymnasium.spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


def piece_pictures() -> npt.NDArray[np.uint64]:
    """Every piece in the upper left corner of a 5 x 5 square, a bit a cell; the last is empty."""
    pictures = np.zeros(EMPTY_PIECE + 1, np.uint64)
    for piece, cells in enumerate(CELLS):
        pictures[piece] = sum(1 << (5 * row + column) for row, column in cells)
    return pictures


class BlockudokuVector(VectorEnv[Any, Any, Any]):
    """`num_envs` games. An action is 81 * slot + row * 9 + column of the piece's corner.

    Rewards are the points of a placement; an illegal action changes nothing and costs 1. A game
    that has ended starts again at its next step. Options of the game are keyword arguments.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["rgb_array", "ansi"],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
        "render_fps": 4,
    }

    def __init__(self, num_envs: int = 1, render_mode: str | None = None, **options: Any) -> None:
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.game = make_game("blockudoku", options)
        self.single_observation_space = observation_space()
        self.single_action_space = gymnasium.spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._module = kernels.compiled("plyground.games.blockudoku.environment.vector_kernel")
        words = self.game.state_words
        shown_words = np.zeros((num_envs, SHOWN_WORDS), np.uint64)
        shown = shown_words.view(np.int8)
        self._boards = shown[:, 8 * BOARD_WORD :][:, :81]
        self._hands = shown[:, 8 * HAND_WORD :][:, :75]
        self._games = Games(
            deck=self.game.deck,  # type: ignore[attr-defined]
            pieces=piece_pictures(),
            hand=np.zeros(3, np.int64),
            scratch=np.zeros(words, np.uint64),
            seeds=np.zeros(num_envs, np.uint64),
            states=np.zeros((num_envs, words), np.uint64),
            shown=shown_words,
            masks=shown[:, 8 * MASK_WORD :][:, :ACTIONS],
            rewards=np.zeros(num_envs, np.float64),
            ended=np.zeros(num_envs, np.bool_),
        )
        self.seeds, self.states = self._games.seeds, self._games.states

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start all games: from one seed, from a list of seeds, or from fresh randomness."""
        if seed is None or isinstance(seed, int):
            super().reset(seed=seed)
            self.seeds[:] = self.np_random.integers(0, 2**63, self.num_envs, dtype=np.uint64)
        else:
            self.seeds[:] = seed
        self._games.ended[:] = False
        for number in range(self.num_envs):
            game = np.int64(number)
            self._module.start_game(game, self._games)
            self._module.observe_game(self.game.params, game, self._games)
        return self._observation(), {}

    def _observation(self) -> Observation:
        return {
            "board": self._boards.copy().reshape(-1, 9, 9),
            "hand": self._hands.copy().reshape(-1, 3, 5, 5),
            "action_mask": self._games.masks.copy(),
        }

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """Place one piece in every game."""
        given = np.ascontiguousarray(actions, np.int64)
        self._module.step(self.game.params, given, self._games)
        truncated = np.zeros(self.num_envs, np.bool_)
        return (
            self._observation(),
            self._games.rewards.copy(),
            self._games.ended.copy(),
            truncated,
            {},
        )

    def render(self) -> Any:
        """Pictures or texts of all games."""
        positions = [Position(self.game, state.copy()) for state in self.states]
        if self.render_mode == "ansi":
            return tuple(str(position) for position in positions)
        if self.render_mode == "rgb_array":
            return tuple(rasterize(position.view) for position in positions)
        return None
