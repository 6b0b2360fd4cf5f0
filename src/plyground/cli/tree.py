"""`plyground tree`: a search tree as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from plyground.cli.app import (
    Json,
    Options,
    Thinking,
    console,
    open_agent,
    open_game,
    open_position,
    print_json,
)
from plyground.core.errors import InputError, UnsupportedError
from plyground.core.files import short_name
from plyground.core.limits import Limit
from plyground.core.registry import agents
from plyground.core.writing import write_text

DEFAULT_SIMULATIONS = Limit(nodes=2000)


def tree(
    game: str,
    /,
    *,
    agent: Annotated[
        str, Parameter(help="Whose search to draw: mcts, alphabeta, or any agent's opinions.")
    ] = "mcts",
    position: str | None = None,
    depth: Annotated[int, Parameter(help="Plies to draw; for alpha-beta also to search.")] = 3,
    width: Annotated[int, Parameter(help="Children drawn of each node.")] = 5,
    time: Annotated[float | None, Parameter(help="Seconds of search (mcts).")] = None,
    nodes: Annotated[int | None, Parameter(help="Simulations (mcts); 2000 by default.")] = None,
    c: Annotated[float, Parameter(help="Exploration constant (mcts).")] = 1.4,
    seed: int = 0,
    layout: Annotated[
        Literal["auto", "own", "graphviz"], Parameter(help="auto: Graphviz if installed.")
    ] = "auto",
    out: Annotated[Path | None, Parameter(help="The SVG file; GAME-tree.svg by default.")] = None,
    option: Options = None,
    json: Json = False,
) -> None:
    """Draw a search tree as SVG: visits and values (mcts), bounds and cut-offs (alphabeta).

    Of any other agent, also one in a file, the tree is what it says about each position.

    Example: plyground tree connect4 --agent mcts --nodes 2000 --depth 3
    """
    from plyground.report.tree_drawing import draw_tree
    from plyground.report.tree_nodes import MOST_OPINIONS, ReferenceWalk, mcts_tree, opinion_tree

    if depth < 1 or width < 1:
        raise InputError("--depth and --width must be at least 1")
    rules = open_game(game, option)
    if not rules.info.for_two_without_chance:
        raise UnsupportedError(f"trees are drawn of two-player games without chance, not {game}")
    start = open_position(rules, position)
    if agent == "mcts" and "mcts" not in agents(rules.info.name):
        raise UnsupportedError(f"{game} has no MCTS agent; try --agent alphabeta")
    if agent == "mcts":
        limit = Thinking(time, nodes).limit(DEFAULT_SIMULATIONS)
        root = mcts_tree(start, limit, depth, width, c, seed)
        title = f"{rules.info.title}: Monte Carlo tree search, C = {c:g}, {limit}"
    elif agent != "alphabeta":
        limit = Thinking(time, nodes).limit(DEFAULT_SIMULATIONS)
        analyst = open_agent(rules, agent, seed)
        root = opinion_tree(start, analyst, limit, min(depth, MOST_OPINIONS), width)
        title = f"{rules.info.title}: what {agent} says with {limit} a position"
    else:
        most = 8
        if depth > most:
            raise InputError(f"--depth {depth}: alpha-beta is drawn to at most {most} plies")
        root = ReferenceWalk(start).walk(start, depth, width)
        title = (
            f"{rules.info.title}: alpha-beta to depth {depth}, "
            "values and [alpha, beta] for the side to move"
        )
    path = out or Path(f"{short_name(rules.info.name)}-tree.svg")
    write_text(path, draw_tree(root, title, layout))
    if json:
        print_json({"path": str(path), "nodes": root.count(), "root": list(root.lines)})
    else:
        console.print(path, highlight=False, soft_wrap=True)
