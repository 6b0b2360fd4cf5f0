"""For notebooks: games, matches and search trees that display themselves.

    import plyground as pg
    result = pg.match("connect4", "mcts", "montecarlo", games=10, nodes=1000)
    result                      # a table
    pg.Replay(result.records[0])   # a game with a slider
    pg.tree(position)           # a search tree

Positions draw themselves already.
"""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from plyground.core.agent import Agent
from plyground.core.errors import LimitError
from plyground.core.game import OptionValue, Position
from plyground.core.limits import Clock, Limit
from plyground.core.record import GameRecord
from plyground.core.registry import find_game, game_name, make_game

if TYPE_CHECKING:
    from plyground.arena.config import RunConfig
    from plyground.arena.tournament import Tournament
    from plyground.store.database import Store

Player = str | type[Agent] | Agent


@dataclass(frozen=True)
class RunResult:
    """A finished run: its summary as the command prints it with `--json`, records, and its name."""

    summary: Mapping[str, Any]
    records: tuple[GameRecord, ...]
    run: str = ""


class MatchResult(RunResult):
    """What `match` returns."""

    def __repr__(self) -> str:
        """The result in a line: who scored what, and the Elo difference."""
        if "results" in self.summary:  # a game for one player
            rows = ", ".join(f"{row['player']} {_mean(row):g}" for row in self.summary["results"])
            return f"<points a game: {rows}>"
        first, second = self.summary["players"]
        score = self.summary["score"]
        elo = self.summary["elo"]
        return (
            f"<{first} {score[0]:g} : {score[1]:g} {second} in {len(self.records)} games, Elo "
            f"{elo['difference']:+.0f} [{elo['low']:+.0f}, {elo['high']:+.0f}]{self._failures()}>"
        )

    def _failures(self) -> str:
        """How many games a program lost by its failure, and why the first of them."""
        lost = sum(self.summary["failures"])
        if not lost:
            return ""
        reasons = [game["detail"] for game in self.summary["games"] if game.get("detail")]
        return f", {lost} lost by failure: {reasons[0] if reasons else ''}"

    def _repr_html_(self) -> str:
        if "results" in self.summary:
            return f"<p>{escape(repr(self)[1:-1])}</p>"
        elo = self.summary.get("elo") or {}
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{wins}</td><td>{self.summary['draws']}</td>"
            f"<td>{score:g}</td></tr>"
            for name, wins, score in zip(
                self.summary["players"], self.summary["wins"], self.summary["score"], strict=True
            )
        )
        numbers = [elo[key] for key in ("difference", "low", "high") if elo.get(key) is not None]
        remark = ""
        if len(numbers) == 3:
            shown = [f"{number:+.0f}" for number in numbers]
            remark = f"Elo difference {shown[0]}, 95 % {shown[1]} to {shown[2]}"
        remark += escape(self._failures())
        head = "<tr><th>player</th><th>wins</th><th>draws</th><th>score</th></tr>"
        return f"<table>{head}{rows}</table><p>{remark}</p>"


def _mean(row: Mapping[str, Any]) -> float:
    """The mean score of a player of a one-player game."""
    scores = [score for score in row["scores"] if score is not None]
    return round(sum(scores) / len(scores), 2) if scores else 0.0


class TournamentResult(RunResult):
    """What `tournament` returns."""

    def __repr__(self) -> str:
        """The table in a line."""
        rows = ", ".join(
            f"{row['player']} {row['score']:g}/{row['games']}" for row in self.summary["table"]
        )
        return f"<tournament of {len(self.records)} games: {rows}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{row['rank']}</td><td>{escape(row['player'])}</td><td>{row['games']}</td>"
            f"<td>{row['score']:g}</td><td>{row['elo']['rating']:+.0f}</td></tr>"
            for row in self.summary["table"]
        )
        head = "<tr><th></th><th>player</th><th>games</th><th>score</th><th>Elo</th></tr>"
        return f"<table>{head}{rows}</table>"


@dataclass(frozen=True)
class Picture:
    """An SVG picture."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


class More(TypedDict, total=False):
    """What `match` and `tournament` also take.

    `time` (seconds a move), `nodes`, `depth` and `clock` ("30+0.1") say in place of a limit how
    long players may think. `options` are those of the game, `seed` decides all randomness, `jobs`
    games are played at the same time. `boards` is a suite of starts or a file, `opening_plies` how
    many random moves come first. `store` keeps the run: True in the usual database, a path in that
    file; `run` is its name there, and a run of that name and these settings is gone on with.
    """

    options: Mapping[str, OptionValue] | None
    seed: int
    jobs: int
    time: float | None
    nodes: int | None
    depth: int | None
    clock: str | None
    boards: str | None
    opening_plies: int | None
    store: bool | str | Path
    run: str | None


def match(
    game: str,
    first: Player,
    second: Player,
    games: int = 10,
    limit: Limit | None = None,
    **more: Unpack[More],
) -> MatchResult:
    """Play a match as `plyground match` does.

    A player is a text as on the command line, a class (a subclass of `Agent`) or an instance.
    Also by name: `time`, `nodes`, `depth` or `clock` in place of a limit, `options`, `seed`,
    `jobs`, `boards`, `opening_plies`, and `store` and `run` to keep the games (see `More`).
    """
    from plyground.arena.summary import match_summary, solo_summary

    config = _config("match", game, (first, second), games, limit, more)
    with _played(config, more) as (run, store):
        records = tuple(stored.record for stored in store.games(run.run))
        alone = find_game(config.game).info.players == 1
        summary = solo_summary(run) if alone else match_summary(run, store)
        return MatchResult(summary, records, run.run)


def tournament(
    game: str,
    players: Sequence[Player],
    *,
    games: int = 2,
    limit: Limit | None = None,
    **more: Unpack[More],
) -> TournamentResult:
    """All against all as `plyground tournament` plays them; arguments as those of `match`."""
    from plyground.arena.summary import tournament_summary

    config = _config("tournament", game, players, games, limit, more)
    with _played(config, more) as (run, store):
        records = tuple(stored.record for stored in store.games(run.run))
        return TournamentResult(tournament_summary(run, complete=True), records, run.run)


def _config(
    kind: Literal["match", "tournament"],
    game: str,
    players: Sequence[Player],
    games: int,
    limit: Limit | None,
    more: More,
) -> RunConfig:
    """The run that these arguments describe; TypeError for one that does not exist."""
    from plyground.arena.config import RunConfig, enter_player
    from plyground.arena.openings import read_starts

    rules = make_game(game_name(game), more.get("options"))
    for name, value in more.items():
        if name not in More.__annotations__:
            near = difflib.get_close_matches(name, More.__annotations__, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            if name in rules.options:
                hint = f": options of the game are given by options={{{name!r}: {value!r}}}"
            raise TypeError(f"{kind} has no argument {name!r}{hint}")
    starts, boards = read_starts(rules, None, more.get("boards"))
    config = RunConfig(
        kind=kind,
        game=rules.info.name,
        options=rules.options,
        players=tuple(enter_player(player) for player in players),
        games=games,
        limit=_limit(limit, more),
        seed=more.get("seed", 0),
        opening_plies=more.get("opening_plies"),
        openings=starts,
        boards=boards,
    )
    return RunConfig.from_builtins(config.to_builtins()).pinned()


def _limit(limit: Limit | None, more: More) -> Limit:
    """The limit given whole or by its parts; LimitError for both and for what is no limit."""
    from plyground.arena.config import DEFAULT_LIMIT

    clock = more.get("clock")
    parts = Limit(
        more.get("time"),
        more.get("nodes"),
        more.get("depth"),
        Clock.parse(str(clock)) if clock is not None else None,
    )
    if limit is None:
        return DEFAULT_LIMIT if parts.endless else parts
    if not parts.endless:
        raise LimitError("give a limit or time, nodes, depth and clock, not both")
    if not isinstance(limit, Limit):
        raise LimitError(f"a limit is written pg.Limit(time=0.1) or time=0.1, not {limit!r}")
    return limit


def _played(config: RunConfig, more: More) -> AbstractContextManager[tuple[Tournament, Store]]:
    return played(config, more.get("jobs", 1), more.get("store", False), more.get("run"))


@contextmanager
def played(
    config: RunConfig, jobs: int = 1, keep: bool | str | Path = False, name: str | None = None
) -> Iterator[tuple[Tournament, Store]]:
    """A run played to its end, and the database with its games.

    Unless it is to be kept that database lives as long as the block.
    """
    from plyground.arena.executors import make_executor
    from plyground.arena.tournament import Tournament, open_run
    from plyground.store.database import Store, default_path

    config.check()
    with ExitStack() as stack:
        if keep is False:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="plyground-"))
            path = Path(folder) / "run.sqlite"
        else:
            path = default_path() if keep is True else Path(keep)
        store = stack.enter_context(Store(path))
        known = name in {stored.id for stored in store.runs()}
        run = Tournament(config, store, open_run(store, config, name, resume=known))
        with make_executor("local", jobs, run.emit) as executor:
            run.play(executor)
        yield run, store


def tree(
    position: Position,
    agent: str = "mcts",
    depth: int = 3,
    width: int = 4,
    limit: Limit | None = None,
    seed: int = 0,
) -> Picture:
    """The search tree of a position, as `plyground tree` draws it."""
    from plyground.report.tree_drawing import draw_tree
    from plyground.report.tree_nodes import ReferenceWalk, mcts_tree

    if agent == "mcts":
        root = mcts_tree(position, limit or Limit(nodes=2000), depth, width, 1.4, seed)
    else:
        root = ReferenceWalk(position).walk(position, depth, width)
    return Picture(draw_tree(root, f"{position.game.info.title}: {agent}", "own"))
