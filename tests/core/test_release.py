"""The wheel holds everything the package needs, and works away from the source tree."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

import plyground
from processes import run_python

pytest.importorskip("hatchling", reason="needs the extra dev")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run_python("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=ROOT, timeout=120)
    return next(folder.glob("*.whl"))


def test_the_wheel_has_every_file_of_the_package(wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    source = ROOT / "src"
    wanted = {
        str(path.relative_to(source))
        for path in (source / "plyground").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted <= packed, sorted(wanted - packed)[:5]
    assert "plyground/py.typed" in packed
    assert wheel.name.startswith(f"plyground-{plyground.__version__}-")


def test_the_wheel_works_in_another_folder(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    program = (
        "import sys, plyground; assert plyground.__file__.startswith(sys.argv[1]); "
        "from plyground.cli import main; main(['perft', 'connect4', '--depth', '2', '--json'])"
    )
    site = str(tmp_path / "site")
    done = run_python("-c", program, site, cwd=tmp_path, env=environment, timeout=300)
    assert json.loads(done.stdout)["nodes"] == 91
