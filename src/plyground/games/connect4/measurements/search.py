"""Generic search on Connect 4: alpha-beta, MCTS and playouts, beside OpenSpiel's C++ MCTS."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.search.alphabeta import AlphaBeta
from plyground.search.mcts import MonteCarloTreeSearch
from plyground.search.measure import Row, cpu_seconds, fastest
from plyground.search.montecarlo import MonteCarlo

DEPTHS = {"none": 12, "both": 9}
TABLE_MEGABYTES = 4
SIMULATIONS = 100_000
PEER_SIMULATIONS = 10_000


def measure() -> list[Row]:
    """All rows; those with a peer only where OpenSpiel is installed."""
    rows = []
    for mean, depth in DEPTHS.items():
        rows += _alpha_beta(mean, depth)
    return rows + _monte_carlo()


def _alpha_beta(mean: str, depth: int) -> list[Row]:
    game = make_game("connect4", {"mean": mean})
    title = "plain" if mean == "none" else "mean"
    bare = AlphaBeta(game, use_table=False, use_order=False)
    table_only = AlphaBeta(game, table_megabytes=TABLE_MEGABYTES, use_order=False)
    full = AlphaBeta(game, table_megabytes=TABLE_MEGABYTES)
    for searcher in (bare, full):
        searcher.warm_up()

    def nodes(searcher: AlphaBeta) -> float:
        searcher.clear()
        return searcher.search(game.start(), Limit(depth=depth)).nodes

    speed = fastest({"bare": lambda: nodes(bare)})
    seconds = cpu_seconds(
        {
            "bare": lambda: nodes(bare),
            "table": lambda: nodes(table_only),
            "full": lambda: nodes(full),
        }
    )
    return [
        Row(f"alpha-beta {title} 7x6, ordering off", speed["bare"], "nodes/s"),
        Row(
            f"alpha-beta {title} 7x6 to depth {depth}, ordering and table on",
            1 / seconds["full"],
            "searches/s",
            "ordering and table off",
            1 / seconds["bare"],
        ),
        Row(
            f"alpha-beta {title} 7x6 to depth {depth}, ordering and table on",
            1 / seconds["full"],
            "searches/s",
            "ordering off, table on",
            1 / seconds["table"],
        ),
    ]


def _monte_carlo() -> list[Row]:
    game = make_game("connect4", {"mean": "none"})
    tree = MonteCarloTreeSearch(game, exploration=2.0, solve=False)
    flat = MonteCarlo(game)
    for searcher in (tree, flat):
        searcher.warm_up()

    def simulate() -> float:
        tree.forget()
        return tree.search(game.start(), Limit(nodes=SIMULATIONS)).nodes

    def play_out() -> float:
        return flat.search(game.start(), Limit(nodes=SIMULATIONS)).nodes

    jobs = {"tree": simulate, "flat": play_out}
    peer, peer_playouts = "", ""
    if importlib.util.find_spec("pyspiel") is not None:
        jobs |= _open_spiel_jobs()
        peer, peer_playouts = "OpenSpiel C++ MCTSBot", "OpenSpiel random rollout"
    speed = fastest(jobs)
    note = "" if peer else "install the extra `bench` for the comparison with OpenSpiel"
    return [
        Row(
            "MCTS plain 7x6, one thread",
            speed["tree"],
            "simulations/s",
            peer,
            speed.get("peer tree"),
            note,
        ),
        Row(
            "random games plain 7x6",
            speed["flat"],
            "games/s",
            peer_playouts,
            speed.get("peer flat"),
            note,
        ),
    ]


def _open_spiel_jobs() -> dict[str, Callable[[], float]]:
    """The same work by OpenSpiel: tree search with random rollouts, and rollouts alone."""
    import pyspiel

    game = pyspiel.load_game("connect_four")

    def search(simulations: int, rollouts: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, 1, False)
        bot.mcts_search(game.new_initial_state())
        return simulations * rollouts

    return {
        "peer tree": lambda: search(PEER_SIMULATIONS, 1),
        "peer flat": lambda: search(2, PEER_SIMULATIONS // 2),
    }
