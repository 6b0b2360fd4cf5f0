"""What the page offers around a game: undo, hint, replay, links, analysis, tournaments, themes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import Server
from tests.web.play import (
    BLUNDER,
    board_point,
    click_board,
    open_game,
    state,
    upload_connect4,
    wait_for_moves,
    wait_for_turn,
)


def played_game(page: Any, server: Server, moves: int = 4) -> str:
    """A game of two people after some drops, open on the page."""
    identity = server.new_game("connect4", ["", ""], options={"mean": "none"})
    open_game(page, identity)
    for count in range(1, moves + 1):
        click_board(page, (count % 7) + 0.5, 1)
        wait_for_moves(page, count)
    return identity


def use_menu(page: Any, name: str) -> None:
    """Choose something from the menu of a game."""
    page.get_by_role("button", name="More").click()
    page.locator(".menu").get_by_role("button", name=name).click()


def set_up(page: Any, position: str) -> None:
    """Set up a position on the analysis board as text."""
    if not page.locator("textarea").is_visible():
        page.get_by_text("Position and options").click()
    page.locator("textarea").fill(position)
    page.get_by_role("button", name="Set up").click()


def test_home_leads_to_every_game(page: Any, server: Server) -> None:
    page.goto("/")
    page.wait_for_function(
        "() => document.querySelectorAll('.card').length > 0 && [...document.querySelectorAll("
        "'.card game-board')].every((board) => board.querySelector('[data-cell]'))"
    )
    _, games = server.request("/api/catalog")
    assert page.locator(".card h2").all_inner_texts() == [game["title"] for game in games]
    page.locator(".card", has_text="Connect 4").get_by_role("link", name="Play").click()
    page.get_by_role("radio", name="Beginner").check(force=True)
    page.get_by_text("More", exact=True).click()
    page.locator('[name="option-width"]').fill("5")
    page.locator('[name="option-height"]').fill("4")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => document.querySelector('game-screen')?.state?.latest")
    page.wait_for_selector("game-board svg [data-cell]")
    assert page.locator("game-board circle[data-cell]").count() == 20
    assert state(page)["seats"] == ["", "level:beginner"]
    page.go_back()
    page.wait_for_selector('[name="option-width"]', state="attached")
    assert page.locator('[name="option-width"]').input_value() == "5", "choices are kept"
    assert page.get_by_role("radio", name="Beginner").is_checked()


def test_parameters_of_an_agent_can_be_chosen(page: Any, server: Server) -> None:
    page.goto("/play?new=connect4")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("choose agents by name").check()
    page.get_by_role("combobox", name="Player 2").select_option("minimax")
    second = page.locator("agent-choice").nth(1)
    second.get_by_text("Parameters").click()
    second.locator('[name="option-order"]').fill("sideways")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("order must be one of left, right, centre").wait_for()
    second.locator('[name="option-order"]').fill("centre")
    second.locator('[name="option-depth"]').fill("2")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => document.querySelector('game-screen')?.state?.latest")
    assert state(page)["seats"] == ["", "minimax:order=centre,depth=2"]
    click_board(page, 3.5, 1)
    wait_for_moves(page, 2)


def test_undo_takes_back_the_persons_move_and_the_answer(page: Any, server: Server) -> None:
    open_game(page, server.new_game("connect4", ["", "random"], seed=1))
    start = wait_for_turn(page)
    click_board(page, 3.5, 1)
    wait_for_moves(page, 2)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelector('game-screen').state.moves.length === 0")
    assert state(page)["text"] == start["text"]
    wait_for_turn(page)
    click_board(page, 0.5, 1)
    wait_for_moves(page, 2)


def test_hint_comes_only_on_request_and_is_legal(page: Any, server: Server) -> None:
    open_game(page, server.new_game("connect4", ["", "random"], seed=2))
    found = wait_for_turn(page)
    assert page.locator(".mark-hint").count() == 0
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".mark-hint", state="attached")
    assert page.evaluate("document.querySelector('game-screen').hinted.move") in found["legal"]


def test_resign_needs_a_second_word(page: Any, server: Server) -> None:
    open_game(page, server.new_game("connect4", ["", "random"], seed=3))
    wait_for_turn(page)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.wait_for_selector(".game-status.over")
    assert state(page)["outcome"]["winner"] == 1


def test_replay_by_slider_arrow_keys_and_list(page: Any, server: Server) -> None:
    identity = played_game(page, server, 6)
    page.locator("main").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.querySelector('replay-bar').ply === 4")
    assert f"game={identity}&pos=4" in page.url
    page.locator("replay-bar input").fill("1")
    page.wait_for_function("() => document.querySelector('game-screen').shown.text.endsWith('o 1')")
    page.locator("move-list button").nth(2).click()
    page.wait_for_function("() => document.querySelector('game-screen').shown.text.endsWith('o 3')")
    page.get_by_role("button", name="Play through the game").click()
    page.wait_for_function("() => document.querySelector('replay-bar').ply === 6")
    assert "pos=" not in page.url


def test_share_link_restores_game_and_position(page: Any, browser: Any, server: Server) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    played_game(page, server, 5)
    page.locator("replay-bar input").fill("3")
    use_menu(page, "Link")
    page.get_by_text("The link is in the clipboard.").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"\?game=[\w-]+&pos=3$", link)
    context = browser.new_context()
    other = context.new_page()
    other.goto(link)
    other.wait_for_function(
        "() => document.querySelector('game-screen')?.shown?.text?.endsWith('o 3')", timeout=60_000
    )
    assert state(other)["shown"] == state(page)["shown"]
    context.close()


def test_reload_keeps_the_game(page: Any, server: Server) -> None:
    played_game(page, server, 3)
    before = state(page)
    page.reload()
    page.wait_for_selector("game-board svg [data-cell]")
    assert state(page)["text"] == before["text"]
    assert state(page)["moves"] == before["moves"]


def test_fork_from_an_earlier_move(page: Any, server: Server) -> None:
    identity = played_game(page, server, 4)
    page.locator("replay-bar input").fill("2")
    use_menu(page, "Play from here")
    dialog = page.get_by_role("dialog")
    dialog.locator("select").nth(1).select_option("random")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_function(
        "(old) => document.querySelector('game-screen')?.state?.latest &&"
        " document.querySelector('game-screen').state.id !== old",
        arg=identity,
    )
    found = wait_for_turn(page)
    assert len(found["moves"]) == 2 and found["seats"] == ["", "random"]


def test_record_goes_out_and_comes_in_again(page: Any, server: Server, tmp_path: Path) -> None:
    played_game(page, server, 5)
    before = state(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="More").click()
        page.get_by_role("link", name="Download").click()
    path = tmp_path / "record.json"
    waiting.value.save_as(path)
    record = json.loads(path.read_text())
    assert [entry["move"] for entry in record["moves"]] == before["moves"]
    page.goto("/watch")
    page.locator('record-upload input[type="file"]').set_input_files(path)
    page.wait_for_function("() => document.querySelector('game-screen')?.state?.moves.length === 5")
    assert state(page)["text"] == before["text"]
    assert not state(page)["mine"]


def test_analysis_shows_values_lines_and_bar(page: Any, server: Server) -> None:
    page.goto("/analyse?game=connect4")
    page.wait_for_selector("analysis-panel .lines li")
    page.wait_for_selector("game-board .heat rect", state="attached")
    assert "/s" in page.locator("analysis-panel .facts").inner_text()
    winning = "......./......./......./......./ooo..../xxx.... x 6"
    set_up(page, winning)
    page.wait_for_function(
        "() => document.querySelector('analysis-panel .headline').textContent.includes('win in 1')"
    )
    assert page.locator("eval-bar").get_attribute("aria-valuenow") == "1.00"
    assert page.locator("analysis-panel .lines button").first.inner_text() == "4"
    page.locator("analysis-panel .lines button").first.click()
    page.wait_for_function(
        "() => document.querySelector('analysis-panel .headline').textContent.includes('over')"
    )
    assert page.locator("eval-bar .value").inner_text() == "1–0"


def test_analysis_values_the_moves_of_agents_that_do_not(page: Any, server: Server) -> None:
    page.goto("/analyse?game=competitive-sudoku")
    page.wait_for_selector("game-board svg [data-cell]")
    page.get_by_text("Position and options").click()
    page.locator('[name="option-board"]').fill("random-2x2")
    page.locator("textarea").fill("")
    page.get_by_role("button", name="Set up").click()
    page.wait_for_function(
        "() => document.querySelectorAll('analysis-panel .lines li').length > 1"
        " && document.querySelectorAll('game-board .heat .heat-label').length > 1"
    )


def test_bad_position_is_explained(page: Any, server: Server) -> None:
    page.goto("/analyse?game=connect4")
    page.wait_for_selector("game-board svg [data-cell]")
    set_up(page, "......./.......x")
    said = page.wait_for_selector(".position-box .wrong:not(:empty)").inner_text()
    assert "ROWS SIDE PLIES" in said


def test_review_marks_the_blunder(page: Any, server: Server) -> None:
    open_game(page, upload_connect4(server, BLUNDER))
    use_menu(page, "Review")
    page.wait_for_selector(".toast:has-text('Review done')")
    assert page.locator("eval-graph .curve").count() == 1
    assert page.locator("move-list .sign").count() >= 1
    page.reload()
    page.wait_for_selector("move-list .sign")


def test_live_tournament(page: Any, server: Server) -> None:
    page.goto("/tournaments?game=connect4")
    page.wait_for_selector(".checks input")
    for box in page.locator(".checks input").all():
        box.set_checked(box.get_attribute("value") in ("random", "mcts"))
    page.locator('[name="rounds"]').fill("2")
    page.locator('[name="seconds"]').fill("0.01")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("run-screen table tbody tr")
    page.wait_for_function(
        "() => document.querySelector('run-screen .game-status').textContent.includes('has ended')"
    )
    assert page.locator("run-screen .game-status").inner_text().startswith("4 ")
    assert page.locator("run-screen tbody tr").first.locator("th").inner_text() == "mcts"
    assert page.locator("elo-graph polyline").count() == 2
    page.locator(".run-games button").first.click()
    page.wait_for_function("() => document.querySelector('game-screen')?.state?.moves.length > 4")
    page.goto("/tournaments")
    page.wait_for_selector(".run-list a")


@pytest.mark.animated
def test_blockudoku_autoplay_at_full_speed_stays_responsive(page: Any, server: Server) -> None:
    open_game(page, server.new_game("blockudoku", [""], seed=9))
    wait_for_turn(page)
    page.get_by_role("button", name="Let champion play").click()
    page.get_by_role("combobox", name="Speed").select_option("max")
    wait_for_moves(page, 40)
    longest = page.evaluate(
        """() => new Promise((done) => {
          let longest = 0, last = performance.now(), frames = 0;
          const frame = (now) => {
            longest = Math.max(longest, now - last);
            last = now;
            if (++frames < 60) requestAnimationFrame(frame);
            else done(longest);
          };
          requestAnimationFrame(frame);
        })"""
    )
    assert longest < 2000
    box = page.get_by_role("button", name="Pause").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function("() => document.querySelector('game-screen').mayMove()")
    count = len(state(page)["moves"])
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function(
        "(count) => document.querySelector('game-screen').state.moves.length < count", arg=count
    )


@pytest.mark.animated
def test_dragging_works_while_a_search_runs(page: Any, server: Server) -> None:
    open_game(page, server.new_game("blockudoku", [""], seed=10))
    found = wait_for_turn(page)
    page.keyboard.press("a")
    piece = page.evaluate("document.querySelector('game-screen').input.pieces.find((p) => p.fits)")
    page.mouse.move(*board_point(page, piece["box"]["x"] + 0.2, piece["box"]["y"] + 0.2))
    page.mouse.down()
    for step in range(20):
        page.mouse.move(*board_point(page, 4.5, 9 - 0.2 * step))
    assert page.locator(".overlay .in-hand").count() == len(piece["cells"])
    assert page.locator(".overlay .shadow").count() == len(piece["cells"])
    page.mouse.up()
    wait_for_moves(page, len(found["moves"]) + 1)


def test_theme_is_kept(page: Any, server: Server) -> None:
    page.goto("/")
    page.get_by_role("button", name="Theme").click()
    page.get_by_role("button", name="Theme").click()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"


@pytest.mark.parametrize("address", ["/", "/play", "/watch", "/analyse", "/tournaments"])
def test_screens_fit_a_phone_and_name_their_controls(
    phone: Any, server: Server, address: str
) -> None:
    phone.goto(address)
    phone.wait_for_selector("main h1, main h2")
    phone.wait_for_timeout(300)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    nameless = phone.evaluate(
        """() => [...document.querySelectorAll('button, a, input, select, textarea')]
          .filter((one) => one.offsetParent !== null && !(one.textContent.trim()
            || one.getAttribute('aria-label') || one.labels?.length || one.title))
          .map((one) => one.outerHTML)"""
    )
    assert nameless == []
