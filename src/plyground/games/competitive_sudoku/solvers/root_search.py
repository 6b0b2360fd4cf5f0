"""What the two searches over solutions share: their face towards those who ask for values.

`many_solutions` has a set of solutions, `one_solution` one. Both run `search.alphabeta_kernel` in
slices, over positions of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.games.competitive_sudoku.position_data import PositionData
from plyground.games.competitive_sudoku.solvers import estimate, selection
from plyground.search import alphabeta, values
from plyground.search import alphabeta_kernel as layout

NO_LIMIT = 1 << 30
DEEPEST = 250
MOST_POINTS = 300
TEMPLATE = alphabeta.TEMPLATE
Integers = npt.NDArray[np.int64]

CLASSIC_WEIGHTS = {estimate.PARITY: 60, estimate.PARITY_BASE: 100, estimate.REWARD_NOW: 50}
RESTRICTED_WEIGHTS = {
    estimate.PARITY: 20,
    estimate.PARITY_BASE: 50,
    estimate.REWARD_NOW: 60,
    estimate.THEIR_REWARD: 40,
    estimate.ZONE: 120,
    estimate.WAIT: 220,
    estimate.STAMINA: 50,
    estimate.SEALED: 40,
    estimate.HELD: 280,
}


def weights_for(restricted: bool, chosen: dict[int, int] | None = None) -> npt.NDArray[np.int64]:
    """The weights of the estimate; `chosen` replaces the usual ones."""
    weights = np.zeros(estimate.WEIGHTS, np.int64)
    for index, weight in (
        chosen or (RESTRICTED_WEIGHTS if restricted else CLASSIC_WEIGHTS)
    ).items():
        weights[index] = weight
    return weights


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


def slots_for(hooks: str) -> dict[str, str]:
    """The search template filled with one of the two searches."""
    return {alphabeta.POSITIONS_HOOKS: hooks, alphabeta.SELECTION_HOOKS: selection.__name__}


class RootSearch(ABC):
    """A position that can be searched deeper and deeper, in slices."""

    data: PositionData
    positions: Any
    work: layout.Work
    slots: Integers
    """The empty squares of the root, in the order of their numbers."""

    def __init__(self, hooks: str) -> None:
        self.kernels = kernels.compiled(TEMPLATE, slots_for(hooks))

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
        self.limit_passes(pass_limit)
        limit, scale = int(values.INFINITE), int(selection.SCALE)
        self.positions.switches[selection.REDUCE] = reduce
        self.work.control[layout.EXACT_ROOT] = separate
        self.kernels.begin(
            self.positions,
            self.work,
            np.int64(min(depth, DEEPEST)),
            np.int64(max(-limit, round(alpha * scale))),
            np.int64(min(limit, round(beta * scale))),
        )

    @abstractmethod
    def limit_passes(self, most: int) -> None:
        """Set how many passes are tried at a node."""

    def run(self, budget: int) -> bool:
        """Search on for at most so many nodes; True when the depth is finished."""
        return bool(self.kernels.run(self.positions, self.work, np.int64(budget)))

    @abstractmethod
    def root_move(self, move: int, points: float) -> RootMove:
        """The move behind a number, with its value."""

    @abstractmethod
    def play(self, move: RootMove) -> None:
        """Make a move: the root is now the position after it, until `back`."""

    @abstractmethod
    def back(self) -> None:
        """Take the last move of `play` back."""

    @property
    def mover(self) -> int:
        """The player to move at the root."""
        return int(self.positions.movers[0])

    @property
    def restricted(self) -> bool:
        """Whether the players have squares of their own."""
        return self.data.allowed is not None

    @property
    def nodes(self) -> int:
        """Nodes searched so far."""
        return int(self.work.control[layout.NODES])

    @property
    def value(self) -> float:
        """Points that the mover will gain on the opponent, by the last finished search."""
        return float(self.work.control[layout.ROOT_VALUE]) / float(selection.SCALE)

    @property
    def resolved(self) -> bool:
        """Whether that value (or bound) is certain under the full rules."""
        return bool(self.work.control[layout.ROOT_CERTAIN])

    @property
    def best(self) -> RootMove | None:
        """The best root move so far, also of an unfinished search."""
        root = self.work.frames[0]
        value = int(root[layout.BEST])
        if value <= -int(values.INFINITE):
            return None
        return self.root_move(int(root[layout.BEST_MOVE]), value / float(selection.SCALE))

    @property
    def tried(self) -> list[RootMove]:
        """The root moves finished so far, in the order in which they were tried."""
        count = int(self.work.frames[0, layout.CURSOR])
        found = self.work.moves[0, :count].tolist(), self.work.root_values[:count].tolist()
        return [
            self.root_move(move, value / float(selection.SCALE))
            for move, value in zip(*found, strict=True)
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
