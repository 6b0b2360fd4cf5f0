"""The warm process: `python -m plyground.engines.nursery_process DESCRIPTOR`, see `nursery.py`.

It answers each request by a fork that becomes a supervisor, which forks the engine. It ends when
the other end of its socket is closed.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import random
import signal
import socket
import sys
import traceback
from functools import partial
from typing import Any, NoReturn

from plyground.core import discovery
from plyground.core.registry import make_agent, make_game
from plyground.engines import supervisor
from plyground.engines.host import rehearse, run_host
from plyground.engines.process import SupervisorPipes

_REQUEST_BYTES = 1 << 16
_DESCRIPTORS = len(SupervisorPipes._fields)


def main() -> None:
    """Serve requests until the socket is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system collects supervisors that end
    discovery.leave_plug_ins_out()
    requests = socket.socket(fileno=int(sys.argv[1]))
    ready: set[tuple[str, str]] = set()
    while True:
        data, descriptors, *_ = socket.recv_fds(requests, _REQUEST_BYTES, _DESCRIPTORS)
        if not data:
            return
        request = json.loads(data)
        kind = request["game"], request["agent"]
        if kind not in ready:
            _load(*kind, request["options"])
            ready.add(kind)
        pipes = SupervisorPipes(*descriptors)
        if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208 - a fork would lose the others
            _refuse(pipes)
        elif os.fork() == 0:
            requests.close()
            _supervise(request, pipes)
        for descriptor in pipes:
            os.close(descriptor)


def _load(game: str, agent: str, options: dict[str, Any]) -> None:
    """Import and load what this agent needs, by a tiny search; the engine says what fails."""
    with contextlib.suppress(Exception):
        rules = make_game(game, options)
        player = make_agent(game, agent)
        player.new_game(rules, 0)
        player.warm_up()
        rehearse(player, rules.start())
    gc.collect()
    gc.freeze()


def _refuse(pipes: SupervisorPipes) -> None:
    report = {"failed": "the nursery has several threads and cannot fork"}
    os.write(pipes.status, json.dumps(report).encode() + b"\n")


def _supervise(request: dict[str, Any], pipes: SupervisorPipes) -> NoReturn:
    """In the first fork: be the supervisor of one engine."""
    code = 1
    try:
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.chdir(request["folder"])
        os.dup2(pipes.engine_in, 0)
        os.dup2(pipes.engine_out, 1)
        os.close(pipes.engine_in)
        os.close(pipes.engine_out)
        settings = {**request, "control": pipes.control, "status": pipes.status, "log": pipes.log}
        game, agent = request["game"], request["agent"]
        supervisor.supervise(settings, agent, partial(_become_engine, game, agent))
        code = 0
    finally:
        os._exit(code)


def _become_engine(game: str, agent: str) -> NoReturn:
    """In the second fork: be the engine, with nothing of the others' but the memory."""
    code = 1
    try:
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        random.seed()
        if "numpy" in sys.modules:
            import numpy as np

            np.random.seed()
        code = run_host(game, agent)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
