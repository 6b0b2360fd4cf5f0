"""How much processor time the tests take that this checkout and an earlier one both have.

    python benchmarks/suite_time.py --before EARLIER/CHECKOUT [--only now|before] [--cold]

Each checkout is run by the interpreter in its `.venv` as its `make test` does it: two processes,
first `plyground warm-up` where there is that command (charged apart), then these tests, whole and
once. Everything is charged by control group, so programs that are killed count too. The compile
cache is one of this measurement's own in each checkout; with `--cold` it is emptied before. With
`--only` one of the two is run, beside the figures of the other's last run. What each file took is
told by the processes that run the tests: what they and the children that they waited for used.
Writes `results/suite_time.json` and its own part of `results/startup.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parents[1]
RESULTS = HERE / "benchmarks/results"
FOLDER = "PLYGROUND_SUITE_TIME"
"""The variable that tells the plugin below where it finds and leaves what."""


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Run the tests that are wanted; where none are named, tell which there are."""
    wanted = Path(os.environ[FOLDER], "wanted.json")
    if wanted.exists():
        names = set(json.loads(wanted.read_text()))
        items[:] = [item for item in items if item.nodeid in names]
    else:
        found = Path(os.environ[FOLDER], "found.json")
        found.write_text(json.dumps([item.nodeid for item in items]))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: Any) -> Iterator[None]:
    """Write down what a test and its fixtures took."""
    before = sum(os.times()[:4])
    try:
        return (yield)
    finally:
        line = json.dumps([item.nodeid, round(sum(os.times()[:4]) - before, 2)])
        with open(Path(os.environ[FOLDER], f"costs-{os.getpid()}"), "a") as costs:
            costs.write(line + "\n")


def pytest_runtest_logreport(report: Any) -> None:
    """Write down what failed."""
    if report.failed and os.environ.get("PYTEST_XDIST_WORKER"):
        with open(Path(os.environ[FOLDER], "failed"), "a") as failed:
            failed.write(f"{report.nodeid}\n")


def command_of_tests(root: Path) -> list[str]:
    """Pytest of a checkout, with the hooks above."""
    return [str(root / ".venv/bin/python"), "-m", "pytest", "-p", "suite_time", "-q"]


def names_of_tests(root: Path) -> set[str]:
    """What pytest calls the tests of a checkout."""
    folder = Path(os.environ[FOLDER])
    (folder / "wanted.json").unlink(missing_ok=True)
    command = [*command_of_tests(root), "--collect-only"]
    done = subprocess.run(command, check=False, cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
    return set(json.loads((folder / "found.json").read_text()))


def measure(root: Path, names: list[str], cold: bool) -> dict[str, Any]:
    """CPU and wall seconds of these tests in a checkout, and what each file of them took."""
    from startup import charged  # not in the processes of the tests

    folder = Path(os.environ[FOLDER])
    (folder / "wanted.json").write_text(json.dumps(names))
    for earlier in (*folder.glob("costs-*"), *folder.glob("failed")):
        earlier.unlink()
    cache = root / ".venv/suite_time_cache"
    if cold:
        shutil.rmtree(cache, ignore_errors=True)
    os.environ["PLYGROUND_CACHE_DIR"] = str(cache)
    began = time.monotonic()
    preparing = 0.0
    if (root / "src/plyground/cli/warm_up.py").exists():
        preparing = charged([str(root / ".venv/bin/plyground"), "warm-up"], root)
    command = [*command_of_tests(root), "-n", "2"]
    if "loadgroup" in (root / "Makefile").read_text():
        command += ["--dist", "loadgroup"]
    files = sorted({name.partition("::")[0] for name in names})
    tests = charged([*command, *files], root, frozenset({0, 1}), sys.stderr)
    ended = time.monotonic() - began
    lines = [json.loads(line) for each in folder.glob("costs-*") for line in each.open()]
    costs: dict[str, float] = {}
    for name, seconds in lines:
        file = name.partition("::")[0]
        costs[file] = round(costs.get(file, 0.0) + seconds, 2)
    return {
        "cold": cold,
        "tests": len({name for name, _ in lines}),
        "failed": _lines(folder / "failed"),
        "preparing (s)": round(preparing, 1),
        "tests (s)": round(tests, 1),
        "both (s)": round(preparing + tests, 1),
        "on the wall (s)": round(ended),
        "load": os.getloadavg()[0],
        "files": {file: costs[file] for file in sorted(costs, key=costs.__getitem__)[::-1]},
        "slowest": dict(sorted(lines, key=lambda line: -line[1])[:100]),
    }


def _lines(path: Path) -> list[str]:
    return sorted(set(path.read_text().splitlines())) if path.exists() else []


def main() -> None:
    """Measure, write the numbers, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--only", choices=("now", "before"))
    parser.add_argument("--cold", action="store_true")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # users have their modules compiled
    roots = {"now": HERE, "before": options.before.resolve()}
    stored = RESULTS / "suite_time.json"
    result: dict[str, Any] = json.loads(stored.read_text()) if stored.exists() else {}
    with tempfile.TemporaryDirectory() as workspace:
        shutil.copy(__file__, Path(workspace, "suite_time.py"))
        os.environ[FOLDER] = os.environ["PYTHONPATH"] = workspace
        found = {name: names_of_tests(root) for name, root in roots.items()}
        both = sorted(found["now"] & found["before"])
        result["counts"] = {name: len(names) for name, names in found.items()} | {"both": len(both)}
        for name, root in roots.items():
            if options.only in (None, name):
                key = f"{name}, {'cold' if options.cold else 'warm'}"
                result[key] = measure(root, both, options.cold)
                stored.write_text(json.dumps(result, indent=1) + "\n")
    lines = table(result)
    from startup import put

    put(RESULTS / "startup.md", "suite_time.py", lines)
    print(lines)


def table(result: dict[str, Any]) -> str:
    """The figures of all runs that are known, as Markdown."""
    counts = result["counts"]
    rows = [
        f"CPU seconds of the {counts['both']} tests that both checkouts have by name"
        f" ({counts['now']} now, {counts['before']} before), whole, two processes, by control group"
        " (`python benchmarks/suite_time.py --before OLD`, with `--cold` where the cache was empty"
        " before; files and slowest tests: suite_time.json).",
        "",
        "| run | tests | failed | warm-up (s) | tests (s) | both (s) | on the wall (s) | load |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for key in sorted(set(result) - {"counts"}):
        run = result[key]
        figures = [f"{run['tests']} | {len(run['failed'])}", *(f"{run[name]}" for name in FIGURES)]
        rows.append(f"| {key} | {' | '.join(figures)} | {run['load']:.0f} |")
    return "\n".join(rows) + "\n"


FIGURES = ("preparing (s)", "tests (s)", "both (s)", "on the wall (s)")


if __name__ == "__main__":
    main()
