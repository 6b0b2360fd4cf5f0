"""Document 003: random games of Mean Connect 4, where counting is all there is to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from plyground.core.game import OptionValue
from plyground.core.registry import make_game
from plyground.lab.checks import same_share, show_share
from plyground.lab.experiment import Claim, Finding, Item, Measure, Scale, experiment
from plyground.lab.results import Results
from plyground.search.montecarlo import MonteCarlo

AS_THERE: Mapping[str, OptionValue] = {"simultaneous": "first"}
"""The document's program looks at the first player's four before the second player's."""


def random_games(options: dict[str, OptionValue], games: int, seed: int) -> dict[str, Any]:
    """First player's wins, draws and losses in random games from the start."""
    game = make_game("connect4", options)
    sampler = MonteCarlo(game)
    sampler.warm_up()
    sampler.start(seed)
    start = game.start()
    counts = np.zeros(3, np.int64)
    # The first move is random too: equal shares of all first moves give the same average.
    codes = start.move_codes
    for number, code in enumerate(codes):
        share = games // len(codes) + (number < games % len(codes))
        counts += sampler.sample(start, code, share)
    return {"wins": int(counts[0]), "draws": int(counts[1]), "losses": int(counts[2])}


def after_move(options: dict[str, OptionValue], move: str, games: int, seed: int) -> dict[str, Any]:
    """The same after a given first move."""
    game = make_game("connect4", options)
    sampler = MonteCarlo(game)
    sampler.warm_up()
    sampler.start(seed)
    start = game.start()
    counts = sampler.sample(start, start.parse_move(move), games)
    return {"wins": int(counts[0]), "draws": int(counts[1]), "losses": int(counts[2])}


def best_column(options: dict[str, OptionValue], games: int, seed: int) -> dict[str, Any]:
    """Share of points of each first move in random games, shared over the moves."""
    game = make_game("connect4", options)
    start = game.start()
    share = games // len(start.legal_moves)
    counts = {
        move: after_move(options, move, share, seed + number)
        for number, move in enumerate(start.legal_moves)
    }
    return {"games": share, "counts": counts}


def best_columns(options: dict[str, OptionValue], games: int, times: int) -> dict[str, Any]:
    """How often each first move comes out best when `best_column` is repeated."""
    best: Counter[str] = Counter()
    for number in range(times):
        counts = best_column(options, games, 1000 * (number + 1))["counts"]
        best[max(counts, key=lambda move: counts[move]["wins"])] += 1
    return {"best": dict(best)}


@experiment("connect4-random", "003")
def handicaps(scale: Scale) -> list[Item]:
    """Random against random with handicaps."""
    games = scale.pick(100_000, 1_000_000)
    return [
        Measure(
            f"random-{mean}",
            random_games,
            {"options": {**AS_THERE, "mean": mean}, "games": games, "seed": 1},
        )
        for mean in ("both", "none", "second", "first")
    ]


def _same_wins(name: str, theirs: int) -> Any:
    def check(results: Results) -> Finding:
        value = results.value(name)
        total = value["wins"] + value["draws"] + value["losses"]
        text = f"first player wins {show_share(value['wins'], total)}, {value['draws']} draws"
        return Finding(text, same_share(value["wins"], total, theirs, 1000))

    return check


def _mean_hurts(results: Results) -> Finding:
    shares = {}
    for mean in ("none", "second"):
        value = results.value(f"random-{mean}")
        shares[mean] = value["wins"] / (value["wins"] + value["draws"] + value["losses"])
    return Finding(
        f"first player wins {100 * shares['none']:.1f} % without mean moves and "
        f"{100 * shares['second']:.1f} % when only the second plays them",
        shares["second"] > shares["none"] + 0.2,
    )


handicaps.claims = (
    Claim("mean moves for both: 744 / 256 / 0 of 1000", _same_wins("random-both", 744)),
    Claim("for none: 587 / 412 / 1", _same_wins("random-none", 587)),
    Claim("for the second only: 989 / 11 / 0", _same_wins("random-second", 989)),
    Claim("random mean moves hurt the one who plays them", _mean_hurts),
)


@experiment("connect4-playouts", "003")
def playouts(scale: Scale) -> list[Item]:
    """Random games after a first move."""
    board = {**AS_THERE, "width": 6, "height": 7, "ply_limit": 30000}
    return [
        Measure(
            "after-5",
            after_move,
            {"options": board, "move": "5", "games": scale.pick(100_000, 1_000_000), "seed": 2},
        ),
        Measure(
            "first-columns",
            best_column,
            {
                "options": {**AS_THERE, "ply_limit": 30000},
                "games": scale.pick(1_000_000, 10_000_000),
                "seed": 3,
            },
        ),
        Measure(
            "again",
            best_columns,
            {
                "options": {**AS_THERE, "ply_limit": 30000},
                "games": 1_000_000,
                "times": scale.pick(5, 20),
            },
        ),
    ]


def _after_five(results: Results) -> Finding:
    value = results.value("after-5")
    total = value["wins"] + value["draws"] + value["losses"]
    mean = (value["wins"] - value["losses"]) / total
    agrees = same_share(value["wins"], total, 7746, 10_000)
    return Finding(f"mean {mean:.4f}, wins {show_share(value['wins'], total)}", agrees)


def _column_six(results: Results) -> Finding:
    value = results.value("first-columns")
    games = value["games"]
    shares = {move: count["wins"] / games for move, count in value["counts"].items()}
    best = max(shares, key=shares.__getitem__)
    error = 1.96 * (shares[best] * (1 - shares[best]) / games) ** 0.5
    ranking = ", ".join(
        f"{move}: {100 * share:.2f}" for move, share in sorted(shares.items(), key=lambda e: -e[1])
    )
    return Finding(
        f"best is {best}; wins in % by column {ranking} (± {100 * error:.2f} each)", best == "6"
    )


def _winners(results: Results) -> str:
    wins = results.value("again")["best"]
    shown = ", ".join(f"column {move} {count} times" for move, count in sorted(wins.items()))
    return f"the document's million of playouts, {sum(wins.values())} times anew: {shown}."


playouts.claims = (
    Claim(
        "10,000 playouts after the move 5 on a 6 x 7 board: mean utility 0.5492, "
        "win probability 0.7746",
        _after_five,
    ),
    Claim(
        "by a million playouts the best first column on 7 x 6 is 6",
        _column_six,
        because="the columns differ by less than the document's noise: it had 143,000 "
        "games a column, a standard error of 0.12 %.",
        tested=_winners,
    ),
)
