"""Every champion against every other player of its game, from the empty start and from suites.

    python benchmarks/gauntlet.py [--games 20] [--times 0.1 0.5 2] [--only competitive-sudoku]
        [--opponents a3 mcts team42_A3] [--where mode=rows board=empty-3x3]
        [--outside competitive-sudoku=course:FOLDER] [--minutes 60] [--output gauntlet.json]

Processor time a move, swapped sides. Starts: `none` is the plain start without opening moves, the
others are suites that come with the game. The gauntlet goes in rounds of one pair of games a line,
so that it has seen everybody when it is stopped; pairs in the output are not played again. A pair
of deterministic players repeats its game: equal games of a line count once. Players from outside
are called by the last part of their path. It ends with the table of everything in the output (all
that `--minutes 0` does). Run it before every claim of strength.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import plyground as pg
from plyground.arena.openings import suites
from plyground.core.registry import games, make_game, strongest_agent
from plyground.lab.checks import wilson

NO_SUITE = "none"
PLAYED_OUT = ("normal", "ply limit")
TASKS: dict[str, list[tuple[dict[str, str], str]]] = {
    "connect4": [
        ({}, NO_SUITE),
        ({}, "even"),
        ({"mean": "none"}, NO_SUITE),
        ({"mean": "none"}, "plain"),
    ],
    "competitive-sudoku": [
        ({"mode": mode, **board}, start)
        for mode in ("rows", "border", "random", "classic")
        for board, start in (
            ({"board": "empty-2x3"}, NO_SUITE),
            ({"board": "empty-3x3"}, NO_SUITE),
            ({"board": "empty-3x4"}, NO_SUITE),
            ({}, mode),
        )
    ],
    "codecup-sudoku": [({}, NO_SUITE), ({}, "even")],
}
"""Options of a game and the start; games that are not listed have their plain start."""

Record = dict[str, Any]
"""One game: its line and round, who began, who won, the points, how it ended, a digest of it."""


class Line(NamedTuple):
    """One line of the table: the champion against one player, on one start, at one speed."""

    game: str
    options: str
    start: str
    opponent: str
    seconds: float


def lines(arguments: argparse.Namespace) -> Iterator[tuple[Line, str]]:
    """The lines that were asked for, short times first, with the player that they name."""
    outside = [text.partition("=") for text in arguments.outside]
    for seconds in arguments.times:
        for game in games():
            if games()[game].info.players != 2 or game not in (arguments.only or [game]):
                continue
            champion = strongest_agent(game)
            players = {name: name for name in pg.agents(game) if name != champion}
            players |= {Path(player).name: player for name, _, player in outside if name == game}
            for options, start in TASKS.get(game, [({}, NO_SUITE)]):
                said = " ".join(f"{key}={value}" for key, value in options.items())
                place = [*said.split(), f"start={start}"]
                for name, player in players.items():
                    if name not in (arguments.opponents or [name]):
                        continue
                    if set(arguments.where) <= set(place):
                        yield Line(game, said, start, name, seconds), player


def play(line: Line, player: str, turn: int, jobs: int) -> list[Record] | str:
    """One pair of games of a line, or why there is none."""
    command = [sys.executable, "-m", "plyground", "match", line.game, strongest_agent(line.game)]
    command += [player, "--games", "2", "--time", str(line.seconds), "--time-by", "cpu"]
    command += ["--seed", str(turn), "--jobs", str(jobs), "--json", "--quiet"]
    given = dict(option.split("=") for option in line.options.split())
    for key, value in make_game(line.game, given).another_board(turn).items():
        command += ["--option", f"{key}={value}"]
    with tempfile.TemporaryDirectory() as folder:
        command += ["--database", str(Path(folder) / "games.sqlite")]
        if line.start == NO_SUITE:
            command += ["--opening-plies", "0"]
        else:
            path = Path(folder) / "start.txt"
            path.write_text(start_of_turn(line, turn) + "\n")
            command += ["--boards", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no answer"
    return [record(line, turn, game) for game in json.loads(done.stdout)["games"]]


def start_of_turn(line: Line, turn: int) -> str:
    """The start of a suite whose turn it is."""
    text = suites(make_game(line.game))[line.start].read_text()
    starts = [row for row in text.splitlines() if row and not row.startswith("#")]
    return starts[turn % len(starts)]


def record(line: Line, turn: int, game: dict[str, Any]) -> Record:
    """What the output keeps of a game."""
    played = json.dumps([game["first"], game["moves"]])
    return {
        **line._asdict(),
        "round": turn,
        "begins": "champion" if game["first"] == 0 else "opponent",
        "result": {0: "won", 1: "lost"}.get(game["winner"], "drawn"),
        "points": game.get("scores"),
        "end": game["termination"],
        "digest": hashlib.sha256(played.encode()).hexdigest()[:12],
    }


def different(records: Iterable[Record]) -> list[Record]:
    """The games without repetitions: the same moves from the same start by the same players."""
    kept: dict[tuple[str, ...], Record] = {}
    for one in records:
        place = (one["game"], one["options"], one["start"], one["opponent"])
        kept.setdefault((*place, one["digest"]), one)
    return list(kept.values())


def said(records: list[Record]) -> str:
    """Games, different ones, results and score of those, failures of both sides.

    Games that the opponent lost by a failure of its own say nothing of strength: they are not
    among the different ones. The interval of the score is the 95 % one of Wilson.
    """
    failed = [one for one in records if one["end"] not in PLAYED_OUT]
    ours = Counter(one["end"] for one in failed if one["result"] == "lost")
    theirs = [one for one in failed if one["result"] == "won"]
    once = [one for one in different(records) if one not in theirs]
    count = Counter(one["result"] for one in once)
    points = count["won"] + count["drawn"] / 2
    low, high = wilson(points, len(once))
    score = f"{100 * points / len(once):.1f} [{100 * low:.1f}, {100 * high:.1f}]" if once else "-"
    return (
        f"{len(records)} | {len(once)} | {count['won']}-{count['drawn']}-{count['lost']} | {score} "
        f"| {', '.join(f'{number} {end}' for end, number in ours.items()) or '-'} "
        f"| {len(theirs) or '-'}"
    )


def table(records: list[Record], *columns: str) -> str:
    """The games as Markdown, one line for each combination of the columns."""
    heads = (*columns, "games", "different", "won-drawn-lost", "score %", "own failures", "others'")
    groups: dict[tuple[Any, ...], list[Record]] = defaultdict(list)
    for one in records:
        groups[tuple(one[column] for column in columns)].append(one)
    text = [f"| {' | '.join(heads)} |", "| --- " * len(heads) + "|"]
    for key in sorted(groups):
        cells = " | ".join(str(value) or "-" for value in key)
        text.append(f"| {cells} | {said(groups[key])} |")
    return "\n".join(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--times", type=float, nargs="*", default=[0.1, 0.5, 2])
    parser.add_argument("--only", nargs="*", default=[], metavar="GAME")
    parser.add_argument("--opponents", nargs="*", default=[])
    parser.add_argument("--where", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--outside", nargs="*", default=[], metavar="GAME=PLAYER")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path("gauntlet.json"))
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    records = json.loads(arguments.output.read_text()) if arguments.output.exists() else []
    known = {(*(one[field] for field in Line._fields), one["round"]) for one in records}
    for turn in range(arguments.games // 2):
        for line, player in lines(arguments):
            if (*line, turn) in known or time.monotonic() > end:
                continue
            result = play(line, player, turn, arguments.jobs)
            if isinstance(result, str):
                print(f"not played: {line}: {result}", flush=True)
                continue
            records += result
            rows = ",\n".join(json.dumps(one) for one in records)
            arguments.output.write_text(f"[\n{rows}\n]\n")
            print(f"{line}: {said(result)}", flush=True)
    if records:
        print(table(records, "game", "options", "start", "seconds"), end="\n\n")
        print(table(records, "game", "opponent", "seconds"), end="\n\n")
        print(table(records, *Line._fields))


if __name__ == "__main__":
    main()
