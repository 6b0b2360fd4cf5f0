"""Functions of an author that call themselves, or each other in a circle: how deep is counted.

Compiled code has no limit of its own; without an end it would take the whole process with it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from plyground.board.trees import DEPTH, call, line_number, located, name_of

_COUNTED = "_counted"


def count_depth(functions: list[ast.FunctionDef]) -> list[ast.FunctionDef]:
    """The same functions; those in a circle become two: the usual name, and one that counts."""
    calls = {function.name: _called(function) for function in functions}
    reached = {name: _reached(name, calls) for name in calls}
    made = []
    for function in functions:
        name = function.name
        circle = {other for other in reached[name] if name in reached[other]}
        if not circle:
            made.append(function)
            continue
        entrance = _entrance(function)
        _Counting(circle).visit(function)
        function.name = name + _COUNTED
        function.args.args.insert(0, located(ast.arg(DEPTH), function))
        made += [function, entrance]
    return made


def _called(function: ast.FunctionDef) -> set[str]:
    return {
        node.func.id
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def _reached(name: str, calls: dict[str, set[str]]) -> set[str]:
    """The functions that one calls, also through others; itself only in a circle."""
    found: set[str] = set()
    waiting = list(calls[name])
    while waiting:
        other = waiting.pop()
        if other in calls and other not in found:
            found.add(other)
            waiting += calls[other]
    return found


def _entrance(function: ast.FunctionDef) -> ast.FunctionDef:
    """What others call: the counting function at depth 0."""
    made = copy.copy(function)
    made.args = copy.deepcopy(function.args)
    given = [name_of(argument.arg) for argument in made.args.args]
    zero = call("_pg_number", [ast.Constant(0)], function)
    body = call(function.name + _COUNTED, [zero, *_plain(given, function)], function)
    made.body = [located(ast.Return(body), function)]
    return made


def _plain(arguments: Sequence[ast.expr], node: ast.AST) -> list[ast.expr]:
    """Arguments that are any number, not this one: a constant would make a function of its own."""
    return [call("_pg_number", [argument], node) for argument in arguments]


class _Counting(ast.NodeTransformer):
    """Passes the depth on where a function of the circle is called."""

    def __init__(self, circle: set[str]) -> None:
        self._circle = circle

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id in self._circle):
            return node
        deeper = call("_pg_deeper", [name_of(DEPTH), line_number(node)], node)
        node.func.id += _COUNTED
        node.args = [deeper, *_plain(node.args, node)]
        for keyword in node.keywords:
            keyword.value = _plain([keyword.value], node)[0]
        return node
