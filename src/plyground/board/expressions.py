"""Expressions of an author's function: `self` made explicit, cells checked, constants named."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from plyground.board.constants import Constant, constant
from plyground.board.layout import PLAYER
from plyground.board.trees import (
    FOLDED,
    aliases,
    bound_names,
    call,
    fold_function,
    line_number,
    located,
    name_of,
    scalar,
    targets,
)

if TYPE_CHECKING:
    from plyground.board.translate import Translation


class Expressions(ast.NodeTransformer):
    """Translates the expressions of one function; `Statements` does the rest."""

    def __init__(self, whole: Translation, made: ast.FunctionDef, owner: str, emits: str) -> None:
        self.whole, self.owner, self.emits = whole, owner, emits
        self.layout, self.source = whole.layout, whole.source
        self.own = made.args.args[0].arg if made.args.args and owner else ""
        self.locals = bound_names(made)
        self.aliases = aliases(made, self.own, self.layout)
        self.loops = 0
        self.temporaries = 0

    def _is_own(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and bool(self.own) and node.id == self.own

    # What `self` has ------------------------------------------------------------------------

    def _view(self, name: str, node: ast.AST) -> ast.expr | None:
        """The expression of a view: board, cells or a stored list."""
        layout = self.layout
        if name == "board" and len(layout.shape) == 2:
            rows, columns = layout.shape
            text = f"cells2({self.own}, {layout.board_start}, {rows}, {columns})"
        elif name in ("board", "cells"):
            text = f"cells1({self.own}, {layout.board_start}, {layout.cells})"
        elif name in layout.lists:
            place = layout.lists[name]
            sizes = ", ".join(map(str, place.shape))
            text = f"numbers{len(place.shape)}({self.own}, {place.start}, {sizes})"
        else:
            return None
        return located(ast.parse(text, mode="eval").body, node)

    def _dimensions(self, name: str) -> int:
        if name == "board":
            return len(self.layout.shape)
        return 1 if name == "cells" else len(self.layout.lists[name].shape)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not self._is_own(node.value):
            return self.generic_visit(node)
        view = self._view(node.attr, node)
        if view is not None:
            return view
        cls = self.source.cls
        if node.attr in self.layout.numbers:
            read = "load_bits" if node.attr in self.layout.bits else "load"
            text = f"{read}({self.own}, {self.layout.numbers[node.attr]})"
        elif node.attr == "player":
            text = f"load({self.own}, {PLAYER})"
        elif node.attr == "opponent":
            text = f"(3 - load({self.own}, {PLAYER}))"
        elif node.attr == "shape":
            text = repr(self.layout.shape)
        elif hasattr(cls, node.attr) and not callable(getattr(cls, node.attr)):
            value = getattr(cls, node.attr)
            if isinstance(value, int):
                text = repr(int(value))
            else:
                text = self.whole.keep(f"self.{node.attr}", f"own_{node.attr}", value, node)
        elif self.source.method(node.attr):
            raise self.whole.error(node, f"call it: self.{node.attr}(...)")
        else:
            raise self.whole.error(
                node, f"self.{node.attr} is not declared: write `{node.attr} = 0` in the class"
            )
        return located(ast.parse(text, mode="eval").body, node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and node.id not in self.locals:
            return ast.copy_location(ast.Name(self.whole.name(node.id, node), ast.Load()), node)
        return node

    # Calls ----------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        folded = self._fold(node)
        if folded is not None:
            return folded
        function = node.func
        if isinstance(function, ast.Attribute) and self._is_own(function.value):
            if function.attr == "can_move":
                target = self.whole.has_moves(node)
                player = self.visit(node.args[0])
                return call("can_move", [name_of(self.own), player, name_of(target)], node)
            target = self.whole.method(function.attr, node)
            return self._plain_call(target, node)
        if (
            isinstance(function, ast.Attribute)
            and isinstance(function.value, ast.Call)
            and isinstance(function.value.func, ast.Name)
            and function.value.func.id == "super"
        ):
            target = self.whole.method(function.attr, node, above=self.owner)
            return self._plain_call(target, node)
        return self.generic_visit(node)

    def _plain_call(self, target: str, node: ast.Call) -> ast.Call:
        arguments = [name_of(self.own), *(self.visit(argument) for argument in node.args)]
        keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
        return ast.copy_location(ast.Call(name_of(target), arguments, keywords), node)

    def _fold(self, node: ast.Call) -> ast.AST | None:
        """`any(... for ...)` and its like become a function with loops: Numba has no such thing."""
        if not (isinstance(node.func, ast.Name) and node.func.id in FOLDED):
            return None
        if len(node.args) != 1 or node.keywords or node.func.id in self.locals:
            return None
        inner = node.args[0]
        if not isinstance(inner, ast.GeneratorExp | ast.ListComp):
            return None
        bound = targets(inner)
        free = [
            name
            for name in dict.fromkeys(n.id for n in ast.walk(inner) if isinstance(n, ast.Name))
            if name in self.locals and name not in bound and name != self.own
        ]
        self.whole.lifted += 1
        target = f"fold_{self.whole.lifted}"
        arguments = [*([self.own] if self.own else []), *free]
        made = fold_function(node.func.id, inner, target, arguments)
        for child in ast.walk(made):
            if not hasattr(child, "lineno"):
                located(child, node)
        ast.fix_missing_locations(made)
        self.whole.add(made, self.owner if self.own else "", "")
        return call(target, [name_of(name) for name in arguments], node)

    # Cells ----------------------------------------------------------------------------------

    def _is_cell(self, node: ast.expr) -> bool:
        """Whether it is `self.board[r, c]` or the like, with a number for each dimension."""
        if not isinstance(node, ast.Subscript):
            return False
        name, view = self._viewed(node.value)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return (
            view is not None
            and len(parts) == self._dimensions(name)
            and all(scalar(part) for part in parts)
        )

    def _cell(self, node: ast.expr) -> tuple[ast.expr, list[ast.expr]] | None:
        """View and translated indices of a cell; None for anything else."""
        if not self._is_cell(node):
            return None
        assert isinstance(node, ast.Subscript)
        _, view = self._viewed(node.value)
        assert view is not None
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return view, [self.visit(part) for part in parts]

    def _viewed(self, node: ast.expr) -> tuple[str, ast.expr | None]:
        if isinstance(node, ast.Attribute) and self._is_own(node.value):
            return node.attr, self._view(node.attr, node)
        if isinstance(node, ast.Name) and node.id in self.aliases:
            return self.aliases[node.id], located(name_of(node.id), node)
        return "", None

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        cell = self._cell(node)
        if cell is not None and isinstance(node.ctx, ast.Load):
            view, indices = cell
            return call(f"at{len(indices)}", [view, *indices, line_number(node)], node)
        ragged = self._ragged(node)
        return ragged if ragged is not None else self.generic_visit(node)

    def _table(self, node: ast.expr) -> tuple[str, Constant] | None:
        """A constant sequence that an expression names."""
        if isinstance(node, ast.Name) and node.id not in self.locals:
            if node.id not in self.source.names:
                return None
            name, value = f"global_{node.id}", self.source.names[node.id]
        elif isinstance(node, ast.Attribute) and self._is_own(node.value):
            cls = self.source.cls
            if node.attr in cls.fields or not hasattr(cls, node.attr):
                return None
            name, value = f"own_{node.attr}", getattr(cls, node.attr)
        else:
            return None
        found = constant(value) if not callable(value) and not isinstance(value, int) else None
        return (name, found) if found is not None else None

    def _ragged(self, node: ast.Subscript) -> ast.AST | None:
        """A row of a table with rows of different lengths."""
        table = self._table(node.value)
        if table is None or not table[1].ragged:
            return None
        name, found = table
        self.whole.constants[f"{name}_flat"] = found.text
        self.whole.constants[f"{name}_starts"] = found.starts
        index = self.visit(node.slice)
        return call("row_of", [name_of(f"{name}_flat"), name_of(f"{name}_starts"), index], node)

    def _columns(self, target: ast.expr, iterated: ast.expr) -> ast.expr | None:
        """`for a, b in TABLE` as a loop over its columns: twice as fast as over tuples."""
        table = self._table(iterated)
        if table is None or not isinstance(target, ast.Tuple):
            return None
        name, found = table
        if len(found.columns) != len(target.elts):
            return None
        for number, text in enumerate(found.columns):
            self.whole.constants[f"{name}_{number}"] = text
        names: list[ast.expr] = [name_of(f"{name}_{n}") for n in range(len(found.columns))]
        return call("zip", names, iterated)
