"""Search trees as SVG: an own layout from left to right, or Graphviz where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from html import escape
from itertools import count

from plyground.core.errors import InputError, UnsupportedError
from plyground.report.theme import LIGHT, SERIES
from plyground.report.tree_nodes import TreeNode

BOX_HEIGHT = 34
ROW_GAP = 8
COLUMN_GAP = 46
CHARACTER = 6.3
MOST_NODES = 3000

COLOURS = {
    "": LIGHT["soft"],
    "best": SERIES[0][0],
    "win": SERIES[2][0],
    "loss": SERIES[5][0],
    "draw": SERIES[4][0],
    "cut": SERIES[1][0],
    "rest": LIGHT["grid"],
}
"""Colours of frames by a node's mark."""


def draw_tree(root: TreeNode, title: str, layout: str = "auto") -> str:
    """The tree as SVG text. `layout`: `own`, `graphviz`, or `auto` (Graphviz if it is there)."""
    if layout not in ("auto", "own", "graphviz"):
        raise InputError(f"layout {layout!r}: must be auto, own or graphviz")
    size = root.count()
    if size > MOST_NODES:
        raise InputError(
            f"the tree has {size:,} nodes, too many to draw (at most {MOST_NODES:,}): "
            "use a smaller --depth or --width"
        )
    program = shutil.which("dot")
    if layout == "graphviz" and program is None:
        raise UnsupportedError("Graphviz (`dot`) is not installed: use --layout own")
    if program is not None and layout != "own":
        return _draw_with_graphviz(root, title, program)
    return _draw_own(root, title)


# Own layout -------------------------------------------------------------------------------


def _draw_own(root: TreeNode, title: str) -> str:
    """Leaves on consecutive rows, parents in the middle of their children, a column per ply."""
    widths: dict[int, float] = {}
    _measure(root, 0, widths)
    lefts = [12.0]
    for depth in sorted(widths):
        lefts.append(lefts[-1] + widths[depth] + COLUMN_GAP)
    places: dict[int, float] = {}
    rows = count()
    _place(root, places, rows)
    height = next(rows) * (BOX_HEIGHT + ROW_GAP) + 60
    width = max(lefts[-1], 24 + 8.4 * len(title))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(title, True)}" '
        'font-family="DejaVu Sans, system-ui, sans-serif" font-size="10.5">',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="{LIGHT["paper"]}"/>',
        f'<text x="12" y="22" font-size="13" font-weight="bold" fill="{LIGHT["ink"]}">'
        f"{escape(title)}</text>",
    ]
    _emit(root, 0, places, widths, lefts, parts)
    return "".join([*parts, "</svg>"])


def _measure(node: TreeNode, depth: int, widths: dict[int, float]) -> None:
    texts = _texts(node)
    needed = 16 + CHARACTER * max(len(text) for text in texts)
    widths[depth] = max(widths.get(depth, 0.0), needed)
    for child in node.children:
        _measure(child, depth + 1, widths)


def _texts(node: TreeNode) -> tuple[str, ...]:
    first, *rest = node.lines or ("",)
    return (f"{node.move}  {first}".strip(), *rest)


def _place(node: TreeNode, places: dict[int, float], rows: count[int]) -> float:
    if node.children:
        heights = [_place(child, places, rows) for child in node.children]
        middle = (heights[0] + heights[-1]) / 2
    else:
        middle = float(next(rows))
    places[id(node)] = middle
    return middle


def _top(places: dict[int, float], node: TreeNode) -> float:
    return 38 + places[id(node)] * (BOX_HEIGHT + ROW_GAP)


def _emit(
    node: TreeNode,
    depth: int,
    places: dict[int, float],
    widths: dict[int, float],
    lefts: list[float],
    parts: list[str],
) -> None:
    left, top = lefts[depth], _top(places, node)
    for child in node.children:
        start_x, start_y = left + widths[depth], top + BOX_HEIGHT / 2
        end_x, end_y = lefts[depth + 1], _top(places, child) + BOX_HEIGHT / 2
        bend = (start_x + end_x) / 2
        paint = COLOURS[child.mark] if child.mark in ("best", "win") else LIGHT["soft"]
        dashes = ' stroke-dasharray="4 3"' if child.mark in ("cut", "rest") else ""
        parts.append(
            f'<path d="M{start_x:.1f} {start_y:.1f}C{bend:.1f} {start_y:.1f} {bend:.1f} '
            f'{end_y:.1f} {end_x:.1f} {end_y:.1f}" fill="none" stroke="{paint}" '
            f'stroke-width="{0.8 + 4.0 * child.share:.2f}"{dashes}/>'
        )
        _emit(child, depth + 1, places, widths, lefts, parts)
    heavy = 2.0 if node.mark in ("best", "win", "loss") else 1.0
    dashes = ' stroke-dasharray="4 3"' if node.mark in ("cut", "rest") else ""
    parts.append(
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{widths[depth]:.1f}" height="{BOX_HEIGHT}" '
        f'rx="5" fill="{LIGHT["band"]}" stroke="{COLOURS[node.mark]}" stroke-width="{heavy}"'
        f"{dashes}/>"
    )
    first, *rest = _texts(node)
    move, _, value = first.partition("  ")
    parts.append(
        f'<text x="{left + 8:.1f}" y="{top + 14:.1f}" fill="{LIGHT["ink"]}">'
        f'<tspan font-weight="bold">{escape(move)}</tspan>  {escape(value)}</text>'
    )
    for number, line in enumerate(rest):
        parts.append(
            f'<text x="{left + 8:.1f}" y="{top + 27 + 12 * number:.1f}" '
            f'fill="{LIGHT["soft"]}">{escape(line)}</text>'
        )


# Graphviz ---------------------------------------------------------------------------------


def as_dot(root: TreeNode, title: str) -> str:
    """The tree in Graphviz' language."""
    lines = [
        "digraph tree {",
        f'  graph [rankdir=LR, label={_quote(title)}, labelloc=t, fontname="DejaVu Sans",'
        " nodesep=0.12, ranksep=0.5];",
        '  node [shape=box, style="rounded,filled", fontname="DejaVu Sans", fontsize=10,'
        f' fillcolor="{LIGHT["band"]}", fontcolor="{LIGHT["ink"]}",'
        ' height=0.4, margin="0.1,0.04"];',
        f'  edge [arrowhead=none, color="{LIGHT["soft"]}"];',
    ]
    numbers = count()
    _dot_node(root, next(numbers), numbers, lines)
    return "\n".join([*lines, "}"])


def _dot_node(node: TreeNode, number: int, numbers: count[int], lines: list[str]) -> None:
    label = "\\n".join(_escape(text) for text in _texts(node))
    pen = 2 if node.mark in ("best", "win", "loss") else 1
    lines.append(f'  n{number} [label="{label}", color="{COLOURS[node.mark]}", penwidth={pen}];')
    for child in node.children:
        below = next(numbers)
        _dot_node(child, below, numbers, lines)
        style = "dashed" if child.mark in ("cut", "rest") else "solid"
        thick = 0.8 + 4 * child.share
        lines.append(f"  n{number} -> n{below} [penwidth={thick:.2f}, style={style}];")


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _quote(text: str) -> str:
    return f'"{_escape(text)}"'


def _draw_with_graphviz(root: TreeNode, title: str, program: str) -> str:
    done = subprocess.run(
        [program, "-Tsvg"],
        input=as_dot(root, title),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode != 0:
        return _draw_own(root, title)
    return done.stdout[done.stdout.find("<svg") :]
