"""Document 003: state space, compiled code, and the exact truth about small boards."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from plyground import kernels
from plyground.core.game import OptionValue, Position
from plyground.core.registry import make_game
from plyground.lab.experiment import Claim, Finding, Item, Measure, Scale, experiment
from plyground.lab.results import Results
from plyground.search.mcts import PLAYOUT_HOOKS
from plyground.search.montecarlo import TEMPLATE, MonteCarlo
from plyground.search.perft import RULES_HOOKS


def plain_against_compiled(games: int) -> dict[str, Any]:
    """Random games a second by the same code, compiled and as plain Python."""
    game = make_game("connect4")
    sampler = MonteCarlo(game)
    plain = kernels.plain(
        TEMPLATE, {RULES_HOOKS: game.rules_module, PLAYOUT_HOOKS: game.playout_module}
    )
    rates = {}
    for name, module, number in (
        ("compiled", sampler.module, 400 * games),
        ("plain", plain, games),
    ):
        sampler.module = module
        with np.errstate(over="ignore"):
            sampler.sample(game.start(), 3, 2)
            started = time.process_time()
            sampler.sample(game.start(), 3, number)
            rates[name] = number / (time.process_time() - started)
    return rates


def count_positions(width: int, height: int) -> dict[str, Any]:
    """Positions of plain Connect 4 that can be reached, by exhaustion with a set."""
    game = make_game("connect4", {"width": width, "height": height, "mean": "none"})
    layer = {game.start().state.tobytes(): game.start()}
    total = 0
    while layer:
        total += len(layer)
        following: dict[bytes, Position] = {}
        for position in layer.values():
            for code in position.move_codes:
                child = position.play(code)
                following[child.state.tobytes()] = child
        layer = following
    return {"positions": total, "bound": 3 ** (width * height)}


@experiment("connect4-facts", "003")
def facts(scale: Scale) -> list[Item]:
    """State space and compiled code."""
    width, height = scale.pick((4, 4), (5, 4))
    return [
        Measure("speed", plain_against_compiled, {"games": 40}, alone=True),
        Measure("positions", count_positions, {"width": width, "height": height}),
    ]


def _speed(results: Results) -> Finding:
    rates = results.value("speed")
    ratio = rates["compiled"] / rates["plain"]
    text = (
        f"{ratio:,.0f} times as many random games ({rates['compiled']:,.0f} against "
        f"{rates['plain']:,.0f} a second)"
    )
    return Finding(text, ratio >= 5)


def _bound(results: Results) -> Finding:
    value = results.value("positions")
    options = next(item for item in results.plan if item.name == "positions")
    assert isinstance(options, Measure)
    size = f"{options.arguments['width']} x {options.arguments['height']}"
    text = (
        f"holds: {size} has {value['positions']:,} reachable positions, the same bound gives "
        f"{value['bound']:,}; 7 x 6 has 4,531,985,219,092 (published), the bound 1.1e20"
    )
    return Finding(text, value["positions"] < value["bound"])


facts.reduced = "positions counted on 4 x 4 instead of 5 x 4."
facts.claims = (
    Claim("compiled code is (at least) 5 times as fast as plain Python", _speed),
    Claim("the state space is at most 3^42", _bound),
)


def tablebase_value(options: dict[str, OptionValue]) -> dict[str, Any]:
    """The exact value of the empty board, from its tablebase (built if it is not there)."""
    from plyground.games.connect4.solvers.tablebase import Tablebase, TableKey, build, value_of

    game = make_game("connect4", options)
    key = TableKey.of(game)
    if not key.path.exists():
        build(key, lambda text: None, 1)
    value = value_of(Tablebase(key), game.start())
    return {"value": value.kind, "distance": value.distance}


@experiment("connect4-truth", "003")
def truth(scale: Scale) -> list[Item]:
    """Exact values of small boards."""
    sizes = scale.pick(((4, 4), (4, 5)), ((4, 4), (4, 5), (5, 4), (4, 6)), ((4, 4), (4, 5), (4, 6)))
    return [
        Measure(
            f"{width}x{height}-{mean}",
            tablebase_value,
            {
                "options": {
                    "width": width,
                    "height": height,
                    "mean": mean,
                    "simultaneous": "first",
                }
            },
        )
        for width, height in sizes
        for mean in ("none", "first", "second", "both")
    ]


def _truth_four_six(results: Results) -> Finding:
    if not results.has("4x6-second"):
        return Finding("the table of 4 x 6 is part of longer runs", None)
    value = results.value("4x6-second")
    distance = f" in {value['distance']}" if value["distance"] else ""
    rule = "four for both wins for the first player"
    return Finding(f"exactly, {rule}: {value['value']}{distance}", value["value"] == "loss")


def _small_boards(results: Results) -> Finding:
    shown = []
    for item in results.plan:
        value = results.value(item.name)
        distance = f" in {value['distance']}" if value["distance"] else ""
        shown.append(f"{item.name.replace('-', ' ')}: {value['value']}{distance}")
    rule = "four for both wins for the first player (the document's rule)"
    return Finding(f"solved completely, {rule}; first player: {'; '.join(shown)}", False)


truth.reduced = "4 x 6 (and 5 x 4) only in longer runs."
truth.claims = (
    Claim(
        "4 x 6 with mean moves for the second is lost for the first player",
        _truth_four_six,
    ),
    Claim(
        "even 4 x 4 with mean moves is too large to solve",
        _small_boards,
        because="backward induction looks at every placement once, whatever the tree's "
        "size: 4 x 4 has fewer than two million positions.",
        tested=lambda results: "the tables themselves, each made in seconds to minutes.",
    ),
)
