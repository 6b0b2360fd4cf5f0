"""A board as neutral shapes: the terminal, SVG pictures and the page all draw from the same.

Styles are names with a meaning (`first`, `second`, `board`, `given`, ...), not colours; `PALETTES`
gives them colours. Coordinates are in cells, x to the right, y down; a shape may carry the `cell`
it stands for, so that a page can react to clicks on it.
"""

from __future__ import annotations

from html import escape
from typing import Literal

import msgspec

Palette = dict[str, str]

LIGHT: Palette = {
    "background": "#ffffff",
    "board": "#2b5fa8",
    "frame": "#1f2937",
    "line": "#9ca3af",
    "thin": "#d1d5db",
    "empty": "#f3f4f6",
    "hole": "#eaf1fb",
    "first": "#d7263d",
    "second": "#f2b705",
    "ink-first": "#b5122b",
    "ink-second": "#865600",
    "given-shade": "#e8ebf0",
    "given": "#374151",
    "text": "#111827",
    "muted": "#6b7280",
    "filled": "#3b6fb6",
    "mark": "#16a34a",
    "last": "#0ea5e9",
    "shade-first": "#fbdde1",
    "shade-second": "#fdf0c4",
    "shade": "#e0ecff",
    "bad": "#b91c1c",
}
DARK: Palette = LIGHT | {
    "background": "#111418",
    "board": "#24487c",
    "frame": "#cbd5e1",
    "line": "#64748b",
    "thin": "#374151",
    "empty": "#1c2128",
    "hole": "#161b22",
    "first": "#f0566a",
    "second": "#f6cc4b",
    "ink-first": "#ff8d9a",
    "ink-second": "#f6cc4b",
    "given-shade": "#2a313b",
    "given": "#d1d5db",
    "text": "#f3f4f6",
    "muted": "#9ca3af",
    "filled": "#5b93dd",
    "shade-first": "#4a2229",
    "shade-second": "#453c17",
    "shade": "#1e3350",
    "bad": "#f87171",
}
PALETTES: dict[str, Palette] = {"light": LIGHT, "dark": DARK}

TERMINAL_STYLES: dict[str, str] = {
    "first": "bold red",
    "second": "bold yellow",
    "board": "blue",
    "frame": "bold",
    "given": "bold",
    "muted": "dim",
    "ink-first": "bold red",
    "ink-second": "bold yellow",
    "filled": "bold blue",
    "mark": "bold green",
    "last": "bold cyan",
    "bad": "red",
}


class Shape(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to draw. A circle has `width` as diameter; a line ends at (x+width, y+height)."""

    kind: Literal["rect", "circle", "line", "text"]
    x: float
    y: float
    width: float = 0.0
    height: float = 0.0
    style: str = "text"
    text: str = ""
    stroke: float = 0.0
    """Width of the outline (or line) in cells; 0 fills the shape instead."""
    cell: str = ""
    radius: float = 0.0
    """How round the corners of a rectangle are, in cells."""
    label: str = ""
    """What stands here, for people who cannot see it; numbered as on the board."""


class Glyph(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of terminal text with its style."""

    text: str
    style: str = "text"


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """A board: its size in cells, shapes from back to front, rows of glyphs for a terminal."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    rows: tuple[tuple[Glyph, ...], ...] = ()
    caption: str = ""

    def text(self) -> str:
        """The terminal picture without colour."""
        lines = ["".join(glyph.text for glyph in row).rstrip() for row in self.rows]
        return "\n".join([*lines, self.caption] if self.caption else lines)

    def ansi(self) -> str:
        """The terminal picture with colours (ANSI escape sequences)."""
        return "\n".join("".join(_coloured(g) for g in row) for row in self.rows) + (
            f"\n{self.caption}" if self.caption else ""
        )

    def svg(self, theme: str = "light", cell: int = 48) -> str:
        """A self-contained SVG picture, `cell` pixels a cell."""
        palette = PALETTES[theme]
        width, height = self.width * cell, self.height * cell
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" role="img" '
            f'aria-label="{escape(self.caption, quote=True)}" '
            'font-family="system-ui, sans-serif">',
            f'<rect width="{self.width:g}" height="{self.height:g}" '
            f'fill="{palette["background"]}"/>',
            *(shape_svg(shape, palette) for shape in self.shapes),
            "</svg>",
        ]
        return "".join(parts)


_ANSI = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "cyan": 36, "bold": 1, "dim": 2}


def _coloured(glyph: Glyph) -> str:
    codes = [str(_ANSI[word]) for word in TERMINAL_STYLES.get(glyph.style, "").split()]
    return f"\x1b[{';'.join(codes)}m{glyph.text}\x1b[0m" if codes else glyph.text


def shape_svg(shape: Shape, palette: Palette) -> str:
    """One shape as an SVG element; the palette gives its colour (any CSS colour)."""
    colour = palette.get(shape.style, palette["text"])
    paint = (
        f'fill="none" stroke="{colour}" stroke-width="{shape.stroke:g}"'
        if shape.stroke
        else f'fill="{colour}"'
    )
    match shape.kind:
        case "rect":
            round_corners = f'rx="{shape.radius:g}" ' if shape.radius else ""
            return (
                f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" '
                f'height="{shape.height:g}" {round_corners}{paint}/>'
            )
        case "circle":
            return f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.width / 2:g}" {paint}/>'
        case "line":
            end_x, end_y = shape.x + shape.width, shape.y + shape.height
            return (
                f'<line x1="{shape.x:g}" y1="{shape.y:g}" x2="{end_x:g}" y2="{end_y:g}" '
                f'stroke="{colour}" stroke-width="{shape.stroke or 0.03:g}" '
                'stroke-linecap="round"/>'
            )
        case "text":
            size = shape.height or 0.5
            return (
                f'<text x="{shape.x:g}" y="{shape.y + size * 0.35:g}" font-size="{size:g}" '
                f'text-anchor="middle" fill="{colour}">{escape(shape.text)}</text>'
            )
