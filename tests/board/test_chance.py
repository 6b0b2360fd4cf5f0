"""Games with chance and for one player: events by their weights, points, a player that plans."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import plyground as pg
from plyground.cli import run
from plyground.core.game import CHANCE, Position
from plyground.core.limits import Limit
from plyground.search.perft import perft

GALLERY = Path(__file__).parents[2] / "examples" / "games"


def play(agent: str, seed: int, nodes: int = 60) -> Position:
    """A whole game of 2048 on a small board."""
    game = pg.game(str(GALLERY / "twenty48.py"), size=3)
    player = pg.agent(game, agent, seed=seed)
    position = game.start()
    while not position.is_over:
        if position.turn == CHANCE:
            position = game.apply_chance(position, game.chance_event(position, seed))
        else:
            position = position.play(player.search(position, Limit(nodes=nodes)).move)
    return position


def test_new_tiles_are_two_nine_times_of_ten() -> None:
    game = pg.game(str(GALLERY / "twenty48.py"))
    start = game.start()
    events = [int(game.chance_event(start, seed)) for seed in range(3000)]
    kinds = Counter(event % 2 for event in events)
    assert 0.07 < kinds[1] / len(events) < 0.13
    assert len({event // 2 for event in events}) == 16


def test_nobody_has_a_move_before_the_event() -> None:
    start = pg.game(str(GALLERY / "twenty48.py")).start()
    assert start.turn == CHANCE and start.legal_moves == []


def test_events_that_cannot_happen_are_refused() -> None:
    game = pg.game(str(GALLERY / "twenty48.py"))
    for event in ("99", "-1", "x", ""):
        with pytest.raises(pg.PlygroundError):
            game.apply_chance(game.start(), event)


def test_points_grow_with_planning() -> None:
    def points(agent: str) -> float:
        total = 0.0
        for seed in range(3):
            outcome = play(agent, seed).outcome
            assert outcome is not None and outcome.scores is not None and outcome.winner is None
            total += outcome.scores[0]
        return total

    assert points("mcts") > 1.5 * points("random")


def test_analysis_begins_at_the_first_decision(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(GALLERY / "twenty48.py")
    assert run(["analyse", file, "--option", "size=3", "--nodes", "40", "--json"]) == 0
    moves = {entry["move"] for entry in json.loads(capsys.readouterr().out)["moves"]}
    assert moves and moves <= {"up", "right", "down", "left"}
    with pytest.raises(pg.PlygroundError, match="random event comes next"):
        pg.analyse(pg.game(file, size=3).start())


def test_sequences_across_random_events_have_no_number() -> None:
    start = pg.game(str(GALLERY / "twenty48.py"), size=3).first_decision()
    assert perft(start, 1) == len(start.legal_moves)
    with pytest.raises(pg.PlygroundError, match="random events come between"):
        perft(start, 2)


DICE = """
from plyground.board import CHANCE, BoardGame

class Dice(BoardGame):
    shape = 1
    move_names = "roll", "stay"
    players = 1

    def moves(self):
        yield 0
        yield 1

    def play(self, move):
        if move == 0:
            return CHANCE
        self.cells[0] += 100

    def chance(self):
        for pair in range(36):
            yield pair, WEIGHT

    def deal(self, pair):
        self.cells[0] = 100 + pair // 6 + pair % 6

    def result(self):
        return self.cells[0] if self.cells[0] >= 100 else None
"""


def test_many_events_and_a_match_for_points(tmp_path: Path) -> None:
    file = tmp_path / "dice.py"
    file.write_text(DICE.replace("WEIGHT", "1"))
    result = pg.match(str(file), "montecarlo", "mcts", games=2, limit=Limit(nodes=400))
    first, second = result.summary["results"]
    assert all(100 <= score <= 110 for score in first["scores"] + second["scores"])
    assert "points a game" in repr(result) and "mcts 10" in repr(result)


def test_a_move_is_worth_the_average_over_its_events(tmp_path: Path) -> None:
    file = tmp_path / "dice.py"
    file.write_text(DICE.replace("WEIGHT", "1"))
    game = pg.game(str(file))
    player = pg.agent(game, "mcts", seed=3)
    found = player.search(game.start(), Limit(nodes=4000))
    values = {entry.move: entry.score.points for entry in found.moves if entry.score}
    assert found.move == "roll"
    assert values["roll"] == pytest.approx(105, abs=0.3) and values["stay"] == pytest.approx(100)


def test_weights_are_whole_numbers(tmp_path: Path) -> None:
    file = tmp_path / "dice.py"
    file.write_text(DICE.replace("WEIGHT", "0.5"))
    with pytest.raises(pg.PlygroundError, match="whole numbers"):
        pg.game(str(file))


def test_the_speed_of_a_game_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "dice.py"
    file.write_text(DICE.replace("WEIGHT", "1"))
    assert run(["bench", str(file), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert "dice: montecarlo" in {row["name"] for row in rows}
    assert all(row["value"] > 0 for row in rows)
