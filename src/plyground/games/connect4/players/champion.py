"""The strongest player of Connect 4, with mean moves or without."""

from __future__ import annotations

from functools import cache

from plyground.core.agent import Agent, Report, Stop, no_report, no_stop
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import register_agent
from plyground.core.search import SearchInfo, SearchResult
from plyground.games.connect4.players.champion_search import ChampionSearch
from plyground.games.connect4.solvers.certified import CertifiedPlay
from plyground.games.connect4.solvers.exact import ExactSource, source_for, value_moves
from plyground.games.connect4.solvers.perfect import Interrupted
from plyground.games.connect4.solvers.tablebase import Value

EXACT_SHARE = 0.5
"""Share of the limit in which exact values are looked for, where there are any."""


@register_agent("connect4")
class ChampionAgent(Agent):
    """Deep selective search; certificates, and exact values wherever they come in time."""

    name = "champion"
    summary = "deep selective search, perfect wherever exact values are known"

    source: ExactSource | None

    def __init__(self, megabytes: float = 64.0) -> None:
        if not 0 < megabytes <= 65536:
            raise ValueError(f"megabytes must be between 0 and 65536, not {megabytes:g}")
        self.megabytes = megabytes

    def new_game(self, game: Game, seed: int) -> None:
        if not hasattr(self, "searcher") or self.game != game:
            self.searcher = ChampionSearch(game, self.megabytes)
            self.source = source_for(game)
            self.certified = CertifiedPlay(game)
        super().new_game(game, seed)
        self.searcher.clear()
        if self.source is not None:
            self.source.forget()

    def warm_up(self) -> None:
        self.searcher.warm_up()
        if self.source is not None:
            self.source.warm_up()

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        proven = self.certified.winning_move(position) if self.certified else None
        if proven is not None:
            code, plies = proven
            move = position.format_move(code)
            score = self.certified.score(position, Value("win", plies))
            return SearchResult(move, score, (move,), note="by a certificate")
        return self._think(position, limit, report, stop, exact_root=False)

    def analyse(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        @cache
        def known() -> SearchResult | None:
            return self.certified.solve(position) if self.certified else None

        def tell(info: SearchInfo) -> None:
            if not known.cache_info().currsize:
                report(info)  # the first values wait for no certificate
            report(self.certified.correct(known(), info))

        searched = self._think(position, limit, tell, stop, exact_root=True)
        return self.certified.correct(known(), searched)

    def _think(
        self, position: Position, limit: Limit, report: Report, stop: Stop, exact_root: bool
    ) -> SearchResult:
        self.searcher.value_all(exact_root)
        if self.source is None or limit.depth is not None:
            return self.searcher.search(position, limit, report, stop)
        shares = [limit.part(share) for share in (EXACT_SHARE, 1 - EXACT_SHARE)]
        try:
            return value_moves(self.source, position, shares[0], report, stop, exact_root)
        except Interrupted:
            return self.searcher.search(position, shares[1], report, stop)
