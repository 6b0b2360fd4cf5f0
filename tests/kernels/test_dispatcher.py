"""Kernels that kernels call, and the same ones called from Python."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from plyground import kernels
from plyground.kernels import store
from processes import run_python

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
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where modules of kernels may be written, with its own cache; nothing is compiled yet."""
    from plyground.kernels import dispatcher

    (tmp_path / "kernels").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(store, "kernels_root", lambda: tmp_path / "kernels")
    monkeypatch.setattr(dispatcher, "_first", {})
    before = set(kernels.build._loaded)
    yield tmp_path
    for key in set(kernels.build._loaded) - before:
        kernels.build._loaded.pop(key)
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(path.stem, None)


def write(folder: Path, name: str, source: str) -> types.ModuleType:
    """A compiled module of kernels, another one for every test."""
    (folder / f"{name}.py").write_text(f"{source}\n# {folder}\n")
    return kernels.compiled(name)


@pytest.fixture
def module(folder: Path) -> types.ModuleType:
    """A module in which kernels call kernels."""
    return write(folder, "some_calls", SOURCE)


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the kernels that have been translated so far."""
    from plyground.kernels import dispatcher

    names: list[str] = []
    translate = dispatcher._InnerCompiler.compile_extra

    def note(self: dispatcher._InnerCompiler, function: types.FunctionType) -> object:
        names.append(function.__name__)
        return translate(self, function)

    monkeypatch.setattr(dispatcher._InnerCompiler, "compile_extra", note)
    return names


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


def test_both_forms_are_translated_once(module: types.ModuleType, translated: list[str]) -> None:
    assert (module.total(4), module.checked(4), module.factorial(4)) == (96, 24, 24)
    assert sorted(translated) == ["checked", "factorial", "row_of", "total"]


ALIKE = """
from typing import NamedTuple

from plyground.kernels import kernel

LIMIT = {limit}


class Pair(NamedTuple):
    left: int
    right: int


@kernel
def capped(n):
    if n < 0:
        raise ValueError("negative")
    return min(n, LIMIT)


@kernel
def doubled(n):
    return 2 * capped(n)


@kernel
def paired(n):
    return Pair(n, doubled(n))


@kernel
def {name}(n):
    pair = paired(n)
    return Pair(pair.left, pair.right + doubled(n))
"""


def alike(folder: Path, name: str, limit: int) -> types.ModuleType:
    return write(folder, f"calls_{name}", ALIKE.format(name=name, limit=limit))


def test_what_is_the_same_in_two_packages_is_translated_once(
    folder: Path, translated: list[str]
) -> None:
    one, other, less = alike(folder, "one", 9), alike(folder, "other", 9), alike(folder, "less", 2)
    assert one.one(4) == (4, 16)
    assert sorted(translated) == ["capped", "doubled", "one", "paired"]
    translated.clear()
    assert other.other(5) == (5, 20)
    assert sorted(translated) == ["other", "paired"], "classes are a package's own"
    assert (type(one.one(4)), type(other.other(5))) == (one.Pair, other.Pair)
    assert less.less(5) == (5, 8), "what is read is another"
    assert (one.doubled(30), other.doubled(30), less.doubled(30)) == (18, 18, 4)


def test_a_process_needs_only_the_package_that_it_loads(folder: Path) -> None:
    alike(folder, "one", 9).one(4)
    alike(folder, "other", 9).other(4)
    store.seal_used()
    program = (
        "from plyground import kernels\n"
        "other = kernels.compiled('calls_other')\n"
        "print(*other.other(5))\n"
        "try: other.other(-1)\n"
        "except ValueError as error: print(error)\n"
    )
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    settings = {"PLYGROUND_CACHE_DIR": str(folder), "PYTHONPATH": path}
    done = run_python("-c", program, env={**os.environ, **settings}, timeout=120)
    assert done.stdout.splitlines() == ["5 20", "negative"]
    assert "compiling" not in done.stderr


def test_what_only_readers_of_its_code_ask_for_is_not_kept(module: types.ModuleType) -> None:
    module.total(4)
    (found,) = module.factorial._inner.overloads.values()
    assert not (found.type_annotation or found.metadata or found.fndesc.typemap)


def test_errors_come_through_from_kernels_behind_kernels(module: types.ModuleType) -> None:
    with pytest.raises(ValueError, match="too large"):
        module.total(21)
    with pytest.raises(ValueError, match="too large"):
        module.checked(21)


COPY = """
from plyground.kernels import kernel


@kernel
def copy(target, source):
    target[:] = source
"""


def test_a_slice_of_the_wrong_size_is_refused(folder: Path) -> None:
    """Without telling the two sizes: putting them into words takes a second to compile."""
    copy = write(folder, "a_copy", COPY).copy
    for source in ([3, 4], [5]):
        target = np.zeros(2, np.int64)
        copy(target, np.array(source))
        assert target.tolist() == (source * 2)[:2]
    with pytest.raises(ValueError, match="slice from input of different size"):
        copy(target, np.zeros(3, np.int64))
    assert target.tolist() == [5, 5]


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
    from numba.np import arrayobj

    assert module.total(3) == 18
    ways = (
        BaseContext.get_function,
        BaseFunction.get_call_type,
        PostProcessor.run,
        arrayobj.raise_with_shape_context,
    )
    assert {way.__module__.split(".")[0] for way in ways} == {"numba"}
