"""The proof search against the tablebases: the same winner and the same distance everywhere?

    python benchmarks/connect4_proof_tables.py --samples 200 --out FILE
    python benchmarks/connect4_proof_tables.py 5x5 6x4 4x7     # gigabytes and minutes each

For each board and each set of rights random placements (reachable or not) are looked up and asked
for: proven within the distance of the table, refuted within less, refuted for the side that does
not win. Tables that are not there yet are built. Any difference ends the program with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

from plyground.core.registry import make_game
from plyground.games.connect4.solvers.proof import search_for, state_of
from plyground.games.connect4.solvers.tablebase import Tablebase, TableKey, build, value_of
from plyground.games.connect4.solvers.tablebase_check import random_placement
from plyground.search.proof import Answer

BOARDS = ("4x4", "4x5", "5x4", "4x6")
RIGHTS = ("none", "first", "second", "both")
WITHOUT_WIN = 13
"""How far ahead a side that never wins is asked about."""


def compare(board: str, mean: str, samples: int) -> dict[str, object]:
    """One table: how many questions were asked, and the longest win among them."""
    width, height = (int(part) for part in board.split("x"))
    game = make_game("connect4", {"width": width, "height": height, "mean": mean})
    key = TableKey.of(game)
    if not key.path.exists():
        build(key)
    table = Tablebase(key)
    searches = [search_for(game, attacker, megabytes=64) for attacker in (0, 1)]
    source = random.Random(f"{board} {mean}")
    started = time.process_time()
    questions, longest = 0, 0
    for _ in range(samples):
        position = random_placement(game, source)
        value, state = value_of(table, position), state_of(position)
        for attacker, search in enumerate(searches):
            attacking = attacker == position.turn
            won = value.kind == ("win" if attacking else "loss")
            distance = value.distance if won and value.distance is not None else WITHOUT_WIN + 1
            asked = [(distance - 1, Answer.REFUTED)] if distance > 1 else []
            asked += [(distance, Answer.PROVEN)] if won else []
            for plies, expected in asked:
                if search.prove(state, attacking, plies) is not expected:
                    raise SystemExit(f"{board} {mean}: {position.text}, {plies} plies: {value}")
                questions += 1
            longest = max(longest, distance if won else 0)
    return {
        "board": board,
        "mean": mean,
        "positions": samples,
        "questions": questions,
        "longest_win": longest,
        "processor_seconds": round(time.process_time() - started, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", nargs="*", default=BOARDS)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    results = []
    for board in arguments.boards:
        for mean in RIGHTS:
            results.append(compare(board, mean, arguments.samples))
            print(json.dumps(results[-1]), flush=True)
            if arguments.out:
                arguments.out.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
