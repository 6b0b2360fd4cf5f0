"""Kernels that kernels call, and the same ones called from Python."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground import kernels
from plyground.kernels import store

SOURCE = """
import numpy as np

from plyground.kernels import kernel


@kernel
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@kernel
def checked(n):
    if n > 20:
        raise ValueError("too large")
    return factorial(n)


@kernel(inline=True)
def row_of(n):
    return np.full(n, checked(n), np.int64)


@kernel
def total(n):
    row = row_of(n)
    return row[0] * row.size
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[types.ModuleType]:
    """A module in which kernels call kernels, another one for every test, with its own cache."""
    (tmp_path / "some_calls.py").write_text(f"{SOURCE}\n# {tmp_path}\n")
    (tmp_path / "kernels").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(store, "kernels_root", lambda: tmp_path / "kernels")
    yield kernels.compiled("some_calls")
    sys.modules.pop("some_calls", None)
    kernels.build._loaded.pop(("some_calls", (), True, kernels.boundschecked()))


def kept(module: types.ModuleType) -> set[str]:
    """The kernels of which there is machine code on disk."""
    assert module.__file__ is not None
    folder = Path(module.__file__).parent / "__pycache__"
    return {path.name.split("-")[0].split(".")[-1] for path in folder.glob("*.nbc")}


def test_kernels_give_python_and_each_other_the_same(module: types.ModuleType) -> None:
    assert module.total(4) == 96
    assert module.factorial(5) == 120
    assert module.row_of(3).tolist() == [6, 6, 6]
    assert module.total(4) == 96


def test_only_what_python_calls_becomes_machine_code(module: types.ModuleType) -> None:
    module.total(4)
    assert kept(module) == {"total"}
    module.checked(4)
    assert kept(module) == {"total", "checked"}


def test_both_forms_are_translated_once(
    module: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plyground.kernels import dispatcher

    names = []
    translate = dispatcher._InnerCompiler.compile_extra

    def note(self: dispatcher._InnerCompiler, function: types.FunctionType) -> object:
        names.append(function.__name__)
        return translate(self, function)

    monkeypatch.setattr(dispatcher._InnerCompiler, "compile_extra", note)
    assert (module.total(4), module.checked(4), module.factorial(4)) == (96, 24, 24)
    assert sorted(names) == ["checked", "factorial", "row_of", "total"]


def test_errors_come_through_from_kernels_behind_kernels(module: types.ModuleType) -> None:
    with pytest.raises(ValueError, match="too large"):
        module.total(21)
    with pytest.raises(ValueError, match="too large"):
        module.checked(21)


def test_another_numba_compiles_by_its_own_means(
    module: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = ("some_calls", (), True, kernels.boundschecked())
    kernels.build._loaded.pop(key)
    monkeypatch.setattr(kernels.build, "KNOWN_NUMBA", "none")
    other = kernels.compiled("some_calls")
    assert type(other.total).__name__ == "CPUDispatcher"
    assert (other.total(4), other.factorial(5)) == (96, 120)
    assert kept(other) >= {"total", "checked", "factorial"}


def test_numba_is_as_it_was_once_kernels_are_compiled(module: types.ModuleType) -> None:
    from numba.core.base import BaseContext
    from numba.core.postproc import PostProcessor
    from numba.core.types.functions import BaseFunction

    assert module.total(3) == 18
    ways = (BaseContext.get_function, BaseFunction.get_call_type, PostProcessor.run)
    assert {way.__module__.split(".")[0] for way in ways} == {"numba"}
