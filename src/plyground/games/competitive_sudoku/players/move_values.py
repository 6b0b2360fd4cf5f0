"""A value for every move of a position, for people who look on.

A short search gives a move and a value at once. Then the position after every move is searched on
its own, all of them briefly before all of them thoroughly, and at last the position itself: what
it finds is deeper than any value of a single move, so no unproven move is shown above its best.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from plyground.core.agent import Report, Stop
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult, Value
from plyground.games.competitive_sudoku import CompetitiveSudoku
from plyground.search.timing import Stopwatch

if TYPE_CHECKING:
    from plyground.games.competitive_sudoku.players.champion import ChampionAgent

FIRST_SECONDS = 0.08
SWEEPS = ((0.1, 0.3), (0.3, 0.6))
"""Searching the moves one by one: the share of the limit for all, and when to leave off."""
USUAL_SECONDS = 2.0
LEAST_SECONDS = 0.002
REPORT_SECONDS = 0.1
RANKS: dict[Value | None, int] = {"win": 2, "draw": 1, None: 1, "loss": 0}


def analyse_moves(
    agent: ChampionAgent, position: Position, limit: Limit, report: Report, stop: Stop
) -> SearchResult:
    """All moves with their values, the best first."""
    watch = Stopwatch(limit, stop)
    seconds = watch.seconds or USUAL_SECONDS
    best = agent.search(
        position, Limit(min(FIRST_SECONDS, 0.1 * seconds), limit.nodes, by=limit.by), report
    )
    values = {entry.move: entry for entry in best.moves}
    values.setdefault(best.move, MoveValue(best.move, best.score))
    report(_info(best, values, watch))
    solutions, told = agent.known, watch.elapsed
    codes = position.move_codes
    texts = {code: position.format_move(code) for code in codes}
    numbers = _numbers_in_square(texts)
    for share, ending in SWEEPS:
        part = limit.part(share / max(1, len(codes)))
        turn = Limit(
            max(share * seconds / max(1, len(codes)), LEAST_SECONDS), part.nodes, by=limit.by
        )
        for code in sorted(codes, key=lambda code: (texts[code] in values, numbers[code])):
            if stop() or watch.elapsed > ending * seconds:
                break
            agent.known = solutions
            score = _value(agent, position, code, turn)
            if score is not None:
                values[texts[code]] = MoveValue(texts[code], score)
            if watch.elapsed - told > REPORT_SECONDS:
                told = watch.elapsed
                report(_info(best, values, watch))
    agent.known = solutions

    def tell(info: SearchInfo) -> None:
        shown = tuple(_ranked(values, info.score, info.move))
        report(msgspec.structs.replace(info, moves=shown, elapsed=watch.elapsed))

    left = max(LEAST_SECONDS, 0.95 * seconds - watch.elapsed)
    rest = Limit(left, limit.nodes, limit.depth, by=limit.by)
    found = agent.search(position, rest, tell, stop)
    if found.score is not None and (found.score.value or found.score.points is not None):
        best = found
    values[best.move] = MoveValue(best.move, best.score)
    return msgspec.structs.replace(
        best,
        line=(best.move,),
        moves=tuple(_ranked(values, best.score, best.move)),
        elapsed=watch.elapsed,
    )


def _numbers_in_square(texts: dict[int, str]) -> dict[int, int]:
    """How many moves to the same square stand before each: every square gets a value soon."""
    seen: dict[str, int] = {}
    numbers = {}
    for code, text in texts.items():
        square = text.partition("->")[0]
        numbers[code] = seen.get(square, 0)
        seen[square] = numbers[code] + 1
    return numbers


def _value(agent: ChampionAgent, position: Position, code: int, limit: Limit) -> Score | None:
    """The worth of a move for the mover: the points it makes and what the search finds after it.

    None if there was no time to find anything.
    """
    player = position.turn
    child = position.play(code)
    assert isinstance(position.game, CompetitiveSudoku)
    before, after = position.game.scores(position.state), position.game.scores(child.state)
    gained = float(after[player] - before[player])
    if child.outcome is not None:
        total = child.outcome.score(player) - 0.5
        verdict: Value = "win" if total > 0 else "loss" if total < 0 else "draw"
        return Score(player, verdict, points=gained)
    found = agent.search(child, limit).score
    if found is None or (found.value is None and found.points is None):
        return None
    seen = found.seen_by(player)
    return Score(player, seen.value, points=gained + (seen.points or 0.0))


def _ranked(
    values: dict[str, MoveValue], most: Score | None, chosen: str | None
) -> list[MoveValue]:
    """Best first, the chosen one before its equals; what is proven alike is equal.

    `most` is the value of the position, if it is known.
    """
    capped = [one if most is None else _capped(one, most) for one in values.values()]

    def order(one: MoveValue) -> tuple[float, bool, float, bool]:
        proven, other = one.score.value if one.score else None, one.move != chosen
        return -RANKS[proven], proven is not None and other, -_of(one), other

    return sorted(capped, key=order)


def _capped(one: MoveValue, most: Score) -> MoveValue:
    """What is known of a move once the whole position is searched: nothing is better than that."""
    score = one.score
    if score is None or score.value is not None or most.value == "win":
        return one
    if most.value == "loss":
        return MoveValue(one.move, Score(score.player, "loss", points=score.points))
    limit = 0.0 if most.value == "draw" else most.points or 0.0
    return MoveValue(one.move, Score(score.player, points=min(_of(one), limit)))


def _of(value: MoveValue) -> float:
    return (value.score.points if value.score else None) or 0.0


def _info(best: SearchResult, values: dict[str, MoveValue], watch: Stopwatch) -> SearchInfo:
    shown = tuple(_ranked(values, None, best.move))
    return SearchInfo(
        best.move, best.score, best.depth, best.nodes, watch.elapsed, best.line, shown, best.note
    )
