"""The games: one folder each. Called as `pg.games(run)` it is `pg.load_games`, the games played."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Games(ModuleType):
    def __call__(self, run: str = "last", **how: Any) -> Any:
        """The games of a stored run as a DataFrame: see `plyground.load_games`."""
        import plyground

        return plyground.load_games(run, **how)


sys.modules[__name__].__class__ = _Games
