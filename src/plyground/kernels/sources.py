"""Which source files a kernel module is made of, and their text with imports redirected.

The closure of a module is every first-party module that it imports, directly or not. All of them
go into one generated package, so that one content hash answers for all: an edited callee gives
another hash, hence another folder, and old machine code can never be served.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

COMPILE_LAYER = "plyground.kernels"


class SourceError(Exception):
    """A kernel module cannot be found or read, or imports in a way that cannot be followed."""


@dataclass(frozen=True)
class Source:
    """One module of the closure: its dotted name, its text, and the redirections of its imports."""

    name: str
    text: str
    redirects: tuple[tuple[int, int, str], ...]
    """(first line, last line, replacement) for each import statement that changes; lines from 1."""

    def rewritten(self, package: str) -> str:
        """The module's text with first-party imports pointing into the generated package."""
        lines = self.text.splitlines()
        for first, last, replacement in sorted(self.redirects, reverse=True):
            indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
            padding = [""] * (last - first)
            lines[first - 1 : last] = [indent + replacement.format(package=package), *padding]
        return "\n".join(lines) + "\n"


def flat_name(module: str) -> str:
    """The file name (without suffix) of a module inside the generated package."""
    return module.replace(".", "_")


def module_path(name: str) -> Path:
    """The source file of an importable module."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError) as error:
        raise SourceError(f"kernel module {name!r} cannot be found: {error}") from error
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise SourceError(f"kernel module {name!r} has no Python source file")
    return Path(spec.origin)


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def substitute(name: str, hooks: Mapping[str, str], native: bool) -> str:
    """The module that takes a module's place: a game's hooks, or its `_native` sibling if asked."""
    name = hooks.get(name, name)
    if native and _is_module(f"{name}_native"):
        return f"{name}_native"
    return name


def collect(root: str, hooks: Mapping[str, str], native: bool = False) -> list[Source]:
    """Every module that `root` is made of once each hook module is replaced, in a stable order.

    With `native`, a module that has a sibling of the same name plus `_native` (the same functions
    as machine instructions) is replaced by it.
    """
    owners = {"plyground", root.split(".")[0], *(name.split(".")[0] for name in hooks.values())}
    found: dict[str, Source] = {}
    waiting = [substitute(root, hooks, native)]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        source, imported = _read(name, owners, hooks, native)
        found[name] = source
        waiting.extend(imported)
    return [found[name] for name in sorted(found)]


def _read(
    name: str, owners: set[str], hooks: Mapping[str, str], native: bool
) -> tuple[Source, list[str]]:
    path = module_path(name)
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text, filename=str(path))
    except (OSError, SyntaxError, UnicodeDecodeError) as error:
        raise SourceError(f"kernel module {name!r} ({path}) cannot be read: {error}") from error
    is_package = path.name == "__init__.py"
    redirects: list[tuple[int, int, str]] = []
    imported: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] in owners:
                    raise SourceError(
                        f"{path}:{node.lineno}: write 'from {alias.name} import name' "
                        "in a kernel module"
                    )
        elif isinstance(node, ast.ImportFrom):
            target = _absolute(node, name, is_package)
            if target.split(".")[0] not in owners:
                continue
            statement, modules = _redirect(node, target, hooks, native)
            redirects.append((node.lineno, node.end_lineno or node.lineno, statement))
            imported.extend(modules)
    return Source(name, text, tuple(redirects)), imported


def _absolute(node: ast.ImportFrom, importer: str, is_package: bool) -> str:
    if node.level == 0:
        return node.module or ""
    base = importer.split(".")
    keep = len(base) - node.level + (1 if is_package else 0)
    return ".".join([*base[:keep], *([node.module] if node.module else [])])


def _redirect(
    node: ast.ImportFrom, target: str, hooks: Mapping[str, str], native: bool
) -> tuple[str, list[str]]:
    """The import statement inside the generated package, and the modules that it needs."""
    if target in (COMPILE_LAYER, f"{COMPILE_LAYER}.marker"):
        names = ", ".join(_clause(alias) for alias in node.names)
        return "from {package}.runtime import " + names, []
    statements, modules, plain_names = [], [], []
    target = substitute(target, hooks, native)
    for alias in node.names:
        child = f"{target}.{alias.name}"
        child = substitute(child, hooks, native)
        if _is_module(child):
            modules.append(child)
            local = alias.asname or alias.name
            statements.append("from {package} import " + f"{flat_name(child)} as {local}")
        else:
            plain_names.append(_clause(alias))
    if plain_names:
        modules.append(target)
        names = ", ".join(plain_names)
        statements.append("from {package}." + f"{flat_name(target)} import {names}")
    return "; ".join(statements), modules


def _clause(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name
