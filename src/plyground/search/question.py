"""What the exact solver of a game is asked by `plyground solve`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyground.core.game import Game
from plyground.core.limits import Limit


@dataclass(frozen=True)
class Question:
    """A position as text, None for the start; `note` takes remarks on the way."""

    game: Game
    text: str | None
    limit: Limit
    note: Callable[[str], None]
    given: frozenset[str] = frozenset()
    """The options of the game that the user chose."""
