"""Iterative-deepening alpha-beta for any two-player game without chance."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import msgspec
import numpy as np

from plyground import kernels
from plyground.core.agent import Report, Stop, no_report, no_stop
from plyground.core.errors import UnsupportedError
from plyground.core.files import short_name
from plyground.core.game import Game, Position, Scoring
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.search import alphabeta_kernel as layout
from plyground.search import transposition, values
from plyground.search.contract.positions import Positions
from plyground.search.pages import claim_pages
from plyground.search.perft import RULES_HOOKS
from plyground.search.side_by_side import side_by_side
from plyground.search.timing import Stopwatch

TEMPLATE = "plyground.search.alphabeta_kernel"
EVALUATION_HOOKS = "plyground.search.contract.evaluation"
ORDERING_HOOKS = "plyground.search.contract.ordering"
POSITIONS_HOOKS = "plyground.search.contract.positions"
SYMMETRY_HOOKS = "plyground.search.contract.symmetry"
SELECTION_HOOKS = "plyground.search.contract.selection"
MAX_DEPTH = 63
"""Below the plies that a key may leave out, so that no search can reach a hidden ply limit."""
HISTORY_SIZE = 4096


def new_work(
    plies: int,
    most_moves: int,
    history_size: int = HISTORY_SIZE,
    table: transposition.Table | None = None,
) -> layout.Work:
    """Arrays for a search of so many plies; all options off, and no table unless one is given."""
    rows = plies + 2
    work = layout.Work(
        frames=np.zeros((rows, layout.FRAME_WORDS), np.int64),
        moves=np.zeros((rows, most_moves), np.int64),
        promises=np.zeros((rows, most_moves), np.int64),
        line=np.zeros((rows, rows + 1), np.int64),
        killers=np.full((rows, 2), -1, np.int64),
        history=np.zeros((2, 1 << (history_size - 1).bit_length()), np.int64),
        table=transposition.new_table(0) if table is None else table,
        root_values=np.zeros(most_moves, np.int64),
        control=np.zeros(layout.CONTROL_WORDS, np.int64),
    )
    work.control[layout.USE_TABLE] = table is not None
    work.control[layout.ORDER] = layout.LEARNT_ORDER
    return work


class Deepening:
    """Searches a position deeper and deeper. Subclasses put it into `positions` (`set_root`).

    `module` is the compiled search. The table lasts until `clear`.
    """

    game: Game
    module: Any
    positions: Any
    work: layout.Work
    point = float(values.POINT)
    moves_left = 25
    """Own moves that a game still takes, to share a clock over."""
    first_depth = 1

    def set_root(self, position: Position) -> int:
        """Put a position at the root; the depth beyond which nothing can be seen."""
        raise NotImplementedError

    def clear(self) -> None:
        """Forget everything learnt from earlier searches."""
        # Fresh pages cost nothing until they are used; wiping (and `zeros_like`) touches them all.
        table = self.work.table
        self.work = self.work._replace(table=np.zeros(table.shape, table.dtype))
        self.work.killers[:] = -1
        self.work.history[:] = 0

    def start(self, seed: int) -> None:
        """Forget everything; nothing here is random."""
        self.clear()

    def warm_up(self) -> None:
        """Load or compile the search."""
        with kernels.compilation(self.module):
            self.search(self.game.start(), Limit(depth=3, nodes=500))
        claim_pages([self.work.table])
        self.clear()

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Deepen until the limit, a proven result, or the end of the tree.

        Further threads search the same position one ply ahead and behind by turns; all they share
        is the table. The deepest of their results counts.
        """
        twins = [self._twin(1 + number % 2) for number in range(1, limit.threads)]
        results = side_by_side(
            partial(self._deepen, position, limit.for_each_thread(), report, stop),
            [partial(twin._deepen, position, limit.for_helpers(), no_report) for twin in twins],
        )
        if not twins:
            return results[0]
        best = max(results, key=lambda one: (_is_win(one.score), one.depth or 0))
        return msgspec.structs.replace(
            best, nodes=sum(one.nodes for one in results), elapsed=results[0].elapsed
        )

    def _twin(self, first_depth: int) -> Deepening:
        """A searcher for another thread, with the same table and its own room to work in."""
        twin = copy.copy(self)
        twin.first_depth = first_depth
        twin.positions = type(self.positions)(*(part.copy() for part in self.positions))
        own = layout.Work(*(part.copy() for part in self.work._replace(table=np.empty(0))))
        twin.work = own._replace(table=self.work.table)
        return twin

    def _deepen(self, position: Position, limit: Limit, report: Report, stop: Stop) -> SearchResult:
        watch = Stopwatch(limit, stop, self.moves_left, most=self.game.slice_nodes)
        result = SearchResult(position.legal_moves[0], depth=0)
        report(SearchInfo(move=result.move))
        self.work.killers[:] = -1
        deepest = self.set_root(position)
        deepest = min(limit.depth or deepest, deepest)
        for depth in range(min(self.first_depth, deepest), deepest + 1):
            if not self._search_depth(depth, watch):
                return self._with_unfinished(position, result, watch)
            result = self._result(position, depth, watch)
            report(result.as_info())
            if self.is_enough(position, result, limit, watch):
                break
        return result

    def is_enough(
        self, position: Position, result: SearchResult, limit: Limit, watch: Stopwatch
    ) -> bool:
        """Whether a deeper search would not change the move."""
        return is_settled(result.score, result.depth or 0)

    def _search_depth(self, depth: int, watch: Stopwatch) -> bool:
        """Search to a depth; False if the limit came first."""
        control = self.work.control
        self.module.begin(
            self.positions, self.work, np.int64(depth), -values.INFINITE, values.INFINITE
        )
        while True:
            budget = watch.next_slice()
            if budget <= 0:
                return False
            before = int(control[layout.NODES])
            done = self.module.run(self.positions, self.work, np.int64(budget))
            watch.spent(int(control[layout.NODES]) - before)
            if done:
                return True

    def _result(self, position: Position, depth: int, watch: Stopwatch) -> SearchResult:
        root = self.work.frames[0]
        codes = self.work.line[0, : int(root[layout.LINE_LENGTH])]
        return SearchResult(
            move=position.format_move(int(root[layout.BEST_MOVE])),
            score=self.score(position, int(self.work.control[layout.ROOT_VALUE]), depth),
            line=tuple(format_line(position, codes.tolist())),
            moves=tuple(self._root_moves(position, depth, int(root[layout.CURSOR]))),
            nodes=watch.nodes,
            depth=depth,
            elapsed=watch.elapsed,
        )

    def _with_unfinished(
        self, position: Position, result: SearchResult, watch: Stopwatch
    ) -> SearchResult:
        """The last finished depth, or a better move that the unfinished one has already found.

        With such a move come the values of the unfinished depth alone; what it has not reached has
        none.
        """
        root = self.work.frames[0]
        move, score, line, moves = result.move, result.score, result.line, result.moves
        # The table move comes first, so the best of a started depth is at least as good.
        if int(root[layout.CURSOR]) > 1 and int(root[layout.BEST_MOVE]) >= 0:
            first = position.format_move(int(self.work.moves[0, 0]))
            found = position.format_move(int(root[layout.BEST_MOVE]))
            if first == move != found:
                move, line = found, (found,)
                depth = result.depth or 0
                score = self.score(position, int(root[layout.BEST]), depth)
                searched = int(root[layout.CURSOR]) - (self.work.control[layout.PLY] > 0)
                valued = tuple(self._root_moves(position, depth, searched))
                known = {entry.move for entry in valued}
                moves = valued + tuple(
                    MoveValue(entry.move) for entry in moves if entry.move not in known
                )
        return SearchResult(move, score, line, moves, watch.nodes, result.depth, watch.elapsed)

    def _root_moves(self, position: Position, depth: int, count: int) -> Iterator[MoveValue]:
        """The first moves of the root that were searched, each with its value."""
        for code, value in zip(self.work.moves[0, :count], self.work.root_values, strict=False):
            yield MoveValue(
                position.format_move(int(code)), self.score(position, int(value), depth)
            )

    def score(self, position: Position, value: int, depth: int) -> Score:
        """A value of the root or of its moves, for people."""
        player = position.turn
        if abs(value) > values.PROVEN:
            distance = int(values.WIN) - abs(value)
            # Only as far as every line was searched does nothing end sooner.
            sooner = distance > depth
            return Score(player, "win" if value > 0 else "loss", distance, at_most=sooner)
        return Score(player, points=value / self.point)


class AlphaBeta(Deepening):
    """A searcher for one game, by its rules.

    `evaluation` and `ordering` name kernel modules; by default the game's own. `exact_root` gives
    every root move its exact value instead of a bound, at some cost. `strict_order` follows the
    ordering module alone, without table moves, killers and history.
    """

    def __init__(
        self,
        game: Game,
        evaluation: str = "",
        ordering: str = "",
        table_megabytes: float = 64,
        use_table: bool = True,
        use_order: bool = True,
        exact_root: bool = False,
        strict_order: bool = False,
    ) -> None:
        if not game.info.for_two_without_chance:
            raise UnsupportedError(
                "alpha-beta needs a two-player game without chance, not "
                f"{short_name(game.info.name)}"
            )
        self.game = game
        hooks: Mapping[str, str] = {
            RULES_HOOKS: game.rules_module,
            EVALUATION_HOOKS: evaluation or game.evaluation_module,
            ORDERING_HOOKS: ordering or game.ordering_module,
            SYMMETRY_HOOKS: game.symmetry_module,
        }
        self.module = kernels.compiled(TEMPLATE, hooks)
        table = transposition.new_table(table_megabytes) if use_table else None
        self.work = new_work(MAX_DEPTH, game.max_moves, table=table)
        self.work.control[layout.EXACT_ROOT] = exact_root
        if strict_order:
            self.work.control[layout.ORDER] = layout.GIVEN_ORDER
        elif not use_order:
            self.work.control[layout.ORDER] = layout.UNORDERED
        states = np.zeros((MAX_DEPTH + 2, game.state_words), np.uint64)
        counts_points = np.array([game.info.scoring is Scoring.POINTS], np.int64)
        self.positions = Positions(game.params, states, counts_points)

    def set_root(self, position: Position) -> int:
        self.positions = self.positions._replace(params=self.game.params)
        self.positions.states[0] = position.state
        return MAX_DEPTH


def _is_win(score: Score | None) -> bool:
    return score is not None and score.value == "win"


def is_settled(score: Score | None, depth: int) -> bool:
    """Whether a score is proven, and by a line within the depth searched."""
    return score is not None and score.value is not None and (score.distance or 0) <= depth


def format_line(position: Position, codes: list[int]) -> Iterator[str]:
    """Moves of a variation as text; stops where a code is not legal (a stale table entry)."""
    for code in codes:
        if code not in position.move_codes:
            return
        yield position.format_move(code)
        position = position.play(code)
