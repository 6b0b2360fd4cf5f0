"""How long people wait on the page, and whether its motion is smooth.

Waited for: the first board, the first values of an analysis, the first reply of every agent beyond
its thinking time. Frames are counted on an emulated phone while discs fall and blocks clear.

    python benchmarks/page_speed.py [--runs 5] [--without-replies] [--json FILE]

Starts a server of its own and a headless Chromium (playwright): the one that people have, not the
leaner one of the tests. Everything is warm: each screen is opened once before it is measured.
Prints medians in milliseconds and the load of the machine, and the processor time of the page's own
thread to its first board, which other work does not change.
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
from plyground.web.live_game import PAUSES
from web_load import start_server

GAMES = ("connect4", "competitive-sudoku", "codecup-sudoku", "blockudoku")
BOARD = "game-board svg [data-cell]"
VALUES = "analysis-panel .headline :is(.good, .even, .bad)"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
THINKING_SECONDS = 0.1
FRAME_SECONDS = 8
LATE_MILLISECONDS = 1000 / 60 * 1.5
"""A frame that comes later than this after the one before it was skipped once."""
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


def reply_delay(page: Any, base: str, game: str, agent: str, players: int) -> float | None:
    """Seconds from a person's move to an agent's first reply, without its thinking time.

    None if the agent does not play this game as it is by default, or has not replied in 20 s.

    In a game for one it is the time from opening the game to the agent's first move, without the
    pause that the page makes before every move of agents that play alone.
    """
    seats = [agent] if players == 1 else ["", agent]
    request = {"game": game, "seats": seats, "seconds": THINKING_SECONDS, "seed": 1}
    answer = page.request.post(f"{base}/api/games", data=request).json()
    if "id" not in answer:
        return None
    page.goto(f"/play?game={answer['id']}")
    milliseconds = page.evaluate(
        """async ([person]) => {
          const screen = () => document.querySelector('game-screen');
          const deadline = performance.now() + 20000;
          const until = async (test) => {
            while (!test() && performance.now() < deadline)
              await new Promise((next) => setTimeout(next, 2));
          };
          const own = () => screen()?.state?.moves.filter((one) => one.player === person) ?? [];
          await until(() => screen()?.state?.latest);
          const began = performance.now();
          if (person === 1) {
            await until(() => screen().mayMove());
            if (!screen().mayMove()) return null;
            screen().play(screen().state.latest.position.legal[0]);
          }
          await until(() => own().length || screen().state.latest.outcome);
          return own().length ? performance.now() - began : null;
        }""",
        [0 if players == 1 else 1],
    )
    if milliseconds is None:
        return None
    meant = THINKING_SECONDS + (PAUSES["normal"] if players == 1 else 0.0)
    return max(0.0, float(milliseconds) / 1000 - meant)


def reply_delays(page: Any, base: str) -> dict[str, float]:
    """Milliseconds beyond its thinking time for the slowest agent of each game, by its name."""
    found: dict[str, float] = {}
    for game in page.request.get(f"{base}/api/catalog").json():
        delays = {}
        for agent in game["agents"]:
            arguments = (page, base, game["name"], agent["name"], game["players"])
            if reply_delay(*arguments) is None:
                print(f"{game['name']}: {agent['name']} did not reply", file=sys.stderr)
                continue
            seen = [reply_delay(*arguments) for _ in range(2)]
            delays[agent["name"]] = min(one for one in seen if one is not None)
            print(f"{game['name']}: {agent['name']} {delays[agent['name']]:.3f} s", file=sys.stderr)
        slowest = max(delays, key=lambda name: delays[name])
        found[f"{game['name']}: slowest first reply ({slowest})"] = round(1000 * delays[slowest], 1)
    return found


def count_frames(page: Any, base: str, game: str, seats: list[str]) -> dict[str, float]:
    """Frames a second while agents play and pieces move, and the share of frames that were late."""
    request = {"game": game, "seats": seats, "seconds": 0.02, "seed": 1}
    identity = page.request.post(f"{base}/api/games", data=request).json()["id"]
    page.goto(f"/play?game={identity}")
    page.wait_for_function(
        "() => document.querySelector('game-screen')?.state?.moves.length >= 2", timeout=60_000
    )
    gaps: list[float] = page.evaluate(
        """(seconds) => new Promise((done) => {
          const gaps = [];
          let last = performance.now();
          const end = last + 1000 * seconds;
          const frame = (now) => {
            gaps.push(now - last);
            last = now;
            if (now < end) requestAnimationFrame(frame);
            else done(gaps.slice(1));
          };
          requestAnimationFrame(frame);
        })""",
        FRAME_SECONDS,
    )
    return {
        "frames a second": round(1000 * len(gaps) / sum(gaps), 1),
        "late frames in 100": round(100 * statistics.mean(g > LATE_MILLISECONDS for g in gaps), 2),
        "longest gap in ms": round(max(gaps), 1),
    }


def measure_waits(page: Any, runs: int) -> tuple[dict[str, float], dict[str, float]]:
    """Medians in milliseconds by what was waited for; the same in processor time to the board."""
    found: dict[str, float] = {}
    busy: dict[str, float] = {}
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
    for game in GAMES:
        board = found.pop(f"{game}: to board")
        value = found.pop(f"{game}: to first value")
        found[f"{game}: analysis to board"] = board
        found[f"{game}: board to first value"] = round(max(0.0, value - board), 1)
    return found, busy


def measure(base: str, runs: int, with_replies: bool) -> dict[str, Any]:
    """Everything, with a browser of its own."""
    with sync_playwright() as driver:
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        page = browser.new_context(base_url=base).new_page()
        waits, busy = measure_waits(page, runs)
        replies = reply_delays(page, base) if with_replies else {}
        phone = browser.new_context(base_url=base, **PHONE).new_page()
        frames = {
            "discs fall": count_frames(phone, base, "connect4", ["random", "random"]),
            "blocks clear": count_frames(phone, base, "blockudoku", ["occupancy"]),
        }
        browser.close()
    return {
        "milliseconds": waits,
        "milliseconds of the page's processor time": busy,
        f"milliseconds beyond {THINKING_SECONDS} s of thinking": replies,
        "phone": frames,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--without-replies", action="store_true", help="waits and frames only")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process, address = start_server(Path(folder))
        try:
            found = measure(f"http://{address}", arguments.runs, not arguments.without_replies)
        finally:
            process.terminate()
            process.wait(30)
    result = {
        "command": f"python benchmarks/page_speed.py --runs {arguments.runs}"
        + " --without-replies" * arguments.without_replies,
        **found,
        "load average": [round(one, 1) for one in os.getloadavg()],
    }
    publish(result, arguments.json)


if __name__ == "__main__":
    main()
