"""Blockudoku: three pieces a turn on a 9 x 9 board; full rows, columns and boxes clear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from plyground import kernels
from plyground.core.demo import Demo
from plyground.core.errors import IllegalMoveError, InputError
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
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome
from plyground.core.registry import register_game
from plyground.core.view import View
from plyground.games.blockudoku import notation, rules
from plyground.games.blockudoku.page import PAGE
from plyground.games.blockudoku.view import draw
from plyground.kernels.words import ONGOING

END_RULES = {"stuck": rules.END_STUCK, "no_order": rules.END_NO_ORDER}


@register_game
class Blockudoku(Game):
    """One player, three pieces a turn, dealt by chance."""

    info = GameInfo(
        name="blockudoku",
        title="Blockudoku",
        summary="place three dealt pieces a turn, clear rows, columns and boxes, survive",
        players=1,
        chance=True,
        scoring=Scoring.SURVIVAL,
        options=(
            Option(
                "end",
                "stuck",
                "over when no piece in hand fits, or at a deal that no order places",
                choices=tuple(END_RULES),
            ),
            Option(
                "pieces",
                "0-46",
                "the pieces that are dealt, e.g. 13-46 for a hard game",
                suggestions=("0-46", "13-46"),
            ),
        ),
        player_names=("player",),
    )
    match_options: ClassVar[Mapping[str, OptionValue]] = {"end": "no_order"}
    demo = Demo(
        ("champion", "placements", "occupancy", "random"),
        Limit(time=0.01),
        2,
        {"end": "no_order"},
        turns=100,
        compiling=7.0,
    )
    environments: ClassVar[Mapping[str, str]] = {
        "entry_point": "plyground.games.blockudoku.environment.single:BlockudokuEnv",
        "vector_entry_point": "plyground.games.blockudoku.environment.vector:BlockudokuVector",
    }
    page = PAGE
    rules_module = "plyground.games.blockudoku.rules"
    chance_module = "plyground.games.blockudoku.deals"
    state_words = rules.STATE_WORDS
    max_moves = rules.MAX_MOVES

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.deck = np.array(notation.parse_deck(str(self.options["pieces"])), np.int64)
        end_rule = END_RULES[str(self.options["end"])]
        self.params = np.array([end_rule, len(self.deck), *self.deck], np.uint64)

    def initial_state(self) -> Words:
        return np.array([0, 0, rules.EMPTY_HAND, 0, 0, 0], np.uint64)

    def parse_move(self, state: Words, text: str) -> int:
        return notation.parse_move(text)

    def format_move(self, state: Words, move: int) -> str:
        return notation.format_move(move)

    def parse_position(self, text: str) -> Position:
        return Position(self, notation.parse_position(text))

    def format_position(self, state: Words) -> str:
        return notation.format_position(state)

    @classmethod
    def sketch(cls, text: str) -> View:
        return draw(notation.parse_position(text), False)

    def view(self, state: Words) -> View:
        return draw(state, int(self.rules.outcome(self.params, state)) != ONGOING)

    def describe_outcome(self, state: Words, value: int) -> Outcome:
        score = int(state[rules.SCORE])
        return Outcome(None, scores=(float(score),), detail=f"{value} turns, score {score}")

    def scores(self, state: Words) -> tuple[float, ...]:
        return (float(state[rules.SCORE]),)

    def chance_event(self, position: Position, seed: int) -> str:
        """The three pieces dealt in this turn under this seed, e.g. `5 12 33`."""
        hand = np.zeros(3, np.int64)
        board = kernels.compiled("plyground.games.blockudoku.board")
        turn = np.int64(position.state[rules.TURNS])
        board.deal(np.uint64(seed % 2**64), turn, self.deck, hand)
        return notation.format_hand([int(piece) for piece in hand])

    def apply_chance(self, position: Position, event: str) -> Position:
        """Deal three pieces; they must be in the deck of this game."""
        if position.turn != CHANCE:
            raise IllegalMoveError(f"deal {event!r}: pieces are still in hand")
        try:
            pieces = notation.parse_deal(event)
        except InputError as error:
            raise IllegalMoveError(f"deal: {error}") from error
        strange = [piece for piece in pieces if piece not in self.deck]
        if strange:
            raise IllegalMoveError(
                f"deal {event!r}: piece {strange[0]} is not dealt with pieces="
                f"{self.options['pieces']}"
            )
        state = position.state.copy()
        state[rules.HAND] = notation.pack_hand(pieces)
        return Position(self, state, event)
