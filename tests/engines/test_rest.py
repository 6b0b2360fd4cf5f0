"""Who is not on turn stands still: after a moment, and never once it is on turn again."""

from __future__ import annotations

import threading
import time

import pytest

from plyground.engines import rest


class Stopped:
    """Takes down when it was suspended."""

    def __init__(self) -> None:
        self.event = threading.Event()

    def suspend(self) -> None:
        self.event.set()


@pytest.mark.parametrize(
    ("turn", "moment"), [(0.01, 0.0), (0.1, 0.001), (0.5, 0.005), (1.0, 0.01), (3600.0, 0.01)]
)
def test_the_moment_is_a_small_part_of_a_turn(turn, moment):
    assert rest.moment(turn) == pytest.approx(moment)


def test_everybody_is_suspended_when_due():
    warden, late, early = rest.Warden(), Stopped(), Stopped()
    warden.suspend_after(late, 0.2)
    warden.suspend_after(early, 0.01)
    assert early.event.wait(20)
    assert late.event.wait(20)
    again = Stopped()  # its thread waits for nobody by now
    warden.suspend_after(again, 0.001)
    assert again.event.wait(20)


def test_who_is_on_turn_again_is_spared():
    warden, spared, other = rest.Warden(), Stopped(), Stopped()
    for _ in range(100):
        warden.suspend_after(spared, 0.5)
        warden.spare(spared)
    warden.suspend_after(other, 0.6)
    assert other.event.wait(20)
    assert not spared.event.is_set()


def test_one_that_cannot_be_suspended_holds_up_nobody():
    class Gone:
        def suspend(self) -> None:
            raise ValueError("it has ended")

    warden, other = rest.Warden(), Stopped()
    warden.suspend_after(Gone(), 0.001)
    time.sleep(0.01)
    warden.suspend_after(other, 0.001)
    assert other.event.wait(20)


def test_where_no_thread_can_be_had_everybody_is_suspended_at_once(monkeypatch):
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    warden, first, second = rest.Warden(), Stopped(), Stopped()
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        warden.suspend_after(first, 60.0)
    assert first.event.is_set()
    warden.suspend_after(second, 0.001)  # and later one can be had
    assert second.event.wait(20)
