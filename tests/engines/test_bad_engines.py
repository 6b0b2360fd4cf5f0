"""Engines that misbehave get the right verdict in time and leave nothing behind."""

from __future__ import annotations

import time

import pytest
from msgspec.structs import replace

from plyground.arena.match import play_game
from plyground.arena.task import GameTask, MatchRules
from plyground.core.limits import Limit
from plyground.core.outcome import Termination
from plyground.engines.engine import EngineSettings
from plyground.engines.pool import engine_pool
from plyground.engines.process import ProcessLimits
from scripted_players import processes_of, write_engine

RULES = MatchRules(
    engine=EngineSettings(
        startup=2.0,
        margin=0.3,
        patience=2.0,
        grace=0.3,
        limits=ProcessLimits(memory=300 << 20, flood=2 << 20, line=1 << 18),
    )
)
FORK_A_SLEEPER = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
"""

# name -> (where it misbehaves, what it does, verdict, words of the detail)
BAD = {
    "crash-at-start": ({"hello": "sys.exit('out of order')"}, Termination.CRASH, "out of order"),
    "silent-at-start": ({"hello": "time.sleep(600)"}, Termination.TIMEOUT, "at start"),
    "crash-in-game": ({"go": "if turn == 2: 1 / 0"}, Termination.CRASH, "ZeroDivisionError"),
    "killed": ({"go": "if turn == 2: os.kill(os.getpid(), 9)"}, Termination.CRASH, "signal 9"),
    "never-answers": ({"go": "time.sleep(600)"}, Termination.TIMEOUT, "no move within"),
    "late": ({"go": "time.sleep(0.9)"}, Termination.TIMEOUT, "no move within"),
    "never-reads": ({"new_game": "time.sleep(600)"}, Termination.TIMEOUT, "ready"),
    "illegal-move": ({"go": "move = '99'"}, Termination.ILLEGAL_MOVE, "99"),
    "no-move": ({"go": "move = ''"}, Termination.NO_MOVE, "without a move"),
    "garbage": ({"go": "print('thinking hard...', flush=True)"}, Termination.NO_MOVE, "thinking"),
    "binary": (
        {"go": "sys.stdout.buffer.write(bytes(range(256)) + b'\\n'); sys.stdout.flush()"},
        Termination.NO_MOVE,
        "no message",
    ),
    "flood": (
        {"go": 'while True: sys.stdout.write(\'{"type":"info"}\\n\' * 1000)'},
        Termination.NO_MOVE,
        "flooded",
    ),
    "flood-of-empty-lines": (
        {"go": "while True: sys.stdout.write('\\n' * 10000)"},
        Termination.NO_MOVE,
        "flooded",
    ),
    "drip-of-empty-lines": (
        {"go": "while True: print(flush=True); time.sleep(0.01)"},
        Termination.TIMEOUT,
        "no move within",
    ),
    "answers-twice": (
        {"go": "send(type='bestmove', move=move)"},
        Termination.OUT_OF_TURN,
        "bestmove",
    ),
    "answers-again-later": (
        {"go": "send(type='bestmove', move=move); time.sleep(0.05)"},
        Termination.OUT_OF_TURN,
        "bestmove",
    ),
    "answers-for-the-last-turn": (
        {"go": "send(type='bestmove', turn=max(1, turn - 1), move=move); continue"},
        Termination.OUT_OF_TURN,
        "turn 1 in turn 2",
    ),
    "long-move": ({"go": "move = '9' * 5000"}, Termination.ILLEGAL_MOVE, "5000 characters"),
    "endless-line": (
        {"go": "while True: sys.stdout.write('x' * 100000)"},
        Termination.NO_MOVE,
        "line of more than",
    ),
    "floods-errors": (
        {"go": "sys.stderr.write('e' * 5_000_000); sys.exit(3)"},
        Termination.CRASH,
        "code 3",
    ),
    "closes-output": ({"go": "os.close(1); time.sleep(600)"}, Termination.CRASH, "closed"),
    "closes-input": (
        {"go": "os.close(0); send(type='bestmove', id=request['id'], move=move); time.sleep(600)"},
        Termination.CRASH,
        "closed",
    ),
    "leaves-a-child": (
        {"hello": FORK_A_SLEEPER, "go": "if turn == 2: sys.exit(1)"},
        Termination.CRASH,
        "code 1",
    ),
    "eats-memory": (
        {"go": "hoard = []\nwhile True: hoard.append(bytearray(b'x' * 1000000))"},
        Termination.CRASH,
        "MB of memory",
    ),
    "complains": (
        {"new_game": "send(type='error', message='no such board')"},
        Termination.CRASH,
        "no such board",
    ),
    "ignores-stop": (
        {"go": "send(type='info', move=move); time.sleep(600)"},
        Termination.TIMEOUT,
        "ignores stop",
    ),
    "speaks-out-of-turn": ({"go": "send(type='ready')"}, Termination.NO_MOVE, "ready"),
}


def make_task(players: tuple[str, str], number: int = 1, seconds: float = 0.3) -> GameTask:
    return GameTask(
        schedule_id=f"g{number}",
        pair_id=f"p{number}",
        game="connect4",
        options={"mean": "none"},
        players=players,
        labels=("first", "second"),
        seats=(0, 1),
        limits=(Limit(time=seconds),) * 2,
        engine_seeds=(1, 2),
        rules=RULES,
    )


@pytest.fixture
def engines():
    with engine_pool() as pool:
        yield pool


@pytest.mark.parametrize("name", BAD)
def test_verdict_in_time_and_nothing_left(name, engines, tmp_path):
    slots, termination, words = BAD[name]
    bad = write_engine(tmp_path, name, **slots)
    good = write_engine(tmp_path, "good", go="move = request['legal_moves'][-1]")
    seconds = 5.0 if name == "eats-memory" or "flood" in name else 0.3
    started = time.monotonic()
    result = play_game(make_task((bad, good), seconds=seconds), engines)
    assert time.monotonic() - started < 20.0
    outcome = result.record.outcome
    assert outcome.termination is termination, outcome
    assert outcome.winner == 1
    assert words in outcome.detail
    assert len(result.record.tags.get("stderr 0", "")) <= 10_000
    engines.close()
    assert processes_of(tmp_path) == []


def test_a_program_that_dies_slowly_has_crashed_and_is_not_late(engines, tmp_path):
    dying = "import atexit; atexit.register(time.sleep, 2.0); sys.exit('out of order')"
    bad = write_engine(tmp_path, "bad", go=dying)
    patient = replace(RULES, engine=replace(RULES.engine, grace=60.0))
    task = replace(make_task((bad, bad)), rules=patient)
    outcome = play_game(task, engines).record.outcome
    assert outcome.termination is Termination.CRASH, outcome
    assert "out of order" in outcome.detail


def test_healthy_engines_stay_and_are_reused(engines, tmp_path):
    good = write_engine(tmp_path, "good")
    bad = write_engine(tmp_path, "bad", go="if turn == 2: sys.exit(1)")
    for number in range(3):
        result = play_game(make_task((good, bad), number), engines)
        assert result.record.outcome.winner == 0
    alive = processes_of(tmp_path)
    assert (
        len(
            [
                line
                for line in alive
                if "good.py" in line and not ("supervisor" in line or "bwrap" in line)
            ]
        )
        == 1
    )
    assert not [line for line in alive if "bad.py" in line]


def test_the_last_words_of_a_broken_engine_are_kept_for_its_author(engines, tmp_path):
    bad = write_engine(tmp_path, "bad", go="print('about to fail', file=sys.stderr); 1 / 0")
    record = play_game(make_task((bad, bad)), engines).record
    assert record.tags["stderr 0"].startswith("about to fail")
    assert "Traceback" in record.tags["stderr 0"]


def test_an_engine_that_ignores_quit_is_killed(tmp_path):
    stubborn = write_engine(
        tmp_path,
        "stubborn",
        quit="import signal; signal.signal(15, signal.SIG_IGN); time.sleep(600)",
    )
    engines = engine_pool()
    result = play_game(make_task((stubborn, stubborn)), engines)
    assert result.record.outcome.termination is Termination.NORMAL
    started = time.monotonic()
    engines.close()
    assert time.monotonic() - started < 3.0
    assert processes_of(tmp_path) == []


def test_a_child_that_stays_after_a_normal_game_is_killed(tmp_path):
    parent = write_engine(tmp_path, "parent", hello=FORK_A_SLEEPER)
    engines = engine_pool()
    play_game(make_task((parent, parent)), engines)
    assert processes_of(tmp_path)
    engines.close()
    assert processes_of(tmp_path) == []


def test_a_proposal_counts_when_the_answer_is_late(engines, tmp_path):
    slow = write_engine(
        tmp_path, "slow", go="if turn == 1: send(type='info', move=move); time.sleep(0.7)"
    )
    good = write_engine(tmp_path, "good")
    result = play_game(make_task((slow, good), seconds=0.2), engines)
    assert result.record.outcome.termination is Termination.NORMAL
    assert result.record.moves[0].time > 0.2


def test_an_engine_that_never_starts_is_not_tried_for_ever(engines, tmp_path):
    bad = write_engine(tmp_path, "bad", hello="time.sleep(600)")
    good = write_engine(tmp_path, "good")
    results = [play_game(make_task((bad, good), number), engines) for number in range(3)]
    started = time.monotonic()
    results.append(play_game(make_task((bad, good), 4), engines))
    assert time.monotonic() - started < 1.0
    assert all(result.record.outcome.winner == 1 for result in results)


def test_engines_do_not_run_on_the_opponents_time(engines, tmp_path):
    busy = write_engine(
        tmp_path,
        "busy",
        hello="""
        import threading
        beats = []
        def beat():
            while True:
                beats.append(time.monotonic())
                time.sleep(0.01)
        threading.Thread(target=beat, daemon=True).start()
        """,
        go="""
        count = len(beats)
        beats.clear()
        send(type="info", note=f"beats {count}")
        """,
    )
    slow = write_engine(tmp_path, "slow", go="time.sleep(0.25)")
    notes = []
    play_game(
        make_task((busy, slow), seconds=1.0),
        engines,
        lambda event: notes.append(event.info.note) if hasattr(event, "info") else None,
    )
    counts = [int(note.split()[1]) for note in notes[1:]]
    assert counts
    assert max(counts) <= 10, "25 heartbeats fit into the opponent's time"
