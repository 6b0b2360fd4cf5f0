"""Documents 000 and 001: the Competitive Sudoku agents over thinking time and boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plyground.core.limits import Limit
from plyground.lab.checks import ahead, higher, show_points, stronger
from plyground.lab.experiment import Claim, Finding, Item, Scale, Series, experiment
from plyground.lab.results import Results
from plyground.report.summary import Tally

GAME = "competitive-sudoku"
TIMES = (0.1, 0.5, 1.0, 2.0)
SMALL_BOARDS = ("empty-2x2", "random-2x3", "random-3x3", "empty-3x3")
BOARDS = (
    *SMALL_BOARDS,
    "easy-3x3",
    "hard-3x3",
    "random-3x4",
    "empty-3x4",
    "random-4x4",
    "empty-4x4",
)
LARGE_EMPTY = ("empty-3x4", "empty-4x4")
FEW_BOARDS = (*SMALL_BOARDS, "random-3x4", "empty-3x4")
SHORTER = (
    "times a move divided by 40 (quick) or 10 (medium); our agents search some thousand times "
)
SHORTER += "as many nodes a second as the documents' Python, so that shorter times still go deeper"


def times(scale: Scale, document: Sequence[float] = TIMES) -> list[float]:
    """The document's times, scaled down outside of a full run."""
    return [seconds / scale.pick(40, 1, 10) for seconds in document]


def pairings(
    scale: Scale, player: str, opponents: Sequence[str], boards: Sequence[str]
) -> list[Item]:
    """A player against each opponent on each board at each time, with swapped seats.

    Full runs have ten boards and so the document's twenty games for each opponent and time; with
    fewer boards there are more games on each.
    """
    pairs = scale.pick(2, 1)
    return [
        Series(
            f"{player}-{opponent}-{board}-{seconds:g}",
            GAME,
            player,
            opponent,
            2 * pairs,
            Limit(time=seconds),
            {"board": board},
            swap=True,
            setting=board,
        )
        for opponent in opponents
        for board in boards
        for seconds in times(scale)
    ]


def over_time(results: Results, opponent: str) -> list[tuple[float, Tally]]:
    """Score against an opponent at each time, over all boards."""
    limits = {item.limit.time for item in results.series() if item.limit.time}
    return [
        (
            seconds,
            results.tally_where(
                lambda item, t=seconds: item.second == opponent and item.limit.time == t  # type: ignore[misc]
            ),
        )
        for seconds in sorted(limits)
    ]


def on_boards(results: Results, opponent: str, boards: Sequence[str]) -> Tally:
    """Score against an opponent on some boards, over all times."""
    return results.tally_where(lambda item: item.second == opponent and item.setting in boards)


def show_line(line: Sequence[tuple[float, Tally]]) -> str:
    """Scores over time in one line."""
    return ", ".join(f"{1000 * seconds:g} ms: {show_points(tally)}" for seconds, tally in line)


# A3 over time and boards -------------------------------------------------------------------


@experiment("sudoku-a3", "000")
def a3(scale: Scale) -> list[Item]:
    """A3 against A2, greedy and MCTS over time and boards."""
    boards = scale.pick(FEW_BOARDS, BOARDS)
    return pairings(scale, "a3", ("a2", "greedy", "mcts"), boards)


def _ahead_then_even(results: Results) -> Finding:
    line = over_time(results, "a2")
    short, long = line[0][1], line[-1][1]
    if stronger(short) is None and stronger(long) is None:
        return Finding(show_line(line), None)
    return Finding(show_line(line), ahead(short) and stronger(long) is None)


def early_and_late(results: Results, opponent: str) -> tuple[Tally, Tally]:
    """Score against an opponent over the shorter and over the longer half of the times."""
    limits = sorted({item.limit.time for item in results.series() if item.limit.time})
    half = limits[len(limits) // 2]
    early = results.tally_where(
        lambda item: item.second == opponent and (item.limit.time or 0.0) < half
    )
    late = results.tally_where(
        lambda item: item.second == opponent and (item.limit.time or 0.0) >= half
    )
    return early, late


def _falls(opponent: str) -> Callable[[Results], Finding]:
    def check(results: Results) -> Finding:
        early, late = early_and_late(results, opponent)
        return Finding(show_line(over_time(results, opponent)), higher(early, late))

    return check


def _rises(opponent: str) -> Callable[[Results], Finding]:
    def check(results: Results) -> Finding:
        early, late = early_and_late(results, opponent)
        return Finding(show_line(over_time(results, opponent)), higher(late, early))

    return check


def _large_empty(results: Results) -> Finding:
    boards = {item.setting for item in results.series()}
    large = on_boards(results, "a2", [board for board in LARGE_EMPTY if board in boards])
    others = on_boards(results, "a2", [board for board in boards if board not in LARGE_EMPTY])
    text = f"large empty boards {show_points(large)}, others {show_points(others)}"
    return Finding(text, higher(large, others))


a3.reduced = f"{SHORTER}; six boards instead of ten."
a3.claims = (
    Claim(
        "against A2: ahead at short times, even at long ones",
        _ahead_then_even,
        because="passing by an unsolvable move decides the parity fight at any speed, so "
        "that more time does not even it out.",
    ),
    Claim(
        "against MCTS: the win rate falls with time",
        _falls("mcts"),
        because="with fast code A3 sees the end of the fight early, and random playouts "
        "do not catch up.",
    ),
    Claim(
        "against greedy: the win rate rises with time",
        _rises("greedy"),
        because="our A3 searches deep enough to beat greedy at the shortest time already.",
    ),
    Claim(
        "against A2 it does better on large empty boards",
        _large_empty,
        because="the block-row test has nothing to find on an empty board until it is a "
        "fifth full, and both searches are shallow there.",
    ),
)

# MCTS and its constant ---------------------------------------------------------------------

CONSTANTS = (0.5, 1.0, 4.0)


@experiment("sudoku-mcts", "000")
def mcts(scale: Scale) -> list[Item]:
    """MCTS (C = 2) against greedy and against other C."""
    boards = scale.pick(SMALL_BOARDS, BOARDS)
    others = [f"mcts:c={constant:g}" for constant in CONSTANTS]
    return pairings(scale, "mcts", ("greedy", *others), boards)


def _hardly_any(results: Results) -> Finding:
    tally = results.tally_where(lambda item: item.second == "greedy")
    return Finding(f"{tally.text}; {show_line(over_time(results, 'greedy'))}", tally.score < 0.15)


def _lower_helps(results: Results) -> Finding:
    longest = sorted({item.limit.time or 0.0 for item in results.series()})[-2:]
    low = results.tally_where(
        lambda item: item.second in ("mcts:c=0.5", "mcts:c=1") and item.limit.time in longest
    )
    high = results.tally_where(
        lambda item: item.second == "mcts:c=4" and item.limit.time in longest
    )
    text = (
        f"C = 2 scores {show_points(low)} against C = 0.5 and 1, and {show_points(high)} "
        "against C = 4, at the two longest times"
    )
    weaker = stronger(low)
    return Finding(text, None if weaker is None else not weaker)


mcts.reduced = f"{SHORTER}; four small boards instead of ten."
mcts.claims = (
    Claim(
        "MCTS wins hardly any game against greedy",
        _hardly_any,
        because="with some thousand times the playouts MCTS sees most rewards coming.",
    ),
    Claim(
        "lower C helps at 1 s and more",
        _lower_helps,
        because="with many playouts the constant matters little on small boards.",
    ),
)

# The agent of document 001 -----------------------------------------------------------------

A1_BOARDS = (
    "easy-2x2",
    "empty-2x2",
    "random-2x3",
    "empty-2x3",
    "easy-3x3",
    "hard-3x3",
    "random-3x3",
    "random-3x4",
)
A1_TIMES = (0.1, 0.5, 1.0, 5.0)


@experiment("sudoku-a1", "001")
def a1(scale: Scale) -> list[Item]:
    """A1 under 128 conditions."""
    return [
        Series(
            f"a1-{opponent}-{board}-{seconds:g}",
            GAME,
            "a1",
            opponent,
            2,
            Limit(time=seconds),
            {"board": board},
            swap=True,
            setting=board,
        )
        for opponent in ("greedy", "random")
        for board in A1_BOARDS
        for seconds in times(scale, A1_TIMES)
    ]


def _nobody_moves(results: Results) -> Finding:
    shortest = min(item.limit.time or 1.0 for item in results.series())
    names = [item.name for item in results.series() if item.limit.time == shortest]
    games = results.games(*names)
    failed = sum(game.failed for game in games)
    second = sum(game.score == 0.0 for game in games)
    text = (
        f"at {1000 * shortest:g} ms {failed} of {len(games)} games end by a failure; the second "
        f"player wins {second}"
    )
    return Finding(text, failed == len(games))


def _seven_one(results: Results) -> Finding:
    boards = [on_boards(results, "random", (board,)) for board in A1_BOARDS]
    text = ", ".join(f"{b}: {t}" for b, t in zip(A1_BOARDS, boards, strict=True))
    return Finding(text, all(tally.score >= 7 / 8 for tally in boards))


def _greedy_half(results: Results) -> Finding:
    boards = [on_boards(results, "greedy", (board,)) for board in A1_BOARDS]
    greedy = sum(tally.score < 0.5 for tally in boards)
    even = sum(tally.score == 0.5 for tally in boards)
    text = ", ".join(f"{b}: {t}" for b, t in zip(A1_BOARDS, boards, strict=True))
    return Finding(f"greedy ahead on {greedy}, even on {even}; {text}", greedy == 4)


def _all_from_one_second(results: Results) -> Finding:
    line = over_time(results, "greedy")
    long = results.tally_where(
        lambda item: item.second == "greedy" and (item.limit.time or 0.0) >= line[2][0]
    )
    return Finding(f"{long.text} at the two longest times; {show_line(line)}", long.losses == 0)


a1.reduced = f"{SHORTER}. Our choice of the eight boards: {', '.join(A1_BOARDS)}."
a1.claims = (
    Claim(
        "at 0.1 s nobody moves in time and the second player wins every game",
        _nobody_moves,
        because="our agents propose a move within a millisecond; the document's needed "
        "longer to start up and list its moves.",
    ),
    Claim(
        "7-1 against random on every board",
        _seven_one,
        because="a full-width search without passes loses a game now and then on boards "
        "where parity decides.",
    ),
    Claim(
        "greedy is ahead on 4 of 8 boards, 4-4 on one",
        _greedy_half,
        because="a quarter of the document's games were decided by nobody moving, and at "
        "0.5 s its search proposed the best move of depth 0; ours is deeper at any time.",
    ),
    Claim(
        "all games against greedy are won from 1 s on",
        _all_from_one_second,
        because="a search that takes every fitting move for a placement stumbles into "
        "passes and lost parity, with more time as with less.",
    ),
)
