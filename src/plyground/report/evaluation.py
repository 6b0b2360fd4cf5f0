"""How a game looked to its players: what they said move by move, and the move that turned it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from plyground.core.record import GameRecord

WIDTH, HEIGHT = 320.0, 70.0
_TURN = 0.35
"""So much of the scale from -1 to 1 must be lost between two scores to speak of a turn."""


@dataclass(frozen=True)
class Evaluation:
    """What the mover of move `number` (from 1) expected for the first player, from -1 to 1."""

    number: int
    player: int
    value: float


def evaluations(record: GameRecord) -> list[Evaluation]:
    """The players' scores of a two-player game; what the arena opened with has none."""
    if len(record.players) != 2:
        return []
    return [
        Evaluation(number, entry.player, entry.score.seen_by(0).expectation)
        for number, entry in enumerate(record.moves, 1)
        if entry.score is not None and number > record.opening_plies
    ]


def turning_move(record: GameRecord) -> int | None:
    """The number of the move after which the loser stood much worse than before it.

    It is the loser's move (else the winner's) at the largest fall between two scores that follow
    each other; None if there was no such fall, or no winner.
    """
    winner = record.outcome.winner if record.outcome else None
    said = evaluations(record)
    if winner is None or len(said) < 2:
        return None
    sign = 1.0 if winner == 0 else -1.0
    before, after = max(
        itertools.pairwise(said), key=lambda pair: (pair[1].value - pair[0].value) * sign
    )
    if (after.value - before.value) * sign < _TURN:
        return None
    between = range(before.number, after.number)
    by_loser = [n for n in between if record.moves[n - 1].player == 1 - winner]
    return by_loser[0] if by_loser else before.number


def graph(record: GameRecord) -> str:
    """The scores of both players over the moves as a small SVG picture; empty without scores.

    Above the middle the first player is ahead. The opening is shaded, the turn is marked.
    """
    said = evaluations(record)
    if len(said) < 2:
        return ""
    moves = len(record.moves)
    shapes = [f'<line x1="0" x2="{WIDTH:g}" y1="{_y(0)}" y2="{_y(0)}" stroke="currentColor" '
              'stroke-opacity=".3"/>']  # fmt: skip
    if record.opening_plies:
        shapes.append(f'<rect width="{_x(record.opening_plies, moves)}" height="{HEIGHT:g}" '
                      'fill="currentColor" fill-opacity=".08"/>')  # fmt: skip
    for player, dash in ((0, ""), (1, ' stroke-dasharray="4 3"')):
        line = _line([one for one in said if one.player == player], moves)
        shapes.append(f'<polyline points="{line}" fill="none" stroke="currentColor"{dash}/>')
    turn = turning_move(record)
    if turn is not None:
        x = _x(turn, moves)
        shapes.append(f'<line class="turn" x1="{x}" x2="{x}" y1="0" y2="{HEIGHT:g}" '
                      'stroke="var(--bad, crimson)"/>')  # fmt: skip
    return (
        f'<svg class="scores" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" width="{WIDTH:g}" role="img" '
        f'aria-label="scores over the game">{"".join(shapes)}</svg>'
    )


def _line(said: Sequence[Evaluation], moves: int) -> str:
    return " ".join(f"{_x(one.number, moves)},{_y(one.value)}" for one in said)


def _x(number: int, moves: int) -> str:
    return f"{WIDTH * number / max(1, moves):.1f}"


def _y(value: float) -> str:
    return f"{HEIGHT / 2.0 - (HEIGHT / 2.0 - 3.0) * value:.1f}"
