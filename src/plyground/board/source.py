"""The source of a board game's class: its syntax tree, and the class anew for other options."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plyground.board.description import BoardGame, chosen_options
from plyground.board.plain import file_of
from plyground.core.errors import GameFileError
from plyground.core.game import OptionValue


@dataclass(frozen=True)
class GameSource:
    """A class with the syntax trees of its functions and the names that they can see."""

    cls: type[BoardGame]
    file: str
    classes: dict[str, ast.ClassDef]
    """The definitions of the class and of its bases, by name."""
    functions: dict[str, ast.FunctionDef]
    """Functions of the same file outside classes."""
    names: Mapping[str, Any]
    """What global names stand for."""

    @property
    def short(self) -> str:
        """The file's name without folders."""
        return self.file.rsplit("/", 1)[-1].rsplit("\\", 1)[-1]

    def method(self, name: str, above: str = "") -> tuple[str, ast.FunctionDef] | None:
        """A function of the class and the class that defines it; above a class: of its bases."""
        reached = not above
        for base in self.cls.__mro__:
            if reached and base.__name__ in self.classes:
                for node in self.classes[base.__name__].body:
                    if isinstance(node, ast.FunctionDef) and node.name == name:
                        return base.__name__, node
            reached = reached or base.__name__ == above
        return None

    def with_options(self, options: Mapping[str, OptionValue]) -> type[BoardGame]:
        """The class with these options: its body is run again."""
        space = dict(self.names)
        chain = [b for b in reversed(self.cls.__mro__) if b.__name__ in self.classes]
        body: list[ast.stmt] = [self.classes[base.__name__] for base in chain]
        code = compile(ast.Module(body, []), self.file, "exec")
        with chosen_options(options):
            exec(code, space)
        made = space[self.cls.__name__]
        made.__module__ = self.cls.__module__
        assert issubclass(made, BoardGame)
        return made


def read_source(cls: type[BoardGame]) -> GameSource:
    """The source of a class, from its file (or the cell of a notebook)."""
    file = file_of(cls)
    module = sys.modules.get(cls.__module__)
    kept = getattr(module, "__source__", None)
    lines = [kept] if kept else linecache.getlines(file, getattr(module, "__dict__", None))
    try:
        if lines:
            tree = ast.parse("".join(lines), file)
        else:
            text, first = inspect.getsourcelines(cls)
            tree = ast.parse(textwrap.dedent("".join(text)), file)
            ast.increment_lineno(tree, first - 1)
    except (OSError, TypeError, SyntaxError):
        raise GameFileError(
            f"{cls.__name__}: the source of a game must be in a file that can be read"
        ) from None
    wanted = {base.__name__ for base in cls.__mro__ if issubclass(base, BoardGame)} - {"BoardGame"}
    classes = {
        n.name: n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name in wanted
    }
    missing = wanted - set(classes)
    if missing:
        raise GameFileError(
            f"{file}: {', '.join(sorted(missing))}: a game and its bases must be in one file"
        )
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    names = _global_names(cls)
    return GameSource(cls, file, classes, functions, names)


def _global_names(cls: type[BoardGame]) -> Mapping[str, Any]:
    """The global names that the class's functions see."""
    for base in cls.__mro__:
        for value in base.__dict__.values():
            if inspect.isfunction(value) and value.__module__ == cls.__module__:
                return value.__globals__
    module = sys.modules.get(cls.__module__)
    return vars(module) if module is not None else {}
