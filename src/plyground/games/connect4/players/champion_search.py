"""The champion's search of Connect 4 with mean moves, around its kernel."""

from __future__ import annotations

import numpy as np

from plyground import kernels
from plyground.core.agent import Report, Stop, no_report, no_stop
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.search import Score, SearchResult
from plyground.games.connect4 import rules
from plyground.games.connect4.players import champion_board as geometry
from plyground.games.connect4.players import champion_kernel as hooks
from plyground.search import alphabeta, alphabeta_kernel, transposition
from plyground.search.timing import Stopwatch

SLOTS = {alphabeta.POSITIONS_HOOKS: hooks.__name__, alphabeta.SELECTION_HOOKS: hooks.__name__}
WEIGHTS = (1, 6, 24, 30, 20, 14, -6, 30)
MOVE_CODES = 256


class ChampionSearch(alphabeta.Deepening):
    """Iterative deepening for one game. Its table lasts until `clear`."""

    point = 100.0
    moves_left = 14

    def __init__(
        self, game: Game, megabytes: float = 64.0, weights: tuple[int, ...] = WEIGHTS
    ) -> None:
        self.game = game
        self.module = kernels.compiled(alphabeta.TEMPLATE, SLOTS)
        params = game.params
        board = np.zeros(geometry.BOARD_WORDS, np.uint64)
        board[geometry.STEP] = params[rules.STRIDE]
        board[geometry.BOTTOM] = params[rules.BOTTOM]
        board[geometry.FULL_BOARD] = params[rules.BOTTOM] * params[rules.COLUMN]
        board[geometry.WIDTH] = params[rules.WIDTH]
        board[geometry.MEAN] = params[rules.MEAN]
        board[geometry.SIMULTANEOUS] = params[rules.SIMULTANEOUS]
        plies = int(hooks.MAX_PLY)
        table = transposition.new_table(megabytes)
        self.work = alphabeta.new_work(plies, hooks.MAX_MOVES, MOVE_CODES, table)
        self.positions = hooks.ChampionPositions(
            board,
            np.array(weights, np.int64),
            discs=np.zeros((plies + 2, 2), np.uint64),
            dangers=np.zeros(plies + 2, np.int64),
        )

    def value_all(self, exact: bool) -> None:
        """Whether searches value every move of the root exactly, not only the best one."""
        self.work.control[alphabeta_kernel.EXACT_ROOT] = exact

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Deepen until the limit or a proven result."""
        self.work.history[:] //= 8
        return super().search(position, limit, report, stop)

    def set_root(self, position: Position) -> int:
        state, turn, params = position.state, position.turn, self.game.params
        self.positions.discs[0] = (state[turn], state[1 - turn])
        plies = int(state[2]) >> int(rules.PLY_SHIFT) & int(rules.PLY_MASK)
        left = int(params[rules.PLY_LIMIT]) - plies
        if int(params[rules.MEAN]) == 0:
            left = min(left, int(params[rules.CELLS]) - plies)
        self.positions.board[geometry.SIDE] = turn
        self.positions.board[geometry.PLIES_LEFT] = left
        return min(int(hooks.MAX_PLY) - 1, left)

    def is_enough(
        self, position: Position, result: SearchResult, limit: Limit, watch: Stopwatch
    ) -> bool:
        """Also if another depth would hardly get past its first move."""
        if limit.timed and len(position.move_codes) == 1:
            return True
        if watch.seconds is not None and watch.elapsed > 0.7 * watch.seconds:
            return True
        scores = [result.score]
        if self.work.control[alphabeta_kernel.EXACT_ROOT]:
            scores = [move.score for move in result.moves]
        return all(alphabeta.is_settled(score, result.depth or 0) for score in scores)

    def score(self, position: Position, value: int, depth: int) -> Score:
        score = super().score(position, value, depth)
        if score.value is None and depth >= int(self.positions.board[geometry.PLIES_LEFT]):
            return Score(position.turn, "draw")  # the search went to the end of every game
        return score
