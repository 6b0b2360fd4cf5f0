"""The ladder of every game's levels: matches between neighbours, Elo with intervals.

    python benchmarks/levels.py [GAME ...] [--games 40] [--minutes 10] [--results FOLDER]

Plays pairs of games with swapped sides from different openings, level against the next one and the
one after that, in this process. Results are kept in benchmarks/results/levels.json after every
pair: a second run goes on from there. `benchmarks/results/levels.md` is written from them. In a
game for one person the levels meet the same deals, and what counts is how many turns they survive.
A level that changed is played anew: its games are kept under what it is made of.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plyground.arena.openings import OpeningBook
from plyground.core.agent import Agent
from plyground.core.game import CHANCE, Game, Position
from plyground.core.levels import levels_of
from plyground.core.limits import Limit
from plyground.core.page import Level
from plyground.core.registry import games, make_agent, make_game
from plyground.stats.strength import Evidence, estimate_strengths

RESULTS = Path(__file__).parent / "results"
OPENING_PLIES = 4
MOST_TURNS = 300
"""A game for one person is left off here."""
UNLIMITED = Limit(by="cpu")
"""Levels bring their own limits; their seconds are those of the processor."""


def play_game(position: Position, players: tuple[Agent, Agent], seed: int) -> float:
    """Points of the first player."""
    for player in players:
        player.new_game(position.game, seed)
    while position.outcome is None:
        move = players[position.turn].search(position, UNLIMITED).move
        position = position.play(move)
        for player in players:
            player.observe(position, move)
    winner = position.outcome.winner
    return 0.5 if winner is None else 1.0 - winner


def start_of_pair(name: str, number: int) -> Position:
    """The start of a pair: a board of its own, or four random plies."""
    game = make_game(name)
    opening = OpeningBook(game, 1, OPENING_PLIES)[number]
    if opening.options:
        return make_game(name, opening.options).play_line(opening.moves)
    return game.play_line(opening.moves)


def play_pair(name: str, players: tuple[Agent, Agent], number: int) -> float:
    """The mean score of the first player over both sides of an opening."""
    start = start_of_pair(name, number)
    points = play_game(start, players, number) + 1.0 - play_game(start, players[::-1], number)
    return points / 2.0


def play_alone(game: Game, player: Agent, number: int) -> int:
    """Turns survived with the deals of this number."""
    player.new_game(game, number)
    position, turns = game.start(), 0
    while not position.is_over and turns < MOST_TURNS:
        if position.turn == CHANCE:
            position = game.apply_chance(position, game.chance_event(position, number))
            turns += 1
        else:
            position = position.play(player.search(position, UNLIMITED).move)
    return turns


def pairings(levels: tuple[Level, ...]) -> Iterator[tuple[int, int]]:
    """Neighbours, and every level with the one after the next."""
    for apart in (1, 2):
        yield from ((low, low + apart) for low in range(len(levels) - apart))


def measure(name: str, kept: dict[str, list[float]], most: int, seconds: float) -> Iterator[None]:
    """Play one pairing after the other; yields after every unit.

    Each has an equal share of the processor time that is left, so that what quick pairings do not
    need goes to slow ones.
    """
    levels = levels_of(name)
    agents = [make_agent(name, level.key) for level in levels]
    alone = games()[name].info.players == 1
    for agent in agents:
        agent.new_game(make_game(name), 0)
        agent.warm_up()
    ending = time.process_time() + seconds
    met = [(at, at) for at in range(len(levels))] if alone else list(pairings(levels))
    for at, (low, high) in enumerate(met):
        now = time.process_time()
        share = now + (ending - now) / (len(met) - at)
        scores = kept.setdefault(key(levels, low, high), [])
        while len(scores) < (most if alone else most // 2) and time.process_time() < share:
            if alone:
                scores.append(play_alone(make_game(name), agents[low], len(scores)))
            else:
                scores.append(play_pair(name, (agents[low], agents[high]), len(scores)))
            yield


def key(levels: tuple[Level, ...], low: int, high: int) -> str:
    """What the games of two levels are kept under."""
    if low == high:
        return levels[low].made_of
    return f"{levels[low].made_of} - {levels[high].made_of}"


def interval_of_median(turns: list[float]) -> str:
    """Where the median of all games lies: the turns between two ranks, by the binomial law."""
    ordered, count = sorted(turns), len(turns)
    below, rank = 0.5**count, 0
    while rank < count // 2 and below + math.comb(count, rank + 1) * 0.5**count <= 0.025:
        rank += 1
        below += math.comb(count, rank) * 0.5**count
    return f"{ordered[rank]:.0f} to {ordered[count - 1 - rank]:.0f}"


def ladder(name: str, kept: dict[str, list[float]]) -> str:
    """The table of a game, in Markdown."""
    title, levels = games()[name].info.title, levels_of(name)
    if games()[name].info.players == 1:
        lines = [
            f"| {level.name} | {level.made_of} | {len(turns)} | {statistics.median(turns):.0f} | "
            f"{interval_of_median(turns)} | "
            f"{sum(one >= MOST_TURNS for one in turns)} |"
            for at, level in enumerate(levels)
            if (turns := kept.get(key(levels, at, at)))
        ]
        head = (
            f"| level | made of | games | turns (median) | 95 % interval | past {MOST_TURNS} |\n"
            "| --- | --- | --- | --- | --- | --- |"
        )
        return "\n".join([f"## {title}\n", head, *lines])
    evidence = Evidence(len(levels))
    for low, high in pairings(levels):
        for mean in kept.get(key(levels, low, high), []):
            evidence.add(low, high, mean)
    found = estimate_strengths(evidence)
    lines = []
    for at, level in enumerate(levels):
        step = ""
        if at:
            scores = kept.get(key(levels, at - 1, at), [])
            score = 100 * (1 - sum(scores) / max(1, len(scores)))
            step = f"{found.elo[at] - found.elo[at - 1]:+.0f} ({score:.0f} % of {2 * len(scores)})"
        elo = found.elo[at] - found.elo[0]
        ends = f"{found.low[at] - found.elo[0]:+.0f} to {found.high[at] - found.elo[0]:+.0f}"
        lines.append(f"| {level.name} | {level.made_of} | {elo:+.0f} | {ends} | {step} |")
    head = (
        "| level | made of | Elo | 95 % interval | above the one before (score) |\n"
        "| --- | --- | --- | --- | --- |"
    )
    return "\n".join([f"## {title}\n", head, *lines])


def write(folder: Path, results: dict[str, dict[str, list[float]]], command: str) -> None:
    """Both files."""
    (folder / "levels.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    text = [
        "# Levels",
        f"`{command}` (raw: `levels.json`, the mean score of the first named level for every "
        "pair of games with swapped sides; seconds of processor time). Elo above the game's "
        "weakest level, by the estimator of `stats/strength.py`; neighbours and levels two "
        "apart play each other. With few games read the intervals; a second run goes on from here.",
        *(ladder(name, kept) for name, kept in sorted(results.items())),
    ]
    (folder / "levels.md").write_text("\n\n".join(text) + "\n", encoding="utf-8")


def main() -> None:
    """Play on from what is there, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*", default=list(games()))
    parser.add_argument("--games", type=int, default=40, help="of each pairing")
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="of processor time for each game"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of both files")
    arguments = parser.parse_args()
    command = f"python benchmarks/levels.py --games {arguments.games}"
    path = arguments.results / "levels.json"
    results: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    for name in arguments.game:
        kept = results.setdefault(name, {})
        for _ in measure(name, kept, arguments.games, 60 * arguments.minutes):
            write(arguments.results, results, command)
        write(arguments.results, results, command)
        print(ladder(name, kept), flush=True)


if __name__ == "__main__":
    main()
