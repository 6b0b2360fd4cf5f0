"""For notebooks: games, matches and search trees that display themselves.

    import plyground as pg
    result = pg.match("connect4", "mcts", "montecarlo", games=10, limit=pg.Limit(nodes=1000))
    result                      # a table
    pg.Replay(result.records[0])   # a game with a slider
    pg.tree(position)           # a search tree

Positions draw themselves already.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.core.agent import Agent
from plyground.core.game import OptionValue, Position
from plyground.core.limits import Limit
from plyground.core.record import GameRecord
from plyground.core.registry import find_game, game_name, make_game

if TYPE_CHECKING:
    from plyground.arena.config import RunConfig
    from plyground.arena.tournament import Tournament
    from plyground.store.database import Store

Player = str | type[Agent] | Agent


@dataclass(frozen=True)
class MatchResult:
    """A finished match: its summary as in `plyground match --json`, and the records."""

    summary: Mapping[str, Any]
    records: tuple[GameRecord, ...]

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


@dataclass(frozen=True)
class TournamentResult:
    """A finished tournament: its table as in `plyground tournament --json`, and the records."""

    summary: Mapping[str, Any]
    records: tuple[GameRecord, ...]

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


def match(
    game: str,
    first: Player,
    second: Player,
    games: int = 10,
    limit: Limit | None = None,
    options: Mapping[str, OptionValue] | None = None,
    seed: int = 0,
    jobs: int = 1,
) -> MatchResult:
    """Play a match as `plyground match` does, without keeping it in the database.

    A player is a text as on the command line, a class (a subclass of `Agent`) or an instance.
    """
    from plyground.arena.config import DEFAULT_LIMIT, RunConfig, enter_player
    from plyground.arena.summary import match_summary, solo_summary

    game = game_name(game)
    config = RunConfig(
        kind="match",
        game=game,
        options=make_game(game, options).options,
        players=(enter_player(first), enter_player(second)),
        games=games,
        limit=limit or DEFAULT_LIMIT,
        seed=seed,
    ).pinned()
    with played(config, jobs) as (run, store):
        records = tuple(stored.record for stored in store.games(run.run))
        alone = find_game(game).info.players == 1
        return MatchResult(solo_summary(run) if alone else match_summary(run, store), records)


def tournament(
    game: str,
    players: Sequence[Player],
    *,
    games: int = 2,
    limit: Limit | None = None,
    options: Mapping[str, OptionValue] | None = None,
    seed: int = 0,
    jobs: int = 1,
) -> TournamentResult:
    """All against all as `plyground tournament` plays them, without keeping it in the database."""
    from plyground.arena.config import DEFAULT_LIMIT, RunConfig, enter_player
    from plyground.arena.summary import tournament_summary

    game = game_name(game)
    config = RunConfig(
        kind="tournament",
        game=game,
        options=make_game(game, options).options,
        players=tuple(enter_player(player) for player in players),
        games=games,
        limit=limit or DEFAULT_LIMIT,
        seed=seed,
    ).pinned()
    with played(config, jobs) as (run, store):
        records = tuple(stored.record for stored in store.games(run.run))
        return TournamentResult(tournament_summary(run, complete=True), records)


@contextmanager
def played(config: RunConfig, jobs: int) -> Iterator[tuple[Tournament, Store]]:
    """A run played to its end, with its games in a database that lives as long as the block."""
    from plyground.arena.executors import make_executor
    from plyground.arena.tournament import Tournament, open_run
    from plyground.store.database import Store

    config.check()
    with (
        tempfile.TemporaryDirectory(prefix="plyground-") as folder,
        Store(Path(folder) / "run.sqlite") as store,
    ):
        run = Tournament(config, store, open_run(store, config, None, resume=False))
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
