"""An outside program that is asked for turns, one line each.

A line is a position in the game's notation: 81 characters, then the three pieces in hand. The
program answers with its placements in the order of play, `1@0,3 3@2,2 2@4,4`, or with `-` if no
order places all three. Several lines may be written before the first answer is read.
"""

from __future__ import annotations

import shlex
import subprocess
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.core.errors import InputError
from plyground.engines.processor_time import own_seconds
from plyground.games.blockudoku.notation import board_text, parse_move

if TYPE_CHECKING:  # every command that takes players loads this module
    from plyground.games.blockudoku.players.ensemble import Boards, Hands

NONE = "-"


class ProgramPlayer:
    """Asks the program; its answers are checked by playing them."""

    def __init__(self, command: str) -> None:
        self.command = command
        self._board = kernels.compiled("plyground.games.blockudoku.board")
        try:
            self._process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        except (OSError, ValueError) as error:
            raise InputError(f"the program {command!r} cannot be started: {error}") from error

    def __enter__(self) -> ProgramPlayer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def seconds(self) -> float:
        """Processor time of the program."""
        return own_seconds(self._process.pid)

    def turns(self, boards: Boards, hands: Hands) -> tuple[Boards, npt.NDArray[np.bool_]]:
        """See `TurnPlayer`."""
        after, alive = boards.copy(), np.zeros(len(boards), np.bool_)
        for row, (board, hand) in enumerate(zip(boards, hands, strict=True)):
            question = f"{board_text(*board)} {' '.join(map(str, hand))}"
            answer = self._ask(question)
            if answer == NONE:
                if self._board.can_place_all(board[0], board[1], hand):
                    raise InputError(f"{self.command!r} gives up on {question!r}: it has a turn")
                continue
            after[row] = self._played(question, board, hand, answer)
            alive[row] = True
        return after, alive

    def _ask(self, question: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{question}\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline().strip()
        except OSError as error:
            raise InputError(f"{self.command!r} ended at {question!r}: {error}") from error
        if not answer:
            raise InputError(f"{self.command!r} has no answer to {question!r}")
        return answer

    def _played(
        self, question: str, board: npt.NDArray[np.uint64], hand: Hands, answer: str
    ) -> tuple[int, int]:
        low, high = board
        left = [int(piece) for piece in hand]
        for text in answer.split():
            slot, anchor = divmod(parse_move(text), 81)
            piece, left[slot] = left[slot], -1
            fits = (0, 0)
            if piece >= 0:
                fits = self._board.fitting_anchors(low, high, np.int64(piece))
            if not (int(fits[0]) | int(fits[1]) << 54) >> anchor & 1:
                raise InputError(
                    f"{self.command!r}: {text} of {answer!r} does not fit {question!r}"
                )
            after = self._board.board_after(low, high, np.int64(piece), np.uint64(anchor))
            low, high = np.uint64(after[0]), np.uint64(after[1])
        if left != [-1] * 3:
            raise InputError(f"{self.command!r}: {answer!r} leaves a piece of {question!r}")
        return int(low), int(high)
