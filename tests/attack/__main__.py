"""The long attack: `python -m tests.attack`, all of it, or the parts that are named.

    [--inputs N] [--programs N [--from K] [--tree]] [--kills N] [--deeds N] [--visits N] [--seed N]

Fuzzed inputs to everybody who reads; kinds of bad program, from the K-th on, held by control groups
or (`--tree`) found by their parents; kills of whole matches; deeds against the processes inside a
match; requests and messages to the page. Prints what it did and every finding; the exit code says
whether there was one.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))

from plyground.engines import containment
from scripted_players import processes_of
from tests.attack import programs
from tests.attack.fuzz import Finding, Mutator, attack, targets
from tests.attack.inside import disturb
from tests.attack.kills import kill_and_resume
from tests.attack.visitors import Visitor, traces
from tests.web.conftest import SERVER_LOG, Server

KILLS_A_RUN = 10
DEEDS_A_RUN = 15
LEAVING_SECONDS = 5.0
"""On a busy machine it may take this long until a killed process is gone."""


def fuzz(inputs: int, seed: int, folder: Path) -> list[Finding]:
    """Bad texts for every reader, the cheap ones more often."""
    everybody = targets(folder)
    weight = sum(1 / target.cost for target in everybody)
    findings: list[Finding] = []
    done = 0
    for number, target in enumerate(everybody):
        count = max(10, int(inputs / target.cost / weight) + 1)
        findings += attack(target, Mutator(seed + number), count)
        done += count
    print(
        f"fuzzed inputs: {done}, readers: {len(everybody)}, findings: {len(findings)}", flush=True
    )
    return findings


def bad_programs(first: int, most: int, folder: Path) -> list[Finding]:
    """Every kind of bad program plays a game, so many of them from the first one on."""
    findings = []
    endings: dict[str, int] = {}
    slowest = 0.0
    count = 0
    for number, kind in itertools.islice(enumerate(programs.kinds()), first, first + most):
        count += 1
        place = folder / f"program{number}"
        began = time.monotonic()
        try:
            outcome = programs.play(kind, place, number).outcome
            assert outcome is not None
            endings[str(outcome.termination)] = endings.get(str(outcome.termination), 0) + 1
            if str(outcome.termination) != "normal" and outcome.winner != 1 - number % 2:
                findings.append(Finding(kind.name, "", f"the honest program lost: {outcome}"))
        except Exception as error:
            findings.append(Finding(kind.name, "", repr(error)))
        slowest = max(slowest, time.monotonic() - began)
        patience = time.monotonic() + LEAVING_SECONDS
        while processes_of(place) and time.monotonic() < patience:
            time.sleep(0.05)
        if left := processes_of(place):
            findings.append(Finding(kind.name, "", f"left behind: {left[:3]}"))
    print(f"bad programs: {count}, endings: {endings}, slowest game {slowest:.1f} s", flush=True)
    return findings


def lent_groups_or_none(tree: bool) -> contextlib.AbstractContextManager[object]:
    """Without control groups, if so: engines are found by their parents."""
    if not tree:
        return contextlib.nullcontext()
    return mock.patch.object(containment, "lent_groups", lambda: (None, "not for this attack"))


def kills(count: int, seed: int, folder: Path) -> list[Finding]:
    """Runs that are killed; those that end must all have the same games."""
    findings: list[Finding] = []
    seen: list[dict[str, str]] = []
    done = 0
    while done < count:
        place = folder / f"kills{done}"
        place.mkdir()
        try:
            seen.append(kill_and_resume(place, min(KILLS_A_RUN, count - done), seed + done))
        except Exception as error:
            findings.append(Finding("kills", "", repr(error)))
        done += KILLS_A_RUN
    if any(games != seen[0] for games in seen):
        findings.append(Finding("kills", "", "two runs of the same games differ"))
    print(f"kills: {min(done, count)}, runs: {len(seen)}, findings: {len(findings)}", flush=True)
    return findings


def deeds(count: int, seed: int, folder: Path) -> list[Finding]:
    """Matches whose own processes are attacked; every fourth compiles everything anew."""
    findings: list[Finding] = []
    done: Counter[str] = Counter()
    runs = 0
    while runs * DEEDS_A_RUN < count:
        place = folder / f"deeds{runs}"
        place.mkdir()
        try:
            done += Counter(disturb(place, seed + runs, DEEDS_A_RUN, cold=runs % 4 == 3))
        except Exception as error:
            findings.append(Finding("deeds", f"seed {seed + runs}", str(error)))
        runs += 1
    print(f"deeds: {dict(done)}, runs: {runs}, findings: {len(findings)}", flush=True)
    return findings


def visits(count: int, seed: int, folder: Path) -> list[Finding]:
    """A server that is asked and told so many bad things each, and then serves as before."""
    server = Server(folder / "page")
    server.start()
    try:
        visitor = Visitor(server.address.partition("//")[2], seed)
        findings = [*visitor.requests(count), *visitor.messages(count)]
        status, _ = server.request("/api/catalog")
        if status != 200:
            findings.append(Finding("page", "", f"status {status} after the visit"))
    finally:
        server.stop()
    if trace := traces((folder / "page" / SERVER_LOG).read_text()):
        findings.append(Finding("page", "", f"in the terminal: {trace[-2000:]}"))
    print(f"requests: {count}, messages: {count}, findings: {len(findings)}", flush=True)
    return findings


WHOLE = {"inputs": 1_000_000, "programs": 1000, "kills": 50, "deeds": 300, "visits": 20_000}
"""The parts of the whole attack and how much there is of each."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for part in WHOLE:
        parser.add_argument(f"--{part}", type=int)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--tree", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    named = any(getattr(options, part) is not None for part in WHOLE)
    for part, number in WHOLE.items():  # who names parts wants these alone
        if getattr(options, part) is None:
            setattr(options, part, 0 if named else number)
    with tempfile.TemporaryDirectory(prefix="plyground-attack-") as name:
        folder = Path(name)
        findings = fuzz(options.inputs, options.seed, folder) if options.inputs else []
        with lent_groups_or_none(options.tree):
            if options.programs:
                findings += bad_programs(options.first, options.programs, folder)
        findings += kills(options.kills, options.seed, folder) if options.kills else []
        findings += deeds(options.deeds, options.seed, folder) if options.deeds else []
        findings += visits(options.visits, options.seed, folder) if options.visits else []
    for finding in findings:
        print(f"{finding.target}: {finding.text[:200]!r}\n{finding.error}")
    print(f"findings: {len(findings)}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
