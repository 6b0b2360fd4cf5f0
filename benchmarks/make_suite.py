r"""Makes a suite of starts for a game: those that favour nobody in the champion's eyes.

    python benchmarks/make_suite.py connect4 --plies 6 --count 60 --nodes 20000 > even.txt
    python benchmarks/make_suite.py competitive-sudoku --option mode=rows --games 4 > rows.txt
    python benchmarks/make_suite.py codecup-sudoku --plies 12 --count 36 --nodes 2000 --games 8 \
        --most 0.25 --judge champion:large=1000 > even.txt

Starts are random openings, or the boards that the game makes from a seed. The same arguments give
the same suite. A start whose outcome the champion knows, or which it takes to favour a side by
more than `--most` on the scale from -1 (lost) to 1 (won), is left out; where it has no opinion
(far from the end of CodeCup Sudoku) the start is taken. With `--games` the champion
plays it out against itself so often, each time with more nodes, and what counts is the score.
`--judge` gives the champion other parameters: CodeCup's lists 400,000 solutions where no clock
runs, and `large=1000` makes its games short enough to play many.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from plyground.arena.openings import Opening, OpeningBook
from plyground.core.agent import Agent
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--option", action="append", default=[], help="key=value of the game")
    parser.add_argument("--plies", type=int, default=0, help="random moves from the usual start")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--games", type=int, default=0, help="play it out instead of looking at it")
    parser.add_argument("--most", type=float, default=0.4)
    parser.add_argument("--judge", default="champion", help="the player that judges")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    game = make_game(wanted.game, dict(text.split("=", 1) for text in wanted.option))
    judge = make_agent(wanted.game, wanted.judge)
    judge.new_game(game, wanted.seed)
    judge.warm_up()
    book = OpeningBook(game, wanted.seed, wanted.plies)
    options = " ".join(wanted.option) or "usual options"
    kind = f"openings of {wanted.plies} plies" if wanted.plies else "boards"
    effort = f"{wanted.games} games of itself with" if wanted.games else "a look of"
    print(f"# {wanted.game}, {options}: {wanted.count} {kind}, judged by {wanted.judge} in")
    print(f"# {effort} {wanted.nodes} nodes to favour nobody by more than {wanted.most:g}")
    found = looked = 0
    while found < wanted.count:
        opening = book[looked]
        looked += 1
        if is_even(judge, game, opening, wanted):
            print(_line(game, opening), flush=True)
            found += 1
    print(f"{found} of {looked} starts", file=sys.stderr)


def is_even(judge: Agent, game: Game, opening: Opening, wanted: argparse.Namespace) -> bool:
    """Whether the start of an opening favours nobody."""
    board = type(game)(opening.options) if opening.options else game
    position = board.play_line(opening.moves)
    judge.new_game(board, wanted.seed)
    score = judge.search(position, Limit(nodes=wanted.nodes)).score
    if score is not None and score.value is not None:
        return False
    if not wanted.games:
        return score is None or abs(score.expectation) <= wanted.most
    total = sum(
        play_out(judge, position, wanted.seed + number, wanted.nodes * (4 + number) // 4)
        for number in range(wanted.games)
    )
    return abs(2.0 * total / wanted.games - 1.0) <= wanted.most


def play_out(judge: Agent, position: Position, seed: int, nodes: int) -> float:
    """What the first player scores when the champion plays both sides."""
    judge.new_game(position.game, seed)
    while position.outcome is None:
        move = judge.search(position, Limit(nodes=nodes)).move
        position = position.play(move)
        judge.observe(position, move)
    return position.outcome.score(0)


def _line(game: Game, opening: Opening) -> str:
    """A start as `--boards` reads it: the board's name with the other options, or the position."""
    options: Mapping[str, object] = opening.options
    if not options:
        return game.play_line(opening.moves).text
    rest = [f"{key}={value}" for key, value in options.items() if key != "board"]
    return " ".join([str(options["board"]), *rest])


if __name__ == "__main__":
    main()
