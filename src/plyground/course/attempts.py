"""What a submission tried beyond playing, by the lines of `course.host.watch`, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from plyground.course.host.watch import FAILURE, MARK, SLEEP, UNNAMED
from plyground.engines import sandbox
from plyground.engines.engine import EngineSettings

MOST_NAMES = 5
"""So many things of a kind are told by name."""

FILES = ("write", "read")
"""What is done to files; only what is beside the submission's own is told."""

_STOPPED = "the sandbox stops that"
_FATES = {
    "start a process": "it stays in the sandbox and ends with it",
    "send a signal to": "it reaches nothing outside of the sandbox",
    "load compiled code": "what that does is held by the sandbox, but not named",
    "look through the interpreter": "what it does then is held by the sandbox, perhaps not named",
}
_PLAIN = "a submission gets what it needs from `game_state`, and keeps things by `self.save`"
_ADVICE = {
    "start a process": "take out processes (`os.fork`, `subprocess`, `multiprocessing`): they cost "
    "the turn's own time, and end with it",
    "connect to": "take out what needs a network: there is none while games are played",
    "read": "put files that it needs into its own folder, and open them by a path from `__file__`",
    "write": "write into its own folder alone; what has to last from turn to turn is kept by "
    "`self.save`",
    "fill the disk": "write less: there is little room, and all of it is gone after the game",
    "load compiled code": "hand in Python code, or ask whether compiled code is allowed",
}


@dataclass(frozen=True)
class Remark:
    """Something that costs no game, but should be mended."""

    found: str
    advice: str
    kind: str = ""
    """The same without what only concerns this submission; empty where it is `found` itself."""


_SLEEPS = Remark(
    "it sleeps until its turn is over before it proposes a move, which is too late in the course's "
    "own runner",
    "propose a move at once, and take out what waits, like `time.sleep`",
    "sleeps through its turn",
)


def attempts_in(output: str) -> dict[str, None]:
    """The lines of an output that name attempts, each once, in their order."""
    return {line: None for line in output.splitlines() if line.startswith(MARK)}


def read_attempts(lines: Iterable[str], settings: EngineSettings) -> list[Remark]:
    """A remark for each kind of deed."""
    apart = settings.sandbox != "off" and sandbox.state().available
    tried: dict[str, list[str]] = {}
    for line in lines:
        deed, _, what = line.removeprefix(MARK).partition(": ")
        if deed in FILES:
            what = repr("/".join(what.strip("/").split("/")[-2:]))
        names = tried.setdefault(deed, [])
        if what not in names:
            names.append(what)
    found = []
    for deed, names in tried.items():
        if deed == SLEEP:
            found.append(_SLEEPS)
        if deed in (SLEEP, FAILURE):  # no attempts at anything
            continue
        fate = _FATES.get(deed, _STOPPED) if apart else "nothing stopped it: there was no sandbox"
        where = " outside of its folder" if deed in FILES else ""
        colon = ":" if deed in ("start a process", "fill the disk", "load compiled code") else ""
        told = f"{deed}{colon} {_listed(_without_repeats(names))}{where}"
        advice = _ADVICE.get(deed, _PLAIN)
        found.append(Remark(f"it tried to {told} ({fate})", advice, f"tried to {deed}"))
    return found


def _listed(names: list[str]) -> str:
    more = [f"and {len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
    return ", ".join((*names[:MOST_NAMES], *more))


def _without_repeats(names: list[str]) -> list[str]:
    """Without hosts that are also there with their port, and processes that are told by name."""
    told = [name for name in names if name != UNNAMED] or names
    return [name for name in told if not any(other.startswith(f"{name}:") for other in told)]
