"""From an author's class to a kernel module: its functions as they are, `self` made explicit.

The syntax tree is edited, not rewritten: `self.board[r, c]` becomes a checked access to the
position's row, `self.f(x)` a plain call, `yield` in `moves` a write to the list of moves. The
result is text for the compile layer, with the author's line for each of its lines.
"""

from __future__ import annotations

import ast
import builtins
import copy
import types
from dataclasses import dataclass, field
from typing import Any

from plyground.board.constants import Constant, constant
from plyground.board.layout import Layout
from plyground.board.source import GameSource
from plyground.board.statements import Statements
from plyground.board.trees import COUNT, MOVES, bound_names, changes, located
from plyground.core.errors import GameFileError


@dataclass
class Translation:
    """Functions of the generated module, as they are needed."""

    source: GameSource
    layout: Layout
    functions: list[ast.FunctionDef] = field(default_factory=list)
    constants: dict[str, str] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    lifted: int = 0

    def method(self, name: str, node: ast.AST, *, emits: str = "", above: str = "") -> str:
        """The name of a translated method; `emits`: "list" (moves to a list) or "any" (has one)."""
        found = self.source.method(name, above)
        if found is None:
            raise self.error(node, f"there is no function {name} in the class")
        owner, definition = found
        target = f"game_{name}" + (f"_{owner}" if above else "") + (f"_{emits}" if emits else "")
        if target not in self.made:
            self.made.add(target)
            self._translate(definition, target, owner, emits)
        return target

    def has_moves(self, node: ast.AST) -> str:
        """The function that tells whether there is a move.

        It stops at the first one, unless listing moves changes the board on the way.
        """
        return self.method("moves", node, emits="all" if changes(self.source, "moves") else "any")

    def function(self, name: str) -> str:
        """The name of a translated function outside the class."""
        target = f"helper_{name}"
        if target not in self.made:
            self.made.add(target)
            self._translate(self.source.functions[name], target, "", "")
        return target

    def _translate(self, node: ast.FunctionDef, target: str, owner: str, emits: str) -> None:
        if node.decorator_list and owner:
            raise self.error(node, f"{node.name}: decorators are not possible here")
        made = copy.deepcopy(node)
        made.name = target
        made.decorator_list = []
        made.returns = None
        if ast.get_docstring(made) is not None:
            made.body = made.body[1:] or [ast.copy_location(ast.Pass(), node)]
        for argument in [*made.args.args, *made.args.kwonlyargs]:
            argument.annotation = None
        self.add(made, owner, emits)

    def add(self, made: ast.FunctionDef, owner: str, emits: str) -> None:
        """Translate a function's body and keep it."""
        _Renaming(bound_names(made) & HOUSE_NAMES).visit(made)
        worker = Statements(self, made, owner, emits)
        made.body = worker.statements(made.body)
        loops = worker.prologue()
        if emits:
            place = made.args.args[1:] if made.args.args else []
            extra = [ast.arg(MOVES), ast.arg(COUNT)] if emits not in ("any", "all") else []
            made.args.args = [*made.args.args[:1], *extra, *place]
            ending = COUNT if emits != "any" else "False"
            made.body.append(ast.parse(f"return {ending}").body[0])
            for child in ast.walk(made.body[-1]):
                child.lineno = made.lineno  # type: ignore[attr-defined]
        if emits == "all":
            loops.append(located(ast.parse(f"{COUNT} = False").body[0], made))
        made.body = [*loops, *made.body]
        self.functions.append(made)

    def error(self, node: ast.AST, message: str) -> GameFileError:
        """An error at a node of the author's file."""
        return GameFileError(f"{self.source.short}:{getattr(node, 'lineno', '?')}: {message}")

    # Names that are not of the function itself ----------------------------------------------

    def name(self, name: str, node: ast.AST) -> str:
        """What a global name is called in the generated module."""
        if name not in self.source.names:
            if hasattr(builtins, name):
                return name
            raise self.error(node, f"the name {name!r} is not defined")
        value = self.source.names[name]
        if name in self.source.functions and isinstance(value, types.FunctionType):
            return self.function(name)
        if value is self.source.cls or name in self.source.classes:
            raise self.error(node, f"use self instead of {name} here")
        if isinstance(value, types.ModuleType) or callable(value):
            self.refuse_chance(getattr(value, "__module__", None) or value.__name__, node)
        if isinstance(value, types.ModuleType):
            return self.imported(f"import {value.__name__} as _pg_{name}", f"_pg_{name}")
        if isinstance(value, type) and value.__module__ in ("numpy", "builtins"):
            owner = value.__module__
            return self.imported(f"from {owner} import {value.__name__}", value.__name__)
        if isinstance(value, types.FunctionType) and value.__module__.startswith("plyground."):
            text = f"from {value.__module__} import {value.__name__}"
            return self.imported(text, value.__name__)
        if callable(value):
            owner, called = value.__module__, value.__name__
            return self.imported(f"from {owner} import {called} as _pg_{name}", f"_pg_{name}")
        return self.keep(name, f"global_{name}", value, node)

    def refuse_chance(self, module: str, node: ast.AST) -> None:
        """Compiled functions must give the same answer whenever they are asked."""
        if module in ("random", "secrets", "numpy.random"):
            raise self.error(
                node,
                "a function cannot draw lots itself: return CHANCE, and let chance() and deal() "
                "say what may happen",
            )

    def imported(self, statement: str, name: str) -> str:
        """A name that comes by an import."""
        self.imports[name] = statement
        return name

    def keep(self, name: str, target: str, value: Any, node: ast.AST) -> str:
        """A constant under a name of the generated module."""
        written = self.written(name, value, node)
        if written.ragged:
            raise self.error(
                node, f"{name} has rows of different lengths: use it row by row, as {name}[i]"
            )
        self.constants[target] = written.text
        return target

    def written(self, name: str, value: Any, node: ast.AST) -> Constant:
        """A value as text; GameFileError if compiled code cannot use it."""
        found = constant(value)
        if found is None:
            raise self.error(
                node,
                f"{name} is {type(value).__name__}: compiled functions can use numbers, and lists "
                "or tuples of numbers",
            )
        return found


HOUSE_NAMES = {
    *("address", "load", "load_bits", "save", "cells1", "cells2", "numbers1", "numbers2"),
    *("at1", "at2", "put1", "put2", "within", "join", "append", "tick"),
    *("can_move", "row_of", "divisor", "kernel", "np"),
}
"""Functions that translated ones call: variables of an author may have the same names."""


class _Renaming(ast.NodeTransformer):
    """Gives variables and parameters other names, also where a call names them."""

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self._names:
            node.id = f"my_{node.id}"
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        if node.arg in self._names:
            node.arg = f"my_{node.arg}"
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        self.generic_visit(node)
        if node.arg in HOUSE_NAMES:
            node.arg = f"my_{node.arg}"
        return node
