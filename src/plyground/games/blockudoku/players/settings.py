"""What the champion plays with: learned weights, and how hard it looks ahead."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
import numpy.typing as npt

from plyground.games.blockudoku.players.evaluation import NAMES

WEIGHTS_FILE = "weights.json"


@cache
def _weight_table() -> dict[str, int]:
    text = (
        resources.files("plyground.games.blockudoku.players")
        .joinpath(WEIGHTS_FILE)
        .read_text("utf-8")
    )
    return dict(json.loads(text)["weights"])


def learned_weights() -> npt.NDArray[np.int64]:
    """The weights of the champion's evaluation, as `learning` found them."""
    table = _weight_table()
    return np.array([table[name] for name in NAMES], np.int64)


def occupancy_weights() -> npt.NDArray[np.int64]:
    """Weights that count filled cells and nothing else."""
    return np.array([1000 if name.endswith("cell") else 0 for name in NAMES], np.int64)


@dataclass(frozen=True)
class Lookahead:
    """How hard to look ahead; see `lookahead` for the method.

    `candidates` boards meet up to `deals` deals, `round` at a time, where the best of them has at
    least `crowded` cells. `centre` and `scale` turn values into chances of death.
    """

    candidates: int = 6
    deals: int = 48
    round: int = 8
    crowded: int = 24
    centre: float = 750_000.0
    scale: float = 60_000.0
    doubt: float = 1.0

    def counts(self) -> npt.NDArray[np.int64]:
        """As the kernels take them."""
        return np.array([self.candidates, self.deals, self.round, self.crowded], np.int64)

    def scales(self) -> npt.NDArray[np.float64]:
        """As the kernels take them."""
        return np.array([self.centre, self.scale, self.doubt], np.float64)


EFFORTS = {
    "static": Lookahead(candidates=1, deals=0),
    "5ms": Lookahead(),
    "50ms": Lookahead(candidates=8, deals=256, round=16, crowded=14),
}
"""Named amounts of work: within so much CPU time a turn on one core, on average over a game."""
