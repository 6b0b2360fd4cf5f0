"""`plyground prove`: prove who wins Mean Connect 4, and within how many plies."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from plyground.cli.app import Json, Options, console, notes, open_game, print_json
from plyground.core.errors import InputError, UnsupportedError

MOST_MEGABYTES = 1 << 20


def prove(
    game: str = "connect4",
    *,
    within: Annotated[int, Parameter(help="Plies within which the win is asked for.")] = 41,
    winner: Annotated[int, Parameter(help="Whose win: 1 for the first player, 2.")] = 1,
    position: Annotated[str | None, Parameter(help="Instead of the empty board.")] = None,
    megabytes: Annotated[float, Parameter(help="Size of the table of positions.")] = 512.0,
    table: Annotated[Path | None, Parameter(help="Keep the table in this file, to go on.")] = None,
    certificate: Annotated[Path | None, Parameter(help="File of the strategy.")] = None,
    seconds: Annotated[float | None, Parameter(help="Stop after so much time.")] = None,
    option: Options = None,
    json: Json = False,
) -> None:
    """Prove or refute that a player can force a win within a number of plies.

    Interrupting is safe if the table is kept in a file: the same command goes on from there. The
    strategy of a proven win goes to the user's data folder (or the file given), where `solve` and
    the champion find it and `plyground verify` checks it.

    Example: plyground prove --option width=5 --option height=6 --within 27
    """
    rules = open_game(game, option)
    if rules.info.name != "connect4":
        raise UnsupportedError(f"there are no proofs of {rules.info.name}, only of connect4")
    if winner not in (1, 2):
        raise InputError(f"winner must be 1 or 2, not {winner}")
    if not 1 <= megabytes <= MOST_MEGABYTES:
        raise InputError(f"megabytes must be from 1 to {MOST_MEGABYTES:,}, not {megabytes:g}")
    if seconds is not None and not seconds >= 0:
        raise InputError(f"seconds must be 0 or more, not {seconds:g}")
    from plyground.games.connect4.solvers import certificate as files
    from plyground.games.connect4.solvers.proof import Proof
    from plyground.search.proof import Answer

    root = rules.parse_position(position) if position else rules.start()
    if certificate is not None:
        files.refuse_unwritable(certificate)
    try:
        proof = Proof(root, winner - 1, within, megabytes, table)
    except MemoryError:
        raise InputError(f"there is no memory for a table of {megabytes:g} megabytes") from None
    proof.search.warm_up(proof.state)
    started, told = time.monotonic(), [time.monotonic()]

    def keep_on(judged: int) -> bool:
        now = time.monotonic()
        if now - told[0] > 5:
            told[0] = now
            notes.print(proof.progress(), highlight=False)
        return seconds is None or now - started < seconds

    answer = proof.run(keep_on)
    result: dict[str, object] = {
        "answer": answer.name.lower(),
        "winner": winner,
        "within": within,
        "evaluations": proof.search.evaluations,
        "seconds": time.monotonic() - started,
    }
    if answer is Answer.PROVEN:
        made = proof.certificate(lambda count: notes.print(f"{count:,} positions", highlight=False))
        path = certificate or files.user_folder() / f"{made.claim.name}{files.SUFFIX}"
        files.save(made, path)
        result |= {"certificate": str(path), "positions": len(made.strategy.keys)}
    if json:
        print_json(result)
        return
    judged = f"{proof.search.evaluations:,} positions judged"
    text = {
        Answer.PROVEN: f"player {winner} wins within {within} plies; {judged}",
        Answer.REFUTED: f"player {winner} has no forced win within {within} plies; {judged}",
        Answer.OPEN: f"not decided yet; {proof.progress()}",
    }[answer]
    console.print(text, highlight=False)
    if "certificate" in result:
        console.print(f"strategy: {result['certificate']}", highlight=False, soft_wrap=True)
