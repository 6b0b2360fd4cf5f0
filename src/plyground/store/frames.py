"""Games and moves as rows, for data frames and Parquet files (extra `data`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plyground.core.errors import InputError, UnsupportedError
from plyground.core.game import CHANCE
from plyground.core.writing import check_target
from plyground.store.database import Store, default_path


def game_rows(store: Store, run: str) -> Iterator[dict[str, Any]]:
    """One row a game. `winner` is a name, None for a draw; lists go move by move, with deals."""
    players = store.run(run).players
    for game in store.games(run):
        record = game.record
        outcome = record.outcome
        assert outcome is not None
        names = [players[game.first], None if game.second is None else players[game.second]]
        scores = [*(outcome.scores or ()), None, None]
        yield {
            "run": run,
            "game": game.schedule_id,
            "pair": game.pair_id,
            "first": names[0],
            "second": names[1],
            "winner": None if outcome.winner is None else names[outcome.winner],
            "termination": str(outcome.termination),
            "first_score": scores[0],
            "second_score": scores[1],
            "plies": sum(entry.player != CHANCE for entry in record.moves),
            "opening": record.opening_plies,
            "seconds": game.seconds,
            "moves": [entry.move for entry in record.moves],
            "times": [entry.time for entry in record.moves],
        }


def move_rows(store: Store, run: str) -> Iterator[dict[str, Any]]:
    """One row a move: who, when, how long, and what the player said. `value` is -1 (lost) to 1."""
    for game in store.games(run):
        for ply, entry in enumerate(game.record.moves, 1):
            deal = entry.player == CHANCE
            yield {
                "run": run,
                "game": game.schedule_id,
                "ply": ply,
                "player": None if deal else game.record.players[entry.player],
                "opening": ply <= game.record.opening_plies,
                "move": entry.move,
                "time": entry.time,
                "nodes": entry.nodes,
                "depth": entry.depth,
                "value": None if entry.score is None else entry.score.expectation,
            }


def load_games(
    run: str = "last", *, moves: bool = False, database: Path | str | None = None
) -> Any:
    """The games of a stored run (or the latest) as a pandas DataFrame; with `moves` a row a move.

    InputError if there is no such run, UnsupportedError without pandas.
    """
    pandas = _pandas()
    with Store(Path(database) if database else default_path(), create=False) as store:
        name = latest(store) if run == "last" else run
        store.run(name)
        return pandas.DataFrame(list((move_rows if moves else game_rows)(store, name)))


def write_parquet(store: Store, run: str, path: Path, *, moves: bool = False) -> int:
    """Write a run as Parquet; how many rows there are."""
    check_target(path)
    frame = _pandas().DataFrame(list((move_rows if moves else game_rows)(store, run)))
    try:
        frame.to_parquet(path, index=False)
    except ImportError:
        raise UnsupportedError(
            "Parquet needs the extra `data`: pip install 'plyground[data]'"
        ) from None
    return len(frame)


def latest(store: Store) -> str:
    """The youngest run; InputError when there is none."""
    runs = store.runs()
    if not runs:
        raise InputError(f"no run yet in {str(store.path)!r}: play one with `plyground match`")
    return runs[-1].id


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise UnsupportedError(
            "data frames need the extra `data`: pip install 'plyground[data]'"
        ) from None
    return pandas
