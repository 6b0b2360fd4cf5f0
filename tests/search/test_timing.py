"""The stopwatch, on a clock of its own."""

from __future__ import annotations

import pytest

from plyground.core.limits import Limit
from plyground.search.timing import Stopwatch


class Search:
    """Stands for a search whose nodes cost what they cost."""

    def __init__(self, seconds_a_node: float) -> None:
        self.cost, self.time = seconds_a_node, 0.0

    def run(self, limit: Limit) -> Stopwatch:
        watch = Stopwatch(limit, now=lambda: self.time)
        while (budget := watch.next_slice()) > 0:
            self.time += budget * self.cost
            watch.spent(budget)
        return watch


@pytest.mark.parametrize("cost", [1e-8, 1e-6, 1e-5, 1e-4, 3e-4])
def test_time_is_used_and_kept_whatever_a_node_costs(cost):
    search = Search(cost)
    watch = search.run(Limit(time=0.1))
    assert 0.09 < search.time < 0.1 + cost + 0.002
    assert watch.nodes == pytest.approx(search.time / cost)


def test_slices_grow_when_a_search_rounds_them_down():
    watch = Stopwatch(Limit(time=1.0), now=lambda: 0.0)
    first = watch.next_slice()
    watch.spent(first - 1)
    assert watch.next_slice() > first


def test_time_never_changes_a_search_under_a_node_limit():
    hours = iter(range(0, 10**6, 3600))
    watch = Stopwatch(Limit(nodes=5000), now=lambda: float(next(hours)))
    sizes = []
    while (budget := watch.next_slice()) > 0:
        sizes.append(budget)
        watch.spent(budget)
    assert sizes == [2000, 2000, 1000]


def test_slices_of_a_game_with_slow_rules_stay_small():
    watch = Stopwatch(Limit(time=1.0), now=lambda: 0.0, most=4)
    sizes = []
    for _ in range(6):
        sizes.append(watch.next_slice())
        watch.spent(sizes[-1])
    assert max(sizes) == 4
