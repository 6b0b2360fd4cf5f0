"""Every champion against every other player of its game, from the empty start and from suites.

    python benchmarks/gauntlet.py [--games 20] [--times 0.1,0.5,2] [--only competitive-sudoku]
        [--outside competitive-sudoku=course:FOLDER] [--minutes 60] [--output gauntlet.json]

Processor time a move, swapped sides. Starts: `none` is the plain start without opening moves (a
pair of deterministic players repeats its game there: different games are counted), the others are
suites that come with the game. Every line is a run of its own in a database beside the output, so
that a stopped gauntlet goes on where it was; lines in the output are not played again. It ends with
a table for benchmarks/results/gauntlet.md. Run it before every claim of strength.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import plyground as pg
from plyground.core.registry import games, strongest_agent

NO_SUITE = "none"
VARIANTS: dict[str, list[dict[str, str]]] = {
    "connect4": [{}, {"mean": "none"}],
    "competitive-sudoku": [
        {"mode": mode, "board": f"empty-{board}"}
        for mode in ("rows", "border", "random", "classic")
        for board in ("2x3", "3x3", "3x4")
    ],
    "codecup-sudoku": [{}],
}
"""Options of a game that make it another task; games that are not listed have one."""


class Line(NamedTuple):
    """One line of the table: the champion against one player, on one start, at one speed."""

    game: str
    options: dict[str, str]
    start: str
    champion: str
    opponent: str
    seconds: float

    @property
    def run(self) -> str:
        """The name of its run."""
        options = "-".join(f"{key}={value}" for key, value in self.options.items())
        text = f"{self.game}-{options}-{self.start}-{self.opponent}-{self.seconds:g}"
        return "".join(c if c.isalnum() or c in "-=." else "-" for c in text)[-100:]


def lines(arguments: argparse.Namespace) -> Iterator[Line]:
    """Short times first, so that a gauntlet that is stopped has seen everybody."""
    outside = [text.partition("=") for text in arguments.outside]
    for seconds in (float(text) for text in arguments.times.split(",")):
        for game in games():
            if arguments.only and game not in arguments.only:
                continue
            if games()[game].info.players != 2:
                continue
            champion = strongest_agent(game)
            others = [name for name in pg.agents(game) if name != champion]
            others += [player for name, _, player in outside if name == game]
            for options in VARIANTS.get(game, [{}]):
                for start in [NO_SUITE, *arguments.suites]:
                    for other in others:
                        yield Line(game, options, start, champion, other, seconds)


def play(line: Line, arguments: argparse.Namespace) -> dict[str, Any] | str:
    """The result of one line, or why there is none."""
    command = [sys.executable, "-m", "plyground", "match", line.game, line.champion, line.opponent]
    for key, value in line.options.items():
        command += ["--option", f"{key}={value}"]
    command += ["--opening-plies", "0"] if line.start == NO_SUITE else ["--boards", line.start]
    command += ["--games", str(arguments.games), "--time", str(line.seconds), "--time-by", "cpu"]
    command += ["--seed", str(arguments.seed), "--jobs", str(arguments.jobs), "--json", "--quiet"]
    kept = ["--database", str(arguments.output.with_suffix(".sqlite")), "--run", line.run]
    going_on = [sys.executable, "-m", "plyground", "match", *kept, "--resume", "--json", "--quiet"]
    for attempt in (going_on, [*command, *kept]):
        done = subprocess.run(attempt, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return json.loads(done.stdout)
    return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no answer"


def summary(line: Line, result: dict[str, Any]) -> dict[str, Any]:
    """What the table says of a line."""
    played = result["games"]
    faults = [
        game["termination"]
        for game in played
        if game["winner"] == 1 and game["termination"] not in ("normal", "ply limit")
    ]
    return {
        **line._asdict(),
        "wins": result["wins"][0],
        "draws": result["draws"],
        "losses": result["wins"][1],
        "different": len({(game["first"], *game["moves"]) for game in played}),
        "elo": result["elo"],
        "faults": faults,
    }


def table(rows: list[dict[str, Any]], unplayed: dict[str, str]) -> str:
    """All lines as Markdown."""
    text = [
        "| game | options | start | opponent | CPU s | won-drawn-lost | different | score % | "
        "champion's faults |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        options = " ".join(f"{key}={value}" for key, value in row["options"].items()) or "-"
        low, middle, high = (100 * row["elo"][f"score{end}"] for end in ("_low", "", "_high"))
        text.append(
            f"| {row['game']} | {options} | {row['start']} | {row['opponent']} | "
            f"{row['seconds']:g} | {row['wins']}-{row['draws']}-{row['losses']} | "
            f"{row['different']} | {middle:.1f} [{low:.1f}, {high:.1f}] | "
            f"{', '.join(row['faults']) or '-'} |"
        )
    text += [f"\nNot played: {run} ({why})." for run, why in unplayed.items()]
    return "\n".join(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--times", default="0.1,0.5,2")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--suites", nargs="*", default=[])
    parser.add_argument("--outside", nargs="*", default=[], metavar="GAME=PLAYER")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path("gauntlet.json"))
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    rows = json.loads(arguments.output.read_text()) if arguments.output.exists() else []
    known = {Line(*(row[name] for name in Line._fields)).run for row in rows}
    unplayed: dict[str, str] = {}
    for line in lines(arguments):
        if line.run in known:
            continue
        if time.monotonic() > end:
            break
        result = play(line, arguments)
        if isinstance(result, str):
            unplayed[line.run] = result
            continue
        rows.append(summary(line, result))
        arguments.output.write_text(json.dumps(rows, indent=1) + "\n")
        print(table(rows[-1:], {}).splitlines()[-1], flush=True)
    print(table(rows, unplayed))


if __name__ == "__main__":
    main()
