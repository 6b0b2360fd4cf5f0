"""Games of the lab: the arena's referee with agents in the same process.

Built-in agents keep their limits themselves, so no process is needed per player; that makes a
thousand games of a fast agent a matter of seconds. The referee and its records are those of every
match. Time is CPU time: what else the machine does has no part in the result.
"""

from __future__ import annotations

import time
from collections import OrderedDict

import msgspec

from plyground.arena.match import Match
from plyground.arena.openings import OpeningBook, makes_boards
from plyground.arena.task import GameTask, MatchRules, derive_seed
from plyground.core.agent import Agent, no_stop
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome
from plyground.core.registry import make_agent, make_game
from plyground.engines.engine import Answer, Engine, EngineSettings, GameSetup, InfoListener
from plyground.engines.failure import Interrupt
from plyground.lab.experiment import Series
from plyground.store import StoredGame

SETTINGS = EngineSettings(margin=0.25)
"""The margin is wide: an agent that watches the wall clock must not lose on CPU time."""
MOST_AGENTS = 6
"""Agents kept between games; some hold large tables."""


class AgentEngine(Engine):
    """A built-in agent as an engine without a process, whose answers may come `late` (seconds)."""

    def __init__(self, name: str, agent: Agent) -> None:
        super().__init__(name, SETTINGS, Interrupt())
        self.agent = agent
        self.late = 0.0

    def start(self) -> None:
        """There is nothing to start."""

    def new_game(self, setup: GameSetup) -> None:
        self.agent.new_game(setup.game, setup.seed)
        self.agent.warm_up()
        position = setup.game.parse_position(setup.start) if setup.start else setup.game.start()
        for move in setup.opening:
            position = position.play(move)
            self.agent.observe(position, move)

    def think(self, position: Position, limit: Limit, listener: InfoListener) -> Answer:
        started = time.process_time()
        result = self.agent.search(position, limit, listener, no_stop)
        elapsed = time.process_time() - started + self.late
        return Answer(
            moves=(result.move,),
            elapsed=elapsed,
            score=result.score,
            nodes=result.nodes or None,
            depth=result.depth,
            note=result.note,
        )

    def observe(self, position: Position, move: str, player: int) -> None:
        self.agent.observe(position, move)

    def deal(self, position: Position, event: str) -> None:
        """Agents see a deal in the position."""

    def finish_game(self, outcome: Outcome) -> None:
        """Agents are told by the next `new_game`."""

    def close(self) -> None:
        """There is nothing to end."""


_games: dict[str, Game] = {}
_agents: OrderedDict[tuple[str, str, int], AgentEngine] = OrderedDict()


def _game(series: Series) -> Game:
    key = f"{series.game} {sorted(series.options.items())}"
    if key not in _games:
        _games[key] = make_game(series.game, series.options)
    return _games[key]


def _engine(game: str, player: str, seat: int) -> AgentEngine:
    key = (game, player, seat)
    if key not in _agents:
        _agents[key] = AgentEngine(player, make_agent(game, player))
        while len(_agents) > MOST_AGENTS:
            _agents.popitem(last=False)
    _agents.move_to_end(key)
    return _agents[key]


def play_series_game(series: Series, number: int, late: float = 0.0) -> StoredGame:
    """Game `number` of a series. The same number gives the same seeds.

    `late` is added to the time of every answer, for players that are slow to start.
    """
    game = _game(series)
    swapped = series.swap and number % 2 == 1
    pair = number // 2 if series.swap else number
    names = (series.first, series.second) if series.second else (series.first,)
    order = (1, 0) if swapped else tuple(range(len(names)))
    task = GameTask(
        schedule_id=series.key(number),
        pair_id=series.key(pair) + ".pair",
        game=series.game,
        options=dict(series.options),
        players=tuple(names[seat] for seat in order),
        labels=tuple(names[seat] for seat in order),
        seats=order,
        opening=_opening(game, series, pair),
        limits=(msgspec.structs.replace(series.limit, by="cpu"),) * len(order),
        seed=derive_seed(series.name, "game", pair),
        engine_seeds=tuple(derive_seed(series.name, number, "player", seat) for seat in order),
        rules=MatchRules(turns=series.cap, engine=SETTINGS),
    )
    engines = [_engine(series.game, names[seat], seat) for seat in order]
    for engine in engines:
        engine.late = late
    result = Match(task, game, engines).play()
    record = result.record
    tags = {**record.tags, "limit": str(series.limit), "setting": series.setting}
    tags["series"] = series.name
    versions = series.versions
    tags["versions"] = ", ".join(f"{names[seat]} {versions[seat]}" for seat in order)
    return StoredGame(
        schedule_id=task.schedule_id,
        pair_id=task.pair_id,
        first=order[0],
        second=order[1] if len(order) > 1 else None,
        record=msgspec.structs.replace(record, tags=tags),
        seconds=result.seconds,
    )


def _opening(game: Game, series: Series, pair: int) -> tuple[str, ...]:
    if not series.opening_plies:
        return ()
    seed = derive_seed(series.name, "openings")
    board = [game.options] if makes_boards(game) else []  # a series keeps to its board
    return OpeningBook(game, seed, series.opening_plies, boards=board)[pair].moves
