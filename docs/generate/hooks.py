"""Pages that are made from the code when the site is built: command line, Python reference, map."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(Path(__file__).parent)]

from import_graph import draw_imports  # noqa: E402

PUBLIC_MODULES = (
    "core.game",
    "core.agent",
    "core.limits",
    "core.search",
    "core.outcome",
    "core.record",
    "core.registry",
    "core.errors",
    "core.view",
    "kernels",
    "search.alphabeta",
    "search.mcts",
    "search.montecarlo",
    "sudoku",
    "stats.elo",
    "stats.sprt",
    "stats.ratings",
    "stats.survival",
    "testing",
)


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages."""
    pages = {
        "cli.md": command_line(),
        "api.md": python_reference(),
        "benchmarks.md": benchmarks(),
        "images/imports.svg": draw_imports(ROOT / "src" / "plyground"),
    }
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def command_line() -> str:
    """The reference of all commands, from their own help."""
    from plyground.cli.commands import make_app

    text: str = make_app().generate_docs(output_format="markdown")
    return text.replace("# plyground\n", "# Command line\n", 1)


def python_reference() -> str:
    """Docstrings of the public modules."""
    parts = ["# Python reference", "The modules that programs use; everything else may change."]
    parts += [f"::: plyground.{name}" for name in PUBLIC_MODULES]
    return "\n\n".join(parts)


def benchmarks() -> str:
    """The committed results, one after the other."""
    parts = [
        "# Benchmarks",
        "Every figure is measured beside a named peer in the same run: CPU time, in turns, best of "
        "several rounds, because other programs can only slow a round down. `plyground bench` "
        "repeats what needs no peer program; the scripts and raw numbers are in `benchmarks/`.",
    ]
    results = sorted((ROOT / "benchmarks" / "results").glob("*.md"))
    for path in results:
        text = path.read_text(encoding="utf-8")
        parts.append("\n".join("#" + s if s.startswith("#") else s for s in text.splitlines()))
    return "\n\n".join(parts)
