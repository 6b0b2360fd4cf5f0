"""What the two searches over solutions share: their face towards those who ask for values.

`duel_search` has a set of solutions, `lone_search` one; both run kernels in slices and keep the
root in the arrays of `frames`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plyground.games.competitive_sudoku import estimate, frames
from plyground.games.competitive_sudoku.setup import Setup

NO_LIMIT = 1 << 30
DEEPEST = 250
MOST_POINTS = 300

CLASSIC_WEIGHTS = {estimate.PARITY: 60, estimate.PARITY_BASE: 100, estimate.REWARD_NOW: 50}
RESTRICTED_WEIGHTS = {
    estimate.PARITY: 20,
    estimate.PARITY_BASE: 50,
    estimate.REWARD_NOW: 60,
    estimate.THEIR_REWARD: 40,
    estimate.ZONE: 120,
    estimate.WAIT: 220,
    estimate.STAMINA: 50,
}


def weights_for(restricted: bool, chosen: dict[int, int] | None = None) -> npt.NDArray[np.int64]:
    """The weights of the estimate; `chosen` replaces the usual ones."""
    weights = np.zeros(estimate.WEIGHTS, np.int64)
    for index, weight in (
        chosen or (RESTRICTED_WEIGHTS if restricted else CLASSIC_WEIGHTS)
    ).items():
        weights[index] = weight
    return weights


def new_table(megabytes: float) -> npt.NDArray[np.uint64]:
    """A transposition table of about this size, for either search."""
    bits = max(10, int(np.log2(megabytes * 2**20 / 16)))
    return np.zeros((1 << bits, 2), np.uint64)


@dataclass(frozen=True)
class RootMove:
    """A move at the root: square (flat index), value, whether it is a pass, value in points.

    `code` is the move's number in the search that it comes from.
    """

    cell: int
    value: int
    is_pass: bool
    points: float | None = None
    code: int = -1


class RootSearch(ABC):
    """A position that can be searched deeper and deeper, in slices."""

    setup: Setup
    control: npt.NDArray[np.int64]
    frames: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    root_values: npt.NDArray[np.int64]

    @abstractmethod
    def begin(
        self,
        depth: int,
        alpha: float,
        beta: float,
        pass_limit: int = NO_LIMIT,
        reduce: bool = False,
        separate: bool = False,
    ) -> None:
        """Start a search to a depth in plies, within a window in points.

        `pass_limit`: passes tried at a node. `reduce`: late moves are searched less deep.
        `separate`: every root move gets its own value within the window, not only the best one.
        """

    @abstractmethod
    def run(self, budget: int) -> bool:
        """Search on for about so many nodes; True when the depth is finished."""

    @abstractmethod
    def root_move(self, move: int, points: float) -> RootMove:
        """The move behind a number, with its value."""

    def window(
        self, depth: int, alpha: float, beta: float, reduce: bool, separate: bool
    ) -> tuple[np.int64, np.int64, np.int64]:
        """Depth and window as the kernels take them; sets the switches that both have."""
        limit, scale = int(frames.INFINITE), int(frames.SCALE)
        self.control[frames.REDUCE] = reduce
        self.control[frames.SEPARATE] = separate
        return (
            np.int64(min(depth, DEEPEST)),
            np.int64(max(-limit, round(alpha * scale))),
            np.int64(min(limit, round(beta * scale))),
        )

    @property
    def nodes(self) -> int:
        """Nodes searched so far."""
        return int(self.control[frames.NODES])

    @property
    def value(self) -> float:
        """Points that the mover will gain on the opponent, by the last finished search."""
        return float(self.control[frames.ROOT_VALUE]) / float(frames.SCALE)

    @property
    def resolved(self) -> bool:
        """Whether that value (or bound) is certain under the full rules."""
        return bool(self.control[frames.ROOT_RESOLVED])

    @property
    def best(self) -> RootMove | None:
        """The best root move so far, also of an unfinished search."""
        value = int(self.frames[0, frames.BEST])
        if value <= -int(frames.INFINITE):
            return None
        move = int(self.frames[0, frames.BEST_MOVE])
        return self.root_move(move, value / float(frames.SCALE))

    @property
    def tried(self) -> list[RootMove]:
        """The root moves finished so far, in the order in which they were tried."""
        count = int(self.frames[0, frames.NEXT])
        moves, values = self.moves[0, :count].tolist(), self.root_values[:count].tolist()
        return [
            self.root_move(move, value / float(frames.SCALE))
            for move, value in zip(moves, values, strict=True)
        ]

    def solve(self) -> float:
        """The exact margin that the mover can force, however long it takes."""
        depth = 4
        while True:
            self.begin(depth, -MOST_POINTS, MOST_POINTS)
            while not self.run(100_000):
                pass
            if self.resolved:
                return self.value
            depth += 4
