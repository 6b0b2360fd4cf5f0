"""Ladder of Connect 4 agents: pairs of games from different openings with swapped sides.

    python benchmarks/connect4_ladder.py timed --games 100 --out benchmarks/results/ladder.json
    python benchmarks/connect4_ladder.py own --games 100 --out ...
    python benchmarks/connect4_ladder.py generic --games 200 --out ...
    python benchmarks/connect4_ladder.py every --any --games 200 --seconds 0.1 --out ...
    python benchmarks/connect4_ladder.py lost --games 16 --out ...

`timed`: every pair of agents at 0.2 s a move, the champion's pairs first. `own`: the document's
agents with their own depth and playouts and no clock, against the champion at 0.2 s a move.
`generic`: the champion against the generic alpha-beta with the heuristic evaluation, both at 0.2 s.
`every`: the champion against every other agent as it comes, both with the same time. Openings that
are proven for a side are counted by themselves (`--any`): against a perfect opponent each is lost
once and won once, and what is won beyond that was given away.
`lost`: openings that a million nodes prove won for the side to move, the champion on the other
side: what share of the games that are lost in theory it saves.
Results are written after every pair of games, those of `every` with the moves; a second run with
the same file goes on from there. `--against` names the opponents to play.
Openings that a short search of the champion finds clearly better for one side are left out: a
random mean move often gives the game away, and then the sides decide, not the players. `--any`
takes them all.
`--time-by cpu` counts the seconds of this process instead of those on the wall, for machines
that have other work to do.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator
from pathlib import Path

from plyground.arena.openings import OpeningBook
from plyground.core.agent import Agent
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import agents as known_agents
from plyground.core.registry import make_agent, make_game
from plyground.core.search import Score
from plyground.stats.elo import estimate_elo

OPENING_PLIES = 4
JUDGE_NODES = 1_000_000
PROVEN = "proven openings"
"""Where a file of results has the numbers of openings that are proven for a side."""
BALANCED = 0.3
"""An opening is used if the champion's search of so many nodes values it nearer to 0 than this."""
OWN_SETTINGS = [
    "random",
    "minimax",
    "minimax:order=centre",
    "heuristic",
    "heuristic:order=centre",
    "montecarlo",
    "hybrid",
]
TIMED = [
    "champion",
    "random",
    "minimax:depth=0",
    "heuristic:depth=0",
    "heuristic:depth=0,order=centre",
    "montecarlo:playouts=0",
    "hybrid:depth=0",
]


def play_game(
    position: Position, players: tuple[Agent, Agent], limits: tuple[Limit, Limit], seed: int
) -> tuple[float, list[str]]:
    """Points of `players[0]`, who moves first here or not as the turn says, and the moves."""
    for player in players:
        player.new_game(position.game, seed)
    moves = []
    while position.outcome is None:
        turn = position.turn
        move = players[turn].search(position, limits[turn]).move
        position = position.play(move)
        moves.append(move)
        for player in players:
            player.observe(position, move)
    winner = position.outcome.winner
    return 0.5 if winner is None else 1.0 - winner, moves


def play_pair(
    opening: Position, agents: tuple[Agent, Agent], limits: tuple[Limit, Limit], seed: int
) -> tuple[tuple[float, list[str]], tuple[float, list[str]]]:
    """Points of `agents[0]` and the moves, first with it as player 1, then as player 2."""
    points, moves = play_game(opening, agents, limits, seed)
    swapped, others = play_game(opening, agents[::-1], limits[::-1], seed)
    return (points, moves), (1.0 - swapped, others)


def pairings(mode: str, timed: Limit) -> list[tuple[str, str, Limit, Limit]]:
    if mode == "own":
        return [("champion", name, timed, Limit(time=60.0, by=timed.by)) for name in OWN_SETTINGS]
    if mode == "generic":
        return [("champion", "alphabeta", timed, timed)]
    if mode == "every":
        others = [name for name in known_agents("connect4") if name not in ("champion", "perfect")]
        return [("champion", name, timed, timed) for name in others]
    return [(a, b, timed, timed) for a, b in itertools.combinations(TIMED, 2)]


def judged_openings(game: Game, seed: int) -> Iterator[tuple[Position, Score]]:
    """Positions after random plies, each with what the champion thinks of it."""
    judge = make_agent("connect4", "champion")
    openings = OpeningBook(game, seed, OPENING_PLIES)
    for number in itertools.count():
        start = game.play_line(openings[number].moves)
        judge.new_game(game, seed)
        score = judge.search(start, Limit(nodes=JUDGE_NODES)).score
        assert score is not None
        yield start, score


def random_openings(
    game: Game, seed: int, count: int, balanced: bool
) -> tuple[list[Position], set[int]]:
    """Positions after random plies, and the numbers of those that are proven for a side.

    `balanced`: not clearly better for one side.
    """
    found: list[Position] = []
    proven: set[int] = set()
    looked_at = 0
    for start, score in judged_openings(game, seed):
        looked_at += 1
        even = score.points is not None and abs(score.points) < BALANCED
        if even or not balanced:
            proven |= {len(found)} if score.value is not None else set()
            found.append(start)
        if len(found) >= count:
            break
    print(f"{count} of {looked_at} openings taken, {len(proven)} proven for a side", flush=True)
    return found, proven


def lost_openings(game: Game, seed: int, count: int) -> list[Position]:
    """Positions after random plies that are proven won for the side to move."""
    won = (start for start, score in judged_openings(game, seed) if score.value == "win")
    return list(itertools.islice(won, count))


def run_lost(games: int, timed: Limit, seed: int, path: Path) -> None:
    """One game an opening: the champion moves second."""
    results = json.loads(path.read_text()) if path.exists() else {}
    game = make_game("connect4")
    openings = lost_openings(game, seed, games)
    own = [name for _, name, *_ in pairings("own", timed) if name != "random"]
    for name in (*own, "alphabeta", "mcts"):
        scores = results.setdefault(f"{name} - champion", [])
        agents = make_agent("connect4", name), make_agent("connect4", "champion")
        for agent in agents:
            agent.new_game(game, seed)
            agent.warm_up()
        theirs = Limit(time=60.0, by=timed.by) if name in own else timed
        for start in openings[len(scores) :]:
            players, limits = (
                (agents, (theirs, timed)) if start.turn == 0 else (agents[::-1], (timed, theirs))
            )
            points, _ = play_game(start, players, limits, seed + len(scores))
            scores.append(1.0 - points if start.turn == 0 else points)
            path.write_text(json.dumps(results))
        print(f"champion saved {sum(scores):g} of {len(scores)} against {name}", flush=True)


def run(
    mode: str, games: int, timed: Limit, seed: int, path: Path, balanced: bool, against: list[str]
) -> None:
    results = json.loads(path.read_text()) if path.exists() else {}
    game = make_game("connect4")
    count = (games + 1) // 2
    if not balanced and PROVEN in results:
        book = OpeningBook(game, seed, OPENING_PLIES)
        openings = [game.play_line(book[number].moves) for number in range(count)]
        proven = set(results[PROVEN])
    else:
        openings, proven = random_openings(game, seed, count, balanced)
        results[PROVEN] = sorted(proven)
    for first, second, *limits in pairings(mode, timed):
        if second not in (against or [second]):
            continue
        name = f"{first} - {second}"
        scores = results.setdefault(name, [])
        agents = make_agent("connect4", first), make_agent("connect4", second)
        for agent in agents:
            agent.new_game(game, seed)
            agent.warm_up()
        while 2 * len(scores) < games:
            number = len(scores)
            start = openings[number]
            pair = play_pair(start, agents, (limits[0], limits[1]), seed + number)
            scores.append(sum(points for points, _ in pair))
            if mode == "every":
                games_of = results.setdefault(f"games of {name}", {})
                games_of[str(number)] = [[points, " ".join(moves)] for points, moves in pair]
            path.write_text(json.dumps(results))
        print(table_row(name, scores), shares(scores, proven), flush=True)


def shares(scores: list[float], proven: set[int]) -> str:
    """Points of the first agent on openings that are proven for a side, and on all others."""
    decided = [score for number, score in enumerate(scores) if number in proven]
    others = [score for number, score in enumerate(scores) if number not in proven]
    return (
        f"{sum(decided):g} of {2 * len(decided)} on {len(decided)} proven openings, "
        f"{sum(others):g} of {2 * len(others)} on the others |"
    )


def table_row(name: str, scores: list[float]) -> str:
    estimate = estimate_elo(scores)
    return (
        f"| {name} | {estimate.games} | {100 * estimate.score:.1f} % | "
        f"{100 * estimate.score_low:.1f} to {100 * estimate.score_high:.1f} % |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=("timed", "own", "generic", "every", "lost"))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time-by", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--any", action="store_true", help="openings as they come")
    parser.add_argument("--against", nargs="*", default=[], help="only these opponents")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    timed = Limit(time=arguments.seconds, by=arguments.time_by)
    games, seed, path = arguments.games, arguments.seed, arguments.out
    if arguments.mode == "lost":
        run_lost(games, timed, seed, path)
    else:
        run(arguments.mode, games, timed, seed, path, not arguments.any, arguments.against)


if __name__ == "__main__":
    main()
