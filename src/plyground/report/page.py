"""One self-contained HTML file from sections of text, tables, plots and replays.

The file needs no network and no other file. Every plot is also written beside it as SVG and PNG.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from plyground.core.files import check_text
from plyground.core.view import DARK, LIGHT
from plyground.core.writing import check_target, write_text
from plyground.report.replays import Replay
from plyground.report.theme import css_variables, for_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Link:
    """A table cell that leads somewhere, usually to a replay in the same page."""

    text: str
    target: str


Cell = str | Link


@dataclass(frozen=True)
class Table:
    """Cells as text; columns named in `numeric` are set flush right. A row may carry a mark."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numeric: frozenset[int] = frozenset()
    caption: str = ""
    marks: tuple[str, ...] = ()
    """A CSS class per row: `good`, `bad`, `muted` or empty."""
    folded: str = ""
    """Text to click on before a long table shows."""


@dataclass(frozen=True)
class Plot:
    """A figure with the stem of its file names and a sentence that says what it shows."""

    name: str
    figure: Figure
    about: str

    @cached_property
    def pictures(self) -> tuple[str, bytes]:
        """As SVG and as PNG; drawn when first asked for, which takes a moment."""
        from plyground.report.figures import as_png, as_svg  # slow to load

        svg = as_svg(self.figure, self.name)
        self.figure.set_layout_engine("none")  # everything has its place now
        return svg, as_png(self.figure)


@dataclass(frozen=True)
class Drawing:
    """An SVG picture made by ourselves (a search tree)."""

    name: str
    svg: str
    about: str


@dataclass(frozen=True)
class Replays:
    """Games to step through."""

    games: tuple[Replay, ...]


Block = str | Table | Plot | Drawing | Replays


@dataclass(frozen=True)
class Section:
    """A heading with what stands below it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Page:
    """A report: the result in one sentence, facts about the run, sections."""

    title: str
    headline: str
    facts: tuple[tuple[str, Cell], ...] = ()
    sections: tuple[Section, ...] = field(default=())


def write_page(page: Page, path: Path) -> Path:
    """Write the HTML file and, beside it, SVG and PNG of every plot (STEM-NAME.svg, .png)."""
    check_text(str(path), "the name of a report")
    path.parent.mkdir(parents=True, exist_ok=True)
    check_target(path)
    drawn: dict[int, Markup] = {}
    for block in (block for section in page.sections for block in section.blocks):
        if isinstance(block, Plot):
            svg, png = block.pictures
            drawn[id(block)] = Markup(for_page(svg))
            (path.parent / f"{path.stem}-{block.name}.svg").write_text(svg, encoding="utf-8")
            (path.parent / f"{path.stem}-{block.name}.png").write_bytes(png)
        elif isinstance(block, Drawing):
            drawn[id(block)] = Markup(for_page(block.svg))
            target = path.parent / f"{path.stem}-{block.name}.svg"
            target.write_text(block.svg, encoding="utf-8")
    write_text(path, render(page, drawn, path.stem))
    return path


def render(page: Page, drawn: dict[int, Markup], stem: str) -> str:
    """The page as text; `drawn` holds the inline SVG of each plot by its identity."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("plyground.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["identity"] = id
    light, dark = css_variables()
    replays = [
        replay
        for section in page.sections
        for block in section.blocks
        if isinstance(block, Replays)
        for replay in block.games
    ]
    return environment.get_template("page.html.jinja").render(
        page=page,
        drawn=drawn,
        stem=stem,
        kind=_kind,
        light=Markup(light + ";" + _board_colours(LIGHT)),
        dark=Markup(dark + ";" + _board_colours(DARK)),
        replay_data=Markup(_as_script([replay.data() for replay in replays])),
        has_replays=bool(replays),
    )


def _kind(block: Block) -> str:
    return type(block).__name__.lower()


def _board_colours(palette: dict[str, str]) -> str:
    return ";".join(f"--board-{name}:{value}" for name, value in palette.items())


def _as_script(value: Sequence[object]) -> str:
    """JSON that may stand inside a script element."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
