"""How claims are checked: intervals of shares, and whether two counts can be the same thing."""

from __future__ import annotations

import math
from collections.abc import Callable

from plyground.lab.experiment import Finding
from plyground.lab.results import Results
from plyground.report.summary import Tally

DOUBT = 0.01
"""Two counts agree unless a difference like theirs has a probability below this."""

MATTERS = 0.05
"""A player or a condition that is better by less than this share of the points is not better."""


def wilson(hits: float, total: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if total == 0:
        return 0.0, 1.0
    z = 1.959963984540054
    share = hits / total
    strength = z * z / total
    centre = (share + strength / 2) / (1 + strength)
    half = math.sqrt(strength * (share * (1 - share) + strength / 4)) / (1 + strength)
    return max(0.0, centre - half), min(1.0, centre + half)


def show_share(hits: float, total: int) -> str:
    """`74.4 % [71.6 to 77.0] of 1,000`."""
    low, high = wilson(hits, total)
    return f"{100 * hits / max(total, 1):.1f} % [{100 * low:.1f} to {100 * high:.1f}] of {total:,}"


def same_share(ours: int, our_total: int, theirs: int, their_total: int) -> bool:
    """Whether two counts may well come from one probability (Fisher's exact test)."""
    return exact_doubt(ours, our_total, theirs, their_total) >= DOUBT


def exact_doubt(ours: int, our_total: int, theirs: int, their_total: int) -> float:
    """The p-value of Fisher's exact test: how likely counts as unlikely as these are."""
    hits = ours + theirs
    possible = range(max(0, hits - their_total), min(hits, our_total) + 1)

    def logarithm(count: int) -> float:
        cells = (count, our_total - count, hits - count, their_total - hits + count)
        return -math.fsum(math.lgamma(cell + 1.0) for cell in cells)

    found = logarithm(ours)
    logarithms = [logarithm(count) for count in possible]
    highest = max(logarithms)
    whole = math.fsum(math.exp(each - highest) for each in logarithms)
    # What is as likely as the counts that were found may differ from them in its last digits.
    rare = (each for each in logarithms if each <= found + 1e-7)
    return math.fsum(math.exp(each - highest) for each in rare) / whole


def wins_like(name: str, theirs: int, their_total: int) -> Callable[[Results], Finding]:
    """The first player of a series wins as often as the document's did."""

    def check(results: Results) -> Finding:
        tally = results.tally(name)
        return Finding(tally.text, same_share(tally.wins, tally.games, theirs, their_total))

    return check


def stronger(tally: Tally, matters: float = MATTERS) -> bool | None:
    """Whether the player is the stronger one: yes above one half beyond doubt, no if it is beyond
    doubt less than `matters` above one half, else None.
    """
    if tally.low > 0.5:
        return True
    return False if tally.high < 0.5 + matters else None


def higher(first: Tally, second: Tally, matters: float = MATTERS) -> bool | None:
    """Whether the first score is the higher one: yes beyond doubt (one-sided 5 %), no if beyond
    doubt it is less than `matters` higher, else None.
    """
    difference, noise = _difference(first, second)
    if difference > noise:
        return True
    return False if difference + noise < matters else None


def decide(text: str, tally: Tally, matters: float = MATTERS) -> Finding:
    """A finding on whether the player is the stronger one; undecided, with the games it takes."""
    gap = max(tally.score - 0.5, 0.5 + matters - tally.score)
    games = _games_for((tally.high - tally.low) / 2, gap, tally.games)
    return Finding(text, stronger(tally, matters), games)


def decide_higher(text: str, first: Tally, second: Tally, matters: float = MATTERS) -> Finding:
    """A finding on whether the first score is higher; undecided, with the games it takes."""
    difference, noise = _difference(first, second)
    gap = max(difference, matters - difference)
    games = _games_for(noise, gap, first.games + second.games)
    return Finding(text, higher(first, second, matters), games)


def _difference(first: Tally, second: Tally) -> tuple[float, float]:
    """The difference of two scores and what it may be off by (one-sided 5 %)."""
    error = math.hypot(first.high - first.low, second.high - second.low) / (2 * 1.96)
    return first.score - second.score, 1.645 * error


def _games_for(noise: float, gap: float, games: int) -> int:
    """How many games bring the noise of so many below the gap, if the score stays as it is."""
    return math.ceil(games * (noise / gap) ** 2)


def show_points(tally: Tally) -> str:
    """A score with its interval, short."""
    return f"{100 * tally.score:.0f} % [{100 * tally.low:.0f} to {100 * tally.high:.0f}]"
