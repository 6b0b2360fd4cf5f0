"""Whoever waits for a first run can see what is compiled and how far that is."""

from __future__ import annotations

import json
import os
import sys
import time
import types
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest

from plyground.kernels import progress, store


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(store, "kernels_root", lambda: tmp_path / "kernels")
    return tmp_path


def package_of(names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with so many functions that are not compiled yet."""
    module = types.ModuleType("some_kernels.rules")
    for name in names:
        function = types.FunctionType((lambda x: x).__code__, {"__name__": module.__name__}, name)
        function.__module__ = module.__name__
        setattr(module, name, numba.njit(function))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return "some_kernels"


def compilation(package: str, name: str) -> SimpleNamespace:
    function = getattr(sys.modules[f"{package}.rules"], name).py_func
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})


def test_others_see_how_far_a_package_is(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    package = package_of(("one", "two", "three"), monkeypatch)
    monkeypatch.setitem(progress._labels, package, "games.some.rules")
    notes = progress._listener()
    assert progress.now_compiling() is None
    notes.on_start(compilation(package, "one"))
    assert progress.now_compiling() == progress.Compiling("games.some.rules", 0, 3)
    assert progress.now_compiling(by_others=True) is None
    notes.on_end(compilation(package, "one"))
    assert progress.now_compiling() == progress.Compiling("games.some.rules", 1, 3)
    for name in ("one", "two", "three"):  # the first in another form
        notes.on_start(compilation(package, name))
        notes.on_end(compilation(package, name))
    assert progress.Compiling("games.some.rules", 1, 31).seconds_left == 3
    assert progress.now_compiling() is None, "nothing is left to compile"
    assert capsys.readouterr().err.count("first run only") == 1


def test_notes_of_dead_processes_and_old_ones_say_nothing(cache: Path) -> None:
    folder = cache / "compiling"
    folder.mkdir()
    facts = json.dumps({"label": "x", "done": 1, "total": 9})
    (folder / "999999999.json").write_text(facts)
    (folder / "nonsense.json").write_text(facts)
    mine = folder / f"{os.getpid()}.json"
    mine.write_text(facts)
    assert progress.now_compiling() == progress.Compiling("x", 1, 9)
    long_ago = time.time() - 10 * progress.FRESH_SECONDS
    os.utime(mine, (long_ago, long_ago))
    assert progress.now_compiling() is None
    mine.write_text("not json")
    assert progress.now_compiling() is None
    assert sorted(path.name for path in folder.iterdir()) == [mine.name]
