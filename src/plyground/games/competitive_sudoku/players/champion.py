"""The champion of Competitive Sudoku.

The values hardly matter for the points: what counts is who has to open the regions, and that is
decided by parity and by the pool of passes. Once all solutions of the board can be listed, the
champion searches over them with an exact pool at every node. Before that it searches a sample of
solutions in which every possible value occurs, and chooses among equally good moves one that
leaves the right parity.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import nlargest

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.core.agent import Report, Stop, no_report, no_stop
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import register_agent
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult, Value
from plyground.games.competitive_sudoku.players.move_values import analyse_moves
from plyground.games.competitive_sudoku.players.reports import MOVES_SHOWN, NAME, BoardAgent
from plyground.games.competitive_sudoku.players.traps import Search, TrapFinder
from plyground.games.competitive_sudoku.position_data import PositionData
from plyground.games.competitive_sudoku.solvers import estimate
from plyground.games.competitive_sudoku.solvers.many_solutions import ManySolutionsSearch
from plyground.games.competitive_sudoku.solvers.one_solution import MOST_SQUARES, OneSolutionSearch
from plyground.games.competitive_sudoku.solvers.root_search import NO_LIMIT, RootMove
from plyground.search.timing import Stopwatch
from plyground.search.transposition import Table, new_table
from plyground.sudoku.geometry import Geometry
from plyground.sudoku.solution_lister import SolutionLister

GUESSES_PER_SECOND = 150_000
LISTING_SHARE = 0.2
COVER_SHARE = 0.35
WIDE_SHARE = 0.4
PARITY_SHARE = 0.85
GUESSES = 300
PROOF_EMPTIES = 30
DEEPEST = 110
MOST_POINTS = 300.0
LEFT_TO_WARM_UP = 6
FEW_PASSES = 3
NEAR_BEST = 0.35
"""Open boards: moves this close to the best one, in points, are told apart by parity."""


@register_agent(NAME)
class ChampionAgent(BoardAgent):
    """Parity, passes and exact endgames."""

    name = "champion"
    summary = "search over the solution set: parity, passes, territory, exact endgames"

    def __init__(self, megabytes: float = 16.0, window: float = 10.0) -> None:
        if megabytes <= 0 or window <= 0:
            raise ValueError("megabytes and window must be above 0")
        self.megabytes, self.window = megabytes, window

    shape: Geometry | None = None

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        if self.shape != self.board.geometry:
            self.shape = self.board.geometry
            self.lister = SolutionLister(self.shape)
        self.lister.forget()
        self.known: npt.NDArray[np.int64] | None = None

    def warm_up(self) -> None:
        position = self.game.start()
        if not position.is_over:
            self.search(position, Limit(nodes=200))
            data = self.board.load(position)
            cover, _ = self.lister.cover(np.array(data.cells, np.int64), 1000)
            late = _nearly_full(data, cover[0])
            searches: list[Search] = [
                ManySolutionsSearch(late, cover[:1].copy()),
                OneSolutionSearch(late, cover[0].copy()),
            ]
            for search in searches:
                with kernels.compilation(search.kernels):
                    search.begin(2, -MOST_POINTS, MOST_POINTS, FEW_PASSES, reduce=True)
                    search.run(100)
                    search.play(search.tried[0])
                    search.back()
                    TrapFinder(search, 0.0, Stopwatch(Limit(nodes=200))).best()
        self.new_game(self.game, self.seed)

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        watch = Stopwatch(limit, stop)
        data = self.load(position)
        fallback = max(self.board.fitting(data.player), key=lambda move: self.board.reward(move[0]))
        report(SearchInfo(self.board.text(*fallback)))
        thinking = _Thinking(self, data, limit, watch, report)
        solutions = self._solutions(data, watch)
        if solutions is not None:
            return thinking.closed(solutions)
        return thinking.open(RootMove(*fallback, is_pass=False))

    def analyse(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """A value for every legal move (`move_values`); the first ones come at once."""
        return analyse_moves(self, position, limit, report, stop)

    def _solutions(self, data: PositionData, watch: Stopwatch) -> npt.NDArray[np.int64] | None:
        """All solutions of the board, if they can be listed in a share of the time."""
        cells = np.array(data.cells, np.int64)
        if self.known is not None:
            filled = cells > 0
            self.known = self.known[(self.known[:, filled] == cells[filled]).all(axis=1)]
            if len(self.known):
                return self.known
        seconds = 0.5 if watch.seconds is None else watch.seconds
        scale = (81 / len(cells)) ** 1.5
        guesses = int(seconds * LISTING_SHARE * GUESSES_PER_SECOND * scale)
        found = self.lister.solutions(cells, max(guesses, 50))
        self.known = None if found is None else found.copy()
        return self.known


def _nearly_full(data: PositionData, solution: npt.NDArray[np.int64]) -> PositionData:
    """The position with all but a few of its empty squares filled as in a solution."""
    empty = [cell for cell, value in enumerate(data.cells) if value == 0]
    cells = [int(value) for value in solution]
    for cell in empty[:LEFT_TO_WARM_UP]:
        cells[cell] = 0
    return replace(data, cells=tuple(cells))


def _verdict(total: float) -> Value:
    return "win" if total > 0 else "loss" if total < 0 else "draw"


class _Thinking:
    """One turn of the champion."""

    def __init__(
        self,
        agent: ChampionAgent,
        data: PositionData,
        limit: Limit,
        watch: Stopwatch,
        report: Report,
    ) -> None:
        self.agent, self.data, self.limit = agent, data, limit
        self.watch, self.report = watch, report
        self.gap = data.scores[data.player] - data.scores[1 - data.player]
        self.note = ""
        self.tried: list[RootMove] = []

    def closed(self, solutions: npt.NDArray[np.int64]) -> SearchResult:
        """All solutions are known: deepen in a wide window, then try to prove the result."""
        search = self._search(solutions)
        self.note = f"{len(solutions)} solutions, {search.passes} passes"
        proving = len(search.slots) <= PROOF_EMPTIES
        share = WIDE_SHARE if proving else 1.0
        target = float(-self.gap)
        best, depth, resolved = self._deepen(search, target, self.agent.window, FEW_PASSES, share)
        best = best or search.first_move
        value = search.value
        if proving and not resolved:
            proof, proof_depth, proven = self._deepen(search, target, 0.5, NO_LIMIT, 1.0)
            if proof is not None and proof.points is not None:
                wins = proof.points > target
                if wins and (proven or proof_depth >= depth):
                    best, depth = proof, proof_depth
                resolved, value = proven, proof.points
                if proven and proof.points == target:
                    best = proof
        self.tried = search.tried
        if resolved and value < target:
            best = TrapFinder(search, self.gap, self.watch).best() or best
        return self._result(best, depth, resolved, value)

    def _search(self, solutions: npt.NDArray[np.int64]) -> Search:
        """The search that fits the number of solutions, with an empty table."""
        if len(solutions) == 1 and self.data.cells.count(0) <= MOST_SQUARES:
            return OneSolutionSearch(self.data, solutions[0], self._new_table())
        return ManySolutionsSearch(self.data, solutions, self._new_table())

    def _new_table(self) -> Table:
        # Fresh pages cost nothing until they are used, wiping touches all of them.
        return new_table(self.agent.megabytes)

    def _deepen(
        self,
        search: Search,
        target: float,
        window: float,
        pass_limit: int,
        share: float,
    ) -> tuple[RootMove | None, int, bool]:
        """Deeper and deeper: best move of the last finished depth, that depth, is it certain.

        A window of less than a point around the target only asks for win or loss. A wider one is
        opened downwards when all moves fall below it: a lost cause still has a best move.
        """
        best: RootMove | None = None
        reached = 0
        proving = window < 1
        alpha, beta = target - window, target + window
        deepest = min(DEEPEST, self.limit.depth or DEEPEST)
        depth = 0
        while depth < deepest:
            depth += 1
            search.begin(depth, alpha, beta, pass_limit, reduce=not proving)
            finished = False
            while not finished:
                budget = min(self.watch.next_slice(), search.short_slice)
                if self.watch.seconds is not None:
                    used = self.watch.elapsed / self.watch.seconds
                    budget = 0 if used > share else budget
                elif self.limit.nodes is not None and self.watch.nodes > share * self.limit.nodes:
                    budget = 0
                if budget <= 0:
                    break
                before = search.nodes
                finished = search.run(budget)
                self.watch.spent(search.nodes - before)
            current = search.best
            if not finished:
                # Of an unfinished depth only an improvement on the first move is news.
                return (best if best is not None else current), reached, False
            if search.value <= alpha > -MOST_POINTS and not (proving or search.resolved):
                alpha = -MOST_POINTS
                depth -= 1
                continue
            if current is not None:
                best, reached = current, depth
                self._tell(best, depth)
            if search.resolved:
                return best, reached, True
        return best, reached, False

    def _tell(self, move: RootMove, depth: int) -> None:
        self.report(
            SearchInfo(
                self._text(move),
                Score(self.data.player, points=move.points),
                depth,
                self.watch.nodes,
                self.watch.elapsed,
                note=self.note,
            )
        )

    def _text(self, move: RootMove) -> str:
        return self.agent.board.text(move.cell, move.value) + "!" * move.is_pass

    def _result(self, best: RootMove, depth: int, resolved: bool, value: float) -> SearchResult:
        player = self.data.player
        if resolved:
            total = value + self.gap
            score = Score(player, _verdict(total), points=value)
        else:
            score = Score(player, points=best.points)
        moves = tuple(
            MoveValue(self._text(move), Score(player, points=move.points))
            for move in nlargest(MOVES_SHOWN, self.tried, key=lambda m: m.points or 0.0)
        )
        return SearchResult(
            self._text(best),
            score,
            moves=moves,
            nodes=self.watch.nodes,
            depth=depth,
            elapsed=self.watch.elapsed,
            note=self.note,
        )

    def open(self, fallback: RootMove) -> SearchResult:
        """Too many solutions: search a sample for points and territory, then look at parity.

        Without a single solution there is nothing to search: then the fallback is played.
        """
        cells = np.array(self.data.cells, np.int64)
        cover, doubtful = self.agent.lister.cover(
            cells, GUESSES, lambda: self._used_more_than(COVER_SHARE)
        )
        if not len(cover):
            return self._result(fallback, 0, False, 0.0)
        search = ManySolutionsSearch(self.data, cover, self._new_table())
        search.positions.taboo[:] |= doubtful[search.slots].astype(np.uint64)
        search.positions.weights[[estimate.PARITY, estimate.PARITY_BASE]] = 0
        self.note = f"many solutions, {search.passes} passes"
        share = 0.4 if self.data.allowed is None else 0.95
        best, depth, _ = self._deepen(search, 0, MOST_POINTS, 0, share)
        best = best or search.first_move
        if self.data.allowed is None:
            best = self._by_parity(search, best)
        self.tried = search.tried
        return self._result(best, depth, False, search.value)

    def _by_parity(self, search: ManySolutionsSearch, best: RootMove) -> RootMove:
        """Among the moves that are nearly best, one that leaves squares and passes even."""
        empties = len(search.slots)
        pool = search.passes
        limit = (best.points or 0.0) - NEAR_BEST
        close = [move for move in search.tried if (move.points or 0.0) >= limit]
        if empties % 2 == 0:
            if pool % 2 == 0:
                return best
            return next((move for move in close if move.is_pass), best)
        board = self.agent.board
        cells = np.array(self.data.cells, np.int64)
        chosen, fewest = best, 1 << 30
        for move in close:
            if move.is_pass:
                continue
            cells[move.cell] = move.value
            masks = self.agent.lister.values_after(
                cells, GUESSES, lambda: self._used_more_than(PARITY_SHARE)
            )
            cells[move.cell] = 0
            if masks is None:
                break
            left = board.passes_after(move.cell, move.value, masks)
            freedom = int(np.bitwise_count(masks).sum())
            if left % 2 == 0 and freedom < fewest:
                chosen, fewest = move, freedom
        return chosen

    def _used_more_than(self, share: float) -> bool:
        watch = self.watch
        return watch.seconds is not None and watch.elapsed > share * watch.seconds
