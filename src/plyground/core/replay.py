"""A game with a slider over its positions, for notebooks."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass

from plyground.core.record import GameRecord
from plyground.core.registry import make_game

_numbers = itertools.count(1)

_SLIDER = """<div id="{id}" style="max-width:{width}px">{frames}
<input type="range" min="0" max="{last}" value="{last}" style="width:100%" aria-label="move">
<div></div></div><script>(function () {{
const box = document.getElementById("{id}"), labels = {labels};
const frames = box.querySelectorAll("svg"), slider = box.querySelector("input");
const show = () => {{ frames.forEach((f, i) => f.style.display = i == slider.value ? "" : "none");
box.lastElementChild.textContent = labels[slider.value]; }};
slider.addEventListener("input", show); show(); }})();</script>"""


@dataclass(frozen=True)
class Replay:
    """A game with a slider over its positions."""

    record: GameRecord
    theme: str = "light"

    def _repr_html_(self) -> str:
        game = make_game(self.record.game, self.record.options)
        positions = list(self.record.positions(game))
        labels = ["start"] + [
            f"{number}. {entry.move}" for number, entry in enumerate(self.record.moves, 1)
        ]
        frames = "".join(position.view.svg(self.theme, cell=36) for position in positions)
        return _SLIDER.format(
            id=f"plyground-replay-{next(_numbers)}",
            width=round(36 * positions[0].view.width),
            frames=frames,
            last=len(positions) - 1,
            labels=json.dumps(labels[: len(positions)]).replace("</", "<\\/"),
        )
