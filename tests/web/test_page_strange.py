"""What contradicted itself, or was offered and did nothing, on a second walk by a stranger."""

from __future__ import annotations

from typing import Any

from tests.web import play
from tests.web.conftest import Server

NEARLY = "......./......./......./......./......./xxx.ooo x 6"
SOLVED = "1...35869...1....3...9.85715......4887.35.19.41.8..35.....83.1.3..5..982.8...1.35"
"""CodeCup Sudoku: a claim with the right digit is true."""


def test_a_move_that_nobody_has_looked_at_is_not_shown_as_the_best(
    page: Any, server: Server
) -> None:
    """A search names a move to play in need at once; until it has values, it says nothing."""
    page.goto("/analyse?game=connect4&position=33")
    page.wait_for_selector(".value-chip")
    shown = page.evaluate(
        """(told) => {
          const panel = document.querySelector('analysis-panel');
          panel.restart();
          panel.take({ move: '1', done: false });
          const early = [panel.headline.textContent, document.querySelectorAll('.heat *').length];
          panel.take({ move: '1', done: true });
          return [...early, panel.headline.textContent];
        }"""
    )
    assert shown == ["Thinking…", 0, "1 no value is known"]


def test_a_rematch_begins_where_the_game_was_set_up(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("connect4", ["", "random"], position=NEARLY))
    play.wait_for_turn(page)
    page.evaluate("document.querySelector('game-screen').play('4')")
    card = page.locator("end-card")
    card.get_by_role("button", name="Rematch").click()
    again = "document.querySelector('game-screen')?.state"
    page.wait_for_function(f"() => {again}?.latest && !{again}.latest.outcome")
    assert play.state(page)["text"] == NEARLY


def test_the_solution_is_shown_wherever_one_looks_and_goes_with_the_review(
    page: Any, server: Server
) -> None:
    identity = server.new_game("codecup-sudoku", ["", ""], position=SOLVED)
    play.open_game(page, identity)
    claim = next(
        move for move in play.wait_for_turn(page)["legal"] if len(move) > 1 and move.endswith("!")
    )
    page.evaluate("(move) => document.querySelector('game-screen').play(move)", claim)
    button = page.locator("end-card").get_by_role("button", name="Show the solution")
    digits = "document.querySelectorAll('game-board svg text[data-cell]').length"
    button.wait_for()
    page.keyboard.press("Home")
    page.wait_for_selector(".game-status:has-text('After 0 of 1')")
    given = page.evaluate(digits)
    button.click()
    page.wait_for_function(f"() => {digits} === 81")
    assert button.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Home")
    page.wait_for_function(f"() => {digits} === {given}")
    assert button.get_attribute("aria-pressed") == "false"


def test_moves_can_be_pasted_as_the_page_itself_writes_them(page: Any, server: Server) -> None:
    page.goto("/analyse?game=connect4")
    page.wait_for_selector("analysis-panel .headline")
    page.locator(".position-box summary").click()
    page.locator("textarea").fill("Start 1. 4 2. 4-2 3. 5")
    page.get_by_role("button", name="Set up").click()
    page.wait_for_selector("move-tree [aria-current]:has-text('3. 5')")
    written = page.locator("move-tree").inner_text()
    page.locator("textarea").fill(f"{written} 4. 6")
    page.get_by_role("button", name="Set up").click()
    page.wait_for_selector("move-tree [aria-current]:has-text('4. 6')")
    assert page.locator("move-tree").inner_text() == f"{written}\n4. 6"


def test_a_crosstable_has_the_order_of_the_table_above(page: Any, server: Server) -> None:
    page.goto("/lab")
    rows = page.evaluate(
        """() => {
          const screen = document.createElement('run-screen');
          screen.cross = document.createElement('div');
          screen.graph = { show() {} };
          screen.drawGraphs({
            players: ['weak', 'strong'], rows: [{ name: 'strong' }, { name: 'weak' }],
            crosstable: [[null, 1], [3, null]], graph: [], games: [],
          });
          return [...screen.cross.querySelectorAll('tbody tr')].map((row) =>
            [...row.children].map((cell) => cell.textContent));
        }"""
    )
    assert rows == [["1 strong", "·", "3"], ["2 weak", "1", "·"]]


def test_the_lab_is_one_click_away_and_a_run_belongs_to_the_tournaments(
    page: Any, phone: Any, server: Server
) -> None:
    page.goto("/run?id=nosuch")
    page.wait_for_selector('nav [aria-current][href="/tournaments"]')
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Lab").click()
    page.wait_for_selector('nav [aria-current][href="/lab"]')
    phone.goto("/")
    for width in (320, 360, 375, 390, 412):
        phone.set_viewport_size({"width": width, "height": 800})
        bar = phone.locator("nav[aria-label=Main]")
        assert bar.evaluate("(nav) => nav.scrollWidth <= nav.clientWidth"), width


def test_nobody_has_a_best_score_in_a_game_that_one_watches(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("blockudoku", ["random"]))
    page.wait_for_selector(".chips .chip")
    assert "best" not in page.locator(".chips").inner_text().lower()
    play.open_game(page, server.new_game("blockudoku", [""]))
    page.wait_for_selector(".chips .chip:has-text('best')")


def test_a_link_with_options_that_cannot_be_had_shows_the_usual_board(
    page: Any, server: Server
) -> None:
    page.goto('/analyse?game=connect4&options={"width":99}')
    page.wait_for_selector(".toast:has-text('must be at most 12')")
    page.wait_for_selector("analysis-panel .lines li")
    assert page.locator(".value-chip").count() == 7
