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
from plyground.core.search import SearchInfo
from plyground.games.connect4.players.champion_search import ChampionSearch
from plyground.games.connect4.solvers.proof import Proof

matplotlib.use("svg")
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator


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
    won_at: list[float] = []

    def watch(info: SearchInfo) -> None:
        if info.score is not None and info.score.value == "win":
            won_at.append(time.process_time() - started)

    found = search.search(
        game.start(),
        Limit(depth=60),
        watch,
        lambda: bool(won_at) or time.process_time() - started > seconds,
    )
    result: dict[str, object] = {
        "board": board,
        "champion": str(found.score),
        "depth": found.depth,
        "processor_seconds": round(won_at[0] if won_at else time.process_time() - started, 2),
        "nodes": found.nodes,
    }
    print(json.dumps(result), flush=True)
    return result


def draw(results: list[dict[str, object]], path: Path) -> None:
    """The growth of the work with the plies asked for and with the width of the board."""
    proofs = [r for r in results if "within" in r and r["answer"] != "open"]
    figure, (plies, widths) = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for board in dict.fromkeys(str(r["board"]) for r in proofs):
        draw_line(plies, board, [r for r in proofs if r["board"] == board], "within")
    plies.set_yscale("log")
    plies.set_xlabel("win within plies (filled: proven, hollow: refuted)")
    plies.set_ylabel("judged positions")
    for within in sorted({int(str(r["within"])) for r in proofs}):
        of_height = [r for r in proofs if r["within"] == within and str(r["board"])[-1] == "6"]
        columns = sorted(int(str(r["board"])[0]) for r in of_height)
        if len(columns) > 2 and columns[-1] - columns[0] == len(columns) - 1:
            draw_line(widths, f"within {within}", of_height, "width")
    widths.set_xlabel("columns, six rows")
    widths.xaxis.set_major_locator(MaxNLocator(integer=True))
    for axes in (plies, widths):
        axes.grid(alpha=0.3)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=4, frameon=False)
    figure.savefig(path, bbox_inches="tight")


def draw_line(axes: Axes, label: str, results: list[dict[str, object]], by: str) -> None:
    """Judged positions over one quantity; refuted questions hollow."""
    points = sorted(
        (
            int(str(r["board"]).partition("x")[0]) if by == "width" else int(str(r[by])),
            int(str(r["judged"])),
            r["answer"] == "proven",
        )
        for r in results
    )
    (line,) = axes.plot([p[0] for p in points], [p[1] for p in points], label=label)
    for x, judged, proven in points:
        fill = line.get_color() if proven else "white"
        axes.plot(x, judged, "o", color=line.get_color(), markerfacecolor=fill)


def merge(path: Path, new: list[dict[str, object]]) -> list[dict[str, object]]:
    """What a file of results has, with the new ones in place of old ones for the same question."""

    def question(result: dict[str, object]) -> tuple[bool, str, int]:
        return "within" not in result, str(result["board"]), int(str(result.get("within", 0)))

    old = json.loads(path.read_text()) if path.exists() else []
    both = {question(result): result for result in (*old, *new)}
    return [both[key] for key in sorted(both)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", nargs="*", help="BOARD:PLIES,PLIES,... e.g. 5x6:25,27")
    parser.add_argument("--champion", action="append", default=[], metavar="BOARD")
    parser.add_argument("--megabytes", type=float, default=512.0)
    parser.add_argument("--seconds", type=float, default=600.0, help="the most for one question")
    parser.add_argument("--out", type=Path, help="file of results, to which these are added")
    parser.add_argument("--plot", type=Path, help="draw all results of that file")
    arguments = parser.parse_args()
    results = [
        measure(board, int(plies), arguments.megabytes, arguments.seconds)
        for board, _, listed in (question.partition(":") for question in arguments.questions)
        for plies in listed.split(",")
    ]
    results += [measure_champion(board, arguments.seconds) for board in arguments.champion]
    if arguments.out:
        results = merge(arguments.out, results)
        arguments.out.write_text(json.dumps(results, indent=1) + "\n")
    if arguments.plot:
        draw(results, arguments.plot)


if __name__ == "__main__":
    main()
