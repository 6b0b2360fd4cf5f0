"""Openings: different starts for the pairs of a match, each played with swapped sides."""

from __future__ import annotations

import inspect
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from plyground.arena.task import derive_seed
from plyground.core import reading
from plyground.core.errors import InputError, PositionError, UnknownNameError
from plyground.core.files import short_name
from plyground.core.game import Game, OptionValue, Position
from plyground.core.paths import is_file

_TRIES_PER_LENGTH = 60
_MOST_PLIES = 200


class Opening(msgspec.Struct, frozen=True):
    """A start position (text, empty for the usual one) and moves played from there.

    `options` replace those of the game: the board of this pair.
    """

    start: str = ""
    moves: tuple[str, ...] = ()
    options: dict[str, OptionValue] = {}


class OpeningBook:
    """An endless list of openings, no two of which lead to the same position.

    First come the given positions as they are; then random legal moves, `plies` of them or more
    when there are no new ones of that length, from the usual start or the given positions in turn.
    The same seed gives the same list. With `plies` 0 an opening is a bare start: the given
    positions or `boards` in turn, or the board that the game makes for each pair.
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        plies: int,
        given: Sequence[str] = (),
        boards: Sequence[Mapping[str, OptionValue]] = (),
    ) -> None:
        self._game = game
        self._generator = random.Random(derive_seed(seed, "openings"))
        self._plies = plies
        self._starts = list(given)
        self._boards = boards
        self._openings: list[Opening] = []
        self._seen: set[str] = set()
        for text in given:
            position = read_start(game, text)
            self._openings.append(Opening(text))
            self._seen.add(position.text)

    def __getitem__(self, index: int) -> Opening:
        if self._starts and self._plies == 0:
            return Opening(self._starts[index % len(self._starts)])
        if self._boards or self._varies:
            return self._on_a_board(index)
        if self._plies == 0:
            return Opening()
        while len(self._openings) <= index:
            self._openings.append(self._new_opening())
        return self._openings[index]

    @property
    def _varies(self) -> bool:
        return not self._starts and makes_boards(self._game)

    def _on_a_board(self, index: int) -> Opening:
        """The board of this pair, with random moves from there where they are wanted."""
        if self._boards:
            options = {**self._game.options, **self._boards[index % len(self._boards)]}
        else:
            options = self._game.another_board(index)
        if not self._plies:
            return Opening(options=options)
        game = type(self._game)(options)
        self._generator.seed(derive_seed(index, *sorted(options.items())))
        moves, position = self._random_moves(game.start(), self._plies)
        return Opening(moves=() if position.is_over else tuple(moves), options=options)

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
            f"there are not enough different openings of {short_name(self._game.info.name)}: "
            f"only {len(self._openings)} were found"
        )

    def _random_moves(self, position: Position, plies: int) -> tuple[list[str], Position]:
        moves: list[str] = []
        while len(moves) < plies and not position.is_over:
            move = self._generator.choice(position.legal_moves)
            position = position.play(move)
            moves.append(move)
        return moves, position


def makes_boards(game: Game) -> bool:
    """Whether every pair of a match gets a board of its own."""
    return game.another_board(0) != game.another_board(1)


def read_start(game: Game, text: str) -> Position:
    """A position from which a game can begin; PositionError in one line if it cannot."""
    try:
        position = game.parse_position(text)
    except (IndexError, KeyError, ValueError, OverflowError) as error:
        raise PositionError(f"{text!r} is no position of {game!r}: {error}") from error
    if position.game != game:
        raise PositionError(
            f"{text!r} does not fit the options of this match ({game!r}); "
            "boards of other sizes go into a file for --boards"
        )
    if position.is_over:
        raise PositionError(f"the opening position {text!r} is the end of a game")
    return position


def suites(game: Game) -> dict[str, Path]:
    """The collections of starts that come with a game, by name."""
    folder = Path(inspect.getfile(type(game))).parent / "suites"
    return {path.stem: path for path in sorted(folder.glob("*.txt"))}


def read_suite(
    game: Game, name: str, folder: Path = Path()
) -> tuple[tuple[str, ...], tuple[dict[str, OptionValue], ...]]:
    """Positions and boards of a suite by name, or of a file; one of the two lists is empty."""
    shipped = suites(game)
    path = shipped.get(name, folder / name)
    if not is_file(path):
        unknown = UnknownNameError.of(f"suite of {short_name(game.info.name)}", name, shipped)
        raise UnknownNameError(f"{unknown}, nor is it a file")
    boards = game.read_boards(read_text(path), str(path))
    return ((), tuple(boards)) if boards else (read_openings(path, game), ())


def read_starts(
    game: Game, openings: str | None, boards: str | None
) -> tuple[tuple[str, ...], tuple[dict[str, OptionValue], ...]]:
    """What `--openings FILE` or `--boards SUITE` stand for: positions, and boards."""
    if openings and boards:
        raise InputError("give --openings or --boards, not both")
    if boards:
        return read_suite(game, boards)
    return (read_openings(openings, game), ()) if openings else ((), ())


def read_text(path: Path) -> str:
    """The text of a file of starts."""
    try:
        return reading.read_text(path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise InputError(f"cannot read the openings file {str(path)!r}: {reason}") from error


def read_openings(path: Path | str, game: Game) -> tuple[str, ...]:
    """The positions in a file, one a line; empty lines and lines with # are left out."""
    positions = []
    for number, line in enumerate(read_text(Path(path)).splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("# ") or text == "#":
            continue
        try:
            read_start(game, text)
        except InputError as error:
            raise PositionError(f"{path}, line {number}: {error}") from error
        positions.append(text)
    if not positions:
        raise InputError(f"there is no position in the openings file {str(path)!r}")
    return tuple(positions)
