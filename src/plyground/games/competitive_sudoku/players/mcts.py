"""Monte Carlo tree search of the second course report, and its hybrid with minimax."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.core.agent import Report, Stop, no_report, no_stop
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import register_agent
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.games.competitive_sudoku.players import mcts_kernel
from plyground.games.competitive_sudoku.players.board import new_board
from plyground.games.competitive_sudoku.players.reports import (
    MOVES_SHOWN,
    NAME,
    BoardAgent,
    Move,
    ThirdReportAgent,
)
from plyground.kernels import random as kernel_random
from plyground.search.timing import SLICE_SECONDS

REPORT_SECONDS = 0.05


@register_agent(NAME, name="mcts")
class TreeAgent(BoardAgent):
    """Random playouts scored as won or not won; the tree is kept between turns."""

    name = "mcts"
    summary = "Monte Carlo tree search with win/loss playouts (report of team 33, A3)"

    def __init__(self, c: float = 2.0, reuse: bool = True, nodes: int = 1_000_000) -> None:
        if nodes < 2000:
            raise ValueError("nodes must be at least 2000")
        self.c, self.reuse, self.nodes = c, reuse, nodes

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.kernels = kernels.compiled(mcts_kernel.__name__)
        if not hasattr(self, "tree"):
            self.tree, self.spare = self._new_tree(), self._new_tree()
        self.tree.used[0] = 0
        shape, root = self.board.geometry, self.board.arrays
        most_moves = shape.cells * shape.size + 1
        generator = np.zeros(kernel_random.STATE_WORDS, np.uint64)
        kernels.compiled(kernel_random.__name__).seed_random(generator, np.uint64(seed % 2**64))
        self.arrays = mcts_kernel.Search(
            self.tree,
            root,
            new_board(shape)._replace(taboo=root.taboo),
            np.zeros(shape.cells + 2, np.int64),
            np.zeros(most_moves, np.int32),
            np.zeros(most_moves, np.int32),
            generator,
        )

    def _new_tree(self) -> mcts_kernel.Tree:
        return mcts_kernel.Tree(
            np.zeros((self.nodes, mcts_kernel.NODE), np.int32),
            np.zeros((2, self.nodes), np.float64),
            np.zeros(1, np.int64),
        )

    def warm_up(self) -> None:
        position = self.game.start()
        if not position.is_over:
            with kernels.compilation(self.kernels):
                self.search(position, Limit(nodes=4))
                self._keep_below(0)
        self.new_game(self.game, self.seed)

    def observe(self, position: Position, move: str) -> None:
        """Follow the move in the tree. After a pass the other player is to move: a new tree."""
        if self.tree.used[0] and not (self.reuse and self._keep(position.parse_move(move))):
            self.tree.used[0] = 0

    def _keep(self, code: int) -> bool:
        """Keep the tree below a move, if it has one."""
        cell, value = code // 64, code % 64 // 2
        wanted = cell * int(mcts_kernel.CODE_CELL) + value
        first, children = self._children()
        matches = np.flatnonzero(children[:, mcts_kernel.MOVE] == wanted)
        if code % 2 or not len(matches):
            return False
        self._keep_below(first + int(matches[0]))
        return True

    def _children(self) -> tuple[int, npt.NDArray[np.int32]]:
        """The number of the root's first child, and the nodes of all its children."""
        nodes = self.tree.nodes
        first, count = (int(nodes[0, i]) for i in (mcts_kernel.FIRST, mcts_kernel.COUNT))
        return first, nodes[first : first + count]

    def _keep_below(self, root: int) -> None:
        self.kernels.keep_subtree(self.tree, np.int64(root), self.spare)
        self.tree, self.spare = self.spare, self.tree
        self.arrays = self.arrays._replace(tree=self.tree)

    def _plant(self, player: int) -> None:
        """A new root, or the kept one if it is the right player's turn."""
        root = self.tree.nodes[0]
        if self.tree.used[0] == 0 or root[mcts_kernel.BY] != 1 - player:
            root[:] = 0
            root[mcts_kernel.BY] = 1 - player
            self.tree.used[0] = 1

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        watch = self.begin_turn(position, limit, stop)
        board = self.board
        proposal = self.random.choice(board.fitting(board.player))
        report(SearchInfo(board.text(*proposal)))
        self._plant(board.player)
        reported, longest = 0.0, 4
        while (budget := watch.next_slice()) > 0:
            # The first playouts say how long one takes on this board.
            budget = min(budget, longest)
            before = watch.elapsed
            done = int(self.kernels.iterate(self.arrays, float(self.c), np.int64(budget)))
            rate = done / max(watch.elapsed - before, 1e-6)
            longest = max(1, min(int(rate * SLICE_SECONDS), 4 * longest))
            watch.spent(done)
            best = self._best()
            if best != proposal or watch.elapsed - reported > REPORT_SECONDS:
                proposal, reported = best or proposal, watch.elapsed
                score = self._score(best)
                report(
                    SearchInfo(
                        board.text(*proposal), score, nodes=watch.nodes, elapsed=watch.elapsed
                    )
                )
        return SearchResult(
            board.text(*proposal),
            self._score(self._best()),
            moves=self._values(),
            nodes=watch.nodes,
            elapsed=watch.elapsed,
        )

    def _best(self) -> Move | None:
        child = int(self.kernels.best_by_mean(self.tree))
        if child < 0:
            return None
        code = int(self.tree.nodes[child, mcts_kernel.MOVE])
        return code // int(mcts_kernel.CODE_CELL), code % int(mcts_kernel.CODE_CELL)

    def _score(self, move: Move | None) -> Score | None:
        child = int(self.kernels.best_by_mean(self.tree))
        if move is None or child < 0:
            return None
        visits, wins = (
            int(self.tree.nodes[child, i]) for i in (mcts_kernel.VISITS, mcts_kernel.WINS)
        )
        return Score(self.board.player, probability=wins / max(visits, 1))

    def _values(self) -> tuple[MoveValue, ...]:
        """The most visited moves with their means."""
        _, children = self._children()
        shown = np.argsort(-children[:, mcts_kernel.VISITS], kind="stable")[:MOVES_SHOWN]
        out = []
        for row in children[shown].tolist():
            code, visits = row[mcts_kernel.MOVE], row[mcts_kernel.VISITS]
            cell, value = divmod(code, int(mcts_kernel.CODE_CELL))
            score = Score(self.board.player, probability=row[mcts_kernel.WINS] / max(visits, 1))
            out.append(MoveValue(self.board.text(cell, value), score, visits))
        return tuple(out)


@register_agent(NAME)
class HybridAgent(TreeAgent):
    """Tree search while the board is emptier than `switch`, the third report's minimax after it."""

    name = "hybrid"
    summary = "Monte Carlo tree search early, minimax late"

    def __init__(self, switch: float = 0.5, c: float = 2.0, nodes: int = 1_000_000) -> None:
        super().__init__(c, nodes=nodes)
        self.switch = switch
        self.late = ThirdReportAgent()

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.late.new_game(game, seed)

    def warm_up(self) -> None:
        super().warm_up()
        self.late.warm_up()

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        self.load(position)
        if self.board.fill < self.switch:
            return super().search(position, limit, report, stop)
        return self.late.search(position, limit, report, stop)
