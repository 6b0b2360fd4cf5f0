"""What the demonstration plays of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plyground.core.limits import Limit


@dataclass(frozen=True)
class Demo:
    """A small tournament. `turns` ends a one-player game after so many.

    `compiling` is about how many seconds one core compiles for it: the quickest is shown first.
    """

    players: tuple[str, ...]
    limit: Limit
    games: int
    options: Mapping[str, int | float | str | bool] = field(default_factory=dict)
    turns: int | None = None
    compiling: float = 30.0
