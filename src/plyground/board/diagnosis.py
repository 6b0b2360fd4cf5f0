"""Numba's errors in the author's words: file, line, one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from plyground.board.generate import Generated
from plyground.board.source import GameSource
from plyground.core.errors import GameFileError
from plyground.kernels.compiler import load_numba

_NOISE = re.compile(r"\x1b\[[0-9;]*m")
_HINTS = (
    (
        "Cannot unify",
        "a name holds values of two kinds; give it one kind (a number stays a number)",
    ),
    (
        "Use of unsupported opcode",
        "this construction cannot be compiled; write it with plain loops",
    ),
    ("is not defined", "a name may be used before it has a value"),
    ("f-strings", "texts have no place in a compiled function: leave it out"),
    ("reflected list", "use a tuple instead of a list"),
    ("reflected set", "use a tuple instead of a set"),
)
_SIGNS = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "contains": "in",
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "invert": "~", "neg": "-",
    "iadd": "+=", "isub": "-=", "imul": "*=", "getitem": "[...]", "setitem": "[...] =",
}  # fmt: skip
"""What authors write for Numba's names of operations."""


@contextmanager
def explained(made: Generated, source: GameSource) -> Iterator[None]:
    """Turn what Numba says while it compiles into a GameFileError."""
    load_numba()  # two threads that import it at once lock each other out, and it stays broken
    from numba.core.errors import NumbaError, UnsupportedBytecodeError

    try:
        yield
    except (NumbaError, UnsupportedBytecodeError) as error:
        raise GameFileError(sentence(str(error), made, source)) from None
    except Exception as error:
        if not _raised_by_the_compiler(error):
            raise
        raise GameFileError(
            f"{source.short}: cannot be compiled: {type(error).__name__} in the compiler ({error})"
        ) from error


def _raised_by_the_compiler(error: Exception) -> bool:
    """Whether the error comes from Numba's own Python code, not from what it has compiled."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = trace.tb_frame.f_globals.get("__name__", "") if trace is not None else ""
    return name.partition(".")[0] in ("numba", "llvmlite")


def sentence(text: str, made: Generated, source: GameSource) -> str:
    """What Numba said about a generated module, as `file:line: cannot be compiled: why`."""
    text = _NOISE.sub("", text)
    line = _line(text, made)
    where = f"{source.short}:{line}" if line else source.short
    reason = _reason(text)
    hint = next((advice for sign, advice in _HINTS if sign in text), "")
    return f"{where}: cannot be compiled: {reason}" + (f" ({hint})" if hint else "")


def _line(text: str, made: Generated) -> int | None:
    """The author's line of the innermost place that Numba names."""
    found = [int(n) for n in re.findall(r'File "[^"]*' + made.name + r'[^"]*", line (\d+)', text)]
    found += [int(n) for n in re.findall(made.name + r"\.py \((\d+)\)", text)]
    known = [made.lines[n] for n in found if n in made.lines]
    return known[0] if known else None


def _reason(text: str) -> str:
    """The first sentence that says what is wrong."""
    missing = re.search(r"No implementation of function .*\s+>>> (\w+)\((.*)\)", text)
    if missing:
        operation, kinds = missing.groups()
        sign = _SIGNS.get(operation, f"{operation}()")
        return f"{sign} does not work for {re.sub(r'Literal.int..(-?[0-9]+).', 'int64', kinds)}"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    skipped = ("Failed in nopython", "During:", "File ", "[1]", "[2]", "-", "There are", ">>>", "*")
    useful = [
        line
        for line in lines
        if not line.startswith(skipped) and "<source elided>" not in line and "^" not in line
    ]
    preferred = [
        line
        for line in useful
        if re.search(
            r"must be|holds whole|Cannot unify|No implementation|unsupported|Unknown "
            r"attribute|not defined|Invalid use|No conversion|dimensions",
            line,
        )
    ]
    found = (preferred or useful or ["unknown reason"])[0]
    found = found.partition(" Raised from")[0].partition(" for '$")[0].partition(", defined at")[0]
    return re.sub(r"Literal\[int\]\((-?\d+)\)", "int64", found).rstrip(":")[:300]
