"""A picture of which part of the package imports which, read off the code."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

LAYERS = (
    ("core",),
    ("kernels", "stats", "store"),
    ("search", "sudoku", "board"),
    ("games", "testing", "api"),
    ("engines", "adapters"),
    ("arena",),
    ("report",),
    ("lab", "web", "course", "notebook"),
    ("cli",),
    ("upper rooms",),
)
UPPER_ROOMS = ("experiments", "commands", "environment", "measurements", "bridge")
"""Parts of a game's folder that stand higher than its rules and players."""

BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y = 120, 30, 26, 62


def part_of(module: str) -> str:
    """The part of the package that a module belongs to; empty for others."""
    words = module.split(".")
    return words[1] if len(words) > 1 and words[0] == "plyground" else ""


def statements(block: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """These statements and all that stand within them."""
    for node in block:
        yield node
        for inner in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from statements(getattr(node, inner, ()))


def imports(package: Path) -> dict[str, set[str]]:
    """For each part the parts that it imports."""
    found: dict[str, set[str]] = {}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package).with_suffix("").parts
        part = parts[0]
        if part == "games" and len(parts) > 2 and parts[2] in UPPER_ROOMS:
            part = "upper rooms"
        for node in statements(ast.parse(path.read_text(encoding="utf-8")).body):
            names: list[str] = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            found.setdefault(part, set()).update(filter(None, map(part_of, names)))
    return {part: others - {part} for part, others in found.items()}


def draw_imports(package: Path) -> str:
    """The graph as SVG: lower layers at the bottom, an arrow from importer to imported."""
    graph = imports(package)
    places: dict[str, tuple[float, float]] = {}
    widest = max(len(layer) for layer in LAYERS)
    width = widest * (BOX_WIDTH + GAP_X) + GAP_X
    height = len(LAYERS) * (BOX_HEIGHT + GAP_Y)
    for level, layer in enumerate(LAYERS):
        y = height - (level + 1) * (BOX_HEIGHT + GAP_Y) + GAP_Y / 2
        room = len(layer) * (BOX_WIDTH + GAP_X) - GAP_X
        for index, part in enumerate(layer):
            places[part] = ((width - room) / 2 + index * (BOX_WIDTH + GAP_X), y)
    shapes = []
    for part, others in sorted(graph.items()):
        for other in sorted(others):
            if part in places and other in places:
                shapes.append(_arrow(places[part], places[other]))
    shapes += [_box(part, *place) for part, place in places.items()]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="system-ui, sans-serif" font-size="14">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#64748b"/></marker></defs>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>' + "".join(shapes) + "</svg>"
    )


def _box(name: str, x: float, y: float) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="5" fill="#e0ecff" '
        'stroke="#2b5fa8"/>'
        f'<text x="{x + BOX_WIDTH / 2}" y="{y + 20}" text-anchor="middle">{escape(name)}</text>'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    x1, x2 = start[0] + BOX_WIDTH / 2, end[0] + BOX_WIDTH / 2
    downwards = end[1] > start[1]
    y1 = start[1] + (BOX_HEIGHT if downwards else 0)
    y2 = end[1] + (0 if downwards else BOX_HEIGHT)
    colour = "#94a3b8" if downwards else "#b91c1c"
    middle = (y1 + y2) / 2
    return (
        f'<path d="M{x1} {y1}C{x1} {middle} {x2} {middle} {x2} {y2}" fill="none" '
        f'stroke="{colour}" stroke-width="1" marker-end="url(#tip)"/>'
    )
