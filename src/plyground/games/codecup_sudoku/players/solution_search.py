"""The bot that came third in CodeCup 2024: random opening, small candidates, endgame search."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from plyground.core.agent import Agent, Report, Stop, no_report, no_stop
from plyground.core.errors import UnsupportedError
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import register_agent
from plyground.core.search import Score, SearchInfo, SearchResult
from plyground.games.codecup_sudoku import CodeCupSudoku, GridPosition
from plyground.games.codecup_sudoku.notation import format_move
from plyground.games.codecup_sudoku.pencil_marks import marks_removed
from plyground.games.codecup_sudoku.players.solution_searcher import searcher_kernels, value_of
from plyground.games.codecup_sudoku.rules import CLAIMED
from plyground.games.codecup_sudoku.solvers.budget import Budget, Share
from plyground.games.codecup_sudoku.solvers.endgame_solver import LOSS, EndgameSolver, new_table
from plyground.games.codecup_sudoku.solvers.solutions import Finder, SolutionSet

Pair = tuple[int, int]


def move_text(pair: Pair, *, claim: bool = False) -> str:
    """The text of a move given as (cell, digit)."""
    return format_move(9 * pair[0] + pair[1] - 1 + (CLAIMED if claim else 0))


@dataclass
class Choice:
    """A move, the number of solutions it leaves where known, and whether it is proven to win."""

    pair: Pair
    solutions: int | None = None
    wins: bool | None = None
    note: str = ""

    @property
    def text(self) -> str:
        """The turn to play; with a claim where one solution is left."""
        return move_text(self.pair, claim=self.solutions == 1)


class GridAgent(Agent):
    """What the searching players of this game share: solver, table, and the way to answer."""

    def __init__(self, megabytes: float) -> None:
        self.megabytes = megabytes

    def new_game(self, game: Game, seed: int) -> None:
        if not isinstance(game, CodeCupSudoku):
            raise UnsupportedError(f"{self.name} plays codecup-sudoku, not {game.info.name}")
        super().new_game(game, seed)
        self.random = random.Random(seed)
        self.whole_clock = 0.0
        if not hasattr(self, "finder"):
            self.finder = Finder()
        self.table = new_table(self.megabytes)  # fresh pages cost nothing until they are used

    def warm_up(self) -> None:
        assert isinstance(self.game, CodeCupSudoku)
        self.game.warm_up()
        start = self.game.start()
        self.finder.counts_after(start.digits, start.pairs[:1], 2)
        EndgameSolver(self.finder.solutions(start.digits, 2).grids, self.table).value()
        self.table = new_table(self.megabytes)

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        assert isinstance(position, GridPosition)
        if limit.clock is not None:
            self.whole_clock = max(self.whole_clock, limit.clock.remaining)
        budget = Budget(limit, stop, self.whole_clock)
        moves = list(position.pairs)
        if not moves:
            won = Score(position.turn, "win", 1)
            return SearchResult("!", won, ("!",), elapsed=budget.elapsed)
        first = Choice(self.random.choice(moves))
        report(SearchInfo(move=move_text(first.pair), elapsed=budget.elapsed))
        choice = self.decide(position, moves, budget)
        score = None
        if choice.wins is not None:
            distance = 1 if choice.solutions == 1 else None
            score = Score(position.turn, "win" if choice.wins else "loss", distance)
        return SearchResult(
            choice.text,
            score,
            (choice.text,),
            nodes=budget.nodes,
            elapsed=budget.elapsed,
            note=choice.note,
        )

    def decide(self, position: GridPosition, moves: list[Pair], budget: Budget) -> Choice:
        """The move to play, given all legal ones."""
        raise NotImplementedError


@register_agent("codecup-sudoku")
class SolutionSearch(GridAgent):
    """The three phases with the numbers of the bot's description."""

    name = "solution-search"
    summary = "the bot that came third in 2024: small-candidate search, then endgame search"

    def __init__(
        self,
        opening: int = 8,
        small: int = 10_000,
        large: int = 100_000,
        share: float = 0.2,
        megabytes: float = 64.0,
    ) -> None:
        super().__init__(megabytes)
        self.opening, self.small, self.large, self.part = opening, small, large, share

    def warm_up(self) -> None:
        super().warm_up()
        searcher_kernels()

    def decide(self, position: GridPosition, moves: list[Pair], budget: Budget) -> Choice:
        digits = position.digits
        if int((digits > 0).sum()) < self.opening:
            return Choice(self.random.choice(moves), note="opening")
        share = budget.share(self.part)
        removed = dict(zip(moves, marks_removed(digits, moves), strict=True))
        self.random.shuffle(moves)
        moves.sort(key=lambda move: -removed[move])
        quiet = Choice(moves[-1], note="most candidates")
        for number, move in enumerate(moves):
            trial = digits.copy()
            trial[move[0]] = move[1]
            found = self.finder.solutions(trial, self.small, share)
            if not found.complete:
                return quiet
            after = value_of(found.grids, self.table, share)
            budget.nodes += after.nodes
            if after.value == LOSS:
                return Choice(move, len(found), True, "small candidate")
            if number == 0:
                everything = self.finder.solutions(digits, self.large, share)
                if everything.complete:
                    return self.endgame(everything, budget, share)
            if after.value is None or share():
                break
        return quiet

    def endgame(self, everything: SolutionSet, budget: Budget, share: Share) -> Choice:
        """A winning move if it is found in time, else the move that leaves most solutions."""
        found = value_of(everything.grids, self.table, share)
        budget.nodes += found.nodes
        pair = found.move
        if pair is None:
            given = found.kept == len(everything)
            pair = divmod(int(np.where(given, 0, found.kept).argmax()), 9)
            pair = (pair[0], pair[1] + 1)
        left = int(found.kept[9 * pair[0] + pair[1] - 1])
        if found.move is not None:
            return Choice(pair, left, True, "endgame")
        return Choice(pair, left, False if found.value == LOSS else None)
