"""`plyground analyse`: what a search thinks of a position."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from plyground.cli.app import (
    Json,
    Options,
    Thinking,
    console,
    open_agent,
    open_game,
    open_position,
    print_board,
    print_json,
)
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.registry import strongest_agent
from plyground.core.search import MoveValue, Score, SearchResult

DEFAULT_LIMIT = Limit(time=2.0)
MOST_ROWS = 30


def analyse(
    game: str,
    /,
    *,
    position: str | None = None,
    agent: str | None = None,
    thinking: Thinking = Thinking(),  # noqa: B008
    option: Options = None,
    json: Json = False,
) -> None:
    """Search a position and show the value of each move, the best line and the effort.

    Without `--position` it begins at the start, after random events that come before any move.

    Example: plyground analyse connect4 --position 4453 --agent mybot.py --time 1
    """
    rules = open_game(game, option)
    start = open_position(rules, position) if position else rules.first_decision()
    start.require_decision()
    name = agent or strongest_agent(rules.info.name)
    result = open_agent(rules, name).analyse(start, thinking.analysis_limit(DEFAULT_LIMIT))
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


def best_first(moves: Sequence[MoveValue]) -> list[MoveValue]:
    """Moves by value: quick wins first, then what promises most, slow losses before quick ones.

    Moves of the same value come by visits, moves without a value last.
    """

    def rank(entry: MoveValue) -> tuple[float, ...]:
        score = entry.score
        if score is None:
            return (math.inf, 0.0, -(entry.visits or 0))
        distance = score.distance or 0
        points = score.points if score.points is not None else 0.0
        order = {"win": distance, "loss": -distance}.get(score.value or "", -points)
        return (-score.expectation, order, -(entry.visits or 0))

    return sorted(moves, key=rank)


def _margin(entry: MoveValue) -> str:
    """By how many points a decided game ends, empty if it has none."""
    score = entry.score
    if score is None or score.value is None or score.points is None:
        return ""
    return f"{score.points:+g}"


def as_json(start: Position, result: SearchResult, agent: str) -> dict[str, Any]:
    """The documented shape of `analyse` and `solve`."""
    return {
        **score_fields(result.score),
        "best": list(result.best),
        "line": list(result.line),
        "moves": [
            {"move": m.move, **score_fields(m.score), "visits": m.visits}
            for m in best_first(result.moves)
        ],
        "nodes": result.nodes,
        "depth": result.depth,
        "seconds": result.elapsed,
        "agent": agent,
        "position": start.text,
        "note": result.note,
    }


def show(start: Position, result: SearchResult, agent: str, exact: bool = False) -> None:
    """The same for people. Of `exact` results the points are a margin beside a win or a loss."""
    print_board(start)
    counted = any(entry.visits for entry in result.moves)
    scored = exact and any(_margin(entry) for entry in result.moves)
    table = Table("move", "value", *["points"] * scored, *["visits"] * counted)
    for entry in best_first(result.moves)[:MOST_ROWS]:
        points = [_margin(entry)] * scored
        visits = [str(entry.visits or "")] * counted
        table.add_row(entry.move, str(entry.score or "?"), *points, *visits)
    if result.moves:
        console.print(table)
    if len(result.moves) > MOST_ROWS:
        left_out = len(result.moves) - MOST_ROWS
        console.print(f"and {left_out} moves below these (--json lists all)", highlight=False)
    said = f"{agent}: best {result.move}" + (f" ({result.score})" if result.score else "")
    said += f", line {' '.join(result.line)}" if result.line else ""
    effort = [f"depth {result.depth}"] if result.depth is not None else []
    effort += [f"{result.nodes} nodes"] if result.nodes else []
    effort += [f"{result.elapsed:.2f} s"] if result.elapsed else []
    if result.nodes and result.elapsed:
        effort.append(f"{result.nodes / result.elapsed:,.0f} nodes/s")
    for line in filter(None, (said, ", ".join(effort), result.note)):
        console.print(line, highlight=False)
