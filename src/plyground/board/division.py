"""Divisors of an author's functions: compiled code would go on after a division by zero.

This is the plain twin of `division_native`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

# Not an import statement: the compile layer would copy the class, and a copy is caught nowhere.
GameFileError = importlib.import_module("plyground.core.errors").GameFileError

BY_ZERO = "{}:{}: division by zero"


def dividing(file: str) -> Callable[[Any, int], Any]:
    """`divisor` for a game in this file: gives a number back, a GameFileError for 0."""

    def divisor(value: Any, line: int) -> Any:
        if not isinstance(value, np.ndarray) and value == 0:
            raise GameFileError(BY_ZERO.format(file, line))
        return value

    return divisor
