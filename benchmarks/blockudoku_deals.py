"""What sampling more deals is worth to Blockudoku's champion, decision by decision.

    python benchmarks/blockudoku_deals.py --seconds 60 --out blockudoku_deals.json

Boards come from an ensemble of the player without sampling, each with a random hand; kept are those
whose best final board costs between `--least` and `--most`. The best final boards of a hand meet
the same deals. Of these some are drawn for the champion's decision, and the deals left over say how
much less dangerous the board that it chose is than the best one by evaluation alone: the mean
logarithm of the ratio of the two dangers, with its standard error over positions. 0 is what no
sampling gains; a gain repeats at every dangerous turn on the way to a death.

The danger of a board is the exact risk of the next deal and the mean, over deals, of what the cost
of the board after the best answer adds to the deaths of later turns. That was measured on an
ensemble of the player without sampling (see `later_deaths`), and is not the scale by which the
champion decides: that one is steeper at the top.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.games.blockudoku.notation import parse_deck
from plyground.games.blockudoku.players.ensemble import LEVELS, WARM_UP, Ensemble, Plan
from plyground.games.blockudoku.players.settings import Lookahead
from plyground.games.blockudoku.players.survival import Player
from plyground.games.blockudoku.players.turns import WORST

PIECES = "0-46"
DRAWS = 20
"""How often deals are drawn for a decision, of all that a position met."""
A_STEP = 4
"""Positions that are taken of one step of the ensemble."""
Numbers = npt.NDArray[np.float64]


def later_deaths(costs: Numbers) -> Numbers:
    """What boards of these costs add to the deaths of the turns that follow."""
    return 0.15 / (1.0 + np.exp((702_000.0 - costs) / 48_000.0))


def dangers(met: Numbers, risks: Numbers) -> Numbers:
    """(candidates, deals): the danger behind each of the champion's chances of death.

    A deal that cannot be placed adds nothing beyond the risk.
    """
    scale = Lookahead()
    chance = np.clip(met - risks[:, None], 1e-12, 1.0 - 1e-12)
    costs = scale.centre - scale.scale * np.log(1.0 / chance - 1.0)
    return risks[:, None] + np.where(met > risks[:, None], later_deaths(costs), 0.0)


def met_deals(player: Player, candidates: int, deals: int, seed: int) -> tuple[Numbers, Numbers]:
    """(candidates, deals): what the champion decides by, and how dangerous it is."""
    plan = player.plan
    module = kernels.compiled("plyground.games.blockudoku.players.lookahead")
    plan.active[:] = np.arange(len(plan.active)) < candidates
    module.weigh_candidates(plan)
    module.sample_deals(np.uint64(seed), np.int64(0), np.int64(deals), plan)
    met = plan.chances[:candidates, :deals].copy()
    return met, dangers(met, plan.risks[:candidates])


def positions(given: argparse.Namespace) -> list[tuple[int, Numbers, Numbers]]:
    """For each position the cost of its best board, and its candidates' `met_deals`."""
    deck = np.array(parse_deck(PIECES), np.int64)
    player = Player("static", PIECES)
    player.plan.scales[:] = Lookahead().scales()
    module = kernels.compiled("plyground.games.blockudoku.players.lookahead")
    ensemble = Ensemble(player, deck, given.seed)
    source = np.random.default_rng(given.seed)
    sizes = Plan(1, 10).sizes()
    for _ in range(WARM_UP):
        ensemble.step([16], ())
    found: list[tuple[int, Numbers, Numbers]] = []
    end = time.process_time() + given.seconds
    while time.process_time() < end:
        ensemble.step(sizes, LEVELS)
        taken = 0
        for row in source.permutation(len(ensemble.boards)):
            board, hand = ensemble.boards[row], deck[source.integers(len(deck), size=3)]
            count, plan = given.candidates, player.plan
            module.best_boards((board[0], board[1]), hand, np.int64(count), plan.search, plan.best)
            costs = plan.best.values[:count].copy()
            if costs[-1] == WORST or not given.least <= costs[0] < given.most:
                continue
            seed = int(source.integers(2**62))
            found.append((int(costs[0]), *met_deals(player, count, given.deals, seed)))
            taken += 1
            if taken == A_STEP or time.process_time() > end:
                break
    return found


def gain(
    met: Numbers, danger: Numbers, deals: int, doubt: float, source: np.random.Generator
) -> float:
    """Mean logarithm of the danger of what is chosen by so many deals, over the first board's."""
    module = kernels.compiled("plyground.games.blockudoku.players.lookahead")
    gains = []
    for _ in range(DRAWS):
        order = source.permutation(met.shape[1])
        active = np.ones(len(met), np.bool_)
        drawn = np.ascontiguousarray(met[:, order[:deals]])
        chosen = int(module.compare_candidates(drawn, np.int64(deals), doubt, active))
        left = danger[:, order[deals:]].mean(1)
        gains.append(np.log(left[chosen] / left[0]))
    return float(np.mean(gains))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="processor time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--candidates", type=int, default=8)
    parser.add_argument("--deals", type=int, default=128)
    parser.add_argument("--least", type=int, default=380_000)
    parser.add_argument("--most", type=int, default=650_000)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    found = positions(given)
    rows = []
    for doubt, deals in itertools.product((0.0, 1.0, 2.0), (8, 16, 32, 64, 96)):
        if deals < given.deals:
            source = np.random.default_rng(given.seed)
            gains = [gain(met, danger, deals, doubt, source) for _, met, danger in found]
            mean, error = float(np.mean(gains)), float(np.std(gains) / np.sqrt(len(gains)))
            rows.append({"doubt": doubt, "deals": deals, "gain": mean, "error": error})
            print(f"doubt {doubt:g}, {deals} deals: {mean:+.4f} +- {error:.4f}", flush=True)
    settings = {name: value for name, value in vars(given).items() if name != "out"}
    result = {**settings, "positions": len(found), "costs": [cost for cost, _, _ in found]}
    given.out.write_text(json.dumps({**result, "gains": rows}) + "\n")


if __name__ == "__main__":
    main()
