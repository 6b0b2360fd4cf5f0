"""A position of a described game as agents see it: what the author's class stores is there."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from plyground.board.cells import Cells
from plyground.core.game import Position

if TYPE_CHECKING:
    from plyground.board.description import BoardGame
    from plyground.board.game import DescribedGame

_ALWAYS = ("board", "cells", "player", "plies")


class BoardPosition(Position):
    """`board`, `cells`, `player` (1 or 2), `plies` and the stored numbers and lists by their names.

    Boards and lists are usual NumPy arrays; whatever is changed in them changes no position.
    """

    game: DescribedGame

    @cached_property
    def plain(self) -> BoardGame:
        """The position as an instance of the author's class, with its functions."""
        return self.game.plain(self.state)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("game", "state", "last_move"):
            raise AttributeError(name)
        known = (*_ALWAYS, *self.game.layout.numbers, *self.game.layout.lists)
        if name not in known:
            raise AttributeError(
                f"a position of {self.game.source.short} has no {name!r}; of its class it has "
                + ", ".join(known)
            )
        value = getattr(self.plain, name)
        return value.freed() if isinstance(value, Cells) else value
