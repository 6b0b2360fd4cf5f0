"""What the searches that play random games have in common."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from plyground import kernels
from plyground.core.agent import Report, Stop, no_report, no_stop
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.search import SearchResult


class SamplingSearch:
    """A searcher whose kernels take random numbers from `work.random`."""

    game: Game
    module: ModuleType
    work: Any

    def start(self, seed: int) -> None:
        """Set the random numbers."""
        generator = kernels.compiled("plyground.kernels.random")
        generator.seed_random(self.work.random, np.uint64(seed % 2**64))

    def warm_up(self) -> None:
        """Load or compile the search."""
        numbers = self.work.random.copy()
        position = self.game.first_decision()
        with kernels.compilation(self.module):
            for _ in range(2):  # the time of the first may pass while its preparation compiles
                self.search(position, Limit(nodes=20, time=0.02))
        self.work.random[:] = numbers  # how far it came depends on the clock

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Think within the limit."""
        raise NotImplementedError
