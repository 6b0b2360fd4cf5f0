"""CodeCup Sudoku: two players fill one grid; who makes its solution unique and says so wins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from plyground import kernels
from plyground.core.demo import Demo
from plyground.core.encoding import Encoding
from plyground.core.errors import GameOverError, IllegalMoveError, InvalidMoveError, PositionError
from plyground.core.game import Game, GameInfo, MoveVerdict, OptionValue, Position, Words
from plyground.core.limits import Clock, Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.registry import register_game
from plyground.core.view import View
from plyground.games.codecup_sudoku import notation, rules
from plyground.games.codecup_sudoku.page import PAGE
from plyground.games.codecup_sudoku.view import draw

WINNER_POINTS = 2
_WORDS, _PLACES = np.divmod(np.arange(rules.CELLS), 16)
_SHIFTS = (4 * _PLACES).astype(np.uint64)
"""Where the digit of each cell stands: in which word, and from which bit on."""

_FAULTS = {
    int(rules.OCCUPIED): ("the cell is occupied", 0),
    int(rules.CONFLICT): ("the digit is already in the row, column or box", 0),
    int(rules.UNSOLVABLE): ("no solution is left", 1),
    int(rules.NOT_REDUCING): ("it does not reduce the number of solutions", 1),
}
"""What `examine` finds wrong: in words, and the loser's contest points."""

CLAIM_OUT_OF_PLACE = "the grid has more than one solution"


@register_game
class CodeCupSudoku(Game):
    """The contest's rules."""

    info = GameInfo(
        name="codecup-sudoku",
        title="CodeCup Sudoku",
        summary="place digits in turn on an empty grid; who makes the solution unique wins",
    )
    demo = Demo(("champion", "sample3", "sample2"), Limit(clock=Clock(1.0)), 2, compiling=12.0)
    page = PAGE
    slice_nodes = 1
    rules_module = "plyground.games.codecup_sudoku.rules"
    state_words = rules.STATE_WORDS
    max_moves = rules.MAX_MOVES

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.params = np.zeros(1, np.uint64)

    def warm_up(self) -> None:
        """Compile or load the rules, so that no clock pays for it."""
        with kernels.compilation(self.rules):
            position = self.start()
            self.examine(position, rules.CLAIMED - 1)
            self.rules.count_up_to(self.digits(position.state), np.int64(2))  # judges claims
            _ = position.move_codes, position.pairs, position.play("Aa1").turn, position.key

    def initial_state(self) -> Words:
        return np.zeros(self.state_words, np.uint64)

    def start(self) -> GridPosition:
        return GridPosition(self, self.initial_state())

    def parse_move(self, state: Words, text: str) -> int:
        return notation.parse_move(text)

    def format_move(self, state: Words, move: int) -> str:
        return notation.format_move(move)

    def parse_position(self, text: str) -> GridPosition:
        """A grid of 81 characters, or the moves so far separated by spaces."""
        if notation.looks_like_grid(text):
            return self.position_of(*notation.parse_grid(text))
        position = self.start()
        for number, move in enumerate(text.split(), 1):
            try:
                position = position.play(move)
            except Exception as error:
                raise PositionError(f"position, move {number}: {error}") from error
        return position

    def position_of(self, digits: NDArray[np.uint8], claims: int = 0) -> GridPosition:
        """The position of a grid; as many plies were played as digits (and claims) stand there."""
        for cell in np.flatnonzero(digits):
            digit = int(digits[cell])
            without = digits.copy()
            without[cell] = 0
            if self.rules.has_conflict(without, np.int64(cell), np.int64(digit)):
                place = notation.format_move(9 * int(cell) + digit - 1)
                raise PositionError(f"position: the {digit} of {place} stands twice in a unit")
        solutions = int(self.rules.count_up_to(digits, np.int64(2)))
        if solutions == 0:
            raise PositionError("position: this grid has no solution")
        if claims and solutions > 1:
            raise PositionError("position: a claim, but the grid has more than one solution")
        state = self.initial_state()
        for cell in np.flatnonzero(digits):
            word, nibble = divmod(int(cell), 16)
            state[word] |= np.uint64(int(digits[cell]) << 4 * nibble)
        plies = int(np.count_nonzero(digits))
        if claims == 2:
            plies += 1
        result = (2 if plies % 2 == 0 else 1) if claims else 0
        state[int(rules.HEAD)] = np.uint64(plies | result << int(rules.RESULT_SHIFT))
        return GridPosition(self, state)

    def format_position(self, state: Words) -> str:
        digits = self.digits(state)
        head = int(state[int(rules.HEAD)])
        claims = 0
        if head >> int(rules.RESULT_SHIFT):
            plies = head & int(rules.PLY_MASK)
            claims = 2 if plies > np.count_nonzero(digits) else 1
        return notation.format_grid(digits, claims)

    def digits(self, state: Words) -> NDArray[np.uint8]:
        """The grid (81,), 0 = empty."""
        nibbles = state[_WORDS] >> _SHIFTS & np.uint64(15)
        return nibbles.astype(np.uint8)

    @classmethod
    def sketch(cls, text: str) -> View:
        return draw(notation.parse_grid(text)[0], "")

    def view(self, state: Words) -> View:
        head = int(state[int(rules.HEAD)])
        plies = head & int(rules.PLY_MASK)
        result = head >> int(rules.RESULT_SHIFT)
        who = self.info.player_names[plies % 2] + " player to move"
        if result:
            who = self.info.player_names[result - 1] + " player has won"
        return draw(self.digits(state), f"{who} after {plies} plies")

    def epilogue(self, position: Position) -> View | None:
        """The finished grid, where only one is left."""
        digits = self.digits(position.state)
        if int(self.rules.count_up_to(digits, np.int64(2))) != 1:
            return None
        for cell in np.flatnonzero(digits == 0):
            for digit in range(1, 10):
                if self.rules.has_conflict(digits, np.int64(cell), np.int64(digit)):
                    continue
                digits[cell] = digit
                if int(self.rules.count_up_to(digits, np.int64(1))):
                    break
                digits[cell] = 0
        return draw(digits, "the only solution")

    def examine(self, position: Position, code: int) -> int:
        """What the contest's judge finds about a move without its claim: a constant of `rules`."""
        cell, digit = divmod(code % rules.CLAIMED, 9)
        digits = self.digits(position.state)
        return int(self.rules.examine(digits, np.int64(cell), np.int64(digit + 1)))

    def judge(self, position: Position, text: str) -> MoveVerdict:
        """The contest's verdict: text, cell, conflict, solution, reduction, and then the claim."""
        if position.is_over:
            return super().judge(position, text)
        try:
            code = notation.parse_move(text)
        except InvalidMoveError as error:
            return self._lost(position, Termination.ILLEGAL_MOVE, str(error), 0)
        if code == rules.CLAIM:
            if int(self.rules.count_up_to(self.digits(position.state), np.int64(2))) > 1:
                return self._lost(position, Termination.FALSE_CLAIM, CLAIM_OUT_OF_PLACE, 0)
        else:
            found = self.examine(position, code)
            if found in _FAULTS:
                reason, points = _FAULTS[found]
                detail = f"{notation.format_move(code)}: {reason}"
                return self._lost(position, Termination.ILLEGAL_MOVE, detail, points)
            if code >= rules.CLAIMED and found != rules.UNIQUE:
                return self._lost(position, Termination.FALSE_CLAIM, CLAIM_OUT_OF_PLACE, 0)
        following = self.after(position, code)
        return MoveVerdict(following, following.last_move)

    def after(self, position: Position, code: int) -> GridPosition:
        """The position after a turn that is known to be allowed."""
        child = np.empty_like(position.state)
        self.rules.play(self.params, position.state, np.int64(code), child)
        return GridPosition(self, child, notation.format_move(code))

    def _lost(
        self, position: Position, termination: Termination, detail: str, points: int
    ) -> MoveVerdict:
        outcome = super().forfeit(position, position.turn, termination, detail)
        return MoveVerdict(outcome=_with_points(outcome, position.turn, points))

    def forfeit(
        self, position: Position, loser: int, termination: Termination, detail: str = ""
    ) -> Outcome:
        outcome = super().forfeit(position, loser, termination, detail)
        return _with_points(outcome, loser, 1 if termination is Termination.TIMEOUT else 0)

    def encoding(self) -> Encoding:
        from plyground.games.codecup_sudoku.encoding import CodeCupEncoding  # only learners need it

        return CodeCupEncoding()

    def describe_outcome(self, state: Words, value: int) -> Outcome:
        outcome = super().describe_outcome(state, value)
        assert outcome.winner is not None
        return _with_points(outcome, 1 - outcome.winner, 1)


def _with_points(outcome: Outcome, loser: int, points: int) -> Outcome:
    shares = (points, WINNER_POINTS) if loser == 0 else (WINNER_POINTS, points)
    return Outcome(outcome.winner, outcome.termination, points=shares, detail=outcome.detail)


class GridPosition(Position):
    """A position that looks for solutions only as far as a move needs it."""

    game: CodeCupSudoku

    @cached_property
    def digits(self) -> NDArray[np.uint8]:
        """The grid (81,), 0 = empty."""
        return self.game.digits(self.state)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The legal moves as (cell, digit); none on a unique grid."""
        masks = np.zeros(rules.CELLS, np.uint16)
        self.game.rules.candidates(self.digits.copy(), masks)
        return [
            (cell, digit)
            for cell, mask in enumerate(masks.tolist())
            if self.digits[cell] == 0 and mask & (mask - 1)
            for digit in range(1, 10)
            if mask >> (digit - 1) & 1
        ]

    def play(self, move: str | int) -> GridPosition:
        """The position after a turn. A winning move may also be played without its claim."""
        if self.is_over:
            raise GameOverError(f"the game is over ({self.outcome}); {move!r} cannot be played")
        text = move if isinstance(move, str) else notation.format_move(move)
        notation.parse_move(text)
        verdict = self.game.judge(self, text)
        if verdict.outcome is not None:
            raise IllegalMoveError(f"illegal move {text!r}: {verdict.outcome.detail}")
        assert isinstance(verdict.position, GridPosition)
        return verdict.position


__all__ = ["CodeCupSudoku", "GridPosition"]
