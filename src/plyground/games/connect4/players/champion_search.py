"""The champion's search of Connect 4 with mean moves, around its kernel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from plyground import kernels
from plyground.core.agent import Report, Stop, ignore_info, never_stop
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.games.connect4 import rules
from plyground.games.connect4.players import champion_board as geometry
from plyground.games.connect4.players import champion_kernel as layout
from plyground.search.alphabeta import format_line
from plyground.search.timing import Stopwatch

KERNEL = "plyground.games.connect4.players.champion_kernel"
WEIGHTS = (1, 6, 24, 30, 20, 14, -6, 30)
POINT = 100.0


class ChampionSearch:
    """Iterative deepening for one game. Its table lasts until `clear`."""

    def __init__(
        self, game: Game, megabytes: float = 64.0, weights: tuple[int, ...] = WEIGHTS
    ) -> None:
        self.game = game
        self.kernel = kernels.compiled(KERNEL)
        self.weights = np.array(weights, np.int64)
        params = game.params
        self.board = np.zeros(geometry.BOARD_WORDS, np.uint64)
        self.board[geometry.STEP] = params[rules.STRIDE]
        self.board[geometry.BOTTOM] = params[rules.BOTTOM]
        self.board[geometry.FULL_BOARD] = params[rules.BOTTOM] * params[rules.COLUMN]
        self.board[geometry.WIDTH] = params[rules.WIDTH]
        self.board[geometry.MEAN] = params[rules.MEAN]
        self.board[geometry.SIMULTANEOUS] = params[rules.SIMULTANEOUS]
        depth = layout.MAX_PLY + 2
        self.boards = np.zeros((depth, 2), np.uint64)
        self.moves = np.zeros((depth, layout.MAX_MOVES), np.int64)
        self.scores = np.zeros((depth, layout.MAX_MOVES), np.int64)
        self.frames = np.zeros((depth, layout.FRAME_WORDS), np.int64)
        self.line = np.zeros((depth, depth + 2), np.int64)
        self.killers = np.full((depth, 2), -1, np.int64)
        self.history = np.zeros((2, 256), np.int64)
        self.root_values = np.zeros((layout.MAX_MOVES, 2), np.int64)
        self.control = np.zeros(layout.CONTROL_WORDS, np.int64)
        buckets = 1 << max(0, int(megabytes * 2**20 / 32).bit_length() - 1)
        self.table = np.zeros((buckets, 4), np.uint64)

    def clear(self) -> None:
        """Forget everything learnt from earlier searches."""
        # Fresh pages cost nothing until they are used, wiping touches all of them.
        self.table = np.zeros(self.table.shape, np.uint64)
        self.killers[:] = -1
        self.history[:] = 0

    def warm_up(self) -> None:
        """Load or compile the search."""
        with kernels.compilation(self.kernel):
            self.search(self.game.start(), Limit(depth=3, nodes=500))
        self.clear()

    def search(
        self,
        position: Position,
        limit: Limit,
        report: Report = ignore_info,
        stop: Stop = never_stop,
        exact_root: bool = False,
    ) -> SearchResult:
        """Deepen until the limit or a proven result. `exact_root` values every move exactly."""
        watch = Stopwatch(limit, stop, moves_left=14)
        result = SearchResult(position.legal_moves[0], depth=0)
        report(SearchInfo(move=result.move))
        self._set_root(position, exact_root)
        left = int(self.control[layout.PLIES_LEFT])
        deepest = min(limit.depth or layout.MAX_PLY, layout.MAX_PLY - 2, left)
        for depth in range(1, deepest + 1):
            if not self._search_depth(depth, watch):
                return self._with_unfinished(position, result, watch)
            result = self._result(position, depth, watch)
            report(result.as_info())
            if len(position.move_codes) == 1 and limit.timed:
                break
            if self._settled(result, depth, exact_root) or self._out_of_time(watch):
                break
        return result

    def _set_root(self, position: Position, exact_root: bool) -> None:
        state = position.state
        turn = position.turn
        self.boards[0] = (state[turn], state[1 - turn])
        self.board[geometry.SIDE] = turn
        plies = int(state[2]) >> int(rules.PLY_SHIFT) & int(rules.PLY_MASK)
        left = int(self.game.params[rules.PLY_LIMIT]) - plies
        if int(self.game.params[rules.MEAN]) == 0:
            left = min(left, int(self.game.params[rules.CELLS]) - plies)
        self.control[layout.PLIES_LEFT] = left
        self.control[layout.EXACT_ROOT] = exact_root
        self.killers[:] = -1
        self.history //= 8

    def _settled(self, result: SearchResult, depth: int, exact_root: bool) -> bool:
        """Whether a deeper search cannot change anything."""
        scores = [move.score for move in result.moves] if exact_root else [result.score]
        return all(
            score is not None and score.value is not None and (score.distance or 0) <= depth
            for score in scores
        )

    def _out_of_time(self, watch: Stopwatch) -> bool:
        """Whether another depth would hardly get past its first move."""
        return watch.seconds is not None and watch.elapsed > 0.7 * watch.seconds

    def _search_depth(self, depth: int, watch: Stopwatch) -> bool:
        """Search to a depth; False if the limit came first."""
        self.root_values[:, 0] = -1
        self.kernel.begin(np.int64(depth), self.frames, self.control)
        while True:
            budget = watch.next_slice()
            if budget <= 0:
                return False
            before = int(self.control[layout.NODES])
            done = self.kernel.run(
                self.board,
                self.weights,
                np.int64(budget),
                self.boards,
                self.moves,
                self.scores,
                self.frames,
                self.line,
                self.killers,
                self.history,
                self.table,
                self.root_values,
                self.control,
            )
            watch.spent(int(self.control[layout.NODES]) - before)
            if done:
                return True

    def _result(self, position: Position, depth: int, watch: Stopwatch) -> SearchResult:
        codes = self.line[0, 1 : 1 + int(self.line[0, 0])]
        return SearchResult(
            move=position.format_move(int(self.frames[0, layout.BEST_MOVE])),
            score=self._score(position, int(self.control[layout.ROOT_VALUE]), depth),
            line=tuple(format_line(position, [int(code) for code in codes])),
            moves=tuple(self._root_moves(position, depth)),
            nodes=watch.nodes,
            depth=depth,
            elapsed=watch.elapsed,
        )

    def _with_unfinished(
        self, position: Position, result: SearchResult, watch: Stopwatch
    ) -> SearchResult:
        """The last finished depth, or a better move that the unfinished one has already found."""
        frame = self.frames[0]
        best = int(frame[layout.BEST_MOVE])
        first_tried = int(self.root_values[0, 0])
        move, score, line = result.move, result.score, result.line
        if best >= 0 and first_tried >= 0 and position.format_move(first_tried) == result.move:
            found = position.format_move(best)
            if found != move:
                move, line = found, (found,)
                score = self._score(position, int(frame[layout.BEST]), result.depth or 0)
        return SearchResult(
            move, score, line, result.moves, watch.nodes, result.depth, watch.elapsed
        )

    def _root_moves(self, position: Position, depth: int) -> Iterator[MoveValue]:
        for code, value in self.root_values[: int(self.frames[0, layout.COUNT])]:
            if code >= 0:
                yield MoveValue(
                    position.format_move(int(code)), self._score(position, int(value), depth)
                )

    def _score(self, position: Position, value: int, depth: int) -> Score:
        player = position.turn
        if abs(value) > layout.PROVEN:
            distance = int(layout.WIN) - abs(value)
            return Score(player, "win" if value > 0 else "loss", distance)
        if depth >= int(self.control[layout.PLIES_LEFT]):
            return Score(player, "draw")  # the search went to the end of every game
        return Score(player, points=value / POINT)
