"""One game as a piece of work: everything needed to play it anywhere, and what comes back."""

from __future__ import annotations

import hashlib

import msgspec

from plyground.arena.adjudication import Adjudication
from plyground.core.files import Source
from plyground.core.game import OptionValue
from plyground.core.limits import Limit
from plyground.core.record import GameRecord
from plyground.engines.engine import EngineSettings


class MatchRules(msgspec.Struct, frozen=True, kw_only=True):
    """How games are conducted, the same for every game of a run.

    `adjudication` ends games early. `turns` caps a one-player game (completed turns). `engine` says
    how the programs are run.
    """

    adjudication: Adjudication = Adjudication()
    turns: int | None = None
    engine: EngineSettings = EngineSettings()


class GameTask(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be played. `players`, `labels`, `seats`, `limits` and `engine_seeds` go by seat.

    `players` are specs, `labels` what records call them, `seats` their numbers in the run. `start`
    is a position's text (empty: the usual one), `opening` the moves played from there before the
    players take over. `seed` is for the game's own random events: the same for all who shall meet
    the same deals. `sources` are the files that players come from, for machines that lack them.
    """

    schedule_id: str
    pair_id: str
    game: str
    options: dict[str, OptionValue]
    players: tuple[str, ...]
    labels: tuple[str, ...]
    seats: tuple[int, ...]
    start: str = ""
    opening: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    seed: int = 0
    engine_seeds: tuple[int, ...] = ()
    rules: MatchRules = MatchRules()
    sources: tuple[Source, ...] = ()


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game. `seconds` is its duration, start-up of engines included."""

    task: GameTask
    record: GameRecord
    seconds: float


def derive_seed(*parts: object) -> int:
    """A 63-bit seed that depends on all parts and on nothing else."""
    text = "\x1f".join(str(part) for part in parts)
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1
