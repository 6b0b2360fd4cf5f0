"""Where games are played, and what may not hold them up."""

from __future__ import annotations

import gc

from puppets import make_task

from plyground.arena import executors
from plyground.arena.events import Event, MovePlayed
from plyground.core.limits import Limit


def test_no_move_waits_for_a_search_through_all_that_is_loaded():
    """Python's collector would go through it in some hundredths of a second."""
    spared: list[int] = []

    def hear(event: Event) -> None:
        if isinstance(event, MovePlayed):
            spared.append(gc.get_freeze_count())

    executors._spare_what_is_loaded.cache_clear()
    gc.unfreeze()
    loaded = len(gc.get_objects())
    task = make_task(players=("random", "random"), limits=(Limit(nodes=1),) * 2)
    with executors.LocalExecutor(1, hear) as executor:
        executor.submit(task)
        while executor.next_result(1.0) is None:
            pass
    gc.unfreeze()
    assert min(spared) > 0.8 * loaded
