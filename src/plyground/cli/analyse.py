"""`plyground analyse`: what a search thinks of a position."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from plyground.cli.app import (
    Json,
    Options,
    Thinking,
    console,
    open_game,
    open_position,
    print_board,
    print_json,
)
from plyground.core.errors import GameOverError
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, strongest_agent
from plyground.core.search import Score, SearchResult

DEFAULT_LIMIT = Limit(time=2.0)


def analyse(
    game: str,
    *,
    position: str | None = None,
    agent: str | None = None,
    thinking: Thinking = Thinking(),  # noqa: B008
    option: Options = None,
    json: Json = False,
) -> None:
    """Search a position and show the value of each move, the best line and the effort."""
    rules = open_game(game, option)
    start = open_position(rules, position)
    if start.is_over:
        raise GameOverError(f"the game is over in this position: {start.view.caption}")
    name = agent or strongest_agent(rules.info.name)
    analyst = make_agent(rules.info.name, name)
    analyst.new_game(rules, seed=0)
    analyst.warm_up()
    result = analyst.analyse(start, thinking.limit(DEFAULT_LIMIT))
    if json:
        print_json(as_json(start, result, name))
    else:
        show(start, result, name)


def score_fields(score: Score | None) -> dict[str, Any]:
    """The stable JSON fields of a score: value, distance, and a number where there is one."""
    if score is None:
        return {"value": None, "distance": None, "score": None}
    number = score.points if score.points is not None else score.probability
    return {"value": score.value, "distance": score.distance, "score": number}


def as_json(start: Position, result: SearchResult, agent: str) -> dict[str, Any]:
    """The documented shape of `analyse` and `solve`."""
    return {
        **score_fields(result.score),
        "best": list(result.best),
        "line": list(result.line),
        "moves": [
            {"move": m.move, **score_fields(m.score), "visits": m.visits} for m in result.moves
        ],
        "nodes": result.nodes,
        "depth": result.depth,
        "seconds": result.elapsed,
        "agent": agent,
        "position": start.text,
        "note": result.note,
    }


def show(start: Position, result: SearchResult, agent: str) -> None:
    """The same for people."""
    print_board(start)
    table = Table("move", "value", "visits")
    for entry in result.moves[:30]:
        table.add_row(entry.move, str(entry.score or ""), str(entry.visits or ""))
    if result.moves:
        console.print(table)
    rate = result.nodes / result.elapsed if result.elapsed else 0
    console.print(
        f"{agent}: best {result.move} ({result.score}), line {' '.join(result.line)}\n"
        f"depth {result.depth}, {result.nodes} nodes, {result.elapsed:.2f} s, {rate:,.0f} nodes/s"
        + (f"\n{result.note}" if result.note else ""),
        highlight=False,
    )
