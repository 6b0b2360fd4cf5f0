"""Openings: different starts for the pairs of a match, each played with swapped sides."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import msgspec

from plyground.arena.task import derive_seed
from plyground.core.errors import InputError, PositionError
from plyground.core.game import Game, Position

_TRIES_PER_LENGTH = 60
_MOST_PLIES = 200


class Opening(msgspec.Struct, frozen=True):
    """A start position (text, empty for the usual one) and moves played from there."""

    start: str = ""
    moves: tuple[str, ...] = ()


class OpeningBook:
    """An endless list of openings, no two of which lead to the same position.

    First come the given positions as they are; then random legal moves, `plies` of them or more
    when there are no new ones of that length, from the usual start or the given positions in turn.
    The same seed gives the same list. With `plies` 0 every opening is the bare start position.
    """

    def __init__(self, game: Game, seed: int, plies: int, given: Sequence[str] = ()) -> None:
        self._game = game
        self._generator = random.Random(derive_seed(seed, "openings"))
        self._plies = plies
        self._starts = list(given)
        self._openings: list[Opening] = []
        self._seen: set[str] = set()
        for text in given:
            position = game.parse_position(text)
            if position.is_over:
                raise PositionError(f"the opening position {text!r} is the end of a game")
            self._openings.append(Opening(text))
            self._seen.add(position.text)

    def __getitem__(self, index: int) -> Opening:
        if self._plies == 0:
            return (
                Opening() if not self._starts else Opening(self._starts[index % len(self._starts)])
            )
        while len(self._openings) <= index:
            self._openings.append(self._new_opening())
        return self._openings[index]

    def _new_opening(self) -> Opening:
        start = self._starts[len(self._openings) % len(self._starts)] if self._starts else ""
        root = self._game.parse_position(start) if start else self._game.start()
        for plies in range(self._plies, _MOST_PLIES):
            for _ in range(_TRIES_PER_LENGTH):
                moves, position = self._random_moves(root, plies)
                if len(moves) == plies and not position.is_over:
                    text = position.text
                    if text not in self._seen:
                        self._seen.add(text)
                        return Opening(start, tuple(moves))
        raise InputError(
            f"there are not enough different openings of {self._game.info.name}: "
            f"only {len(self._openings)} were found"
        )

    def _random_moves(self, position: Position, plies: int) -> tuple[list[str], Position]:
        moves: list[str] = []
        while len(moves) < plies and not position.is_over:
            move = self._generator.choice(position.legal_moves)
            position = position.play(move)
            moves.append(move)
        return moves, position


def read_openings(path: Path | str, game: Game) -> tuple[str, ...]:
    """The positions in a file, one a line; empty lines and lines with # are left out."""
    try:
        lines = Path(path).read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise InputError(f"cannot read the openings file {str(path)!r}: {reason}") from error
    positions = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("# "):
            continue
        try:
            if game.parse_position(text).is_over:
                raise PositionError("the game is over in this position")
        except InputError as error:
            raise PositionError(f"{path}, line {number}: {error}") from error
        positions.append(text)
    if not positions:
        raise InputError(f"there is no position in the openings file {str(path)!r}")
    return tuple(positions)
