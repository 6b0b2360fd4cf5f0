"""What people hear who do not see the board, where the keyboard is, and how runs are read."""

from __future__ import annotations

import re
from typing import Any

from tests.web import play
from tests.web.conftest import Server

FOCUSED = """() => {
  const { activeElement } = document;
  return activeElement.getAttribute("aria-label") ?? activeElement.tagName;
}"""
CONTRAST = """() => {
  const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const page = light(getComputedStyle(document.body).backgroundColor);
  return Math.min(...[...document.querySelectorAll("game-board .s-muted")].map((text) => {
    const ink = light(getComputedStyle(text).fill);
    return (Math.max(ink, page) + 0.05) / (Math.min(ink, page) + 0.05);
  }));
}"""


def heard(page: Any, pattern: str) -> None:
    """Wait until the board says what matches."""
    said = page.locator("game-board > [aria-live]")
    said.filter(has_text=re.compile(pattern)).wait_for(state="attached")


def test_the_moves_of_agents_and_the_result_are_told(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("connect4", ["", "random"], seed=1))
    play.wait_for_turn(page)
    heard(page, "^x .* to move after 0 plies$")
    page.keyboard.press("4")
    play.wait_for_moves(page, 2)
    answer = play.state(page)["moves"][1]
    told = f"column {answer}" if "-" not in answer else "the bottom disc of column"
    heard(page, rf"^random: {told}.*\. x .* to move after 2 plies$")
    page.keyboard.press("u")
    heard(page, "^x .* to move after 0 plies$")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    heard(page, r"random won\. You resigned\.$")


def test_a_column_that_is_not_there_is_said(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("connect4", ["", "random"], seed=1))
    play.wait_for_turn(page)
    page.keyboard.press("9")
    heard(page, r"^The board has 7 columns\.$")


def test_a_piece_in_hand_is_told_by_its_form_and_place(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("blockudoku", [""], position=f"{'.' * 81} 5 0 -", seed=1))
    play.wait_for_turn(page)
    assert page.get_by_role("button", name="Piece 1: a line of 3 across").count() == 1
    assert page.get_by_role("button", name="Piece 2: a single cell").count() == 1
    page.focus("game-board")
    page.keyboard.press("1")
    heard(page, r"^Piece 1: a line of 3 across, in hand over row 0, column 0\.$")


def test_a_value_that_has_the_focus_keeps_it_and_what_was_refused_is_forgotten(
    page: Any, server: Server
) -> None:
    play.open_game(page, server.new_game("codecup-sudoku", ["", "random"], seed=3))
    play.wait_for_turn(page)
    page.keyboard.press("5")
    refusal = page.locator("toast-area .toast.info", has_text="Choose a cell first")
    refusal.wait_for()
    page.focus("game-board")
    play.go_to_cell(page, 4, 4, 9)
    page.get_by_role("button", name="play 5").focus()
    page.keyboard.press("Enter")
    play.wait_for_moves(page, 1)
    assert refusal.count() == 0
    play.wait_for_moves(page, 2)
    play.wait_for_turn(page)
    assert page.evaluate(FOCUSED) == "5 cannot be played"


def test_a_value_without_a_cell_says_that_one_is_to_be_chosen(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("competitive-sudoku", ["", "random"]))
    play.wait_for_turn(page)
    page.get_by_role("button", name="5: choose a cell first").click(force=True)
    heard(page, "^Choose a cell first")
    assert page.locator("toast-area .toast.info").count() == 1


def test_a_game_that_begins_has_the_focus_and_escape_closes_its_menu(
    page: Any, server: Server
) -> None:
    page.goto("/play?new=connect4")
    page.locator('[type="submit"]').focus()
    page.keyboard.press("Enter")
    play.wait_for_turn(page)
    assert page.evaluate(FOCUSED) == "MAIN"
    menu = page.locator("game-actions .menu")
    page.get_by_role("button", name="More", exact=True).press("Enter")
    assert menu.is_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert not menu.is_visible() and page.evaluate(FOCUSED) == "More"


def test_numbers_beside_a_board_can_be_read_in_both_themes(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("competitive-sudoku", ["", "random"]))
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert page.evaluate(CONTRAST) >= 4.5, theme


def test_an_agent_without_a_summary_is_offered_by_its_name(page: Any, server: Server) -> None:
    page.goto("/play?new=connect4")
    page.wait_for_selector(".setup h1")
    names = page.evaluate(
        """() => {
          const choice = document.createElement("agent-choice");
          choice.offer([{name: "mine", summary: "", parameters: []},
            {name: "yours", summary: "quick", parameters: []}], "mine", "Player", false);
          return [...choice.querySelectorAll("option")].map((option) => option.textContent);
        }"""
    )
    assert names == ["mine", "yours – quick"]


def test_games_of_a_run_count_what_was_played_and_not_what_was_dealt(
    page: Any, class_server: Server
) -> None:
    _, runs = class_server.request("/api/runs")
    run = next(run["id"] for run in runs if run["game"] == "blockudoku")
    page.goto(f"{class_server.address}/run?id={run}")
    first = page.locator(".run-games button").first
    found = re.search(r"(\d+) pieces", first.inner_text())
    assert found, first.inner_text()
    first.click()
    summary = page.locator("end-card .facts")
    summary.wait_for()
    assert summary.inner_text().startswith(f"{found[1]} pieces.")
    assert "Your best" not in summary.inner_text()


def test_a_survival_curve_and_its_table_fit_on_a_phone(phone: Any, class_server: Server) -> None:
    _, runs = class_server.request("/api/runs")
    run = next(run["id"] for run in runs if run["game"] == "blockudoku")
    phone.goto(f"{class_server.address}/run?id={run}")
    phone.wait_for_selector("survival-graph .tick")
    outside = phone.evaluate(
        """() => {
          const edge = document.querySelector("survival-graph svg").getBoundingClientRect();
          return [...document.querySelectorAll("survival-graph .tick")].filter((text) => {
            const box = text.getBoundingClientRect();
            return box.left < edge.left || box.right > edge.right || box.top < edge.top ||
              box.bottom > edge.bottom;
          }).map((text) => text.textContent);
        }"""
    )
    assert outside == []
    names = phone.locator("run-screen tbody th").all()
    heights = [name.bounding_box()["height"] for name in names]
    assert max(heights) < 2 * min(heights), "a colour stands beside its name"


def test_ratings_of_a_class_are_written_alike_in_its_ranking_and_its_run(
    page: Any, class_server: Server
) -> None:
    page.goto(f"{class_server.address}/class")
    row = page.locator("class-screen tbody tr").first
    row.locator("td").nth(2).wait_for()
    ranked = row.locator("td").all_inner_texts()[1:3]
    row.locator("a").click()
    page.get_by_role("columnheader", name="Elo (95 %)").wait_for()
    rated = page.locator("run-screen tbody tr").first.locator("td").nth(1).inner_text()
    assert rated.split(maxsplit=1) == [ranked[0], f"({ranked[1]})"]
