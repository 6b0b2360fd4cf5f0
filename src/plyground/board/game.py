"""A board game by description as a `Game`: everything that the rest of plyground asks for."""

from __future__ import annotations

import dataclasses
import random
import types
from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from plyground.board import plain
from plyground.board.description import BoardGame, title_of
from plyground.board.diagnosis import explained
from plyground.board.drawing import draw, owned_letter
from plyground.board.encoding import MoveEncoding
from plyground.board.generate import Generated, generate, install
from plyground.board.layout import Layout, lay_out
from plyground.board.notation import Notation
from plyground.board.position import BoardPosition
from plyground.board.source import GameSource, read_source
from plyground.board.trees import arity_of
from plyground.board.trial import check_class, try_out
from plyground.core.encoding import Encoding
from plyground.core.errors import GameFileError, InvalidMoveError, PositionError
from plyground.core.game import (
    CHANCE,
    Game,
    GameInfo,
    Option,
    OptionValue,
    Position,
    Scoring,
    Words,
)
from plyground.core.outcome import Outcome
from plyground.core.page import GamePage
from plyground.core.view import View

MOST_EVENTS = 4096
"""Room for the random events of a position in playouts."""


class DescribedGame(Game):
    """The rules of a `BoardGame` class with its options fixed."""

    source: ClassVar[GameSource]

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.params = np.zeros(1, np.uint64)
        defaults = {name: request.default for name, request in self._requests().items()}
        cls = self.source.cls
        self.described = cls if self.options == defaults else self.source.with_options(self.options)
        self.layout, self.generated = _prepared(self.source, self.described)
        self.state_words = self.layout.words
        self.max_moves = self.layout.max_moves
        self.rules_module = self.generated.name  # type: ignore[misc]
        self.playout_module = self.generated.name  # type: ignore[misc]
        if self.generated.has_evaluation:
            self.evaluation_module = self.generated.name  # type: ignore[misc]
        if self.generated.has_order:
            self.ordering_module = self.generated.name  # type: ignore[misc]
        if self.generated.has_symmetries:
            self.symmetry_module = self.generated.name  # type: ignore[misc]
        if self.info.chance:
            self.chance_module = self.generated.name  # type: ignore[misc]
        install(self.generated, self.source.short)
        self.notation = Notation(self.described, self.layout)

    @classmethod
    def evaluates(cls) -> bool:
        return bool(cls.source.method("evaluate"))

    def _requests(self) -> Mapping[str, Any]:
        return self.source.cls.option_requests

    @cached_property
    def rules(self) -> types.ModuleType:
        """The compiled rules, tried on the start: a mistake is found here, with its line."""
        from plyground import kernels

        with explained(self.generated, self.source):
            module = kernels.compiled(self.rules_module)
            with kernels.compilation(module):
                self._rehearse(module)
        return module

    def _rehearse(self, module: types.ModuleType) -> None:
        """Compile every function on the start position."""
        state = self.initial_state()
        module.key(self.params, state)
        module.outcome(self.params, state)
        if module.mover(self.params, state) < 0:
            position = plain.start(self.described)
            while position.turn == 0:  # type: ignore[attr-defined]
                position = plain.deal(position, plain.events(position)[0][0])
            state = self.layout.pack(position)
        buffer = np.zeros(self.max_moves, np.int64)
        module.legal_moves(self.params, state, buffer)
        module.play(self.params, state, buffer[0], np.empty_like(state))
        if self.generated.has_evaluation:
            module.evaluate(self.params, state)
        if self.generated.has_order:
            module.promise(self.params, state, buffer[0])

    def fault_in(self, error: Exception) -> GameFileError | None:
        from plyground.board.faults import authors_fault

        return super().fault_in(error) or authors_fault(error)

    @property
    def playout_room(self) -> int:
        return max(self.max_moves, 2 * MOST_EVENTS) if self.info.chance else self.max_moves

    # The plain twin -------------------------------------------------------------------------

    def plain(self, state: Words) -> BoardGame:
        """A position as an instance of the author's class."""
        return self.layout.unpack(self.described, state)

    def initial_state(self) -> Words:
        return self.layout.pack(plain.start(self.described))

    def start(self) -> Position:
        return BoardPosition(self, self.initial_state())

    def encoding(self) -> Encoding:
        return MoveEncoding(self)

    # Text -----------------------------------------------------------------------------------

    def parse_move(self, state: Words, text: str) -> int:
        own = getattr(self.described, "parse_move", None)
        if own is not None:
            return self._own_move(state, text)
        return self.notation.parse_move(text, partial(self._example, state))

    def _example(self, state: Words) -> str:
        """How a move is written: one that is legal here if there is any."""
        position = BoardPosition(self, state)
        decides = not position.is_over and position.turn != CHANCE
        return self.format_move(state, position.move_codes[0] if decides else 0)

    def _own_move(self, state: Words, text: str) -> int:
        """The legal move with this text, where the class writes moves its own way."""
        position = self.plain(state)
        move = plain.parse_move(position, text)
        if move is None:
            raise InvalidMoveError(f"{text[:60]!r} is not a move")
        try:
            return self.layout.encode(move)
        except GameFileError:
            raise InvalidMoveError(f"{text[:60]!r} is not a move") from None

    def format_move(self, state: Words, move: int) -> str:
        own = getattr(self.described, "format_move", None)
        if own is not None and move != self.layout.pass_code:
            return plain.format_move(self.plain(state), self.layout.decode(int(move)))
        return self.notation.format_move(int(move))

    def parse_position(self, text: str) -> Position:
        """A position by its rows, or by the moves that lead to it."""
        if "/" not in text and not self._looks_like_board(text):
            return self.play_line(text)
        position = BoardPosition(self, self.layout.pack(self.notation.parse_position(text)))
        if not position.is_over and position.turn >= 0:
            try:
                position.move_codes  # noqa: B018
            except GameFileError as error:
                raise PositionError(f"position {text!r}: {error}") from None
        return position

    def _looks_like_board(self, text: str) -> bool:
        """Whether a text without `/` is a board of one row and not a list of moves."""
        words = text.split()
        return (
            len(words) >= 2
            and self.layout.cells == self.layout.shape[-1]
            and words[1] in ("1", "2")
            and words[0] not in self.notation.squares
        )

    def format_position(self, state: Words) -> str:
        return self.notation.format_position(self.plain(state))

    def view(self, state: Words) -> View:
        position = self.plain(state)
        own = getattr(self.described, "draw", None)
        caption = self._caption(position, state)
        if own is not None:
            with plain.blamed(self.described), plain.deadline():
                made = position.draw()  # type: ignore[attr-defined]
            if isinstance(made, View):
                return made
        return draw(position, self.notation, caption)

    def _caption(self, position: BoardGame, state: Words) -> str:
        value = plain.result(position, self.layout)
        if value is not None:
            return describe(self.describe_outcome(state, value), self.info)
        if position.turn == 0:  # type: ignore[attr-defined]
            return "a random event comes next"
        scores = self.scores(state) if self.info.scoring is Scoring.POINTS else None
        points = f", score {scores[0]:g} - {scores[1]:g}" if scores and len(scores) == 2 else ""
        if self.info.players == 1:
            return ""
        name = self.info.player_names[position.player - 1]
        letter = owned_letter(position.player, self.notation)
        return f"{name} ({letter}) to move{points}" if letter else f"{name} to move{points}"

    def describe_outcome(self, state: Words, value: int) -> Outcome:
        points = self.info.scoring is Scoring.POINTS
        if self.info.players == 1:
            return Outcome(None, scores=(float(value),))
        winner = 0 if value > 0 else 1 if value < 0 else None
        return Outcome(winner, scores=self._final_scores(state, value) if points else None)

    def scores(self, state: Words) -> tuple[float, ...] | None:
        """What is stored as `score`: a number for one player, a list of two for two."""
        score = np.ravel(getattr(self.plain(state), "score", ()))
        return tuple(map(float, score)) if len(score) == self.info.players else None

    def _final_scores(self, state: Words, value: int) -> tuple[float, ...]:
        """The points of both: those stored if they make up the margin."""
        scores = self.scores(state)
        if scores is not None and scores[0] - scores[1] == value:
            return scores
        return (float(value), 0.0) if value >= 0 else (0.0, float(-value))

    # Chance ---------------------------------------------------------------------------------

    def chance_event(self, position: Position, seed: int) -> str:
        here = self.plain(position.state)
        choices = plain.events(here)
        # The plies are in it: the same position at another time gets another event.
        source = random.Random(f"{seed} {position.key} {here.plies}")  # type: ignore[attr-defined]
        events, weights = zip(*choices, strict=True)
        return str(source.choices(events, weights)[0])

    def apply_chance(self, position: Position, event: str) -> Position:
        here = self.plain(position.state)
        known = [choice for choice, _ in plain.events(here)]
        if not event.isdigit() or int(event) not in known:
            raise InvalidMoveError(f"{event!r} is not an event that can happen here")
        return BoardPosition(self, self.layout.pack(plain.deal(here, int(event))), event)


def describe(outcome: Outcome, info: GameInfo) -> str:
    """An outcome in words."""
    if info.players == 1:
        return f"over with {outcome.scores[0]:g} points" if outcome.scores else "over"
    if outcome.winner is None:
        return "a draw"
    by = f" by {abs(outcome.margin):g}" if outcome.margin else ""
    return f"{info.player_names[outcome.winner]} wins{by}"


_ready: dict[type[BoardGame], tuple[Layout, Generated]] = {}


def _prepared(source: GameSource, cls: type[BoardGame]) -> tuple[Layout, Generated]:
    """Layout and kernel module of a class, checked and tried out in plain Python."""
    if cls not in _ready:
        source = dataclasses.replace(source, cls=cls)
        check_class(source, cls)
        with plain.blamed(cls):
            arity = arity_of(source) or _observed_arity(cls)
        try:
            layout = lay_out(cls, arity)
        except GameFileError as error:
            line = source.classes[cls.__name__].lineno
            raise GameFileError(f"{source.short}:{line}: {error}") from None
        made = generate(source, cls, layout)
        try_out(cls, layout)
        _ready[cls] = layout, made
    return _ready[cls]


def _observed_arity(cls: type[BoardGame]) -> int:
    """How many parts the first move has."""
    position = plain.start(cls)
    while position.turn == 0:  # type: ignore[attr-defined]
        position = plain.deal(position, plain.events(position)[0][0])
    found = plain.moves(position)
    return len(found[0]) if found and isinstance(found[0], tuple) else 1


def game_class(cls: type[BoardGame], name: str = "") -> type[Game]:
    """The `Game` of a class, under its own name or a given one."""
    source = read_source(cls)
    check_class(source, cls)
    title, summary = title_of(cls)
    scoring = Scoring.POINTS if cls.scoring == "points" or cls.players == 1 else Scoring.WIN_LOSS
    info = GameInfo(
        name=name or cls.__dict__.get("name") or cls.__name__.lower(),
        title=title,
        summary=summary,
        players=cls.players,
        chance=hasattr(cls, "chance"),
        scoring=scoring,
        options=tuple(_option(key, request) for key, request in cls.option_requests.items()),
        player_names=tuple(cls.player_names[: cls.players]),
    )
    page = getattr(cls, "page", GamePage(tally=_tally(cls), won_by=_won_by(cls, source)))
    parts = {"info": info, "source": source, "page": page, "page_module": cls.__module__}
    return type(cls.__name__, (DescribedGame,), parts)


def _won_by(cls: type[BoardGame], source: GameSource) -> str:
    """Why a game is won that ends only when somebody cannot move; other ends tell nothing here."""
    if cls.players != 2 or source.method("result"):
        return ""
    return {"loses": "the other player had no move", "wins": "no move was left"}.get(cls.stuck, "")


def _tally(cls: type[BoardGame]) -> tuple[tuple[str, int], ...]:
    """The stored numbers of a game for one player: what the page shows beside the board."""
    if cls.players != 1:
        return ()
    numbers = {name: value for name, value in cls.fields.items() if not isinstance(value, list)}
    return tuple((name, int(value)) for name, value in numbers.items())


def _option(name: str, request: Any) -> Option:
    made: Option = request.as_option(name)
    return made
