"""Blockudoku: turns per second of the champion's search beside the source document's agent.

`benchmarks/blockudoku_speed.py` measures the same search beside a program of your own.
"""

from __future__ import annotations

import numpy as np

from plyground import kernels
from plyground.games.blockudoku.pieces import placement_tables
from plyground.games.blockudoku.players.room import new_turn
from plyground.games.blockudoku.players.selfplay import BOARDS, TOTAL_COUNT
from plyground.games.blockudoku.players.survival import Player
from plyground.search.measure import Row, fastest

SEED = 42
TURNS = 1500
DOCUMENT_TURNS = 100
THRESHOLD = 1800


def measure() -> list[Row]:
    """Turns/s and final boards/s, on the deals of one seed."""
    rows = []
    for pieces in ("0-46", "13-46"):
        static, sampling = Player("static", pieces), Player("5ms", pieces)
        document = DocumentPlayer(pieces)
        speed = fastest(
            {
                "static": lambda player=static: _play(player)[0],  # type: ignore[misc]
                "boards": lambda player=static: _play(player)[1],  # type: ignore[misc]
                "sampling": lambda player=sampling: _play(player)[0],  # type: ignore[misc]
                "document": lambda player=document: player.play(),  # type: ignore[misc]
            }
        )
        peer = "the document's agent"
        for name, key in (("evaluation alone", "static"), ("with sampled deals", "sampling")):
            rows.append(
                Row(
                    f"champion, {name}, pieces {pieces}",
                    speed[key],
                    "turns/s",
                    peer,
                    speed["document"],
                )
            )
        rows.append(Row(f"final boards evaluated, pieces {pieces}", speed["boards"], "boards/s"))
    return rows


def _play(player: Player) -> tuple[float, float]:
    totals = np.zeros(TOTAL_COUNT)
    player.play(SEED, 0, TURNS, np.zeros(2, np.uint64), totals)
    return float(TURNS), float(totals[BOARDS])


class DocumentPlayer:
    """Plays turns as the source document's agent does."""

    def __init__(self, pieces: str) -> None:
        first, last = (int(word) for word in pieces.split("-"))
        self.deck = np.arange(first, last + 1, dtype=np.int64)
        self.module = kernels.compiled("plyground.games.blockudoku.players.room")
        self.board_module = kernels.compiled("plyground.games.blockudoku.board")
        self.placements, _ = placement_tables()
        with kernels.compilation(self.module):
            self.play(1)

    def play(self, turns: int = DOCUMENT_TURNS) -> float:
        """Play so many turns from the empty board; how many."""
        turn, hand = new_turn(), np.zeros(3, np.int64)
        for number in range(turns):
            self.board_module.deal(np.uint64(SEED), np.int64(number), self.deck, hand)
            room = self.module.roomiest_turn(
                (turn.board[0], turn.board[1]), hand, np.int64(THRESHOLD), self.placements, turn
            )
            if room < 0:
                turn.board[:] = 0
        return float(turns)
