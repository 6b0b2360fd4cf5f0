"""The table of claims: what a document says, what we found, whether that agrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.lab.experiment import Claim, Experiment, Finding, Scale, missing_agents
from plyground.lab.journal import Journal
from plyground.lab.results import MissingResultError, Results, is_finished

DOCUMENTS = {
    "000": "Competitive Sudoku: minimax (A2, A3) and MCTS agents",
    "001": "Competitive Sudoku: iterative-deepening minimax (A1)",
    "002": "CodeCup 2024 Sudoku: the bot that came third",
    "003": "Mean Connect 4",
    "004": "Blockudoku",
}

UNDECIDED = "not decided"


@dataclass(frozen=True)
class ClaimVerdict:
    """One row of the table."""

    experiment: Experiment
    claim: Claim
    ours: str
    agrees: bool | None
    complete: bool
    scale: Scale
    games: int | None = None
    tested: str = ""

    @property
    def reduced(self) -> str:
        """What this run left out of the document's conditions, if anything."""
        return self.experiment.reduced if self.scale is not Scale.FULL else ""

    @property
    def word(self) -> str:
        """`yes`, `no`, or why neither."""
        if self.agrees is None:
            return UNDECIDED if self.complete else "not run"
        return "yes" if self.agrees else "no"

    @property
    def why(self) -> str:
        """Why we disagree and how that was tested, or what it would take to decide."""
        if self.word == UNDECIDED and self.games:
            return f"about {self.games:,} games would decide it"
        if self.agrees is not False:
            return ""
        return self.claim.because + (f" Tested: {self.tested}" if self.tested else "")


def judge(experiment: Experiment, results: Results) -> list[ClaimVerdict]:
    """All claims of an experiment with what is known so far."""
    complete = all(is_finished(item, results) for item in results.plan)
    verdicts = []
    for claim in experiment.claims:
        try:
            finding = claim.check(results)
        except MissingResultError:
            missing = missing_agents(experiment)
            reason = f"needs {', '.join(missing)}" if missing else "no results yet"
            finding = Finding(reason, None)
        ours = finding.ours
        if not complete and finding.agrees is not None:
            ours += " (so far)"
        tested = _test_of(claim, results) if finding.agrees is False else ""
        verdicts.append(
            ClaimVerdict(
                experiment,
                claim,
                ours,
                finding.agrees,
                complete,
                results.scale,
                finding.games,
                tested,
            )
        )
    return verdicts


def _test_of(claim: Claim, results: Results) -> str:
    """What came out when the blamed thing was changed; empty if that was not measured."""
    if claim.tested is None:
        return ""
    try:
        return claim.tested(results)
    except MissingResultError:
        return ""


def best_scale(experiment: Experiment, journal: Journal) -> Scale:
    """The largest scale at which nothing is left to do; QUICK if there is none."""
    for scale in (Scale.FULL, Scale.MEDIUM):
        if not journal.pending(experiment, scale):
            return scale
    return Scale.QUICK


def headline(words: Sequence[str]) -> str:
    """The table in one sentence, from the words of its rows."""
    yes, no = words.count("yes"), words.count("no")
    text = f"Of {len(words)} claims of the documents {yes} agree with our measurement, {no} do not"
    waiting = words.count("not run")
    left = len(words) - yes - no - waiting
    text += f", {left} {'is' if left == 1 else 'are'} undecided" if left else ""
    return f"{text}, {waiting} not run yet." if waiting else f"{text}."
