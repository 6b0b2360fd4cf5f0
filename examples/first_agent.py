"""The example of `docs/adding-an-agent.md`: it takes a win, avoids a loss, else guesses."""

from __future__ import annotations

import random

import plyground as pg


@pg.register_agent("connect4")
class CarefulAgent(pg.Agent):
    """Looks two plies ahead."""

    name = "careful"
    summary = "wins if it can, avoids moves that lose at once, else plays at random"

    def __init__(self, luck: float = 1.0) -> None:
        self.luck = luck

    def choose(self, position: pg.Position, limit: pg.Limit) -> str:
        source = random.Random(self.seed * self.luck + position.key)
        safe = []
        for move in position.legal_moves:
            child = position.play(move)
            if child.outcome and child.outcome.winner == position.turn:
                return move
            replies = (child.play(reply).outcome for reply in child.move_codes)
            if not any(reply and reply.winner == child.turn for reply in replies):
                safe.append(move)
        return source.choice(safe or position.legal_moves)
