"""What a stranger stumbled over on the page, and must not again."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web import play
from tests.web.conftest import Server

MEAN_WIN = "......./......./......./......./xxx.o../ooo.x.. o 9"
"""The mean move 5-4 gives the first player's disc away and wins nothing; 4 wins at once."""


def test_watching_plays_at_once_and_can_be_paused_and_stepped(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("connect4", ["random", "random"], seed=3))
    play.wait_for_moves(page, 2)
    page.get_by_role("button", name="Pause").click()
    page.wait_for_function(
        "() => document.querySelector('game-screen').state.latest.speed === 'off'"
        " && !document.querySelector('game-screen').state.latest.thinking"
    )
    count = len(play.state(page)["moves"])
    used = page.locator("player-strip .clock").all_inner_texts()
    page.wait_for_timeout(700)
    assert len(play.state(page)["moves"]) == count
    assert page.locator("player-strip .clock").all_inner_texts() == used, "no clock runs in a pause"
    page.get_by_role("button", name="One move", exact=True).click()
    play.wait_for_moves(page, count + 1)
    page.wait_for_timeout(700)
    assert len(play.state(page)["moves"]) == count + 1
    page.get_by_role("button", name="Go on").click()
    play.wait_for_moves(page, count + 3)


def test_blockudoku_analysis_deals_values_and_draws_the_turn(page: Any, server: Server) -> None:
    page.goto("/analyse?game=blockudoku")
    page.wait_for_selector("analysis-panel .lines li")
    assert "over" not in page.locator("analysis-panel .headline").inner_text()
    assert re.search(r"\d %", page.locator("analysis-panel .headline").inner_text())
    assert page.locator("game-board .badge:not(.tag)").count() == 3
    page.locator(".best-line button").nth(1).click()
    page.wait_for_function("() => document.querySelectorAll('move-tree button').length === 3")
    before = page.locator("textarea").input_value()
    page.get_by_role("button", name="Edit the position").click()
    play.click_board(page, 0.5, 0.5)
    page.wait_for_function(
        "(before) => document.querySelector('textarea').value !== before", arg=before
    )
    after = page.locator("textarea").input_value()
    assert after[0] != before[0] and after[1:] == before[1:]


def test_connect4_shows_mean_moves_and_a_value_under_every_column(
    page: Any, server: Server
) -> None:
    page.goto(f"/analyse?game=connect4&position={MEAN_WIN.replace(' ', '+')}")
    page.wait_for_function("() => document.querySelectorAll('.value-chip').length === 7")
    page.wait_for_selector(".heat .arrow", state="attached")
    heights = page.evaluate(
        "[...document.querySelectorAll('.value-chip text')].map((t) => t.getAttribute('y'))"
    )
    assert len(set(heights)) == 1


def test_a_winning_mean_move_is_the_best_one_shown(page: Any, server: Server) -> None:
    # Taking red's bottom disc from column 1 lets the yellow ones fall into a row of four.
    position = "......./......./......./......./o....../xooo.xx o 9"
    page.goto(f"/analyse?game=connect4&position={position.replace(' ', '+')}")
    page.wait_for_function(
        "() => document.querySelector('analysis-panel .headline')?.textContent.includes('win in 1')"
    )
    first = page.locator("analysis-panel .lines button").first.inner_text()
    assert first.startswith("1-") or first == "5"
    assert page.locator("eval-bar").get_attribute("aria-valuenow") == "-1.00"
    assert page.locator("eval-bar .value").inner_text() == "L1"


def test_list_is_ordered_and_agrees_with_headline_and_bar(page: Any, server: Server) -> None:
    page.goto("/analyse?game=connect4&position=44444415")
    page.wait_for_function(
        "() => document.querySelector('analysis-panel')?.found?.moves.length > 3"
    )
    found = page.evaluate("document.querySelector('analysis-panel').found")
    scores = [entry["score"] for entry in found["moves"] if entry.get("score")]

    def rank(score: dict[str, Any]) -> tuple[float, ...]:
        exact, value = score.get("exact", False), score["expectation"]
        if exact and value > 0:
            return 0, score.get("distance", 0)
        if exact and value < 0:
            return 2, -score.get("distance", 0)
        return 1, -value

    assert [rank(score) for score in scores] == sorted(rank(score) for score in scores)
    assert found["move"] == found["moves"][0]["move"]
    assert found["score"] == found["moves"][0]["score"]


@pytest.mark.parametrize("game", ["blockudoku", "codecup-sudoku", "competitive-sudoku", "connect4"])
def test_question_mark_shows_illustrated_rules_and_keys(
    page: Any, server: Server, game: str
) -> None:
    page.goto(f"/play?new={game}")
    page.wait_for_selector(".setup h1")
    page.locator("main").focus()
    page.keyboard.press("?")
    card = page.get_by_role("dialog")
    card.wait_for()
    assert card.locator(".rule-board svg [data-cell]").count() > 20
    assert card.locator(".rule-steps li").count() >= 3
    assert card.locator("kbd").count() > 5
    if game == "competitive-sudoku":
        assert "taboo" in card.inner_text() and "pass" in card.inner_text()
    page.keyboard.press("Escape")
    card.wait_for(state="detached")


def test_cells_are_named_for_screen_readers(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("connect4", ["", "random"], seed=1))
    play.wait_for_turn(page)
    play.click_board(page, 3.5, 1)
    play.wait_for_moves(page, 2)
    table = page.get_by_role("table", name="Board")
    assert page.get_by_role("application").get_by_role("table").count() == 0
    table.get_by_text("column 4, row 1: red disc").wait_for(state="attached")
    table.get_by_text("yellow disc").first.wait_for(state="attached")
    identity = server.new_game(
        "competitive-sudoku", ["", "random"], options={"board": "random-2x2", "seed": 1}
    )
    play.open_game(page, identity)
    found = play.wait_for_turn(page)
    table.get_by_text(", given").first.wait_for(state="attached")
    move = next(move for move in found["legal"] if not move.endswith("!"))
    row, column, value = re.findall(r"\d+", move)
    page.locator(f'game-board rect[data-cell="{row},{column}"]').click()
    page.locator(".picker button").nth(int(value) - 1).click()
    play.wait_for_moves(page, 1)
    page.wait_for_function(
        "(text) => document.querySelector('.board-table').innerText.includes(text)",
        arg=f"row {row}, column {column}: {value}, placed by You",
    )
    assert page.locator(f'game-board text.by-0[data-cell="{row},{column}"]').count() == 1
    play.open_game(page, server.new_game("blockudoku", [""], position=f"{'.' * 81} 5 0 -", seed=1))
    table.get_by_text("piece 1: a line of 3 across").wait_for(state="attached")
    table.get_by_text("piece 2: a single cell").wait_for(state="attached")


def test_every_new_board_is_another_one_and_its_number_is_shown(page: Any, server: Server) -> None:
    boards = set()
    for _ in range(2):
        play.open_game(page, server.new_game("competitive-sudoku", ["", "random"]))
        boards.add(play.state(page)["text"])
        assert re.search(r"No\. \d+", page.locator(".game-detail").inner_text())
    assert len(boards) == 2
    page.goto("/play?new=competitive-sudoku")
    page.get_by_text("More", exact=True).click()
    assert page.get_by_label("seed").count() == 0
    assert page.locator('input[name="seed"]').count() == 1


def test_a_wrong_digit_says_why_and_flashes_the_conflict(page: Any, server: Server) -> None:
    options = {"board": "2x2 1.../..../..../.... first 0-0"}
    play.open_game(page, server.new_game("competitive-sudoku", ["", "random"], options=options))
    play.wait_for_turn(page)
    page.locator('game-board rect[data-cell="0,3"]').click()
    page.focus("game-board")
    page.keyboard.press("1")
    page.get_by_text("1 already stands in this row.").first.wait_for()
    assert page.locator("game-board .conflict").count() == 1


def test_double_click_plays_once_and_says_nothing(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("connect4", ["", "random"], seed=1))
    play.wait_for_turn(page)
    page.evaluate(
        """() => {
          const screen = document.querySelector('game-screen');
          screen.play('4');
          screen.play('4');
        }"""
    )
    play.wait_for_moves(page, 2)
    assert page.locator(".toast.error").count() == 0


def test_a_tournament_without_players_is_explained(page: Any, server: Server) -> None:
    page.goto("/tournaments?game=connect4")
    page.wait_for_selector(".checks input")
    for box in page.locator(".checks input").all():
        box.set_checked(False)
    page.get_by_role("button", name="Start").click()
    said = page.wait_for_selector("tournaments-screen .wrong:not(:empty)").inner_text()
    assert "two" in said and "$" not in said


def test_nothing_moves_while_an_agent_thinks(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("connect4", ["", "champion"], seed=1))
    play.wait_for_turn(page)
    place = "document.querySelector('game-actions').getBoundingClientRect().top"
    before = page.evaluate(place)
    play.click_board(page, 3.5, 1)
    page.wait_for_function("() => document.querySelector('game-screen').state.latest.thinking")
    assert page.evaluate(place) == before or page.locator("preparing-line").is_visible()


def test_claim_and_new_game_ask_first(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("codecup-sudoku", ["", "random"], seed=3))
    play.wait_for_turn(page)
    page.get_by_role("button", name="Claim now").click()
    page.get_by_role("dialog").get_by_role("button", name="Not yet").click()
    assert not play.state(page)["over"]
    page.focus("game-board")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    play.wait_for_moves(page, 2)
    page.locator("main").focus()
    page.keyboard.press("n")
    page.get_by_role("dialog").get_by_role("button", name="Go on playing").click()
    assert "game=" in page.url


def test_the_end_offers_a_rematch_with_swapped_sides(page: Any, server: Server) -> None:
    identity = server.new_game("connect4", ["", "random"], options={"mean": "none"}, seed=4)
    play.open_game(page, identity)
    play.wait_for_turn(page)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    card = page.locator("end-card")
    card.get_by_role("heading", name="random won").wait_for()
    assert "You resigned." in card.inner_text()
    card.get_by_role("button", name="Swap sides").click()
    page.wait_for_function(
        "(old) => document.querySelector('game-screen')?.state?.latest &&"
        " document.querySelector('game-screen').state.id !== old",
        arg=identity,
    )
    assert play.state(page)["seats"] == ["random", ""]


def test_codecup_opening_analysis_proposes_a_move(page: Any, server: Server) -> None:
    page.goto("/analyse?game=codecup-sudoku")
    page.wait_for_selector("game-board .heat rect", state="attached")
    assert re.match(r"[A-I][a-i][1-9] ", page.locator("analysis-panel .headline").inner_text())


def test_unknown_games_and_addresses_get_a_page(page: Any, server: Server) -> None:
    page.goto("/play?game=nosuchgame")
    page.get_by_role("heading", name="This game is not here").wait_for()
    page.goto("/nosuch")
    page.get_by_role("heading", name="This page is not here").wait_for()
    assert page.get_by_role("link", name="To the games").is_visible()
    for address, way_on in (
        ("/run?id=nosuch", "To the tournaments"),
        ("/lab?experiment=nosuch", "To the lab"),
        ("/analyse?game=nosuch", "To the analysis board"),
    ):
        page.goto(address)
        page.get_by_role("link", name=way_on).wait_for()


def test_a_question_left_open_is_dropped_by_going_back(page: Any, server: Server) -> None:
    page.goto("/play?new=connect4")
    page.locator('[type="submit"]').click()
    page.get_by_role("button", name="Resign").click()
    page.wait_for_selector("dialog.question")
    page.go_back()
    page.wait_for_selector("setup-screen")
    page.wait_for_selector("dialog", state="detached")
    page.go_forward()
    page.wait_for_function("() => document.querySelector('game-screen')?.state?.latest")
    assert page.evaluate("() => document.querySelector('game-screen').state.latest.outcome") is None


def test_replay_bar_is_above_the_fold(page: Any, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    play.open_game(page, server.new_game("competitive-sudoku", ["random", "random"]))
    play.wait_for_moves(page, 1)
    box = page.locator("replay-bar").bounding_box()
    assert box["y"] + box["height"] <= 800
    board = page.locator("game-board").bounding_box()
    assert board["y"] + board["height"] <= 800


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
@pytest.mark.parametrize("game", ["blockudoku", "connect4", "competitive-sudoku"])
def test_a_phone_shows_the_whole_board_in_both_directions(
    phone: Any, server: Server, game: str, size: tuple[int, int]
) -> None:
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    seats = [""] if game == "blockudoku" else ["", "random"]
    play.open_game(phone, server.new_game(game, seats))
    board = phone.locator("game-board").bounding_box()
    assert board["x"] >= 0 and board["x"] + board["width"] <= size[0]
    assert board["y"] >= 0 and board["y"] + board["height"] <= size[1]
    assert phone.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_review_shows_the_better_move_and_says_why(page: Any, server: Server) -> None:
    play.open_game(page, play.upload_connect4(server, play.BLUNDER))
    page.get_by_role("button", name="More").click()
    page.locator(".menu").get_by_role("button", name="Review").click()
    page.wait_for_selector(".toast:has-text('Review done')")
    assert "%" in page.locator("review-panel .accuracy").inner_text()
    page.get_by_role("button", name="Next mistake").click()
    page.wait_for_selector(".mark-hint", state="attached")
    said = page.locator("review-panel .said").inner_text()
    assert "Best was" in said and "It turned" in said and said.startswith("Move ")
    assert page.locator(".mark-played").count() == 1
