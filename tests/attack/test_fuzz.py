"""A little of the long attack on everything that reads, and what it has found once."""

from __future__ import annotations

import io

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.text import Text

from plyground.arena.config import PlayerEntry, RunConfig
from plyground.cli import run
from plyground.cli.app import SafeConsole
from plyground.core.errors import (
    InputError,
    OptionError,
    PlygroundError,
    PositionError,
    UnknownNameError,
)
from plyground.core.game import CHANCE, Game
from plyground.core.numbers import whole_number
from plyground.core.registry import make_agent, make_game
from plyground.core.terminal import printable
from plyground.web.security import is_same_site
from tests.attack.fuzz import GAMES, Mutator, attack, targets

INPUTS = 150


def test_no_reader_fails(tmp_path):
    findings = [
        finding
        for target in targets(tmp_path)
        for finding in attack(target, Mutator(11), max(2, INPUTS // target.cost))
    ]
    assert findings == []


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [make_game(name, options) for name, options in GAMES]


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_the_text_of_a_reached_position_is_that_position(games, data):
    game = data.draw(st.sampled_from(games))
    seed = data.draw(st.integers(0, 2**32))
    position = game.start()
    for choice in data.draw(st.lists(st.integers(0, 10**6), max_size=60)):
        if position.is_over:
            break
        if position.turn == CHANCE:
            position = game.apply_chance(position, game.chance_event(position, seed))
        else:
            moves = position.move_codes
            position = position.play(moves[choice % len(moves)])
    back = game.parse_position(position.text)
    assert (back.state == position.state).all()
    assert (back.turn, back.outcome, back.text) == (position.turn, position.outcome, position.text)
    if not position.is_over and position.turn != CHANCE:
        for code in position.move_codes:
            assert position.parse_move(position.format_move(code)) == code


@pytest.mark.parametrize("simultaneous", ["mover", "first", "draw"])
def test_four_for_both_by_one_mean_move_has_a_text(simultaneous):
    """Two lines at once: the game ends there, and its position can be written down and read."""
    game = make_game("connect4", {"simultaneous": simultaneous, "width": 4, "height": 4})
    position = game.parse_position("xo../xo../xo../xo.. o 9")
    assert position.is_over
    winner = {"mover": 0, "first": 0, "draw": None}[simultaneous]
    assert position.outcome.winner == winner
    assert game.parse_position(position.text).outcome == position.outcome
    with pytest.raises(PositionError, match="both players"):
        make_game("connect4", {"mean": "none"}).parse_position(
            "......./......./xo...../xo...../xo...../xo..... x 8"
        )


@pytest.mark.parametrize("text", ["\u00b2", "\u0663", "9" * 5000, "", "-1", "+1", "1_0", "1 1"])
def test_only_plain_short_digits_are_numbers(text):
    assert whole_number(text) is None
    with pytest.raises(PositionError):
        make_game("connect4").parse_position(f"{'/'.join(['.......'] * 6)} x {text}")


@pytest.mark.parametrize("text", ["a" * 5000, "a\0b", "mcts:c=" + "9" * 5000])
def test_names_that_no_file_can_have(text):
    with pytest.raises((UnknownNameError, OptionError, PlygroundError)):
        make_agent("connect4", text)


@pytest.mark.parametrize("origin", ["http://[", "http://localhost:8000@evil", "null", "\udc80"])
def test_origins_that_are_none(origin):
    assert not is_same_site(origin, "localhost:8000")


def test_programs_cannot_steer_the_terminal():
    out = io.StringIO()
    screen = SafeConsole(file=out, force_terminal=True, color_system="truecolor")
    screen.print("\x1b]0;title\x07\x1b[2J\x9b31m\u202eabc", markup=False)
    screen.print(Text("styled", style="red"))
    assert "\x1b]" not in out.getvalue() and "\x1b[2J" not in out.getvalue()
    assert "\x07" not in out.getvalue() and "\u202e" not in out.getvalue()
    assert "\x1b[31mstyled" in out.getvalue()  # our own colours stay
    assert printable("a\nb\tc") == "a\nb\tc"


@pytest.mark.parametrize(
    "players",
    [
        ["random"] * 100_000,
        ["random", {"player": "random", "name": "\x1b]0;x\x07"}],
        ["random", {"player": "random", "name": "\u202eevil"}],
        ["random", {"player": "random", "name": "n" * 1_000_000}],
    ],
    ids=["too many", "steers", "turns around", "too long"],
)
def test_players_that_no_table_can_show(players):
    """A hundred thousand of the same name were numbered for minutes."""
    entries = [entry if isinstance(entry, dict) else {"player": entry} for entry in players]
    entered = tuple(msgspec.convert(entry, PlayerEntry) for entry in entries)
    with pytest.raises(InputError) as failure:
        RunConfig(kind="tournament", game="connect4", players=entered).check()
    assert len(str(failure.value)) < 1000 and str(failure.value).isprintable()


def test_an_error_quotes_a_part_of_what_is_too_long(capsys):
    assert run(["match", "connect4", "a" * 1_000_000, "random"]) == 2
    assert len(capsys.readouterr().err) < 3000
