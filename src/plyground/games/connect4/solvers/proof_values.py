"""The value of a position by proof search, where neither a table nor a certificate has it."""

from __future__ import annotations

from collections.abc import Callable

from plyground.core.errors import UnsupportedError
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.search import Score, SearchResult
from plyground.games.connect4.solvers.perfect import Interrupted
from plyground.games.connect4.solvers.proof import search_for, state_of
from plyground.games.connect4.solvers.tablebase import plies_left
from plyground.search.proof import MOST_PLIES, Answer, Continue, ProofSearch
from plyground.search.timing import Stopwatch

MEGABYTES = 256.0


def value_by_proof(position: Position, limit: Limit, tell: Callable[[str], None]) -> SearchResult:
    """The exact value of an unfinished position and a best move; Interrupted at the limit.

    Asks for longer and longer wins, of the side to move after an odd number of plies and of the
    other side after an even one. (Nobody loses by an own move only: a drop never does.)
    """
    watch = Stopwatch(limit)
    turn, left = position.turn, plies_left(position)
    searches = {turn: search_for(position.game, turn, MEGABYTES)}
    searches[1 - turn] = search_for(position.game, 1 - turn, MEGABYTES)

    def keep_on(judged: int) -> bool:
        watch.spent(judged)
        return watch.next_slice() > 0

    for plies in range(1, min(left, MOST_PLIES) + 1):
        attacker = turn if plies % 2 else 1 - turn
        answer = searches[attacker].prove(state_of(position), attacker == turn, plies, keep_on)
        if answer is Answer.OPEN:
            raise Interrupted
        if answer is Answer.PROVEN:
            kind = "win" if attacker == turn else "loss"
            move = _best_move(searches[attacker], position, plies, attacker == turn)
            score = Score(turn, kind, plies)  # type: ignore[arg-type]
            return SearchResult(
                move, score, (move,), nodes=watch.nodes, elapsed=watch.elapsed, note="exact"
            )
        tell(f"no forced win of player {attacker + 1} within {plies} plies")
    if left > MOST_PLIES:
        raise UnsupportedError(f"nobody can force a win within {MOST_PLIES} plies; try `analyse`")
    move = _move_that_holds(searches[1 - turn], position, keep_on)
    return SearchResult(
        move,
        Score(turn, "draw"),
        (move,),
        nodes=watch.nodes,
        elapsed=watch.elapsed,
        note="exact",
    )


def _move_that_holds(search: ProofSearch, position: Position, keep_on: Continue) -> str:
    """A move of a drawn position after which the opponent, who attacks, cannot win in time."""
    left = plies_left(position) - 1
    for code in position.move_codes:
        child = position.play(code)
        if child.is_over:
            outcome = child.outcome
            if outcome is None or outcome.winner is None:
                return position.format_move(code)
            continue
        answer = search.prove(state_of(child), True, left, keep_on)
        if answer is Answer.OPEN:
            raise Interrupted
        if answer is Answer.REFUTED:
            return position.format_move(code)
    raise AssertionError("a drawn position has a move that holds the draw")


def _best_move(search: ProofSearch, position: Position, plies: int, winning: bool) -> str:
    """The move that wins within so many plies, or one that holds out so long."""
    for code in position.move_codes:
        child = position.play(code)
        if child.is_over:
            outcome = child.outcome
            if winning and outcome is not None and outcome.winner == position.turn:
                return position.format_move(code)
        elif winning:
            if plies > 1 and search.prove(state_of(child), False, plies - 1) is Answer.PROVEN:
                return position.format_move(code)
        elif plies <= 3 or search.prove(state_of(child), True, plies - 3) is Answer.REFUTED:
            return position.format_move(code)
    return position.legal_moves[0]
