"""A few of the bad programs; `python -m tests.attack` plays all of them."""

from __future__ import annotations

import pytest

from plyground.core.outcome import Termination
from plyground.engines import clocks, containment
from scripted_players import processes_of
from tests.attack.programs import kinds, play

CHOSEN = [
    "says deep nesting at go",
    "says a huge number of nodes at go",
    "says surrogates at hello",
    "turns into another at go, sandbox auto",
    "leaves a daemon that writes at new_game, sandbox off",
    "fills its home at go, sandbox auto",
    "kills its parent at go, sandbox off",
    "writes to the supervisor at hello, sandbox off",
    "leaves its control group at go, sandbox off",
    "runs from its killer at go, sandbox off",
    "talks to itself at go, sandbox auto",
    "answers for ever at go, sandbox auto",
]
KINDS = {kind.name: (number, kind) for number, kind in enumerate(kinds())}


def test_there_are_two_hundred_kinds():
    assert len(KINDS) >= 200


@pytest.mark.parametrize("name", CHOSEN)
def test_a_bad_program_ends_nothing_but_its_own_game(name, tmp_path, monkeypatch):
    monkeypatch.setattr(clocks, "WALL_SECONDS", 3.0)
    number, kind = KINDS[name]
    record = play(kind, tmp_path, number)
    assert record.outcome is not None
    failed = record.outcome.termination is not Termination.NORMAL
    assert not failed or record.outcome.winner == 1 - number % 2, record.outcome
    assert len(record.outcome.detail) <= 500 and record.outcome.detail.isprintable()
    assert processes_of(tmp_path) == []


@pytest.mark.parametrize("name", CHOSEN[3:6])
def test_without_control_groups_it_is_the_same(name, tmp_path, monkeypatch):
    monkeypatch.setattr(containment, "lent_groups", lambda: (None, "not for this test"))
    test_a_bad_program_ends_nothing_but_its_own_game(name, tmp_path, monkeypatch)
