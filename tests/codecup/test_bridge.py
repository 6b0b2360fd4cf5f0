"""The contest protocol: good, bad and strange programs, and an agent as a contest program."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path

import pytest

from plyground.arena.match import play_game
from plyground.arena.task import GameTask, MatchRules
from plyground.core.errors import InputError
from plyground.core.limits import Clock, Limit
from plyground.core.outcome import Termination
from plyground.core.registry import make_agent, make_game
from plyground.engines.engine import EngineSettings
from plyground.engines.players import accepts_openings, make_engine
from plyground.engines.pool import engine_pool
from plyground.engines.process import ProcessLimits
from plyground.games.codecup_sudoku.bridge import ContestPlayer, converse
from scripted_players import processes_of

LINE = [
    "Bg3",
    "He7",
    "Ah5",
    "Dh6",
    "Bi9",
    "Hh3",
    "Ha9",
    "Ia2",
    "Gc5",
    "Gg7",
    "Cb1",
    "Ai2",
    "Fa1",
    "Ac7",
    "Ef1",
    "Fd3",
    "Id6",
    "Aa4",
    "Gd8",
    "Eb2",
    "Dg2",
    "Ff6",
    "Bd5",
    "Fg4",
    "Af3",
    "Ag6",
    "Ch7!",
]

SCRIPT = """
import os, sys, time
line_of_play = {moves!r}
own = line_of_play[{side}::2]
turn = 0
while True:
    text = sys.stdin.readline()
    if not text or text.strip() == "Quit":
        break
    turn += 1
    move = own[turn - 1]
    TURN
    print(move, flush=True)
"""

RULES = MatchRules(
    engine=EngineSettings(
        startup=3.0, margin=0.3, limits=ProcessLimits(flood=1 << 20, line=1 << 16)
    )
)


def program(folder: Path, name: str, side: int, turn: str = "pass") -> str:
    """Write a contest program that plays its half of LINE; its player text."""
    body = SCRIPT.format(moves=LINE, side=side)
    indented = textwrap.indent(textwrap.dedent(turn).strip(), "    ")
    path = folder / f"{name}.py"
    path.write_text(body.replace("    TURN", indented))
    return f"codecup:{sys.executable} {path}"


def play(players: tuple[str, str], seconds: float = 3.0):
    task = GameTask(
        schedule_id="g1",
        pair_id="p1",
        game="codecup-sudoku",
        options={},
        players=players,
        labels=("first", "second"),
        seats=(0, 1),
        limits=(Limit(clock=Clock(seconds)),) * 2,
        engine_seeds=(1, 2),
        rules=RULES,
    )
    with engine_pool() as engines:
        return play_game(task, engines).record


def test_two_contest_programs_play_a_game(tmp_path) -> None:
    record = play((program(tmp_path, "a", 0), program(tmp_path, "b", 1)))
    assert [entry.move for entry in record.moves] == LINE
    assert record.outcome.winner == 0
    assert record.outcome.termination is Termination.NORMAL
    assert record.outcome.points == (2, 1)
    assert processes_of(tmp_path) == []


def test_a_program_may_exit_after_its_winning_claim(tmp_path) -> None:
    leaves = "if '!' in move: print(move, flush=True); sys.exit(0)"
    record = play((program(tmp_path, "a", 0, leaves), program(tmp_path, "b", 1)))
    assert (record.outcome.winner, record.outcome.points) == (0, (2, 1))


# What a program does on its third turn -> verdict, its points, words of the detail.
BAD = {
    "garbage": ("move = 'I think'", Termination.ILLEGAL_MOVE, 0, "not a move"),
    "lower case": ("move = 'aA1'", Termination.ILLEGAL_MOVE, 0, "not a move"),
    "occupied": ("move = 'He1'", Termination.ILLEGAL_MOVE, 0, "occupied"),
    "conflict": ("move = 'Hf7'", Termination.ILLEGAL_MOVE, 0, "already in"),
    "false claim": ("move = move + '!'", Termination.FALSE_CLAIM, 0, "more than one"),
    "exits": ("sys.exit(3)", Termination.CRASH, 0, "code 3"),
    "exits after a move": ("print(move, flush=True); sys.exit(0)", Termination.CRASH, 0, "code 0"),
    "closes its pipe": ("os.close(1); time.sleep(60)", Termination.CRASH, 0, "closed"),
    "late": ("time.sleep(60)", Termination.TIMEOUT, 1, "no move within"),
    "never reads": ("print(move, flush=True); time.sleep(60)", Termination.TIMEOUT, 1, "no move"),
    "floods": ("while True: print('\\n' * 1000)", Termination.NO_MOVE, 0, "flooded"),
    "two moves": ("print(move, flush=True)", Termination.OUT_OF_TURN, 0, "out of turn"),
    "endless line": ("while True: print('x' * 9999, end='')", Termination.NO_MOVE, 0, "line of"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_programs_get_the_right_verdict(name: str, tmp_path) -> None:
    action, termination, points, words = BAD[name]
    bad = program(tmp_path, "bad", 1, f"if turn == 3:\n    {action}")
    record = play((program(tmp_path, "good", 0), bad), seconds=1.5)
    assert record.outcome.winner == 0
    assert record.outcome.termination is termination, record.outcome
    assert record.outcome.points == (2, points)
    assert words in record.outcome.detail
    assert processes_of(tmp_path) == []


def test_openings_and_other_games_are_refused(tmp_path) -> None:
    player = program(tmp_path, "a", 0)
    assert not accepts_openings(player)
    assert accepts_openings("champion")
    with pytest.raises(InputError, match="codecup-sudoku"):
        make_engine("connect4", player, EngineSettings())
    with pytest.raises(InputError, match="does not exist"):
        make_engine("codecup-sudoku", "codecup:./no-such-program", EngineSettings())


def contest_player(agent: str, seconds: float = 5.0) -> ContestPlayer:
    game = make_game("codecup-sudoku")
    player = make_agent("codecup-sudoku", agent)
    player.new_game(game, 1)
    player.warm_up()
    return ContestPlayer(game, player, seconds)


def test_an_agent_answers_start_and_moves() -> None:
    player = contest_player("sample3")
    game = make_game("codecup-sudoku")
    first = player.answer("Start\r\n")
    assert first in game.start().legal_moves
    reply = next(move for move in game.start().play(first).legal_moves)
    assert player.answer("\n") is None
    second = player.answer(reply + "\n")
    assert second in game.start().play(first).play(reply).legal_moves


def test_an_agent_claims_a_grid_that_the_opponent_left_unique() -> None:
    player = contest_player("champion")
    game = make_game("codecup-sudoku")
    position = game.play_line(" ".join(LINE[:-1]))
    player._position = position
    assert player.answer(LINE[-1].rstrip("!")) == "!"


def test_the_conversation_ends_with_quit() -> None:
    reader, writer = os.pipe()
    try:
        converse(contest_player("sample2"), ["", "\r\n", "Start\n", "Quit\n", "Aa1\n"], writer)
        answer = os.read(reader, 100).decode()
    finally:
        os.close(reader)
        os.close(writer)
    assert answer.count("\n") == 1
