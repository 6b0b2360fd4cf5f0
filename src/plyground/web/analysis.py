"""Searches that people look at: live analysis, hints, and reviews of whole games."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence

import msgspec

from plyground.arena.history import History
from plyground.core.errors import GameOverError
from plyground.core.game import CHANCE, Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import agents, find_game
from plyground.core.search import MoveValue, Score, SearchInfo
from plyground.engines.engine import Answer
from plyground.web.engine_client import SearchJob
from plyground.web.live_game import LiveGame
from plyground.web.messages import (
    AnalysisUpdate,
    HintAnswer,
    MoveView,
    ReviewedMove,
    ReviewUpdate,
    view_score,
)
from plyground.web.searches import SearchDesk

ANALYSTS = ("champion", "alphabeta", "mcts", "montecarlo")
"""Agents in the order in which an analysis prefers them."""
WITHOUT_EVALUATION = ("champion", "mcts", "montecarlo", "alphabeta")
"""The same for games that cannot tell how good a position is: there alpha-beta sees ends alone."""

FRAME_SECONDS = 0.08
HINT_SECONDS = 1.0
WITHOUT_VALUES_SECONDS = 1.0
"""After this time without values of moves, an analysis looks at each move by itself."""
SWEEP_SECONDS = 30.0
SWEEP_STEP_SECONDS = 0.05
SHOWN_MOVES = 800
LONGEST = 1 << 20
"""More plies than any proven result is away."""
MARKS = ((0.9, "blunder"), (0.4, "mistake"), (0.15, "inaccuracy"))
"""How much of the scale from -1 to 1 a move throws away, and what it is then called."""
MANY_PLIES = 8
"""A proven end that comes so much sooner for the loser, or later for the winner, is remarked on."""

ADVANTAGES = (
    (0.5, "a clear advantage"),
    (0.15, "a slight advantage"),
    (-0.15, "an even game"),
    (-0.5, "a slight disadvantage"),
)
"""How people call a value, by its place on the scale from -1 to 1."""


def analyst(game: str, wanted: str = "") -> str:
    """The agent that analyses this game: the wanted one, or the strongest there is."""
    known = agents(game)
    if wanted:
        return wanted
    order = ANALYSTS if find_game(game).evaluates() else WITHOUT_EVALUATION
    return next((name for name in order if name in known), "random")


def analysis_job(position: Position, agent: str, seconds: float, key: str = "") -> SearchJob:
    """A search of a single position that asks for the value of every move."""
    return SearchJob(
        key=key or f"analysis-{secrets.token_hex(6)}",
        epoch=0,
        agent=agent,
        moves=(),
        position=position,
        seed=0,
        limit=Limit(time=seconds).on_all_cores(),
        analyse=True,
    )


async def analyse(
    pool: SearchDesk,
    position: Position,
    key: str,
    agent: str,
    seconds: float,
    tell: Callable[[AnalysisUpdate], None],
) -> None:
    """Search a position and report on the way."""
    if position.is_over:
        raise GameOverError("The game is over in this position: there is nothing to search.")
    position.require_decision()
    loop = asyncio.get_running_loop()
    job = analysis_job(position, agent, seconds)
    last = 0.0
    began: float | None = None
    valued = position.game.info.players != 2

    def listen(info: SearchInfo) -> None:
        nonlocal last, began, valued
        valued = valued or len(info.moves) > 1
        now = time.monotonic()
        if began is None:
            began = now
            loop.call_later(WITHOUT_VALUES_SECONDS, lambda: None if valued else job.stop())
        if now - last >= FRAME_SECONDS and (info.move or info.score is not None or info.moves):
            last = now
            tell(_progress(key, agent, info))

    job.listener = listen
    job.on_begin = lambda: tell(AnalysisUpdate(key=key, agent=agent))
    try:
        answer = await pool.search(job)
    finally:
        valued = True
        pool.forget(job.key)
    found = _conclusion(key, agent, answer)
    if position.game.info.players == 2 and len(found.moves) < 2:
        found.done = False
        await _value_each(pool, position, agent, found, tell)
        found.done = True
    tell(found)


async def _value_each(
    pool: SearchDesk,
    position: Position,
    agent: str,
    found: AnalysisUpdate,
    tell: Callable[[AnalysisUpdate], None],
) -> None:
    """Values of the moves for agents that give none: a short search after each of them."""
    ending = time.monotonic() + SWEEP_SECONDS
    legal = await asyncio.to_thread(lambda: position.legal_moves)
    found.moves = []
    for move in sorted(legal[:SHOWN_MOVES], key=lambda text: text != found.move):
        if time.monotonic() > ending:
            break
        following = await asyncio.to_thread(position.play, move)
        value = await _value(pool, following, agent, SWEEP_STEP_SECONDS)
        if value is None and not found.moves:
            break  # an agent that gives no values at all
        if value is not None:
            score = value[0].seen_by(position.turn)
            found.moves = rank([*found.moves, MoveView(move, view_score(score))], found.move)
            tell(msgspec.structs.replace(found))


def _progress(key: str, agent: str, info: SearchInfo) -> AnalysisUpdate:
    return _ordered(
        AnalysisUpdate(
            key=key,
            move=info.move or "",
            score=view_score(info.score),
            depth=info.depth,
            nodes=info.nodes,
            elapsed=info.elapsed,
            line=info.line[:30],
            moves=_move_views(info.moves),
            agent=agent,
            note=info.note,
        )
    )


def _conclusion(key: str, agent: str, answer: Answer) -> AnalysisUpdate:
    return _ordered(
        AnalysisUpdate(
            key=key,
            move=answer.moves[0] if answer.moves else "",
            score=view_score(answer.score),
            depth=answer.depth,
            nodes=answer.nodes or 0,
            elapsed=answer.elapsed,
            line=answer.line[:30],
            moves=_move_views(answer.values),
            agent=agent,
            note=answer.note,
            done=True,
        )
    )


def _ordered(found: AnalysisUpdate) -> AnalysisUpdate:
    """The same with the moves from the best to the worst; the first one is the headline."""
    found.moves = rank(found.moves, found.move)
    if found.moves and found.moves[0].score is not None:
        found.move, found.score = found.moves[0].move, found.moves[0].score
    if not " ".join(found.line).startswith(found.move):
        found.line = (found.move,)
    return found


def rank(moves: list[MoveView], choice: str) -> list[MoveView]:
    """Best first: proven wins by distance, then by value, proven losses last, the longest first.

    The analyst's own choice comes before its equals, and before everything unproven where the
    analyst counts visits (a value with few visits says little).
    """

    def order(entry: MoveView) -> tuple[float, ...]:
        score = entry.score
        if score is None:
            return 4, 0, 0, 0
        far = score.distance or 0
        chosen = 0 if entry.move == choice else 1
        if score.exact and score.expectation > 0:
            return 0, far or LONGEST, chosen, 0
        if score.exact and score.expectation < 0:
            return 3, -(far or LONGEST), chosen, 0
        first = chosen if entry.visits and not score.exact else 1
        return 1, first, -score.expectation, chosen

    return sorted(moves, key=order)


def _move_views(values: Sequence[MoveValue]) -> list[MoveView]:
    return [
        MoveView(value.move, view_score(value.score), value.visits, value.kept)
        for value in values[:SHOWN_MOVES]
    ]


async def hint(pool: SearchDesk, game: LiveGame) -> HintAnswer:
    """What a strong agent would play."""
    position, ply = game.position, len(game.history)
    if game.is_over or position.is_over or position.turn == CHANCE:
        raise GameOverError("the game is over")
    agent = analyst(game.setup.game)
    score, move = await _best_move(pool, position, agent, HINT_SECONDS)
    worth = in_words(score) if score is not None else ""
    return HintAnswer(game.id, ply, move, view_score(score), agent, worth)


async def review(
    pool: SearchDesk,
    game: LiveGame,
    agent: str,
    seconds: float,
    tell: Callable[[ReviewUpdate], None],
) -> None:
    """Value every position of a game and mark the moves that threw something away."""
    history = game.history
    plies = [n for n in range(len(history)) if history.entries[n].player != CHANCE]
    found: list[ReviewedMove] = []
    before: tuple[Score, str] | None = None
    for ply in [*plies, len(history)]:
        position = await asyncio.to_thread(history.position, ply)
        now = await _value(pool, position, agent, seconds, analyse=True)
        if found and before is not None and now is not None:
            found[-1] = await _judged(pool, agent, seconds, history, found[-1], before[0], now[0])
        score = view_score(now[0].seen_by(0) if _two(history.game) else now[0]) if now else None
        found.append(ReviewedMove(ply, score, now[1] if now else ""))
        before = now
        tell(ReviewUpdate(game.id, found[-2:], len(plies) + 1))
    game.set_review(found)
    tell(ReviewUpdate(game.id, found, len(plies) + 1, done=True))


async def _value(
    pool: SearchDesk, position: Position, agent: str, seconds: float, analyse: bool = False
) -> tuple[Score, str] | None:
    """The worth of a position for the side to move (the first player at the end), and its move.

    `analyse` asks as the analysis board does, so that both say the same of a position.
    """
    outcome = position.outcome
    if outcome is not None:
        if outcome.winner is None:
            return Score(0, "draw", 0), ""
        return Score(0, "win" if outcome.winner == 0 else "loss", 0), ""
    if position.turn == CHANCE:
        return None
    score, move = await _best_move(pool, position, agent, seconds, analyse)
    return (score, move) if score is not None else None


async def _best_move(
    pool: SearchDesk, position: Position, agent: str, seconds: float, analyse: bool = False
) -> tuple[Score | None, str]:
    """What an agent would play, empty if nothing, and what that is worth."""
    job = analysis_job(position, agent, seconds)
    job.analyse = analyse
    try:
        answer = await pool.search(job)
    finally:
        pool.forget(job.key)
    return answer.score, answer.moves[0] if answer.moves else ""


async def _judged(
    pool: SearchDesk,
    agent: str,
    seconds: float,
    history: History,
    entry: ReviewedMove,
    before: Score,
    after: Score,
) -> ReviewedMove:
    """The entry with what its move lost: the value after the best move minus that after its own.

    What is not proven and looks like a mistake is searched after the best move as well: a search
    favours the side to move, so only positions with the same side to move can be compared.
    """
    played = history.entries[entry.ply].move
    if not _two(history.game) or not entry.best or played == entry.best:
        return entry
    best, then = before, after.seen_by(before.player)
    if before.value is None and marked(before, then):
        position = await asyncio.to_thread(history.position, entry.ply)
        instead = await asyncio.to_thread(position.play, entry.best)
        found = await _value(pool, instead, agent, seconds, analyse=True)
        best = found[0].seen_by(before.player) if found else before
    mark, why = marked(best, then), explain(best, then)
    loss = max(0.0, best.expectation - then.expectation)
    if not mark and hurried(before, then):
        mark, why = MARKS[-1][1], hurried(before, then)
        loss = MARKS[-1][0]
    judged = ReviewedMove(
        entry.ply, entry.score, entry.best, round(loss, 3), mark, why if mark else ""
    )
    return await asyncio.to_thread(_explained, history, judged)


def marked(best: Score, played: Score) -> str:
    """What a move is called that came to `played` where `best` could be had; empty if nothing."""
    loss = best.expectation - played.expectation
    return next((name for least, name in MARKS if loss >= least), "")


def hurried(before: Score, after: Score) -> str:
    """What a move did that changed no proven result but when it comes, in a sentence.

    Both are seen by the one who moved, `after` from the next position. Empty if it did little.
    """
    if before.value != after.value or before.distance is None or after.distance is None:
        return ""
    later = after.distance + 1 - before.distance
    if after.at_most or abs(later) < MANY_PLIES or (later > 0) == (before.value == "loss"):
        return ""
    verb = "shortened" if before.value == "loss" else "put off"
    return f"It {verb} {in_words(before)} to one in {after.distance + 1}."


def _explained(history: History, entry: ReviewedMove) -> ReviewedMove:
    """The entry with what the game itself knows about the mistake, before what it changed."""
    why = history.game.page.why
    if not entry.mark or why is None:
        return entry
    position = history.position(entry.ply)
    said = why(position, history.entries[entry.ply].move, entry.best)
    return msgspec.structs.replace(entry, why=f"{said} {entry.why}".strip())


def explain(before: Score, after: Score) -> str:
    """What a move changed, in a sentence; both scores are seen by the one who moved."""
    was, now = in_words(before), in_words(after)
    name, _, points = was.partition(" (")
    if points and now.startswith(f"{name} ("):
        return f"It turned {name} of {points[:-1]} into one of {now.partition(' (')[2][:-1]}."
    return f"It turned {was} into {now}."


def in_words(score: Score) -> str:
    """A score as people say it."""
    far = score.when if score.distance else ""
    match score.value:
        case "win":
            return f"a win{far}"
        case "loss":
            return f"a loss{far}"
        case "draw":
            return "a draw"
    if score.probability is not None:
        return f"{100 * score.probability:.0f} % to win"
    if score.points is None:
        return "an open game"
    least = next((name for least, name in ADVANTAGES if score.expectation >= least), "")
    return f"{least or 'a clear disadvantage'} ({score.points:+.3g})"


def _two(game: Game) -> bool:
    return game.info.players == 2
