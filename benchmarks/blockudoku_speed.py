"""Turns per second of the search over a turn, without sampling, beside another program.

    python benchmarks/blockudoku_speed.py [--peer PROGRAM] [--out results/blockudoku_speed.json]

Both play the true game (and the hard one, pieces 13-46) on the same deals by evaluation alone: all
orders and placements of the three pieces, the best final board by each program's own evaluation.
The peer is called as `PROGRAM FIRST_PIECE TURNS SEED` and prints `{"turns": N, "seconds": S}`, its
CPU time. The two are run in turn, several times each; the best time counts. `boards` are final
boards whose cost was computed at least in part, after orders that lead to the same board and
groups of placements that cannot beat the best board so far have been left out.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import time
from pathlib import Path

import numpy as np

from plyground.games.blockudoku.players.selfplay import BOARDS, TOTAL_COUNT
from plyground.games.blockudoku.players.survival import Player
from script import read_options

SEED = 42
ROUNDS = 5


def own_seconds(player: Player, turns: int) -> tuple[float, float]:
    """CPU seconds and boards of our search."""
    totals = np.zeros(TOTAL_COUNT)
    started = time.process_time()
    player.play(SEED, 0, turns, np.zeros(2, np.uint64), totals)
    return time.process_time() - started, float(totals[BOARDS])


def peer_seconds(program: str, first_piece: int, turns: int) -> float:
    """CPU seconds of the other program."""
    command = [*shlex.split(program), str(first_piece), str(turns), str(SEED)]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return float(answer["seconds"]) * turns / float(answer["turns"])


def main() -> None:
    """Measure, print a table, write the raw numbers."""
    arguments = read_options(__doc__, peer=str, turns=4000, out=Path)
    rows = []
    for first_piece in (0, 13):
        player = Player("static", f"{first_piece}-46")
        own, peer, boards = [], [], 0.0
        for _ in range(ROUNDS):
            seconds, boards = own_seconds(player, arguments.turns)
            own.append(seconds)
            if arguments.peer:
                peer.append(peer_seconds(arguments.peer, first_piece, arguments.turns))
        row = {
            "pieces": f"{first_piece}-46",
            "turns": arguments.turns,
            "turns_per_second": arguments.turns / min(own),
            "boards_per_turn": boards / arguments.turns,
            "boards_per_second": boards / min(own),
            "seconds": own,
        }
        text = f"pieces {row['pieces']}: {row['turns_per_second']:.0f} turns/s"
        if peer:
            row |= {"peer_seconds": peer, "ratio": min(peer) / min(own)}
            text += f", peer {arguments.turns / min(peer):.0f} turns/s, ratio {row['ratio']:.2f}"
        rows.append(row)
        print(text)
    if arguments.out:
        arguments.out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
