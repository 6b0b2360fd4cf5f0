"""The example notebooks run from a clean kernel and show pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="needs the extra dev (nbclient)")
nbclient = pytest.importorskip("nbclient", reason="needs the extra dev (nbclient)")

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_draws(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), (
        "commit notebooks without output"
    )
    nbclient.NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    shown = [
        kind
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    ]
    assert "image/svg+xml" in shown and "text/html" in shown
