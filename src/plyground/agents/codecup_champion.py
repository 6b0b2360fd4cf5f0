"""The strongest CodeCup Sudoku player: it looks for small lost sets long before it knows all.

A set of a few hundred to a few thousand solutions is lost for the player to move in one or two of
a hundred cases, and costs milliseconds to solve. So from the moment on when some moves leave sets
of that size, every turn is a hunt through these moves, smallest first. Until then, and when the
hunt fails, the move that leaves most is played, so that the opponent sees as little as possible.
"""

from __future__ import annotations

from collections.abc import Iterable

from plyground.agents.codecup_solution_search import Choice, GridAgent, Pair, move_text
from plyground.core.agent import Report, Stop, ignore_info, never_stop
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import register_agent
from plyground.core.search import MoveValue, Score, SearchResult
from plyground.games.codecup_sudoku import GridPosition
from plyground.games.codecup_sudoku.budget import Budget
from plyground.games.codecup_sudoku.endgame_solver import (
    LOSS,
    WIN,
    EndgameSolver,
    Refutation,
    RootMove,
)
from plyground.games.codecup_sudoku.pencil import marks_removed
from plyground.games.codecup_sudoku.solutions import SolutionSet

PROBES = 12
"""Moves whose solutions are counted to see whether a hunt makes sense."""


@register_agent("codecup-sudoku")
class Champion(GridAgent):
    """Hunts for small lost sets, solves whole endgames, and defends the most complicated way."""

    name = "champion"
    summary = "hunts small lost sets early, solves endgames exactly, complicates when lost"

    def __init__(
        self,
        opening: int = 8,
        reach: int = 4000,
        large: int = 150_000,
        hunt: float = 0.2,
        attack: float = 0.45,
        defence: float = 0.3,
        megabytes: float = 128.0,
    ) -> None:
        super().__init__(megabytes)
        self.opening, self.reach, self.large = opening, reach, large
        self.hunt_part, self.attack_part, self.defence_part = hunt, attack, defence

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.known: SolutionSet | None = None

    def decide(self, position: GridPosition, moves: list[Pair], budget: Budget) -> Choice:
        digits = position.digits
        if int((digits > 0).sum()) < self.opening:
            return Choice(self.random.choice(moves), note="opening")
        removed = dict(zip(moves, marks_removed(digits, moves), strict=True))
        self.random.shuffle(moves)
        moves.sort(key=lambda move: removed[move])
        everything = self.still_known(position)
        if everything is None:
            narrowest = moves[: -PROBES - 1 : -1]
            counts = self.finder.counts_after(digits, narrowest, self.reach, budget.share(0.1))
            if all(count >= self.reach for count in counts):
                return Choice(moves[0], note="middle game")
            everything = self.finder.solutions(digits, self.large, budget.share(0.2))
        if everything.complete:
            self.known = everything
            return self.endgame(everything, budget)
        return self.hunt(position, moves, budget)

    def still_known(self, position: GridPosition) -> SolutionSet | None:
        """All solutions of the position, if they are known from an earlier turn."""
        if self.known is None:
            return None
        filled = position.digits > 0
        grids = self.known.grids
        self.known = SolutionSet(
            grids[(grids[:, filled] == position.digits[filled]).all(axis=1)], True
        )
        return self.known if len(self.known) else None

    # Before all solutions are known -----------------------------------------------------------

    def hunt(self, position: GridPosition, moves: list[Pair], budget: Budget) -> Choice:
        """Solve the small sets that a move can leave; `moves` come with the largest first."""
        share = budget.share(self.hunt_part)
        digits = position.digits
        narrow = moves[::-1]
        counts = self.finder.counts_after(digits, narrow, self.reach, share.slice(0.4))
        small = sorted(
            (count, move) for count, move in zip(counts, narrow, strict=False) if count < self.reach
        )
        struck: set[Pair] = set()
        for number, (count, move) in enumerate(small):
            if share():
                break
            if move in struck:
                continue
            trial = digits.copy()
            trial[move[0]] = move[1]
            found = self.finder.solutions(trial, self.reach + 1)
            solver = EndgameSolver(found.grids, self.table)
            value = solver.value(share)
            budget.nodes += solver.nodes
            if value == LOSS:
                return Choice(move, count, True, f"hunt {number + 1} of {len(small)}")
            if value == WIN:
                struck.update(pair for win in solver.winning_moves_seen() for pair in win.pairs)
        safe = next((move for move in moves if move not in struck), moves[0])
        return Choice(safe, note=f"hunted {len(small)}")

    # Once all solutions are known ---------------------------------------------------------------

    def endgame(self, everything: SolutionSet, budget: Budget) -> Choice:
        """A winning move if there is one and time suffices, else the best defence."""
        solver = EndgameSolver(everything.grids, self.table)
        moves = sorted(solver.moves, key=lambda move: move.count)
        difficulty: dict[int, int] = {}
        unsolved: list[RootMove] = []
        share = budget.share(self.attack_part)
        for number, move in enumerate(moves):
            if move.index in difficulty:
                continue
            value = solver.value_after(move, share)
            if value == LOSS:
                budget.nodes += solver.nodes
                return Choice(move.pairs[0], move.count, True, f"{number + 1} of {len(moves)}")
            if value is None:
                unsolved = [rest for rest in moves[number:] if rest.index not in difficulty]
                break
            strike(difficulty, move, solver.refutations_seen())
        budget.nodes += solver.nodes
        note = f"{everything_text(everything)}, {len(unsolved)} of {len(moves)} unsolved"
        safe = self.defend(everything, unsolved, difficulty, budget)
        if safe is not None:
            return Choice(safe.pairs[0], safe.count, None, note)
        hardest = max(moves, key=lambda move: (difficulty.get(move.index, 0), move.count))
        return Choice(hardest.pairs[0], hardest.count, None if unsolved else False, note)

    def defend(
        self,
        everything: SolutionSet,
        unsolved: list[RootMove],
        difficulty: dict[int, int],
        budget: Budget,
    ) -> RootMove | None:
        """Of the moves that could not be solved, the largest that no small reply seems to beat."""
        share = budget.share(self.defence_part)
        for move in reversed(unsolved):
            rest = everything.after(*move.pairs[0])
            solver = EndgameSolver(rest.grids, self.table)
            trial = share.slice(0.4)
            beaten = None
            for reply in sorted(solver.moves, key=lambda reply: reply.count):
                value = solver.value_after(reply, trial)
                if value == LOSS:
                    beaten = reply.count
                if value != WIN:
                    break
            budget.nodes += solver.nodes
            if beaten is None:
                return move
            difficulty[move.index] = beaten
        return None

    # For people -----------------------------------------------------------------------------

    def analyse(
        self,
        position: Position,
        limit: Limit,
        report: Report = ignore_info,
        stop: Stop = never_stop,
    ) -> SearchResult:
        """Every move with the solutions it leaves (as visits) and its value, where time allows."""
        assert isinstance(position, GridPosition)
        budget = Budget(Limit(limit.time, limit.nodes, limit.depth, limit.clock), stop)
        found = self.finder.solutions(position.digits, 10 * self.large, budget.share(1.0))
        if len(found) < 2 or not found.complete:
            return self.search(position, limit, report, stop)
        return self.values(position, found, budget)

    def values(self, position: GridPosition, found: SolutionSet, budget: Budget) -> SearchResult:
        """The values of all moves of a set of solutions."""
        solver = EndgameSolver(found.grids, self.table)
        share = budget.share(1.0)
        entries: list[tuple[int, int, MoveValue]] = []
        for move in sorted(solver.moves, key=lambda move: move.count):
            value = solver.value_after(move, share)
            score = None
            if value is not None:
                distance = 1 if move.count == 1 else None
                score = Score(position.turn, "win" if value == LOSS else "loss", distance)
            rank = {LOSS: 0, None: 1, WIN: 2}[value]
            for pair in move.pairs:
                text = move_text(pair, claim=move.count == 1)
                entries.append((rank, move.count, MoveValue(text, score, move.count)))
        entries.sort(key=lambda entry: (entry[0], entry[1] if entry[0] == 0 else -entry[1]))
        values = tuple(entry[2] for entry in entries)
        best = values[0]
        solved = best.score is not None
        score = best.score if solved else None
        return SearchResult(
            best.move,
            score,
            (best.move,),
            values,
            nodes=solver.nodes,
            elapsed=budget.elapsed,
            note=f"{everything_text(found)}; visits are the solutions that a move leaves",
        )


def strike(difficulty: dict[int, int], move: RootMove, seen: Iterable[Refutation]) -> None:
    """Note how hard it is to beat a move, and the moves that are beaten by it in turn.

    The opponent will look at the replies that leave fewest solutions first.
    """
    refutations = list(seen)
    difficulty[move.index] = min((entry.count for entry in refutations), default=0)
    for refutation in refutations:
        for other in refutation.moves:
            if other.count > refutation.count:
                difficulty.setdefault(other.index, refutation.count)


def everything_text(found: SolutionSet) -> str:
    """How many solutions there are, in words."""
    return f"{len(found)} solutions"
