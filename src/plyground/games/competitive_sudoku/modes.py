"""Play modes: on which squares either player may begin."""

from __future__ import annotations

import random

MODES = ("classic", "rows", "border", "random")

Allowed = tuple[frozenset[int], frozenset[int]]


def allowed_squares(mode: str, size: int, seed: int) -> Allowed | None:
    """The squares of either player on a board of this side; None in classic mode.

    Those of mode `random` come from the seed.
    """
    if mode == "classic":
        return None
    squares = range(size * size)
    if mode == "rows":
        return frozenset(squares[:size]), frozenset(squares[-size:])
    if mode == "border":
        edge = (0, size - 1)
        border = frozenset(c for c in squares if c // size in edge or c % size in edge)
        return border, border
    drawn = random.Random(f"squares-{size}-{seed}").sample(squares, 2 * size)
    return frozenset(drawn[:size]), frozenset(drawn[size:])
