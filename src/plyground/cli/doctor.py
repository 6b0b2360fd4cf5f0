"""`plyground doctor`: what is installed, what is missing, where files are kept."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from plyground import __version__
from plyground.cli.app import Json, console, print_json
from plyground.core.paths import cache_root, data_root
from plyground.engines import containment, sandbox
from plyground.kernels import store

EXTRAS = {
    "cluster": ("distributed", "tournaments on several machines"),
    "rl": ("pettingzoo", "Gymnasium and PettingZoo environments"),
    "bench": ("pyspiel", "the comparison with OpenSpiel in `plyground bench`"),
    "tune": ("optuna", "parameters of agents found by `plyground tune`"),
    "data": ("pyarrow", "games as Parquet and as DataFrames"),
    "docs": ("mkdocs", "the documentation as a site, `make docs`"),
}
TOOLS = {
    "bwrap": ("submissions and engines in a sandbox", "bubblewrap"),
    "dot": ("nicer layout of search trees", "graphviz"),
    "chromium": ("the tests of the page and of reports in a browser", "chromium"),
}
NAMES = {"chromium": ("chromium-headless-shell", "chromium", "chromium-browser")}
"""Programs that do as well, the cheapest first: without windows Chromium takes half the time."""
PACKAGES = (
    "numba",
    "numpy",
    "scipy",
    "rich",
    "cyclopts",
    "msgspec",
    "starlette",
    "uvicorn",
    "websockets",
    "matplotlib",
    "jinja2",
    "psutil",
    "python-sat",
)


def doctor(*, json: Json = False) -> None:
    """Tell what is installed, what is missing and how to get it, and where files are kept.

    Example: plyground doctor
    """
    facts = examine()
    if json:
        print_json(facts)
        return
    table = Table("what", "state", "remark")
    for row in facts["checks"]:
        mark = Text("ok", "green") if row["ok"] else Text("missing", "yellow")
        table.add_row(row["name"], mark, row["remark"])
    console.print(table)
    console.print(
        f"cache: {facts['cache']['folder']}, {facts['cache']['packages']} packages, "
        f"{facts['cache']['bytes'] / 2**20:.1f} MiB\n"
        f"data:  {facts['data']['folder']}, {facts['data']['bytes'] / 2**20:.1f} MiB",
        highlight=False,
    )


def examine() -> dict[str, Any]:
    """All facts, in the shape of the JSON output."""
    packages, size = store.size()
    data = data_root()
    checks = [_check("Python", sys.version_info >= (3, 11), platform.python_version())]
    checks += [_package(name) for name in PACKAGES]
    for extra, (module, purpose) in EXTRAS.items():
        found = importlib.util.find_spec(module) is not None
        remark = purpose if found else f"{purpose}: pip install 'plyground[{extra}]'"
        checks.append(_check(f"extra {extra}", found, remark))
    for tool, (purpose, package) in TOOLS.items():
        found = find_tool(tool) is not None
        remark = purpose if found else f"{purpose}: sudo apt install {package}"
        checks.append(_check(tool, found, remark))
    for label, folder, variable in (
        ("cache folder", cache_root(), "PLYGROUND_CACHE_DIR"),
        ("data folder", data, "PLYGROUND_DATA_DIR"),
    ):
        writable = _writable(folder)
        remark = str(folder) if writable else f"{folder} cannot be written: set {variable}"
        checks.append(_check(label, writable, remark))
    apart = sandbox.state()
    remark = "programs of others run in a sandbox" if apart.available else apart.reason
    checks.append(_check("sandbox", apart.available, remark))
    checks.append(_check("engines held by", *containment.describe()))
    compiled = kernels_enabled()
    remark = "hot code runs compiled" if compiled else "NUMBA_DISABLE_JIT is set: all is slow"
    checks.append(_check("compiler", compiled, remark))
    return {
        "version": __version__,
        "platform": platform.platform(),
        "cpus": os.cpu_count(),
        "checks": checks,
        "cache": {"folder": str(cache_root()), "packages": packages, "bytes": size},
        "data": {"folder": str(data), "bytes": _folder_size(data)},
    }


def kernels_enabled() -> bool:
    """Whether hot code is compiled in this environment."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


def _check(name: str, ok: bool, remark: str) -> dict[str, Any]:
    return {"name": name, "ok": ok, "remark": remark}


def find_tool(name: str) -> str | None:
    """The path of a program that others wrote, the cheapest of those that do."""
    return next(filter(None, map(shutil.which, NAMES.get(name, (name,)))), None)


def _package(name: str) -> dict[str, Any]:
    try:
        return _check(name, True, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return _check(name, False, f"pip install {name}")


def _writable(folder: Path) -> bool:
    while not folder.exists():
        folder = folder.parent
    return os.access(folder, os.W_OK)


def _folder_size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
