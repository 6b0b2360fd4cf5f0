"""Survival figures: `python -m plyground.games.blockudoku.players.survival`.

Each run is an independent ensemble of weighted games (see `ensemble`); all players meet the same
deals. Runs are appended to a file as they finish: they can be stopped and started again, and with
`--jobs` they use several cores. A player is one of the efforts, or `program:COMMAND` for a program
that answers positions with turns (see `bridge.program`).
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.core.errors import InputError
from plyground.games.blockudoku.bridge.program import ProgramPlayer
from plyground.games.blockudoku.notation import parse_deck
from plyground.games.blockudoku.players.ensemble import LEVELS, Boards, Hands, Plan, measure
from plyground.games.blockudoku.players.planning import make_planning
from plyground.games.blockudoku.players.selfplay import TOTAL_COUNT
from plyground.games.blockudoku.players.settings import EFFORTS, learned_weights
from plyground.stats.survival import Interval, clustered_rate, paired_rate_ratio

PROGRAM = "program:"

Row = dict[str, Any]
Results = dict[tuple[str, int], Row]
"""By player and number of the run."""


@dataclass(frozen=True)
class Work:
    """What to measure: everything that the figures of a player depend on."""

    pieces: str
    seed: int
    steps: int
    """Turns of every game that are added up in a run."""
    games: int
    """Games a level."""
    levels: tuple[int, ...] = LEVELS

    def plan(self) -> Plan:
        """How its ensembles are played."""
        return Plan(self.steps, self.games, self.levels)


class Player:
    """Plays turns with the champion's weights at a given effort."""

    def __init__(self, effort: str, pieces: str, weights: npt.NDArray[np.int64] | None = None):
        self.deck = np.array(parse_deck(pieces), np.int64)
        self.plan = make_planning(
            self.deck, learned_weights() if weights is None else weights, EFFORTS[effort]
        )
        self.module = kernels.compiled("plyground.games.blockudoku.players.selfplay")
        with kernels.compilation(self.module):
            self.play(0, 0, 1, np.zeros(2, np.uint64), np.zeros(TOTAL_COUNT))
            self.turns(np.zeros((1, 2), np.uint64), np.zeros((1, 3), np.int64))

    def play(
        self,
        seed: int,
        turn: int,
        count: int,
        board: npt.NDArray[np.uint64],
        totals: npt.NDArray[np.float64],
        probes: int = 0,
    ) -> None:
        """See `selfplay.play_turns`."""
        self.module.play_turns(
            np.uint64(seed % 2**64),
            np.int64(turn),
            np.int64(count),
            np.int64(probes),
            self.plan,
            board,
            totals,
        )

    def turns(self, boards: Boards, hands: Hands) -> tuple[Boards, npt.NDArray[np.bool_]]:
        """See `ensemble.TurnPlayer`."""
        after, alive = np.zeros_like(boards), np.zeros(len(boards), np.bool_)
        self.module.play_each(boards, hands, self.plan, after, alive)
        return after, alive

    def seconds(self) -> float:
        """Processor time of this process."""
        return time.process_time()


@cache
def player(effort: str, pieces: str) -> Player:
    """One player a process."""
    return Player(effort, pieces)


def run_work(work: Work, name: str, number: int) -> Row:
    """One run of a player; its result carries both."""
    deck = np.array(parse_deck(work.pieces), np.int64)
    seed = (work.seed << 24) + number
    with contextlib.ExitStack() as stack:
        if name.startswith(PROGRAM):
            one: Any = stack.enter_context(ProgramPlayer(name.removeprefix(PROGRAM)))
        else:
            one = player(name, work.pieces)
        return {"player": name, "number": number, **measure(one, deck, work.plan(), seed)}


def read_results(path: Path, work: Work) -> Results:
    """Results of earlier runs; InputError if the file belongs to other work or is damaged."""
    if not path.exists():
        return {}
    lines = path.read_text().splitlines()
    try:
        head, rows = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
        results = {(str(row["player"]), int(row["number"])): row for row in rows}
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise InputError(f"{path} is damaged ({error}); move it away to start again") from error
    if head != _head(work):
        raise InputError(f"{path} holds other work: {head}")
    return results


def _head(work: Work) -> dict[str, Any]:
    plan = work.plan()
    ensemble = {"levels": list(work.levels), "sizes": plan.sizes(), "deals": plan.deals()}
    return {**asdict(work), **ensemble}


def run_all(work: Work, players: list[str], count: int, jobs: int, path: Path) -> Results:
    """Do what is missing of `count` runs of each player, appending each result to the file."""
    results = read_results(path, work)
    missing = [
        (name, number)
        for number, name in itertools.product(range(count), players)
        if (name, number) not in results
    ]
    if not path.exists():
        path.write_text(json.dumps(_head(work)) + "\n")
    for row in _computed(work, missing, jobs):
        results[row["player"], row["number"]] = row
        with path.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(summary_text(summary(results, [row["player"]])[0]), file=sys.stderr, flush=True)
    return results


def _computed(work: Work, missing: list[tuple[str, int]], jobs: int) -> Iterator[Row]:
    if jobs <= 1:
        yield from (run_work(work, name, number) for name, number in missing)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        try:
            for future in as_completed(pool.submit(run_work, work, *one) for one in missing):
                yield future.result()
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise


def summary(results: Results, players: list[str]) -> list[dict[str, Any]]:
    """The figures of each player with their intervals, and beside the last player's."""
    peer = players[-1]
    return [
        {
            "player": name,
            "runs": len(rows),
            "turns": sum(row["turns"] for row in rows),
            "turns_per_death": list(_rate(rows).inverse()),
            "times_last": list(_times(results, peer, name)),
            "ms_per_turn": 1000 * _mean(rows, "seconds"),
            "cells": _mean(rows, "cells"),
            "cpu": sum(row["cpu"] for row in rows),
        }
        for name in players
        if (rows := [row for (player, _), row in sorted(results.items()) if player == name])
    ]


def _rate(rows: list[Row]) -> Interval:
    return clustered_rate([(row["risk"], 1.0) for row in rows])


def _times(results: Results, peer: str, name: str) -> Interval:
    """How many times as long a player lives as its peer, from the runs that both have."""
    return paired_rate_ratio(
        [
            ((results[peer, number]["risk"], 1.0), (row["risk"], 1.0))
            for (player, number), row in sorted(results.items())
            if player == name and (peer, number) in results
        ]
    )


def _mean(rows: list[Row], name: str) -> float:
    return sum(row[name] for row in rows) / len(rows)


def summary_text(figures: dict[str, Any]) -> str:
    """The figures in one line."""
    low, middle, high = figures["turns_per_death"]
    return (
        f"{figures['player']}: {figures['runs']} runs, {figures['turns']} turns, "
        f"{middle:.0f} turns a death [{low:.0f}, {high:.0f}], {figures['ms_per_turn']:.2f} ms a "
        f"turn, {figures['cpu']:.0f} s"
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument(
        "--players", nargs="+", default=["5ms"], help=f"{', '.join(EFFORTS)} or {PROGRAM}COMMAND"
    )
    parser.add_argument("--pieces", default="0-46")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=20, help="independent runs of each player")
    parser.add_argument("--steps", type=int, default=100, help="turns of every game in a run")
    parser.add_argument("--games", type=int, default=10, help="games a level")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--state", type=Path, required=True, help="results; resumes from it")
    given = parser.parse_args()
    work = Work(given.pieces, given.seed, given.steps, given.games)
    try:
        for name in given.players:
            if name not in EFFORTS and not name.startswith(PROGRAM):
                raise InputError(f"player {name!r} is neither an effort nor {PROGRAM}COMMAND")
        results = run_all(work, given.players, given.runs, given.jobs, given.state)
    except InputError as error:
        sys.exit(f"survival: {error}")
    for figures in summary(results, given.players):
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
