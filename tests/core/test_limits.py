"""Limits on a search."""

from __future__ import annotations

import pytest

from plyground.core.errors import LimitError
from plyground.core.limits import Clock, Limit


def test_the_tighter_of_two_limits_holds():
    limit = Limit(time=1.0, nodes=1000, depth=6)
    assert limit.at_most(nodes=10, depth=4) == Limit(time=1.0, nodes=10, depth=4)
    assert limit.at_most(nodes=5000, depth=9) == limit
    assert limit.at_most() == limit
    assert Limit(clock=Clock(30)).at_most(depth=4) == Limit(depth=4, clock=Clock(30))


def test_a_late_start_comes_off_the_time_and_the_clock():
    limit = Limit(time=1.0, nodes=7, clock=Clock(30, 1)).after(0.25)
    assert limit == Limit(time=0.75, nodes=7, clock=Clock(29.75, 1))
    assert Limit(clock=Clock(1)).after(2) == Limit(clock=Clock(0))
    late = Limit(time=0.1).after(5).time
    assert late is not None and 0 < late < 0.01


@pytest.mark.parametrize(
    "values", [{"time": 0}, {"time": float("nan")}, {"nodes": 0}, {"depth": -1}]
)
def test_a_limit_that_makes_no_sense_is_refused(values):
    with pytest.raises(LimitError, match=next(iter(values))):
        Limit(**values)


@pytest.mark.parametrize("text", ["", "abc", "30+", "30+x", "-1", "inf"])
def test_a_clock_that_makes_no_sense_is_refused(text):
    with pytest.raises(LimitError, match="clock"):
        Clock.parse(text)
