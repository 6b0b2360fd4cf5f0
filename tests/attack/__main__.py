"""`python -m tests.attack [--inputs N] [--kills N] [--programs N] [--seed N]`: the long attack.

Prints what it did and every finding; the exit code says whether there was one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripted_players import processes_of
from tests.attack import programs
from tests.attack.fuzz import Finding, Mutator, attack, targets
from tests.attack.kills import kill_and_resume

KILLS_A_RUN = 10


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


def bad_programs(most: int, folder: Path) -> list[Finding]:
    """Every kind of bad program plays a game."""
    findings = []
    endings: dict[str, int] = {}
    slowest = 0.0
    count = 0
    for number, kind in enumerate(programs.kinds()):
        if number >= most:
            break
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
        time.sleep(0.05)
        if left := processes_of(place):
            findings.append(Finding(kind.name, "", f"left behind: {left[:3]}"))
    print(f"bad programs: {count}, endings: {endings}, slowest game {slowest:.1f} s", flush=True)
    return findings


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="plyground-attack-") as name:
        folder = Path(name)
        findings = fuzz(options.inputs, options.seed, folder) if options.inputs else []
        findings += bad_programs(options.programs, folder) if options.programs else []
        findings += kills(options.kills, options.seed, folder) if options.kills else []
    for finding in findings:
        print(f"{finding.target}: {finding.text[:200]!r}\n{finding.error}")
    print(f"findings: {len(findings)}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
