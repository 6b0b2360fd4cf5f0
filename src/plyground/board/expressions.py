"""Expressions of an author's function: `self` made explicit, cells checked, constants named."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

from plyground.board.constants import Constant, constant
from plyground.board.description import not_declared
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
    stored,
    targets,
)

if TYPE_CHECKING:
    from plyground.board.translate import Translation


TALKING = ("print", "input", "open", "breakpoint", "exec", "eval")
GROWING = ("append", "extend", "insert", "pop", "remove", "clear", "sort", "add", "discard")
VIEWS = ("cells1", "cells2", "numbers1", "numbers2")


class Expressions(ast.NodeTransformer):
    """Translates the expressions of one function; `Statements` does the rest."""

    def __init__(self, whole: Translation, made: ast.FunctionDef, owner: str, emits: str) -> None:
        self.whole, self.owner, self.emits = whole, owner, emits
        self.layout, self.source = whole.layout, whole.source
        self.own = made.args.args[0].arg if made.args.args and owner else ""
        takes_move = owner and made.name in ("game_play", "game_order") and len(made.args.args) > 1
        self.move = made.args.args[1].arg if takes_move else ""
        self.locals = bound_names(made)
        self.aliases = aliases(made, self.own, self.layout)
        self.loops = 0
        self.steps = False
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
            if isinstance(node.value, ast.Name) and node.attr == "random":
                value = self.source.names.get(node.value.id)
                self.whole.refuse_chance(f"{getattr(value, '__name__', '')}.random", node)
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
                node, not_declared(node.attr, (*self.layout.lists, *self.layout.numbers))
            )
        return located(ast.parse(text, mode="eval").body, node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and node.id not in self.locals:
            return ast.copy_location(ast.Name(self.whole.name(node.id, node), ast.Load()), node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """`move == PASS` by its first part where a move has several: Numba compares like kinds."""
        left, right = node.left, node.comparators[0]
        if (
            self.layout.arity > 1
            and isinstance(left, ast.Name)
            and left.id == self.move
            and isinstance(right, ast.Name)
            and right.id == "PASS"
        ):
            node.left = located(ast.Subscript(left, ast.Constant(0), ast.Load()), node)
        asks = len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn)
        if asks and isinstance(right, ast.Call) and self._yields(right.func):
            return self.visit(self._found_in(node, right))
        return self.generic_visit(node)

    def _yields(self, function: ast.expr) -> bool:
        """Whether it is a function of the class that yields."""
        if not isinstance(function, ast.Attribute) or not self._is_own(function.value):
            return False
        found = self.source.method(function.attr)
        return found is not None and any(isinstance(n, ast.Yield) for n in ast.walk(found[1]))

    def _found_in(self, node: ast.Compare, values: ast.Call) -> ast.expr:
        """`x in self.f()` as `any(each == x for each in self.f())`: generators have no `in`."""
        same = ast.Compare(name_of("_pg_each"), [ast.Eq()], [node.left])
        loop = ast.comprehension(stored("_pg_each"), values, [], 0)
        found: ast.expr = ast.Call(name_of("any"), [ast.GeneratorExp(same, [loop])], [])
        if isinstance(node.ops[0], ast.NotIn):
            found = ast.UnaryOp(ast.Not(), found)
        return located(found, node)

    # Division -------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        node.left = self.visit(node.left)
        node.right = self.operand(node.op, node.right, node)
        return node

    def operand(self, op: ast.operator, right: ast.expr, node: ast.AST) -> ast.expr:
        """The right side of an operation, translated; a divisor with its check."""
        made: ast.expr = self.visit(right)
        if not isinstance(op, ast.FloorDiv | ast.Mod | ast.Div):
            return made
        if isinstance(made, ast.Constant) and made.value != 0:
            return made
        self.whole.imported("from plyground.board.division import dividing", "dividing")
        self.whole.constants["divisor"] = f"dividing({self.source.short!r})"
        return call("divisor", [made, line_number(node)], node)

    # Calls ----------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self._refuse_talking(node)
        self._refuse_growing(node)
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

    def _refuse_talking(self, node: ast.Call) -> None:
        """A search asks a function millions of times, in processes whose output is a protocol."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in TALKING and name not in self.locals and name not in self.source.names:
            raise self.whole.error(
                node,
                f"{name}() is not possible in a compiled function: to look at a position, print "
                "it from outside, as in print(pg.game(file).start().play(move))",
            )

    def _refuse_growing(self, node: ast.Call) -> None:
        """Lists outside a function are as long as they were declared, in every position."""
        function = node.func
        if not isinstance(function, ast.Attribute) or function.attr not in GROWING:
            return
        held = function.value
        if isinstance(held, ast.Attribute) and self._is_own(held.value):
            name = f"self.{held.attr}"
            if held.attr not in ("board", "cells", *self.layout.lists):
                return
        elif isinstance(held, ast.Name) and held.id not in self.locals:
            name = held.id
            if not isinstance(self.source.names.get(name), list | set):
                return
            raise self.whole.error(
                node,
                f"{name}.{function.attr}(): {name} is outside the class and cannot change: what "
                "changes is stored with the position, as a number or a list of fixed length in the "
                "class (`seen = [0] * 9`, then `self.seen[i] = ...`)",
            )
        else:
            return
        raise self.whole.error(
            node,
            f"{name}.{function.attr}(): a stored list has a fixed length: declare it as long as it "
            f"can become, and set its entries (`{name}[i] = ...`); a number beside it can say how "
            "many are in use",
        )

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
        if node.func.id in ("any", "all") and not isinstance(
            inner, ast.GeneratorExp | ast.ListComp
        ):
            inner = self._each(inner)
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

    def _each(self, values: ast.expr) -> ast.GeneratorExp:
        """`all(values)` as `all(value for value in values)`."""
        loop = ast.comprehension(stored("_pg_each"), values, [], 0)
        return located(ast.GeneratorExp(name_of("_pg_each"), [loop]), values)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        """As a set of a list: Numba has no such comprehension."""
        inner = located(ast.ListComp(node.elt, node.generators), node)
        return call("set", [self.visit(inner)], node)

    def visit_Set(self, node: ast.Set) -> ast.AST:
        """Likewise: `{1}` would be a set of nothing but ones."""
        inner = located(ast.List(node.elts, ast.Load()), node)
        return call("set", [self.visit(inner)], node)

    # Cells ----------------------------------------------------------------------------------

    def _joined(self, node: ast.expr) -> ast.expr:
        """`self.board[row][col]` as `self.board[row, col]`."""
        inner = node.value if isinstance(node, ast.Subscript) else None
        if not isinstance(node, ast.Subscript) or not isinstance(inner, ast.Subscript):
            return node
        name, view = self._viewed(inner.value)
        if view is None or self._dimensions(name) != 2 or isinstance(inner.slice, ast.Tuple):
            return node
        if not scalar(inner.slice) or not scalar(node.slice):
            return node
        both = ast.Tuple([inner.slice, node.slice], ast.Load())
        return located(ast.Subscript(inner.value, both, node.ctx), node)

    def _is_cell(self, node: ast.expr) -> bool:
        """Whether it is `self.board[r, c]` or the like, with a number for each dimension."""
        node = self._joined(node)
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
        node = self._joined(node)
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
        return ragged if ragged is not None else self.checked(node)

    def checked(self, node: ast.Subscript) -> ast.Subscript:
        """An index of something else than the board: in range, if that is an array."""
        values = self.visit(node.value)
        index = self.visit(node.slice)
        if _can_be_repeated(values):
            if isinstance(index, ast.Tuple):
                parts = enumerate(index.elts)
                index.elts = [self.in_range(values, part, node, axis) for axis, part in parts]
            else:
                index = self.in_range(values, index, node)
        return located(ast.Subscript(values, index, node.ctx), node)

    def in_range(self, values: ast.expr, index: ast.expr, node: ast.AST, axis: int = 0) -> ast.expr:
        """An index with its check, which names the author's line."""
        if not scalar(index) or isinstance(index, ast.Constant | ast.UnaryOp):
            return index
        given = [copy.deepcopy(values), ast.Constant(axis), index, line_number(node)]
        return call("within", given, node)

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
        if found.columns:
            raise self.whole.error(
                node, "rows of different lengths: use them as `for a, b in TABLE[i]`"
            )
        self.whole.constants[f"{name}_flat"] = found.text
        return self._row_of(table, name_of(f"{name}_flat"), node)

    def _row_of(
        self, table: tuple[str, Constant], column: ast.expr, node: ast.Subscript
    ) -> ast.Call:
        """The part of a column that belongs to a row of its table."""
        name, found = table
        starts, ends = f"{name}_starts", f"{name}_ends"
        self.whole.constants[starts] = found.starts
        self.whole.constants[ends] = found.ends
        index = self.in_range(name_of(starts), self.visit(copy.deepcopy(node.slice)), node)
        return call("row_of", [column, name_of(starts), name_of(ends), index], node)

    def _columns(self, target: ast.expr, iterated: ast.expr) -> ast.expr | None:
        """`for a, b in TABLE` as a loop over its columns: twice as fast as over tuples.

        So are the rows of a table of such tables: `for a, b in TABLE[i]`.
        """
        if not isinstance(target, ast.Tuple):
            return None
        inner = isinstance(iterated, ast.Subscript)
        table = self._table(iterated.value if isinstance(iterated, ast.Subscript) else iterated)
        if table is None or len(table[1].columns) != len(target.elts):
            return None
        name, found = table
        if inner != bool(found.starts):
            return None
        for number, text in enumerate(found.columns):
            self.whole.constants[f"{name}_{number}"] = text
        columns: list[ast.expr] = [name_of(f"{name}_{n}") for n in range(len(found.columns))]
        if isinstance(iterated, ast.Subscript):
            columns = [self._row_of(table, column, iterated) for column in columns]
        return call("zip", columns, iterated)


def _can_be_repeated(node: ast.expr) -> bool:
    """Whether it is a name, a view of the board, or a part of these: looked at twice at no cost."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in VIEWS
    return isinstance(node, ast.Name)
