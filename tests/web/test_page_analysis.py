"""The analysis board: links with variations, search tree, editors; and screens of runs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import Server, open_page
from tests.web.play import click_board, open_game, wait_for_turn

VALUED = "analysis-panel .lines li"


def test_a_link_carries_all_variations(page: Any, browser: Any, server: Server) -> None:
    page.goto("/analyse?game=connect4")
    page.wait_for_selector(VALUED)
    for column in (4, 3):
        click_board(page, column - 0.5, 1)
        page.wait_for_selector(f"move-tree [aria-current]:has-text('. {column}')")
    page.get_by_role("button", name="Back").click()
    click_board(page, 5.5, 1)
    page.wait_for_selector("move-tree [aria-current]:has-text('2. 6')")
    written = page.locator("move-tree").inner_text()
    for other in open_page(browser, server):
        other.goto(page.url)
        other.wait_for_selector("move-tree [aria-current]:has-text('2. 6')")
        assert other.locator("move-tree").inner_text() == written
        assert other.url == page.url


def test_a_link_whose_variations_are_torn_still_shows_its_position(
    page: Any, server: Server
) -> None:
    page.goto("/analyse?game=connect4&tree=%5B%5B%224%22&at=0")
    page.wait_for_selector(".toast:has-text('variations in this link')")
    page.wait_for_selector(VALUED)


def test_the_search_tree_is_a_picture_of_either_search(page: Any, server: Server) -> None:
    page.goto("/analyse?game=connect4")
    page.wait_for_selector(VALUED)
    page.get_by_role("button", name="Search tree").click()
    dialog = page.get_by_role("dialog", name="Search tree")
    dialog.locator(".tree-picture .node small", has_text="games").first.wait_for()
    dialog.get_by_role("button", name="Alpha-beta").click()
    dialog.locator(".tree-picture .node small", has_text="value").first.wait_for()
    second = dialog.locator(".tree-picture > ul > li > button").nth(1)
    second.click()
    assert second.get_attribute("aria-expanded") == "true"
    move = second.locator("b").inner_text()
    dialog.get_by_role("button", name="Show on the board").click()
    page.wait_for_selector(f"move-tree [aria-current]:has-text('1. {move}')")


@pytest.mark.parametrize("game", ["competitive-sudoku", "codecup-sudoku"])
def test_an_editor_has_one_row_of_digits(page: Any, server: Server, game: str) -> None:
    page.goto(f"/analyse?game={game}")
    page.wait_for_selector("game-board svg [data-cell]")
    page.get_by_role("button", name="Edit the position").click()
    page.locator(".brushes").wait_for()
    assert page.locator(".brushes button", has_text="7").count() == 1
    assert not page.locator(".picker").is_visible()


def test_taboo_values_are_struck_out_and_told(page: Any, server: Server) -> None:
    position = "2x2 1.../..../.2../...3 first 0-0 taboo=0,2=2;0,3=4 ply=2"
    open_game(page, server.new_game("competitive-sudoku", ["", "random"], position=position))
    wait_for_turn(page)
    assert "2 at (0,2), 4 at (0,3)" in page.locator(".taboo").inner_text()
    assert page.locator(".taboo-mark").all_text_contents() == ["2", "4"]
    page.locator('game-board rect[data-cell="0,2"]').click()
    page.get_by_role("button", name="2 is taboo").click(force=True)
    page.wait_for_selector(".toast:has-text('taboo')")


def test_values_of_arrows_stand_on_no_disc(page: Any, server: Server) -> None:
    position = "......./......./...x.../...o.../.xoxo../oxoxxo. x 12"
    page.goto(f"/analyse?game=connect4&position={position.replace(' ', '+')}")
    page.wait_for_selector(".heat .arrow text", state="attached")
    covered = page.evaluate(
        """() => {
          const board = document.querySelector('game-board');
          const discs = board.shapes.filter((one) => one.kind === 'circle' && one.style !== 'hole');
          const covers = (text) => discs.some((disc) =>
            Math.hypot(disc.x - text.getAttribute('x'), disc.y - text.getAttribute('y')) < 0.45);
          return [...board.querySelectorAll('.heat .arrow text')].filter(covers).length;
        }"""
    )
    assert covered == 0


def test_runs_of_one_player_games_show_survival(browser: Any, class_server: Server) -> None:
    for page in open_page(browser, class_server, viewport={"width": 390, "height": 844}):
        page.goto("/tournaments")
        page.locator(".run-list a", has_text="Blockudoku").first.click()
        page.wait_for_selector("survival-graph path", state="attached")
        assert page.locator("survival-graph path").count() == 2
        assert "half of the games" in page.locator("survival-graph svg").get_attribute("aria-label")
        assert not page.get_by_role("heading", name="Elo").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_class_is_ranked_and_every_student_has_their_games(
    browser: Any, class_server: Server
) -> None:
    for page in open_page(browser, class_server):
        page.goto("/class")
        page.get_by_role("link", name="team02_A1").click()
        page.wait_for_selector(".run-games button")
        assert page.get_by_label("Games of").input_value() == "team02_A1"
        page.locator(".run-games button").first.click()
        page.wait_for_selector("game-screen game-board svg [data-cell]")
