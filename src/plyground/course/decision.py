"""Where a lost game was decided: the last move of the loser that best play would have held.

Near the end the champion knows the result of best play for certain. Read backwards from there,
positions are lost until the one in which the game was given away; who blames a later move blames
one that changed nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.record import GameRecord
from plyground.core.registry import make_agent
from plyground.core.search import Value

JUDGE = "champion"
LIMIT = Limit(nodes=100_000)


@dataclass(frozen=True)
class Ending:
    """What is known of the end of a lost game; moves are counted from 1.

    From `lost_from` on the loser's moves changed nothing. `decided` is the move before that gave
    away a game that was a `value` with `best`; 0 if the end is not known so far back.
    """

    lost_from: int
    decided: int = 0
    value: Value = "loss"
    best: str = ""

    @property
    def words(self) -> str:
        """What happened, as the rest of a sentence that begins with the move."""
        word, held = ("won", "won") if self.value == "win" else ("drawn", "kept the draw")
        a_pass = ", a pass," if self.best.endswith("!") else ""
        return f"lost a {word} game, {self.best}{a_pass} would have {held}"


def find_decision(record: GameRecord, positions: Sequence[Position], loser: int) -> Ending:
    """The ending of a game that was lost by points; `positions` are those before every move."""
    judge = make_agent(record.game, JUDGE)
    ending = Ending(len(record.moves) + 1)
    for number in range(len(record.moves), record.opening_plies, -1):
        if record.moves[number - 1].player != loser:
            continue
        judge.new_game(positions[0].game, 0)  # it has seen nothing of the moves that follow
        found = judge.search(positions[number - 1], LIMIT)
        value = found.score.value if found.score else None
        if value == "loss":
            ending = Ending(number)
        elif value is None:
            break
        else:
            return Ending(ending.lost_from, number, value, found.move or "")
    return ending
