"""The moves of a game and the positions between them, with little memory for long games."""

from __future__ import annotations

from collections.abc import Iterable

from plyground.core.game import Game, Position
from plyground.core.record import MoveRecord

SPACING = 32
"""Every 32nd position is kept; those between are played again when asked for."""


class History:
    """A game from its start to where it stands. Positions are numbered by the moves before them."""

    def __init__(self, game: Game, start: str = "") -> None:
        self.start = start
        position = game.parse_position(start) if start else game.start()
        self.game = position.game
        self.entries: list[MoveRecord] = []
        self._kept: list[Position] = [position]
        self.current = position

    def __len__(self) -> int:
        return len(self.entries)

    def push(self, entry: MoveRecord) -> None:
        """Play a move (or deal); a MoveError leaves everything as it was."""
        self.add(entry, entry.follow(self.current))

    def add(self, entry: MoveRecord, position: Position) -> None:
        """Append a move whose position is known already."""
        self.current = position
        self.entries.append(entry)
        if len(self.entries) % SPACING == 0:
            self._kept.append(self.current)

    def extend(self, entries: Iterable[MoveRecord]) -> None:
        """Play many."""
        for entry in entries:
            self.push(entry)

    def cut(self, count: int) -> None:
        """Take back all moves after the first `count`."""
        self.current = self.position(count)
        del self.entries[count:]
        del self._kept[count // SPACING + 1 :]

    def position(self, number: int) -> Position:
        """The position after the first `number` moves."""
        if number == len(self.entries):
            return self.current
        first = number // SPACING
        position = self._kept[first]
        for entry in self.entries[first * SPACING : number]:
            position = entry.follow(position)
        return position
