"""Questions about an author's syntax trees, and the building of new ones."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from plyground.board.description import PASS, not_declared
from plyground.board.layout import Layout
from plyground.board.source import GameSource

COUNT, MOVES, LOOPS = "_pg_count", "_pg_moves", "_pg_loops"
STEPS, DEPTH = "_pg_steps", "_pg_depth"
FOLDED = ("any", "all", "sum", "max", "min")


def reached(
    source: GameSource, first: str, called: Callable[[ast.AST], ast.expr | None]
) -> Iterator[ast.FunctionDef]:
    """A function of the class, and those of its own that it calls as far as `called` says so."""
    waiting, seen = [first], set()
    while waiting:
        name = waiting.pop()
        found = source.method(name)
        if found is None or name in seen:
            continue
        seen.add(name)
        yield found[1]
        calls = (called(node) for node in ast.walk(found[1]))
        waiting += [call.attr for call in calls if isinstance(call, ast.Attribute)]


def _called(node: ast.AST) -> ast.expr | None:
    return node.func if isinstance(node, ast.Call) else None


def _yielded_from(node: ast.AST) -> ast.expr | None:
    return _called(node.value) if isinstance(node, ast.YieldFrom) else None


def arity_of(source: GameSource) -> int | None:
    """How many numbers a move has, from the `yield`s of `moves`; None if that does not say."""
    arities: set[int] = set()
    for function in reached(source, "moves", _yielded_from):
        for node in ast.walk(function):
            if isinstance(node, ast.Yield) and node.value is not None:
                if isinstance(node.value, ast.Tuple):
                    arities.add(len(node.value.elts))
                elif not is_pass(node.value, source):
                    arities.add(0)
    if len(arities) == 1 and (only := arities.pop()):
        return only
    return None


def is_pass(node: ast.expr, source: GameSource) -> bool:
    return isinstance(node, ast.Name) and source.names.get(node.id) == PASS


def changes(source: GameSource, name: str) -> bool:
    """Whether a function of the class, or one that it calls, assigns to anything of `self`."""
    for function in reached(source, name, _called):
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
                inner = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
                if any(n.id == function.args.args[0].arg for n in inner):
                    return True
    return False


def why_not(name: str, layout: Layout) -> str:
    if name in ("board", "cells") or name in layout.lists:
        return f"fill it in place: self.{name}[:] = ..."
    if name == "player":
        return "return the next player from the function instead"
    return not_declared(name, (*layout.lists, *layout.numbers))


def scalar(node: ast.expr) -> bool:
    """Whether an index is a single number, as far as its form tells."""
    return not isinstance(node, ast.Slice | ast.Compare | ast.List | ast.Tuple | ast.BoolOp)


def bound_names(function: ast.FunctionDef) -> set[str]:
    """Parameters and names that a function assigns."""
    arguments = function.args
    names = {a.arg for a in [*arguments.args, *arguments.kwonlyargs, *arguments.posonlyargs]}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.Lambda) and node is not function:
            names |= {a.arg for a in node.args.args}
            if isinstance(node, ast.FunctionDef):
                names.add(node.name)
    return names


def aliases(function: ast.FunctionDef, own: str, layout: Layout) -> dict[str, str]:
    """Local names that are assigned once, as in `board = self.board`."""
    found: dict[str, str] = {}
    times: dict[str, int] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            times[node.id] = times.get(node.id, 0) + 1
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            if (
                isinstance(target, ast.Name)
                and isinstance(value, ast.Attribute)
                and isinstance(value.value, ast.Name)
                and value.value.id == own
                and (value.attr in ("board", "cells") or value.attr in layout.lists)
            ):
                found[target.id] = value.attr
    return {name: view for name, view in found.items() if times[name] == 1}


def targets(inner: ast.GeneratorExp | ast.ListComp) -> set[str]:
    """Names that a comprehension binds itself."""
    return {
        node.id
        for node in ast.walk(inner)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


_FOLDS = {
    "any": ("", "if VALUE:\n    return True", "return False"),
    "all": ("", "if not VALUE:\n    return False", "return True"),
    "sum": ("_pg_total = 0", "_pg_total += VALUE", "return _pg_total"),
    "max": (
        "_pg_best = -(2 ** 62)",
        "_pg_best = max(_pg_best, VALUE)",
        "return _pg_best",
    ),
    "min": ("_pg_best = 2 ** 62", "_pg_best = min(_pg_best, VALUE)", "return _pg_best"),
}


def fold_function(
    kind: str, inner: ast.GeneratorExp | ast.ListComp, name: str, arguments: list[str]
) -> ast.FunctionDef:
    """The loops behind `any(...)`, as a function of its own."""
    before, each, after = _FOLDS[kind]
    body = ast.parse(each).body

    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return inner.elt if node.id == "VALUE" else node

    body = [Fill().visit(statement) for statement in body]
    for generator in reversed(inner.generators):
        for test in reversed(generator.ifs):
            body = [ast.If(test, body, [])]
        body = [ast.For(generator.target, generator.iter, body, [])]
    everything = [*ast.parse(before).body, *body, *ast.parse(after).body]
    made = ast.parse(f"def {name}({', '.join(arguments)}): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.body = everything
    for child in ast.walk(made):
        if isinstance(child, ast.stmt | ast.expr | ast.arg):
            child.lineno, child.end_lineno = inner.lineno, inner.lineno
            child.col_offset, child.end_col_offset = 0, 0
    return made


def name_of(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def stored(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def line_number(node: ast.AST) -> ast.expr:
    return ast.Constant(int(getattr(node, "lineno", 0)))


def call(function: str, arguments: list[ast.expr], node: ast.AST) -> ast.Call:
    return located(ast.Call(name_of(function), arguments, []), node)


def located(node: Any, where: ast.AST | int) -> Any:
    """The node, with every part of it at the place of another."""
    line = where if isinstance(where, int) else getattr(where, "lineno", 1)
    for child in ast.walk(node):
        placed = hasattr(child, "lineno") and child is not node
        if not placed and isinstance(child, ast.stmt | ast.expr | ast.keyword | ast.arg):
            child.lineno, child.end_lineno = line, line
            child.col_offset, child.end_col_offset = 0, 0
    return node
