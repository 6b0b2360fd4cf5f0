"""A process that compiles ahead: it is told players on its input and says when each is ready.

It ends when its input does, so with whoever started it. Whoever waits for it looks once a second
whether it lives and works: nothing that happens to it or to its pipes keeps anybody waiting.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plyground.core.game import OptionValue
from plyground.engines.nursery import ONE_THREAD
from plyground.engines.processor_time import SUPPORTED, own_seconds

BACKGROUND = 3
"""Niceness of what compiles while games are played already."""

_LOOK_SECONDS = 1.0
IDLE_SECONDS = 30.0
"""A process that has not worked for so long will not answer any more, and is ended."""

MOST_OBJECTS = 1_500_000
"""So many new objects, some 300 MB, are let be: a tenth of the time would go to garbage."""


class CompileProcess:
    """One such process, started when it is first asked; for one thread, but for `close`."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The process, None while there is none."""
        return None if self._process is None else self._process.pid

    def prepare(
        self, game: str, agent: str, options: Mapping[str, OptionValue], stamp: Path
    ) -> None:
        """Wait until this player is prepared, or the process can be no help."""
        process = self._running()
        if process is None:
            return
        request = {"game": game, "agent": agent, "options": dict(options), "stamp": str(stamp)}
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            os.write(process.stdin.fileno(), json.dumps(request).encode() + b"\n")
            if self._answers(process):
                return
        self.reap()  # the next player gets a new one

    def _running(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._process is None and not self._closed:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", __name__],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={**os.environ, **ONE_THREAD},
                )
            return self._process

    def _answers(self, process: subprocess.Popen[bytes]) -> bool:
        """Whether it says a line, as it does after its work."""
        assert process.stdout is not None
        data = b""
        worked, since = 0.0, time.monotonic()
        while b"\n" not in data:
            if select.select([process.stdout], [], [], _LOOK_SECONDS)[0]:
                piece = os.read(process.stdout.fileno(), 4096)
                data += piece
                if not piece or len(data) > 1 << 16:
                    return False
                continue
            with contextlib.suppress(OSError):
                os.kill(process.pid, signal.SIGCONT)  # somebody may have stopped it
            now, seconds = time.monotonic(), own_seconds(process.pid) if SUPPORTED else 0.0
            if seconds > worked or not SUPPORTED:
                worked, since = seconds, now
            if process.poll() is not None or now - since > IDLE_SECONDS:
                return False
        return True

    def close(self) -> None:
        """End it; what is compiled so far is kept."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def reap(self) -> None:
        """End it by force and forget it, once no thread listens to it."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()


# In the process --------------------------------------------------------------------------------


def main() -> None:
    """Prepare players until the input ends."""
    os.nice(BACKGROUND)
    gc.disable()
    answers = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    while True:
        try:
            request = json.loads(requests.get())
            stamp = Path(request["stamp"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue  # nobody of ours has asked that
        with contextlib.suppress(Exception):  # the engine will say what is wrong
            _prepare(request, stamp)
        os.write(answers, b"done\n")
        _look_for_garbage()


def _look_for_garbage() -> None:
    """Only once there is much of it: nobody else does in this process."""
    if gc.get_count()[0] > MOST_OBJECTS:
        gc.collect()


def _listen(requests: queue.SimpleQueue[bytes]) -> None:
    for line in sys.stdin.buffer:
        requests.put(line)
    os._exit(1)


def _prepare(request: dict[str, Any], stamp: Path) -> None:
    """The stamp is named by whoever asks: files may be newer by now."""
    from plyground.engines.preparation import Player
    from plyground.kernels.store import seal_used

    Player.of(request["game"], request["agent"], request["options"]).prepare()
    seal_used()  # this process is killed in the end
    stamp.mkdir(exist_ok=True)


if __name__ == "__main__":
    main()
