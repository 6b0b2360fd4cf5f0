"""Statistics of matches as pure functions: Elo, SPRT, ratings, margins.

Nothing here reads a clock, a file or a database; every function takes plain numbers.
"""

from plyground.stats.elo import (
    EloEstimate,
    elo_from_score,
    estimate_elo,
    estimate_from_pentanomial,
    pentanomial,
    score_from_elo,
)
from plyground.stats.margins import MarginEstimate, estimate_margin
from plyground.stats.ratings import PairResult, Rating, rate_players
from plyground.stats.sprt import Sprt, SprtState

__all__ = [
    "EloEstimate",
    "MarginEstimate",
    "PairResult",
    "Rating",
    "Sprt",
    "SprtState",
    "elo_from_score",
    "estimate_elo",
    "estimate_from_pentanomial",
    "estimate_margin",
    "pentanomial",
    "rate_players",
    "score_from_elo",
]
