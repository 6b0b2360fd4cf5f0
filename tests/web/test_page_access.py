"""Everybody can use the page: no finding of axe-core on any screen, in both themes."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import Server, open_page
from tests.web.play import click_board, open_game, wait_for_moves, wait_for_turn


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core: from AXE_CORE, or by npm into a folder of its own."""
    given = os.environ.get("AXE_CORE")
    if given:
        return Path(given).read_text(encoding="utf-8")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("axe")
    command = [npm, "install", "--no-save", "--silent", "--prefix", str(folder), "axe-core@4"]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    source = folder / "node_modules/axe-core/axe.min.js"
    if done.returncode or not source.exists():
        pytest.skip("axe-core cannot be installed here")
    return source.read_text(encoding="utf-8")


def findings(page: Any, axe: str) -> list[str]:
    """What axe-core objects to on the screen as it is, each with the elements concerned."""
    page.wait_for_timeout(400)
    page.evaluate(axe)
    found: list[str] = page.evaluate(
        """async () => (await axe.run(document)).violations.map((one) =>
          `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`)"""
    )
    return found


def problems(page: Any, axe: str, screens: dict[str, str]) -> str:
    """What is wrong on screens, by address and by what tells that they are ready."""
    wrong = []
    for address, ready in screens.items():
        page.goto(address)
        page.wait_for_selector(ready)
        wrong += [f"{address}: {one}" for one in findings(page, axe)]
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            wrong.append(f"{address}: wider than the window")
    return "\n".join(wrong)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_screen(
    browser: Any, server: Server, axe: str, theme: str
) -> None:
    screens = {
        "/": ".card",
        "/play?new=connect4": ".level-row",
        "/play?new=competitive-sudoku": ".level-row",
        "/watch?new=blockudoku": "agent-choice",
        "/analyse?game=connect4": "analysis-panel .lines li",
        "/analyse?game=blockudoku": "analysis-panel .lines li",
        "/analyse?game=codecup-sudoku": "analysis-panel .lines li",
        "/analyse?game=competitive-sudoku": "analysis-panel .lines li",
        "/tournaments": ".checks input",
        "/lab": "lab-screen h1",
        "/class": "class-screen .panel",
        "/nosuch": ".lost",
    }
    for page in open_page(browser, server, color_scheme=theme, reduced_motion="reduce"):
        assert not problems(page, axe, screens)


def test_axe_finds_nothing_on_runs_classes_and_experiments(
    browser: Any, class_server: Server, axe: str
) -> None:
    _, runs = class_server.request("/api/runs")
    screens = {f"/run?id={run['id']}": ".run-games button" for run in runs}
    screens |= {
        "/class": "class-screen table",
        "/tournaments": ".run-list a",
        "/lab": ".lab-list a",
        "/lab?experiment=connect4-random": "lab-screen .claims",
    }
    phone = {"width": 390, "height": 844}
    for page in open_page(browser, class_server, viewport=phone, reduced_motion="reduce"):
        assert not problems(page, axe, screens)


def test_axe_finds_nothing_on_games_cards_and_dialogs(
    browser: Any, server: Server, axe: str
) -> None:
    wrong: dict[str, list[str]] = {}
    for page in open_page(browser, server, reduced_motion="reduce"):
        open_game(page, server.new_game("competitive-sudoku", ["", "random"]))
        wait_for_turn(page)
        page.locator('game-board rect[data-cell="0,0"]').click()
        wrong["sudoku"] = findings(page, axe)
        page.keyboard.press("?")
        page.get_by_role("dialog").wait_for()
        wrong["rules"] = findings(page, axe)
        page.keyboard.press("Escape")
        page.goto("/analyse?game=blockudoku")
        page.wait_for_selector("analysis-panel .lines li")
        page.get_by_role("button", name="Edit the position").click()
        wrong["editor"] = findings(page, axe)
        page.locator(".brushes button", has_text="1").first.click()
        page.get_by_role("dialog").wait_for()
        wrong["pieces"] = findings(page, axe)
        page.keyboard.press("Escape")
        page.goto("/analyse?game=connect4")
        page.wait_for_selector("analysis-panel .lines li")
        page.get_by_role("button", name="Search tree").click()
        page.get_by_role("dialog", name="Search tree").wait_for()
        wrong["tree"] = findings(page, axe)
        page.keyboard.press("Escape")
        identity = server.new_game("connect4", ["", ""], options={"mean": "none"})
        open_game(page, identity)
        for count, column in enumerate((1, 2, 1, 2, 1, 2, 1), 1):
            click_board(page, column - 0.5, 1)
            wait_for_moves(page, count)
        page.locator("end-card h2").wait_for()
        wrong["end"] = findings(page, axe)
        page.get_by_role("button", name="Review").last.click()
        page.wait_for_selector(".toast:has-text('Review done')")
        wrong["review"] = findings(page, axe)
    problems = {name: one for name, one in wrong.items() if one}
    assert not problems, "\n".join(f"{name}: {one}" for name, one in problems.items())
