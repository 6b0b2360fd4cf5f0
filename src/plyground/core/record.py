"""Game records: versioned JSON with everything that happened in one game."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from plyground.core.errors import MoveError, RecordError
from plyground.core.game import CHANCE, Game, OptionValue, Position
from plyground.core.outcome import Outcome
from plyground.core.search import Score

VERSION = 1


class MoveRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """One move: by whom (CHANCE for a deal), seconds used, and what the player said about it."""

    move: str
    player: int
    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    score: Score | None = None

    def follow(self, position: Position) -> Position:
        """The position after this move or deal; MoveError if it cannot be played there."""
        if self.player == CHANCE:
            return position.game.apply_chance(position, self.move)
        return position.play(self.move)


class GameRecord(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A game from start to end. `start` is a position's text, or empty for the usual start."""

    version: int = VERSION
    game: str
    options: dict[str, OptionValue] = {}
    players: tuple[str, ...] = ()
    start: str = ""
    seed: int | None = None
    moves: tuple[MoveRecord, ...] = ()
    outcome: Outcome | None = None
    date: str = ""
    tags: dict[str, str] = {}

    @property
    def opening_plies(self) -> int:
        """How many of the moves the arena played before the players took over."""
        return int(self.tags.get("opening", "0"))

    @property
    def beginning(self) -> str:
        """What games have in common that began alike: options, start and opening moves."""
        moves = " ".join(entry.move for entry in self.moves[: self.opening_plies])
        return f"{sorted(self.options.items())} {self.start} {moves}"

    def to_json(self) -> str:
        """The record as one line of JSON."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str | bytes) -> GameRecord:
        """Read a record; RecordError says where it is damaged."""
        try:
            record = msgspec.json.decode(text, type=cls)
        except (msgspec.DecodeError, RecursionError) as error:
            raise RecordError(f"this is not a game record: {error}") from error
        except UnicodeDecodeError as error:
            raise RecordError(f"this is not a game record: not UTF-8 ({error.reason})") from error
        if record.version > VERSION:
            raise RecordError(
                f"record version {record.version} is newer than this program reads ({VERSION})"
            )
        return record

    def positions(self, game: Game) -> Iterator[Position]:
        """Every position from the start on, replayed by the rules; RecordError at a bad move."""
        position = game.parse_position(self.start) if self.start else game.start()
        yield position
        for number, entry in enumerate(self.moves, 1):
            try:
                position = entry.follow(position)
            except MoveError as error:
                raise RecordError(f"move {number} of the record: {error}") from error
            yield position

    def _repr_html_(self) -> str:
        """In a notebook: the game with a slider."""
        from plyground.core.replay import Replay  # it needs this module

        return Replay(self)._repr_html_()
