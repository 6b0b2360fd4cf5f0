"""Proofs of Mean Connect 4: who can force a win, and within how many plies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from plyground.core.errors import InputError, PositionError
from plyground.core.game import Game, Position
from plyground.core.registry import make_game
from plyground.games.connect4.solvers import proof_hooks as hooks
from plyground.games.connect4.solvers.certificate import Certificate, Claim, also_won
from plyground.games.connect4.solvers.tablebase import plies_left
from plyground.search.proof import Answer, Continue, Hooks, ProofSearch

MODULE = "plyground.games.connect4.solvers.proof_hooks"
MEAN = {"none": (0, 0), "first": (1, 0), "second": (0, 1), "both": (1, 1)}


def hooks_for(game: Game, attacker: int) -> Hooks:
    """The game as the proof search sees it, when this player (0 or 1) is the one who wants to win.

    Where both players have the same rights the attacker makes no difference, so that one table
    serves both.
    """
    width, height = int(game.options["width"]), int(game.options["height"])
    step = height + 1
    bottom = sum(1 << column * step for column in range(width))
    column = (1 << height) - 1
    mean = MEAN[str(game.options["mean"])]
    simultaneous = str(game.options["simultaneous"])
    by_player = {
        "mover": (hooks.BOTH_WINS, hooks.BOTH_WINS),
        "first": (hooks.BOTH_WINS, hooks.BOTH_LOSES),
        "draw": (hooks.BOTH_DRAWS, hooks.BOTH_DRAWS),
    }[simultaneous]
    defender = 1 - attacker
    params = np.array(
        [
            step,
            bottom,
            bottom * column,
            width,
            column,
            mean[defender],
            mean[attacker],
            by_player[defender],
            by_player[attacker],
        ],
        np.uint64,
    )
    return Hooks(MODULE, params, 2, width * width, width * step)


def state_of(position: Position) -> np.ndarray:
    """A position as the hooks see it: the discs of the side to move, those of the other."""
    turn = position.turn
    return np.array([position.state[turn], position.state[1 - turn]], np.uint64)


def search_for(
    game: Game, attacker: int, megabytes: float = 64.0, path: Path | None = None
) -> ProofSearch:
    """A proof search for a game with this attacker."""
    return ProofSearch(hooks_for(game, attacker), megabytes, path)


class Proof:
    """The question whether a player wins from a position within a number of plies.

    The limit of plies of the game counts: a question that reaches beyond it is refused.
    """

    def __init__(
        self,
        root: Position,
        winner: int,
        plies: int,
        megabytes: float = 512.0,
        table: Path | None = None,
    ) -> None:
        if root.is_over:
            raise PositionError("the game is over in this position")
        if plies > plies_left(root):
            raise InputError(
                f"only {plies_left(root)} plies are left in this game, so a win within {plies} "
                "cannot be asked for"
            )
        self.root, self.winner, self.plies = root, winner, plies
        self.search = search_for(root.game, winner, megabytes, table)
        self.state = state_of(root)

    def progress(self) -> str:
        """How far the search is, in a line."""
        phi, delta = self.search.numbers
        return f"{self.search.evaluations:,} positions judged, at least {phi:,} or {delta:,} to go"

    def run(self, keep_on: Continue | None = None) -> Answer:
        """The answer, or OPEN if told to end before it."""
        return self.search.prove(self.state, self.root.turn == self.winner, self.plies, keep_on)

    def certificate(
        self, report: Callable[[int], None] | None = None, upper: Certificate | None = None
    ) -> Certificate:
        """The winning strategy of a question that was proven, or that `upper` answers.

        Where the upper part of a certificate is given it is followed.
        """
        roots, plies = self.state[None], self.plies
        if self.root.turn != self.winner:
            children = [self.root.play(code) for code in self.root.move_codes]
            roots = np.array([state_of(child) for child in children if not child.is_over])
            plies -= 1
        guide = upper.strategy if upper else None
        strategy = self.search.strategy(roots, plies, report, guide)
        options = self.root.game.options
        claim = Claim(
            width=int(options["width"]),
            height=int(options["height"]),
            mean=str(options["mean"]),
            simultaneous=str(options["simultaneous"]),
            winner=self.winner,
            plies=self.plies,
            root=self.root.text,
            also=also_won(self.winner, str(options["simultaneous"])),
        )
        return Certificate(claim, strategy)


def complete(
    upper: Certificate, megabytes: float = 256.0, report: Callable[[int], None] | None = None
) -> Certificate:
    """The whole of a certificate of which only the upper part is at hand."""
    claim = upper.claim
    game = make_game("connect4", claim.options)
    proof = Proof(game.parse_position(claim.root), claim.winner, claim.plies, megabytes)
    return proof.certificate(report, upper)
