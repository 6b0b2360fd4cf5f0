"""What the base classes of submissions of both generations share."""

from __future__ import annotations

import pickle
import sys
import threading
from pathlib import Path
from typing import Any


class SubmissionBase:
    """State of a submission, and what it keeps between turns."""

    def __init__(self) -> None:
        self.player_number = -1
        self.lock: Any = threading.RLock()
        self.best_move: Any = [0, 0, 0]
        self.solve_sudoku_path = ""
        self._send: Any = None
        self._save_path: Path | None = None

    def save(self, data: Any) -> None:
        """Keep something for the next turn of this game; what cannot be pickled is not kept."""
        if self._save_path is None:
            return
        try:
            content = pickle.dumps(data)
        except Exception as error:
            print(f"save: not kept, cannot be pickled: {error}", file=sys.stderr)
            return
        # Written aside and then renamed: a turn that ends meanwhile leaves the older one whole.
        draft = self._save_path.with_suffix(".draft")
        draft.write_bytes(content)
        draft.replace(self._save_path)

    def load(self) -> Any:
        """What was saved last in this game, or None."""
        if self._save_path is None or not self._save_path.exists():
            return None
        try:
            return pickle.loads(self._save_path.read_bytes())
        except Exception as error:
            print(f"load: {error}", file=sys.stderr)
            return None


def propose(submission: SubmissionBase, row: int, column: int, value: int) -> None:
    """Take down a move and send it off. Not a method: submissions have names of their own."""
    with submission.lock:
        submission.best_move[:] = [row, column, value]
        if submission._send is not None:
            submission._send(row, column, value)
