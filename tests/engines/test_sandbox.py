"""Programs of others run apart by default: what they try fails, or a loud line says they could."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from plyground.arena.config import PlayerEntry, RunConfig, read_config
from plyground.arena.executors import LocalExecutor
from plyground.arena.tournament import Tournament, open_run
from plyground.core.errors import UnsupportedError
from plyground.core.limits import Limit
from plyground.engines import sandbox
from plyground.engines.engine import EngineSettings
from plyground.engines.players import make_engine
from plyground.store import Store
from scripted_players import processes_of, write_engine

needs_sandbox = pytest.mark.skipif(
    not sandbox.state().available, reason=f"no sandbox: {sandbox.state().reason}"
)


def no_bubblewrap(monkeypatch):
    found = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "bwrap" else found(name))
    sandbox._warn.cache_clear()


def test_without_bubblewrap_on_is_refused(monkeypatch, tmp_path):
    player = write_engine(tmp_path, "bot")
    no_bubblewrap(monkeypatch)
    with pytest.raises(UnsupportedError, match="bubblewrap"):
        make_engine("connect4", player, EngineSettings(sandbox="on"))


def test_without_bubblewrap_auto_says_so_once(monkeypatch, tmp_path, capsys):
    player = write_engine(tmp_path, "bot")
    no_bubblewrap(monkeypatch)
    make_engine("connect4", player, EngineSettings())
    make_engine("connect4", player, EngineSettings())
    assert capsys.readouterr().err.count("NO SANDBOX") == 1
    make_engine("connect4", player, EngineSettings(sandbox="off"))
    assert capsys.readouterr().err == ""


def test_a_broken_bubblewrap_is_no_sandbox(monkeypatch, tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho no namespaces here >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(broken) if name == "bwrap" else None)
    assert not sandbox.state().available
    assert "no namespaces here" in sandbox.state().reason


CURIOUS = """
found = []
for path in {paths!r}:
    try:
        if os.path.isdir(path):
            if os.listdir(path): found.append("listed " + path)
        elif open(path, "rb").read(1):
            found.append("read " + path)
    except OSError:
        pass
for folder in {folders!r}:
    try:
        open(folder + "/trace", "w").close()
        found.append("wrote " + folder)
    except OSError:
        pass
import socket
try:
    socket.create_connection(("127.0.0.1", {port}), timeout=2).close()
    found.append("network")
except OSError:
    pass
for process in os.listdir("/proc"):
    if process.isdigit() and int(process) == {arena}:
        if b"pytest" in open("/proc/%s/cmdline" % process, "rb").read(): found.append("processes")
    if process.isdigit():
        if b"SECRET_OF" in open("/proc/%s/environ" % process, "rb").read(): found.append("theirs")
if "SECRET_OF_THE_USER" in os.environ: found.append("environment")
if os.getuid() == {user} and {user} != 1000: found.append("user")
with open("own file", "w") as file: file.write("x")
import tempfile
with tempfile.TemporaryFile() as file: file.write(b"x")
send(type="info", note="; ".join(found) or "nothing")
raise SystemExit("; ".join(found) or "nothing")
"""


@needs_sandbox
def test_a_program_sees_nothing_that_is_not_its_own(tmp_path, monkeypatch):
    """Files of the run lie in the program's own folder: other player, database; it sees none."""
    data, home = tmp_path / "data", tmp_path / "home"
    for folder in (data, home):
        folder.mkdir()
        (folder / "secret").write_text("x")
    monkeypatch.setenv("PLYGROUND_DATA_DIR", str(data))
    monkeypatch.setenv("SECRET_OF_THE_USER", "x")
    other = write_engine(tmp_path, "other")
    database = tmp_path / "results.sqlite"
    with socket.create_server(("127.0.0.1", 0)) as server:
        paths = [str(tmp_path / "other.py"), "/etc/shadow", str(Path.home() / ".bashrc")]
        paths += [str(data), str(database), f"{database}-wal", str(Path(__file__))]
        curious = write_engine(
            tmp_path,
            "curious",
            go=CURIOUS.format(
                paths=paths,
                folders=[str(tmp_path), "/usr", str(Path(sys.prefix)), "/"],
                port=server.getsockname()[1],
                arena=os.getpid(),
                user=os.getuid(),
            ),
        )
        config = RunConfig(
            kind="match",
            game="connect4",
            players=(PlayerEntry(curious), PlayerEntry(other)),
            games=1,
            limit=Limit(time=10.0),
        )
        with Store(database) as store:
            match = Tournament(config, store, run := open_run(store, config, None, False))
            with LocalExecutor() as executor:
                match.play(executor)
            (game,) = store.games(run)
    assert game.record.outcome.detail.endswith("nothing"), game.record.outcome
    assert not (tmp_path / "trace").exists()
    assert sqlite3.connect(database).execute("select count(*) from games").fetchone() == (1,)


FORBIDDEN = """
import ctypes, fcntl, os, socket
def attempt(name, deed):
    try:
        deed()
        print(name, flush=True)
    except OSError:
        pass
def lease():
    file = os.open({ours!r}, os.O_RDONLY)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
def setting():
    for folder, _, names in os.walk("/proc/sys/kernel"):
        for name in names:
            if os.access(os.path.join(folder, name), os.W_OK): return
    raise OSError
def call(number, *words):
    if ctypes.CDLL(None, use_errno=True).syscall(number, *words) < 0: raise OSError
attempt("lease", lease)
attempt("setting of the kernel", setting)
attempt("socket to the host", lambda: socket.socket(40, socket.SOCK_STREAM))
attempt("socket of a cipher", lambda: socket.socket(38, socket.SOCK_SEQPACKET))
if os.uname().machine == "x86_64":
    attempt("keys of the session", lambda: call(250, 0, -3, 0))
    attempt("namespace", lambda: call(272, 0x10000000))
    attempt("number of the third way", lambda: call(0x40000000 | 39))
import subprocess, threading
thread = threading.Thread(target=subprocess.run, args=(["true"],))
thread.start()
thread.join()
fcntl.fcntl(os.open({ours!r}, os.O_RDONLY), fcntl.F_GETLEASE)
socket.socketpair()[0].close()
socket.socket().close()
print("end")
"""


@needs_sandbox
def test_calls_that_reach_others_are_refused(tmp_path):
    """A lease would hold up whoever opens one of our files; root's program may set the kernel."""
    bot = tmp_path / "bot.py"
    bot.write_text(FORBIDDEN.format(ours=str(bot)))
    engine = make_engine("connect4", f"exec:{sys.executable} {bot}", EngineSettings())
    done = subprocess.run(engine.command, check=False, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("end\n", "")


@needs_sandbox
def test_what_lies_beside_a_program_can_be_read_by_it(tmp_path):
    (tmp_path / "helper.py").write_text("name = 'beside'\n")
    bot = tmp_path / "bot.py"
    bot.write_text("import helper\nassert helper.name == 'beside'\n")
    engine = make_engine("connect4", f"exec:{sys.executable} {bot}", EngineSettings())
    assert subprocess.run(engine.command, check=False).returncode == 0


@pytest.mark.parametrize(
    ("written", "mode"), [("true", "on"), ("false", "off"), ('"auto"', "auto"), (None, "auto")]
)
def test_configurations_name_the_mode(tmp_path, written, mode):
    path = tmp_path / "cup.toml"
    line = f"sandbox = {written}\n" if written else ""
    path.write_text(f'game = "connect4"\nplayers = ["random", "mcts"]\n{line}')
    config = read_config(path)
    assert config.rules.engine.sandbox == mode
    stored = config.to_builtins()
    assert RunConfig.from_builtins(stored) == config
    stored["rules"]["engine"]["sandbox"] = mode == "on"  # as older versions kept it
    assert RunConfig.from_builtins(stored).rules.engine.sandbox == ("on" if mode == "on" else "off")


def test_a_trial_that_was_killed_proves_nothing(monkeypatch):
    """Somebody else's signal must not cost the sandbox; what fails by itself is no sandbox."""
    sandbox._try.cache_clear()
    codes = iter([-9, 137, 0])
    monkeypatch.setattr(sandbox, "_trial", lambda command: (next(codes), ""))
    assert sandbox._try("bwrap").available
    sandbox._try.cache_clear()
    codes = iter([1, 0])
    assert not sandbox._try("bwrap").available
    sandbox._try.cache_clear()


def test_a_trial_that_hangs_is_ended_with_all_it_started(monkeypatch, tmp_path):
    monkeypatch.setattr(sandbox, "_TRIAL_SECONDS", 0.5)
    script = f"(exec sleep 61; : {tmp_path}) & kill -STOP $$"
    code, said = sandbox._trial(["/bin/sh", "-c", script])
    assert code == -9 and "no answer" in said
    assert processes_of(tmp_path) == []
