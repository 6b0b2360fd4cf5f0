"""What the base classes of submissions of both generations share."""

from __future__ import annotations

import os
import sys
from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class BestMove(list):  # type: ignore[type-arg]
    """The move to play as `[row, column, value]`; all that is set but three zeros is a proposal.

    Submissions set it through `propose_move` or by assignment to its items.
    """

    send: Callable[[Any, Any, Any], None] | None = None

    def __setitem__(self, key: Any, value: Any) -> None:
        list.__setitem__(self, key, value)
        if self.send is not None and len(self) == 3 and any(self):
            self.send(*self)


class SubmissionBase:
    """State of a submission, and what it keeps between turns.

    Its class has all of it too: some submissions do not call this `__init__`.
    """

    player_number = -1
    lock: Any = None
    best_move: Any = None
    solve_sudoku_path = ""
    _save_path = ""

    def __init__(self) -> None:
        self.best_move = [0, 0, 0]

    def compute_best_move(self, game_state: Any) -> None:
        """To be implemented by the submission."""
        raise NotImplementedError

    def save(self, data: Any) -> None:
        """Keep something for the next turn of this game; what cannot be pickled is not kept."""
        if not self._save_path:
            return
        import pickle  # here: the process of a submission that saves nothing does without

        try:
            content = pickle.dumps(data)
        except Exception as error:
            print(f"save: not kept, cannot be pickled: {error}", file=sys.stderr)
            return
        # Written aside and then renamed: a turn that ends meanwhile leaves the older one whole.
        draft = f"{self._save_path}.draft"
        os.makedirs(os.path.dirname(draft), mode=0o700, exist_ok=True)
        with open(draft, "wb") as file:
            file.write(content)
        os.replace(draft, self._save_path)

    def load(self) -> Any:
        """What was saved last in this game, or None."""
        if not os.path.exists(self._save_path):
            return None
        import pickle

        try:
            with open(self._save_path, "rb") as file:
                return pickle.load(file)
        except Exception as error:
            print(f"load: {error}", file=sys.stderr)
            return None


def prepare(submission: SubmissionBase) -> None:
    """Give a submission what the course's runner gives it before a game."""
    submission.lock = RLock()
    submission.best_move = BestMove([0, 0, 0])


def propose(submission: SubmissionBase, row: int, column: int, value: int) -> None:
    """Take down a move and send it off. Not a method: submissions have names of their own."""
    if submission.lock is None:
        submission.best_move = [row, column, value]  # outside of a game
        return
    with submission.lock:
        submission.best_move[:] = [row, column, value]
