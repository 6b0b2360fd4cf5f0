"""The sample players of the CodeCup Sudoku contest."""

from __future__ import annotations

import random

from plyground.core.agent import Agent
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import register_agent
from plyground.games.codecup_sudoku import rules
from plyground.games.codecup_sudoku.notation import format_move


class SamplePlayer(Agent):
    """A player that chooses at random among legal moves."""

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.random = random.Random(seed)

    def warm_up(self) -> None:
        _ = self.game.start().move_codes

    def choose(self, position: Position, limit: Limit) -> str:
        return format_move(self.pick(position.move_codes))

    def pick(self, codes: list[int]) -> int:
        """The code to play."""
        raise NotImplementedError


@register_agent("codecup-sudoku")
class NeverClaims(SamplePlayer):
    """Sample 1: random, and never says that the grid is unique unless nothing else is left."""

    name = "sample1"
    summary = "contest sample 1: a random legal move, never claims"

    def pick(self, codes: list[int]) -> int:
        if codes == [rules.CLAIM]:
            return 0  # there is no legal move on a unique grid: whatever it plays loses
        return self.random.choice(codes) % rules.CLAIMED


@register_agent("codecup-sudoku")
class ClaimsWhenUnique(SamplePlayer):
    """Sample 2: random, with a claim when the grid is unique before or after the move."""

    name = "sample2"
    summary = "contest sample 2: random, claims when the grid is unique"

    def pick(self, codes: list[int]) -> int:
        return self.random.choice(codes)


@register_agent("codecup-sudoku")
class TakesWins(SamplePlayer):
    """Sample 3: a winning move if there is one, else random."""

    name = "sample3"
    summary = "contest sample 3: a winning move if there is one, else random"

    def pick(self, codes: list[int]) -> int:
        winning = [code for code in codes if code >= rules.CLAIMED]
        return self.random.choice(winning or codes)
