"""Mean Connect 4 on boards of every size: who wins from the empty board, and within how many plies.

    python benchmarks/connect4_boards.py --mean first second --out FILE
    python benchmarks/connect4_boards.py --mean both --seconds 60 --boards 7x4 5x7 --out FILE

Per board two bounds: a number of plies within which the win is proven, and one within which it is
refuted. Small numbers are asked first, as far as that is quick, then a generous one, then smaller
ones, then the rest, until both meet or the processor time of the board is spent. An earlier FILE
goes on: its bounds are taken over and tightened.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from plyground.core.registry import make_game
from plyground.games.connect4.solvers.proof import search_for, state_of
from plyground.search.proof import Answer

BOARDS = [f"{width}x{height}" for width in range(4, 9) for height in range(4, 8)]
WINNER = {"first": 0, "second": 1, "both": 0}
GENEROUS = 41
EASY = 0.1
"""The part of the time that the small numbers may take before the generous one is asked."""


class Bounds:
    """The questions about one board."""

    def __init__(self, entry: dict[str, Any], seconds: float, megabytes: float) -> None:
        self.entry, self.seconds = entry, seconds
        width, height = map(int, entry["board"].split("x"))
        game = make_game("connect4", {"width": width, "height": height, "mean": entry["mean"]})
        self.root = game.start()
        self.winner = WINNER[entry["mean"]]
        self.search = search_for(game, self.winner, megabytes)
        self.search.warm_up(state_of(self.root))
        self.started = time.process_time()
        self.before = entry["positions"], entry["processor_seconds"]

    def ask(self, plies: int, part: float) -> Answer:
        """One question, up to a part of the board's time."""
        until = self.started + part * self.seconds
        answer = self.search.prove(
            state_of(self.root),
            self.winner == 0,
            plies,
            lambda judged: time.process_time() < until,
        )
        if answer is Answer.PROVEN:
            self.entry["within"] = plies
        elif answer is Answer.REFUTED:
            self.entry["not_within"] = plies
        self.entry["positions"] = self.before[0] + self.search.evaluations
        spent = time.process_time() - self.started
        self.entry["processor_seconds"] = round(self.before[1] + spent, 1)
        return answer

    def tighten(self) -> None:
        """Ask until the bounds meet or the time is over."""
        entry, parity = self.entry, 1 - self.winner
        while self.ask(entry["not_within"] + 2, EASY) is Answer.REFUTED:
            pass
        if entry["within"] is None:
            self.ask(GENEROUS - 1 + parity, 1.0)
        while entry["within"] is not None and entry["within"] - entry["not_within"] > 2:
            lower, upper = entry["not_within"] + 2, entry["within"] - 2
            downwards = self.ask(upper, 0.8)
            if downwards is Answer.OPEN and self.ask(lower, 1.0) is Answer.OPEN:
                return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", nargs="*", default=BOARDS)
    parser.add_argument("--mean", nargs="*", default=["first", "second", "both"])
    parser.add_argument("--seconds", type=float, default=20.0, help="processor time a board")
    parser.add_argument("--megabytes", type=float, default=512.0)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    known = json.loads(arguments.out.read_text()) if arguments.out.exists() else []
    entries = {(entry["board"], entry["mean"]): entry for entry in known}
    for mean in arguments.mean:
        for board in arguments.boards:
            least = 3 - WINNER[mean]
            fresh = {"board": board, "mean": mean, "within": None, "not_within": least}
            fresh |= {"positions": 0, "processor_seconds": 0.0}
            entry = entries.setdefault((board, mean), fresh)
            if entry["within"] is not None and entry["within"] - entry["not_within"] == 2:
                continue
            Bounds(entry, arguments.seconds, arguments.megabytes).tighten()
            print(json.dumps(entry), flush=True)
            arguments.out.write_text(json.dumps(list(entries.values()), indent=1) + "\n")


if __name__ == "__main__":
    main()
