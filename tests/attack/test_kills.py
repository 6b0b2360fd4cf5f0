"""A run that is killed twice and goes on; `python -m tests.attack` does it fifty times."""

from __future__ import annotations

import pytest

from plyground.engines import processor_time
from tests.attack.kills import GAMES, kill_and_resume


@pytest.mark.slow
@pytest.mark.skipif(not processor_time.SUPPORTED, reason="needs /proc")
def test_no_game_is_lost_or_played_twice(tmp_path):
    assert len(kill_and_resume(tmp_path, kills=2, seed=3)) == GAMES
