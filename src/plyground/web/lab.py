"""The lab on the page: every experiment with its claims beside what was measured here."""

from __future__ import annotations

import threading
from typing import Any

from plyground.core.errors import UnknownNameError
from plyground.web.settings import NotFoundError

_drawing = threading.Lock()
"""The library that draws plots is used by one thread at a time."""


def list_experiments() -> dict[str, Any]:
    """All experiments with their claims, what was found so far, and a sentence about them all."""
    from plyground.lab import experiment, verdicts  # bring statistics along: slow to load
    from plyground.lab.journal import Journal

    found, everything = [], []
    with Journal() as journal:
        for one in experiment.experiments().values():
            scale = verdicts.best_scale(one, journal)
            judged = verdicts.judge(one, journal.results(one, scale))
            everything.extend(judged)
            found.append(
                {
                    "name": one.name,
                    "title": one.title,
                    "document": verdicts.DOCUMENTS.get(one.document, one.document),
                    "scale": scale.value,
                    "command": f"plyground reproduce {one.name}",
                    "claims": [_claim(verdict) for verdict in judged],
                }
            )
    return {"headline": verdicts.headline([v.word for v in everything]), "experiments": found}


def describe_experiment(name: str) -> dict[str, Any]:
    """One experiment: claims, conditions, tables, and how many plots there are."""
    from plyground.lab import verdicts

    results, blocks = _open(name)
    judged = verdicts.judge(results.experiment, results)
    shown: list[dict[str, Any]] = []
    plots = 0
    for block in blocks:
        if isinstance(block, str):
            shown.append({"kind": "text", "text": block})
        elif hasattr(block, "figure"):
            shown.append({"kind": "plot", "number": plots, "about": block.about})
            plots += 1
        elif hasattr(block, "rows"):
            rows = [[str(cell) for cell in row] for row in block.rows]
            columns = [str(column) for column in block.columns]
            shown.append(
                {"kind": "table", "columns": columns, "rows": rows, "about": block.caption}
            )
    experiment = results.experiment
    return {
        "name": experiment.name,
        "title": experiment.title,
        "document": verdicts.DOCUMENTS.get(experiment.document, experiment.document),
        "scale": results.scale.value,
        "reduced": judged[0].reduced if judged else "",
        "command": f"plyground reproduce {experiment.name} --scale {results.scale.value}",
        "claims": [_claim(verdict) for verdict in judged],
        "blocks": shown,
    }


def draw_plot(name: str, number: int) -> str:
    """A plot of an experiment as SVG."""
    from plyground.report.figures import as_svg

    with _drawing:
        plots = [block for block in _open(name)[1] if hasattr(block, "figure")]
        if number >= len(plots):
            raise NotFoundError(f"experiment {name} has no plot {number}")
        return as_svg(plots[number].figure, f"{name}-{number}")


def _claim(verdict: Any) -> dict[str, str]:
    return {
        "says": verdict.claim.says,
        "ours": verdict.ours,
        "agrees": verdict.word,
        "why": verdict.why,
    }


def _open(name: str) -> tuple[Any, list[Any]]:
    """Results of an experiment at the largest scale that is complete, and what to show of them."""
    from plyground.lab import experiment, pages, verdicts
    from plyground.lab.journal import Journal

    try:
        one = experiment.find(name)[0]
    except UnknownNameError as error:
        raise NotFoundError(str(error)) from None
    with Journal() as journal:
        results = journal.results(one, verdicts.best_scale(one, journal))
        return results, pages.experiment_blocks(results)
