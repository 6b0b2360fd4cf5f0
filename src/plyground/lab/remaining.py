"""How long the rest of a run will take, by what its jobs took so far."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable


class Remaining:
    """Estimates the time that is left. Jobs of one item (series, measurement) take about as long.

    Items of which nothing is known yet are taken for average ones of their experiment, or, if that
    is unknown too, of the run.
    """

    def __init__(self, jobs: Iterable[tuple[str, str]], workers: int) -> None:
        self._left = Counter(jobs)
        self._workers = workers
        self._spent: dict[tuple[str, ...], list[float]] = defaultdict(list)

    def done(self, experiment: str, item: str, seconds: float) -> None:
        """Count a finished job."""
        self._left[experiment, item] -= 1
        for key in ((experiment, item), (experiment,), ()):
            self._spent[key].append(seconds)

    @property
    def seconds(self) -> float | None:
        """The time left; None before the first job is done."""
        if not self._spent:
            return None
        total = sum(count * self._mean(*key) for key, count in self._left.items())
        return total / min(self._workers, max(1, self._left.total()))

    def _mean(self, experiment: str, item: str) -> float:
        keys: tuple[tuple[str, ...], ...] = ((experiment, item), (experiment,), ())
        known = next(self._spent[key] for key in keys if key in self._spent)
        return sum(known) / len(known)
