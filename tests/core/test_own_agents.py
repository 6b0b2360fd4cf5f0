"""Agents that a user brings: from files and from running programs, into processes of their own."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plyground.arena import cluster
from plyground.arena.config import PlayerEntry, RunConfig, TaskMaker, read_config
from plyground.cli import run as command
from plyground.core.agent import Agent
from plyground.core.errors import InputError, UnknownNameError, UnsupportedError
from plyground.core.files import FileName, PickleName, Source
from plyground.core.limits import Limit
from plyground.core.paths import cache_root
from plyground.core.registry import make_agent, make_game
from plyground.engines.players import carry, pin_player

BOT = """
from plyground.core.agent import Agent
import helpers

class Bot(Agent):
    def __init__(self, which: int = 0):
        self.which = which

    def choose(self, position, limit):
        return helpers.pick(position.legal_moves, self.which)
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def forget_sources(*sources: Source) -> None:
    for source in sources:
        shutil.rmtree(cache_root() / "sources" / source.digest)


def write_bot(folder: Path, index: str, bot: str = BOT) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(bot)
    (folder / "helpers.py").write_text(
        f"# {folder}\ndef pick(moves, which):\n    return moves[{index}]\n"
    )
    return str(folder / "bot.py")


def first_choice(text: str) -> str:
    agent = make_agent("connect4", text)
    game = make_game("connect4")
    agent.new_game(game, 1)
    return agent.choose(game.start(), Limit(nodes=1))


def test_two_bots_with_a_helper_of_the_same_name(tmp_path):
    low = write_bot(tmp_path / "a", "which")
    high = write_bot(tmp_path / "b", "-1 - which")
    assert [first_choice(low), first_choice(high), first_choice(low)] == ["1", "7", "1"]
    assert first_choice(f"{low}:which=2") == first_choice(f"{low}:Bot:which=2") == "3"


def test_a_pinned_player_stays_what_it_was(tmp_path):
    path = write_bot(tmp_path / "a", "which")
    text, source = pin_player("connect4", f"{path}:which=1")
    assert source is not None
    source.keep()
    (tmp_path / "a" / "helpers.py").write_text("def pick(moves, which):\n    return moves[-1]\n")
    assert first_choice(text) == "2" and first_choice(path) == "7"
    assert pin_player("connect4", text) == (text, source)
    assert pin_player("connect4", "mcts:c=2") == ("mcts:c=2", None)
    assert pin_player("connect4", "exec:python3 bot.py") == ("exec:python3 bot.py", None)


FAULTS = [
    ("x = 1\n", "", "has no agent"),
    ("def f(:\n", "", "bot.py:1: SyntaxError"),
    ("import os\n\n1 / 0\n", "", "bot.py:3: ZeroDivisionError"),
    ("import sys\nsys.exit(3)\n", "", "bot.py:2: SystemExit"),
    (BOT + "class Other(Bot):\n    pass\n", "", "several agents (Bot, Other)"),
    (BOT, "Bat", "did you mean 'Bot'"),
    (BOT, "Bot:whch=1", "did you mean 'which'"),
    (BOT, "Bot:which=one", "must be a whole number"),
    (BOT.replace("which: int = 0", "which"), "", "needs a default"),
]


@pytest.mark.parametrize(("bot", "spec", "words"), FAULTS)
def test_what_is_wrong_with_a_file_is_said(tmp_path, bot, spec, words):
    path = write_bot(tmp_path, "which", bot)
    with pytest.raises(InputError) as caught:
        make_agent("connect4", f"{path}:{spec}" if spec else path)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_file_that_is_not_there_and_a_name_that_is_unknown(tmp_path):
    with pytest.raises(InputError, match="there is no file"):
        make_agent("connect4", "nowhere.py:Bot")
    with pytest.raises(UnknownNameError, match=r"mybot.py:Class"):
        make_agent("connect4", "nobody")
    write_bot(tmp_path, "0")
    with pytest.raises(UnknownNameError, match=r"write \./bot.py"):
        make_agent("connect4", "bot")


def test_an_agent_of_another_game_is_refused(tmp_path):
    registered = BOT.replace("class Bot", '@register_agent("blockudoku")\nclass Bot').replace(
        "import helpers", "import helpers\nfrom plyground.core.registry import register_agent"
    )
    path = write_bot(tmp_path, "0", registered)
    with pytest.raises(UnsupportedError, match="plays blockudoku, not connect4"):
        make_agent("connect4", path)


def test_a_worker_that_has_never_seen_the_file(tmp_path):
    path = write_bot(tmp_path / "a", "which")
    config = RunConfig(
        kind="match",
        game="connect4",
        players=(PlayerEntry(path), PlayerEntry("random")),
        limit=Limit(nodes=1),
    ).pinned()
    game = config.check()
    maker = TaskMaker(config, game)
    slot = next(maker.schedule.rounds({}))[0]
    task = maker.task(slot)
    assert task.labels == (path, "random") and len(task.sources) == 1
    forget_sources(*task.sources)
    shutil.rmtree(tmp_path / "a")
    try:
        record = cluster.play_task(task).record
    finally:
        cluster.release()
    assert record.outcome is not None and str(record.outcome.termination) == "normal"


class Local(Agent):
    """An agent of this test module."""

    name = "local"

    def __init__(self, which: int = 0) -> None:
        self.which = which
        self.guard: object = None

    def choose(self, position, limit):
        return position.legal_moves[self.which]


def test_classes_and_instances_travel_by_value():
    text, label = carry(Local(which=3))
    assert label == "local:which=3" and first_choice(text) == "4"
    text, label = carry(Local)
    assert label == "local" and first_choice(f"{text}:which=2") == "3"
    program = (
        "from plyground.core.registry import make_agent\n"
        f"print(make_agent('connect4', {text!r}).which)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd="/", capture_output=True, text=True, check=True
    )
    assert done.stdout == "0\n"


def test_what_cannot_travel_is_said_before_any_game():
    agent = Local()
    agent.guard = threading.Lock()
    with pytest.raises(InputError, match="cannot be sent to a process of its own"):
        carry(agent)
    with pytest.raises(InputError, match="is no player"):
        carry(threading.Lock())


def test_an_agent_may_wreck_its_board_but_must_give_a_move():
    import plyground as pg

    class Wrecker(Agent):
        def choose(self, position, limit):
            move = position.legal_moves[0]
            position.state[:] = 0
            return move

    class Silent(Agent):
        def choose(self, position, limit):
            return None

    found = pg.match("connect4", Wrecker, Silent, games=2, limit=pg.Limit(nodes=1))
    assert found.summary["failures"] == [0, 2]
    assert "its move is None" in found.records[0].outcome.detail


def test_a_failure_names_file_and_line(tmp_path):
    import plyground as pg

    body = "import plyground as pg\nclass Bot(pg.Agent):\n    def choose(self, position, limit):\n"
    for name, mistake in (("raising.py", "position.nosuch"), ("misled.py", "position.play('zz')")):
        (tmp_path / name).write_text(f"{body}        return {mistake}\n")
    players = [str(tmp_path / name) for name in ("raising.py", "misled.py")]
    found = pg.match("connect4", *players, games=2, limit=pg.Limit(nodes=1))
    told = [record.outcome.detail for record in found.records]
    assert f"2 lost by failure: {told[0]}" in repr(found)
    assert any("raising.py:4: AttributeError: 'Position' object has no" in text for text in told)
    assert any("misled.py:4: 'zz' is not a move" in text for text in told)


def test_a_script_with_its_own_agent(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from plyground import notebook\n"
        "from plyground.core.agent import Agent\n"
        "from plyground.core.limits import Limit\n"
        "from plyground.core.registry import register_agent\n"
        "LAST = -1\n"
        "@register_agent('connect4')\n"
        "class Mine(Agent):\n"
        "    name = 'mine'\n"
        "    def choose(self, position, limit):\n"
        "        return position.legal_moves[LAST]\n"
        "for player in ('mine', Mine, Mine()):\n"
        "    found = notebook.match('connect4', player, 'random', games=2, limit=Limit(nodes=1))\n"
        "    print(found.summary['failures'])\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout == "[0, 0]\n" * 3


def test_a_configuration_names_files_relative_to_itself(tmp_path):
    write_bot(tmp_path / "a", "which")
    (tmp_path / "a" / "cup.toml").write_text(
        'game = "connect4"\nplayers = ["random", "bot.py:which=1"]\n'
    )
    config = read_config(tmp_path / "a" / "cup.toml").pinned()
    assert config.labels == ("random", "bot.py:which=1")
    config.check()


def test_a_match_goes_on_with_the_file_it_began_with(tmp_path, capsys):
    path = write_bot(tmp_path / "a", "which")
    keeping = ["--database", str(tmp_path / "r.sqlite"), "--nodes", "1", "--json"]
    assert command(["match", "connect4", path, "random", "--games", "2", *keeping]) == 0
    first = capsys.readouterr().out
    forget_sources(Source.read(path))
    (tmp_path / "a" / "bot.py").write_text("broken(")
    name = first.partition('"run": "')[2].partition('"')[0]
    resume = ["match", "--resume", "--run", name, *keeping[:2], "--json"]
    assert command(resume) == 0
    assert capsys.readouterr().out == first


def test_texts_of_files_and_pickles():
    assert FileName.parse("a/b.py") == FileName("a/b.py", "", "")
    assert FileName.parse("b.py@0123456789abcdef:C:d=1") == FileName(
        "b.py", "0123456789abcdef", "C:d=1"
    )
    assert FileName.parse("mcts:c=1.4") is None and FileName.parse(".py") is None
    assert PickleName.parse("mine@0123456789abcdef") == PickleName("mine", "0123456789abcdef", "")
    assert PickleName.parse("mine@home") is None
    with pytest.raises(InputError, match="not on this machine"):
        Source.kept("b.py", "0123456789abcdef")


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        ("def choose(self, position):", r"choose must take \(self, position, limit\)"),
        ("def search(self, position, limit):", "search must take"),
        ("def chose(self, position, limit):", "has no agent"),
    ],
)
def test_a_method_that_nobody_could_call_is_said_before_any_game(
    tmp_path, capsys, method, complaint
):
    bot = tmp_path / "wrong.py"
    bot.write_text(
        f"import plyground as pg\n\nclass A(pg.Agent):\n    {method}\n        return 1\n"
    )
    words = ["match", "connect4", str(bot), "random", "--games", "2", "--nodes", "1"]
    assert command([*words, "--database", str(tmp_path / "r.sqlite")]) == 2
    assert re.search(complaint, capsys.readouterr().err)
