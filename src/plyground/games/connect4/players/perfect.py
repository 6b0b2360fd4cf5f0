"""The player who knows: exact values, and an ordinary search where they do not come in time."""

from __future__ import annotations

from plyground.core.agent import Agent, Report, Stop, no_report, no_stop
from plyground.core.errors import UnsupportedError
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import register_agent
from plyground.core.search import SearchResult
from plyground.games.connect4.solvers.exact import ExactSource, source_for, value_moves
from plyground.games.connect4.solvers.perfect import Interrupted
from plyground.search.alphabeta import AlphaBeta


@register_agent("connect4")
class PerfectAgent(Agent):
    """Perfect play: plain Connect 4, and boards whose tablebase has been built."""

    name = "perfect"
    summary = "exact play of plain Connect 4 (mean=none) and of boards with a tablebase"

    source: ExactSource

    def new_game(self, game: Game, seed: int) -> None:
        if not hasattr(self, "source") or self.game != game:
            source = source_for(game)
            if source is None:
                raise UnsupportedError(
                    "perfect plays plain Connect 4 (--option mean=none) and boards whose table was "
                    "made by `plyground tablebase`; this game is neither"
                )
            self.source = source
            self.fallback = AlphaBeta(game)
        super().new_game(game, seed)
        self.source.forget()
        self.fallback.clear()

    def warm_up(self) -> None:
        self.source.warm_up()
        self.fallback.warm_up()

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Exact if the limit allows it; a fifth of the time is kept for an ordinary search."""
        try:
            return value_moves(self.source, position, limit.part(0.8), report, stop)
        except Interrupted:
            return self.fallback.search(position, limit.part(0.2), report, stop)
