"""`plyground verify`: check the proofs of Mean Connect 4 that come along, or one in a file."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from plyground.cli.app import Json, console, notes, print_json
from plyground.core.errors import InputError, PlygroundError, UnknownNameError

if TYPE_CHECKING:
    from plyground.games.connect4.solvers.certificate import Certificate


class UnprovenError(PlygroundError, kind="unproven"):
    """A certificate does not prove what it claims."""


def verify(
    name: Annotated[
        str | None,
        Parameter(help="The name of a certificate, or a file; all that there are if left out."),
    ] = None,
    *,
    write: Annotated[
        Path | None,
        Parameter(help="Write the whole strategy of one certificate to this CSV file."),
    ] = None,
    json: Json = False,
) -> None:
    """Replay winning strategies against every legal reply, by a checker that knows only the rules.

    Of large strategies only the upper part comes along: the search finds the rest again, the
    checker then takes nothing on trust. Exit code 1 if a certificate fails. For a checker of your
    own, `--write FILE` writes what was checked as a table: the board with the winner to move, its
    move, the plies within which it wins. Of two mirror images only one is in it, and no position
    that the winner wins at once.

    Example: plyground verify 7x6-first-mover-11
    """
    from plyground.games.connect4.solvers import certificate as files

    known, damaged = files.available()
    if name is None:
        chosen = known
    elif name in known:
        chosen = {name: known[name]}
    elif Path(name).is_file():
        chosen = {name: files.load(Path(name))}
    else:
        raise UnknownNameError.of("certificate", name, known)
    if write is not None and len(chosen) != 1:
        raise InputError("--write takes one certificate: give its name")
    results = [_verify(label, made, write) for label, made in chosen.items()]
    if name is None and damaged:
        raise damaged[0]
    if json:
        print_json(results if name is None else results[0])


def _verify(label: str, made: Certificate, table: Path | None = None) -> dict[str, object]:
    """Complete a certificate and check it; what was found. A `table` gets the strategy."""
    from plyground.games.connect4.solvers import certificate as files
    from plyground.games.connect4.solvers.certificate_check import Checker, CheckError, Entries
    from plyground.games.connect4.solvers.proof import complete
    from plyground.games.connect4.solvers.strategy_table import write_table

    claim = made.claim
    started = time.monotonic()
    if claim.left_out > 1:
        notes.print(f"{label}: completing the strategy", highlight=False)
        made = complete(made, report=lambda count: notes.print(f"{count:,} positions"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate"
        files.save(made, path)
        checker = Checker(Entries.read(path))
        try:
            checker.check(_tell)
        except CheckError as error:
            raise UnprovenError(f"{label} does not prove its claim: {error}") from error
    if table is not None:
        write_table(made, table)
    seconds = time.monotonic() - started
    player = ("first", "second")[claim.winner]
    rules = " or ".join(claim.rules)
    console.print(
        f"{label}: the {player} player wins within {claim.plies} plies from {claim.root!r} "
        f"({claim.width}x{claim.height}, mean={claim.mean}, simultaneous={rules}); "
        f"{len(made.strategy.keys):,} positions, {checker.positions:,} replies, {seconds:.0f} s",
        highlight=False,
        soft_wrap=True,
    )
    return {
        "name": label,
        "winner": claim.winner + 1,
        "within": claim.plies,
        "root": claim.root,
        "options": claim.options,
        "rules": list(claim.rules),
        "positions": len(made.strategy.keys),
        "replies": checker.positions,
        "seconds": seconds,
        "proven": True,
    }


def _tell(done: int, total: int) -> None:
    if done % (1 << 18) == 0:
        notes.print(f"checked {done:,} of {total:,}", highlight=False)
