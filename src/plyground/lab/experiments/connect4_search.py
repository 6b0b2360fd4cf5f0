"""Document 003: what its searches find and how long they take."""

from __future__ import annotations

import time
from typing import Any

from plyground import kernels
from plyground.core.game import OptionValue, Position
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.lab.experiment import Claim, Experiment, Finding, Item, Measure, Scale, register
from plyground.lab.results import Results

HAND_MADE = (
    ("......./......./......./xo...../xo...../xo..... x 6", 7, 6, "both", "1"),
    ("......./......./......./......./ooo..../xxx.... x 6", 7, 6, "both", "4"),
    ("......./......./......./..xo.../.xox.../xooo.o. x 10", 7, 6, "both", "4"),
    ("......./......./......./..ox.../..xox../o.ooox. x 10", 7, 6, "both", "3"),
    ("....../....../....../....../....o./xxx.oo x 6", 6, 6, "none", "4"),
)
"""Position, width, height, mean moves, and the winning move that the document's search finds."""

SOLVERS = ("minimax:order=centre", "heuristic:order=history", "montecarlo")


def solve_boards(agent: str) -> dict[str, Any]:
    """The agent's move on each of the five boards."""
    moves = []
    for text, width, height, mean, _ in HAND_MADE:
        game = make_game("connect4", {"width": width, "height": height, "mean": mean})
        player = make_agent("connect4", agent)
        player.new_game(game, seed=1)
        player.warm_up()
        moves.append(player.search(game.parse_position(text), Limit()).move)
    return {"moves": moves}


def search_time(
    agent: str, options: dict[str, OptionValue], depth: int, nodes: int = 0
) -> dict[str, Any]:
    """CPU seconds, nodes, value and move of a search of the empty board to a depth.

    With a node limit it may end earlier; `depth` then says how deep it came.
    """
    game = make_game("connect4", options)
    player = make_agent("connect4", agent)
    player.new_game(game, seed=1)
    player.warm_up()
    player.new_game(game, seed=1)
    started = time.process_time()
    result = player.search(game.start(), Limit(depth=depth, nodes=nodes or None))
    seconds = time.process_time() - started
    score = result.score
    return {
        "seconds": seconds,
        "nodes": result.nodes,
        "value": score.value if score else None,
        "points": score.points if score else None,
        "move": result.move,
        "depth": result.depth,
        "finished": not nodes or result.nodes < nodes,
    }


def plan_boards(scale: Scale) -> list[Item]:
    return [Measure(agent.split(":")[0], solve_boards, {"agent": agent}) for agent in SOLVERS]


def _finds_all(name: str) -> Any:
    def check(results: Results) -> Finding:
        moves = results.value(name)["moves"]
        wanted = [board[-1] for board in HAND_MADE]
        good = sum(move == right for move, right in zip(moves, wanted, strict=True))
        return Finding(f"plays {', '.join(moves)}: {good} of 5", good == 5)

    return check


register(
    Experiment(
        name="connect4-boards",
        document="003",
        title="Five hand-made boards",
        plan=plan_boards,
        needs=("connect4/minimax", "connect4/heuristic", "connect4/montecarlo"),
        claims=(
            Claim("alpha-beta finds the winning moves 1, 4, 4, 3, 4", _finds_all("minimax")),
            Claim("so does the heuristic search", _finds_all("heuristic")),
            Claim("so does pure Monte Carlo (no result is given)", _finds_all("montecarlo")),
        ),
    )
)

DEPTHS = (10, 20, 21)


def plan_depths(scale: Scale) -> list[Item]:
    depths = scale.pick((10, 16, 17), DEPTHS, DEPTHS)
    options = {"mean": "none"}
    return [
        Measure(
            f"depth-{depth}",
            search_time,
            {"agent": f"heuristic:order=history,depth={depth}", "options": options, "depth": depth},
        )
        for depth in depths
    ]


def _all_centre(results: Results) -> Finding:
    values = {
        item.name: results.value(item.name) for item in results.plan if isinstance(item, Measure)
    }
    shown = ", ".join(
        f"{name.replace('-', ' ')}: {value['move']} ({value['nodes']:,} nodes)"
        for name, value in values.items()
    )
    return Finding(shown, all(value["move"] == "4" for value in values.values()))


register(
    Experiment(
        name="connect4-depths",
        document="003",
        title="The first move by depth of search",
        plan=plan_depths,
        needs=("connect4/heuristic",),
        reduced="when quick, depths 10, 16 and 17 instead of 10, 20 and 21.",
        claims=(
            Claim(
                "depths 10, 20 and 21 all choose the centre on plain 7 x 6, the right move",
                _all_centre,
                because="the document's table ignores depth and keeps lower bounds only, so its "
                "deep searches end early; a sound search follows its evaluation (three in a row).",
            ),
        ),
    )
)


def plan_orders(scale: Scale) -> list[Item]:
    options = {"width": 5, "height": 6, "mean": "none"}
    depth = scale.pick(18, 20, 20)
    orders = ("left", "right", "centre")
    items: list[Item] = [
        Measure(
            order,
            search_time,
            {
                "agent": f"minimax:order={order},depth={depth}",
                "options": options,
                "depth": depth,
            },
            alone=True,
        )
        for order in orders
    ]
    mean = {"width": 4, "height": 6, "mean": "second", "simultaneous": "first"}
    depth = scale.pick(14, 20, 20)
    return items + [
        Measure(
            f"heuristic-{order}",
            search_time,
            {
                "agent": f"heuristic:order={order},depth={depth}",
                "options": mean,
                "depth": depth,
                "nodes": 2_000_000_000,
            },
            alone=True,
        )
        for order in ("history", "centre")
    ]


def _orders(results: Results) -> Finding:
    left, right, centre = (results.value(order) for order in ("left", "right", "centre"))
    base = centre["seconds"]
    text = (
        f"{left['seconds'] / base:.2f} : {right['seconds'] / base:.2f} : 1 in time "
        f"({left['seconds']:.2f} / {right['seconds']:.2f} / {base:.2f} s), "
        f"{left['nodes'] / centre['nodes']:.2f} : {right['nodes'] / centre['nodes']:.2f} : 1 "
        "in nodes"
    )
    return Finding(text, base < min(left["seconds"], right["seconds"]))


def _history(results: Results) -> Finding:
    history, centre = results.value("heuristic-history"), results.value("heuristic-centre")
    text = (
        f"history {history['seconds']:.2f} s, {history['nodes']:,} nodes; "
        f"centre first {centre['seconds']:.2f} s, {centre['nodes']:,} nodes"
    )
    return Finding(text, history["seconds"] < centre["seconds"])


register(
    Experiment(
        name="connect4-orders",
        document="003",
        title="Move ordering",
        plan=plan_orders,
        needs=("connect4/minimax", "connect4/heuristic"),
        reduced="when quick, depths 18 (5 x 6) and 14 (4 x 6) instead of 20.",
        claims=(
            Claim(
                "5 x 6 without mean moves to depth 20: left 8.3 s, right 6.9 s, centre 5.8 s "
                "(1.43 : 1.19 : 1); centre first is fastest",
                _orders,
                because="deepening step by step, the table's best move, killers and history order "
                "the moves in our search whatever the fixed order is.",
            ),
            Claim(
                "history ordering saves about 4 s on 4 x 6 (mean moves for the second)",
                _history,
                because="killer moves and the table's best move order well in either case, so that "
                "little is left for history to win.",
            ),
        ),
    )
)


def plan_widths(scale: Scale) -> list[Item]:
    budget = scale.pick(20_000_000, 20_000_000_000, 400_000_000)
    return [
        Measure(
            f"{width}x6",
            search_time,
            {
                "agent": "minimax:order=left,depth=20",
                "options": {
                    "width": width,
                    "height": 6,
                    "mean": "second",
                    "simultaneous": "first",
                },
                "depth": 20,
                "nodes": budget,
            },
            alone=True,
        )
        for width in scale.pick((4,), (4, 5), (4, 5))
    ]


def _width(width: int, wanted: str) -> Any:
    def check(results: Results) -> Finding:
        value = results.value(f"{width}x6")
        done = "" if value["finished"] else f", stopped at depth {value['depth']}"
        worth = value["value"] or "nothing proven"
        text = f"{worth} in {value['seconds']:.1f} s, {value['nodes']:,} nodes{done}"
        if not value["finished"] and value["value"] is None:
            return Finding(text, None)
        return Finding(text, value["value"] == wanted)

    return check


register(
    Experiment(
        name="connect4-widths",
        document="003",
        title="Boards by width, mean moves for the second player only",
        plan=plan_widths,
        needs=("connect4/minimax",),
        reduced="a node budget (20 million when quick); 5 x 6 only in longer runs.",
        claims=(
            Claim(
                "4 x 6 is lost for the first player, found in 5 s at depth 20",
                _width(4, "loss"),
                because="its table serves lower bounds of shallower searches as if they were deep, "
                "which can prove losses that are not there.",
            ),
            Claim("5 x 6 is lost too, found in 3.5 minutes", _width(5, "loss")),
        ),
    )
)


def plain_against_compiled(games: int) -> dict[str, Any]:
    """Random games a second by the same code, compiled and as plain Python."""
    import numpy as np

    from plyground.search.mcts import PLAYOUT_SLOT
    from plyground.search.montecarlo import TEMPLATE
    from plyground.search.perft import RULES_SLOT

    game = make_game("connect4")
    slots = {RULES_SLOT: game.rules_module, PLAYOUT_SLOT: game.playout_module}
    rates = {}
    for name, module, number in (
        ("compiled", kernels.compiled(TEMPLATE, slots), 400 * games),
        ("plain", kernels.plain(TEMPLATE, slots), games),
    ):
        random = np.array([1, 2, 3, 4], np.uint64)
        buffer = np.zeros(game.max_moves, np.int64)
        states = np.zeros((3, game.state_words), np.uint64)
        counts = np.zeros(3, np.int64)

        def play(count: int, module: Any = module, work: Any = (random, buffer, states)) -> None:
            module.run(
                game.params,
                game.initial_state(),
                np.int64(3),
                np.int64(count),
                np.int64(10_000),
                *work,
                counts,  # noqa: B023
            )

        with np.errstate(over="ignore"):
            play(2)
            started = time.process_time()
            play(number)
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


def plan_facts(scale: Scale) -> list[Item]:
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


register(
    Experiment(
        name="connect4-facts",
        document="003",
        title="State space and compiled code",
        plan=plan_facts,
        reduced="positions counted on 4 x 4 instead of 5 x 4.",
        claims=(
            Claim("compiled code is 5 times as fast as plain Python", _speed),
            Claim("the state space is at most 3^42", _bound),
        ),
    )
)


def tablebase_value(options: dict[str, OptionValue]) -> dict[str, Any]:
    """The exact value of the empty board, from its tablebase (built if it is not there)."""
    from plyground.games.connect4.tablebase import Tablebase, TableKey, build, value_of

    game = make_game("connect4", options)
    key = TableKey.of(game)
    if not key.path.exists():
        build(key, lambda text: None, 1)
    value = value_of(Tablebase(key), game.start())
    return {"value": value.kind, "distance": value.distance}


def plan_truth(scale: Scale) -> list[Item]:
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
    return Finding(f"exactly: {value['value']}{distance}", value["value"] == "loss")


def _small_boards(results: Results) -> Finding:
    shown = []
    for item in results.plan:
        value = results.value(item.name)
        distance = f" in {value['distance']}" if value["distance"] else ""
        shown.append(f"{item.name.replace('-', ' ')}: {value['value']}{distance}")
    return Finding("solved completely; first player: " + "; ".join(shown), False)


register(
    Experiment(
        name="connect4-truth",
        document="003",
        title="Exact values of small boards",
        plan=plan_truth,
        reduced="4 x 6 (and 5 x 4) only in longer runs.",
        claims=(
            Claim(
                "4 x 6 with mean moves for the second is lost for the first player",
                _truth_four_six,
            ),
            Claim(
                "even 4 x 4 with mean moves is too large to solve",
                _small_boards,
                because="backward induction looks at every placement once, whatever the tree's "
                "size: 4 x 4 has fewer than two million positions.",
            ),
        ),
    )
)
