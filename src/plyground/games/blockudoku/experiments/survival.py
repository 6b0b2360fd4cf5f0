"""Document 004: how long its Blockudoku agent lives, and what its threshold is good for."""

from __future__ import annotations

import statistics
import time
from typing import Any

from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.lab.experiment import Claim, Finding, Item, Measure, Scale, Series, experiment
from plyground.lab.results import Results
from plyground.stats.hazard import estimate_hazard

GAME = "blockudoku"
EXHAUSTIVE = 2657
"""Above the 2656 placements of the empty board: the threshold never ends a search."""
STATIC = "champion:lookahead=no"
"""The learned evaluation alone."""
THRESHOLDS = (1000, 1400, 1800, 2200, EXHAUSTIVE)


def survival(name: str, player: str, games: int, cap: int) -> Series:
    """Games of one agent under the rule of all survival figures."""
    options = {"end": "no_order"}
    return Series(name, GAME, player, "", games, options=options, cap=cap, setting=player)


def lifetime(results: Results, name: str) -> tuple[float, str]:
    """Turns a death of a series, and the same with its interval as text."""
    games = results.games(name)
    turns = sum(game.turns or 0 for game in games)
    deaths = sum(game.termination == "normal" for game in games)
    low, hazard, high = estimate_hazard(deaths, turns)
    if not hazard or not high:
        return float(turns), f"no death in {turns:,} turns"
    upper = f"{1 / low:,.0f}" if low else "∞"
    text = f"{1 / hazard:,.0f} turns a death [{1 / high:,.0f} to {upper}], {deaths} deaths"
    return 1 / hazard, text


@experiment("blockudoku-lengths", "004")
def lengths(scale: Scale) -> list[Item]:
    """Game lengths."""
    return [
        survival("placements", "placements", scale.pick(8, 100, 30), scale.pick(3000, 100_000)),
        survival("occupancy", "occupancy", scale.pick(20, 100, 50), 3000),
        survival("random", "random", scale.pick(20, 100, 50), 3000),
        survival("champion", "champion", scale.pick(1, 10), scale.pick(2000, 100_000, 10_000)),
        *([] if scale is Scale.QUICK else [survival("static", STATIC, 10, 10_000)]),
    ]


def _good_player(results: Results) -> Finding:
    values = {name: lifetime(results, name) for name in ("placements", "occupancy", "random")}
    text = "; ".join(f"{name}: {shown}" for name, (_, shown) in values.items())
    return Finding(text, values["placements"][0] > 5 * values["occupancy"][0])


def _as_known(results: Results) -> Finding:
    value, text = lifetime(results, "placements")
    return Finding(text, 370 <= value <= 820)


def _outlived(results: Results) -> Finding:
    ours = lifetime(results, "champion")
    theirs = lifetime(results, "placements")
    return Finding(f"our champion: {ours[1]}", ours[0] <= theirs[0])


lengths.reduced = (
    "fewer games, capped at 3,000 turns (the champion at 2,000, medium 10,000). The lifetimes "
    "differ by a factor of nine and more."
)
lengths.claims = (
    Claim("the simple agent is a very good player of the game", _good_player),
    Claim(
        "its games last about 550 turns (370 to 820, measured elsewhere by these rules)",
        _as_known,
    ),
    Claim(
        "(implied) there is not much to gain beyond it",
        _outlived,
        because="a learned evaluation of shapes lives many times as long.",
        tested=lambda results: (
            "without its look at the next deals, by the evaluation alone, it "
            f"still has {lifetime(results, 'static')[1]}."
        ),
    ),
)


@experiment("blockudoku-threshold", "004")
def thresholds(scale: Scale) -> list[Item]:
    """The threshold: time against survival."""
    games, cap = scale.pick(4, 40, 15), scale.pick(1500, 100_000, 5000)
    return [
        survival(f"threshold-{value}", f"placements:threshold={value}", games, cap)
        for value in THRESHOLDS
    ]


def milliseconds_a_turn(results: Results, name: str) -> tuple[float, float]:
    """Median and longest time of a turn (its first placement plans the whole turn)."""
    seconds = [
        time
        for game in results.games(name)
        for number, (_, time, _) in enumerate(game.moves)
        if time is not None and number % 3 == 0
    ]
    return 1000 * statistics.median(seconds), 1000 * max(seconds)


def _faster(results: Results) -> Finding:
    shown = []
    medians = []
    for value in THRESHOLDS:
        median, longest = milliseconds_a_turn(results, f"threshold-{value}")
        medians.append(median)
        label = "none" if value == EXHAUSTIVE else str(value)
        shown.append(f"{label}: {median:.2f} ms (longest {longest:.0f})")
    text = f"median of a turn by threshold: {', '.join(shown)}"
    return Finding(text, medians[0] < medians[-1] / 2)


def _survives(results: Results) -> Finding:
    shown = [
        f"{'none' if value == EXHAUSTIVE else value}: {lifetime(results, f'threshold-{value}')[1]}"
        for value in THRESHOLDS
    ]
    low = lifetime(results, f"threshold-{THRESHOLDS[0]}")[0]
    full = lifetime(results, f"threshold-{EXHAUSTIVE}")[0]
    return Finding("; ".join(shown), low < full / 2 or None)


thresholds.reduced = "fewer games, capped at 1,500 turns when quick."
thresholds.claims = (
    Claim("a threshold makes turns fast", _faster),
    Claim("(not said) a low threshold costs survival", _survives),
)


def turn_times(threshold: int, repeats: int) -> dict[str, Any]:
    """CPU milliseconds of a turn on an empty, a half-full and a crowded board."""
    boards = {
        "empty": "." * 81,
        "third full": ("##......." * 3 + "...##...." * 3 + "......##." * 3),
        "half full": "#.#.#.#.#" * 2 + "." * 27 + ".#.#.#.#." * 2 + "#.#.#.#.#" * 2,
    }
    hands = ("16 24 39", "5 28 46", "13 22 34")
    game = make_game(GAME, {"end": "no_order"})
    agent = make_agent(GAME, f"placements:threshold={threshold}")
    agent.new_game(game, 1)
    agent.warm_up()
    values = {}
    for name, board in boards.items():
        times = []
        for hand in hands:
            position = game.parse_position(f"{board} {hand}")
            for _ in range(repeats):
                agent.new_game(game, 1)
                started = time.process_time()
                agent.search(position, Limit())
                times.append(1000 * (time.process_time() - started))
        values[name] = statistics.median(times)
    return values


@experiment("blockudoku-empty", "004")
def empty(scale: Scale) -> list[Item]:
    """The slow empty board."""
    return [
        Measure(
            label,
            turn_times,
            {"threshold": threshold, "repeats": scale.pick(3, 10)},
            alone=True,
        )
        for label, threshold in (("without", EXHAUSTIVE), ("with", 1800))
    ]


def _slow_empty(results: Results) -> Finding:
    without, with_it = results.value("without"), results.value("with")
    text = "; ".join(
        f"{name}: {without[name]:.2f} ms, with threshold 1800 {with_it[name]:.2f} ms"
        for name in without
    )
    return Finding(text, without["empty"] > 3 * without["half full"])


empty.claims = (
    Claim(
        "without a threshold the agent is very slow when the board is almost empty",
        _slow_empty,
    ),
)
