"""A game of another package has everything on the page without the page knowing of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import Server, open_page
from tests.web.play import open_game, state, wait_for_moves, wait_for_turn

EXAMPLE = Path(__file__).parents[2] / "examples" / "tictactoe.py"
PAGE = """
    page = GamePage(
        input="input.js",
        rules=(RuleStep("Take turns. Three stones in a line win.", "x.o.x...."),),
        words=(Word("stone", "what you place"),),
        keys=(("5", "the middle"),),
        levels=(Level("Novice", "random", Limit(time=0.1), "any square"),),
    )
"""
INPUT = """
import { BoardInput } from "/static/js/input/base.js";

export default class PlainInput extends BoardInput {
  key(event) {
    if (this.active && event.key === "5") this.play(this.snapshot.legal[0]);
  }
}
"""


@pytest.fixture(scope="module")
def other_package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("package")
    package = folder / "plyground_corners"
    package.mkdir()
    source = EXAMPLE.read_text(encoding="utf-8").replace('"tictactoe"', '"corners"')
    source = source.replace("0.8, text=c)", "0.8, text=c, cell=str(i + 1))")
    imports = (
        "from plyground.core.limits import Limit\n"
        "from plyground.core.page import GamePage, Level, RuleStep, Word\n"
    )
    head, _, rest = source.partition("    info = ")
    head = head.replace("import numpy as np\n", f"import numpy as np\n{imports}", 1)
    (package / "__init__.py").write_text(f"{head}{PAGE}\n    info = {rest}", encoding="utf-8")
    (package / "input.js").write_text(INPUT, encoding="utf-8")
    facts = folder / "plyground_corners-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Name: plyground-corners\nVersion: 1.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(
        "[plyground.games]\ncorners = plyground_corners\n", encoding="utf-8"
    )
    running = Server(tmp_path_factory.mktemp("data"))
    running.environment = {"PYTHONPATH": str(folder)}
    running.start()
    yield running
    running.stop()


def test_board_input_rules_levels_and_analysis_of_a_foreign_game(
    browser: Any, other_package: Server
) -> None:
    for page in open_page(browser, other_package):
        page.goto("/")
        page.wait_for_selector(".card")
        page.locator(".card", has_text="Tic-tac-toe").get_by_role("link", name="Play").click()
        page.get_by_role("radio", name="Novice").check(force=True)
        page.locator("main").focus()
        page.keyboard.press("?")
        card = page.get_by_role("dialog")
        assert "Three stones in a line win." in card.inner_text()
        assert card.locator("kbd", has_text="5").count() == 1
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_function("() => document.querySelector('game-screen')?.state?.latest")
        page.wait_for_selector("game-board svg [data-cell]")
        found = wait_for_turn(page)
        assert found["seats"] == ["", "level:novice"]
        page.focus("game-board")
        page.keyboard.press("5")
        wait_for_moves(page, 2)
        page.keyboard.press("a")
        page.wait_for_selector("analysis-panel .lines li")
        identity = other_package.new_game("corners", ["", "random"])
        open_game(page, identity)
        wait_for_turn(page)
        page.focus("game-board")
        page.keyboard.press("5")
        wait_for_moves(page, 2)
        assert state(page)["players"][:2] == [0, 1]
