"""The rules of Competitive Sudoku against the tests' independent referee, over many random games.

    python benchmarks/competitive_referee.py [--games 3000] [--first-seed 0]

Every block size from 2x2 to 5x5 and every mode in turn. Proposals are random, some of them wild
(off the board, taboo, occupied), so that passes and all reasons to lose occur. Both sides must
agree on every verdict, reward, taboo list, owner, mover and end. Larger boards begin fuller, as
the referee has a naive solver; games in which that takes longer than SECONDS are given up, counted.
"""

from __future__ import annotations

import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from plyground.games.competitive_sudoku.modes import MODES

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from competitive.test_rules import SIZES, play_out, random_start
from script import read_options

SECONDS = 10


class TooSlowError(Exception):
    """The naive solver is stuck."""


def give_up(*_: object) -> None:
    raise TooSlowError


def main() -> None:
    options = read_options(__doc__, games=3000, first_seed=0)
    signal.signal(signal.SIGALRM, give_up)
    played: Counter[str] = Counter()
    passes = given_up = 0
    started = time.monotonic()
    for number in range(options.games):
        seed = options.first_seed + number
        (rows, columns), mode = SIZES[number % len(SIZES)], MODES[number // len(SIZES) % len(MODES)]
        chance = random.Random(seed)
        game = random_start(rows, columns, mode, seed // 64, chance)
        signal.alarm(SECONDS)
        try:
            passes += play_out(game, chance, wild=0.15)
            played[f"{rows}x{columns}"] += 1
        except TooSlowError:
            given_up += 1
        finally:
            signal.alarm(0)
    print(
        f"{sum(played.values())} games agreed in every verdict, {passes} passes among them; "
        f"{given_up} given up; {time.monotonic() - started:.0f} s"
    )
    print(", ".join(f"{size}: {count}" for size, count in sorted(played.items())))


if __name__ == "__main__":
    main()
