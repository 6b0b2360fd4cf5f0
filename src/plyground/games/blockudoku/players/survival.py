"""Survival figures of the champion: `python -m plyground.games.blockudoku.players.survival`.

Plays many turns in compiled code, in pieces of work that are appended to a file as they finish: a
run can be stopped and started again, and with `--jobs` it uses several cores. The method is
`chains` (deaths and sampled risk in runs from the empty board) or `splitting` (how often boards
get crowded, and how often crowded boards get more crowded and die).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.core.errors import InputError
from plyground.games.blockudoku.notation import parse_deck
from plyground.games.blockudoku.players.planning import make_planning
from plyground.games.blockudoku.players.selfplay import (
    BOARDS,
    CEILING_REACHED,
    CELLS,
    COUNT_REACHED,
    DEATHS,
    DIED,
    NO_CEILING,
    RISK,
    TOTAL_COUNT,
    TURNS,
    Stops,
)
from plyground.games.blockudoku.players.settings import EFFORTS, learned_weights
from plyground.stats.survival import Exposure, SplittingRun, clustered_rate, splitting_hazard

Board = npt.NDArray[np.uint64]

CALM = 20
"""A board with at most so many cells ends an excursion."""
LEVELS = (30, 34, 38, 42, 46)
PROBES = 60


@dataclass(frozen=True)
class Work:
    """What to measure: everything that the figures depend on."""

    effort: str
    pieces: str
    method: str
    seed: int
    turns: int
    """Turns of one piece of work."""
    tries: int = 0
    """Tries a level (splitting only)."""


class Player:
    """Plays turns with the champion's weights at a given effort."""

    def __init__(self, effort: str, pieces: str, weights: npt.NDArray[np.int64] | None = None):
        self.deck = np.array(parse_deck(pieces), np.int64)
        self.plan = make_planning(
            self.deck, learned_weights() if weights is None else weights, EFFORTS[effort]
        )
        self.hand = np.zeros(3, np.int64)
        self.module = kernels.compiled("plyground.games.blockudoku.players.selfplay")
        with kernels.compilation(self.module):
            self.play(0, 0, 1, np.zeros(2, np.uint64), np.zeros(TOTAL_COUNT))

    def play(
        self,
        seed: int,
        turn: int,
        count: int,
        board: Board,
        totals: npt.NDArray[np.float64],
        floor: int = -1,
        ceiling: int = NO_CEILING,
        probes: int = 0,
    ) -> int:
        """See `selfplay.play_turns`."""
        stops = Stops(np.int64(floor), np.int64(ceiling), np.int64(probes), self.hand)
        return int(
            self.module.play_turns(
                np.uint64(seed % 2**64),
                np.int64(turn),
                np.int64(count),
                stops,
                self.plan,
                board,
                totals,
            )
        )


@cache
def player(effort: str, pieces: str) -> Player:
    """One player a process."""
    return Player(effort, pieces)


def chain(work: Work, number: int) -> dict[str, Any]:
    """One run from the empty board: turns, deaths, sampled risk."""
    totals = np.zeros(TOTAL_COUNT)
    one = player(work.effort, work.pieces)
    started = time.process_time()
    seed = (work.seed << 24) + number
    one.play(seed, 0, work.turns, np.zeros(2, np.uint64), totals, probes=PROBES)
    return {
        "turns": int(totals[TURNS]),
        "deaths": int(totals[DEATHS]),
        "risk": float(totals[RISK]),
        "cells": float(totals[CELLS]),
        "boards": int(totals[BOARDS]),
        "cpu": time.process_time() - started,
    }


def splitting(work: Work, number: int) -> dict[str, Any]:
    """One independent run of splitting over `LEVELS`."""
    one = player(work.effort, work.pieces)
    started = time.process_time()
    totals = np.zeros(TOTAL_COUNT)
    seed = (work.seed << 24) + number
    entries: list[Board | None] = []
    board = np.zeros(2, np.uint64)
    turn = 0

    def played() -> int:
        return int(totals[TURNS] + totals[DEATHS])

    while turn < work.turns:
        ended = one.play(seed, turn, work.turns - turn, board, totals, 0, LEVELS[0])
        turn = played()
        if ended == DIED:
            entries.append(None)
        if ended == CEILING_REACHED:
            entries.append(board.copy())
            while turn < work.turns:
                ended = one.play(seed, turn, work.turns - turn, board, totals, CALM)
                turn = played()
                if ended != COUNT_REACHED:
                    break
    cpu_base = time.process_time() - started
    base_turns, base_deaths = turn, int(totals[DEATHS])
    stages: list[tuple[int, int]] = []
    pool = entries
    for level, ceiling in enumerate((*LEVELS[1:], NO_CEILING)):
        reached: list[Board | None] = []
        for attempt in range(work.tries if pool else 0):
            start = pool[attempt % len(pool)]
            fresh = (seed << 20) + (level << 16) + attempt
            up, board_there = _climb(one, start, ceiling, fresh, totals)
            if up:
                reached.append(board_there)
        stages.append((len(reached), work.tries if pool else 0))
        pool = reached
    return {
        "turns": base_turns,
        "deaths": base_deaths,
        "entries": len(entries),
        "stages": stages,
        "cpu_base": cpu_base,
        "cpu": time.process_time() - started,
    }


def _climb(
    one: Player, start: Board | None, ceiling: int, seed: int, totals: npt.NDArray[np.float64]
) -> tuple[bool, Board | None]:
    """Play on with fresh deals: whether the ceiling was reached, and the board (None: dead)."""
    if start is None:
        return True, None
    board = start.copy()
    if int(board[0]).bit_count() + int(board[1]).bit_count() >= ceiling:
        return True, board
    ended = one.play(seed, 0, 100_000, board, totals, CALM, ceiling)
    if ended == DIED:
        return True, None
    return ended == CEILING_REACHED, board


METHODS = {"chains": chain, "splitting": splitting}


def run_work(work: Work, number: int) -> dict[str, Any]:
    """One piece of work; its result carries its number."""
    return {"number": number, **METHODS[work.method](work, number)}


def read_results(path: Path, work: Work) -> dict[int, dict[str, Any]]:
    """Results of earlier runs; InputError if the file belongs to other work or is damaged."""
    if not path.exists():
        return {}
    lines = path.read_text().splitlines()
    try:
        head, rows = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
        results = {int(row["number"]): row for row in rows}
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise InputError(f"{path} is damaged ({error}); move it away to start again") from error
    if head != vars(work):
        raise InputError(f"{path} holds other work: {head}")
    return results


def run_all(work: Work, count: int, jobs: int, path: Path) -> dict[int, dict[str, Any]]:
    """Do what is missing of `count` pieces of work, appending each result to the file."""
    results = read_results(path, work)
    missing = [number for number in range(count) if number not in results]
    if not path.exists():
        path.write_text(json.dumps(vars(work)) + "\n")
    for row in _computed(work, missing, jobs):
        results[row["number"]] = row
        with path.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(f"{len(results)}/{count}: {summary_text(work, results)}", file=sys.stderr, flush=True)
    return results


def _computed(work: Work, numbers: list[int], jobs: int) -> Iterator[dict[str, Any]]:
    if jobs <= 1:
        yield from (run_work(work, number) for number in numbers)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        try:
            for future in as_completed(pool.submit(run_work, work, n) for n in numbers):
                yield future.result()
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise


def summary(work: Work, results: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """The figures with their intervals."""
    rows = list(results.values())
    exposure = Exposure(sum(r["turns"] for r in rows), sum(r["deaths"] for r in rows))
    figures: dict[str, Any] = {
        **vars(work),
        "runs": len(rows),
        "all_turns": exposure.turns,
        "deaths": exposure.deaths,
        "turns_per_death_by_deaths": list(exposure.turns_per_death()),
    }
    if work.method == "chains":
        risk = clustered_rate([(r["risk"], r["turns"]) for r in rows])
        figures["turns_per_death_by_risk"] = list(risk.inverse())
        figures["ms_per_turn"] = 1000 * sum(r["cpu"] for r in rows) / exposure.turns
        figures["boards_per_turn"] = sum(r["boards"] for r in rows) / exposure.turns
        figures["mean_cells"] = sum(r["cells"] for r in rows) / exposure.turns
    else:
        runs = [
            SplittingRun(r["turns"], r["entries"], tuple((a, b) for a, b in r["stages"]))
            for r in rows
        ]
        figures["turns_per_death_by_splitting"] = list(splitting_hazard(runs).inverse())
        figures["ms_per_turn"] = 1000 * sum(r["cpu_base"] for r in rows) / exposure.turns
        figures["stages"] = [
            [sum(r["stages"][level][side] for r in rows) for side in (0, 1)]
            for level in range(len(LEVELS))
        ]
    return figures


def summary_text(work: Work, results: dict[int, dict[str, Any]]) -> str:
    """The figures in one line."""
    figures = summary(work, results)
    kind = "risk" if work.method == "chains" else "splitting"
    low, middle, high = figures[f"turns_per_death_by_{kind}"]
    return (
        f"{figures['all_turns']} turns, {figures['deaths']} deaths; {middle:.0f} turns a death by "
        f"{kind} [{low:.0f}, {high:.0f}], {figures['ms_per_turn']:.2f} ms a turn"
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--effort", choices=tuple(EFFORTS), default="5ms")
    parser.add_argument("--pieces", default="0-46")
    parser.add_argument("--method", choices=tuple(METHODS), default="chains")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=100, help="pieces of work in all")
    parser.add_argument("--turns", type=int, default=10_000, help="turns of each")
    parser.add_argument("--tries", type=int, default=100, help="tries a level (splitting)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--state", type=Path, required=True, help="results; resumes from it")
    arguments = parser.parse_args()
    tries = arguments.tries if arguments.method == "splitting" else 0
    work = Work(
        arguments.effort,
        arguments.pieces,
        arguments.method,
        arguments.seed,
        arguments.turns,
        tries,
    )
    try:
        results = run_all(work, arguments.runs, arguments.jobs, arguments.state)
    except InputError as error:
        sys.exit(f"survival: {error}")
    print(json.dumps(summary(work, results)))


if __name__ == "__main__":
    main()
