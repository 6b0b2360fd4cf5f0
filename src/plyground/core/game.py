"""Games and positions: what a game offers, and the position that a person works with.

A `Game` is a set of rules with its options fixed. Its rules are *kernels*: functions over a
position that is a row of 64-bit words (`search/contract/game.py` lists them). `Position` wraps such
a row for people: it prints, lists its legal moves as text, and `play` gives a new position.
"""

from __future__ import annotations

import math
import types
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from plyground.core.demo import Demo
from plyground.core.encoding import Encoding, PlainEncoding
from plyground.core.errors import (
    GameFileError,
    GameOverError,
    IllegalMoveError,
    InputError,
    MoveError,
    OptionError,
    PositionError,
    UnknownNameError,
)
from plyground.core.files import short_name
from plyground.core.outcome import Outcome, Termination
from plyground.core.page import GamePage
from plyground.core.view import View
from plyground.kernels.words import ONGOING

Words = npt.NDArray[np.uint64]
OptionValue = int | float | str | bool

CHANCE = -1
"""`turn` of a position that waits for a random event (a deal) instead of a player's move."""


class Scoring(StrEnum):
    """What counts: who wins, by how many points, or how long one lasts."""

    WIN_LOSS = "win/loss"
    POINTS = "points"
    SURVIVAL = "survival"


@dataclass(frozen=True)
class Option:
    """An option of a game: its default fixes the type, `choices` or `low`/`high` the range."""

    name: str
    default: OptionValue
    help: str
    choices: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    suggestions: tuple[str, ...] = ()
    """Values worth offering where any text is allowed."""
    files: str = ""
    """What file may be named instead, in the terminal; the page takes none."""

    def parse(self, value: OptionValue) -> OptionValue:
        """The value in the option's own type; an OptionError says what would be right."""
        try:
            parsed = _convert(value, type(self.default))
        except ValueError:
            kind = {int: "a whole number", float: "a number", bool: "yes or no"}
            wanted = kind.get(type(self.default), "a text")
            raise OptionError(f"option {self.name}={value!r}: must be {wanted}") from None
        if self.choices and parsed not in self.choices:
            listing = ", ".join(self.choices)
            raise OptionError(f"option {self.name}={value!r}: must be one of {listing}")
        if isinstance(parsed, (int, float)) and not isinstance(parsed, bool):
            if self.low is not None and parsed < self.low:
                raise OptionError(f"option {self.name}={value!r}: must be at least {self.low}")
            if self.high is not None and parsed > self.high:
                raise OptionError(f"option {self.name}={value!r}: must be at most {self.high}")
        return parsed


def _convert(value: OptionValue, wanted: type) -> OptionValue:
    if wanted is bool:
        if isinstance(value, bool):
            return value
        words = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
        try:
            return words[str(value).lower()]
        except KeyError:
            raise ValueError(value) from None
    if wanted is int:
        if isinstance(value, float) and not value.is_integer():
            raise ValueError(value)
        return int(value)
    if wanted is float:
        number = float(value)
        if not math.isfinite(number):
            raise ValueError(value)
        return number
    return str(value)


@dataclass(frozen=True)
class GameInfo:
    """Static facts about a game, the same for every choice of options."""

    name: str
    title: str
    summary: str
    players: int = 2
    chance: bool = False
    scoring: Scoring = Scoring.WIN_LOSS
    options: tuple[Option, ...] = ()
    player_names: tuple[str, ...] = ("first", "second")

    @property
    def for_two_without_chance(self) -> bool:
        """Whether two players play and nothing is left to chance."""
        return self.players == 2 and not self.chance

    def parse_options(self, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """All options with their values: the given ones checked, the others by default."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise UnknownNameError.of(f"option of {short_name(self.name)}", name, known)
        return {
            name: option.parse(given[name]) if name in given else option.default
            for name, option in known.items()
        }


@dataclass(frozen=True)
class MoveVerdict:
    """The referee's judgement of a text that a player sent as its move.

    Either the game goes on (or ends by the rules) with `position` and the move in its standard
    form `move`, or it ends at once with `outcome`.
    """

    position: Position | None = None
    move: str = ""
    outcome: Outcome | None = None


class Game(ABC):
    """The rules with their options fixed. Subclasses set `info` and `rules_module`.

    `params` is the row of words that every kernel gets first: sizes, masks, switches. `state_words`
    is the length of a position, `max_moves` the most moves that a position can have.
    """

    info: ClassVar[GameInfo]
    rules_module: ClassVar[str]
    evaluation_module: ClassVar[str] = "plyground.search.contract.evaluation"
    ordering_module: ClassVar[str] = "plyground.search.contract.ordering"
    playout_module: ClassVar[str] = "plyground.search.contract.playout"
    chance_module: ClassVar[str] = "plyground.search.contract.chance"

    symmetry_module: ClassVar[str] = "plyground.search.contract.symmetry"

    slice_nodes: int = 1_000_000
    """The most nodes that a search visits between two looks at the clock: few where listing the
    moves of a position takes milliseconds."""

    match_options: ClassVar[Mapping[str, OptionValue]] = {}
    """Options whose default is another one when players are compared in matches."""

    demo: ClassVar[Demo | None] = None
    """What `plyground demo` plays."""

    environments: ClassVar[Mapping[str, str]] = {}
    """Gymnasium environments of its own, as arguments of `gymnasium.register`."""

    page: ClassVar[GamePage] = GamePage()
    """What the page shows besides the board."""

    page_module: ClassVar[str] = ""
    """The module beside which the files of `page` lie, if not the one of this class."""

    params: Words
    state_words: int
    max_moves: int

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        self.options = self.info.parse_options(options or {})

    @classmethod
    def evaluates(cls) -> bool:
        """Whether the game itself says how good a position is that is not over."""
        return cls.evaluation_module != Game.evaluation_module

    # What each game defines -----------------------------------------------------------------

    @abstractmethod
    def initial_state(self) -> Words:
        """The start position as a row of words."""

    @abstractmethod
    def parse_move(self, state: Words, text: str) -> int:
        """The code of a move given as text; InvalidMoveError if the text is no move at all."""

    @abstractmethod
    def format_move(self, state: Words, move: int) -> str:
        """The standard text of a move code, as played in this position."""

    @abstractmethod
    def parse_position(self, text: str) -> Position:
        """A position from its text; PositionError says what is wrong and where."""

    @abstractmethod
    def format_position(self, state: Words) -> str:
        """The standard text of a position: `parse_position` gives the same position back."""

    @abstractmethod
    def view(self, state: Words) -> View:
        """The board as shapes, for the terminal, pictures and the page."""

    # What most games inherit ----------------------------------------------------------------

    @cached_property
    def rules(self) -> types.ModuleType:
        """The compiled rules."""
        from plyground import kernels  # core stands below the compile layer

        return kernels.compiled(self.rules_module)

    @classmethod
    def sketch(cls, text: str) -> View:
        """The board of a position as it is written: for pictures, not for play.

        Games whose positions are checked by compiled code override it, so that pictures wait for
        no compiler.
        """
        return cls().parse_position(text).view

    def fault_in(self, error: Exception) -> GameFileError | None:
        """What to tell the author of this game if the error is one of its own functions'."""
        return error if isinstance(error, GameFileError) else None

    @property
    def playout_room(self) -> int:
        """How many numbers a playout may have to note: moves, or random events with weights."""
        return self.max_moves

    def start(self) -> Position:
        """The position at the start of a game."""
        return Position(self, self.initial_state())

    def first_decision(self, seed: int = 0) -> Position:
        """The first position in which a player moves, after the random events before it."""
        position = self.start()
        while position.turn == CHANCE and not position.is_over:
            position = self.apply_chance(position, self.chance_event(position, seed))
        return position

    def describe_outcome(self, state: Words, value: int) -> Outcome:
        """The outcome behind the kernel's value (the first player's win, draw, loss or margin)."""
        winner = 0 if value > 0 else 1 if value < 0 else None
        return Outcome(winner)

    def scores(self, state: Words) -> tuple[float, ...] | None:
        """The players' points so far, in games that count them as they go."""
        return None

    def another_board(self, number: int) -> dict[str, OptionValue]:
        """The options with which pair `number` (from 0) of a match is played.

        Games that make their boards from a seed give every pair a board of its own.
        """
        return dict(self.options)

    def read_boards(self, text: str, name: str) -> list[dict[str, OptionValue]]:
        """The boards in a file of the user's, each as options that replace those of the match.

        Games whose start is no option give none: there the lines of the file are positions.
        """
        return []

    def judge(self, position: Position, text: str) -> MoveVerdict:
        """The referee's judgement of any text that the player to move may send."""
        try:
            following = position.play(text)
        except MoveError as error:
            return MoveVerdict(
                outcome=self.forfeit(position, position.turn, Termination.ILLEGAL_MOVE, str(error))
            )
        return MoveVerdict(following, following.last_move)

    def forfeit(
        self, position: Position, loser: int, termination: Termination, detail: str = ""
    ) -> Outcome:
        """The outcome when `loser` loses here for another reason than the rules of the board.

        Time-outs, crashes and bad moves end up here. Games with points or contest points say
        what both sides get; a one-player game has no winner.
        """
        winner = 1 - loser if self.info.players == 2 else None
        return Outcome(winner, termination, detail=detail)

    def epilogue(self, position: Position) -> View | None:
        """What people want to see once a game is over, such as a solution; None for most games."""
        return None

    def chance_event(self, position: Position, seed: int) -> str:
        """The random event that follows (games with chance only): a pure function of the seed."""
        raise InputError(f"{short_name(self.info.name)} has no random events")

    def apply_chance(self, position: Position, event: str) -> Position:
        """The position after a random event given as text (games with chance only)."""
        raise InputError(f"{short_name(self.info.name)} has no random events")

    def key(self) -> tuple[str, tuple[tuple[str, OptionValue], ...]]:
        """Identifies the rules with their options."""
        return self.info.name, tuple(sorted(self.options.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"{type(self).__name__}({settings})"

    def encoding(self) -> Encoding:
        """How learning environments see this game."""
        return PlainEncoding(self)

    # Sensible helpers -----------------------------------------------------------------------

    def play_line(self, moves: str | Iterable[str]) -> Position:
        """The position after these moves from the start."""
        position = self.start()
        for move in moves.split() if isinstance(moves, str) else moves:
            position = position.play(move)
        return position


class Position:
    """An immutable position of a game. `print` shows the board; `play` returns a new position."""

    __slots__ = ("__dict__", "game", "last_move", "state")

    def __init__(self, game: Game, state: Words, last_move: str = "") -> None:
        self.game = game
        self.state = state
        self.last_move = last_move

    @cached_property
    def turn(self) -> int:
        """The player to move: 0 the first, 1 the second, CHANCE before a random event."""
        return int(self.game.rules.mover(self.game.params, self.state))

    @cached_property
    def move_codes(self) -> list[int]:
        """The legal moves as the kernels number them."""
        if self.is_over:
            return []
        buffer = np.zeros(self.game.max_moves, np.int64)
        count = self.game.rules.legal_moves(self.game.params, self.state, buffer)
        return [int(code) for code in buffer[:count]]

    @cached_property
    def legal_moves(self) -> list[str]:
        """The legal moves as text; empty at the end of the game."""
        return [self.game.format_move(self.state, code) for code in self.move_codes]

    def play(self, move: str | int) -> Position:
        """The position after a move (text or code); a MoveError says why it cannot be played."""
        if self.is_over:
            raise GameOverError(f"the game is over ({self.outcome}); {move!r} cannot be played")
        code = self.parse_move(move) if isinstance(move, str) else move
        if code not in self.move_codes:
            shown = move if isinstance(move, str) else self.game.format_move(self.state, move)
            raise IllegalMoveError(f"illegal move {shown!r}: {self._why_illegal(code)}")
        child = np.empty_like(self.state)
        self.game.rules.play(self.game.params, self.state, code, child)
        return type(self)(self.game, child, self.game.format_move(self.state, code))

    def follow(self, move: str) -> Position:
        """The position after a move that a referee has accepted, in the referee's spelling.

        Games whose referee has hard work to do override this: it need not be done again.
        """
        return self.play(move)

    def _why_illegal(self, code: int) -> str:
        legal = self.legal_moves
        shown = " ".join(legal[:12]) + (" ..." if len(legal) > 12 else "")
        return f"the {len(legal)} legal moves are {shown}"

    def parse_move(self, text: str) -> int:
        """The code of a move given as text; it need not be legal."""
        return self.game.parse_move(self.state, text)

    def format_move(self, code: int) -> str:
        """The text of a move code."""
        return self.game.format_move(self.state, code)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        value = int(self.game.rules.outcome(self.game.params, self.state))
        return None if value == ONGOING else self.game.describe_outcome(self.state, value)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    def require_decision(self) -> None:
        """GameOverError at the end of a game, PositionError where a random event comes next."""
        if self.is_over:
            raise GameOverError(f"the game is over in this position: {self.view.caption}")
        if self.turn == CHANCE:
            raise PositionError(
                "a random event comes next in this position, nobody has a move: take a position "
                "after it (game.first_decision() is the first one)"
            )

    @property
    def key(self) -> int:
        """A 64-bit hash of all that matters for what follows."""
        return int(self.game.rules.key(self.game.params, self.state))

    @property
    def text(self) -> str:
        """The standard text of the position."""
        return self.game.format_position(self.state)

    @property
    def view(self) -> View:
        """The board as shapes."""
        return self.game.view(self.state)

    def __str__(self) -> str:
        return self.view.text()

    def __repr__(self) -> str:
        return f"<{short_name(self.game.info.name)} {self.text!r}>"

    def _repr_svg_(self) -> str:
        return self.view.svg()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self.game == other.game
            and bool(np.array_equal(self.state, other.state))
        )

    def __hash__(self) -> int:
        return hash((self.game, self.state.tobytes()))
