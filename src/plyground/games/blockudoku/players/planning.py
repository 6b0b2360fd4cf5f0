"""The arrays that planning a turn works on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plyground.games.blockudoku.pieces import placement_tables
from plyground.games.blockudoku.players.danger import new_lasts
from plyground.games.blockudoku.players.lookahead import MAX_CANDIDATES, MAX_DEALS, Planning
from plyground.games.blockudoku.players.settings import Lookahead
from plyground.games.blockudoku.players.turns import (
    MAX_NODES,
    NODE_WORDS,
    BestTurns,
    TurnSearch,
)


def make_search(weights: npt.NDArray[np.int64]) -> TurnSearch:
    """For judging boards by an evaluation."""
    return TurnSearch(weights, *placement_tables(), np.zeros((MAX_NODES, NODE_WORDS), np.uint64))


def make_list(places: int) -> BestTurns:
    """An empty list of the best turns."""
    return BestTurns(
        np.zeros(places, np.int64),
        np.zeros((places, 2), np.uint64),
        np.zeros((places, 3), np.uint64),
    )


def make_planning(
    deck: npt.NDArray[np.int64], weights: npt.NDArray[np.int64], lookahead: Lookahead
) -> Planning:
    """For planning turns with a deck, an evaluation and an effort."""
    return Planning(
        deck=deck,
        counts=lookahead.counts(),
        scales=lookahead.scales(),
        search=make_search(weights),
        best=make_list(MAX_CANDIDATES),
        reply=make_list(1),
        sampled_hand=np.zeros(3, np.int64),
        active=np.zeros(MAX_CANDIDATES, np.bool_),
        risks=np.zeros(MAX_CANDIDATES),
        lasts=new_lasts(),
        chances=np.zeros((MAX_CANDIDATES, MAX_DEALS)),
        evaluated=np.zeros(1, np.int64),
        hand=np.zeros(3, np.int64),
    )
