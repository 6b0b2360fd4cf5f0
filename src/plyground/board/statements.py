"""Statements of an author's function: assignments, loops, and the moves that it yields."""

from __future__ import annotations

import ast
import copy
from typing import Any

from plyground.board.description import PASS, TAKEN
from plyground.board.expressions import Expressions
from plyground.board.layout import MOST_CELLS
from plyground.board.trees import (
    COUNT,
    LOOPS,
    MOVES,
    STEPS,
    call,
    is_pass,
    line_number,
    located,
    name_of,
    stored,
    why_not,
)


class Statements(Expressions):
    """Translates one function."""

    def prologue(self) -> list[ast.stmt]:
        """Counters of loops."""
        names = [f"{LOOPS}{number}" for number in range(1, self.loops + 1)]
        names += [STEPS] if self.steps else []
        return [located(ast.parse(f"{name} = 0").body[0], 1) for name in names]

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """A block of statements, translated."""
        made: list[ast.stmt] = []
        for statement in body:
            result = self.visit(statement)
            made.extend(result if isinstance(result, list) else [result])
        return made

    # Statements -----------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> Any:
        columns = self._columns(node.target, node.iter)
        node.iter = columns if columns is not None else self.visit(node.iter)
        if any(self._is_own(n) for n in ast.walk(node.target)):
            raise self.whole.error(node, "a loop variable must be a name of its own")
        node.body = self.statements(node.body)
        node.orelse = self.statements(node.orelse)
        if not self._may_be_long(node.iter):
            return node
        self.steps = True
        name = self._temporary()
        kept = located(ast.Assign([stored(name)], node.iter), node)
        total = call("_pg_add_steps", [name_of(STEPS), name_of(name), line_number(node)], node)
        node.iter = located(name_of(name), node)
        return [kept, located(ast.Assign([stored(STEPS)], total), node), node]

    def _may_be_long(self, values: ast.expr) -> bool:
        """Whether it is a range of more numbers than a board has cells, as far as one can see."""
        if not (isinstance(values, ast.Call) and isinstance(values.func, ast.Name)):
            return False
        if values.func.id != "range" or "range" in self.locals:
            return False
        written = [part.value for part in values.args if isinstance(part, ast.Constant)]
        few = all(isinstance(number, int) and number <= MOST_CELLS for number in written)
        return len(written) < len(values.args) or not few

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        columns = self._columns(node.target, node.iter)
        node.iter = columns if columns is not None else self.visit(node.iter)
        node.ifs = [self.visit(test) for test in node.ifs]
        return node

    def visit_While(self, node: ast.While) -> Any:
        self.loops += 1
        counter = f"{LOOPS}{self.loops}"
        node.test = self.visit(node.test)
        node.body = self.statements(node.body)
        node.orelse = self.statements(node.orelse)
        count = call("tick", [name_of(counter), line_number(node)], node)
        node.body.insert(0, located(ast.Assign([stored(counter)], count), node))
        return [located(ast.parse(f"{counter} = 0").body[0], node), node]

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.visit(node.test)
        node.body = self.statements(node.body)
        node.orelse = self.statements(node.orelse)
        return node

    def visit_With(self, node: ast.With) -> Any:
        raise self.whole.error(node, "`with` is not possible in a compiled function")

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> Any:
        raise self.whole.error(node, "`import` belongs to the top of the file")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        return self.visit_Import(node)

    def visit_Global(self, node: ast.Global) -> Any:
        name = node.names[0]
        kept = f"my_{name}" if name in TAKEN else name
        raise self.whole.error(
            node,
            f"global {name}: what changes must be stored with the position: write `{kept} = 0` in "
            f"the class and `self.{kept} = ...` here",
        )

    def visit_Try(self, node: ast.Try) -> Any:
        raise self.whole.error(node, "`try` is not possible in a compiled function: test before")

    def visit_Return(self, node: ast.Return) -> Any:
        if not self.emits:
            return self.generic_visit(node)
        ending = COUNT if self.emits != "any" else "False"
        leave = located(ast.Return(name_of(ending)), node)
        nothing = isinstance(node.value, ast.List | ast.Tuple) and not node.value.elts
        if node.value is None or nothing or isinstance(node.value, ast.Constant):
            return leave
        if self.emits == "events":
            raise self.whole.error(node, "chance() must yield its events one by one")
        each = self._temporary()
        self.locals.add(each)
        body: ast.stmt = ast.Expr(ast.Yield(name_of(each)))
        if self.layout.arity == 1 and self.source.names.get("PASS") == PASS:
            passes = ast.Compare(name_of(each), [ast.Eq()], [ast.Constant(PASS)])
            body = ast.If(passes, [ast.Expr(ast.Yield(name_of("PASS")))], [body])
        loop = located(ast.For(stored(each), node.value, [body], []), node)
        return [*self.statements([loop]), leave]

    def visit_Expr(self, node: ast.Expr) -> Any:
        value = node.value
        if isinstance(value, ast.YieldFrom) and self.emits:
            return self._yield_from(value)
        if isinstance(value, ast.Yield) and self.emits:
            return self._yield(value)
        return self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield) -> Any:
        if self.emits:
            raise self.whole.error(node, "`yield` must be a statement of its own here")
        return self.generic_visit(node)

    def _yield(self, node: ast.Yield) -> Any:
        if self.emits == "any":
            return located(ast.Return(name_of("True")), node)
        if self.emits == "all":
            return located(ast.parse(f"{COUNT} = True").body[0], node)
        if node.value is None:
            raise self.whole.error(node, "yield a move: a number or a tuple of numbers")
        if self.emits == "events":
            return self._yield_event(node, node.value)
        sizes = self.layout.move_sizes
        code: ast.expr = ast.Constant(0)
        before: list[ast.stmt] = []
        if is_pass(node.value, self.source):
            code = ast.Constant(self.layout.pass_code)
        elif isinstance(node.value, ast.Tuple):
            if len(node.value.elts) != len(sizes):
                raise self.whole.error(
                    node, f"this move has {len(node.value.elts)} parts, others have {len(sizes)}"
                )
            for part, size in zip(node.value.elts, sizes, strict=True):
                code = call(
                    "join", [code, self.visit(part), ast.Constant(size), line_number(node)], node
                )
        elif len(sizes) == 1:
            part = self.visit(node.value)
            code = call("join", [code, part, ast.Constant(sizes[0]), line_number(node)], node)
        else:
            name = self._temporary()
            before.append(located(ast.Assign([stored(name)], self.visit(node.value)), node))
            for place, size in enumerate(sizes):
                part = ast.Subscript(name_of(name), ast.Constant(place), ast.Load())
                code = call("join", [code, part, ast.Constant(size), line_number(node)], node)
        written = call("append", [name_of(MOVES), name_of(COUNT), code, line_number(node)], node)
        return [*before, located(ast.Assign([stored(COUNT)], written), node)]

    def _yield_event(self, node: ast.Yield, pair: ast.expr) -> ast.stmt:
        """An event and its weight, one after the other in the list."""
        if not (isinstance(pair, ast.Tuple) and len(pair.elts) == 2):
            raise self.whole.error(node, "chance() yields an event and its weight")
        count: ast.expr = name_of(COUNT)
        for part in pair.elts:
            count = call(
                "append", [name_of(MOVES), count, self.visit(part), line_number(node)], node
            )
        return located(ast.Assign([stored(COUNT)], count), node)

    def _yield_from(self, node: ast.YieldFrom) -> ast.stmt:
        inner = node.value
        if not (
            isinstance(inner, ast.Call)
            and isinstance(inner.func, ast.Attribute)
            and self._is_own(inner.func.value)
        ):
            raise self.whole.error(node, "`yield from` works with functions of the class here")
        target = self.whole.method(inner.func.attr, node, emits=self.emits)
        arguments = [self.visit(argument) for argument in inner.args]
        if self.emits == "all":
            called = call(target, [name_of(self.own), *arguments], node)
            either = ast.BoolOp(ast.Or(), [called, name_of(COUNT)])
            return located(ast.Assign([stored(COUNT)], either), node)
        if self.emits == "any":
            tested = call(target, [name_of(self.own), *arguments], node)
            return located(ast.If(tested, [ast.Return(name_of("True"))], []), node)
        called = call(target, [name_of(self.own), name_of(MOVES), name_of(COUNT), *arguments], node)
        return located(ast.Assign([stored(COUNT)], called), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return located(ast.Pass(), node)
        return self.visit(located(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> Any:
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Tuple):
            return self._unpack(node, node.targets[0])
        value = self.visit(node.value)
        if len(node.targets) == 1:
            return self._assign(node.targets[0], value, node)
        name = self._temporary()
        kept: list[ast.stmt] = [located(ast.Assign([stored(name)], value), node)]
        for target in node.targets:
            kept.append(self._assign(target, name_of(name), node))
        return kept

    def _temporary(self) -> str:
        self.temporaries += 1
        name = f"_pg_{self.temporaries}"
        self.locals.add(name)
        return name

    def _unpack(self, node: ast.Assign, target: ast.Tuple) -> Any:
        """`a, self.b, self.board[c] = ...`: through temporary names where it is no plain name."""
        row = self._table(node.value.value) if isinstance(node.value, ast.Subscript) else None
        flat = row is not None and row[1].columns and not row[1].starts
        if flat and row is not None and isinstance(node.value, ast.Subscript):
            name, found = row
            for number, text in enumerate(found.columns):
                self.whole.constants[f"{name}_{number}"] = text
            index = self.in_range(name_of(f"{name}_0"), self.visit(node.value.slice), node)
            node.value = ast.Tuple(
                [
                    ast.Subscript(name_of(f"{name}_{n}"), copy.deepcopy(index), ast.Load())
                    for n in range(len(found.columns))
                ],
                ast.Load(),
            )
            value: ast.expr = located(node.value, node)
        else:
            value = self.visit(node.value)
        if all(isinstance(part, ast.Name | ast.Tuple) for part in target.elts):
            return located(ast.Assign([target], value), node)
        names = [self._temporary() for _ in target.elts]
        parts: list[ast.expr] = [stored(name) for name in names]
        first = located(ast.Assign([ast.Tuple(parts, ast.Store())], value), node)
        kept: list[ast.stmt] = [first]
        for part, name in zip(target.elts, names, strict=True):
            kept.append(self._assign(part, name_of(name), node))
        return kept

    def _assign(self, target: ast.expr, value: ast.expr, node: ast.stmt) -> ast.stmt:
        cell = self._cell(target)
        if cell is not None:
            view, indices = cell
            written = call(f"put{len(indices)}", [view, *indices, value, line_number(node)], node)
            return located(ast.Expr(written), node)
        if isinstance(target, ast.Attribute) and self._is_own(target.value):
            word = self.layout.numbers.get(target.attr)
            if word is not None:
                written = call("save", [name_of(self.own), ast.Constant(word), value], node)
                return located(ast.Expr(written), node)
            raise self.whole.error(node, why_not(target.attr, self.layout))
        self._refuse_constant(target, node)
        if isinstance(target, ast.Subscript):
            target = self.checked(target)
        return located(ast.Assign([target], value), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        target = node.target
        own = isinstance(target, ast.Attribute) and self._is_own(target.value)
        if own or self._is_cell(target):
            read = copy.deepcopy(target)
            read.ctx = ast.Load()
            value = ast.BinOp(self.visit(read), node.op, self.operand(node.op, node.value, node))
            return self._assign(target, located(value, node), node)
        self._refuse_constant(target, node)
        node.value = self.operand(node.op, node.value, node)
        if isinstance(target, ast.Subscript):
            node.target = self.checked(target)
        return node

    def _refuse_constant(self, target: ast.expr, node: ast.stmt) -> None:
        """Neither the class nor what stands outside it can change: a search has many positions."""
        if not isinstance(target, ast.Attribute | ast.Subscript):
            return
        root: ast.expr = target
        while isinstance(root, ast.Attribute | ast.Subscript):
            if self._is_own(root.value):
                return
            root = root.value
        if isinstance(target, ast.Attribute) or (
            isinstance(root, ast.Name) and root.id not in self.locals
        ):
            raise self.whole.error(
                node,
                f"{ast.unparse(target)} cannot change: what changes must be stored with the "
                "position: write `count = 0` in the class and `self.count = ...` here",
            )
