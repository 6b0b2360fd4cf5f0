"""Mean Connect 4: Connect 4 where a move may also take an opponent's bottom disc elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from plyground.core.demo import Demo
from plyground.core.encoding import Encoding
from plyground.core.errors import OptionError, PositionError
from plyground.core.game import Game, GameInfo, Option, OptionValue, Position, Words
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.registry import register_game
from plyground.core.view import View
from plyground.games.connect4 import notation, rules
from plyground.games.connect4.page import PAGE
from plyground.games.connect4.view import draw

MEAN = {
    "none": 0,
    "first": rules.MEAN_FIRST,
    "second": rules.MEAN_SECOND,
    "both": rules.MEAN_FIRST | rules.MEAN_SECOND,
}
SIMULTANEOUS = {
    "mover": rules.SIMULTANEOUS_MOVER,
    "first": rules.SIMULTANEOUS_FIRST,
    "draw": rules.SIMULTANEOUS_DRAW,
}


@register_game
class Connect4(Game):
    """Mean Connect 4 on any board that fits 64 bits."""

    info = GameInfo(
        name="connect4",
        title="Mean Connect 4",
        summary="four in a line wins; a turn drops a disc or moves an opponent's bottom disc",
        options=(
            Option("width", 7, "columns", low=4, high=12),
            Option("height", 6, "rows", low=4, high=15),
            Option("mean", "both", "who may play mean moves", choices=tuple(MEAN)),
            Option(
                "simultaneous",
                "mover",
                "who wins when a mean move gives four to both",
                choices=tuple(SIMULTANEOUS),
            ),
            Option("ply_limit", 100, "a draw after this many plies", low=1, high=30000),
        ),
        player_names=("x (red)", "o (yellow)"),
    )
    demo = Demo(("champion", "mcts", "montecarlo", "random"), Limit(time=0.01), 2, compiling=5.0)
    page = PAGE
    rules_module = "plyground.games.connect4.rules"
    evaluation_module = "plyground.games.connect4.evaluation"
    ordering_module = "plyground.games.connect4.ordering"
    playout_module = "plyground.games.connect4.playout"
    state_words = rules.STATE_WORDS

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.width, self.height = int(self.options["width"]), int(self.options["height"])
        stride = self.height + 1
        if self.width * stride > 64:
            raise OptionError(
                f"a board of {self.width} x {self.height} does not fit: "
                f"width * (height + 1) is {self.width * stride}, at most 64 is possible"
            )
        bottom = sum(1 << column * stride for column in range(self.width))
        self.params = np.array(
            [
                self.width,
                self.height,
                stride,
                bottom,
                bottom << (self.height - 1),
                MEAN[str(self.options["mean"])],
                SIMULTANEOUS[str(self.options["simultaneous"])],
                int(self.options["ply_limit"]),
                self.width * self.height,
                (1 << self.height) - 1,
            ],
            np.uint64,
        )
        self.max_moves = self.width * self.width

    def initial_state(self) -> Words:
        return np.zeros(self.state_words, np.uint64)

    def parse_move(self, state: Words, text: str) -> int:
        return notation.parse_move(self.width, text)

    def format_move(self, state: Words, move: int) -> str:
        return notation.format_move(move)

    def parse_position(self, text: str) -> Position:
        """A board with side and plies, or the moves that lead to it."""
        if notation.looks_like_position(text):
            return Position(self, notation.parse_board(self.params, text))
        position = self.start()
        for number, move in enumerate(notation.split_moves(self.width, text), 1):
            try:
                position = position.play(move)
            except Exception as error:
                raise PositionError(f"position {text!r}, move {number}: {error}") from error
        return position

    def format_position(self, state: Words) -> str:
        return notation.format_board(self.params, state)

    def view(self, state: Words) -> View:
        return draw(self.params, state)

    def encoding(self) -> Encoding:
        from plyground.games.connect4.encoding import Connect4Encoding  # only learners need it

        return Connect4Encoding(self)

    def describe_outcome(self, state: Words, value: int) -> Outcome:
        plies = int(state[2]) >> int(rules.PLY_SHIFT) & int(rules.PLY_MASK)
        top = int(self.params[rules.TOP])
        full = (int(state[0]) | int(state[1])) & top == top
        if value == 0 and plies >= int(self.params[rules.PLY_LIMIT]) and not full:
            return Outcome(None, Termination.PLY_LIMIT)
        outcome = super().describe_outcome(state, value)
        stride = np.uint64(self.params[rules.STRIDE])
        made_by = 1 - (int(state[2]) & 1)
        detail = ""
        if rules.has_four(stride, state[0]) and rules.has_four(stride, state[1]):
            detail = {
                "mover": "both players got one at once, and the mover's counts",
                "first": "both players got one at once, and the first player's counts",
                "draw": "both players got four in a line at once",
            }[str(self.options["simultaneous"])]
        elif outcome.winner is not None and outcome.winner != made_by:
            detail = "made by the other player's own mean move"
        return msgspec.structs.replace(outcome, detail=detail)
