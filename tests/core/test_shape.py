"""Functions stay small: few that take many arguments, few that are long."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

HOUSE = Path(__file__).parents[2] / "src" / "plyground"
MANY_ARGUMENTS, AT_MOST_SUCH = 8, 5
MANY_LINES, AT_MOST_LONG = 80, 6


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in sorted(HOUSE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(HOUSE)}:{node.lineno} {node.name}", node


def argument_count(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    given = function.args
    names = [given.posonlyargs, given.args, given.kwonlyargs]
    return sum(argument.arg not in ("self", "cls") for group in names for argument in group)


def test_few_functions_take_many_arguments():
    """Commands are left out: there an argument is an option of the command line."""
    found = [
        place
        for place, function in functions()
        if not place.startswith("cli/") and argument_count(function) > MANY_ARGUMENTS
    ]
    assert len(found) <= AT_MOST_SUCH, found


def test_few_functions_are_long():
    found = [
        place
        for place, function in functions()
        if function.end_lineno - function.lineno + 1 > MANY_LINES
    ]
    assert len(found) <= AT_MOST_LONG, found
