"""A one-player game beside what a strong agent makes of the same random events."""

from __future__ import annotations

import asyncio
import secrets

import msgspec

from plyground.arena.history import History
from plyground.core.errors import InputError
from plyground.core.game import CHANCE
from plyground.core.limits import Limit
from plyground.core.record import MoveRecord
from plyground.web.analysis import analyst
from plyground.web.engine_client import SearchJob
from plyground.web.live_game import LiveGame
from plyground.web.searches import SearchDesk

FURTHER = 2
"""The agent is watched for so many times the turns of the person ..."""
MOST_TURNS = 120
"""... but not for more than these."""
MOVE_SECONDS = 0.02


class Comparison(msgspec.Struct, frozen=True):
    """Turns of the person and of the agent, and whether the agent's game ended there."""

    agent: str
    turns: int
    reached: int
    score: int
    died: bool


async def compare(pool: SearchDesk, game: LiveGame) -> Comparison:
    """Let the game's analyst play the same deals; InputError for games without them."""
    if not (game.history.game.page.same_deals and game.info.players == 1 and game.is_over):
        raise InputError("only finished one-player games with the same events are compared")
    turns = _count_turns(game.history.entries)
    wanted = min(MOST_TURNS, max(FURTHER * turns, turns + 10))
    agent = analyst(game.setup.game)
    history = History(game.history.game, game.setup.start)
    key = f"comparison-{secrets.token_hex(6)}"
    try:
        while not history.current.is_over and _count_turns(history.entries) <= wanted:
            await _advance(pool, game, history, agent, key)
    finally:
        pool.forget(key)
    last = history.current
    outcome = last.outcome
    scores = outcome.scores if outcome else last.game.scores(last.state)
    return Comparison(
        agent,
        turns,
        _count_turns(history.entries),
        int(scores[0]) if scores else 0,
        outcome is not None,
    )


async def _advance(
    pool: SearchDesk, game: LiveGame, history: History, agent: str, key: str
) -> None:
    position = history.current
    if position.turn == CHANCE:
        event = position.game.chance_event(position, game.setup.seed)
        await asyncio.to_thread(history.push, MoveRecord(event, CHANCE))
        return
    job = SearchJob(
        key=key,
        epoch=0,
        agent=agent,
        moves=history.entries,
        position=position,
        seed=game.setup.seed,
        limit=Limit(time=MOVE_SECONDS),
    )
    answer = await pool.search(job)
    for move in answer.moves:
        if history.current.is_over or history.current.turn == CHANCE:
            break
        await asyncio.to_thread(history.push, MoveRecord(move, position.turn))


def _count_turns(entries: list[MoveRecord]) -> int:
    """Turns that were completed: a deal ends the one before it."""
    return max(0, sum(entry.player == CHANCE for entry in entries) - 1)
