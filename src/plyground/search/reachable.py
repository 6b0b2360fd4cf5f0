"""Retrograde analysis of any small game: every reachable position, decided from its ends.

The only way to prove a draw by play without end, and exact distances for everything else. Turns
need not alternate. It works where all positions fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from plyground import kernels
from plyground.core.errors import UnsupportedError
from plyground.core.game import Game, Position, Scoring
from plyground.core.search import MoveValue, Score, SearchResult, Value
from plyground.kernels.words import ONGOING
from plyground.search import reachable_kernel as layout
from plyground.search.perft import RULES_HOOKS
from plyground.search.retrograde import Layer, decide_all

TEMPLATE = "plyground.search.reachable_kernel"
MOST_POSITIONS = 1_000_000
MOVES_A_POSITION = 12
"""Room for moves; a game with more of them on average is found to be too large earlier."""
SLICE = 20_000


class ReachableSpace:
    """The positions below one position of a game of wins, losses and draws.

    `values` is 1 where the first player wins, -1 where the second does, `distances` the plies to
    that; 0 and 0 are draws once everything is decided.
    """

    def __init__(self, game: Game, root: Position, most: int = MOST_POSITIONS) -> None:
        self.kernel = kernels.compiled(TEMPLATE, {RULES_HOOKS: game.rules_module})
        self.graph = layout.Graph(
            params=game.params,
            states=np.zeros((most, game.state_words), np.uint64),
            slots=np.zeros(1 << (2 * most).bit_length(), np.int32),
            movers=np.zeros(most, np.int8),
            outcomes=np.zeros(most, np.int64),
            starts=np.zeros(most + 1, np.int64),
            children=np.zeros(most * MOVES_A_POSITION, np.int32),
            moves=np.zeros(game.max_moves, np.int64),
            control=np.zeros(layout.CONTROL_WORDS, np.int64),
        )
        self.graph.states[0] = root.state
        with kernels.compilation(self.kernel):
            self.kernel.place(self.graph, np.int64(0))
            self.graph.control[layout.COUNT] = 1
            self.kernel.explore(self.graph, np.int64(1))

    @property
    def size(self) -> int:
        """How many positions were found so far."""
        return int(self.graph.control[layout.COUNT])

    def explore(self, go_on: Callable[[], bool]) -> bool:
        """Find all positions; False if there is no room for them or it was told to end."""
        while (state := self.kernel.explore(self.graph, np.int64(SLICE))) == layout.MORE:
            if not go_on():
                return False
        if state == layout.DONE:
            self._prepare()
        return bool(state == layout.DONE)

    def _prepare(self) -> None:
        """Ends have their values; every other position waits for all its moves."""
        size, graph = self.size, self.graph
        counts = np.diff(graph.starts[: size + 1])
        self._parents = np.repeat(np.arange(size), counts)
        self._children = graph.children[: graph.control[layout.EDGES]]
        ended = graph.outcomes[:size] != ONGOING
        self.values = np.where(ended, np.sign(graph.outcomes[:size]), 0).astype(np.int8)
        self.distances = np.zeros(size, np.int32)
        self._open = ~ended
        self._waiting = counts.copy()
        self._wish = np.where(graph.movers[:size] == 0, 1, -1).astype(np.int8)
        self._fresh = self.values != 0

    def decide_layer(self, distance: int) -> Layer:
        """See `retrograde.Space`: what the positions decided last decide now."""
        edges = self._fresh[self._children] & self._open[self._parents]
        parents, children = self._parents[edges], self._children[edges]
        good = self.values[children] == self._wish[parents]
        won = np.zeros(self.size, bool)
        won[parents[good]] = True
        np.subtract.at(self._waiting, parents[~good], 1)
        lost = self._open & ~won & (self._waiting == 0)
        for found, sign in ((won, 1), (lost, -1)):
            self.values[found] = sign * self._wish[found]
            self.distances[found] = distance
        self._open &= ~(won | lost)
        self._fresh = won | lost
        return Layer(distance, int(won.sum()), int(lost.sum()))

    def score(self, index: int, player: int) -> Score:
        """What a decided position is worth for a player."""
        value = int(self.values[index])
        if value == 0:
            return Score(player, "draw")
        worth: Value = "win" if (value > 0) == (player == 0) else "loss"
        return Score(player, worth, distance=int(self.distances[index]))


def solve_by_retrograde(
    position: Position, note: Callable[[str], None], go_on: Callable[[], bool] = lambda: True
) -> SearchResult | None:
    """The exact value of a position and its moves; None if its positions do not fit."""
    info = position.game.info
    if not info.for_two_without_chance or info.scoring is Scoring.POINTS:
        raise UnsupportedError(
            f"{info.title}: retrograde analysis is for two players, wins and losses, no chance"
        )
    space = ReachableSpace(position.game, position)
    if not space.explore(go_on):
        return None
    note(f"{space.size:,} positions can be reached")
    layers = decide_all(space)
    if layers:
        note(f"the longest win takes {layers[-1].distance} plies")
    player = position.turn
    first = int(space.graph.starts[0])
    values = [
        MoveValue(move, _after(space.score(int(space.graph.children[first + index]), player)))
        for index, move in enumerate(position.legal_moves)
    ]
    values.sort(key=lambda found: _rank(found.score), reverse=True)
    return SearchResult(
        values[0].move,
        space.score(0, player),
        (values[0].move,),
        tuple(values),
        space.size,
        layers[-1].distance if layers else 0,
        note=f"proven by all {space.size:,} positions",
    )


def _after(score: Score) -> Score:
    """The worth of a move: its own ply counts as well."""
    distance = score.distance + 1 if score.distance is not None else None
    return Score(score.player, score.value, distance=distance)


def _rank(score: Score | None) -> tuple[int, int]:
    """Wins first, the shortest of them, then draws, then the longest losses."""
    if score is None:
        return (-1, 0)
    distance = score.distance or 0
    return {"win": (2, -distance), "draw": (1, 0), "loss": (0, distance)}[score.value or "draw"]
