"""Document 002: the third-placed bot of CodeCup 2024 and the search behind it."""

from __future__ import annotations

import math
import random
import statistics
import time
from typing import Any

import numpy as np

from plyground.core.limits import Clock, Limit
from plyground.games.codecup_sudoku.experiments.solution_sets import (
    ALWAYS_LOSE,
    PLAIN,
    SWITCHED_OFF,
    NodeLimitReachedError,
    SetSearch,
    random_set,
)
from plyground.lab.checks import decide
from plyground.lab.experiment import Claim, Finding, Item, Measure, Scale, Series, experiment
from plyground.lab.results import Results
from plyground.sudoku import count, enumerate_solutions, full_grid, geometry

GAME = "codecup-sudoku"

# Enumeration -------------------------------------------------------------------------------


def enumeration_times(positions: int, seed: int) -> dict[str, Any]:
    """CPU milliseconds for 100,000 solutions of positions with more than that."""
    chance = random.Random(seed)
    milliseconds: list[float] = []
    clues = []
    while len(milliseconds) < positions + 1:
        grid = np.array(full_grid(geometry(3, 3), chance.randrange(2**31)), np.uint8).reshape(81)
        kept = chance.randint(18, 24)
        board = np.zeros(81, np.uint8)
        for cell in chance.sample(range(81), kept):
            board[cell] = grid[cell]
        text = "".join(map(str, board.tolist()))
        if count(text, 100_001) <= 100_000:
            continue
        started = time.process_time()
        solutions = enumerate_solutions(text, 100_000)
        elapsed = time.process_time() - started
        assert len(solutions) == 100_000
        milliseconds.append(1000 * elapsed)
        clues.append(kept)
    # The first one may have compiled something.
    return {"milliseconds": milliseconds[1:], "clues": clues[1:]}


@experiment("codecup-enumeration", "002")
def enumeration(scale: Scale) -> list[Item]:
    """Enumerating 100,000 solutions."""
    arguments = {"positions": scale.pick(20, 200, 60), "seed": 7}
    return [Measure("enumeration", enumeration_times, arguments, alone=True)]


def _fast_enough(results: Results) -> Finding:
    times = sorted(results.value("enumeration")["milliseconds"])
    text = (
        f"median {statistics.median(times):.0f} ms, {times[0]:.0f} to {times[-1]:.0f} ms, "
        f"over {len(times)} positions of 18 to 24 digits: not slower than that"
    )
    return Finding(text, statistics.median(times) <= 500)


enumeration.reduced = "fewer positions."
enumeration.claims = (
    Claim("100,000 solutions take 100 to 500 ms (on the contest's server)", _fast_enough),
)

# Pruning rules -----------------------------------------------------------------------------


def nodes_without(rule: str, sets: int, low: int, high: int, seed: int) -> dict[str, Any]:
    """Nodes of the search on random sets with one rule switched off (None: given up)."""
    nodes: list[int | None] = []
    for number in range(sets):
        search = SetSearch(random_set(seed + number, low, high), SWITCHED_OFF[rule])
        try:
            search.wins()
            nodes.append(search.nodes)
        except NodeLimitReachedError:
            nodes.append(None)
    return {"nodes": nodes}


@experiment("codecup-pruning", "002")
def pruning(scale: Scale) -> list[Item]:
    """The pruning rules, each switched off."""
    low, high = scale.pick((120, 300), (300, 900), (200, 500))
    return [
        Measure(
            rule,
            nodes_without,
            {"rule": rule, "sets": scale.pick(20, 60, 40), "low": low, "high": high, "seed": 11},
        )
        for rule in SWITCHED_OFF
    ]


def _factor(results: Results, rule: str, without: str = "nothing") -> tuple[float, float, int, int]:
    """Nodes without a rule over nodes with all, in total and as geometric mean; sets; given up."""
    base = results.value(without)["nodes"]
    other = results.value(rule)["nodes"]
    pairs = [(b, o) for b, o in zip(base, other, strict=True) if b and o]
    lost = sum(o is None and b is not None for b, o in zip(base, other, strict=True))
    mean = math.exp(statistics.fmean(math.log(o / b) for b, o in pairs))
    total = sum(o for _, o in pairs) / sum(b for b, _ in pairs)
    return total, mean, len(pairs), lost


def _rule_helps(rule: str) -> Any:
    def check(results: Results) -> Finding:
        total, mean, used, lost = _factor(results, rule)
        text = f"{total:.2f} times the nodes without it, geometric mean {mean:.2f} ({used} sets"
        text += f", {lost} more given up)" if lost else ")"
        return Finding(text, total > 1.0 or lost > 0)

    return check


def _equal_children_alone(results: Results) -> str:
    total, mean, used, _ = _factor(results, "table and equal children", "transposition table")
    return (
        f"without a table the rule saves: {total:.2f} times the nodes without it, geometric mean "
        f"{mean:.2f} ({used} sets)."
    )


pruning.reduced = "sets of 120 to 300 (quick) or 200 to 500 (medium) solutions, not 300 to 900."
pruning.claims = (
    Claim("a transposition table saves nodes", _rule_helps("transposition table")),
    Claim("not evaluating children of 2, 3 and 5 saves nodes", _rule_helps("counts 2, 3, 5")),
    Claim(
        "striking the reply that refuted a move saves nodes",
        _rule_helps("refuting replies"),
    ),
    Claim(
        "trying one of two moves with equal children saves nodes",
        _rule_helps("equal children"),
        because="the table answers the second of two equal children without a new node.",
        tested=_equal_children_alone,
    ),
    Claim("lowest child count first", _rule_helps("smallest first")),
)

# Children of 2, 3 and 5 --------------------------------------------------------------------


def small_sets(sets: int, seed: int) -> dict[str, Any]:
    """Won positions by number of solutions, by brute force on sub-positions of real ones."""
    chance = random.Random(seed)
    won: dict[int, list[int]] = {size: [0, 0] for size in range(2, 9)}
    for number in range(sets):
        search = SetSearch(random_set(seed + number, 100, 400), PLAIN)
        seen: set[int] = set()
        for _ in range(300):
            position = search.everything
            while position.bit_count() > 8:
                position &= chance.choice([m for m in search.moves if position & m])
            while position.bit_count() >= 2 and position not in seen:
                seen.add(position)
                search.nodes = 0
                entry = won[position.bit_count()]
                entry[0] += search.wins(position)
                entry[1] += 1
                position &= chance.choice([m for m in search.moves if position & m])
    return {"won": {str(size): entry for size, entry in won.items()}}


@experiment("codecup-counts", "002")
def small(scale: Scale) -> list[Item]:
    """Positions of 2, 3 and 5 solutions."""
    return [Measure("small-sets", small_sets, {"sets": scale.pick(8, 80, 30), "seed": 23})]


def _always_lose(results: Results) -> Finding:
    won = results.value("small-sets")["won"]
    shown = ", ".join(f"{size}: {hits} of {total}" for size, (hits, total) in won.items() if total)
    agrees = all(won[str(size)][0] == won[str(size)][1] for size in ALWAYS_LOSE)
    return Finding(f"won for the player to move, by number of solutions: {shown}", agrees)


small.reduced = "fewer sets."
small.claims = (
    Claim("children of 2, 3 and 5 solutions always lose for who leaves them", _always_lose),
)

# Third place against the champion ----------------------------------------------------------


@experiment("codecup-match", "002")
def match(scale: Scale) -> list[Item]:
    """The third-placed bot against the champion."""
    seconds = scale.pick(2.0, 30.0, 5.0)
    limit = Limit(clock=Clock(seconds))
    return [
        Series(
            "champion-third",
            GAME,
            "champion",
            "solution-search",
            scale.pick(10, 100, 16),
            limit,
            swap=True,
            opening_plies=4,
        ),
        Series(
            "third-sample",
            GAME,
            "solution-search",
            "sample3",
            scale.pick(6, 40, 12),
            limit,
            swap=True,
        ),
    ]


def _one_class_better(results: Results) -> Finding:
    tally = results.tally("champion-third")
    return decide(f"our champion scores {tally.text}", tally)


def _beats_sample(results: Results) -> Finding:
    tally = results.tally("third-sample")
    return decide(tally.text, tally)


match.reduced = (
    "2 s (medium: 5) a game instead of 30, fewer games. Both scores are far from one half; at full "
    "scale it takes about 2 hours of one core."
)
match.claims = (
    Claim("the winner of the contest was one class better than this bot", _one_class_better),
    Claim("the bot came third of 70: it beats the contest's sample player", _beats_sample),
)
