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

    From a value of `alarm` on, `candidates` boards meet up to `deals` deals, `round` at a time, and
    e times as many deals for every `growth` more, up to `most`. `centre` and `scale` turn values
    into chances of death.
    """

    candidates: int = 8
    deals: int = 32
    most: int = 256
    round: int = 16
    alarm: float = 380_000.0
    growth: float = 60_000.0
    centre: float = 860_000.0
    scale: float = 51_000.0
    doubt: float = 1.0

    def counts(self) -> npt.NDArray[np.int64]:
        """As the kernels take them."""
        return np.array([self.candidates, self.deals, self.most, self.round], np.int64)

    def scales(self) -> npt.NDArray[np.float64]:
        """As the kernels take them."""
        return np.array([self.centre, self.scale, self.doubt, self.alarm, self.growth], np.float64)


EFFORTS = {
    "static": Lookahead(candidates=1, deals=0),
    "1ms": Lookahead(alarm=450_000.0),
    "5ms": Lookahead(),
    "50ms": Lookahead(candidates=10, deals=48, most=512, alarm=280_000.0),
}
"""Named amounts of work: within so much CPU time a turn on one core, on average over a game."""
