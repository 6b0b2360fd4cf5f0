"""How long people wait on the page: to the first board, to the first values of an analysis.

    python benchmarks/page_speed.py [--runs 5] [--json FILE]

Starts a server of its own and a headless Chromium (playwright). Everything is warm: each screen is
opened once before it is measured. Prints medians in milliseconds and the load of the machine, and
the processor time of the page's own thread to its first board, which other work does not change.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent))
from figures import publish
from web_load import start_server

GAMES = ("connect4", "competitive-sudoku", "codecup-sudoku", "blockudoku")
BOARD = "game-board svg [data-cell]"
VALUES = "analysis-panel .headline b:not(:empty)"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")


def seconds_to(page: Any, address: str, selector: str) -> float:
    """From asking for an address to the first element that a selector finds."""
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector(selector, state="attached", timeout=120_000)
    return time.perf_counter() - began


def processor_time(page: Any, address: str) -> float:
    """Processor seconds of the page's main thread from asking for an address to its first board."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    seconds_to(page, address, BOARD)
    metrics = session.send("Performance.getMetrics")["metrics"]
    session.detach()
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def measure(base: str, runs: int) -> tuple[dict[str, float], dict[str, float]]:
    """Medians in milliseconds by what was waited for; the same in processor time to the board."""
    found: dict[str, float] = {}
    busy: dict[str, float] = {}
    with sync_playwright() as driver:
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        page = browser.new_context(base_url=base).new_page()
        screens = {"home to first board": ("/", BOARD)}
        for game in GAMES:
            screens[f"{game}: to board"] = (f"/analyse?game={game}", BOARD)
            screens[f"{game}: to first value"] = (f"/analyse?game={game}", VALUES)
        for name, (address, selector) in screens.items():
            seconds_to(page, address, selector)
            times = [seconds_to(page, address, selector) for _ in range(runs)]
            found[name] = round(1000 * statistics.median(times), 1)
            if selector == BOARD:
                spent = [processor_time(page, address) for _ in range(runs)]
                busy[name] = round(1000 * statistics.median(spent), 1)
        browser.close()
    for game in GAMES:
        board = found.pop(f"{game}: to board")
        value = found.pop(f"{game}: to first value")
        found[f"{game}: analysis to board"] = board
        found[f"{game}: board to first value"] = round(max(0.0, value - board), 1)
    return found, busy


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process, address = start_server(Path(folder))
        try:
            found, busy = measure(f"http://{address}", arguments.runs)
        finally:
            process.terminate()
            process.wait(30)
    result = {
        "command": f"python benchmarks/page_speed.py --runs {arguments.runs}",
        "milliseconds": found,
        "milliseconds of the page's processor time": busy,
        "load average": [round(one, 1) for one in os.getloadavg()],
    }
    publish(result, arguments.json)


if __name__ == "__main__":
    main()
