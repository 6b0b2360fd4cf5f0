"""Games from files on the page: offered when named at the start, played by clicks on squares."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import Server, open_page
from tests.web.play import open_game, state, wait_for_moves, wait_for_turn

pytestmark = pytest.mark.xdist_group("browser")
GALLERY = Path(__file__).parents[2] / "examples" / "games"
OPTIONS = {"breakthrough": {"rows": 5, "columns": 3}, "tictactoe": {}}


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


def click_square(page: Any, square: str) -> None:
    shape = page.locator(f'game-board svg rect[data-cell="{square}"]').first
    shape.click(force=True)


@pytest.mark.parametrize("stem", sorted(OPTIONS))
def test_a_game_is_played_by_clicking_its_squares(browser: Any, gallery: Server, stem: str) -> None:
    name = offered(gallery)[stem]
    for page in open_page(browser, gallery):
        game = gallery.new_game(name, ["", "random"], options=OPTIONS[stem], seed=3)
        open_game(page, game)
        for _ in range(40):
            found = wait_for_turn(page)
            if found["over"]:
                break
            move = found["legal"][-1]
            for square in move.split("-"):
                click_square(page, square)
            wait_for_moves(page, len(found["moves"]) + 1)
            assert state(page)["moves"][len(found["moves"])] == move
        assert state(page)["over"]


def test_files_that_were_not_named_cannot_be_played(gallery: Server) -> None:
    for name in (str(GALLERY / "nim.py"), "nim.py", "nim.py@0123456789abcdef"):
        status, answer = gallery.request("/api/games", {"game": name, "seats": ["", "random"]})
        assert status == 404 and "nim" in answer["error"]["message"]
