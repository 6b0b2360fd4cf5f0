"""Players of Competitive Sudoku from the two course reports, and the course's baselines.

None of them asks a solver: what fits is taken for a placement, so they stumble into passes.
`docs/games/competitive-sudoku.md` says where the reports' text and listings differ.
"""

from __future__ import annotations

import random
from itertools import compress

import numpy as np

from plyground import kernels
from plyground.core.agent import Agent, Report, Stop, no_report, no_stop
from plyground.core.errors import UnsupportedError
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import register_agent
from plyground.core.search import Score, SearchInfo, SearchResult
from plyground.games.competitive_sudoku import CompetitiveSudoku
from plyground.games.competitive_sudoku.players import minimax_kernel as minimax
from plyground.games.competitive_sudoku.players.board import PlayerBoard
from plyground.games.competitive_sudoku.position_data import PositionData
from plyground.search.timing import Stopwatch

NAME = "competitive-sudoku"
SLICE_WORK = 4_000_000
MOVES_TESTED = 100
"""Moves that are tested between two looks at the clock: a millisecond."""
MOVES_SHOWN = 20
"""Moves in an answer: there are thousands on large boards, which are slow to pass on."""
Move = tuple[int, int]


class BoardAgent(Agent):
    """Keeps the arrays of the board; subclasses decide on them. Plays a random candidate."""

    def new_game(self, game: Game, seed: int) -> None:
        if not isinstance(game, CompetitiveSudoku):
            raise UnsupportedError(f"agent {self.name} plays {NAME}, not {game.info.name}")
        super().new_game(game, seed)
        self.random = random.Random(seed)
        self.board = PlayerBoard(game)

    def load(self, position: Position) -> PositionData:
        """Take over a position; one of another block size or mode brings its own game along."""
        mine, other = self.game, position.game
        if other is not mine and not np.array_equal(other.params, mine.params):
            self.new_game(other, self.seed)
        return self.board.load(position)

    def choose(self, position: Position, limit: Limit) -> str:
        self.load(position)
        moves = self.board.fitting(self.board.player)
        return self.board.text(*self.random.choice(self.candidates(moves)))

    def candidates(self, moves: list[Move]) -> list[Move]:
        """Those of the moves that may be played."""
        return moves

    def begin_turn(self, position: Position, limit: Limit, stop: Stop) -> Stopwatch:
        """Take over a position; the clock runs meanwhile."""
        watch = Stopwatch(limit, stop)
        self.load(position)
        return watch

    def result(
        self, move: Move, watch: Stopwatch, value: float | None = None, depth: int | None = None
    ) -> SearchResult:
        """The result of a search, its value in points for the mover."""
        score = None if value is None else Score(self.board.player, points=value)
        return SearchResult(
            self.board.text(*move),
            score,
            nodes=watch.nodes,
            depth=depth,
            elapsed=watch.elapsed,
        )


@register_agent(NAME)
class RandomFittingAgent(BoardAgent):
    """Plays a random move that fits and is not taboo."""

    name = "random"
    summary = "a random move that conflicts with nothing"


@register_agent(NAME)
class GreedyAgent(BoardAgent):
    """Takes the highest reward now, ties at random, whether the board stays solvable or not."""

    name = "greedy"
    summary = "the highest reward now"

    def candidates(self, moves: list[Move]) -> list[Move]:
        best = max(self.board.reward(cell) for cell, _ in moves)
        return [move for move in moves if self.board.reward(move[0]) == best]


def shuffled_squares(moves: list[Move], chance: random.Random) -> list[Move]:
    """The squares of the moves, and the values of each square, in random order."""
    squares: dict[int, list[Move]] = {}
    for move in moves:
        squares.setdefault(move[0], []).append(move)
    groups = list(squares.values())
    chance.shuffle(groups)
    return [move for group in groups for move in chance.sample(group, len(group))]


class MinimaxAgent(BoardAgent):
    """Iterative-deepening minimax; subclasses order the root's moves and set its switches."""

    first_depth = 1
    prune = True
    prefer_empty = False
    dead_end_loses = False
    merge_values = False

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.kernels = kernels.compiled(minimax.__name__)
        self.control = np.zeros(minimax.CONTROL_WORDS, np.int64)
        self.frames = np.zeros((self.board.geometry.cells + 2, minimax.FRAME_WORDS), np.int64)

    def warm_up(self) -> None:
        position = self.game.start()
        if not position.is_over:
            with kernels.compilation(self.kernels):
                self.search(position, Limit(nodes=50))
        self.new_game(self.game, self.seed)

    def order(self, moves: list[Move]) -> list[Move]:
        """The root's moves in the order in which they are tried."""
        return moves

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        watch = self.begin_turn(position, limit, stop)
        moves = self.order(self.board.fitting(self.board.player))
        report(SearchInfo(self.board.text(*moves[0])))
        return self.deepen(moves, moves[0], limit, watch, report)

    def deepen(
        self, moves: list[Move], proposal: Move, limit: Limit, watch: Stopwatch, report: Report
    ) -> SearchResult:
        """Search deeper and deeper; the best move of the last finished depth counts."""
        board, control = self.board, self.control
        taken = set(moves) | self.left_out()
        everything = moves + [move for move in board.fitting() if move not in taken]
        control[:] = 0
        control[minimax.ROOT_MOVES] = len(moves)
        control[minimax.PRUNE] = self.prune
        control[minimax.PREFER_EMPTY] = self.prefer_empty
        control[minimax.DEAD_END_LOSES] = self.dead_end_loses
        control[minimax.MERGE_VALUES] = self.merge_values
        arrays = minimax.Search(control, self.frames, self.listed(everything), board.arrays)
        # A node may have to look at every move of the list: large boards get short slices.
        longest = SLICE_WORK // len(everything) + 50
        deepest = board.empty
        deepest = min(deepest, limit.depth) if limit.depth else deepest
        value: float | None = None
        reached: int | None = None
        for depth in range(min(self.first_depth, deepest), deepest + 1):
            self.kernels.begin(arrays, np.int64(board.player), np.int64(depth))
            finished = False
            while not finished:
                budget = min(watch.next_slice(), longest)
                if budget <= 0:
                    break
                before = int(control[minimax.NODES])
                finished = bool(self.kernels.run(arrays, np.int64(budget)))
                watch.spent(int(control[minimax.NODES]) - before)
            first_round = value is None
            if (finished or first_round) and control[minimax.BEST_MOVE] >= 0:
                value = int(control[minimax.BEST_VALUE]) / int(minimax.SCALE)
                proposal = self.propose(moves[int(control[minimax.BEST_MOVE])], value)
                reached = depth if finished else None
                report(
                    SearchInfo(
                        board.text(*proposal),
                        Score(board.player, points=value),
                        depth,
                        watch.nodes,
                        watch.elapsed,
                    )
                )
            if not finished:
                break
        return self.result(proposal, watch, value, reached)

    def listed(self, moves: list[Move]) -> minimax.Moves:
        """The moves in the order of the list, as the kernels take them."""
        values: dict[int, int] = {}
        for cell, digit in moves:
            values[cell] = values.get(cell, 0) | 1 << digit - 1
        place_of = {cell: place for place, cell in enumerate(values)}
        squares = np.array(list(values), np.int64)
        units = self.board.arrays.unit_of[squares].astype(np.uint64)
        shift = minimax.UNIT_BITS
        return minimax.Moves(
            np.array([cell for cell, _ in moves], np.int64),
            np.array([1 << digit - 1 for _, digit in moves], np.uint64),
            np.array([place_of[cell] for cell, _ in moves], np.uint64),
            squares,
            np.array(list(values.values()), np.uint64),
            units[:, 0] | units[:, 1] << shift | units[:, 2] << 2 * shift,
        )

    def propose(self, move: Move, value: float) -> Move:
        """What to play when the search likes this move for this value."""
        return move

    def left_out(self) -> set[Move]:
        """Moves that the search does not look at, whoever could play them."""
        return set()


@register_agent(NAME)
class FirstReportAgent(MinimaxAgent):
    """Plain minimax, deeper and deeper; the first possible move is proposed at once."""

    name = "a1"
    summary = "iterative-deepening minimax without pruning (report of team 40)"
    prune = False
    dead_end_loses = True


@register_agent(NAME)
class SecondReportAgent(MinimaxAgent):
    """Alpha-beta that tries narrow squares first and likes empty regions."""

    name = "a2"
    summary = "alpha-beta with the squares' priority order (report of team 33, A2)"

    def __init__(
        self, priority: bool = True, twos_last: bool = True, prefer_empty: bool = True
    ) -> None:
        self.priority, self.twos_last, self.prefer_empty = priority, twos_last, prefer_empty

    def order(self, moves: list[Move]) -> list[Move]:
        if not self.priority:
            return shuffled_squares(moves, self.random)
        possible: dict[int, int] = {}
        for cell, _ in moves:
            possible[cell] = possible.get(cell, 0) + 1
        late = 2 if self.twos_last else -1
        return sorted(moves, key=lambda m: (possible[m[0]] == late, possible[m[0]], m))


@register_agent(NAME)
class ThirdReportAgent(MinimaxAgent):
    """Alpha-beta from depth 2 that passes by a known unsolvable move when it would lose points.

    The list of unsolvable moves is made by the block-row test between the two fill rates, kept
    between turns, and made again when it is empty.
    """

    name = "a3"
    summary = "alpha-beta with a list of unsolvable moves (report of team 33, A3)"

    def __init__(
        self,
        unsolvable: bool = True,
        lower: float = 0.2,
        upper: float = 0.85,
        step: float = 0.1,
        merge: bool = False,
        order: bool = True,
        start: int = 2,
    ) -> None:
        if start < 1:
            raise ValueError("start, the first depth, must be at least 1")
        self.unsolvable, self.lower, self.upper, self.step = unsolvable, lower, upper, step
        self.by_reward, self.first_depth = order, start
        self.merge_values = merge

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.passes: list[Move] = []
        self.lower_now = self.lower
        self.unfinished = False

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        watch = self.begin_turn(position, limit, stop)
        board = self.board
        moves = shuffled_squares(board.fitting(board.player), self.random)
        report(SearchInfo(board.text(*moves[0])))
        if self.by_reward:
            moves.sort(key=lambda move: -board.reward(move[0]))
            report(SearchInfo(board.text(*moves[0])))
        if self.unsolvable:
            self._list_passes(moves, watch)
            known = self.left_out()
            moves = [move for move in moves if move not in known] or moves
        return self.deepen(moves, moves[0], limit, watch, report)

    def warm_up(self) -> None:
        position = self.game.start()
        if not position.is_over:
            with kernels.compilation(self.kernels):
                self.load(position)
                self.board.blocking(self.board.fitting(self.board.player)[:1])
        super().warm_up()

    def propose(self, move: Move, value: float) -> Move:
        return self.passes[0] if value < 0 and self.passes else move

    def left_out(self) -> set[Move]:
        return set(self.passes)

    def _list_passes(self, moves: list[Move], watch: Stopwatch) -> None:
        """Bring the list up to date, or make a new one if it is empty and the fill rate fits."""
        board = self.board
        if self.unfinished:
            self.lower_now += self.step
            self.unfinished = False
        playable = set(moves)
        self.passes = [move for move in self.passes if move in playable]
        if self.passes or not self.lower_now < board.fill < self.upper:
            return
        self.unfinished = True
        useless = [move for move in moves if board.reward(move[0]) == 0]
        kept_back = 0.005 if watch.seconds is None else min(0.005, watch.seconds / 4)
        for start in range(0, len(useless), MOVES_TESTED):
            if watch.remaining <= kept_back:
                return
            tested = useless[start : start + MOVES_TESTED]
            self.passes += compress(tested, board.blocking(tested))
        self.unfinished = False
