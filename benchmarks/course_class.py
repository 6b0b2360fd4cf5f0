"""A synthetic class ranked from the folder to the pages, stopped by kill -9 on the way and not.

    python benchmarks/course_class.py [--students 40] [--jobs 2] [--kills 3] [--folder FOLDER]

Writes a class of both generations into a folder: players that look different numbers of moves
ahead, repeatable ones whatever the machine does, and eight kinds of broken ones. Ranks it in one go
and, with `--kills`, once more with that many kills, each after another share of the games; both
tables must be the same. `benchmarks/results/course_class.md` is what it printed.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from plyground.course.skeleton import NEWER, OLDER

SEATS = {"older": OLDER, "newer": NEWER}
BROKEN = {
    "slow": "        import time\n        time.sleep(60)\n",
    "busy": "        while True:\n            pass\n",
    "crashing": "        raise RuntimeError('no idea')\n",
    "illegal": "        self.propose_move({first})\n        self.propose_move({bad}); return\n",
    "silent": "        return\n",
    "exiting": "        import os\n        os._exit(3)\n",
    "late": "        assert len(game_state.moves) < 8, 'did not expect that'\n",
    "syntax": "        this is no Python\n",
}
"""Eight kinds of broken: what stands at the beginning of `compute_best_move`."""


def thinker(source: str, depth: int, salt: int) -> str:
    """A player that weighs what a move earns against what it leaves, as far as `depth` says.

    It looks at the first so many moves (turned by the salt), so it is repeatable and its strength
    grows with depth.
    """
    choice = f"""        moves = moves[{salt} % len(moves):] + moves[: {salt} % len(moves)]
        moves = moves[: {4 * 3**depth}]
        best = max(moves, key=lambda move: self.regions_completed(game_state.board, move))
"""
    body, rest = source.split("        best = max(", 1)
    rest = rest.split("\n", 1)[1]
    return (body + choice + rest).replace("random.choice(moves)", "moves[0]")


def broken(source: str, kind: str) -> str:
    """The skeleton with a fault of this kind."""
    older = source is OLDER
    words = BROKEN[kind].format(
        first="Move(0, 0, 1)" if older else "Move((0, 0), 1)",
        bad="Move(0, 77, 1)" if older else "Move((0, 77), 1)",
    )
    head, mark, rest = source.partition("        moves = self.possible_moves(game_state)\n")
    return head + words + mark + rest


def write_class(folder: Path, students: int) -> None:
    """Every generation and every kind, by turns."""
    kinds = list(BROKEN)
    for number in range(students):
        generation = ("older", "newer")[number % 2]
        source = SEATS[generation]
        if number >= students - len(kinds):
            kind = kinds[number - (students - len(kinds))]
            name, text = f"team{number:02d}_{kind}", broken(source, kind)
        else:
            depth = number // 2 % 4
            name, text = f"team{number:02d}_d{depth}", thinker(source, depth, 7 * number)
        (folder / name).mkdir(parents=True)
        (folder / name / "sudokuai.py").write_text(text)


def played(database: Path) -> int:
    """Games on disk."""
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30) as connection:
            return int(connection.execute("select count(*) from games").fetchone()[0])
    except sqlite3.Error:
        return 0


def rank(folder: Path, output: Path, options: argparse.Namespace, kill_at: list[int]) -> float:
    """Seconds from the folder to the pages, with a kill -9 after each of these numbers of games."""
    command = [sys.executable, "-m", "plyground", "course", "rank", str(folder)]
    command += ["--output", str(output), "--format", "swiss", "--time", str(options.time)]
    command += ["--jobs", str(options.jobs), "--option", "board=random-2x3"]
    seconds = 0.0
    for target in [*kill_at, None]:
        began = time.monotonic()
        process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        while target is not None and played(output / "games.sqlite") < target:
            if process.poll() is not None:
                raise SystemExit(f"ended with {process.returncode} before the kill at {target}")
            time.sleep(0.1)
        if target is not None:
            os.kill(process.pid, signal.SIGKILL)
            print(f"killed after {played(output / 'games.sqlite')} games", flush=True)
        code = process.wait()
        seconds += time.monotonic() - began
        if target is None and code != 0:
            raise SystemExit(f"ended with {code}")
    return seconds


MEASURED = re.compile(r"[0-9.]+ s of processor time among")


def table(output: Path) -> list[list[str]]:
    """The final table without what is a measured time, in a column or in words."""
    with (output / "ranking.csv").open(newline="", encoding="utf-8-sig") as file:
        return [
            [MEASURED.sub("some", row[name]) for name in row if name != "seconds_per_move"]
            for row in csv.DictReader(file)
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--students", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--time", type=float, default=0.1)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=None)
    options = parser.parse_args()
    place = options.folder or Path(tempfile.mkdtemp(prefix="plyground-class-"))
    folder = place / "class"
    if not folder.exists():
        write_class(folder, options.students)
    whole = rank(folder, place / "whole", options, [])
    games = played(place / "whole" / "games.sqlite")
    print(f"{options.students} students, {games} games: {whole / 60:.1f} minutes", flush=True)
    if options.kills:
        kill_at = [games * (n + 1) // (options.kills + 1) for n in range(options.kills)]
        stopped = rank(folder, place / "stopped", options, kill_at)
        same = table(place / "whole") == table(place / "stopped")
        print(f"killed {options.kills} times: {stopped / 60:.1f} minutes in all", flush=True)
        print(f"the same table: {'yes' if same else 'NO'}")
        if not same:
            raise SystemExit(1)
    print(f"pages: {place / 'whole' / 'index.html'}")


if __name__ == "__main__":
    main()
