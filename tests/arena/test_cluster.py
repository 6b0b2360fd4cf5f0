"""A real cluster of two worker processes, one of which is killed in the middle."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from scripted_players import processes_of, write_engine

GAMES = 12


@pytest.fixture
def cluster(tmp_path):
    # Here because it takes a while to load, and one process of those that run the tests needs it.
    distributed = pytest.importorskip("distributed", reason="needs the extra `cluster`")
    scheduler = subprocess.Popen(
        [
            *(sys.executable, "-m", "distributed.cli.dask_scheduler"),
            *("--host", "127.0.0.1", "--port", "0", "--no-dashboard"),
            *("--scheduler-file", str(tmp_path / "scheduler.json")),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not (tmp_path / "scheduler.json").exists():
        assert scheduler.poll() is None
        time.sleep(0.1)
    time.sleep(0.2)
    address = json.loads((tmp_path / "scheduler.json").read_text())["address"]
    workers = [
        subprocess.Popen(
            [
                *(sys.executable, "-m", "distributed.cli.dask_worker", address),
                *("--nthreads", "1", "--no-nanny", "--no-dashboard"),
                *("--local-directory", str(tmp_path / f"worker{number}")),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for number in range(2)
    ]
    with distributed.Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    yield address, workers
    for process in (*workers, scheduler):
        process.terminate()
    for process in (*workers, scheduler):
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run_match(tmp_path, players, name, *extra):
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "plyground", "match", "connect4", *players),
            *("--games", str(GAMES), "--nodes", "50", "--seed", "9", "--json"),
            *("--database", str(tmp_path / f"{name}.sqlite"), *extra),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    out, errors = process.communicate(timeout=180)
    assert process.returncode == 0, errors
    return json.loads(out)


def test_killed_worker_costs_nothing_but_time(tmp_path, cluster):
    address, workers = cluster
    folder = tmp_path / "engines"
    folder.mkdir()
    players = ["mcts", write_engine(folder, "slow", go="time.sleep(0.02)")]
    remote = run_match(tmp_path, players, "remote", "--executor", f"dask:{address}")
    deadline = time.monotonic() + 60
    while len(processes_of(folder)) < 4 and time.monotonic() < deadline:
        time.sleep(0.1)
        assert remote.poll() is None, remote.communicate()
    time.sleep(1.0)
    workers[0].kill()
    there = finish(remote)
    here = finish(run_match(tmp_path, players, "local"))
    assert len(there["games"]) == GAMES
    for field in ("wins", "draws", "score", "elo"):
        assert there[field] == here[field]
    assert [game["moves"] for game in there["games"]] == [game["moves"] for game in here["games"]]
    for _ in range(100):
        if not processes_of(folder):
            break
        time.sleep(0.05)
    assert processes_of(folder) == []
