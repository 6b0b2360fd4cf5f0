"""The share of games still alive after so many turns, where some were stopped alive."""

from __future__ import annotations

from collections.abc import Sequence


def kaplan_meier(ends: Sequence[tuple[int, bool]]) -> tuple[list[int], list[float], list[int]]:
    """Turns and share alive from there on; and the turns at which games were capped.

    `ends` are (turns, whether it died then); the curve is flat after the last entry.
    """
    turns, alive = [0], [1.0]
    at_risk = len(ends)
    for turn in sorted({turn for turn, _ in ends}):
        here = [died for end, died in ends if end == turn]
        if any(here):
            turns.append(turn)
            alive.append(alive[-1] * (1.0 - sum(here) / at_risk))
        at_risk -= len(here)
    last = max((turn for turn, _ in ends), default=0)
    if turns[-1] < last:
        turns.append(last)
        alive.append(alive[-1])
    return turns, alive, [turn for turn, died in ends if not died]
