"""How long it takes until something happens: commands, engines, course programs.

    python benchmarks/startup.py --before EARLIER/CHECKOUT [--rounds 5] [--games 100] [--demo]

CPU seconds of the process and all that it starts, best of several rounds, warm cache, this
checkout and the earlier one in turns. Each checkout is run by the interpreter in its `.venv`.
Without `--before` only this checkout is measured. With `--demo` the demo as well, with an empty
cache: seconds on the wall, so with no other work on the machine. `--only commands`, `engines`,
`games` or `forks` measures these alone and keeps what was found of the others. Writes
`results/startup.json` and its own part of `results/startup.md`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import IO, Any

HERE = Path(__file__).parents[1]
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
COMMANDS = {
    "--help": ["--help"],
    "games": ["games"],
    "--version": ["--version"],
    "a mistyped command": ["gmaes"],
    "analyse connect4 --nodes 1000": ["analyse", "connect4", "--nodes", "1000"],
    "sudoku solve of one puzzle": ["sudoku", "solve", PUZZLE],
    "play to its first prompt": ["play", "connect4"],
}
GOALS = dict.fromkeys(list(COMMANDS)[:4], 0.25) | dict.fromkeys(list(COMMANDS)[4:], 1.0)
FURTHER_ENGINES = 4
PARTS = ("commands", "engines", "games", "forks")
BOARDS = ("random-2x2", "random-3x3")

SUBMISSION = """
import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import Move


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    def compute_best_move(self, state):
        board, size = state.board, state.board.N
        taboo = {(*move.square, move.value) for move in state.taboo_moves}
        for row in range(size):
            for column in range(size):
                for value in range(1, size + 1):
                    if board.get((row, column)) == 0 and (row, column, value) not in taboo:
                        if fits(board, row, column, value):
                            self.propose_move(Move((row, column), value))
                            return


def fits(board, row, column, value):
    top, left = row - row % board.m, column - column % board.n
    return value not in (
        [board.get((row, other)) for other in range(board.N)]
        + [board.get((other, column)) for other in range(board.N)]
        + [board.get((top + i, left + j)) for i in range(board.m) for j in range(board.n)]
    )
"""

ENGINES = """
import json, sys
import psutil
from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.engines.engine import EngineSettings, GameSetup
from plyground.engines.players import make_engine

name, player, further = sys.argv[1], sys.argv[2], int(sys.argv[3])
game, nursery = make_game(name), ()
try:
    from plyground.engines.nursery import Nursery
    nursery = (None, Nursery())
except ImportError:
    pass

def started():
    engine = make_engine(name, player, EngineSettings(), *nursery)
    engine.start()
    engine.new_game(GameSetup(id="x", game=game, start="", opening=(), position=game.start(),
                              side=0, seed=1, limit=Limit(nodes=1)))
    return engine

def cpu():
    times = [one.cpu_times() for one in psutil.Process().children(recursive=True)]
    return sum(each.user + each.system for each in times)

def private(engine):
    process = psutil.Process(engine.process.pid)
    kilobytes = 0
    for each in [process, *process.children(recursive=True)]:
        fields = open(f"/proc/{each.pid}/smaps_rollup").read().split()
        places = [fields.index(f"Private_{kind}:") + 1 for kind in ("Clean", "Dirty")]
        kilobytes += sum(int(fields[place]) for place in places)
    return kilobytes / 1024

engines = [started()]
before = cpu()
engines += [started() for _ in range(further)]
print(json.dumps([(cpu() - before) / further, max(private(each) for each in engines[1:])]))
for engine in engines:
    engine.close()
if nursery:
    nursery[1].close()
"""


def cpu_of(
    command: list[str], folder: Path, expected: frozenset[int], output: IO[str] | None = None
) -> float:
    """CPU seconds of a command and of all its children that it has waited for."""
    with open(os.devnull, "r+b") as nothing:
        shown = output or nothing
        process = subprocess.Popen(command, cwd=folder, stdin=nothing, stdout=shown, stderr=shown)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in expected:
        raise SystemExit(f"{' '.join(command)} exited with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def charged(
    command: list[str],
    folder: Path,
    expected: frozenset[int] = frozenset({0}),
    output: IO[str] | None = None,
) -> float:
    """CPU seconds of all that a command starts, also of what is killed and nobody waits for.

    A control group tells it; where none can be made, only what was waited for counts.
    """
    for place, record in (("cpuacct", "cpuacct.usage"), ("", "cpu.stat")):
        group = Path("/sys/fs/cgroup", place, f"plyground-startup-{os.getpid()}")
        try:
            group.mkdir()
        except OSError:
            continue
        enter = ["sh", "-c", 'echo 0 > "$0"/cgroup.procs && exec "$@"', str(group), *command]
        try:
            cpu_of(enter, folder, expected, output)
            deadline = time.monotonic() + 10
            while (group / "cgroup.procs").read_text() and time.monotonic() < deadline:
                time.sleep(0.05)
            used = (group / record).read_text().split()
        finally:
            group.rmdir()
        return int(used[0]) / 1e9 if place else int(used[1]) / 1e6
    return cpu_of(command, folder, expected, output)


def measure_command(words: list[str]) -> Callable[[Path], float]:
    """CPU seconds of one of our commands in a checkout."""
    return lambda root: cpu_of([str(root / ".venv/bin/plyground"), *words], root, frozenset({0, 2}))


def measure_games(words: list[str]) -> Callable[[Path], float]:
    """CPU seconds of a match in a checkout, with all its programs."""
    return lambda root: charged([str(root / ".venv/bin/plyground"), *words], root)


def measure_engine(game: str, player: str) -> Callable[[Path], list[float]]:
    """CPU seconds and private megabytes of each engine after the first."""

    def measure(root: Path) -> list[float]:
        command = [str(root / ".venv/bin/python"), "-c", ENGINES, game, player]
        done = subprocess.run(
            [*command, str(FURTHER_ENGINES)], cwd=root, capture_output=True, text=True, check=True
        )
        found: list[float] = json.loads(done.stdout)
        return found

    return measure


FORKS = """
import gc, os
gc.freeze()
before = os.times()
for _ in range(300):
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
print(sum(os.times()[:4]) - sum(before[:4]))
"""


def measure_fork(root: Path) -> float:
    """CPU milliseconds of a fork that does nothing and is waited for: no turn can be cheaper."""
    command = [str(root / ".venv/bin/python"), "-c", FORKS]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout) / 300 * 1000


def main() -> None:
    """Measure, print a table, write the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=list(PARTS))
    options = parser.parse_args()
    roots = {"now": HERE} | ({"before": options.before.resolve()} if options.before else {})
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # users have their modules compiled
    with tempfile.TemporaryDirectory() as workspace:
        folder = Path(workspace) / "instant_A1"
        folder.mkdir()
        (folder / "sudokuai.py").write_text(SUBMISSION)
        rows = collect(roots, f"course:{folder}", options.rounds, options.games, options.only)
    if options.demo:
        runs = {name: measure_demo(root) for name, root in roots.items()}
        for what, goal in DEMO.items():
            rows.append({"what": what, "goal": goal, **{k: runs[k][what] for k in roots}})
    command = f"python benchmarks/startup.py --before OLD --rounds {options.rounds}"
    command += f" --games {options.games}" + " --demo" * options.demo
    results = HERE / "benchmarks/results"
    if set(options.only) == set(PARTS):
        result = {"command": command, "load": os.getloadavg(), "rows": rows}
    else:
        command += f" --only {' '.join(options.only)}"
        result = renewed(json.loads((results / "startup.json").read_text()), command, rows)
    (results / "startup.json").write_text(json.dumps(result, indent=1) + "\n")
    put(results / "startup.md", "startup.py", table(result))
    print(table(result))


def renewed(found: dict[str, Any], command: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What was found earlier, with these rows in the place of those of the same name."""
    new = {row["what"]: row for row in rows}
    kept = [{**row, **new.pop(row["what"], {})} for row in found["rows"]]
    again = {"command": command, "load": os.getloadavg(), "what": [row["what"] for row in rows]}
    return {**found, "rows": [*kept, *new.values()], "again": again}


def put(page: Path, writer: str, text: str) -> None:
    """Replace what this writer has written on a page by `text`; everything else stays as it is."""
    first, last = f"<!-- written by {writer} -->\n", f"<!-- end of what {writer} writes -->\n"
    old = page.read_text() if page.exists() else ""
    before, begun, rest = old.partition(first)
    _, ended, after = rest.partition(last)
    if begun and not ended:
        raise SystemExit(f"{page}: there is no line {last.strip()!r}")
    page.write_text(f"{before}{first}{text}{last}{after}")


DEMO = {
    "demo, empty cache: the first game is over (s on the wall)": "25 s",
    "demo, empty cache: all of it (s on the wall)": "1/2",
    "demo, empty cache: processor time (s)": "",
}


def measure_demo(root: Path) -> dict[str, float]:
    """Seconds of the demo in an installed checkout with an empty cache."""
    with tempfile.TemporaryDirectory() as workspace:
        games = Path(workspace, "games.sqlite")
        command = [str(root / ".venv/bin/plyground"), "demo", "--out", f"{workspace}/report.html"]
        environment = {**os.environ, "PLYGROUND_CACHE_DIR": f"{workspace}/cache"}
        began, first = time.monotonic(), 0.0
        before = sum(os.times()[2:4])
        with open(os.devnull, "r+b") as nothing:
            process = subprocess.Popen(
                [*command, "--database", str(games)],
                cwd=root,
                env=environment,
                stdout=nothing,
                stderr=nothing,
            )
            while process.poll() is None:
                if not first and _has_games(games):
                    first = time.monotonic() - began
                time.sleep(0.1)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)} exited with {process.returncode}")
        ended = time.monotonic() - began
    found = (first, ended, sum(os.times()[2:4]) - before)
    return {what: round(value, 1) for what, value in zip(DEMO, found, strict=True)}


def _has_games(path: Path) -> bool:
    if not path.exists():
        return False
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as store:
        try:
            return bool(store.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.Error:
            return False  # its tables are being made


def table(result: dict[str, Any]) -> str:
    """The figures as Markdown, below them what they do not say by themselves."""
    lines = [
        "# Ready at once: before and now",
        "",
        f"`{result['command']}`,",
        "where OLD is a checkout of `202b4ce`, the last commit before commands loaded on use.",
        "CPU seconds of the command and all that it starts, best of the rounds, warm cache, both",
        f"in turns; load at the end {result['load'][0]:.0f}. Raw numbers: startup.json.",
        *measured_again(result),
        "",
        "| what | goal | before | now | before / now |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    for row in result["rows"]:
        before, now = row.get("before"), row["now"]
        ratio = f"{before / now:.1f}" if before and now else ""
        lines.append(f"| {row['what']} | {row['goal']} | {before or ''} | {now} | {ratio} |")
    return "\n".join(lines) + "\n" + REMARKS


def measured_again(result: dict[str, Any]) -> list[str]:
    """What was measured by itself later on."""
    if "again" not in result:
        return []
    again = result["again"]
    return [
        "",
        f"Later, by `{again['command']}`",
        f"(load at the end {again['load'][0]:.0f}): {'; '.join(again['what'])}.",
    ]


REMARKS = """
Games are charged by control group: programs are killed with their sandbox at the end of a run, and
the kernel does not charge a killed namespace's processes to anybody, so what `wait4` tells is too
little. A turn of a course program is a fork, as in the course: nothing survives it but what was
saved. It takes about 1 ms on the host's side (1.5 ms before the host loaded less). The fork of an
empty interpreter is 0.35 of that; much of the rest are pages that are written to after it, 130 in
the turn and 165 in the host, and 40 of the interpreter's own that every turn maps anew.
"""


def collect(
    roots: dict[str, Path], course: str, rounds: int, games: int, parts: Collection[str]
) -> list[dict[str, Any]]:
    """A row for everything in these parts, with the best value of each checkout."""
    rows: list[dict[str, Any]] = []

    def add(
        what: str, goal: str, measure: Callable[[Path], float], times: int, warm: bool = True
    ) -> None:
        for root in roots.values() if warm else ():
            measure(root)  # fills caches
        runs = [{name: measure(root) for name, root in roots.items()} for _ in range(times)]
        best = {name: round(min(run[name] for run in runs), 4) for name in roots}
        rows.append({"what": what, "goal": goal, **best})
        print(rows[-1], file=sys.stderr, flush=True)

    for name, words in COMMANDS.items() if "commands" in parts else ():
        add(f"{name} (s)", f"{GOALS[name]} s", measure_command(words), rounds)
    few = min(rounds, 3)
    for label, game, player, seconds, megabytes in (
        ("built-in engine", "connect4", "champion", 0.10, 20),
        ("course program", "competitive-sudoku", course, 0.15, 40),
    ):
        if "engines" not in parts:
            break
        measure = measure_engine(game, player)
        add(f"{label} (s)", f"{seconds} s", lambda root, m=measure: m(root)[0], few)
        add(f"{label} (MB private)", f"{megabytes} MB", lambda root, m=measure: m(root)[1], 1)
    for board in BOARDS if "games" in parts else ():
        match = ["match", "competitive-sudoku", course, course, "--games", str(games)]
        match += ["--time", "1", "--option", f"board={board}", "--json"]
        with tempfile.TemporaryDirectory() as workspace:
            match += ["--database", f"{workspace}/games.sqlite"]
            what = f"{games} games of two course programs, {board} (s)"
            add(what, "1/5", measure_games(match), max(1, rounds // 2), warm=False)
    if "forks" in parts:
        add("a bare fork of an empty interpreter (ms)", "", measure_fork, few)
    return rows


if __name__ == "__main__":
    main()
