"""Runs what is left of experiments, on several processes, and keeps every result at once."""

from __future__ import annotations

import concurrent.futures as futures
import itertools
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from plyground.lab.experiment import Experiment, Measure, Scale, Series, experiments
from plyground.lab.journal import Journal
from plyground.store import StoredGame


@dataclass(frozen=True)
class Job:
    """One game or measurement of an experiment."""

    experiment: str
    scale: Scale
    item: str
    number: int


@dataclass(frozen=True)
class Done:
    """What came of a job: an encoded game, the values of a measurement, or an error in words."""

    result: bytes | dict[str, Any] | None
    seconds: float
    error: str = ""


Progress = Callable[[Job, float], None]
"""Called after each finished job with its duration in seconds."""

KeepOn = Callable[[], bool]
"""Whether another job may be begun."""


def always() -> bool:
    """A `KeepOn` without an end."""
    return True


def run_experiments(
    chosen: Sequence[Experiment],
    scale: Scale,
    journal: Journal,
    jobs: int,
    progress: Progress,
    keep_on: KeepOn = always,
) -> list[tuple[Job, str]]:
    """Do all that is pending, as long as `keep_on` says so; the jobs that failed, with the reason.

    Jobs that measure time run alone, after all others. A failed job is left for the next run.
    """
    shared: list[Job] = []
    alone: list[Job] = []
    for experiment in chosen:
        for item, number in journal.pending(experiment, scale):
            job = Job(experiment.name, scale, item.name, number)
            quiet = isinstance(item, Measure) and item.alone
            (alone if quiet else shared).append(job)
    keep = _Keeper(chosen, scale, journal, progress)
    if jobs > 1 and len(shared) > 1:
        for job, done in _in_processes(shared, jobs, keep_on):
            keep(job, done)
    else:
        for job in _while(keep_on, shared):
            keep(job, perform(job))
    for job in _while(keep_on, alone):
        keep(job, perform(job))
    return keep.failures


def _while(keep_on: KeepOn, jobs: Iterable[Job]) -> Iterator[Job]:
    return itertools.takewhile(lambda _: keep_on(), jobs)


class _Keeper:
    """Writes results to the journal as they come."""

    def __init__(
        self, chosen: Sequence[Experiment], scale: Scale, journal: Journal, progress: Progress
    ) -> None:
        self._by_name = {experiment.name: experiment for experiment in chosen}
        self._scale, self._journal, self._progress = scale, journal, progress
        self.failures: list[tuple[Job, str]] = []

    def __call__(self, job: Job, done: Done) -> None:
        experiment = self._by_name[job.experiment]
        if done.result is None:
            self.failures.append((job, done.error))
        elif isinstance(done.result, bytes):
            game = msgspec.json.decode(done.result, type=StoredGame)
            self._journal.add_game(experiment, self._scale, game)
        else:
            item = _find_item(job)
            assert isinstance(item, Measure)
            self._journal.add_value(item, done.result, done.seconds)
        self._progress(job, done.seconds)


def perform(job: Job) -> Done:
    """Do a job in this process; whatever goes wrong becomes words."""
    from plyground.lab.players import play_series_game

    started = time.perf_counter()
    try:
        item = _find_item(job)
        result: bytes | dict[str, Any]
        if isinstance(item, Series):
            result = msgspec.json.encode(play_series_game(item, job.number))
        else:
            result = item.function(**item.arguments)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        return Done(None, time.perf_counter() - started, reason)
    return Done(result, time.perf_counter() - started)


_items: dict[tuple[str, Scale], dict[str, Series | Measure]] = {}


def _find_item(job: Job) -> Series | Measure:
    key = (job.experiment, job.scale)
    if key not in _items:
        plan = experiments()[job.experiment].plan(job.scale)
        _items[key] = {item.name: item for item in plan}
    return _items[key][job.item]


def _in_processes(work: Sequence[Job], jobs: int, keep_on: KeepOn) -> Iterator[tuple[Job, Done]]:
    """Results in the order in which they come; a few jobs wait at each worker, not all."""
    queue = _while(keep_on, work)
    context = multiprocessing.get_context("spawn")
    with futures.ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_start_worker, initargs=(os.getpid(),)
    ) as pool:
        running: dict[futures.Future[Done], Job] = {}
        try:
            while True:
                while len(running) < jobs + 2:
                    job = next(queue, None)
                    if job is None:
                        break
                    running[pool.submit(perform, job)] = job
                if not running:
                    return
                done, _ = futures.wait(running, return_when=futures.FIRST_COMPLETED)
                for future in done:
                    job = running.pop(future)
                    yield job, future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _start_worker(parent: int) -> None:
    """A worker ends with its parent, also when that is killed."""
    import signal
    import threading

    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
