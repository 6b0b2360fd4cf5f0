"""`BoardGame`: what the author of a game writes, read and checked.

A subclass is both a description (its attributes and functions) and, as an instance, a position in
plain Python: `Breakthrough()` is the start, its functions run as they are written. What the rest
of plyground plays is the compiled twin that `as_game` makes from the same functions.
"""

from __future__ import annotations

import contextvars
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from plyground.board.cells import Cells
from plyground.core.errors import GameFileError, OptionError
from plyground.core.game import Option, OptionValue

if TYPE_CHECKING:
    from plyground.core.game import Game

PASS = -1
"""The move of a player who does nothing: `yield PASS`."""

CHANCE = 0
"""Returned by `setup`, `play` or `deal` as the next player: a random event comes first."""

_chosen: contextvars.ContextVar[Mapping[str, OptionValue] | None] = contextvars.ContextVar(
    "chosen", default=None
)


class OptionRequest:
    """What `option(...)` leaves in the class body until the class is made."""

    def __init__(
        self, default: int, low: int | None, high: int | None, step: int, help: str
    ) -> None:
        numbers = [n for n in (default, low, high, step) if n is not None]
        if not all(isinstance(n, int) and not isinstance(n, bool) for n in numbers) or step < 1:
            raise GameFileError(f"option() takes whole numbers, as in option(8, 4, 16): {numbers}")
        if (low is not None and default < low) or (high is not None and default > high):
            raise GameFileError(f"option(): the default {default} is outside {low} to {high}")
        self.default, self.low, self.high, self.step, self.help = default, low, high, step, help

    def as_option(self, name: str) -> Option:
        """The option as commands and page know it."""
        return Option(name, self.default, self.help, low=self.low, high=self.high)

    def value(self, name: str) -> int:
        """The chosen value, checked, or the default."""
        chosen = self.as_option(name).parse((_chosen.get() or {}).get(name, self.default))
        assert isinstance(chosen, int)
        base = self.low if self.low is not None else self.default
        if (chosen - base) % self.step:
            raise OptionError(
                f"option {name}={chosen}: must be {base} or more in steps of {self.step}"
            )
        return chosen


def option(
    default: int,
    low: int | None = None,
    high: int | None = None,
    help: str = "",
    *,
    step: int = 1,
) -> Any:
    """A whole number that the player of the game may choose: `size = option(8, 4, 16)`.

    In the class body and in its functions it is simply that number.
    """
    return OptionRequest(default, low, high, step, help)


@contextmanager
def chosen_options(options: Mapping[str, OptionValue]) -> Iterator[None]:
    """Classes whose body runs meanwhile get these options."""
    token = _chosen.set(options)
    try:
        yield
    finally:
        _chosen.reset(token)


class _Body(dict[str, Any]):
    """The namespace of a class body: an option becomes its number at once."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: dict[str, OptionRequest] = {}

    def __setitem__(self, name: str, value: Any) -> None:
        if isinstance(value, OptionRequest):
            self.requests[name] = value
            value = value.value(name)
        super().__setitem__(name, value)


class Describing(type):
    """The metaclass of board games: turns options into numbers and collects the stored fields."""

    @classmethod
    def __prepare__(cls, name: str, bases: tuple[type, ...], /, **kwargs: Any) -> _Body:
        return _Body()

    def __new__(mcs, name: str, bases: tuple[type, ...], body: _Body) -> Any:
        made = super().__new__(mcs, name, bases, dict(body))
        options: dict[str, OptionRequest] = {}
        fields: dict[str, Any] = {}
        for base in reversed(made.__mro__):
            options |= base.__dict__.get("_own_options", {})
            fields |= base.__dict__.get("_own_fields", {})
        own = {
            key: value
            for key, value in body.items()
            if bases and key not in body.requests and _is_field(key, value)
        }
        type.__setattr__(made, "_own_options", dict(body.requests))
        type.__setattr__(made, "_own_fields", own)
        type.__setattr__(made, "option_requests", options | body.requests)
        type.__setattr__(made, "fields", fields | own)
        return made


SETTINGS = frozenset(
    {
        *("name", "title", "summary", "shape", "pieces", "players", "player_names", "scoring"),
        *("stuck", "max_moves", "max_plies", "move_sizes", "move_names", "squares", "slant"),
        *("owners", "symmetries"),
    }
)
"""Lower-case names of a class with a meaning of their own."""

TAKEN = frozenset({"board", "cells", "player", "opponent", "turn", "plies", "fields"})
"""Names of a position that no author may give to something else."""


def _is_field(name: str, value: Any) -> bool:
    """Lower-case numbers and lists of numbers are stored in every position."""
    if name.startswith("_") or name != name.lower() or name in SETTINGS:
        return False
    return isinstance(value, (int, np.integer, list))


class BoardGame(metaclass=Describing):
    """A game on a board of small whole numbers, by a few short functions.

    Attributes of the class: `shape` (rows, columns) and `pieces` (a letter for each number, the
    first for an empty cell); numbers and lists in lower case are stored with every position,
    capital ones are constants. Functions: `setup` fills the board, `moves` yields the moves of
    `self.player` (1 or 2) as numbers or tuples of numbers, `play` changes the position (and may
    return the next player), `result` gives None while the game goes on, then the winner (0: a
    draw), or with `scoring = "points"` the margin of player 1. `evaluate` and `order` are optional.
    """

    shape: ClassVar[tuple[int, ...]] = ()
    pieces: ClassVar[str] = ".xo"
    players: ClassVar[int] = 2
    scoring: ClassVar[str] = "win/loss"
    stuck: ClassVar[str] = ""
    """Who cannot move: "loses", "wins", "draws" or "passes"; without it that is an error."""
    max_moves: ClassVar[int] = 0
    max_plies: ClassVar[int] = 0
    """After so many moves the game is a draw (points: counted as it stands); 0: no limit."""
    move_sizes: ClassVar[int | tuple[int, ...]] = ()
    """How many values each part of a move has; by default the number of cells for each."""
    move_names: ClassVar[tuple[str, ...]] = ()
    """Names of the moves 0, 1, 2, ... where a move is not a square."""
    player_names: ClassVar[tuple[str, ...]] = ("first", "second")
    squares: ClassVar[tuple[str, ...]] = ()
    """Names of the cells; by default a1, b1, ... from the lower left corner."""

    slant: ClassVar[float] = 0.0
    """How far each row is drawn to the right of the one above (0.5: hexagons)."""

    symmetries: ClassVar[str | tuple[Any, ...]] = ()
    """Boards that are worth the same: "left-right", "up-down", "half-turn", "quarter-turn",
    "diagonal", or for each cell the one whose piece comes there."""

    owners: ClassVar[str | None] = None
    """Whose piece each number is, as `pieces`: "01212"; 0 for nobody's, all 0 for no colours."""

    option_requests: ClassVar[dict[str, OptionRequest]]
    fields: ClassVar[dict[str, Any]]

    board: Any
    cells: Any
    player: int

    def __init__(self) -> None:
        keep = object.__setattr__
        keep(self, "board", Cells.zeros(self.shape))
        keep(self, "cells", self.board.reshape(-1))
        for name, value in self.fields.items():
            keep(self, name, Cells.numbers(value) if isinstance(value, list) else number(value))
        keep(self, "player", 1)
        keep(self, "turn", 1)
        keep(self, "plies", 0)

    @property
    def opponent(self) -> int:
        """The other player."""
        return 3 - self.player

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.fields and not isinstance(self.fields[name], list):
            if isinstance(value, (bool, int, np.integer)):
                object.__setattr__(self, name, number(value, like=self.fields[name]))
                return
            raise GameFileError(f"self.{name} holds whole numbers, not {value!r}")
        if name in self.fields or name in ("board", "cells"):
            raise GameFileError(f"fill it in place: self.{name}[:] = ...")
        if name == "player":
            raise GameFileError("return the next player from the function instead")
        raise GameFileError(not_declared(name, self.fields))

    # What the author writes -----------------------------------------------------------------

    def setup(self) -> int | None:
        """Fill the board for the start; it is empty (all 0) before."""
        return None

    def moves(self) -> Any:
        """Yield the moves of `self.player`."""
        raise NotImplementedError

    def play(self, move: Any) -> Any:
        """Change the position by a move of `self.player`; return the next player or None."""
        raise NotImplementedError

    def result(self) -> Any:
        """None while the game goes on; else the winner, 0 for a draw, or the points.

        A class that says who wins when a player is `stuck` may do without it.
        """
        return None

    # What is there for it -------------------------------------------------------------------

    def can_move(self, player: int) -> bool:
        """Whether this player would have a move here."""
        mine = self.player
        object.__setattr__(self, "player", player)
        try:
            return len(list(self.moves())) > 0
        finally:
            object.__setattr__(self, "player", mine)

    @classmethod
    def counts_plies(cls) -> bool:
        """Whether a position knows how many moves were played: where that matters."""
        return bool(cls.max_plies) or hasattr(cls, "chance")

    @classmethod
    def as_game(cls, name: str = "") -> type[Game]:
        """The game that plyground plays, as a class; its options are the class's."""
        from plyground.board.game import game_class

        return game_class(cls, name)


def number(value: Any, like: Any = None) -> Any:
    """A stored number: a Python int, or a word of 64 bits where the class declares one."""
    kind = value if like is None else like
    return np.uint64(value) if isinstance(kind, np.uint64) else int(value)


def not_declared(name: str, fields: Iterable[str]) -> str:
    """What to do about a name that `self` does not have."""
    near = difflib.get_close_matches(
        name, ("board", "cells", "player", "opponent", *fields), 1, 0.75
    )
    hint = f"did you mean self.{near[0]}?" if near else f"write `{name} = 0` in the class"
    return f"self.{name} is not declared: {hint}"


def title_of(cls: type[BoardGame]) -> tuple[str, str]:
    """Title and one-line summary: from the docstring `Title: summary`, or the class's name."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", cls.__name__)
    title = cls.__dict__.get("title") or words
    summary = cls.__dict__.get("summary") or ""
    import sys

    module = sys.modules.get(cls.__module__)
    text = cls.__doc__ or getattr(module, "__doc__", None) or ""
    first = text.strip().splitlines()[0].strip().rstrip(".") if text.strip() else ""
    if first and not summary:
        head, colon, tail = first.partition(":")
        if colon and len(head) <= 40:
            title = cls.__dict__.get("title") or head.strip()
            summary = tail.strip()
        else:
            summary = first
    return title, summary
