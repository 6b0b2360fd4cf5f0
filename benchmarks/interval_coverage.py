"""How often a 95 % interval of a rating holds the true rating, by simulated tournaments.

    OPENBLAS_NUM_THREADS=1 python benchmarks/interval_coverage.py --ratings 3000
    python benchmarks/interval_coverage.py --exact --rounds 1 2 3 5 10 20

(The matrices are small: more than one thread makes it slower.)

Players get true strengths (normal, with the given spread in Elo), everybody meets everybody in
`rounds` pairs of games with swapped sides, and every rating of the table is looked at. What is true
is what the same tournament would say with endless rounds. The rows are different worlds: close and
distant players, many draws, an advantage of the first move, a program that fails in some games
(counted as losses). `--exact` sums over all results that two players can have instead of drawing
them. `benchmarks/results/interval_coverage.md` is what it printed.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np

from plyground.stats.strength import ELO_PER_UNIT, Evidence, estimate_strengths

ENDLESS = 1e7
GAPS = 200
"""So many differences of strength, equally likely, stand for all."""


@dataclass(frozen=True)
class World:
    """Spread of strengths in Elo, draws (share of decided games that are drawn instead, between
    equals), advantage of the first move in Elo, share of games in which the first player fails."""

    name: str
    spread: float
    draws: float = 0.0
    side: float = 0.0
    failures: float = 0.0


WORLDS = (
    World("equal", 0.0),
    World("close (100)", 100.0),
    World("usual (200)", 200.0),
    World("distant (400)", 400.0),
    World("half drawn", 200.0, draws=0.5),
    World("first move +100", 200.0, draws=0.2, side=100.0),
    World("5 % failures", 200.0, draws=0.2, failures=0.05),
    World("equal, half drawn", 0.0, draws=0.5),
    World("nearly equal (30)", 30.0, draws=0.2),
)


def chances(world: World, gap: float, fails: tuple[bool, bool]) -> np.ndarray:
    """Probabilities of loss, draw and win at an advantage of `gap` Elo."""
    expected = 1.0 / (1.0 + math.exp(-gap / ELO_PER_UNIT))
    drawn = world.draws * 4.0 * expected * (1.0 - expected)
    drawn = min(drawn, 2.0 * min(expected, 1.0 - expected))
    played = np.array([1.0 - expected - drawn / 2.0, drawn, expected - drawn / 2.0])
    lost, won = (world.failures * failing for failing in fails)
    return played * (1.0 - lost) * (1.0 - won) + [lost, 0.0, (1.0 - lost) * won]


def pair_chances(world: World, gap: float, fails: tuple[bool, bool]) -> np.ndarray:
    """Probabilities of 0, 1/2, 1, 3/2 and 2 points in a pair."""
    first = chances(world, gap + world.side, fails)
    second = chances(world, gap - world.side, fails)
    return np.convolve(first, second)


def simulate(
    world: World, strengths: np.ndarray, rounds: int, generator: np.random.Generator
) -> tuple[Evidence, Evidence]:
    """The evidence of a tournament, and that of endless ones."""
    players = len(strengths)
    played, endless = Evidence(players), Evidence(players)
    for first in range(players):
        for second in range(first + 1, players):
            gap = float(strengths[first] - strengths[second])
            odds = pair_chances(world, gap, (first == 0, second == 0))
            counts = generator.multinomial(rounds, odds)
            for points, (count, chance) in enumerate(zip(counts, odds, strict=True)):
                if count:
                    played.add(first, second, points / 4.0, float(count))
                endless.add(first, second, points / 4.0, ENDLESS * chance)
    return played, endless


def measure(world: World, players: int, rounds: int, wanted: int) -> float:
    """The share of intervals that hold the truth, of `wanted` or a few more."""
    generator = np.random.default_rng([players, rounds, WORLDS.index(world)])
    held = seen = 0
    while seen < wanted:
        strengths = generator.normal(0.0, world.spread, players)
        played, endless = simulate(world, strengths, rounds, generator)
        truth = estimate_strengths(endless, intervals=False).elo
        found = estimate_strengths(played)
        assert (found.low <= found.elo).all() and (found.elo <= found.high).all()
        inside = (found.low <= truth) & (truth <= found.high)
        # The ratings of two players mirror each other; they are one observation.
        held += int(inside[:1].sum() if players == 2 else inside.sum())
        seen += 1 if players == 2 else players
    return held / seen


def outcomes(rounds: int, kinds: int = 5) -> Iterator[tuple[int, ...]]:
    """All counts of pairs with 0, 1/2, 1, 3/2 and 2 points."""
    if kinds == 1:
        yield (rounds,)
        return
    for first in range(rounds + 1):
        for rest in outcomes(rounds - first, kinds - 1):
            yield (first, *rest)


def exact(world: World, rounds: int) -> float:
    """The coverage of two players' interval, summed over all results and usual gaps."""
    found = list(outcomes(rounds))
    ends = _intervals(rounds)
    ways = math.lgamma(rounds + 1) - np.array(
        [sum(math.lgamma(count + 1) for count in counts) for counts in found]
    )
    normal = NormalDist(0.0, world.spread * math.sqrt(2.0)) if world.spread else None
    held = 0.0
    for number in range(GAPS):
        gap = normal.inv_cdf((number + 0.5) / GAPS) if normal else 0.0
        odds = pair_chances(world, gap, (True, False))
        truth = _interval(ENDLESS * odds)[2]
        chance = np.exp(ways + (np.array(found) * np.log(np.maximum(odds, 1e-300))).sum(axis=1))
        inside = (ends[:, 0] <= truth + 1e-9) & (truth <= ends[:, 1] + 1e-9)
        held += float(chance[inside].sum())
    return held / GAPS


@cache
def _intervals(rounds: int) -> np.ndarray:
    return np.array([_interval(counts) for counts in outcomes(rounds)])


def _interval(counts: Sequence[float] | np.ndarray) -> tuple[float, float, float]:
    """Low end, high end and estimate of the first player of two."""
    evidence = Evidence(2)
    for points, count in enumerate(counts):
        if count:
            evidence.add(0, 1, points / 4.0, float(count))
    found = estimate_strengths(evidence)
    return float(found.low[0]), float(found.high[0]), float(found.elo[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ratings", type=int, default=3000, help="ratings behind every number")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4, 10, 30])
    parser.add_argument("--exact", action="store_true", help="two players, without chance")
    parser.add_argument(
        "--worlds", nargs="+", default=[], metavar="NAME", help="these rows only (all)"
    )
    parser.add_argument("--rounds", type=int, nargs="+", default=[1, 2, 5, 10, 30, 100])
    options = parser.parse_args()
    began = time.process_time()
    print(f"| players | world | {' | '.join(f'{n} rounds' for n in options.rounds)} |")
    print(f"| ---: | --- |{' ---: |' * len(options.rounds)}")
    for players in [2] if options.exact else options.players:
        for world in WORLDS:
            if options.worlds and world.name not in options.worlds:
                continue
            cells = []
            for rounds in options.rounds:
                share = (
                    exact(world, rounds)
                    if options.exact
                    else measure(world, players, rounds, options.ratings)
                )
                cells.append(f"{100 * share:.1f}")
            print(f"| {players} | {world.name} | {' | '.join(cells)} |", flush=True)
    print(f"{time.process_time() - began:.0f} s of processor time")


if __name__ == "__main__":
    main()
