"""Tells which kernels of different generated packages are the same.

The rules of a game go into the package of every search that plays it. What is the same there is
typed and translated once in a process (`dispatcher`), whichever package it is called from.
"""

from __future__ import annotations

import hashlib
import re
import sys
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba.extending import _Intrinsic

_PACKAGE = re.compile(r"\bplyground_kernels_[0-9a-f]{20}\b")
_IMPORT = re.compile(r"from PACKAGE(?:\.(\w+))? import (\w+)")

_known: dict[Any, str] = {}


def likeness(kernel: Any) -> str:
    """Equal for two kernels only if they are the same, with all that they call and read."""
    if kernel not in _known:
        # Whoever gets here again is recursive, and like no other.
        _known[kernel] = f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"
        _known[kernel] = _digest(_facts(kernel))
    return _known[kernel]


def _digest(facts: Any) -> str:
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _facts(kernel: Any) -> list[Any]:
    function = kernel.py_func
    facts = [function.__qualname__, _code(function.__code__), sorted(kernel.targetoptions.items())]
    facts.append(_value(function.__defaults__))
    if function.__closure__ is not None:
        facts.append(function.__module__)
    names = set(_names(function.__code__))
    for name in sorted(names & set(function.__globals__)):
        value = function.__globals__[name]
        if isinstance(value, types.ModuleType):
            facts.append([(name, _attribute(value, each)) for each in sorted(names)])
        else:
            facts.append((name, _attribute(sys.modules[function.__module__], name)))
    return facts


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _code(code: types.CodeType) -> list[Any]:
    """What a function does, wherever it stands."""
    constants = [
        _code(each) if isinstance(each, types.CodeType) else (type(each), each)
        for each in code.co_consts
    ]
    return [code.co_code, code.co_exceptiontable, code.co_names, code.co_varnames, constants]


def _attribute(module: types.ModuleType, name: str) -> Any:
    """What tells a module's attribute from others; of a package's own it is what it says there."""
    if not _PACKAGE.match(module.__name__):
        return module.__name__
    value = getattr(module, name, None)
    if isinstance(value, _Intrinsic):
        return name, _sources(Path(module.__file__ or ""))
    return _value(value)


def _value(value: Any) -> Any:
    """What tells a value from others: for classes of a package that is its place."""
    if hasattr(value, "py_func"):
        return likeness(value)
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, hashlib.sha256(value.tobytes()).hexdigest()
    if type(value) is tuple:
        return [_value(each) for each in value]
    if value is None or isinstance(value, (np.generic, int, float, str, bytes)):
        return type(value), value
    place = getattr(value, "__module__", ""), getattr(value, "__qualname__", "")
    return place if getattr(sys.modules.get(place[0]), place[1], None) is value else id(value)


@cache
def _sources(path: Path) -> str:
    """A checksum of a generated module with all that it imports of its package."""
    found: dict[str, str] = {}
    waiting = [path.stem]
    while waiting:
        name = waiting.pop()
        if name not in found:
            text = (path.parent / f"{name}.py").read_text(encoding="utf-8")
            found[name] = _PACKAGE.sub("PACKAGE", text)
            waiting += [module or name for module, name in _IMPORT.findall(found[name])]
    return _digest(sorted(found.items()))
