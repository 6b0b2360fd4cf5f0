"""Match table of the Competitive Sudoku champion against the course reports' agents.

    python benchmarks/competitive_matches.py [--time 0.5] [--boards 20] [--modes rows,border]
        [--opponents greedy,a1,a2,a3,mcts] [--minutes 60] [--output games.json] [--table table.md]

Each board is played twice with swapped sides. Boards are half-full 2x3 and 3x3 ones and openings
of a few random plies on empty 2x3, 3x3 and 3x4 boards, all from seeds. With restricted squares many
half-full boards are lost for one side whatever it plays; those on which a search of NODES nodes
proves a loss by DECIDED points or more (or a side cannot move at all) are left out and listed.

Agents get CPU time, so that a busy machine does not shorten their turns. A game ends early when the
regions that are still open cannot change the result, or when the champion has proven that it wins
by exact search (all solutions known); a proven loss is played on. Games in the output file are not
played again. Scores come with a 95 % interval (Wilson).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any

from plyground.core.agent import Agent
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.games.competitive_sudoku.position_data import unpack
from script import read_options

NAME = "competitive-sudoku"
KINDS = ("random-2x3", "random-3x3", "empty-2x3", "empty-3x3", "empty-3x4")
DECIDED = 10
NODES = 2_000_000


def make_start(kind: str, mode: str, seed: int) -> Game:
    """A seeded start; empty boards get an opening of 2 to 6 random placements."""
    game = make_game(NAME, {"board": kind, "mode": mode, "seed": seed})
    if not kind.startswith("empty"):
        return game
    chance = random.Random(f"{kind}{mode}{seed}")
    position = game.start()
    for _ in range(chance.randrange(2, 7)):
        position = position.play(chance.choice([c for c in position.move_codes if not c & 1]))
    return make_game(NAME, {"board": position.text.split(" ply=")[0]})


def warm_up(agent: Agent) -> None:
    """Load the machine code before any turn is timed."""
    for mode in ("classic", "rows"):
        agent.new_game(make_start("random-2x3", mode, 0), 0)
        agent.warm_up()


def boards(
    mode: str, count: int, first_seed: int, judge: Agent, left_out: list[Any]
) -> Iterator[tuple[str, int, Game]]:
    """The start boards: kinds in turn, seeds counting up, decided ones left out."""
    seeds = dict.fromkeys(KINDS, first_seed)
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        while True:
            seed = seeds[kind]
            seeds[kind] += 1
            game = make_start(kind, mode, seed)
            margin = decided_by(game, judge) if mode != "classic" else 0
            if abs(margin) < DECIDED:
                break
            left_out.append([mode, kind, seed, margin])
        yield kind, seed, game


def decided_by(game: Game, judge: Agent) -> float:
    """Points by which a half-full board is proven won for the first player, else 0."""
    start = game.start()
    setup = unpack(game.params, start.state)
    if 0 in setup.cells and setup.cells.count(0) > len(setup.cells) * 0.6:
        return 0
    for player in (0, 1):
        if not setup.squares_of(player):
            return DECIDED if player else -DECIDED
    judge.new_game(game, 0)
    score = judge.search(start, Limit(nodes=NODES)).score
    if score is None or score.value is None or score.points is None:
        return 0
    return score.seen_by(0).points or 0


def settled(position: Position) -> bool:
    """Whether the points that are still to be had cannot change the result.

    A square brings at most 7 points for 3 regions.
    """
    setup = unpack(position.game.params, position.state)
    regions = {unit for cell, v in enumerate(setup.cells) if not v for unit in setup.units(cell)}
    return 3 * abs(setup.scores[0] - setup.scores[1]) > 7 * len(regions)


def play(game: Game, agents: list[Agent], limit: Limit, seed: int) -> dict[str, Any]:
    """One game in this process: the share of the first player, scores, how it ended."""
    for seat, agent in enumerate(agents):
        agent.new_game(game, 2 * seed + seat)
    position = game.start()
    while True:
        outcome = position.outcome
        scores = game.scores(position.state)  # type: ignore[attr-defined]
        if outcome is None and settled(position):
            share = float(scores[0] > scores[1])
            return {"share": share, "scores": scores, "end": "settled"}
        if outcome is None:
            agent = agents[position.turn]
            result = agent.search(position, limit)
            if agent.name == "champion" and result.score and result.score.value == "win":
                share = float(position.turn == 0)
                return {"share": share, "scores": scores, "end": "proven"}
            verdict = game.judge(position, result.move)
            outcome = verdict.outcome
        if outcome is not None:
            return {
                "share": outcome.score(0),
                "scores": outcome.scores,
                "end": str(outcome.termination),
            }
        position = verdict.position
        for agent in agents:
            agent.observe(position, verdict.move)


def wilson(score: float, games: int) -> tuple[float, float]:
    """A 95 % interval for a share."""
    z = 1.96
    share = score / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + z * z / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def table(games: list[dict[str, Any]], left_out: list[Any], options: argparse.Namespace) -> str:
    """The results as a Markdown page."""
    lines = [
        "# Competitive Sudoku: the champion against the course reports' agents",
        "",
        f"`python benchmarks/competitive_matches.py --time {options.time} --boards "
        f"{options.boards}` (raw: `competitive_matches.json`). CPU time a turn; swapped sides; "
        "95 % intervals (Wilson). Complete when every line has "
        f"{2 * options.boards} games.",
        "",
        "| mode | opponent | games | score | % | interval | not won (board, seed, seat, points) |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for mode in options.modes.split(","):
        for opponent in options.opponents.split(","):
            rows = [g for g in games if g["mode"] == mode and g["opponent"] == opponent]
            if not rows:
                continue
            score = sum(row["score"] for row in rows)
            low, high = wilson(score, len(rows))
            lost = "; ".join(
                f"{g['kind']} {g['seed']} {'first' if g['seat'] == 0 else 'second'} "
                f"{g['scores'][0]}-{g['scores'][1]}"
                for g in rows
                if g["score"] < 1
            )
            lines.append(
                f"| {mode} | {opponent} | {len(rows)} | {score:g} | {100 * score / len(rows):.1f} "
                f"| [{100 * low:.1f}, {100 * high:.1f}] | {lost} |"
            )
    if left_out:
        lines += ["", "Boards left out (proven margin of the first player, at least): "]
        lines[-1] += "; ".join(f"{m} {k} {s}: {p:+g}" for m, k, s, p in left_out) + "."
    return "\n".join(lines) + "\n"


def main() -> None:
    options = read_options(
        __doc__,
        time=0.5,
        boards=20,
        player="champion",
        modes="rows,border,classic",
        opponents="greedy,a1,a2,a3,mcts",
        minutes=600.0,
        first_seed=0,
        output=Path,
        table=Path,
    )
    deadline = time.monotonic() + 60 * options.minutes
    limit = Limit(time=options.time, by="cpu")
    champion = make_agent(NAME, options.player)
    warm_up(champion)
    games: list[dict[str, Any]] = []
    if options.output and options.output.exists():
        games = json.loads(options.output.read_text())["games"]
    known = {(g["mode"], g["opponent"], g["kind"], g["seed"], g["seat"]) for g in games}
    left_out: list[Any] = []
    for mode in options.modes.split(","):
        starts = list(boards(mode, options.boards, options.first_seed, champion, left_out))
        for opponent in options.opponents.split(","):
            other = make_agent(NAME, opponent)
            warm_up(other)
            for kind, seed, game in starts:
                for seat in (0, 1):
                    key = (mode, opponent, kind, seed, seat)
                    if key in known or time.monotonic() > deadline:
                        continue
                    agents = [champion, other] if seat == 0 else [other, champion]
                    row: dict[str, Any] = dict(
                        zip(("mode", "opponent", "kind", "seed", "seat"), key, strict=True)
                    )
                    played = play(game, agents, limit, seed)
                    share = played.pop("share")
                    row |= {"score": share if seat == 0 else 1 - share, **played}
                    games.append(row)
                    print(json.dumps(row), flush=True)
                    if options.output:
                        data = {"seconds": options.time, "left_out": left_out, "games": games}
                        text = json.dumps(data).replace('{"mode"', '\n{"mode"')
                        options.output.write_text(text + "\n")
                    if options.table:
                        options.table.write_text(table(games, left_out, options))
    print(table(games, left_out, options))


if __name__ == "__main__":
    main()
