"""Monte Carlo tree search for any two-player game, with the tree kept between turns."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from plyground import kernels
from plyground.core.agent import Report, Stop, no_report, no_stop
from plyground.core.errors import UnsupportedError
from plyground.core.files import short_name
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult, Value
from plyground.search import mcts_kernel as layout
from plyground.search.alphabeta import format_line
from plyground.search.pages import TREE_BYTES, claim_pages
from plyground.search.perft import RULES_HOOKS
from plyground.search.sampling import SamplingSearch
from plyground.search.side_by_side import side_by_side
from plyground.search.timing import Stopwatch

TEMPLATE = "plyground.search.mcts_kernel"
PLAYOUT_HOOKS = "plyground.search.contract.playout"
LONGEST_PATH = 1024
MOST_PLAYOUT_PLIES = 10_000
"""A random game that goes on longer counts as a draw."""
BYTES_PER_NODE = 8 * 3 + 4 * 3 + 1
REPORT_SECONDS = 0.1


def new_tree(capacity: int) -> layout.Tree:
    """A tree with room for so many nodes."""
    return layout.Tree(
        moves=np.zeros(capacity, np.int32),
        parents=np.zeros(capacity, np.int64),
        first_children=np.zeros(capacity, np.int64),
        child_counts=np.zeros(capacity, np.int32),
        visits=np.zeros(capacity, np.int32),
        totals=np.zeros(capacity, np.float64),
        proofs=np.zeros(capacity, np.int8),
    )


class Child(NamedTuple):
    """What a tree, or several, say about a child of a node; see `mcts_kernel.Tree`."""

    move: int
    visits: int
    total: float
    proof: int

    @property
    def mean(self) -> float:
        """The average result for the player who moved into it."""
        return self.total / self.visits if self.visits else 0.5

    def with_twin(self, twin: Child | None) -> Child:
        """The same with what another tree says."""
        if twin is None:
            return self
        total, proof = self.total + twin.total, self.proof or twin.proof
        return Child(self.move, self.visits + twin.visits, total, proof)


class MonteCarloTreeSearch(SamplingSearch):
    """A searcher for one game: UCT with random playouts.

    `exploration` is the constant C in mean + C * sqrt(ln N / n). A node is expanded when it has
    been visited `expand_at` times. `draw_value` is what a draw counts in the averages. `solve`
    backs up proven wins and losses. `final` picks the move: most `visits` or best `mean`. Every
    thread grows a tree of its own; they are counted together in the end.
    """

    def __init__(
        self,
        game: Game,
        exploration: float = 1.4,
        expand_at: int = 1,
        draw_value: float = 0.5,
        solve: bool = True,
        final: str = "visits",
        megabytes: float = 128,
        playout: str = "",
    ) -> None:
        if not game.info.for_two_without_chance:
            raise UnsupportedError(
                f"MCTS needs a two-player game without chance, not {short_name(game.info.name)}"
            )
        if final not in ("visits", "mean"):
            raise ValueError(f"final must be 'visits' or 'mean', not {final!r}")
        self.game = game
        self.final = final
        self.module = kernels.compiled(
            TEMPLATE,
            {RULES_HOOKS: game.rules_module, PLAYOUT_HOOKS: playout or game.playout_module},
        )
        capacity = max(int(megabytes * 2**20 / BYTES_PER_NODE / 2), game.max_moves + 2)
        self.tree, self._spare = new_tree(capacity), new_tree(capacity)
        self._origins = np.zeros(capacity, np.int64)
        self.work = layout.Work(
            params=game.params,
            random=np.zeros(4, np.uint64),
            states=np.zeros((3, game.state_words), np.uint64),
            path=np.zeros(LONGEST_PATH + 2, np.int64),
            movers=np.zeros(LONGEST_PATH + 2, np.int64),
            buffer=np.zeros(game.max_moves, np.int64),
            settings=np.array([exploration, draw_value], np.float64),
            control=np.zeros(layout.CONTROL_WORDS, np.int64),
        )
        self.work.control[layout.EXPAND_AT] = expand_at
        self.work.control[layout.PLAYOUT_PLIES] = MOST_PLAYOUT_PLIES
        self.work.control[layout.SOLVE] = solve
        self._root: Position | None = None
        self._twins: list[MonteCarloTreeSearch] = []
        self.start(0)

    def _twin(self, number: int) -> MonteCarloTreeSearch:
        """The same search with a tree and random numbers of its own, for another thread."""
        twin = copy.copy(self)
        capacity = len(self._origins)
        twin.tree, twin._spare = new_tree(capacity), new_tree(capacity)
        twin._origins = np.zeros(capacity, np.int64)
        twin.work = layout.Work(*(part.copy() for part in self.work))
        twin._twins = []
        twin.start(self._seed + number)
        return twin

    def start(self, seed: int) -> None:
        """Set the random numbers and forget the tree."""
        super().start(seed)
        self._seed = seed
        self._twins = []
        self.forget()

    def forget(self) -> None:
        """Start the next search from nothing."""
        for tree in (self, *self._twins):
            tree._root = None

    def warm_up(self) -> None:
        """Load or compile the search."""
        super().warm_up()
        with kernels.compilation(self.module):
            self._keep(0)
        claim_pages((*self.tree, *self._spare, self._origins), TREE_BYTES)
        self.forget()

    def advance(self, position: Position) -> None:
        """A move was played: keep the part of the tree below it, drop the rest."""
        for twin in self._twins:
            twin.advance(position)
        if self._root is None or position.is_over:
            self._root = None
            return
        for child in self.tree.children(0):
            move = int(self.tree.moves[child])
            if self._root.play(move) == position and int(self.tree.child_counts[child]) > 0:
                self._keep(child)
                self._root = position
                return
        self._root = None

    def _keep(self, child: int) -> None:
        old, new = self.tree, self._spare
        used = self.module.keep_subtree(old, np.int64(child), new, self._origins)
        self.work.control[layout.USED] = used
        self.tree, self._spare = new, old

    def _plant(self, position: Position) -> None:
        self.module.clear_node(self.tree, np.int64(0), np.int64(-1), np.int64(-1))
        self.work.control[layout.USED] = 1
        self._root = position

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Simulate until the limit or until the root is proven. A node is a simulation."""
        if len(self._twins) < limit.threads - 1:
            began = limit.now()
            while len(self._twins) < limit.threads - 1:
                self._twins.append(self._twin(len(self._twins) + 1))
            limit = limit.after(limit.now() - began)
        twins = self._twins[: limit.threads - 1]
        watches = side_by_side(
            partial(self._simulate, position, limit.for_each_thread(), report, stop),
            [partial(twin._simulate, position, limit.for_helpers(), no_report) for twin in twins],
        )
        result = self._result(position, watches, twins)
        report(result.as_info())
        return result

    def _simulate(self, position: Position, limit: Limit, report: Report, stop: Stop) -> Stopwatch:
        """Grow the tree; the watch that has counted."""
        watch = Stopwatch(limit, stop, most=self.game.slice_nodes)
        if self._root != position:
            self._plant(position)
        self.work.states[layout.ROOT_STATE] = position.state
        report(SearchInfo(move=position.legal_moves[0]))
        next_report = REPORT_SECONDS
        while (budget := watch.next_slice()) > 0:
            done = int(self.module.run(self.tree, self.work, np.int64(budget)))
            watch.spent(done)
            if done < budget:
                break
            if watch.elapsed >= next_report:
                next_report = watch.elapsed + REPORT_SECONDS
                report(self._result(position, [watch]).as_info())
        return watch

    def _child(self, node: int) -> Child:
        tree = self.tree
        return Child(
            int(tree.moves[node]),
            int(tree.visits[node]),
            float(tree.totals[node]),
            int(tree.proofs[node]),
        )

    def _preference(self, child: Child) -> tuple[float, float]:
        proven = {int(layout.WON): 1.0, int(layout.LOST): -1.0}.get(child.proof, 0.0)
        if self.final == "mean":
            return proven, child.mean if child.visits else -1.0
        return proven, float(child.visits)

    def _root_children(self, twins: Sequence[MonteCarloTreeSearch]) -> list[Child]:
        """What all trees together say about the moves of the root, the best first."""
        children = [self._child(node) for node in self.tree.children(0)]
        for twin in twins:
            theirs = {int(twin.tree.moves[node]): node for node in twin.tree.children(0)}
            children = [
                child.with_twin(twin._child(theirs[child.move]) if child.move in theirs else None)
                for child in children
            ]
        return sorted(children, key=self._preference, reverse=True)

    def _result(
        self,
        position: Position,
        watches: Sequence[Stopwatch],
        twins: Sequence[MonteCarloTreeSearch] = (),
    ) -> SearchResult:
        nodes, elapsed = sum(watch.nodes for watch in watches), watches[0].elapsed
        children = self._root_children(twins)
        if not children:
            return SearchResult(position.legal_moves[0], nodes=nodes, elapsed=elapsed)
        values = tuple(
            MoveValue(position.format_move(child.move), self._score(position, child), child.visits)
            for child in children
        )
        line = tuple(format_line(position, self._main_line(children[0].move)))
        return SearchResult(
            move=values[0].move,
            score=values[0].score,
            line=line,
            moves=values,
            nodes=nodes,
            depth=len(line),
            elapsed=elapsed,
        )

    def _main_line(self, move: int) -> list[int]:
        """The best line that begins with a move of the root."""
        codes = [move]
        node = next(n for n in self.tree.children(0) if int(self.tree.moves[n]) == move)
        while children := self.tree.children(node):
            node = max(children, key=lambda child: self._preference(self._child(child)))
            if not self.tree.visits[node]:
                break
            codes.append(int(self.tree.moves[node]))
        return codes

    def _score(self, position: Position, child: Child) -> Score:
        proven: dict[int, Value] = {
            int(layout.WON): "win",
            int(layout.LOST): "loss",
            int(layout.DRAWN): "draw",
        }
        return Score(position.turn, proven.get(child.proof), probability=child.mean)
