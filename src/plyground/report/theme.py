"""Colours and type of plots and pages, light and dark.

Plots are drawn once with the light colours; `for_page` turns those into CSS variables, so that the
same drawing follows the page's theme.
"""

from __future__ import annotations

import re
from typing import Any

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1b2330",
    "soft": "#5c6675",
    "grid": "#d9dee6",
    "band": "#f1f4f8",
}
DARK = {
    "paper": "#12161c",
    "ink": "#e8ecf2",
    "soft": "#9aa5b4",
    "grid": "#323a46",
    "band": "#1b212a",
}
SERIES = (
    ("#1f6fb4", "#6cb2ee"),
    ("#d1550f", "#ff9a5c"),
    ("#1a8a5c", "#56c795"),
    ("#8b4fb8", "#c496ea"),
    ("#b8860b", "#e3b94a"),
    ("#c0325f", "#f07da2"),
    ("#3b8686", "#7fcccc"),
    ("#6b5b4b", "#b9a692"),
)
"""Line colours (light, dark), told apart by people with red-green weakness in this order."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

PARAMETERS: dict[Any, Any] = {
    "figure.facecolor": LIGHT["paper"],
    "axes.facecolor": LIGHT["paper"],
    "savefig.facecolor": LIGHT["paper"],
    "axes.edgecolor": LIGHT["soft"],
    "axes.labelcolor": LIGHT["ink"],
    "axes.titlecolor": LIGHT["ink"],
    "text.color": LIGHT["ink"],
    "xtick.color": LIGHT["soft"],
    "ytick.color": LIGHT["soft"],
    "xtick.labelcolor": LIGHT["ink"],
    "ytick.labelcolor": LIGHT["ink"],
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": LIGHT["grid"],
    "grid.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "font.size": 9.5,
    "font.family": "sans-serif",
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "plyground",
}


def colour(index: int) -> str:
    """The light colour of a line or bar by number; repeats after the palette."""
    return SERIES[index % len(SERIES)][0]


def marker(index: int) -> str:
    """The mark of a line; differs where colours repeat."""
    return MARKERS[(index + index // len(SERIES)) % len(MARKERS)]


def css_variables() -> tuple[str, str]:
    """Declarations of all colours for a light and for a dark page."""
    light = [f"--{name}:{value}" for name, value in LIGHT.items()]
    dark = [f"--{name}:{value}" for name, value in DARK.items()]
    for number, (bright, dim) in enumerate(SERIES):
        light.append(f"--series{number}:{bright}")
        dark.append(f"--series{number}:{dim}")
    return ";".join(light), ";".join(dark)


def for_page(svg: str) -> str:
    """An SVG drawing with its colours as CSS variables, ready to stand inside a page."""
    names = {value: f"var(--{name})" for name, value in LIGHT.items()}
    names |= {bright: f"var(--series{number})" for number, (bright, _) in enumerate(SERIES)}
    start = svg.find("<svg")
    body = re.sub(r"<metadata>.*?</metadata>", "", svg[max(start, 0) :], flags=re.DOTALL)
    pattern = re.compile("|".join(re.escape(value) for value in names))
    return pattern.sub(lambda found: names[found.group()], body)
