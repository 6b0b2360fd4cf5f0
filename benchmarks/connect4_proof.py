"""Proofs of Mean Connect 4: processor time, judged positions, and the champion's search beside it.

    python benchmarks/connect4_proof.py --out FILE --plot FILE 5x4:21,23 5x6:25,27,41 7x6:41
    python benchmarks/connect4_proof.py --champion 5x4 --seconds 600

A question is a board with the plies within which a win of the first player is asked for, mean moves
for both. Each begins with an empty table. `--champion` lets the champion's alpha-beta search the
empty board without certificates until it has proven the win, for comparison.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import matplotlib

from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.games.connect4.players.champion_search import ChampionSearch
from plyground.games.connect4.solvers.proof import Proof

matplotlib.use("svg")
from matplotlib import pyplot


def measure(board: str, plies: int, megabytes: float, seconds: float) -> dict[str, object]:
    """One question: its answer, processor seconds and judged positions."""
    width, height = (int(part) for part in board.split("x"))
    game = make_game("connect4", {"width": width, "height": height})
    proof = Proof(game.start(), 0, plies, megabytes)
    proof.search.warm_up(proof.state)
    proof.search.work.table[:] = 0
    before, started = proof.search.evaluations, time.process_time()
    answer = proof.run(lambda judged: time.process_time() - started < seconds)
    spent = time.process_time() - started
    judged = proof.search.evaluations - before
    result: dict[str, object] = {
        "board": board,
        "within": plies,
        "answer": answer.name.lower(),
        "processor_seconds": round(spent, 2),
        "judged": judged,
        "judged_a_second": round(judged / spent) if spent else 0,
    }
    print(json.dumps(result), flush=True)
    return result


def measure_champion(board: str, seconds: float) -> dict[str, object]:
    """How long the champion's alpha-beta takes to prove the win from the empty board."""
    width, height = (int(part) for part in board.split("x"))
    game = make_game("connect4", {"width": width, "height": height})
    search = ChampionSearch(game, 512.0)
    search.warm_up()
    started = time.process_time()
    found = search.search(
        game.start(), Limit(depth=60), stop=lambda: time.process_time() - started > seconds
    )
    result: dict[str, object] = {
        "board": board,
        "champion": str(found.score),
        "depth": found.depth,
        "processor_seconds": round(time.process_time() - started, 2),
        "nodes": found.nodes,
    }
    print(json.dumps(result), flush=True)
    return result


def draw(results: list[dict[str, object]], path: Path) -> None:
    """Judged positions over the plies asked for, one line a board; refuted questions hollow."""
    figure, axes = pyplot.subplots(figsize=(6, 3.5))
    for board in dict.fromkeys(str(result["board"]) for result in results):
        own = sorted(
            (int(str(r["within"])), int(str(r["judged"])), r["answer"] == "proven")
            for r in results
            if r["board"] == board and r["answer"] != "open"
        )
        (line,) = axes.plot([o[0] for o in own], [o[1] for o in own], label=board)
        for plies, judged, proven in own:
            fill = line.get_color() if proven else "white"
            axes.plot(plies, judged, "o", color=line.get_color(), markerfacecolor=fill)
    axes.set_yscale("log")
    axes.set_xlabel("win within plies (filled: proven, hollow: refuted)")
    axes.set_ylabel("judged positions")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", nargs="*", help="BOARD:PLIES,PLIES,... e.g. 5x6:25,27")
    parser.add_argument("--champion", action="append", default=[], metavar="BOARD")
    parser.add_argument("--megabytes", type=float, default=512.0)
    parser.add_argument("--seconds", type=float, default=600.0, help="the most for one question")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    results = [
        measure(board, int(plies), arguments.megabytes, arguments.seconds)
        for board, _, listed in (question.partition(":") for question in arguments.questions)
        for plies in listed.split(",")
    ]
    if arguments.plot:
        draw(results, arguments.plot)
    results += [measure_champion(board, arguments.seconds) for board in arguments.champion]
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
