"""Iterative-deepening alpha-beta for any two-player game without chance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from plyground import kernels
from plyground.core.agent import Report, Stop, ignore_info, never_stop
from plyground.core.errors import UnsupportedError
from plyground.core.game import Game, Position, Scoring
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.search import alphabeta_kernel as layout
from plyground.search.perft import RULES_SLOT
from plyground.search.timing import Stopwatch

TEMPLATE = "plyground.search.alphabeta_kernel"
EVALUATION_SLOT = "plyground.search.contract.evaluation"
ORDERING_SLOT = "plyground.search.contract.ordering"
MAX_DEPTH = 63
"""Below the plies that a key may leave out, so that no search can reach a hidden ply limit."""


class AlphaBeta:
    """A searcher for one game. Its table lasts until `clear`.

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
        if game.info.players != 2 or game.info.chance:
            raise UnsupportedError(
                f"alpha-beta needs a two-player game without chance, not {game.info.name}"
            )
        self.game = game
        self.module = kernels.compiled(
            TEMPLATE,
            {
                RULES_SLOT: game.rules_module,
                EVALUATION_SLOT: evaluation or game.evaluation_module,
                ORDERING_SLOT: ordering or game.ordering_module,
            },
        )
        depth = MAX_DEPTH + 2
        self.states = np.zeros((depth, game.state_words), np.uint64)
        self.moves = np.zeros((depth, game.max_moves), np.int64)
        self.promises = np.zeros((depth, game.max_moves), np.int64)
        self.frames = np.zeros((depth, layout.FRAME_WORDS), np.int64)
        self.line = np.zeros((depth, depth + 1), np.int64)
        self.killers = np.full((depth, 2), -1, np.int64)
        self.history = np.zeros((2, 4096), np.int64)
        self.root_values = np.zeros((game.max_moves, 2), np.int64)
        self.control = np.zeros(layout.CONTROL_WORDS, np.int64)
        buckets = 1 << max(0, int(table_megabytes * 2**20 / 32).bit_length() - 1)
        self.table = np.zeros((buckets if use_table else 1, 4), np.uint64)
        self.control[layout.POINTS] = game.info.scoring is Scoring.POINTS
        self.control[layout.USE_TABLE] = use_table
        self.control[layout.USE_ORDER] = layout.STRICT_ORDER if strict_order else use_order
        self.control[layout.EXACT_ROOT] = exact_root

    def clear(self) -> None:
        """Forget everything learnt from earlier searches."""
        self.table[:] = 0
        self.killers[:] = -1
        self.history[:] = 0

    def warm_up(self) -> None:
        """Load or compile the search."""
        with kernels.compilation(self.module):
            self.search(self.game.start(), Limit(depth=2, nodes=100))
        self.clear()

    def search(
        self,
        position: Position,
        limit: Limit,
        report: Report = ignore_info,
        stop: Stop = never_stop,
        watch: Stopwatch | None = None,
    ) -> SearchResult:
        """Deepen until the limit, a proven result, or the end of the tree."""
        watch = watch or Stopwatch(limit, stop)
        result = SearchResult(position.legal_moves[0], depth=0)
        report(SearchInfo(move=result.move))
        self.killers[:] = -1
        deepest = min(limit.depth or MAX_DEPTH, MAX_DEPTH)
        for depth in range(1, deepest + 1):
            if not self._search_depth(position, depth, watch):
                break
            result = self._result(position, depth, watch)
            report(result.as_info())
            if result.score is not None and result.score.value in ("win", "loss"):
                distance = result.score.distance
                if distance is None or distance <= depth:
                    break
        # A better move found in the unfinished depth counts: its value is already certain enough.
        return self._with_unfinished(position, result, watch)

    def _search_depth(self, position: Position, depth: int, watch: Stopwatch) -> bool:
        """Search to a depth; False if the limit came first."""
        self.states[0] = position.state
        window = np.array([-layout.INFINITE, layout.INFINITE], np.int64)
        self.root_values[:, 0] = -1
        self.module.begin(
            self.game.params, np.int64(depth), window, self.states, self.frames, self.control
        )
        self.control[layout.NODES] = 0
        while True:
            budget = watch.next_slice()
            if budget <= 0:
                return False
            before = int(self.control[layout.NODES])
            done = self.module.run(
                self.game.params,
                np.int64(budget),
                self.states,
                self.moves,
                self.promises,
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
        codes = self.line[0, : int(self.frames[0, layout.LINE_LENGTH])]
        return SearchResult(
            move=position.format_move(int(self.frames[0, layout.BEST_MOVE])),
            score=self._score(position, int(self.control[layout.ROOT_VALUE])),
            line=tuple(format_line(position, [int(code) for code in codes])),
            moves=tuple(self._root_moves(position)),
            nodes=watch.nodes,
            depth=depth,
            elapsed=watch.elapsed,
        )

    def _with_unfinished(
        self, position: Position, result: SearchResult, watch: Stopwatch
    ) -> SearchResult:
        """The result, with the move of an interrupted depth if that depth had settled on one."""
        frame = self.frames[0]
        interrupted = int(frame[layout.CURSOR]) < int(frame[layout.COUNT])
        tried = int(frame[layout.CURSOR]) - 1
        move = result.move
        if interrupted and tried > 0 and int(frame[layout.BEST_MOVE]) >= 0:
            # The table move comes first, so the best of a started depth is at least as good.
            first = position.format_move(int(self.root_values[0, 0]))
            if first == result.move:
                move = position.format_move(int(frame[layout.BEST_MOVE]))
        changed = move != result.move
        return SearchResult(
            move=move,
            score=self._score(position, int(frame[layout.BEST])) if changed else result.score,
            line=(move,) if changed else result.line,
            moves=result.moves,
            nodes=watch.nodes,
            depth=result.depth,
            elapsed=watch.elapsed,
        )

    def _root_moves(self, position: Position) -> Iterator[MoveValue]:
        for code, value in self.root_values[: int(self.frames[0, layout.COUNT])]:
            if code >= 0:
                score = self._score(position, int(value))
                yield MoveValue(position.format_move(int(code)), score)

    def _score(self, position: Position, value: int) -> Score:
        player = position.turn
        if abs(value) > layout.PROVEN:
            distance = int(layout.WIN) - abs(value)
            return Score(player, "win" if value > 0 else "loss", distance)
        return Score(player, points=value / int(layout.POINT))


def format_line(position: Position, codes: list[int]) -> Iterator[str]:
    """Moves of a variation as text; stops where a code is not legal (a stale table entry)."""
    for code in codes:
        if code not in position.move_codes:
            return
        yield position.format_move(code)
        position = position.play(code)
