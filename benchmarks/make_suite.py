"""Makes a suite of starts for a game: random openings that favour nobody in the champion's eyes.

    python benchmarks/make_suite.py connect4 --plies 6 --count 60 --nodes 20000 > suite.txt

The same arguments give the same suite. Openings whose outcome is known, or which favour a side by
more than `--most` on the scale from -1 (lost) to 1 (won), are left out.
"""

from __future__ import annotations

import argparse
import sys

from plyground.arena.openings import OpeningBook
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--option", action="append", default=[], help="key=value of the game")
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--most", type=float, default=0.4)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    game = make_game(wanted.game, dict(text.split("=", 1) for text in wanted.option))
    judge = make_agent(wanted.game, "champion")
    judge.new_game(game, wanted.seed)
    judge.warm_up()
    book = OpeningBook(game, wanted.seed, wanted.plies)
    options = " ".join(wanted.option) or "usual options"
    print(f"# {wanted.game}, {options}: {wanted.count} openings of {wanted.plies} plies, judged by")
    print(f"# champion with {wanted.nodes} nodes to favour nobody by more than {wanted.most:g}")
    found = looked = 0
    while found < wanted.count:
        position = game.play_line(book[looked].moves)
        looked += 1
        judge.new_game(game, wanted.seed)
        score = judge.search(position, Limit(nodes=wanted.nodes)).score
        if score is not None and score.value is None and abs(score.expectation) <= wanted.most:
            print(position.text, flush=True)
            found += 1
    print(f"{found} of {looked} openings", file=sys.stderr)


if __name__ == "__main__":
    main()
