"""How long an agent may think."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from numbers import Integral, Real
from typing import Literal

import msgspec

from plyground.core.errors import LimitError

TimeBy = Literal["wall", "cpu"]
"""What seconds are: those on the wall, or those of processors that work for a program."""

MOST_SECONDS = 1e6
MOST_COUNTED = 2**62
MOST_THREADS = 256
"""No limit is wider than these."""

HELPERS_SOONER = 0.02
"""Seconds by which further threads of a search end before the first, at most."""

Seconds = Callable[[], float]
"""A clock: two readings differ by the seconds between them."""


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is left on a player's game clock, in seconds, and what each move adds to it."""

    remaining: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        for name, value in (("remaining", self.remaining), ("increment", self.increment)):
            if not 0 <= value <= MOST_SECONDS:
                raise LimitError(
                    f"clock: {name} must be 0 to {MOST_SECONDS:g} seconds, not {value}"
                )

    @classmethod
    def parse(cls, text: str) -> Clock:
        """Read `BASE` or `BASE+INC`, in seconds: `30`, `60+0.5`."""
        base, plus, increment = text.partition("+")
        try:
            return cls(float(base), float(increment) if plus else 0.0)
        except ValueError:
            raise LimitError(f"clock {text!r} is not BASE or BASE+INC in seconds") from None

    def __str__(self) -> str:
        return f"{self.remaining:g}+{self.increment:g}" if self.increment else f"{self.remaining:g}"


class Limit(msgspec.Struct, frozen=True, omit_defaults=True):
    """Limits on one search; the first one reached ends it. No limit at all means: until stopped.

    `time` is seconds for this move, `nodes` positions or simulations as the agent counts them,
    `depth` plies, `clock` the player's game clock, from which the agent takes what it thinks right.
    `by` says what the seconds of `time` and `clock` are. `threads` is how many threads may search
    at the same time; a search that knows only one uses one.
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: Clock | None = None
    by: TimeBy = "wall"
    threads: int = 1

    def __post_init__(self) -> None:
        if self.time is not None and not (
            isinstance(self.time, Real) and 0 < self.time <= MOST_SECONDS
        ):
            raise LimitError(
                f"time must be seconds above 0, at most {MOST_SECONDS:g}, not {self.time!r}"
            )
        for name, count in (("nodes", self.nodes), ("depth", self.depth)):
            if count is not None and not isinstance(count, Integral):
                raise LimitError(f"{name} must be a whole number, not {count!r}")
            if count is not None and count < 1:
                raise LimitError(f"{name} must be at least 1, not {count}")
            if count is not None and count > MOST_COUNTED:
                raise LimitError(f"{name} must be at most {MOST_COUNTED}")
        if not 1 <= self.threads <= MOST_THREADS:
            raise LimitError(f"threads must be between 1 and {MOST_THREADS}, not {self.threads}")

    def after(self, seconds: float) -> Limit:
        """What is left of this limit when a search begins that much late."""
        clock = self.clock
        if clock is not None:
            clock = Clock(max(0.0, clock.remaining - seconds), clock.increment)
        time = None if self.time is None else max(1e-3, self.time - seconds)
        return msgspec.structs.replace(self, time=time, clock=clock)

    def at_most(self, nodes: int = 0, depth: int = 0) -> Limit:
        """This limit, and no more nodes and plies than these; 0 leaves them as they are."""
        return msgspec.structs.replace(
            self,
            nodes=min(self.nodes or nodes, nodes) if nodes else self.nodes,
            depth=min(self.depth or depth, depth) if depth else self.depth,
        )

    def part(self, share: float) -> Limit:
        """A share of the time and the nodes; depth and clock stay."""
        return msgspec.structs.replace(
            self,
            time=None if self.time is None else self.time * share,
            nodes=None if self.nodes is None else max(1, int(self.nodes * share)),
        )

    def for_each_thread(self) -> Limit:
        """What each of the threads may use: all of the time, its share of the nodes."""
        nodes = None if self.nodes is None else max(1, self.nodes // self.threads)
        return msgspec.structs.replace(self, nodes=nodes, threads=1)

    def for_helpers(self) -> Limit:
        """The same for threads that another one waits for: they end a little sooner."""
        share = self.for_each_thread()
        return share if share.time is None else share.after(min(0.1 * share.time, HELPERS_SOONER))

    def on_all_cores(self) -> Limit:
        """With a thread for each core; a search that is counted stays repeatable with one."""
        if self.nodes is not None or self.depth is not None:
            return self
        return msgspec.structs.replace(self, threads=min(os.cpu_count() or 1, MOST_THREADS))

    def within(self, other: Limit) -> Limit:
        """Whatever of two limits is narrower; the clock is this one's, if it has one."""

        def narrower(mine: float | None, theirs: float | None) -> float | None:
            return min((one for one in (mine, theirs) if one is not None), default=None)

        nodes, depth = narrower(self.nodes, other.nodes), narrower(self.depth, other.depth)
        return Limit(
            narrower(self.time, other.time),
            None if nodes is None else int(nodes),
            None if depth is None else int(depth),
            self.clock or other.clock,
            self.by,
            self.threads,
        )

    @property
    def now(self) -> Seconds:
        """The clock that this limit is kept by, in the process that searches."""
        return time.process_time if self.by == "cpu" else time.perf_counter

    @property
    def timed(self) -> bool:
        """Whether time decides: such a search may use threads and need not be repeatable."""
        return self.time is not None or self.clock is not None

    @property
    def endless(self) -> bool:
        """Whether nothing limits the search."""
        return not self.timed and self.nodes is None and self.depth is None

    def __str__(self) -> str:
        parts = [
            f"{self.time:g} s a move" if self.time is not None else "",
            f"{self.nodes} nodes" if self.nodes is not None else "",
            f"depth {self.depth}" if self.depth is not None else "",
            f"clock {self.clock}" if self.clock is not None else "",
        ]
        unit = " of processor time" if self.timed and self.by == "cpu" else ""
        threads = f", {self.threads} threads" if self.threads > 1 else ""
        return (", ".join(part for part in parts if part) or "no limit") + unit + threads
