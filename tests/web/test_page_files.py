"""Games from files on the page: offered when named at the start, played by clicks on squares."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import Server, open_page
from tests.web.play import open_game, state, wait_for_moves, wait_for_turn

GALLERY = Path(__file__).parents[2] / "examples" / "games"
OPTIONS: dict[str, dict[str, int]] = {
    "amazons": {"size": 5},
    "breakthrough": {"rows": 5, "columns": 3},
    "clobber": {"rows": 3, "columns": 3},
    "connect_four": {},
    "dots_and_boxes": {"rows": 1, "columns": 2},
    "gomoku": {"rows": 4, "columns": 4, "length": 3},
    "hex": {"size": 3},
    "kalah": {"houses": 3, "seeds": 2},
    "nim": {"largest": 3},
    "nine_mens_morris": {},
    "othello": {"size": 4},
    "othello_bitboards": {},
    "tictactoe": {},
    "twenty48": {"size": 2},
}
MOST_TURNS = 12


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    files = [str(GALLERY / f"{name}.py") for name in OPTIONS]
    running = Server(tmp_path_factory.mktemp("gallery"), *files)
    running.start()
    yield running
    running.stop()


def offered(server: Server) -> dict[str, str]:
    """The games from files that the page offers: stem -> full name."""
    _, games = server.request("/api/catalog")
    return {
        game["name"].partition(".py@")[0]: game["name"] for game in games if "@" in game["name"]
    }


def enter(page: Any, move: str) -> None:
    """A move by clicks: on its squares, or in the list where it is none."""
    squares = [page.locator(f'game-board svg rect[data-cell="{part}"]') for part in move.split("-")]
    if all(square.count() for square in squares):
        for square in squares:
            square.first.click(force=True)
    else:
        page.get_by_label("Move", exact=True).select_option(move)
        page.get_by_role("button", name="Play", exact=True).click()


def test_every_file_has_a_test() -> None:
    assert set(OPTIONS) == {path.stem for path in GALLERY.glob("*.py")}


@pytest.mark.parametrize("stem", sorted(OPTIONS))
def test_a_game_is_played_by_clicks(browser: Any, gallery: Server, stem: str) -> None:
    name = offered(gallery)[stem]
    seats = [""] if stem == "twenty48" else ["", ""]
    for page in open_page(browser, gallery):
        game = gallery.new_game(name, seats, options=OPTIONS[stem], seed=3)
        open_game(page, game)
        played: list[str] = []
        for _ in range(MOST_TURNS):
            found = wait_for_turn(page)
            if found["over"]:
                break
            move = found["legal"][-1]
            enter(page, move)
            wait_for_moves(page, len(found["moves"]) + 1)
            assert state(page)["moves"][len(found["moves"])] == move
            played.append(move)
        assert len(played) >= 2


def test_files_that_were_not_named_cannot_be_played(gallery: Server, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text((GALLERY / "nim.py").read_text())
    for name in (str(other), "other.py", "other.py@0123456789abcdef"):
        status, answer = gallery.request("/api/games", {"game": name, "seats": ["", "random"]})
        assert status == 404 and "other" in answer["error"]["message"]


@pytest.mark.parametrize("stem", ["othello", "tictactoe"])
def test_a_game_from_a_file_has_rules_levels_and_analysis_of_its_own(
    browser: Any, gallery: Server, stem: str
) -> None:
    name = offered(gallery)[stem]
    _, games = gallery.request("/api/catalog")
    game = next(one for one in games if one["name"] == name)
    assert [level["key"] for level in game["levels"]][:: len(game["levels"]) - 1] == [
        "level:beginner",
        "level:champion",
    ]
    for page in open_page(browser, gallery):
        open_game(page, gallery.new_game(name, ["", "random"]))
        page.locator("main").focus()
        page.keyboard.press("?")
        card = page.get_by_role("dialog")
        card.wait_for()
        assert game["summary"][1:] in card.inner_text()
        assert card.locator(".rule-board svg [data-cell]").count() >= 9
        page.keyboard.press("Escape")
        page.keyboard.press("a")
        page.wait_for_selector("analysis-panel .lines li")
        assert page.locator("analysis-panel .headline b").inner_text() != ""


def test_whoever_waits_can_ask_what_is_compiled(gallery: Server) -> None:
    status, answer = gallery.request("/api/preparing")
    assert status == 200
    assert answer is None or 0 <= answer["done"] < answer["total"]


def test_a_game_for_one_is_told_in_its_own_words(browser: Any, gallery: Server) -> None:
    name = offered(gallery)["twenty48"]
    for page in open_page(browser, gallery):
        open_game(page, gallery.new_game(name, [""], options={"size": 2}, seed=3))
        found = wait_for_turn(page)
        while not found["over"]:
            enter(page, found["legal"][-1])
            wait_for_moves(page, len(found["moves"]) + 1)
            found = wait_for_turn(page)
        card = page.locator("end-card")
        card.get_by_text("points").wait_for()
        assert "move" in card.inner_text() and "piece" not in card.inner_text()
        chips = page.locator("game-screen .chips").inner_text().lower()
        assert "score" in chips and "streak" not in chips and "turns" not in chips
