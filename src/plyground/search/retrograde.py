"""Backward induction: from finished games to the exact value and distance of every position.

A game offers its positions as a `Space`: it knows the finished games, and can decide one layer
after another. Layer n holds the positions whose value follows from the layers before it: won in n
plies if some move leads to a position lost in n-1, lost in n if every move leads to a won one and
the longest of them takes n-1. What no layer decides is a draw, by play without end if need be.

Under a limit of plies nothing changes: with p plies left a position is won if it is won in at most
p, lost if it is lost in at most p, and a draw otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Layer:
    """How many positions were found to be won and lost in exactly `distance` plies."""

    distance: int
    wins: int
    losses: int


class Space(Protocol):
    """All positions of a game, decided layer by layer."""

    def decide_layer(self, distance: int) -> Layer:
        """Decide what is won or lost in exactly `distance` plies; called with 1, 2, 3, ..."""


def decide_all(
    space: Space, report: Callable[[Layer], None] | None = None, farthest: int | None = None
) -> list[Layer]:
    """Decide layers until one is empty, or up to the distance `farthest`; the non-empty ones."""
    layers: list[Layer] = []
    while farthest is None or len(layers) < farthest:
        layer = space.decide_layer(len(layers) + 1)
        if layer.wins == layer.losses == 0:
            break
        layers.append(layer)
        if report is not None:
            report(layer)
    return layers
