"""PettingZoo environments of the two-player games, each with its versioned name.

`connect4_v0.env(width=6, render_mode="ansi")` and likewise for every game, `-` written as `_`;
keyword arguments are the options of the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from plyground.adapters.raster import rasterize
from plyground.core.errors import OptionError
from plyground.core.game import CHANCE, Position
from plyground.core.registry import games, make_game

AGENTS = ["player_0", "player_1"]


class GameEnv(AECEnv):
    """One game between two learning agents; rewards are 1, 0 and -1 at the end.

    An observation is the board as planes, seen by the agent; the legal actions are in the agent's
    `info["action_mask"]`. With `mask_in="observation"` an observation is a mapping with
    `observation` and `action_mask` instead, as in PettingZoo's older board games. An action that is
    not legal loses at once.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "rgb_array"],
        "name": "plyground_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        version: str,
        render_mode: str | None,
        mask_in: Literal["info", "observation"] = "info",
        **options: Any,
    ) -> None:
        super().__init__()
        if mask_in not in ("info", "observation"):
            raise OptionError(f"mask_in={mask_in!r}: must be one of info, observation")
        self.game = make_game(game, options)
        self.encoding = self.game.encoding()
        self.metadata = {**type(self).metadata, "name": version}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        board = gymnasium.spaces.Box(0, 1, self.encoding.shape, np.int8)
        mask = gymnasium.spaces.Box(0, 1, (self.encoding.actions,), np.int8)
        self.mask_in = mask_in
        space: gymnasium.Space[Any] = board
        if mask_in == "observation":
            space = gymnasium.spaces.Dict({"observation": board, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(AGENTS, space)
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(self.encoding.actions) for agent in AGENTS
        }

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Back to the start; the seed decides random events, in games that have them."""
        self._deals = int(np.random.default_rng(seed).integers(0, 2**63))
        self.position: Position = self.game.start()
        self._let_chance_happen()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[max(0, self.position.turn)]
        self._find_masks()

    def _let_chance_happen(self) -> None:
        while not self.position.is_over and self.position.turn == CHANCE:
            event = self.game.chance_event(self.position, self._deals)
            self.position = self.game.apply_chance(self.position, event)

    def _find_masks(self) -> None:
        """Legal actions of the agent to move; none for the other, and none at the end."""
        none = np.zeros(self.encoding.actions, np.int8)
        self._masks = dict.fromkeys(AGENTS, none)
        if not any(self.terminations.values()):
            self._masks[self.agent_selection] = self.encoding.mask(self.position)
        if self.mask_in == "info":
            for agent in self.agents:
                self.infos[agent]["action_mask"] = self._masks[agent]

    def observe(self, agent: str) -> Any:
        planes = self.encoding.planes(self.position, AGENTS.index(agent))
        if self.mask_in == "info":
            return planes
        return {"observation": planes, "action_mask": self._masks[agent]}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        player = AGENTS.index(agent)
        assert action is not None, "an agent that is still in the game needs an action"
        if self._masks[agent][int(action)]:
            self.position = self.position.play(self.encoding.code(self.position, int(action)))
            self._let_chance_happen()
            outcome = self.position.outcome
            if outcome is not None:
                self._end(None if outcome.winner is None else outcome.winner)
        else:
            self.infos[agent]["illegal"] = True
            self._end(1 - player)
        turn = 1 - player if any(self.terminations.values()) else self.position.turn
        self.agent_selection = AGENTS[turn]
        self._find_masks()
        self._accumulate_rewards()

    def _end(self, winner: int | None) -> None:
        for player, agent in enumerate(AGENTS):
            self.rewards[agent] = 0.0 if winner is None else 1.0 if winner == player else -1.0
            self.terminations[agent] = True

    def render(self) -> Any:
        if self.render_mode == "ansi":
            return str(self.position)
        if self.render_mode == "rgb_array":
            return rasterize(self.position.view)
        gymnasium.logger.warn("render() needs render_mode='ansi' or 'rgb_array'")
        return None

    def close(self) -> None:
        """There is nothing to close."""


@dataclass(frozen=True)
class Version:
    """A versioned environment, used like PettingZoo's environment modules."""

    name: str
    game: str

    def env(
        self,
        render_mode: str | None = None,
        mask_in: Literal["info", "observation"] = "info",
        **options: Any,
    ) -> GameEnv:
        """A new environment; keyword arguments are the game's options."""
        return GameEnv(self.game, self.name, render_mode, mask_in, **options)


def __getattr__(name: str) -> Version:
    """The versioned environment of any two-player game, by the game's name and `_v0`."""
    game = name.removesuffix("_v0").replace("_", "-")
    known = games()
    if name.endswith("_v0") and game in known and known[game].info.players == 2:
        return Version(name, game)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
