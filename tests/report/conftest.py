"""Runs to report: real games of Connect 4 by random play, results dealt from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord, MoveRecord
from plyground.core.registry import make_game
from plyground.report.runs import write_run_report
from plyground.store import RunInfo, Store, StoredGame

PLAYERS = ("ann", "bob:depth=3", "cyd <b>&", "dot")


def random_record(seed: int, seats: tuple[str, str], options: dict, limit: str) -> GameRecord:
    rng = random.Random(seed)
    position = make_game("connect4", options).start()
    moves = []
    while not position.is_over:
        move = rng.choice(position.legal_moves)
        moves.append(
            MoveRecord(move, position.turn, time=rng.uniform(0.01, 0.2), nodes=rng.randint(1, 999))
        )
        position = position.play(move)
    outcome = Outcome(rng.choice((0, 0, 1, None)), scores=(rng.randint(0, 9), rng.randint(0, 9)))
    if rng.random() < 0.1:
        outcome = Outcome(rng.randint(0, 1), Termination.TIMEOUT, detail="no answer in 0.1 s")
    return GameRecord(
        game="connect4",
        options=options,
        players=seats,
        seed=seed,
        moves=tuple(moves),
        outcome=outcome,
        tags={"limit": limit},
    )


def fill_store(path: Path, players: tuple[str, ...] = PLAYERS, pairs: int = 3) -> None:
    number = 0
    with Store(path) as store:
        store.create_run(RunInfo("cup", "tournament", "connect4", players, {}))
        for limit in ("0.1 s a move", "1 s a move"):
            for mean in ("none", "both"):
                for a in range(len(players)):
                    for b in range(a + 1, len(players)):
                        for _ in range(pairs):
                            number += 1
                            for seat, (i, j) in enumerate(((a, b), (b, a))):
                                record = random_record(
                                    2 * number + seat,
                                    (players[i], players[j]),
                                    {"width": 5, "height": 4, "mean": mean},
                                    limit,
                                )
                                pair = f"p{number}"
                                game = StoredGame(f"g{number}.{seat}", pair, i, j, record, 1.5)
                                store.add_game("cup", game)


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "results.sqlite"
    fill_store(path)
    return path


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    with Store(database) as opened:
        yield opened


@pytest.fixture(scope="session")
def written(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of the run, written once."""
    with Store(database) as opened:
        return write_run_report(opened, "cup", tmp_path_factory.mktemp("report") / "cup.html")
