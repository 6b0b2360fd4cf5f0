"""How a turn will do, in words that people understand: the chance to survive the next deals.

The board that a turn leaves is played on by the learned evaluation through the next deals, again
and again. All turns meet the same deals, so that their chances can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.core.game import CHANCE, Position, Words
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.games.blockudoku.players.planning import make_planning
from plyground.games.blockudoku.players.settings import Lookahead, learned_weights
from plyground.games.blockudoku.players.turns import WORST
from plyground.games.blockudoku.rules import HIGH, LOW

DEALS = 10
"""The chance is that of surviving so many deals."""
SAMPLES = 60
SEED = np.uint64(1)


class Outlook:
    """The turns of a position with how often each survived so far."""

    def __init__(self, deck: npt.NDArray[np.int64], position: Position, result: SearchResult):
        """`result` names the turns: its `moves`, or its `line` alone."""
        self._lookahead = kernels.compiled("plyground.games.blockudoku.players.lookahead")
        self._board = kernels.compiled("plyground.games.blockudoku.board")
        self._deck = deck
        self._work = make_planning(deck, learned_weights(), Lookahead(candidates=1, deals=0))
        self._hand = np.zeros(3, np.int64)
        self._turns = list(result.moves) or [MoveValue(" ".join(result.line), result.score)]
        self._boards = [_board_after(position, turn.move.split()) for turn in self._turns]
        self._survived = [0] * len(self._turns)
        self.samples = 0

    def sample(self) -> None:
        """Play every turn on through one more row of deals."""
        for at, board in enumerate(self._boards):
            self._survived[at] += board is not None and self._survives(board, self.samples)
        self.samples += 1

    def _survives(self, board: Words, sample: int) -> bool:
        values, boards, _ = self._work.best
        for number in range(DEALS * sample, DEALS * (sample + 1)):
            self._board.deal(SEED, np.int64(number), self._deck, self._hand)
            self._lookahead.best_boards(
                (board[0], board[1]), self._hand, np.int64(1), self._work.search, self._work.best
            )
            if values[0] == WORST:
                return False
            board = boards[0]
        return True

    def applied_to(self, result: SearchResult) -> SearchResult:
        """The result with a chance for every turn; the likeliest turn first, its own before equals.

        The chance is the `probability` of a score, beside the evaluation in `points`.
        """
        own = " ".join(result.line)
        valued = [
            MoveValue(turn.move, _with_chance(turn.score, survived / max(1, self.samples)))
            for turn, survived in zip(self._turns, self._survived, strict=True)
        ]
        valued.sort(key=lambda turn: (-_chance(turn), turn.move != own))
        line = tuple(valued[0].move.split())
        times = "once" if self.samples == 1 else f"{self.samples} times"
        note = f"ten deals played on {times} by the learned evaluation"
        return msgspec.structs.replace(
            result, move=line[0], score=valued[0].score, line=line, moves=tuple(valued), note=note
        )

    def info(self, result: SearchResult) -> SearchInfo:
        """The same while the search goes on."""
        return self.applied_to(result).as_info()


def _board_after(position: Position, turn: Sequence[str]) -> Words | None:
    """The board that a turn leaves; None if the game ends with it."""
    for move in turn:
        if position.is_over or position.turn == CHANCE:
            break
        position = position.play(move)
    return position.state[[LOW, HIGH]].copy() if position.turn == CHANCE else None


def _with_chance(score: Score | None, chance: float) -> Score:
    return msgspec.structs.replace(score or Score(0), probability=chance)


def _chance(turn: MoveValue) -> float:
    return (turn.score.probability if turn.score else None) or 0.0
